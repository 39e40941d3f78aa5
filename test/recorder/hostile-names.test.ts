import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runJadoube } from '../../recorder/cli/main.ts';
import { parsePgn } from '../../recorder/pgn/reader.ts';
import { createTestIo } from './cli/test-io.ts';
import { recordGames } from './recorded-store.ts';

/** Names as nobody is called: each would do something where it is obeyed. */
const EVIL = {
  terminal: 'Red \u001b[31m\u001b]0;title\u0007\u001b[2J\r\u009b1A, A',
  direction: 'Turned \u202egnp.exe\u2066, B',
  html: '"><img src=x onerror=alert(1)><script>alert(1)</script>, C',
  pgn: 'Quote"]\n[Result "0-1"]\n\n1. a4 0-1\n\n[White "x, D',
  comment: 'Brace } { ; % (1. h4), E',
  path: '../../../../tmp/jadoube-escaped/..\\..\\x, F',
  formula: "=cmd|'/c calc'!A1, G",
  shell: '$(touch /tmp/jadoube-escaped) `id`, H',
} as const;
const names = Object.values(EVIL);

let folder: string;
let db: string;
beforeAll(async () => {
  // Not the folder of one test: all of them look at it.
  folder = mkdtempSync(join(tmpdir(), 'jadoube-names-'));
  db = join(folder, 'games.sqlite');
  for (const [i, name] of names.entries())
    recordGames(
      db,
      [['e4', 'e5', 'Nf3']],
      { White: name, Black: 'Plain, Paula', Event: name, Site: name },
      undefined,
      undefined,
      `dgt-${i + 1}`,
    );
  const csv = [
    'Round,Board,White,Black',
    ...names.map(
      (name, i) => `1,${i + 1},"${name.replaceAll('"', '""').replace(/[\r\n]+/g, ' ')}","Plain ${i}"`,
    ),
  ].join('\n');
  writeFileSync(join(folder, 'pairs.csv'), csv);
  await run('event', 'init', '--name', EVIL.html, '--site', EVIL.terminal, '--db', db);
  await run('event', 'import', join(folder, 'pairs.csv'), '--db', db);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const test = createTestIo();
  const status = await runJadoube(args, test.io);
  return { status, out: test.out, err: test.err };
}

/** Nothing that a terminal would obey. */
const expectPlain = (text: string): void => {
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
};
const filesOf = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(dir, name)).isFile(),
  );

describe('names that nobody is called', () => {
  it.each([
    ['games'],
    ['event', 'status'],
    ['scoresheet', '1'],
    ['scoresheet', '2'],
    ['report'],
    ['decisions', '1'],
    ['claim', '1'],
    ['rules', '1'],
  ])('move nothing on the terminal: %s %s', async (...words) => {
    const { status, out, err } = await run(...words.filter((word) => word !== undefined), '--db', db);
    expect([status, err]).toEqual([0, '']);
    expect(out).not.toBe('');
    expectPlain(out);
  });

  it('move nothing on the terminal where they are arguments, or stand in a file that is read', async () => {
    const list = join(folder, 'bad.csv');
    writeFileSync(
      list,
      `Round,Board,White,Black\n1,1,${EVIL.terminal.replace('\r', '')},\n1,x,"${EVIL.direction}","b"\nnonsense\u001b[2J,,,\n`,
    );
    for (const args of [
      ['event', 'import', list, '--dry-run', '--db', db],
      ['event', 'pair', '3', EVIL.terminal, EVIL.direction, '--db', join(folder, 'other.sqlite')],
      ['games', '--board', EVIL.terminal, '--db', db],
      ['claim', '1', '--move', EVIL.terminal, '--db', db],
      ['decide', '1', 'correct', '1.', EVIL.terminal, '--by', 'Anna', '--db', db],
      ['export', '--db', `${folder}/${EVIL.terminal}`],
      [EVIL.terminal],
    ]) {
      const { out, err } = await run(...args);
      expect(out + err).not.toBe('');
      expectPlain(out + err);
    }
  });

  it('are text in HTML', async () => {
    for (const args of [
      ['scoresheet', '3', '--html'],
      ['report', '--html'],
    ]) {
      const { status, out } = await run(...args, '--db', db);
      expect(status).toBe(0);
      expect(out).toContain('&lt;img src=x');
      expect(out).not.toMatch(/<img|<script|onerror=alert\(1\)>(?!.*&)/);
      expectPlain(out);
    }
  });

  it('are tags in PGN, and no game, tag or comment of their own', async () => {
    const { status, out } = await run('export', '--db', db);
    expect(status).toBe(0);
    const games = parsePgn(out);
    expect(games.map(({ plies }) => plies.map(({ san }) => san))).toEqual(names.map(() => ['e4', 'e5']));
    for (const { tags, result, faults } of games)
      expect([tags.get('Result'), result, faults]).toEqual(['*', '*', []]);
    expectPlain(out);
    for (const line of out
      .split('\n\n')
      .filter((part) => part.startsWith('['))
      .flatMap((part) => part.split('\n')))
      expect(line).toMatch(/^\[[A-Za-z0-9]+ "(?:[^"\\]|\\["\\])*"\]$/);
  });

  it('make no file outside the folder, and no name that leads anywhere', async () => {
    const out = join(folder, 'inside', 'published');
    mkdirSync(out, { recursive: true });
    const around = (): string[] => readdirSync(folder).filter((name) => !name.startsWith('games.sqlite'));
    const before = around();
    expect(await run('event', 'publish', out, '--round', '1', '--db', db)).toMatchObject({
      status: 0,
      err: '',
    });
    expect(filesOf(out).length).toBeGreaterThan(0);
    for (const name of filesOf(out)) expect(name).toMatch(/^[A-Za-z0-9/._-]+$/);
    expect(around()).toEqual(before);
    expect(readdirSync(join(folder, 'inside'))).toEqual(['published']);
    expect(readdirSync('/tmp')).not.toContain('jadoube-escaped');
    for (const name of filesOf(out)) expectPlain(readFileSync(join(out, name), 'utf8'));
  });
});
