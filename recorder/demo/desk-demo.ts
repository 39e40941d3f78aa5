/**
 * The demo of the desk: twelve simulated boards at real ports, recorded by the real recorder, and the desk beside it. Something that
 * needs attention happens at every table; it goes on until it is stopped.
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
  filter,
  ignoreElements,
  lastValueFrom,
  map,
  merge,
  type Observable,
  of,
  share,
  switchMap,
  take,
  takeUntil,
  tap,
} from 'rxjs';
import type { SimulatorEvent } from '../../boards/definition.ts';
import { findBoard } from '../../boards/registry.ts';
import { type Clock, createSystemClock } from '../../driver/clock.ts';
import { createFleet } from '../../driver/fleet.ts';
import type { DeviceEnd } from '../../driver/transport.ts';
import { desk$ } from '../desk/desk.ts';
import { AUDIT_FILE } from '../desk/desk-service.ts';
import { record$ } from '../recorder.ts';
import { openStore, type Store } from '../store/store.ts';
import { type DemoOut, makeDevice, makeFolder } from './demo.ts';
import { createDeskScenes, type DeskScene } from './desk-scenes.ts';
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

/** Between the starts of two tables, ms of the demo's clock. */
const STAGGER_MS = 900;
/** From the return of a board to the next hand, ms of the demo's clock. */
const BACK_MS = 12_000;

interface Seat {
  readonly scene: DeskScene;
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
    playActions$(
      actions
        .filter(({ atMs }) => atMs >= startMs && atMs < endMs)
        .map((action) => ({ ...action, atMs: action.atMs - startMs })),
      clock,
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
    for (const [i, scene] of createDeskScenes().entries())
      seats.push({ scene, number: i + 1, serialNumber: String(20_101 + i), device: await makeDevice() });
    const clock = createSystemClock({ speed, originMs: store.originMs(createSystemClock().wallMs()) });
    await lastValueFrom(deskDemo$(seats, store, clock, { ...options, speed, port, dir, file }, out, opened), {
      defaultValue: undefined,
    });
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
    const seatOf = new Map(seats.map((seat) => [`${definition.id}-${seat.serialNumber}`, seat]));
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
        const hands$ = begun$.pipe(switchMap(() => playScene$(scene, cable.plug, isUp$, clock)));
        return runBoard(definition, { serialNumber }, hands$, of(cable.device), clock);
      }),
    );
    const recording$ = record$({
      fleet,
      store,
      clock,
      stop$,
      pgnDir: join(options.dir, 'pgn'),
      // Enough for what may be claimed and forfeited: full supervision, standard play with an increment.
      sitting: { rules: { white: '5400+30', black: '5400+30', regime: 'full' } },
      tagsOf: (board) => tagsOf(seatOf.get(board)),
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

const tagsOf = (seat: Seat | undefined): Record<string, string> =>
  seat === undefined
    ? {}
    : {
        Event: 'Demo',
        Site: 'Hall',
        Round: '1',
        Board: String(seat.number),
        White: seat.scene.white,
        Black: seat.scene.black,
      };
