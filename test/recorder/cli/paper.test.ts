import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { RECORDED_WALL_MS, recordGames } from '../recorded-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runCommand } from './test-io.ts';

const MATE = ['f3', 'e5', 'g4', 'Qh4#'];
const OPEN = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6'];

function recordedFile(): string {
  const file = join(temporaryFolder(), 'games.sqlite');
  recordGames(file, [MATE, OPEN], { Event: 'Open', Round: '3', White: 'Anna', Black: 'Ben' });
  return file;
}

function change(file: string, sql: string): void {
  const db = new Sqlite(file);
  db.exec(sql);
  db.close();
}

async function report(file: string, ...argv: string[]): Promise<Record<string, unknown>[]> {
  const { status, out, err } = await runCommand('report', '--db', file, '--json', ...argv);
  expect([status, err]).toEqual([0, '']);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('scoresheet', () => {
  it('prints the game of a database, in the letters of the language or in English ones', async () => {
    const file = recordedFile();
    const lines = async (...argv: string[]): Promise<string[]> => {
      const { status, out, err } = await runCommand('scoresheet', '1', '--db', file, ...argv);
      expect([status, err]).toEqual([0, '']);
      return out.split('\n');
    };
    expect(await lines()).toContainEqual(expect.stringMatching(/^2 +g4 .*Qh4#/));
    expect(await lines('--lang', 'be')).toContainEqual(expect.stringMatching(/^2 +g4 .*Фh4#/));
    expect(await lines('--lang', 'be', '--san')).toContainEqual(expect.stringMatching(/^2 +g4 .*Qh4#/));
  });

  it('prints a page to standard output, or to a file and nothing else', async () => {
    const file = recordedFile();
    const page = (await runCommand('scoresheet', '1', '--db', file, '--html')).out;
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    const path = join(temporaryFolder(), 'sheet.html');
    expect(await runCommand('scoresheet', '1', '--db', file, '--html', path)).toEqual({
      status: 0,
      out: '',
      err: '',
    });
    expect(readFileSync(path, 'utf8')).toBe(page);
  });

  it('prints the game all the same when its raw input is damaged, and says so', async () => {
    const file = recordedFile();
    change(file, "DROP TRIGGER inputs_stay; UPDATE inputs SET data = x'ff00ff'");
    const { status, out, err } = await runCommand('scoresheet', '1', '--db', file);
    expect(status).toBe(0);
    expect(out).toContain('Qh4#');
    expect(err).toMatch(/^STORE_CORRUPT: /);
  });

  it.each([
    [['99'], 2, 'ARGUMENT_INVALID'],
    [['one'], 2, 'ARGUMENT_INVALID'],
    [[], 2, 'ARGUMENT_INVALID'],
    [['1', '--html', ''], 2, 'ARGUMENT_INVALID'],
    [['1', '--html', join('/dev/null', 'sheet.html')], 1, 'FILE_UNWRITABLE'],
  ])('refuses %j with status %i and %s', async (argv, wanted, code) => {
    const { status, out, err } = await runCommand('scoresheet', ...argv, '--db', recordedFile());
    expect([status, out]).toEqual([wanted, '']);
    expect(err).toMatch(new RegExp(`^${code}: `));
  });
});

describe('what people have entered', () => {
  const decide = async (file: string, ...argv: string[]): Promise<void> => {
    const { status, err } = await runCommand('decide', ...argv, '--db', file, '--by', 'A. Arbiter');
    expect([status, err]).toEqual([0, '']);
  };
  const sheetOf = async (file: string): Promise<string> => {
    const { status, out, err } = await runCommand('scoresheet', '2', '--db', file);
    expect([status, err]).toEqual([0, '']);
    return out;
  };

  it('9.1: a draw offer stands at its move, until it is undone', async () => {
    const file = recordedFile();
    await decide(file, '2', 'draw-offer', '--ply', '2...');
    expect(await sheetOf(file)).toMatch(/Nc6 \(=\)/);
    expect(await report(file, '--game', '2')).toMatchObject([{ offers: [{ side: 'black', ply: 4 }] }]);
    await decide(file, '2', 'undo', '1');
    expect(await sheetOf(file)).not.toContain('(=)');
  });

  it('a corrected ply is marked as amended, and the correction is told with who made it', async () => {
    const file = recordedFile();
    expect(await sheetOf(file)).not.toContain('*');
    await decide(file, '2', 'correct', '2...', 'Nf6');
    const sheet = await sheetOf(file);
    expect(sheet).toMatch(/^2 +Nf3 .*Nf6\*/m);
    expect(sheet).toMatch(/A\. Arbiter: .*2\.\.\..*(g8f6|Nf6)/);
    expect(await report(file, '--game', '2')).toMatchObject([
      { corrections: [{ by: 'A. Arbiter', from: 4, plies: ['g8f6'], enteredAt: expect.any(String) }] },
    ]);
  });

  it('7.5.4, 7.5.5: an irregularity that was entered counts, and what the Laws provide is told', async () => {
    const file = recordedFile();
    await decide(file, '2', 'enter', 'two-hands', '--ply', '2.');
    await decide(file, '2', 'result', '1/2-1/2', '--termination', 'agreement');
    expect(await report(file, '--game', '2')).toMatchObject([
      {
        result: '1/2-1/2',
        termination: 'agreement',
        ended: true,
        irregularities: [
          {
            kind: 'two-hands',
            side: 'white',
            ply: 3,
            article: '7.5.4',
            state: 'confirmed',
            by: 'A. Arbiter',
            penalty: { type: 'time', to: 'black', ms: 120_000 },
          },
        ],
        decisions: [{ ruling: { type: 'enter' } }, { ruling: { type: 'result' } }],
      },
    ]);
  });

  it('7.5.5: in blitz it is one minute, as the rules of the event say', async () => {
    const file = join(temporaryFolder(), 'games.sqlite');
    recordGames(file, [MATE, OPEN], {}, undefined, { white: '180+2', black: '180+2', regime: 'full' });
    await decide(file, '2', 'enter', 'two-hands', '--ply', '2.');
    expect(await report(file, '--game', '2')).toMatchObject([
      { irregularities: [{ penalty: { ms: 60_000 } }] },
    ]);
    expect(await sheetOf(file)).toContain('A.2, B.2');
  });
});

describe('report', () => {
  it('gives one object a game, with codes', async () => {
    const file = recordedFile();
    change(
      file,
      `INSERT INTO flags (game_id, number, code, severity, ply, at_ms, detail) VALUES
        (1, 900, 'ILLEGAL', 'alarm', 3, 700, 'g2g5'), (1, 901, 'TIME_ADDED(white,120)', 'notice', 2, 800, 'white 120 s');
      UPDATE plies SET state = 'ambiguous', candidates = '["Nf3","Nh3"]' WHERE game_id = 2 AND number = 3`,
    );
    expect(await report(file)).toMatchObject([
      {
        game: 1,
        event: 'Open',
        round: '3',
        white: 'Anna',
        result: '0-1',
        termination: 'checkmate',
        ended: true,
        irregularities: [
          { kind: 'illegal', side: 'white', ply: 3, article: '7.5.1', state: 'seen', completed: true },
        ],
        timeAdded: [{ side: 'white', ms: 120_000, ply: 2 }],
        doubts: [],
      },
      {
        game: 2,
        result: '*',
        open: 'not-ended',
        doubts: [{ ply: 3, type: 'ambiguous', candidates: ['Nh3'] }],
      },
    ]);
  });

  it('takes the games that are asked for', async () => {
    const file = recordedFile();
    const ids = async (...argv: string[]): Promise<unknown[]> =>
      (await report(file, ...argv)).map(({ game }) => game);
    expect(await ids('--game', '2')).toEqual([2]);
    expect(await ids('--event', 'open', '--round', '3')).toEqual([1, 2]);
    expect(await ids('--round', '4')).toEqual([]);
    expect(await ids('--board', 'dgt-2')).toEqual([]);
    const began = (ms: number): string => new Date(RECORDED_WALL_MS + ms).toISOString().slice(0, 19);
    expect(await ids('--since', `${began(0)}Z`)).toEqual([1, 2]);
    expect(await ids('--since', `${began(86_400_000)}Z`)).toEqual([]);
    expect(await ids('--since', '2025-12-31')).toEqual([1, 2]);
    expect(await ids('--since', '2026-01-04')).toEqual([]);
  });

  it('prints text and a page', async () => {
    const file = recordedFile();
    const text = await runCommand('report', '--db', file, '--lang', 'ru');
    expect([text.status, text.err]).toEqual([0, '']);
    expect(text.out).toContain('1 партия без замечаний');
    const path = join(temporaryFolder(), 'report.html');
    expect(await runCommand('report', '--db', file, '--html', path)).toEqual({ status: 0, out: '', err: '' });
    expect(readFileSync(path, 'utf8')).toBe((await runCommand('report', '--db', file, '--html')).out);
  });

  it.each([
    [['--since', 'yesterday']],
    [['--since', '2026-13-40']],
    [['--game', '99']],
    [['--game', 'one']],
    [['--html', '--json']],
    [['extra']],
  ])('refuses %j in one line, with status 2', async (argv) => {
    const { status, out, err } = await runCommand('report', '--db', recordedFile(), ...argv);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(/^ARGUMENT_INVALID: .+\n$/);
  });
});
