import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Flag } from '../../../core/flag.ts';
import type { GameEvent, PlyRecord } from '../../../core/game-event.ts';
import { applyGameEvent, createGameRecord, type GameRecord } from '../../../core/game-record.ts';
import { parsePlacement } from '../../../core/placement.ts';
import { Position, START_FEN } from '../../../core/position.ts';
import { Hall } from '../../../recorder/desk/hall.ts';
import { attentionOf } from '../../../recorder/desk/model/attention.ts';
import { findCatchUps } from '../../../recorder/desk/model/catch-up.ts';
import { applyChange, changeOf, type HallRow } from '../../../recorder/desk/model/hall-row.ts';
import { kingsLifted } from '../../../recorder/desk/model/identify.ts';
import type { Entry, EntryContent } from '../../../recorder/entry.ts';
import type { RecorderUpdate } from '../../../recorder/recorder.ts';
import { openStoreReader } from '../../../recorder/store/store.ts';
import { recordGames } from '../recorded-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const started: Extract<GameEvent, { type: 'gameStarted' }> = {
  type: 'gameStarted',
  atMs: 0,
  game: 1,
  variant: 'standard',
  start: START_FEN,
  orientation: 'normal',
};

/** A game in which these moves were played, with these flags. */
function makeRecord(moves: readonly string[], flags: readonly Partial<Flag>[] = []): GameRecord {
  const record = createGameRecord(started);
  let position = Position.initial();
  for (const [i, san] of moves.entries()) {
    const move = position.parseSan(san)!;
    const ply: PlyRecord = { san, uci: position.uci(move), state: 'confirmed', madeAtMs: (i + 1) * 1000 };
    applyGameEvent(record, { type: 'ply', atMs: ply.madeAtMs, number: i + 1, ply });
    position = position.play(move);
  }
  record.placement = position.cells.slice();
  record.flags = flags.map((flag) => ({ code: 'ILLEGAL', severity: 'alarm', ply: 1, atMs: 500, ...flag }));
  return record;
}

const entry = (id: number, what: EntryContent): Entry => ({ id, game: 1, atMs: 1, wallMs: 1, by: 'I', what });
const look = (record: GameRecord, ...said: EntryContent[]) =>
  attentionOf({
    id: 7,
    record,
    entries: said.map((what, i) => entry(i + 1, what)),
    isLinkUp: true,
    wallMsOf: (atMs) => atMs,
  });

describe('what needs attention', () => {
  it('is gone when an arbiter has confirmed or dismissed it, and back when that is undone', () => {
    const record = makeRecord(['e4', 'e5'], [{ code: 'ILLEGAL', ply: 3 }]);
    expect(look(record)).toMatchObject([
      {
        code: 'ILLEGAL',
        article: '7.5.1',
        resolutions: [{ name: 'confirm' }, { name: 'dismiss' }, { name: 'open' }],
      },
    ]);
    const [confirm, dismiss] = look(record)[0]!.resolutions;
    expect(confirm!.what).toEqual({ type: 'confirm', kind: 'illegal', side: 'white', ply: 3 });
    expect(look(record, confirm!.what!)).toEqual([]);
    expect(look(record, dismiss!.what!)).toEqual([]);
    const undone = { ...entry(1, confirm!.what!), undone: { id: 2, wallMs: 2, by: 'I' } };
    const again = attentionOf({ id: 7, record, entries: [undone], isLinkUp: true, wallMsOf: (ms) => ms });
    expect(again).toHaveLength(1);
  });

  it('asks for a result where the Laws propose one, until somebody has said or the game has it', () => {
    const proposed = (score: string) => [
      {
        code: `RESULT_PROPOSED(${score})`,
        severity: 'warning' as const,
        ply: 2,
        detail: 'flag-fall, unwinnable',
      },
    ];
    const record = makeRecord(['e4', 'e5'], proposed('1/2-1/2'));
    expect(look(record)).toMatchObject([
      { resolutions: [{ name: 'decide-result' }, { name: 'acknowledge' }, { name: 'open' }] },
    ]);
    const said = { type: 'result', score: '1-0', termination: 'flag-fall' } as const;
    const at = (atMs: number) =>
      attentionOf({
        id: 7,
        record,
        entries: [{ ...entry(1, said), atMs }],
        isLinkUp: true,
        wallMsOf: (ms) => ms,
      });
    expect(at(501)).toEqual([]);
    // What it is about: a resignation was entered as a loss, and the Laws say it is a draw (5.1.2).
    expect(at(500)).toHaveLength(1);
    const drawn = {
      ...makeRecord(['e4', 'e5'], proposed('1/2-1/2')),
      ended: true,
      result: '1/2-1/2' as const,
    };
    expect(look(drawn)).toEqual([]);
    expect(look({ ...drawn, result: '1-0' })).toHaveLength(1);
  });

  it('offers what else fits a doubt, as moves that can be stored', () => {
    const record = makeRecord(
      ['e4', 'e5', 'Nf3'],
      [{ code: 'AMBIGUOUS(2)', severity: 'warning', ply: 3, detail: 'Nf3; Nh3' }],
    );
    record.plies[2] = { ...record.plies[2]!, state: 'ambiguous', candidates: ['Nh3'] };
    expect(look(record)[0]!.resolutions).toEqual([
      { name: 'accept', moves: ['Nf3'], what: { type: 'correction', from: 3, plies: ['g1f3'], replaces: 1 } },
      {
        name: 'replace',
        moves: ['Nh3'],
        what: { type: 'correction', from: 3, plies: ['g1h3'], replaces: 1 },
      },
      { name: 'cut', what: { type: 'correction', from: 3, plies: [] } },
      { name: 'open' },
    ]);
  });

  it('offers whole orders of moves where their order is in doubt', () => {
    const record = makeRecord(
      ['e4', 'e5', 'Nf3', 'Nc6', 'Bc4'],
      [{ code: 'AMBIGUOUS(2)', severity: 'warning', ply: 3, detail: 'Nf3 Nc6 Bc4; Bc4 Nc6 Nf3' }],
    );
    record.plies[2] = { ...record.plies[2]!, state: 'ambiguous' };
    const replace = look(record)[0]!.resolutions.find(({ name }) => name === 'replace');
    expect(replace?.what).toMatchObject({ from: 3, plies: ['f1c4', 'b8c6', 'g1f3'], replaces: 3 });
  });

  it('offers nothing that cannot be played', () => {
    const record = makeRecord(
      ['e4'],
      [{ code: 'AMBIGUOUS(2)', severity: 'warning', ply: 1, detail: 'e4; Qh5; <b>; d4' }],
    );
    record.plies[0] = { ...record.plies[0]!, state: 'ambiguous' };
    const moves = look(record)[0]!.resolutions.flatMap((resolution) => resolution.moves ?? []);
    expect(moves).toEqual(['e4', 'd4']);
  });

  it('lasts as long as board and record differ, where that is all there is to it', () => {
    const record = makeRecord(['e4'], [{ code: 'DISPLACED', severity: 'warning', ply: 2 }]);
    record.inSync = false;
    expect(look(record).map(({ code }) => code)).toEqual(['DISPLACED']);
    record.inSync = true;
    expect(look(record)).toEqual([]);
  });

  it('is put aside by who has seen it', () => {
    const record = makeRecord(['e4'], [{ code: 'CLOCK_LOST', severity: 'warning', ply: 1 }]);
    const [seen] = look(record)[0]!.resolutions;
    expect(look(record, seen!.what!)).toEqual([]);
    expect(look(record, { type: 'acknowledge', word: 'CLOCK_LOST', ply: 2 })).toHaveLength(1);
  });

  it('comes the gravest first, then the oldest', () => {
    const record = makeRecord(
      ['e4'],
      [
        { code: 'CLOCK_LOST', severity: 'warning', ply: 1, atMs: 10 },
        { code: 'ILLEGAL', severity: 'alarm', ply: 2, atMs: 30 },
        { code: 'RESULT_UNKNOWN', severity: 'warning', ply: 1, atMs: 5 },
      ],
    );
    expect(look(record).map(({ code }) => code)).toEqual(['ILLEGAL', 'RESULT_UNKNOWN', 'CLOCK_LOST']);
  });

  it('bears flags of newer programs', () => {
    const record = makeRecord(['e4'], [{ code: 'NEVER_HEARD_OF', severity: 'alarm' }]);
    expect(look(record)).toEqual([]);
  });
});

/** A hall that hears of one game, its events one by one. */
function hallOf() {
  const hall = new Hall({ nowMs: () => 1000, wallMsOf: (atMs) => atMs });
  const record = createGameRecord(started);
  const tell = (...events: GameEvent[]): void => {
    for (const event of events) applyGameEvent(record, event);
    const update: RecorderUpdate = {
      type: 'game',
      board: 'dgt-1',
      id: 7,
      token: 't',
      tags: { White: 'Anna' },
      record,
      events,
    };
    hall.take(update);
  };
  return { hall, record, tell };
}

describe('the hall', () => {
  it('tells a board as a whole first and then only what has changed', () => {
    const { hall, tell } = hallOf();
    tell(started);
    const [whole] = hall.changes();
    expect(whole).toMatchObject({
      board: 'dgt-1',
      set: { game: 7, white: 'Anna', plies: 0, state: 'ready' },
    });
    const ply: PlyRecord = { san: 'e4', uci: 'e2e4', state: 'provisional', madeAtMs: 10 };
    tell(
      { type: 'ply', atMs: 10, number: 1, ply },
      {
        type: 'board',
        atMs: 10,
        inSync: true,
        placement: parsePlacement('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR')!,
      },
    );
    const [change] = hall.changes();
    expect(Object.keys(change!.set!).sort()).toEqual(
      ['recorded', 'sensed', 'turn', 'plies', 'lastSan', 'lastUci', 'lastNumber', 'state', 'revision'].sort(),
    );
    expect(change!.set).toMatchObject({ lastSan: 'e4', lastNumber: '1.', state: 'playing' });
    expect(hall.changes()).toEqual([]);
  });

  it('says nothing of a clock that runs as it should', () => {
    const { hall, tell } = hallOf();
    tell(started);
    const clock = (atMs: number, whiteMs: number, running: 'white' | 'black' | undefined): GameEvent => ({
      type: 'clock',
      atMs,
      whiteMs,
      blackMs: 60_000,
      running,
    });
    tell(clock(0, 60_000, 'white'));
    expect(hall.changes()).toHaveLength(1);
    for (let second = 1; second < 20; second++) tell(clock(second * 1000, 60_000 - second * 1000, 'white'));
    expect(hall.changes()).toEqual([]);
    tell(clock(20_000, 40_000, 'black'));
    expect(hall.changes()[0]?.set).toMatchObject({ running: 'black', whiteMs: 40_000, clockAtMs: 20_000 });
    tell(clock(21_000, 90_000, 'black'));
    expect(hall.changes()[0]?.set).toMatchObject({ whiteMs: 90_000 });
  });

  it('tells of a board that is away, and since when', () => {
    const { hall, tell } = hallOf();
    tell(started);
    hall.changes();
    const link = (state: 'lost' | 'up') =>
      hall.take({
        type: 'board',
        board: 'dgt-1',
        kind: 'dgt',
        update: { type: 'link', atMs: 5, link: state },
      });
    link('up');
    link('lost');
    expect(hall.rows()[0]).toMatchObject({ link: 'lost', attention: [{ code: 'LINK_LOST', game: 7 }] });
    link('up');
    expect(hall.rows()[0]!.attention).toEqual([]);
  });

  it('shows games that were recorded before, with what was entered', () => {
    const file = join(temporaryFolder(), 'games.sqlite');
    recordGames(file, [['e4', 'e5']], { White: 'Anna' });
    const reader = openStoreReader(file);
    const hall = new Hall({ nowMs: () => 1, wallMsOf: (atMs) => atMs });
    hall.load(reader.games(), () => [entry(4, { type: 'hold' })]);
    expect(hall.rows()).toMatchObject([
      { game: 1, white: 'Anna', lastSan: 'e5', isHeld: true, lastEntry: 4 },
    ]);
    hall.enter(1, [{ ...entry(4, { type: 'hold' }), undone: { id: 5, wallMs: 1, by: 'I' } }]);
    expect(hall.changes()).toMatchObject([{ board: 'dgt-1', unset: ['isHeld'], set: { lastEntry: 5 } }]);
    reader.close();
  });

  it('marks what is withheld with a board or with everything, also on boards that come later', () => {
    const hall = new Hall({ nowMs: () => 1, wallMsOf: (atMs) => atMs });
    const link = (board: string) =>
      hall.take({ type: 'board', board, kind: 'dgt', update: { type: 'link', atMs: 1, link: 'up' } });
    const held = () => hall.rows().map(({ board, heldWith }) => [board, heldWith]);
    link('dgt-1');
    hall.setHolds([{ scope: { type: 'board', board: 'dgt-2' } }, { scope: { type: 'game', game: 7 } }]);
    link('dgt-2');
    expect(held()).toEqual([
      ['dgt-1', undefined],
      ['dgt-2', 'board'],
    ]);
    hall.setHolds([{ scope: { type: 'all' } }]);
    expect(hall.changes()).toMatchObject([
      { board: 'dgt-1', set: { heldWith: 'all' } },
      { board: 'dgt-2', set: { heldWith: 'all' } },
    ]);
    hall.setHolds([]);
    expect(held()).toEqual([
      ['dgt-1', undefined],
      ['dgt-2', undefined],
    ]);
    hall.setHolds([]);
    expect(hall.changes()).toEqual([]);
  });

  it('is the same for who was there from the beginning and for who comes later', () => {
    const fields = fc.record(
      {
        state: fc.constantFrom('playing', 'doubt', 'ended'),
        white: fc.string({ maxLength: 3 }),
        plies: fc.nat(9),
        differing: fc.array(fc.nat(63), { maxLength: 3 }),
        whiteMs: fc.nat(99),
      },
      { requiredKeys: ['state'] },
    );
    fc.assert(
      fc.property(fc.array(fields, { minLength: 1 }), (states) => {
        const base = { board: 'b', kind: 'dgt', link: 'up', linkSinceMs: 0, attention: [] } as const;
        const rows = states.map((state) => ({ ...base, ...state })) as unknown as HallRow[];
        let row = rows[0]!;
        for (const next of rows.slice(1)) {
          const change = changeOf(row, next);
          const sent = change === undefined ? undefined : JSON.parse(JSON.stringify(change));
          row = sent === undefined ? row : applyChange(row, sent);
          expect(row).toEqual(next);
        }
      }),
    );
  });
});

describe('the way from the record to the board', () => {
  it('is found as the shortest lines that lead there', () => {
    const from = Position.initial();
    const cellsAfter = (...sans: string[]) =>
      sans.reduce((position, san) => position.play(position.parseSan(san)!), from).cells;
    expect(findCatchUps(from, cellsAfter('e4')).lines).toEqual([['e4']]);
    expect(findCatchUps(from, cellsAfter('e4', 'e5', 'Nf3')).lines).toContainEqual(['e4', 'e5', 'Nf3']);
    expect(findCatchUps(from, from.cells).lines).toEqual([]);
    const odd = from.cells.slice();
    odd[27] = 6;
    expect(findCatchUps(from, odd).lines).toEqual([]);
  });
});

describe('a king that is lifted', () => {
  it('tells which board is meant', () => {
    const before = new Map([
      ['a', '4k3/8/8/8/8/8/8/4K3'],
      ['b', '4k3/8/8/8/8/8/8/4K3'],
    ]);
    expect(
      kingsLifted(before, [
        { board: 'a', sensed: '4k3/8/8/8/8/8/8/4K3' },
        { board: 'b', sensed: '4k3/8/8/8/8/8/8/8' },
      ]),
    ).toEqual(['b']);
  });
});
