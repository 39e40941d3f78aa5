import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStoreReader } from '../../../recorder/store/store.ts';
import { rederiveFile } from '../rederive-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const KILLS = 100;
/** Databases that are worked on, each by one recorder after another; the longer one has grown, the longer it takes to go on with. */
const FILES = 10;
/** Databases that are worked on at the same time: while one is looked into, or waits for the disk, others go on. */
const LANES = 4;

interface Told {
  readonly inputs: number;
  readonly plies: readonly string[];
}

/** The victim in one file without TypeScript: a hundred starts are most of what this test costs. */
let victimFile = '';

/** Starts a recorder, kills it at the given line it says, and returns everything it had said. */
function runAndKill(file: string, seed: number, atLine: number): Promise<Told[]> {
  return new Promise((resolve, reject) => {
    const victim = spawn(process.execPath, [victimFile, file, String(seed)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    let errors = '';
    victim.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (text.split('\n').length - 1 >= atLine) victim.kill('SIGKILL');
    });
    victim.stderr.setEncoding('utf8').on('data', (piece: string) => {
      errors += piece;
    });
    victim.on('close', (_, signal) => {
      if (signal !== 'SIGKILL') reject(new Error(`the recorder ended by itself: ${errors}`));
      // What was cut off by the kill was never published.
      else
        resolve(
          text
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line) as Told),
        );
    });
  });
}

/** What the database holds of what can be published. */
function lookInto(file: string): { inputs: number; plies: string[] } {
  const reader = openStoreReader(file);
  const inputs = reader.sittings().reduce((sum, { id }) => sum + [...reader.inputs(id)].length, 0);
  reader.close();
  const db = new Sqlite(file, { readonly: true });
  const plies = db
    .prepare<[], string>(
      "SELECT ply || ' ' || value FROM decisions WHERE type IN ('ply', 'amended') ORDER BY id",
    )
    .pluck()
    .all();
  db.close();
  return { inputs, plies };
}

describe('a recorder that is killed', () => {
  beforeAll(async () => {
    // Within the project, so that the one package that cannot be part of it is found.
    mkdirSync('node_modules/.cache', { recursive: true });
    const folder = mkdtempSync('node_modules/.cache/jadoube-kill-');
    victimFile = join(folder, 'victim.mjs');
    await build({
      entryPoints: ['test/recorder/kill/victim.ts'],
      outfile: victimFile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['better-sqlite3'],
    });
    return () => rmSync(folder, { recursive: true, force: true });
  });

  it(`loses nothing it had published, ${KILLS} times at random instants`, async () => {
    const folder = temporaryFolder();
    let seed = 20_250_101;
    const below = (limit: number): number => {
      seed = (seed * 48_271) % 0x7fffffff;
      return seed % limit;
    };
    let published = 0;

    const work = async (file: string): Promise<void> => {
      let before = { inputs: 0, plies: [] as string[] };
      for (let kill = 0; kill < KILLS / FILES; kill++) {
        const told = await runAndKill(file, below(0x7ffffffe) + 1, 1 + below(20));
        const now = lookInto(file);
        // All that was committed before, then all that was told, in order; more may have been committed untold.
        const plies = [...before.plies, ...told.flatMap((line) => line.plies)];
        expect(now.plies.slice(0, plies.length)).toEqual(plies);
        expect(now.inputs).toBeGreaterThanOrEqual(
          before.inputs + told.reduce((sum, line) => sum + line.inputs, 0),
        );
        published += plies.length - before.plies.length;
        before = now;
      }
      const reader = openStoreReader(file);
      expect(reader.runs()).toHaveLength(KILLS / FILES);
      reader.close();
      expect(rederiveFile(file)).toEqual([[]]);
      const db = new Sqlite(file, { readonly: true });
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(db.pragma('foreign_key_check')).toEqual([]);
      db.close();
    };

    const files = Array.from({ length: FILES }, (_, i) => join(folder, `${i}.sqlite`));
    const lane = async (): Promise<void> => {
      for (let file = files.pop(); file !== undefined; file = files.pop()) await work(file);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect(published).toBeGreaterThan(KILLS);
  }, 300_000);
});
