import { statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { GameEvent, PlyRecord } from '../../../core/game-event.ts';
import { makeRecords } from '../../../core/game-record.ts';
import { parsePlacement } from '../../../core/placement.ts';
import { START_FEN } from '../../../core/position.ts';
import { compareRecords } from '../../../recorder/compare-records.ts';
import type { RawInput } from '../../../recorder/raw-input.ts';
import { isRecorderRunning } from '../../../recorder/store/recorder-lock.ts';
import {
  openStore,
  openStoreReader,
  type Sitting,
  type Store,
  type StoreWrite,
} from '../../../recorder/store/store.ts';
import { storeError } from '../../../recorder/store/store-error.ts';
import { codeOf } from '../../kit/code-of.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const WALL = Date.UTC(2031, 4, 6);
const open = (file: string, wallMs = WALL): Store => openStore(file, { wallMs: () => wallMs });
const newFile = (): string => join(temporaryFolder(), 'games.sqlite');

const newSitting = (board = 'dgt-1'): Sitting => ({
  board,
  kind: 'dgt',
  options: { variant: 'standard', rotated: false },
  startedMs: 0,
  startedWallMs: WALL,
  id: undefined,
});

const ply = (san: string, uci: string, more: Partial<PlyRecord> = {}): PlyRecord => ({
  san,
  uci,
  state: 'settled',
  madeAtMs: 10,
  ...more,
});

/** Every kind of event there is, and a second game. */
const EVENTS: readonly GameEvent[] = [
  { type: 'gameStarted', atMs: 1, game: 1, variant: 'standard', start: START_FEN, orientation: 'normal' },
  { type: 'orientation', atMs: 2, orientation: 'rotated' },
  {
    type: 'flag',
    atMs: 3,
    flag: { code: 'WRONG_START', severity: 'warning', ply: 0, atMs: 3, detail: 'e2 "é"' },
  },
  { type: 'ply', atMs: 4, number: 1, ply: ply('e4', 'e2e4', { state: 'provisional' }) },
  { type: 'withdrawn', atMs: 5, number: 1 },
  { type: 'ply', atMs: 6, number: 1, ply: ply('d4', 'd2d4', { completedAtMs: 20, clockMs: 5_400_000 }) },
  {
    type: 'ply',
    atMs: 7,
    number: 2,
    ply: ply('d5', 'd7d5', { state: 'ambiguous', candidates: ['d5', 'd6'] }),
  },
  { type: 'ply', atMs: 8, number: 2, amended: true, ply: ply('d6', 'd7d6', { inferred: true }) },
  { type: 'clock', atMs: 9, whiteMs: 5_400_000, blackMs: 5_399_000, running: 'white' },
  { type: 'board', atMs: 10, placement: parsePlacement('?7/8/8/8/8/8/8/K6k')!, inSync: false },
  { type: 'flag', atMs: 11, flag: { code: 'AMBIGUOUS(2)', severity: 'warning', ply: 2, atMs: 11 } },
  { type: 'result', atMs: 12, result: '1-0', reason: 'kings' },
  { type: 'gameEnded', atMs: 12, result: '1-0' },
  { type: 'gameStarted', atMs: 13, game: 2, variant: 'standard', start: START_FEN, orientation: 'rotated' },
  { type: 'ply', atMs: 14, number: 1, ply: ply('c4', 'c2c4') },
];

const eventWrites = (sitting: Sitting, events: readonly GameEvent[]): StoreWrite[] =>
  events.map((event) => ({ type: 'event', sitting, event, wallMs: WALL + event.atMs }));

const rx = (atMs: number, ...bytes: number[]): RawInput => ({
  type: 'rx',
  atMs,
  bytes: Uint8Array.from(bytes),
});

describe('store', () => {
  it('gives back games exactly as the events make them, from the same connection and from a later one', () => {
    const file = newFile();
    const store = open(file);
    const sitting = newSitting();
    store.enqueue(...eventWrites(sitting, EVENTS));
    expect(store.games()).toEqual([]);
    expect(store.commit()).toHaveLength(EVENTS.length);
    expect(store.games().map((game) => game.record)).toEqual(makeRecords(EVENTS));
    store.close();

    const reader = openStoreReader(file);
    const games = reader.games();
    expect(games.map((game) => game.record)).toEqual(makeRecords(EVENTS));
    expect(games.map((game) => [game.board, game.startedWallMs])).toEqual([
      ['dgt-1', WALL + 1],
      ['dgt-1', WALL + 13],
    ]);
    expect(new Set(games.map((game) => game.token)).size).toBe(2);
    expect(reader.games({ board: 'dgt-2' })).toEqual([]);
    expect(reader.games({ sinceWallMs: WALL + 5 }).map((game) => game.record.game)).toEqual([2]);
    reader.close();
  });

  it('keeps the history of a record, taken back and corrected plies included', () => {
    const file = newFile();
    const store = open(file);
    store.enqueue(...eventWrites(newSitting(), EVENTS));
    store.close();
    const db = new Sqlite(file, { readonly: true });
    expect(
      db.prepare("SELECT type || ' ' || coalesce(value, '') FROM decisions ORDER BY id").pluck().all(),
    ).toEqual([
      'orientation rotated',
      'ply e4 provisional',
      'withdrawn ',
      'ply d4 settled',
      'ply d5 ambiguous',
      'amended d6 settled',
      'result 1-0 kings',
      'ended 1-0',
      'ply c4 settled',
    ]);
    db.close();
  });

  it('gives back raw input as received, a row for each board and commit', () => {
    const file = newFile();
    const store = open(file);
    const [one, two] = [newSitting('dgt-1'), newSitting('dgt-2')];
    const inputs: RawInput[] = [
      { type: 'link', atMs: 5, link: 'up' },
      rx(5, 1, 2, 3),
      { type: 'tx', atMs: 7, bytes: Uint8Array.of(0x44) },
      rx(9, 255, 0),
      { type: 'link', atMs: 90, link: 'lost' },
    ];
    for (const input of inputs.slice(0, 3))
      store.enqueue({ type: 'input', sitting: one, input, wallMs: WALL + input.atMs });
    store.enqueue({ type: 'input', sitting: two, input: rx(6, 9), wallMs: WALL + 6 });
    store.commit();
    for (const input of inputs.slice(3))
      store.enqueue({ type: 'input', sitting: one, input, wallMs: WALL + input.atMs });
    store.commit();
    expect([...store.inputs(one.id!)]).toEqual(inputs);
    expect([...store.inputs(two.id!)]).toEqual([rx(6, 9)]);
    expect(store.sittings().map(({ board, seenToMs, lastWallMs }) => [board, seenToMs, lastWallMs])).toEqual([
      ['dgt-1', 90, WALL + 9],
      ['dgt-2', 6, WALL + 6],
    ]);
    expect(store.wallMsAt(one.id!, 50)).toBe(WALL + 50);
    store.close();
    const db = new Sqlite(file);
    expect(db.prepare('SELECT count(*) FROM inputs').pluck().get()).toBe(3);
    // Append-only is a rule of the database itself.
    expect(() => db.exec("UPDATE inputs SET data = x'00'")).toThrow();
    expect(() => db.exec('DELETE FROM inputs')).toThrow();
    db.close();
  });

  it('says which raw input is damaged instead of deriving from it', () => {
    const file = newFile();
    const store = open(file);
    const sitting = newSitting();
    store.enqueue({ type: 'input', sitting, input: rx(5, 1, 2, 3), wallMs: WALL });
    store.close();
    const db = new Sqlite(file);
    db.exec("DROP TRIGGER inputs_stay; UPDATE inputs SET data = x'00ff'");
    db.close();
    const reader = openStoreReader(file);
    expect(codeOf(() => [...reader.inputs(1)])).toBe('STORE_CORRUPT');
    reader.close();
  });

  it('begins times after everything that is stored, even when the wall clock was set back', () => {
    const file = newFile();
    const first = open(file);
    expect(first.originMs(WALL)).toBe(0);
    first.enqueue({ type: 'input', sitting: newSitting(), input: rx(5000, 1), wallMs: WALL + 5000 });
    first.close();
    const second = open(file, WALL + 65_000);
    expect(second.originMs(WALL + 65_000)).toBe(65_000);
    expect(second.originMs(WALL - 1_000_000)).toBe(5001);
    second.close();
  });

  it('keeps everything in order when a commit is refused, and writes it with the next', () => {
    const file = newFile();
    const store = open(file);
    const sitting = newSitting();
    const other = new Sqlite(file);
    other.exec('BEGIN IMMEDIATE');
    store.enqueue(...eventWrites(sitting, EVENTS.slice(0, 6)));
    expect(codeOf(() => store.commit())).toBe('STORE_LOCKED');
    expect(sitting.id).toBeUndefined();
    store.enqueue(...eventWrites(sitting, EVENTS.slice(6)));
    expect(codeOf(() => store.commit())).toBe('STORE_LOCKED');
    expect(store.pending).toBe(EVENTS.length);
    other.exec('ROLLBACK');
    other.close();
    store.commit();
    expect(store.games().map((game) => game.record)).toEqual(makeRecords(EVENTS));
    store.close();
  });

  it('takes a commit back as a whole when one of its rows is refused', () => {
    const store = open(newFile());
    const sitting = newSitting();
    const bad: GameEvent = { type: 'ply', atMs: 15, number: 0, ply: ply('a3', 'a2a3') };
    store.enqueue(
      { type: 'input', sitting, input: rx(1, 1), wallMs: WALL },
      ...eventWrites(sitting, [EVENTS[0]!, bad]),
    );
    expect(() => store.commit()).toThrow();
    expect(store.games()).toEqual([]);
    expect(store.sittings()).toEqual([]);
  });

  it('keeps what people say of a game, and what a board says of itself', () => {
    const file = newFile();
    const store = open(file);
    const sitting = newSitting();
    store.enqueue(
      { type: 'tags', sitting, number: 2, tags: { White: 'A', Black: 'B' } },
      { type: 'tags', sitting, number: 2, tags: { White: 'C' } },
      { type: 'identity', sitting, identity: { serialNumber: '12345' } },
      { type: 'identity', sitting, identity: { firmware: '1.7' } },
      ...eventWrites(sitting, EVENTS),
    );
    store.commit();
    expect(store.games().map((game) => game.tags)).toEqual([{}, { White: 'C', Black: 'B' }]);
    store.close();
    const db = new Sqlite(file, { readonly: true });
    expect(JSON.parse(db.prepare('SELECT identity FROM boards').pluck().get() as string)).toEqual({
      serialNumber: '12345',
      firmware: '1.7',
    });
    db.close();
  });

  it('replaces derived games and keeps their ids, tags and the input', () => {
    const store = open(newFile());
    const sitting = newSitting();
    store.enqueue(
      { type: 'input', sitting, input: rx(1, 1), wallMs: WALL },
      ...eventWrites(sitting, EVENTS),
      { type: 'tags', sitting, number: 1, tags: { White: 'A' } },
    );
    store.commit();
    const before = store.games();
    const third: GameEvent = {
      type: 'gameStarted',
      atMs: 40,
      game: 3,
      variant: 'standard',
      start: START_FEN,
      orientation: 'normal',
    };
    const better = [...EVENTS.filter((event) => event.type !== 'withdrawn'), third];
    store.replaceGames(sitting.id!, better);
    const after = store.games();
    expect(after.map((game) => game.record)).toEqual(makeRecords(better));
    expect(
      after.slice(0, 2).map(({ id, token, startedWallMs, tags }) => ({ id, token, startedWallMs, tags })),
    ).toEqual(before.map(({ id, token, startedWallMs, tags }) => ({ id, token, startedWallMs, tags })));
    expect(after[2]!.id).toBeGreaterThan(after[1]!.id);
    expect(after[2]!.startedWallMs).toBe(WALL + 39);
    store.replaceGames(sitting.id!, EVENTS.slice(0, 4));
    expect(store.games().map((game) => game.record)).toEqual(makeRecords(EVENTS.slice(0, 4)));
    expect([...store.inputs(sitting.id!)]).toEqual([rx(1, 1)]);
    store.close();
  });

  it('remembers its runs, and which of them ended hard', () => {
    const file = newFile();
    open(file).close();
    const store = open(file, WALL + 5);
    expect(store.runs().map(({ startedWallMs, endedWallMs }) => [startedWallMs, endedWallMs])).toEqual([
      [WALL, WALL],
      [WALL + 5, undefined],
    ]);
    store.close();
  });
});

describe('lock', () => {
  it('refuses a second recorder on the same file, and lets readers in', () => {
    const file = newFile();
    const store = open(file);
    expect(codeOf(() => open(file))).toBe('STORE_LOCKED');
    expect(isRecorderRunning(file)).toBe(true);
    const reader = openStoreReader(file);
    expect(reader.games()).toEqual([]);
    reader.close();
    store.close();
    expect(isRecorderRunning(file)).toBe(false);
    open(file).close();
  });

  it('lets the lock go when the file itself is refused', () => {
    const file = newFile();
    open(file).close();
    const db = new Sqlite(file);
    db.pragma('user_version = 99');
    db.close();
    expect(codeOf(() => open(file))).toBe('STORE_NEWER_SCHEMA');
    expect(isRecorderRunning(file)).toBe(false);
  });
});

describe('size', () => {
  it('needs less than 0.7 megabytes for an hour of play, each message in a commit of its own', () => {
    const file = newFile();
    const store = open(file);
    const sitting = newSitting();
    const put = (...writes: StoreWrite[]): void => {
      store.enqueue(...writes);
      store.commit();
    };
    const input = (atMs: number, length: number): StoreWrite => ({
      type: 'input',
      sitting,
      input: { type: 'rx', atMs, bytes: new Uint8Array(length).fill(0x5a) },
      wallMs: WALL + atMs,
    });
    put(...eventWrites(sitting, [EVENTS[0]!]));
    const quarter = 900;
    for (let second = 1; second <= quarter; second++) {
      const atMs = second * 1000;
      // The clock tells every second, the idle board is asked for a dump every five, and a ply is made every twenty.
      put(
        input(atMs, 10),
        ...eventWrites(sitting, [{ type: 'clock', atMs, whiteMs: atMs, blackMs: atMs, running: 'white' }]),
      );
      if (second % 5 === 0) {
        put({
          type: 'input',
          sitting,
          input: { type: 'tx', atMs, bytes: Uint8Array.of(0x42) },
          wallMs: WALL + atMs,
        });
        put(input(atMs, 67));
      }
      if (second % 20 === 0) {
        const number = second / 20;
        for (const state of ['provisional', 'confirmed', 'settled'] as const) {
          put(
            input(atMs, 5),
            input(atMs, 5),
            ...eventWrites(sitting, [
              {
                type: 'ply',
                atMs,
                number,
                ply: ply('Nbxd2+', 'b1d2', { state, completedAtMs: atMs, clockMs: atMs }),
              },
              {
                type: 'flag',
                atMs,
                flag: { code: 'MOVED_BEFORE_PRESS', severity: 'info', ply: number, atMs },
              },
            ]),
          );
        }
      }
    }
    store.close();
    // Tables and indexes that are empty take their room once, not every quarter of an hour.
    const blank = join(temporaryFolder(), 'blank.sqlite');
    openStore(blank, { wallMs: () => WALL }).close();
    const bytes = 4 * (statSync(file).size - statSync(blank).size) + statSync(blank).size;
    console.log(`an hour of play takes ${Math.round(bytes / 1024)} KiB`);
    expect(bytes).toBeLessThan(700_000);
  }, 60_000);
});

describe('failures of the disk', () => {
  it.each([
    ['SQLITE_FULL', 'STORE_FULL'],
    ['SQLITE_READONLY_DBMOVED', 'STORE_READONLY'],
    ['SQLITE_CANTOPEN', 'STORE_READONLY'],
    ['SQLITE_IOERR_FSYNC', 'STORE_DISK'],
    ['SQLITE_CORRUPT_INDEX', 'STORE_CORRUPT'],
    ['SQLITE_NOTADB', 'STORE_CORRUPT'],
    ['SQLITE_BUSY_SNAPSHOT', 'STORE_LOCKED'],
  ])('gives %s the code %s, the file and the cause', (sqlite, code) => {
    const cause = new Sqlite.SqliteError('words', sqlite);
    expect(storeError(cause, 'a.sqlite')).toMatchObject({ code, context: { file: 'a.sqlite' }, cause });
  });

  it('leaves a mistake of ours as it is', () => {
    const mistake = new Sqlite.SqliteError('words', 'SQLITE_CONSTRAINT_CHECK');
    expect(storeError(mistake, 'a.sqlite')).toBe(mistake);
  });
});

describe('comparing records', () => {
  it('finds nothing between equal records and names what differs between others', () => {
    const [first] = makeRecords(EVENTS);
    expect(compareRecords([first!], makeRecords(EVENTS).slice(0, 1))).toEqual([]);
    const changed = makeRecords(EVENTS);
    changed[0]!.plies[1] = ply('g6', 'g7g6');
    changed[0]!.result = '0-1';
    changed[0]!.flags.pop();
    expect(compareRecords(makeRecords(EVENTS), changed).map(({ game, about }) => [game, about])).toEqual([
      [1, 'result'],
      [1, 'ply 2'],
      [1, 'flag 2'],
    ]);
    expect(compareRecords(makeRecords(EVENTS), [first!])).toMatchObject([{ game: 2, about: 'game' }]);
  });
});
