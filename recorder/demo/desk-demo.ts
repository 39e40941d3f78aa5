/**
 * The demo of the desk: twelve simulated boards at real ports, recorded by the real recorder, and the desk beside it. Whatever boards
 * can bring to an arbiter's attention happens at some table within two minutes; it goes on until it is stopped.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  concat,
  connect,
  defer,
  EMPTY,
  endWith,
  exhaustMap,
  filter,
  ignoreElements,
  lastValueFrom,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  Subject,
  share,
  switchMap,
  take,
  takeUntil,
  tap,
} from 'rxjs';
import type { SimulatorEvent } from '../../boards/definition.ts';
import type { HandAction } from '../../boards/hand/action.ts';
import { findBoard } from '../../boards/registry.ts';
import { EMPTY as EMPTY_SQUARE, WHITE_KING } from '../../core/placement.ts';
import { parseSquare } from '../../core/square.ts';
import { type Clock, createSystemClock } from '../../driver/clock.ts';
import { createFleet } from '../../driver/fleet.ts';
import type { DeviceEnd } from '../../driver/transport.ts';
import { desk$ } from '../desk/desk.ts';
import { AUDIT_FILE } from '../desk/desk-service.ts';
import { record$ } from '../recorder.ts';
import { openStore, type Store } from '../store/store.ts';
import type { TournamentChange } from '../tournament/change.ts';
import { openTournamentDesk, type TournamentDesk } from '../tournament/tournament-desk.ts';
import { type DemoOut, makeDevice, makeFolder } from './demo.ts';
import { createDeskScenes, DEMO_RULES, type DeskScene } from './desk-scenes.ts';
import { playActions$, runBoard } from './simulated-board.ts';

export interface DeskDemoOptions {
  /** How many times faster than real time everything goes. */
  readonly speed?: number;
  /** Port of the desk; 0 for any. */
  readonly port?: number;
  /** Where database and PGN files go; a new folder among the system's temporary files when absent. */
  readonly dir?: string;
  /** Folder of the built page. */
  readonly pageDir: string | undefined;
  readonly stop$: Observable<unknown>;
}

export const DESK_DEMO_DEFAULTS = { speed: 2, port: 8090 } as const;

/** Boards without a table: to be assigned, and to go on at when another board fails. */
const SPARE_BOARDS = 2;
/** How long a king is in the air, ms of the demo's clock. */
const LIFT_MS = 4000;
const KING_SQUARE = parseSquare('e1')!;
const LIFTED_KING: readonly HandAction[] = [
  { type: 'square', atMs: 0, square: KING_SQUARE, cell: EMPTY_SQUARE },
  { type: 'square', atMs: LIFT_MS, square: KING_SQUARE, cell: WHITE_KING },
];
/** Between the starts of two tables, ms of the demo's clock. */
export const STAGGER_MS = 900;
/** From the return of a board to the next hand, ms of the demo's clock. */
export const BACK_MS = 12_000;

interface Seat {
  /** What is played; a spare board stands beside the tables. */
  readonly scene: DeskScene | undefined;
  readonly number: number;
  readonly serialNumber: string;
  readonly device: DeviceEnd;
}

/** A device end whose cable can be pulled out: what passes then is lost. */
function withCable(device: DeviceEnd): { readonly device: DeviceEnd; plug(isIn: boolean): void } {
  let isIn = true;
  return {
    device: {
      ...device,
      bytes$: device.bytes$.pipe(filter(() => isIn)),
      write: (bytes) => {
        if (isIn) device.write(bytes);
      },
    },
    plug: (now) => {
      isIn = now;
    },
  };
}

/** What the hands of a scene do, the cable among it: whoever is held up pulls it later as well. */
function playScene$(
  { actions, unplugged }: DeskScene,
  plug: (isIn: boolean) => void,
  isUp$: Observable<boolean>,
  clock: Clock,
) {
  const { fromMs = Number.POSITIVE_INFINITY, toMs = Number.POSITIVE_INFINITY } = unplugged ?? {};
  const part$ = (startMs: number, endMs: number): Observable<SimulatorEvent> =>
    merge(
      playActions$(
        actions
          .filter(({ atMs }) => atMs >= startMs && atMs < endMs)
          .map((action) => ({ ...action, atMs: action.atMs - startMs })),
        clock,
      ),
      // The last hand of a part is not its end: the board is let alone for as long as it is meant to be.
      Number.isFinite(endMs) ? clock.timer$(endMs - startMs).pipe(ignoreElements()) : EMPTY,
    );
  const plug$ = (isIn: boolean): Observable<never> =>
    defer(() => {
      plug(isIn);
      return EMPTY;
    });
  const until$ = (wanted: boolean): Observable<never> =>
    isUp$.pipe(
      filter((isUp) => isUp === wanted),
      take(1),
      ignoreElements(),
    );
  return concat(
    part$(0, fromMs),
    unplugged === undefined ? EMPTY : plug$(false),
    part$(fromMs, toMs),
    // Until the host has noticed, and then until it hears the board again and has looked at it.
    unplugged?.toMs === undefined ? EMPTY : until$(false),
    unplugged?.toMs === undefined ? EMPTY : plug$(true),
    unplugged?.toMs === undefined ? EMPTY : until$(true),
    unplugged?.toMs === undefined ? EMPTY : clock.timer$(BACK_MS).pipe(ignoreElements()),
    part$(toMs, Number.POSITIVE_INFINITY),
  );
}

/** Runs the demo of the desk until `stop$`; `opened` hears the address. Failures of the world are thrown as `BoardError`. */
export async function runDeskDemo(
  options: DeskDemoOptions,
  out: DemoOut,
  opened: (url: string, file: string) => void = () => {},
): Promise<number> {
  const { speed, port } = { ...DESK_DEMO_DEFAULTS, ...options };
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'jadoube-desk-')));
  await makeFolder(dir);
  const file = join(dir, 'jadoube.db');
  const seats: Seat[] = [];
  const store = openStore(file, { wallMs: createSystemClock().wallMs });
  try {
    const scenes = createDeskScenes();
    for (const [i, scene] of [...scenes, ...Array.from({ length: SPARE_BOARDS }, () => undefined)].entries())
      seats.push({ scene, number: i + 1, serialNumber: String(20_101 + i), device: await makeDevice() });
    const clock = createSystemClock({ speed, originMs: store.originMs(createSystemClock().wallMs()) });
    const tournament = openTournamentDesk(file, clock);
    try {
      if (tournament.current().pairings.length === 0) tournament.apply(pairTables(seats), 'demo');
      await lastValueFrom(
        deskDemo$(seats, store, tournament, clock, { ...options, speed, port, dir, file }, out, opened),
        { defaultValue: undefined },
      );
    } finally {
      tournament.close();
    }
    out.done();
  } finally {
    await Promise.all(seats.map(({ device }) => device.close()));
    store.close();
  }
  out.say(`PGN: ${join(dir, 'pgn')}`);
  out.say(`database: ${file}`);
  return 0;
}

function deskDemo$(
  seats: readonly Seat[],
  store: Store,
  tournament: TournamentDesk,
  clock: Clock,
  options: Required<Pick<DeskDemoOptions, 'speed' | 'port' | 'stop$'>> & {
    readonly dir: string;
    readonly file: string;
    readonly pageDir: string | undefined;
  },
  out: DemoOut,
  opened: (url: string, file: string) => void,
): Observable<never> {
  return defer(() => {
    const found = findBoard('dgt');
    if (!found.ok) throw new Error(found.fault.message);
    const definition = found.value;
    const fleet = createFleet({
      definitions: [definition],
      clock,
      // The demo leaves the ports of this machine alone: real boards may be in use.
      list: async () => [],
      extra: () => seats.map(({ device }) => device.address),
    });
    const seatOf = new Map(seats.map((seat) => [boardOf(seat), seat]));
    /** Boards on which a button of the setup page lifts a king. */
    const lifted = new Subject<string>();
    const stop$ = options.stop$.pipe(take(1), share());
    const allUp$ = fleet.status$.pipe(
      filter(({ boards }) => boards.filter(({ state }) => state === 'up').length === seats.length),
      take(1),
      share(),
    );
    const simulated$ = merge(
      ...seats.map((seat) => {
        const { scene, serialNumber, number } = seat;
        const begun$ = allUp$.pipe(
          switchMap(() => clock.timer$(STAGGER_MS * number)),
          share(),
        );
        const cable = withCable(seat.device);
        const isUp$ = fleet.status$.pipe(
          map(({ boards }) =>
            boards.some(({ board, state }) => state === 'up' && seatOf.get(board) === seat),
          ),
        );
        const played$ =
          scene === undefined
            ? NEVER
            : begun$.pipe(switchMap(() => playScene$(scene, cable.plug, isUp$, clock)));
        const kings$ = lifted.pipe(
          filter((board) => board === boardOf(seat)),
          exhaustMap(() => playActions$(LIFTED_KING, clock)),
        );
        const hands$ = merge(played$, kings$);
        return runBoard(definition, { serialNumber, ...standsAs(scene) }, hands$, of(cable.device), clock);
      }),
    );
    const recording$ = record$({
      fleet,
      store,
      clock,
      stop$,
      pgnDir: join(options.dir, 'pgn'),
      sitting: (board) => {
        const { rules = DEMO_RULES, start } = seatOf.get(board)?.scene ?? {};
        return { rules, ...(start !== undefined && { start }) };
      },
    });
    return merge(
      recording$.pipe(
        connect((updates$) =>
          merge(
            updates$.pipe(tap((update) => out.show(update))),
            desk$({
              updates$,
              file: options.file,
              clock,
              speed: options.speed,
              port: options.port,
              pageDir: options.pageDir,
              auditFile: join(options.dir, AUDIT_FILE),
              tournament,
              simulated: {
                // Where a game is played the king is somebody's.
                boards: seats.filter(({ scene }) => scene === undefined).map(boardOf),
                liftKing: (board) => lifted.next(board),
              },
            }).pipe(
              tap((notice) => {
                if (notice.type === 'listening') {
                  out.say(`desk: ${notice.url}`);
                  opened(notice.url, options.file);
                } else out.say(String(notice.error));
              }),
              takeUntil(updates$.pipe(ignoreElements(), endWith(0))),
            ),
          ),
        ),
      ),
      simulated$.pipe(takeUntil(stop$)),
    ).pipe(ignoreElements());
  });
}

/** How the pieces, and the board itself, stand when it is switched on. */
function standsAs({
  start,
  placement = start?.split(' ')[0],
  isTurned,
  keepsNoLog,
}: Partial<DeskScene> = {}) {
  return {
    ...(keepsNoLog !== undefined && { keepsNoLog }),
    ...(placement !== undefined && { placement }),
    ...(isTurned !== undefined && { rotated: isTurned }),
  };
}

const boardOf = ({ serialNumber }: Pick<Seat, 'serialNumber'>): string => `dgt-${serialNumber}`;

/** Round 1 as an arbiter would have paired it, each table with its board. */
function pairTables(seats: readonly Seat[]): TournamentChange[] {
  const changes: TournamentChange[] = [{ type: 'event', facts: { name: 'Demo', site: 'Hall' } }];
  for (const { scene, number, serialNumber } of seats) {
    if (scene === undefined) continue;
    const key = `table ${number}`;
    const [white, black] = [`white ${number}`, `black ${number}`];
    changes.push(
      { type: 'player-added', key: white, facts: { section: '', name: scene.white } },
      { type: 'player-added', key: black, facts: { section: '', name: scene.black } },
      {
        type: 'pairing-added',
        key,
        facts: {
          section: '',
          round: 1,
          leg: 1,
          board: number,
          place: number,
          white: { key: white },
          black: { key: black },
        },
      },
      { type: 'assigned', pairing: { key }, eboard: boardOf({ serialNumber }), takesGames: false },
    );
  }
  return changes;
}
