import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import {
  filter,
  firstValueFrom,
  from,
  lastValueFrom,
  map,
  type Observable,
  ReplaySubject,
  Subject,
  tap,
  toArray,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { BoardIdentity } from '../../boards/definition.ts';
import { dgt } from '../../boards/dgt/definition.ts';
import type { GameRecord } from '../../core/game-record.ts';
import { EMPTY } from '../../core/placement.ts';
import { Position } from '../../core/position.ts';
import { type Clock, createSystemClock } from '../../driver/clock.ts';
import { createFleet } from '../../driver/fleet.ts';
import type { BoardMessage } from '../../driver/roster.ts';
import { createMemoryPair } from '../../driver/transports/memory.ts';
import { parsePgn } from '../../recorder/pgn/reader.ts';
import { type RecorderUpdate, record$ } from '../../recorder/recorder.ts';
import { deriveFile } from '../../recorder/replay/derive-file.ts';
import { openEntryStore, openStore, openStoreReader } from '../../recorder/store/store.ts';
import { createSimulatedBoard, type SimulatedBoard } from '../kit/simulated-board.ts';
import { recordGames } from './recorded-store.ts';
import { rederiveFile } from './rederive-file.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SPEED = 25;

interface Table {
  readonly clock: Clock;
  readonly board: SimulatedBoard;
  readonly folder: string;
  readonly file: string;
  readonly pgnDir: string;
  readonly captureDir: string;
}

/** A board in memory and a folder to record into. */
function setTable(originMs = 0): Table {
  const folder = temporaryFolder();
  const clock = createSystemClock({ speed: SPEED, originMs });
  return {
    clock,
    board: createSimulatedBoard(dgt, { serialNumber: '12345' }, clock),
    folder,
    file: join(folder, 'games.sqlite'),
    pgnDir: join(folder, 'pgn'),
    captureDir: join(folder, 'captures'),
  };
}

type GameUpdate = Extract<RecorderUpdate, { type: 'game' }>;

/** A recorder at work on one board; `until` waits for the record to become something. */
function startRecording(table: Table, more: Partial<Parameters<typeof record$>[0]> = {}) {
  const { clock, board, file, pgnDir, captureDir } = table;
  const store = openStore(file, { wallMs: clock.wallMs });
  const { transport, device } = createMemoryPair('table 1', clock);
  board.attach(device);
  const stop$ = new Subject<void>();
  const updates$ = new ReplaySubject<RecorderUpdate>();
  const fleet = createFleet({
    definitions: [dgt],
    clock,
    named: [{ kind: 'dgt', link: transport.address }],
    search: 'none',
    list: async () => [],
    transportFor: () => transport,
  });
  const all: RecorderUpdate[] = [];
  const ended = lastValueFrom(
    record$({ fleet, store, clock, stop$, pgnDir, captureDir, ...more }).pipe(
      tap((update) => all.push(update)),
      tap(updates$),
    ),
    { defaultValue: undefined },
  );
  const games$ = updates$.pipe(filter((update): update is GameUpdate => update.type === 'game'));
  return {
    store,
    device,
    all,
    games$: games$ as Observable<GameUpdate>,
    fault: firstValueFrom(updates$.pipe(filter((update) => update.type === 'fault')), {
      defaultValue: undefined,
    }),
    until: (is: (record: GameRecord) => boolean): Promise<GameRecord> =>
      firstValueFrom(
        games$.pipe(
          map(({ record }) => record),
          filter(is),
        ),
      ),
    stop: async (): Promise<void> => {
      stop$.next();
      await ended;
      store.close();
    },
  };
}

/** Plays moves on the board, each when the one before is recorded. */
async function play(
  board: SimulatedBoard,
  recording: ReturnType<typeof startRecording>,
  sans: readonly string[],
  from: readonly string[] = [],
): Promise<void> {
  let position = Position.initial();
  for (const san of from) position = position.play(position.parseSan(san)!);
  for (const [i, san] of sans.entries()) {
    const move = position.parseSan(san)!;
    const changes = [...move.changes].sort((a, b) => Number(a.after !== EMPTY) - Number(b.after !== EMPTY));
    for (const { square, after } of changes) {
      // The victim is taken off before the capturing piece is put down.
      if (after !== EMPTY && position.cells[square] !== EMPTY) board.square(square, EMPTY);
      board.square(square, after);
    }
    position = position.play(move);
    await recording.until((record) => record.plies.length >= from.length + i + 1);
  }
}

const MATE = ['f3', 'e5', 'g4', 'Qh4#'];

describe('recorder', () => {
  it('records a game: store, PGN files, capture, all the same', async () => {
    const table = setTable();
    const recording = startRecording(table, { tagsOf: (board) => ({ White: 'A', Black: board }) });
    await play(table.board, recording, MATE);
    await recording.until((record) => record.ended);
    await recording.stop();

    const reader = openStoreReader(table.file);
    const games = reader.games();
    expect(games).toHaveLength(1);
    const [game] = games;
    expect(game!.record.plies.map((ply) => ply.san)).toEqual(MATE);
    expect(game!.record).toMatchObject({ result: '0-1', reason: 'checkmate', ended: true, inSync: true });
    expect(game!.board).toBe('dgt-12345');
    expect(game!.tags).toEqual({ White: 'A', Black: 'dgt-12345' });

    expect(readdirSync(table.pgnDir).sort()).toEqual([`game-${game!.id}.pgn`, 'games.pgn']);
    const text = readFileSync(join(table.pgnDir, `game-${game!.id}.pgn`), 'utf8');
    expect(readFileSync(join(table.pgnDir, 'games.pgn'), 'utf8')).toBe(text);
    const [read] = parsePgn(text);
    expect(read!.plies.map((ply) => ply.san)).toEqual(MATE);
    expect(read!.result).toBe('0-1');
    expect(Object.fromEntries(read!.tags)).toMatchObject({ White: 'A', GameId: game!.token });

    const [capture] = readdirSync(table.captureDir);
    const bytes = readFileSync(join(table.captureDir, capture!));
    const derived = deriveFile(capture!, bytes, undefined);
    expect(derived.ok && derived.value.games.map((g) => g.plies)).toEqual([game!.record.plies]);
    reader.close();
    expect(rederiveFile(table.file)).toEqual([[]]);
  });

  it('tells what a board says of itself, once', async () => {
    const { file, clock } = setTable();
    const store = openStore(file, { wallMs: clock.wallMs });
    const identity = (said: BoardIdentity): BoardMessage => ({
      type: 'board',
      board: 'dgt-12345',
      definition: dgt,
      update: { type: 'identity', atMs: clock.monotonicMs(), identity: said },
    });
    const updates$ = from([
      identity({ serialNumber: '12345' }),
      identity({ firmware: '1.8' }),
      identity({ serialNumber: '12345' }),
      identity({ serialNumber: '12345', batteryPercent: 88 }),
      identity({ batteryPercent: 87 }),
    ]);
    const updates = await lastValueFrom(
      record$({ fleet: { updates$, status$: from([]) }, store, clock }).pipe(toArray()),
    );
    store.close();
    const told = updates.flatMap((update) =>
      update.type === 'board' && update.update.type === 'identity' ? [update.update.identity] : [],
    );
    expect(told).toEqual([
      { serialNumber: '12345' },
      { firmware: '1.8' },
      { batteryPercent: 88 },
      { batteryPercent: 87 },
    ]);
  });

  it('takes up at its start what was entered after the last recorder had gone', async () => {
    const { file, clock, pgnDir } = setTable();
    recordGames(file, [['e4', 'e5'], ['d4']], {}, clock.wallMs());
    const desk = openEntryStore(file);
    const what = { type: 'result', score: '1-0', termination: 'resignation' } as const;
    const [first, second] = desk.games();
    const atMs = second!.record.startedAtMs - 1;
    desk.enter(first!.sittingId, { game: 1, atMs, wallMs: 0, by: 'A. Arbiter', what });
    desk.close();

    const store = openStore(file, { wallMs: clock.wallMs });
    const updates = await lastValueFrom(
      record$({ fleet: { updates$: from([]), status$: from([]) }, store, clock, pgnDir }).pipe(toArray()),
    );
    expect(store.behind()).toEqual([]);
    store.close();
    const told = updates.flatMap((update) => (update.type === 'rederived' ? [update.game] : []));
    expect(told.map(({ id, record }) => [id, record.result])).toEqual([[1, '1-0']]);
    const [published] = parsePgn(readFileSync(join(pgnDir, 'games.pgn'), 'utf8'));
    expect(published!.result).toBe('1-0');
    expect(rederiveFile(file)).toEqual([[]]);
  });

  it('publishes nothing of a game that is held back, and all of it when it is released', async () => {
    const { file, clock, pgnDir } = setTable();
    recordGames(
      file,
      [
        ['e4', 'e5', 'Nf3'],
        ['d4', 'd5', 'c4'],
      ],
      {},
      clock.wallMs(),
    );
    const enter = (type: 'hold' | 'release'): void => {
      const desk = openEntryStore(file);
      const [game, next] = desk.games();
      const atMs = next!.record.startedAtMs - 1;
      desk.enter(game!.sittingId, { game: 1, atMs, wallMs: 0, by: 'O. Operator', what: { type } });
      desk.close();
    };
    const publish = async (): Promise<string[]> => {
      const store = openStore(file, { wallMs: clock.wallMs });
      await lastValueFrom(
        record$({ fleet: { updates$: from([]), status$: from([]) }, store, clock, pgnDir }).pipe(toArray()),
      );
      store.close();
      const games = parsePgn(readFileSync(join(pgnDir, 'games.pgn'), 'utf8'));
      return games.map(({ plies }) => plies[0]?.san ?? '');
    };
    enter('hold');
    expect(await publish()).toEqual(['d4']);
    enter('release');
    expect(await publish()).toEqual(['e4', 'd4']);
  });

  // Commits are further apart than looks: something waits for its commit whenever an entry is taken up.
  it('loses nothing of what is played while it takes up what was entered', async () => {
    const table = setTable();
    const recording = startRecording(table, { commitEveryMs: 200 });
    await recording.until((record) => record.inSync);
    const turn = ['Nh3', 'Nc6', 'Ng1', 'Nb8'];
    const sans = [...MATE.slice(0, 2), ...turn, ...turn, ...MATE.slice(2)];
    for (const [i, san] of sans.entries()) {
      const played = play(table.board, recording, [san], sans.slice(0, i));
      const desk = openEntryStore(table.file);
      const [game] = desk.games();
      const entry = { game: 1, atMs: desk.sittings()[0]!.seenToMs + 1, wallMs: 0, by: 'A. Arbiter' };
      const what = { type: 'enter', kind: 'other-hand', side: 'white', ply: 1 } as const;
      const undoes = desk.entered(game!.sittingId).entries.find(({ undone }) => undone === undefined)?.id;
      desk.enter(game!.sittingId, undoes === undefined ? { ...entry, what } : { ...entry, undoes });
      desk.close();
      await played;
    }
    await recording.until((record) => record.ended);
    await recording.stop();
    const reader = openStoreReader(table.file);
    expect(reader.games().map(({ record }) => record.plies.map(({ san }) => san))).toEqual([sans]);
    expect(reader.behind()).toEqual([]);
    reader.close();
    expect(rederiveFile(table.file)).toEqual([[]]);
  });

  it('goes on with a game whose rules are corrected, and begins a new sitting with others between games', async () => {
    const table = setTable();
    const rules = { regime: 'limited' } as const;
    const first = startRecording(table, { sitting: { rules } });
    await play(table.board, first, MATE.slice(0, 2));
    await first.stop();
    // Nobody says any: those that were said still count.
    const second = startRecording(table);
    await second.until((record) => record.plies.length === 2 && record.inSync);
    await second.stop();
    const third = startRecording(table, { sitting: { rules: { regime: 'full' } } });
    await third.until((record) => record.plies.length === 2 && record.inSync);
    await play(table.board, third, MATE.slice(2), MATE.slice(0, 2));
    await third.until((record) => record.ended);
    await third.stop();
    const reader = openStoreReader(table.file);
    expect(reader.sittings().map(({ options }) => options.rules)).toEqual([{ regime: 'full' }]);
    reader.close();
    const fourth = startRecording(table, { sitting: { rules } });
    await fourth.until(() => true);
    await fourth.stop();
    const after = openStoreReader(table.file);
    expect(after.sittings().map(({ options }) => options.rules)).toEqual([{ regime: 'full' }, rules]);
    after.close();
    expect(rederiveFile(table.file).flat()).toEqual([]);
  });

  it('tells nothing of a game that is not on disk', async () => {
    const table = setTable();
    const recording = startRecording(table);
    const reader = openStoreReader(table.file);
    let compared = 0;
    recording.games$.subscribe(({ id, record, events }) => {
      const stored = reader.games({ id })[0]?.record;
      for (const event of events) {
        if (event.type === 'ply') {
          // Later commits may have replaced the ply, never lost it.
          expect(stored!.plies.length).toBeGreaterThanOrEqual(Math.min(event.number, record.plies.length));
          compared++;
        }
        if (event.type === 'flag') expect(stored!.flags).toContainEqual(event.flag);
      }
    });
    await play(table.board, recording, MATE);
    await recording.until((record) => record.ended);
    await recording.stop();
    reader.close();
    expect(compared).toBeGreaterThanOrEqual(MATE.length);
  });

  it('goes on with the same game after a restart in the middle of it', async () => {
    const table = setTable();
    const first = startRecording(table);
    await play(table.board, first, MATE.slice(0, 2));
    await first.stop();

    const second = startRecording(table);
    await second.until((record) => record.plies.length === 2 && record.inSync);
    await play(table.board, second, MATE.slice(2), MATE.slice(0, 2));
    await second.until((record) => record.ended);
    await second.stop();

    const reader = openStoreReader(table.file);
    expect(reader.games().map((game) => game.record.plies.map((ply) => ply.san))).toEqual([MATE]);
    expect(reader.games()[0]!.record.flags.map((flag) => flag.code)).toContain('LINK_LOST');
    expect(reader.runs()).toHaveLength(2);
    reader.close();
    expect(rederiveFile(table.file)).toEqual([[]]);
  });

  it('keeps a game over a cable that is pulled and put back', async () => {
    const table = setTable();
    const recording = startRecording(table);
    await play(table.board, recording, MATE.slice(0, 2));
    recording.device.unplug();
    await recording.until((record) => record.flags.some((flag) => flag.code === 'LINK_LOST'));
    recording.device.plug();
    await recording.until((record) => record.flags.some((flag) => flag.code === 'RESYNC'));
    await play(table.board, recording, MATE.slice(2), MATE.slice(0, 2));
    const { plies } = await recording.until((record) => record.ended);
    expect(plies.map((ply) => ply.san)).toEqual(MATE);
    await recording.stop();
    expect(rederiveFile(table.file)).toEqual([[]]);
  });

  it('begins a new sitting when the board is to be recorded otherwise', async () => {
    const table = setTable();
    const first = startRecording(table);
    await first.until((record) => record.game === 1);
    await first.stop();
    const start = '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1';
    const second = startRecording(table, { sitting: { start } });
    await second.until((record) => record.start === start);
    await second.stop();
    const reader = openStoreReader(table.file);
    expect(reader.sittings().map((sitting) => sitting.options.start)).toEqual([undefined, start]);
    reader.close();
  });

  it('keeps what the disk will not take, says so, and writes it when it does', async () => {
    const table = setTable();
    const recording = startRecording(table);
    await play(table.board, recording, MATE.slice(0, 2));
    // Another program holds the database: every commit is refused.
    const other = new Sqlite(table.file);
    other.exec('BEGIN IMMEDIATE');
    const playing = play(table.board, recording, MATE.slice(2), MATE.slice(0, 2));
    await recording.fault;
    expect(recording.all.filter((update) => update.type === 'fault')).toMatchObject([
      { fault: { code: 'STORE_LOCKED' }, lost: false },
    ]);
    other.exec('ROLLBACK');
    other.close();
    await playing;
    const { plies } = await recording.until((record) => record.ended);
    expect(plies.map((ply) => ply.san)).toEqual(MATE);
    await recording.stop();
    expect(rederiveFile(table.file)).toEqual([[]]);
  });

  it('says so when the folder for games cannot be written, and records all the same', async () => {
    const table = setTable();
    // The folder is a file.
    const recording = startRecording(table, {
      pgnDir: join(table.file, 'pgn'),
      captureDir: join(table.file, 'c'),
    });
    await play(table.board, recording, MATE);
    await recording.until((record) => record.ended);
    await recording.stop();
    const faults = recording.all.filter((update) => update.type === 'fault').map(({ fault }) => fault.code);
    expect(new Set(faults)).toEqual(new Set(['PGN_DIR_UNWRITABLE', 'CAPTURE_DIR_UNWRITABLE']));
    const reader = openStoreReader(table.file);
    expect(reader.games()[0]!.record.plies).toHaveLength(4);
    reader.close();
  });
});
