import {
  catchError,
  concat,
  defer,
  EMPTY,
  filter,
  from,
  ignoreElements,
  type MonoTypeOperatorFunction,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  ReplaySubject,
  Subject,
  share,
  take,
  takeUntil,
  tap,
  throwError,
} from 'rxjs';
import type { BoardCommand, BoardDefinition, BoardSettings } from '../boards/definition.ts';
import { BoardError, type FaultCode, isBoardError } from '../core/board-error.ts';
import type { Fault } from '../core/result.ts';
import type { LinkAddress } from './address.ts';
import { PROBE_BACKOFF, RECONNECT_BACKOFF } from './backoff.ts';
import type { Clock } from './clock.ts';
import { connectPort, type PortCommand } from './connect.ts';
import { createTransport } from './create-transport.ts';
import { type Candidate, type DiscoveryOptions, watchPorts$ } from './discovery.ts';
import {
  type BoardId,
  type BoardMessage,
  createRoster,
  type FleetStatus,
  type RosterEvent,
  type RosterOutput,
} from './roster.ts';
import { runMachine } from './run-machine.ts';
import type { Transport } from './transport.ts';

/**
 * Which ports are looked at besides the named ones. `all`: every port where a board may be. `known`: ports that appear
 * later, for boards that were seen before and come back under another name. `none`: no other.
 */
export const SEARCHES = ['all', 'known', 'none'] as const;
export type Search = (typeof SEARCHES)[number];

export interface FleetOptions extends DiscoveryOptions {
  readonly clock: Clock;
  /** Default: `known` when places are named, else `all`. */
  readonly search?: Search;
  /** Time between two looks at the ports, ms of the clock; default `WATCH_MS`. */
  readonly watchMs?: number;
  /** What a person has set for a kind of board. */
  readonly settings?: (kind: BoardDefinition) => BoardSettings;
  /**
   * Boards that were last heard before this program was started: `sinceMs` by the clock. Those that remember what is played without
   * a listener are asked for it when they are found.
   */
  readonly away?: readonly { readonly board: BoardId; readonly kind: string; readonly sinceMs: number }[];
  /** How a link is opened; default: `createTransport`. */
  readonly transportFor?: (link: LinkAddress, definition: BoardDefinition) => Transport;
}

/** Many boards: found, connected and kept, whatever is plugged where. */
export interface Fleet {
  /**
   * What every board says, in order per board; a board keeps its id through unplugging, other ports and other names.
   * Subscribing opens the ports, unsubscribing closes them; all subscribers share them.
   */
  readonly updates$: Observable<BoardMessage>;
  /** All boards and ports as they stand, at once and after every change. Shares the ports with `updates$`. */
  readonly status$: Observable<FleetStatus>;
  /**
   * Tells a board to do something, when somebody subscribes: one value when it is known what came of it, a fault or
   * undefined. Works only while `updates$` or `status$` has a subscriber; else the board is away (COMMAND_AWAY).
   */
  command$(board: BoardId, command: BoardCommand): Observable<Fault | undefined>;
}

/** A board says within this time what became of a command, ms. */
const ANSWER_MS = 15_000;

/** Shares one subscription among all who look, gives newcomers the latest value, and lets go with the last of them. */
const shareLatest = <T>(): MonoTypeOperatorFunction<T> =>
  share({ connector: () => new ReplaySubject<T>(1), resetOnRefCountZero: true });

/**
 * Creates a fleet; nothing is opened before somebody subscribes. Ends only with a mistake of ours. Throws BOARD_UNKNOWN
 * when a named kind of board does not exist.
 */
export function createFleet(options: FleetOptions): Fleet {
  const { definitions, clock, named = [], watchMs } = options;
  const search = options.search ?? (named.length > 0 ? 'known' : 'all');
  const transportFor =
    options.transportFor ??
    ((link: LinkAddress, definition: BoardDefinition) => createTransport(link, definition, clock));
  for (const { kind } of named) {
    if (kind === undefined || definitions.some(({ id }) => id === kind)) continue;
    const known = definitions.map(({ id }) => id).join(', ');
    throw new BoardError('BOARD_UNKNOWN', { board: kind, known });
  }

  // Told by the roster below, heard by the connections above it: the only way back in this picture.
  //   watch ──▶ connect each port ──▶ roster ──▶ updates$, status$
  //                    ▲── close ◀───────┘
  const closing = new Subject<string>();
  //   command$ ──▶ roster ──▶ the connection of the port ──▶ roster ──▶ answer
  const asking = new Subject<RosterEvent>();
  const sending = new Subject<{ readonly key: string; readonly command: PortCommand }>();
  let commands = 0;
  /** Boards whose link is lost, and since when: whoever opens a link asks how long a board may have been away. */
  const away = new Map<BoardId, { readonly definition: BoardDefinition; readonly sinceMs: number }>();
  for (const { board, kind, sinceMs } of options.away ?? []) {
    const definition = definitions.find(({ id }) => id === kind);
    if (definition !== undefined) away.set(board, { definition, sinceMs });
  }
  const awayMs = (kind: BoardDefinition): number | undefined => {
    const since = [...away.values()].filter(({ definition }) => definition === kind).map((b) => b.sinceMs);
    return since.length === 0 ? undefined : clock.monotonicMs() - Math.min(...since);
  };
  const watchLink = ({ board, definition, update }: BoardMessage): void => {
    if (update.type !== 'link') return;
    if (update.link === 'lost') away.set(board, { definition, sinceMs: update.atMs });
    if (update.link === 'up') away.delete(board);
  };

  /** Connects one candidate for as long as it is there and wanted, and says when it is not there any more. */
  const work$ = (
    candidate: Candidate,
    knownOnly: boolean,
    gone$: Observable<unknown>,
  ): Observable<RosterEvent> => {
    const { key, link, port, kinds, verdict } = candidate;
    const usbSerial = port?.usb?.serialNumber;
    const usbSocket = port?.usb?.socket;
    const began: RosterEvent = {
      type: 'port',
      atMs: clock.monotonicMs(),
      port: {
        key,
        link,
        ...(usbSerial && { usbSerial }),
        ...(usbSocket && { usbSocket }),
        ...(knownOnly && { knownOnly }),
      },
    };
    const connected$ = connectPort(kinds, (kind) => transportFor(link, kind), {
      clock,
      backoff: verdict === 'probe' ? PROBE_BACKOFF : RECONNECT_BACKOFF,
      command$: sending.pipe(
        filter((sent) => sent.key === key),
        map(({ command }) => command),
      ),
      awayMs,
      ...(options.settings && { settings: options.settings }),
    }).pipe(
      map((update): RosterEvent => ({ type: 'update', atMs: clock.monotonicMs(), key, update })),
      catchError((error: unknown) =>
        isBoardError(error)
          ? of<RosterEvent>({ type: 'failed', atMs: clock.monotonicMs(), key, fault: error.toFault() })
          : throwError(() => error),
      ),
      takeUntil(merge(gone$, closing.pipe(filter((closed) => closed === key)))),
    );
    const vanished$ = gone$.pipe(
      take(1),
      map((): RosterEvent => ({ type: 'vanished', atMs: clock.monotonicMs(), key })),
    );
    // In this order: the link is closed before anybody hears that it vanished, and may take its board over.
    return merge(concat(of(began), connected$), vanished$);
  };

  const event$ = defer((): Observable<RosterEvent> => {
    const change$ = watchPorts$(options, clock, watchMs).pipe(share());
    const port$ = change$.pipe(
      mergeMap(({ appeared }, look) =>
        from(appeared.filter(({ verdict, kinds }) => kinds.length > 0 && isWanted(verdict, look))),
      ),
      mergeMap((candidate) =>
        work$(
          candidate,
          search === 'known' && candidate.verdict !== 'named',
          change$.pipe(filter(({ vanished }) => vanished.includes(candidate.key))),
        ),
      ),
    );
    return merge(port$, asking);
  });

  const isWanted = (verdict: Candidate['verdict'], look: number): boolean =>
    verdict === 'named' || (verdict !== 'other' && (search === 'all' || (search === 'known' && look > 0)));

  const output$: Observable<RosterOutput> = event$.pipe(
    runMachine(createRoster, clock),
    tap((output) => {
      if (output.type === 'close') closing.next(output.key);
      if (output.type === 'send') sending.next(output);
      if (output.type === 'board') watchLink(output);
    }),
    share(),
  );
  const status$ = output$.pipe(
    filter((output) => output.type === 'status'),
    map(({ status }) => status),
    shareLatest(),
  );
  // Whoever follows the boards keeps the latest status warm, so that a later look at it need not wait for a change.
  const updates$ = merge(
    status$.pipe(ignoreElements()),
    output$.pipe(filter((output) => output.type === 'board')),
  );
  const command$ = (board: BoardId, command: BoardCommand): Observable<Fault | undefined> =>
    defer(() => {
      const id = ++commands;
      const fault = (code: FaultCode): Fault => new BoardError(code, { board }).toFault();
      if (!asking.observed) return of(fault('COMMAND_AWAY'));
      const answer$ = output$.pipe(
        filter((output) => output.type === 'answer' && output.id === id),
        map((output) => (output.type === 'answer' ? output.fault : undefined)),
      );
      const asked$ = defer(() => {
        asking.next({ type: 'command', atMs: clock.monotonicMs(), board, id, command });
        return EMPTY;
      });
      // The answer may come before asking returns.
      return merge(
        answer$,
        asked$,
        clock.timer$(ANSWER_MS).pipe(map(() => fault('COMMAND_UNANSWERED'))),
      ).pipe(take(1));
    });
  return { updates$, status$, command$ };
}
