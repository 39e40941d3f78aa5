/**
 * The demo: simulated boards at real ports, played by simulated people, found and recorded by the real recorder. At
 * the end it compares what was recorded with what was played.
 */
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  defer,
  endWith,
  filter,
  finalize,
  ignoreElements,
  lastValueFrom,
  map,
  merge,
  type Observable,
  ReplaySubject,
  switchMap,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import type { BoardDefinition } from '../../boards/definition.ts';
import { findBoard } from '../../boards/registry.ts';
import { BoardError } from '../../core/board-error.ts';
import { type Clock, createSystemClock } from '../../driver/clock.ts';
import { createFleet } from '../../driver/fleet.ts';
import { createLoopbackDevice } from '../../driver/loopback-device.ts';
import { createPseudoTerminal } from '../../driver/pseudo-terminal.ts';
import type { BoardId } from '../../driver/roster.ts';
import type { DeviceEnd } from '../../driver/transport.ts';
import { type RecorderUpdate, record$ } from '../recorder.ts';
import { openStore, openStoreReader, type Store, type StoredGame } from '../store/store.ts';
import { findDifferences } from './check-games.ts';
import { serveBoard } from './simulated-board.ts';
import { createDemoTables, type DemoTable } from './tables.ts';

export interface DemoOptions {
  /** How many times faster than real time everything goes. */
  readonly speed?: number;
  /** Number of boards. */
  readonly boards?: number;
  /** Chooses games and hands. */
  readonly seed?: number;
  /** Where database and PGN files go; a new folder among the system's temporary files when absent. */
  readonly dir?: string;
  /** Ends the demo early; what has been recorded by then is kept and compared no more. */
  readonly stop$?: Observable<unknown>;
}

/** Where the demo tells what happens. */
export interface DemoOut {
  /** Shows what the recorder tells while it runs. */
  show(update: RecorderUpdate): void;
  /** Ends the showing; text follows. */
  done(): void;
  /** Says something to people: whole lines without the last line break. */
  say(text: string): void;
}

export const DEMO_DEFAULTS = { speed: 8, boards: 4, seed: 1 } as const;

/** Longest wait for boards to be found, ms. */
const FIND_MS = 20_000;
/** Between the starts of two tables, ms of the demo's clock. */
const STAGGER_MS = 700;
/** After the last hand has left: the longest a recorder may take to conclude, ms of the demo's clock. */
const CONCLUDE_MS = 30_000;
/** Hands on a machine that has other things to do as well take this many times as long as they would, at the most. */
const HELD_UP = 2;

/** A table, and the far end of the link its board is behind. */
interface Seat {
  readonly table: DemoTable;
  readonly device: DeviceEnd;
}

const boardIdOf = (definition: BoardDefinition, table: DemoTable): BoardId =>
  `${definition.id}-${table.serialNumber}`;

/** The far end of a port at which a simulated board sits. */
export const makeDevice = async (): Promise<DeviceEnd> =>
  (await createPseudoTerminal()) ?? (await createLoopbackDevice());

/**
 * Runs the demo and says how it went: 0 when every game was recorded exactly as it was played, 1 when anything differs
 * or was never found; 0 as well when it was stopped. Failures of the world (a folder that cannot be written) are thrown as `BoardError`.
 */
export async function runDemo(options: DemoOptions, out: DemoOut): Promise<number> {
  const { speed, boards, seed } = { ...DEMO_DEFAULTS, ...options };
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'jadoube-demo-')));
  await makeFolder(dir);
  const pgnDir = join(dir, 'pgn');
  const file = join(dir, 'jadoube.db');
  const definition = findBoard('dgt');
  if (!definition.ok) throw new Error(definition.fault.message);

  const tables = createDemoTables(boards, seed);
  const seats: Seat[] = [];
  const store = openStore(file, { wallMs: createSystemClock().wallMs });
  const before = new Set(store.games().map((game) => game.id));
  let isStopped = false;
  try {
    for (const table of tables) seats.push({ table, device: await makeDevice() });
    const clock = createSystemClock({ speed, originMs: store.originMs(createSystemClock().wallMs()) });
    for (const { table, device } of seats) {
      out.say(
        `table ${table.number}: ${table.game.white} - ${table.game.black}, board at ${makePlace(device)}`,
      );
    }
    isStopped = await lastValueFrom(
      recordSeats$(seats, definition.value, store, before, pgnDir, clock, options.stop$, out),
      { defaultValue: false },
    );
    out.done();
  } finally {
    await Promise.all(seats.map(({ device }) => device.close()));
    store.close();
  }

  const reader = openStoreReader(file);
  try {
    const games = reader.games().filter((game) => !before.has(game.id));
    return tellEnd(tables, definition.value, games, { file, pgnDir, isStopped }, out);
  } finally {
    reader.close();
  }
}

/** Makes a folder for database and PGN; STORE_DISK when it cannot be. */
export async function makeFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true });
  } catch (error) {
    throw new BoardError('STORE_DISK', { file: dir }, error);
  }
}

const makePlace = ({ address }: DeviceEnd): string =>
  address.type === 'serial'
    ? address.path
    : address.type === 'tcp'
      ? `tcp://${address.host}:${address.port}`
      : address.type;

/** Plays and records everything; emits once, whether it was stopped before the end. */
function recordSeats$(
  seats: readonly Seat[],
  definition: BoardDefinition,
  store: Store,
  before: ReadonlySet<number>,
  pgnDir: string,
  clock: Clock,
  stop$: Observable<unknown> | undefined,
  out: DemoOut,
): Observable<boolean> {
  return defer(() => {
    const fleet = createFleet({
      definitions: [definition],
      clock,
      // The demo leaves the ports of this machine alone: real boards may be in use.
      list: async () => [],
      extra: () => seats.map(({ device }) => device.address),
    });
    const tableOf = new Map(seats.map(({ table }) => [boardIdOf(definition, table), table]));
    const allUp$ = fleet.status$.pipe(
      filter(({ boards }) => boards.filter((board) => board.state === 'up').length === seats.length),
      take(1),
    );
    const simulated$ = merge(
      ...seats.map(({ table, device }) => {
        const start$ = allUp$.pipe(switchMap(() => clock.timer$(STAGGER_MS * table.number)));
        const options = { serialNumber: table.serialNumber, rotated: table.rotated };
        return serveBoard(device, definition, options, { actions: table.played.actions, start$ }, clock);
      }),
    );
    const longestMs = Math.max(...seats.map(({ table }) => table.played.endAtMs));
    const overdue$ = merge(
      allUp$.pipe(
        switchMap(() => clock.timer$(HELD_UP * longestMs + STAGGER_MS * seats.length + CONCLUDE_MS)),
        map(() => false),
      ),
      timer(FIND_MS).pipe(
        takeUntil(allUp$),
        map(() => false),
      ),
    );
    const halted$ = (stop$ ?? defer(() => [])).pipe(map(() => true));

    return defer(() => {
      const ended$ = new ReplaySubject<boolean>(1);
      const over = new Set<BoardId>();
      let isStopped = false;
      const updates$ = record$({
        fleet,
        store,
        clock,
        stop$: merge(
          ended$,
          overdue$,
          halted$.pipe(
            tap(() => {
              isStopped = true;
            }),
          ),
        ),
        pgnDir,
        tagsOf: (board) => tagsOf(tableOf.get(board)),
      }).pipe(
        tap((update) => {
          out.show(update);
          // A folder that is used again holds games of these boards that ended long ago.
          const isOver = update.type === 'game' && update.record.ended && !before.has(update.id);
          if (isOver) over.add(update.board);
          if (over.size === seats.length) ended$.next(false);
        }),
        ignoreElements(),
      );
      return merge(updates$, simulated$.pipe(takeUntil(merge(ended$, overdue$, halted$)))).pipe(
        ignoreElements(),
        endWith(undefined),
        map(() => isStopped),
        finalize(() => ended$.complete()),
      );
    });
  });
}

const tagsOf = (table: DemoTable | undefined): Record<string, string> =>
  table === undefined
    ? {}
    : {
        Event: 'Demo',
        Site: table.game.site,
        Round: '1',
        White: table.game.white,
        Black: table.game.black,
      };

/** Prints the games, where everything is, and what differs; the exit status. */
function tellEnd(
  tables: readonly DemoTable[],
  definition: BoardDefinition,
  games: readonly StoredGame[],
  run: { readonly file: string; readonly pgnDir: string; readonly isStopped: boolean },
  out: DemoOut,
): number {
  const differences: string[] = [];
  for (const table of tables) {
    const own = games.filter((game) => game.board === boardIdOf(definition, table));
    const game = [...own].sort((a, b) => b.record.plies.length - a.record.plies.length)[0];
    differences.push(...findDifferences(table, game?.record));
    if (game === undefined) continue;
    const { plies, result } = game.record;
    const { name, year } = table.game;
    out.say(`table ${table.number}: ${name} (${year}), ${plies.length} plies, ${result}`);
    out.say(`  ${plies.map((ply, i) => (i % 2 === 0 ? `${i / 2 + 1}. ${ply.san}` : ply.san)).join(' ')}`);
  }
  out.say(`PGN: ${run.pgnDir}`);
  out.say(`database: ${run.file}`);
  if (run.isStopped) {
    out.say('stopped before the end: nothing is compared');
    return 0;
  }
  if (differences.length === 0) {
    out.say(`all ${tables.length} games were recorded exactly as they were played`);
    return 0;
  }
  for (const difference of differences) out.say(difference);
  return 1;
}
