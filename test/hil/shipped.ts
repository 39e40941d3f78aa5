/**
 * Before the tests: sees to the machine, and packs the program as it is shipped, unpacked with what it depends on and
 * without sources and development tools, and the boards it will find, with what they depend on. One file, because the
 * machine opens files slowly.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { NoMachine, prepareMachine } from './machine.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The files of the machine and the packed program, or why there is no machine. */
    readonly hardware: { readonly kernel: string; readonly initrd: string; readonly app: string } | string;
  }
}

const ROOT = join(import.meta.dirname, '../..');

/** What no program needs to run; the machine reads every byte through an emulated wire. */
const NOT_NEEDED =
  /\/(deps|obj|obj\.target)\/|\.(md|map|ts|mts|cts|c|cc|cpp|h|o|a|gyp|gypi)$|\/prebuilds\/(?!linux-x64|HID-linux-x64|HID_hidraw-linux-x64)[^/]+\//;

export default async function setup(project: TestProject): Promise<(() => void) | undefined> {
  let machine: ReturnType<typeof prepareMachine>;
  try {
    machine = prepareMachine();
  } catch (error) {
    if (!(error instanceof NoMachine)) throw error;
    process.stdout.write(`hardware in the loop: not run, because ${error.message}\n`);
    project.provide('hardware', error.message);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'jadoube-hil-app-'));
  const end = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    project.provide('hardware', { ...machine, app: await pack(folder) });
  } catch (error) {
    end();
    throw error;
  }
  return end;
}

async function pack(folder: string): Promise<string> {
  const app = mkdtempSync(join(folder, 'app-'));
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', app], { cwd: ROOT });
  const name = packed.toString().trim().split('\n').at(-1)!;
  execFileSync('tar', ['-xzf', join(app, name), '-C', app, '--strip-components=1']);
  rmSync(join(app, name));
  const modules = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: ROOT });
  const wanted = modules.toString().trim().split('\n').slice(1);
  const bleno = join(ROOT, 'node_modules/@stoprocent/bleno');
  for (const place of [...wanted, bleno]) {
    // A package inside another comes with it.
    if (place.slice(ROOT.length).split('/node_modules/').length > 2) continue;
    const filter = (path: string): boolean => !NOT_NEEDED.test(path.slice(ROOT.length));
    cpSync(place, join(app, place.slice(ROOT.length)), { recursive: true, filter });
  }
  await build({
    entryPoints: [join(import.meta.dirname, 'inside.ts')],
    outfile: join(app, 'inside.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  // In the machine anybody may run it.
  chmodSync(app, 0o755);
  const file = join(folder, 'app.tar');
  execFileSync('tar', ['-cf', file, '-C', app, '.']);
  return file;
}
