import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { GameRecord } from '../../../core/game-record.ts';
import { DECISIONS } from '../../../recorder/cli/decision-words.ts';
import { runJadoube } from '../../../recorder/cli/main.ts';
import type { EventRules } from '../../../recorder/event-rules.ts';
import { parsePgn } from '../../../recorder/pgn/reader.ts';
import { rederiveSitting } from '../../../recorder/rederive.ts';
import { openStore, openStoreReader } from '../../../recorder/store/store.ts';
import { gamesText } from '../games-text.ts';
import { recordGames } from '../recorded-store.ts';
import { rederiveFile } from '../rederive-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createTestIo, runCommand } from './test-io.ts';

const RUY = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Ba4', 'Nf6'];
/** White's king goes two squares forward; Black answers. */
const ILLEGAL = ['e4', 'e5', '!e1e3', 'Nc6', 'd3', 'd6'];

/** Databases that were recorded once and are only copied. */
const recorded = new Map<string, Buffer>();

function recordedFile(games: string[][] = [RUY, ILLEGAL], rules?: EventRules): string {
  const key = JSON.stringify([games, rules]);
  const file = join(temporaryFolder(), 'games.sqlite');
  const known = recorded.get(key);
  if (known !== undefined) writeFileSync(file, known);
  else {
    recordGames(file, games, {}, undefined, rules);
    recorded.set(key, readFileSync(file));
  }
  return file;
}

type Line = Record<string, unknown>;

async function decide(file: string, ...argv: string[]): Promise<Line> {
  const { status, out, err } = await runCommand(
    'decide',
    ...argv,
    '--db',
    file,
    '--by',
    'A. Arbiter',
    '--json',
  );
  expect([status, err]).toEqual([0, '']);
  return JSON.parse(out) as Line;
}

async function decisions(file: string, game: string): Promise<Line[]> {
  const { status, out, err } = await runCommand('decisions', game, '--db', file, '--json');
  expect([status, err]).toEqual([0, '']);
  return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
}

function recordOf(file: string, id: number): GameRecord {
  const reader = openStoreReader(file);
  try {
    return reader.games({ id })[0]!.record;
  } finally {
    reader.close();
  }
}

/** Derives everything again and accepts it, whether or not it differs. */
function deriveAnew(file: string): void {
  const store = openStore(file, { wallMs: () => 0 });
  for (const sitting of store.sittings()) {
    const again = rederiveSitting(store, sitting)!;
    store.replaceGames(sitting.id, again.events, again.entered);
  }
  store.close();
}

describe('decide', () => {
  it('gives a game its result, which is in its PGN and survives a new derivation to the last byte', async () => {
    const file = recordedFile();
    const line = await decide(file, '2', 'result', '1-0', '--termination', 'illegal-moves');
    expect(line).toMatchObject({ type: 'decision', game: 2, by: 'A. Arbiter', honoured: true });
    expect(recordOf(file, 2)).toMatchObject({ result: '1-0', reason: 'illegal-moves', ended: true });
    const [, game] = parsePgn((await runCommand('export', '--db', file)).out);
    expect([game!.result, game!.tags.get('Termination')]).toEqual(['1-0', 'rules infraction']);
    const text = gamesText(file);
    expect(rederiveFile(file)).toEqual([[]]);
    deriveAnew(file);
    expect(gamesText(file)).toBe(text);
  });

  it('gives a result that PGN has no token for as a tag of its own', async () => {
    const file = recordedFile();
    await decide(file, '1', 'result', '0-0', '--termination', 'default');
    expect(recordOf(file, 1)).toMatchObject({ result: '*', score: '0-0', ended: true });
    const [game] = parsePgn((await runCommand('export', '--db', file, '--game', '1')).out);
    expect([game!.result, game!.tags.get('Score')]).toEqual(['*', '0-0']);
    expect((await runCommand('games', '--db', file)).out).toContain('0-0');
  });

  it('reaches a game that is over, and no other: the board may have gone on', async () => {
    const file = recordedFile([RUY, RUY, RUY]);
    const before = [1, 3].map((id) => recordOf(file, id));
    await decide(file, '2', 'result', '1/2-1/2', '--termination', 'agreement');
    expect(recordOf(file, 2)).toMatchObject({ result: '1/2-1/2', reason: 'agreement' });
    expect(recordOf(file, 2).plies.map(({ san }) => san)).toEqual(RUY);
    expect([1, 3].map((id) => recordOf(file, id))).toEqual(before);
  });

  it('is undone to the last byte, and stays in the list', async () => {
    const file = recordedFile();
    const text = gamesText(file);
    const { id } = await decide(file, '2', 'result', '0-1');
    await decide(file, '2', 'flag-registered', '--side', 'black');
    expect(gamesText(file)).not.toBe(text);
    await decide(file, '2', 'undo', '2');
    const { status } = await runCommand('decide', '2', 'undo', String(id), '--db', file, '--by', 'B');
    expect(status).toBe(0);
    expect(gamesText(file)).toBe(text);
    expect(await decisions(file, '2')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'decision',
          id,
          by: 'A. Arbiter',
          heard: false,
          undone: expect.objectContaining({ by: 'B' }),
        }),
      ]),
    );
    expect(rederiveFile(file)).toEqual([[]]);
  });

  it('confirms and dismisses what was seen: it counts or it does not (7.5.5)', async () => {
    const file = recordedFile();
    const stateOf = async (): Promise<unknown> =>
      (await decisions(file, '2')).find(({ type, kind }) => type === 'irregularity' && kind === 'illegal')
        ?.state;
    expect(await stateOf()).toBe('seen');
    const seen = (await decisions(file, '2')).find(({ kind }) => kind === 'illegal');
    const { plies } = recordOf(file, 2);
    // The position before it, and how far the game has gone on since (7.5.1, 7.6).
    expect(seen).toMatchObject({ ply: 3, pliesSince: plies.length - 3, restore: { ply: 2, exact: true } });
    expect((seen as unknown as { restore: { fen: string } }).restore.fen).toBe(
      (seen as unknown as { before: string }).before,
    );
    const confirmed = await decide(file, '2', 'confirm', 'ILLEGAL');
    expect(confirmed).toMatchObject({
      what: { type: 'confirm', kind: 'illegal', side: 'white', ply: 3 },
      news: [
        { type: 'irregularity', state: 'confirmed', penalty: { type: 'time', to: 'black', ms: 120_000 } },
      ],
    });
    expect(await stateOf()).toBe('confirmed');
    const second = await decide(file, '2', 'enter', 'two-hands', '--ply', '3.');
    expect(second).toMatchObject({ what: { kind: 'two-hands', side: 'white', ply: 5 } });
    expect(second.news).toContainEqual(
      expect.objectContaining({ type: 'proposal', termination: 'illegal-moves', score: '0-1' }),
    );
    await decide(file, '2', 'dismiss', 'illegal', '--ply', '3', '--side', 'white');
    expect(await stateOf()).toBe('dismissed');
    // The result is the arbiter's to give.
    expect(recordOf(file, 2).result).toBe('*');
  });

  it('goes by the rules of the event', async () => {
    const rules: EventRules = { white: '300', black: '300', regime: 'limited' };
    const file = recordedFile([ILLEGAL], rules);
    expect(recordOf(file, 1).flags.map(({ code }) => code)).toContain('ILLEGAL_STANDS');
    expect(await decide(file, '1', 'enter', 'two-hands', '--ply', '1')).toMatchObject({
      news: [{ type: 'irregularity', penalty: { ms: 60_000 } }],
    });
    expect(rederiveFile(file)).toEqual([[]]);
  });

  it('takes draw offers, which lapse with the next touch (9.1.2)', async () => {
    const file = recordedFile([RUY]);
    expect(await decide(file, '1', 'draw-offer', '--ply', '5')).toMatchObject({
      what: { type: 'draw-offer', side: 'white', ply: 5 },
    });
    expect(recordOf(file, 1).flags).toContainEqual(expect.objectContaining({ code: 'OFFER_LAPSED', ply: 6 }));
    expect(await decide(file, '1', 'draw-declined')).toMatchObject({ what: { ply: 8 } });
  });

  it('registers a flag (6.9)', async () => {
    const file = recordedFile([RUY]);
    await decide(file, '1', 'flag-registered', '--side', 'white');
    expect(recordOf(file, 1)).toMatchObject({ result: '0-1', reason: 'flag-fall', ended: true });
  });

  it('corrects what was played, which survives a new derivation, and goes on from there', async () => {
    const file = recordedFile([RUY]);
    const text = gamesText(file);
    const sans = (): string =>
      recordOf(file, 1)
        .plies.map(({ san }) => san)
        .join(' ');
    expect(await decide(file, '1', 'correct', '2...', 'h6')).toMatchObject({
      what: { type: 'correction', from: 4, plies: ['h7h6'], replaces: 1 },
      differences: expect.arrayContaining([
        expect.objectContaining({ about: 'ply 4', stored: 'Nc6', derived: 'h6' }),
      ]),
    });
    expect(sans()).toBe('e4 e5 Nf3 h6 Bb5 a6 Ba4 Nf6');
    await decide(file, '1', 'correct', '7', 'Bxd7', '--all');
    expect(sans()).toBe('e4 e5 Nf3 h6 Bb5 a6 Bxd7+');
    await decide(file, '1', 'correct', '3', 'Nc3', 'Nc6', '--replaces', '0');
    expect(sans()).toBe('e4 e5 Nc3 Nc6 Nf3 h6 Bb5 a6');
    const corrected = gamesText(file);
    expect(rederiveFile(file)).toEqual([[]]);
    deriveAnew(file);
    expect(gamesText(file)).toBe(corrected);
    // The second stands on the first.
    expect(await decide(file, '1', 'undo', '1')).toHaveProperty('falls');
    for (const id of ['2', '3']) expect(await decide(file, '1', 'undo', id)).not.toHaveProperty('falls');
    expect(gamesText(file)).toBe(text);
  });

  it('corrects a game that the board has gone on from, and one that was decided', async () => {
    const file = recordedFile([RUY, RUY]);
    const second = recordOf(file, 2);
    await decide(file, '1', 'result', '1-0', '--termination', 'resignation');
    await decide(file, '1', 'correct', '8', 'd6');
    expect(recordOf(file, 1).plies.map(({ san }) => san)).toEqual([...RUY.slice(0, -1), 'd6']);
    expect(recordOf(file, 1)).toMatchObject({ result: '1-0', reason: 'resignation' });
    expect(recordOf(file, 2)).toEqual(second);
    expect(rederiveFile(file)).toEqual([[]]);
  });

  it('says to people what it has stored and what follows', async () => {
    const file = recordedFile([RUY]);
    const argv = ['decide', '1', 'correct', '4', 'h6', '--db', file, '--by', 'A. \x1b[31mArbiter'];
    const { status, out } = await runCommand(...argv);
    expect(status).toBe(0);
    expect(out.split('\n')[0]).toMatch(/^decision 1, game 1: .*h6/);
    expect(out).toMatch(/^ {2}3\.Bb5 to 4\.\.\.Nf6 stay$/m);
    expect(out).not.toContain('\x1b');
    const list = await runCommand('decisions', '1', '--db', file);
    expect(list.out).toMatch(/^decision 1, .* UTC: .*h6/);
  });

  it('stores nothing of which nothing would come', async () => {
    const file = recordedFile();
    const db = new Sqlite(file);
    // As if another program had counted the games of the board otherwise.
    db.exec('UPDATE games SET number = 5 WHERE id = 2');
    const { status, out, err } = await runCommand('decide', '2', 'result', '1-0', '--db', file, '--by', 'A');
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(/^DECISION_REFUSED: /);
    expect(db.prepare('SELECT count(*) FROM entries').pluck().get()).toBe(0);
    db.close();
  });

  it('is signed by whoever sits there when nobody is named', async () => {
    const file = recordedFile([RUY]);
    const test = createTestIo();
    const argv = ['decide', '1', 'result', '1-0', '--db', file, '--json'];
    expect(await runJadoube(argv, { ...test.io, user: 'ann' })).toBe(0);
    expect(JSON.parse(test.out)).toMatchObject({ by: 'ann' });
    expect(await runJadoube(argv, test.io)).toBe(2);
    expect(test.err).toMatch(/^SIGNATURE_MISSING: /);
  });

  it.each([
    [['99', 'result', '1-0'], 'GAME_UNKNOWN'],
    [['one', 'result', '1-0'], 'ARGUMENT_INVALID'],
    [['1', 'resign'], 'ARGUMENT_INVALID'],
    [['1'], 'ARGUMENT_INVALID'],
    [['1', 'result'], 'ARGUMENT_INVALID'],
    [['1', 'result', '2-0'], 'ARGUMENT_INVALID'],
    [['1', 'result', '1-0', '0-1'], 'ARGUMENT_INVALID'],
    [['1', 'result', '1-0', '--termination', 'kings'], 'ARGUMENT_INVALID'],
    [['1', 'result', '1-0', '--all'], 'ARGUMENT_INVALID'],
    [['1', 'flag-registered'], 'ARGUMENT_INVALID'],
    [['1', 'flag-registered', '--side', 'green'], 'ARGUMENT_INVALID'],
    [['1', 'draw-offer', '--ply', '99'], 'PLY_UNKNOWN'],
    [['1', 'draw-offer', '--ply', '0'], 'PLY_UNKNOWN'],
    [['1', 'enter', 'sneezing'], 'ARGUMENT_INVALID'],
    [['1', 'enter', 'two-hands', '--ply', '12....'], 'PLY_UNKNOWN'],
    [['1', 'confirm', 'illegal'], 'IRREGULARITY_UNKNOWN'],
    [['1', 'dismiss', 'illegal', '--ply', '3'], 'IRREGULARITY_UNKNOWN'],
    [['2', 'confirm', 'illegal', '--side', 'black'], 'IRREGULARITY_UNKNOWN'],
    [['1', 'correct'], 'ARGUMENT_INVALID'],
    [['1', 'correct', '3'], 'ARGUMENT_INVALID'],
    [['1', 'correct', '3', 'Qh5', '--ply', '3'], 'ARGUMENT_INVALID'],
    [['1', 'correct', '3', '--replaces', '0'], 'ARGUMENT_INVALID'],
    [['1', 'correct', '3', 'd4', '--replaces', '1', '--all'], 'ARGUMENT_INVALID'],
    [['1', 'result', '1-0', '--replaces', '1'], 'ARGUMENT_INVALID'],
    [['1', 'correct', '3', 'Qa8'], 'MOVE_ILLEGAL'],
    [['1', 'correct', '10', 'd4'], 'PLY_UNKNOWN'],
    [['1', 'correct', '0.', 'd4'], 'PLY_UNKNOWN'],
    [['1', 'undo'], 'ARGUMENT_INVALID'],
    [['1', 'undo', 'all'], 'DECISION_UNKNOWN'],
    [['1', 'undo', '1'], 'DECISION_UNKNOWN'],
    [['1', 'undo', '1', '--side', 'white'], 'ARGUMENT_INVALID'],
    [['1', 'result', '1-0', '--by', ' '], 'SIGNATURE_MISSING'],
  ])('refuses %j with %s and status 2, and stores nothing', async (argv, code) => {
    const file = recordedFile();
    const by = argv.includes('--by') ? [] : ['--by', 'A'];
    const { status, out, err } = await runCommand('decide', ...argv, '--db', file, ...by);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(new RegExp(`^${code}: `));
    const db = new Sqlite(file, { readonly: true });
    expect(db.prepare('SELECT count(*) FROM entries').pluck().get()).toBe(0);
    db.close();
  });

  it('makes no database where there is none', async () => {
    const none = join(temporaryFolder(), 'none.sqlite');
    for (const argv of [
      ['decide', '1', 'result', '1-0', '--by', 'A'],
      ['decisions', '1'],
    ]) {
      const { status, err } = await runCommand(...argv, '--db', none);
      expect(status).toBe(1);
      expect(err).toMatch(/^FILE_UNREADABLE: /);
    }
  });

  it('says in its help everything that can be decided', async () => {
    const { status, out } = await runCommand('decide', '--help');
    expect(status).toBe(0);
    for (const usage of Object.values(DECISIONS)) expect(out).toContain(usage);
    for (const word of ['two-hands', 'resignation', '0-1/2', '--by']) expect(out).toContain(word);
  });
});

describe('rederive', () => {
  it('says which decision is about no game', async () => {
    const file = recordedFile([RUY]);
    const store = openStore(file, { wallMs: () => 0 });
    const what = { type: 'flag-registered', side: 'white' } as const;
    store.enter(1, { game: 7, atMs: 1, wallMs: 0, by: 'A', what });
    store.close();
    const { status, err } = await runCommand('rederive', '--db', file);
    expect(status).toBe(0);
    expect(err).toContain('decision 1 ');
  });
});
