import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../recorder/doctor/finding.ts';
import { openStore, type Sitting } from '../../../recorder/store/store.ts';
import { RECORDED_WALL_MS, recordGames } from '../recorded-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runCommand } from './test-io.ts';

async function examine(folder: string): Promise<{ status: number; findings: Finding[] }> {
  const db = join(folder, 'games.sqlite');
  const { status, out, err } = await runCommand('doctor', '--db', db, '--pgn', join(folder, 'pgn'), '--json');
  expect(err).toBe('');
  const findings = out.split('\n').filter((line) => line !== '');
  return { status, findings: findings.map((line) => JSON.parse(line) as Finding) };
}

// What this machine itself lacks (a group, a driver) is not what these tests are about.
const OF_THE_MACHINE = ['group', 'port', 'driver', 'locks', 'other programs'];
const toFix = ({ findings }: { findings: readonly Finding[] }): string[] =>
  findings
    .filter(({ check, state }) => state === 'fix' && !OF_THE_MACHINE.includes(check))
    .map(({ check }) => check);

describe('doctor', () => {
  it('finds nothing to do where all is well, and gives every check', async () => {
    const folder = temporaryFolder();
    recordGames(join(folder, 'games.sqlite'), [['e4']]);
    const report = await examine(folder);
    expect(toFix(report)).toEqual([]);
    expect(report.status).toBe(report.findings.some(({ state }) => state === 'fix') ? 1 : 0);
    for (const check of ['node', 'database driver', 'serial driver', 'database', 'clock', 'PGN folder']) {
      expect(report.findings).toContainEqual(expect.objectContaining({ check, state: 'fine' }));
    }
  });

  it('gives a cure with everything that needs one', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'games.sqlite'), 'no database at all '.repeat(50));
    writeFileSync(join(folder, 'pgn'), 'no folder');
    const report = await examine(folder);
    expect(report.status).toBe(1);
    expect(new Set(toFix(report))).toEqual(new Set(['STORE_CORRUPT', 'PGN folder']));
    for (const finding of report.findings) if (finding.state === 'fix') expect(finding.cure).toBeTruthy();
  });

  it('finds damage inside a database', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'games.sqlite');
    recordGames(file, [['e4', 'e5']]);
    const bytes = readFileSync(file);
    // The root page of an index, found where the schema says it is.
    const db = new Sqlite(file, { readonly: true });
    const page = db
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'inputs_by_sitting'")
      .pluck()
      .get();
    db.close();
    bytes.fill(0, (Number(page) - 1) * 4096, Number(page) * 4096);
    writeFileSync(file, bytes);
    expect(toFix(await examine(folder))).toContain('database');
  });

  it('tells what a board has said that is not known, how often, and how it began', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'games.sqlite');
    const store = openStore(file, { wallMs: Date.now });
    const sitting: Sitting = {
      board: 'dgt-1',
      kind: 'dgt',
      options: { variant: 'standard', rotated: false },
      startedMs: 0,
      startedWallMs: Date.now(),
      id: undefined,
    };
    // Two messages of an id that no table has, around a known one; then what is no message at all.
    const chunks = ['9f00050102', '8e00054203', '9f00050304', '00ff'];
    for (const [atMs, hex] of chunks.entries()) {
      const input = { type: 'rx', atMs, bytes: Uint8Array.from(Buffer.from(hex, 'hex')) } as const;
      store.enqueue({ type: 'input', sitting, input, wallMs: Date.now() });
    }
    store.commit();
    store.close();
    const { findings } = await examine(folder);
    const [found, ...others] = findings.filter(({ check }) => check === 'not understood');
    expect(others).toEqual([]);
    expect(found).toMatchObject({ state: 'note', cure: expect.any(String) });
    expect(found!.text).toContain('dgt-1');
    expect(found!.text).toContain('2 × UNKNOWN_9F (first: 0102)');
    expect(found!.text).toContain('FRAME_');
    expect(found!.text).not.toContain('FIELD_UPDATE');
  });

  it('says nothing of boards whose every message is known', async () => {
    const folder = temporaryFolder();
    recordGames(join(folder, 'games.sqlite'), [['e4', 'e5']]);
    expect((await examine(folder)).findings.map(({ check }) => check)).not.toContain('not understood');
  });

  it('notices a clock that was set back', async () => {
    const folder = temporaryFolder();
    recordGames(join(folder, 'games.sqlite'), [['e4']], {}, RECORDED_WALL_MS + 400 * 366 * 86_400_000);
    expect(toFix(await examine(folder))).toEqual(['clock']);
  });

  it('tells of a recorder that is at work, and of one that was ended hard', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'games.sqlite');
    const store = openStore(file, { wallMs: Date.now });
    const recorders = async (): Promise<string[]> =>
      (await examine(folder)).findings.filter(({ check }) => check === 'recorder').map(({ text }) => text);
    expect(await recorders()).toEqual([expect.stringContaining(String(process.pid))]);
    store.close();
    expect(await recorders()).toEqual([]);
    const db = new Sqlite(file);
    db.exec('UPDATE runs SET ended_wall_ms = NULL');
    db.close();
    expect(await recorders()).toEqual([expect.not.stringContaining(String(process.pid))]);
  });

  it('tells of a file that was left half written', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'pgn'));
    writeFileSync(join(folder, 'pgn', 'games.pgn.part'), '');
    const { findings } = await examine(folder);
    expect(findings).toContainEqual(
      expect.objectContaining({ state: 'note', text: expect.stringContaining('.part') }),
    );
  });
});
