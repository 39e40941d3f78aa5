/**
 * The shipped `jadoube record` on real kernel devices: `npm run test:hil`. It runs where a machine can be had
 * (machine.ts), and says why where none can.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStoreReader, type StoredGame } from '../../recorder/store/store.ts';
import { type MachineRun, NoMachine, runInMachine } from './machine.ts';

const ROOT = join(import.meta.dirname, '../..');
const LIMIT_MS = 540_000;
const COMMAND = 'mkdir /app && tar -xf /hil-out/app.tar -C /app && node /app/inside.mjs';

interface Played {
  readonly sans?: readonly string[];
  readonly result?: string;
  readonly failed?: string;
}

const out = mkdtempSync(join(tmpdir(), 'jadoube-hil-out-'));
let run: MachineRun | undefined;
let why = '';
let played: Readonly<Record<string, Played>> = {};
let games: readonly StoredGame[] = [];

/** What no program needs to run; the machine reads every byte through an emulated wire. */
const NOT_NEEDED =
  /\/(deps|obj|obj\.target)\/|\.(md|map|ts|mts|cts|c|cc|cpp|h|o|a|gyp|gypi)$|\/prebuilds\/(?!linux-x64|HID-linux-x64|HID_hidraw-linux-x64)[^/]+\//;

/**
 * The program as it is shipped: packed, unpacked, with what it depends on and without sources and development tools; and
 * the boards it will find, with what they depend on. One file, because the machine opens files slowly.
 */
async function ship(): Promise<void> {
  const app = mkdtempSync(join(tmpdir(), 'jadoube-hil-app-'));
  try {
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', app], { cwd: ROOT });
    const name = packed.toString().trim().split('\n').at(-1)!;
    execFileSync('tar', ['-xzf', join(app, name), '-C', app, '--strip-components=1']);
    rmSync(join(app, name));
    const modules = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: ROOT });
    const wanted = modules.toString().trim().split('\n').slice(1);
    const bleno = join(ROOT, 'node_modules/@stoprocent/bleno');
    for (const folder of [...wanted, bleno]) {
      // A package inside another comes with it.
      if (folder.slice(ROOT.length).split('/node_modules/').length > 2) continue;
      const filter = (path: string): boolean => !NOT_NEEDED.test(path.slice(ROOT.length));
      cpSync(folder, join(app, folder.slice(ROOT.length)), { recursive: true, filter });
    }
    await build({
      entryPoints: [join(import.meta.dirname, 'inside.ts')],
      outfile: join(app, 'inside.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
    });
    execFileSync('tar', ['-cf', join(out, 'app.tar'), '-C', app, '.']);
  } finally {
    rmSync(app, { recursive: true, force: true });
  }
}

beforeAll(async () => {
  try {
    await ship();
    run = runInMachine(COMMAND, { cwd: '/', out, limitMs: LIMIT_MS });
  } catch (error) {
    if (!(error instanceof NoMachine)) throw error;
    why = error.message;
    process.stdout.write(`hardware in the loop: not run, because ${why}\n`);
    return;
  }
  const keep = process.env.JADOUBE_HIL_KEEP;
  if (keep !== undefined) cpSync(out, keep, { recursive: true, filter: (path) => !path.endsWith('.tar') });
  const file = (name: string): string => join(out, name);
  if (existsSync(file('played.json'))) played = JSON.parse(readFileSync(file('played.json'), 'utf8'));
  if (existsSync(file('games.sqlite'))) {
    const reader = openStoreReader(file('games.sqlite'));
    games = reader.games();
    reader.close();
  }
  process.stdout.write(`hardware in the loop: run\n${run.screen.replace(/[^\n\x20-\x7e]/g, '')}\n`);
}, LIMIT_MS + 120_000);

afterAll(() => rmSync(out, { recursive: true, force: true }));

describe('record, on real devices that are unplugged twice', () => {
  it('ran to its end, and ended cleanly when it was told to', ({ skip }) => {
    if (run === undefined) return skip(why);
    expect(run.status).toBe(0);
    expect(readFileSync(join(out, 'recorder-status'), 'utf8')).toBe('0');
  });

  it.for([
    ['a HID device through hidraw', 'chessnut-hid', 'chessnut-usb-HID17'],
    ['a serial port that comes back under other names', 'dgt-acm', 'dgt-04711'],
    ['a Bluetooth Low Energy board', 'chessnut-le', 'chessnut-00-aa-01-00-00-00'],
    ['a Bluetooth board that knows no pieces', 'pegasus-le', 'dgt-pegasus-00815'],
  ] as const)('records the whole game on %s', ([, name, board], { skip }) => {
    if (run === undefined) return skip(why);
    const truth = played[name];
    expect(truth?.failed).toBeUndefined();
    const mine = games.filter((game) => game.board === board && game.record.plies.length > 0);
    expect(mine.map(({ record }) => record.plies.map(({ san }) => san))).toEqual([truth?.sans]);
    expect(mine[0]?.record.result).toBe(truth?.result);
  });
});
