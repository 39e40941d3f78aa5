import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { recordGames } from '../recorded-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runCommand } from './test-io.ts';

const SHUFFLE = ['Nf3', 'Nf6', 'Ng1', 'Ng8'];
const TWICE = ['e4', 'e5', ...SHUFFLE, ...SHUFFLE];
const NINE = TWICE.slice(0, -1);

function recordedFile(...games: string[][]): string {
  const file = join(temporaryFolder(), 'games.sqlite');
  recordGames(file, games);
  return file;
}

async function claim(file: string, ...argv: string[]): Promise<Record<string, unknown>> {
  const { status, out, err } = await runCommand('claim', '--db', file, '--json', ...argv);
  expect([status, err]).toEqual([0, '']);
  return JSON.parse(out) as Record<string, unknown>;
}

describe('claim', () => {
  it('9.2.1: answers for a move that the player has written, with the plies concerned', async () => {
    const file = recordedFile(NINE);
    expect(await claim(file, '1', '--move', 'Ng8')).toMatchObject({
      game: 1,
      ply: 9,
      claimant: 'black',
      move: 'Ng8',
      claimable: true,
      forfeited: false,
      doubtful: [],
      answers: [
        {
          rule: 'threefold',
          article: '9.2.1',
          verdict: 'correct',
          atLeast: 3,
          needed: 3,
          plies: [2, 6, 10],
          moves: ['1...e5', '3...Ng8', '5...Ng8'],
        },
        { rule: 'fifty', article: '9.3.1', verdict: 'wrong', atLeast: 8, recorded: 8, needed: 100 },
      ],
    });
    expect(await claim(file, '1', '--move', 'f6d5')).toMatchObject({ move: 'Nd5', claimable: false });
  });

  it('9.2.2: answers for the position that stands, also at an earlier ply', async () => {
    const file = recordedFile([...TWICE, 'd4', 'd5']);
    expect(await claim(file, '1')).toMatchObject({ ply: 12, move: null, claimable: false });
    expect(await claim(file, '1', '--ply', '10')).toMatchObject({
      ply: 10,
      claimant: 'white',
      claimable: true,
    });
  });

  it('9.4: a piece touched before claiming bars the claim', async () => {
    const file = recordedFile(TWICE);
    expect(await claim(file, '1', '--touched')).toMatchObject({ claimable: false, forfeited: true });
    const db = new Sqlite(file);
    db.exec(`INSERT INTO flags (game_id, number, code, severity, ply, at_ms, detail)
      VALUES (1, 900, 'TOUCH', 'info', 11, 77, 'g1')`);
    db.close();
    expect(await claim(file, '1')).toMatchObject({ claimable: false, forfeited: true, touchedAtMs: [77] });
  });

  it('9.5.3: says what a wrong claim gives the opponent, by the rate of play', async () => {
    const file = recordedFile(SHUFFLE);
    expect(await claim(file, '1')).toMatchObject({
      claimable: false,
      provided: { to: 'black', ms: 120_000 },
    });
    const { out } = await runCommand('claim', '1', '--db', file, '--lang', 'ru');
    expect(out).toContain('2 минуты (9.5.3)');
    const rules = ['rules', '1', '--time-control', '180+2', '--db', file, '--by', 'A', '--no-pgn'];
    expect((await runCommand(...rules)).status).toBe(0);
    expect(await claim(file, '1', '--ply', '3')).toMatchObject({ provided: { to: 'white', ms: 60_000 } });
    // Neither one that is right, nor one that cannot be made any more, is wrong.
    expect(await claim(recordedFile(TWICE), '1')).toMatchObject({ claimable: true, provided: null });
    expect(await claim(file, '1', '--touched')).toMatchObject({ claimable: false, provided: null });
  });

  it('says when a ply in doubt leaves the answer open', async () => {
    const file = recordedFile(TWICE);
    const db = new Sqlite(file);
    db.exec('UPDATE plies SET inferred = 1 WHERE number BETWEEN 5 AND 7');
    db.close();
    expect(await claim(file, '1')).toMatchObject({
      claimable: false,
      doubtful: [5, 6, 7],
      answers: [{ verdict: 'undecided', atLeast: 2, recorded: 3 }, {}],
    });
  });

  it('tells people the same in lines of text', async () => {
    const file = recordedFile(NINE);
    const { status, out } = await runCommand('claim', '1', '--db', file, '--move', 'Ng8');
    expect(status).toBe(0);
    expect(out.trimEnd().split('\n')).toHaveLength(4 + (out.includes('may still') ? 1 : 0));
    expect(out).toContain('9.2.1');
    expect(out).toContain('1...e5, 3...Ng8, 5...Ng8');
  });

  it.each([
    [['99'], 'no game'],
    [['one'], 'no number'],
    [['1', '--move', 'Qh5'], 'illegal'],
    [['1', '--move', ''], 'empty'],
    [['1', '--ply', '99'], 'beyond'],
    [['1', '--ply', '-1'], 'negative'],
    [[], 'missing'],
  ])('refuses %j in one line, with status 2 (%s)', async (argv) => {
    const file = recordedFile(SHUFFLE);
    const { status, out, err } = await runCommand('claim', ...argv, '--db', file);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(/^ARGUMENT_INVALID: .+\n$/);
  });

  it('says what is wrong with the database', async () => {
    const none = join(temporaryFolder(), 'none.sqlite');
    const { status, err } = await runCommand('claim', '1', '--db', none);
    expect(status).toBe(1);
    expect(err).toMatch(/^FILE_UNREADABLE: /);
  });
});
