import {
  catchError,
  concat,
  connect,
  defer,
  EMPTY,
  endWith,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  retry,
  takeUntil,
  tap,
  throwError,
} from 'rxjs';
import type { BoardDefinition, BoardSettings, SessionEvent } from '../boards/definition.ts';
import { BoardError, isBoardError } from '../core/board-error.ts';
import { makeLinkAddress } from './address.ts';
import { Attempts } from './attempts.ts';
import { type BackoffOptions, RECONNECT_BACKOFF } from './backoff.ts';
import type { Clock } from './clock.ts';
import { type BoardUpdate, createConnection } from './connection.ts';
import { runMachine } from './run-machine.ts';
import type { LinkEvent, Transport } from './transport.ts';

export interface ConnectOptions {
  readonly clock: Clock;
  /** Waits between attempts until a board has answered for the first time; default: `RECONNECT_BACKOFF`. */
  readonly backoff?: BackoffOptions;
  /** What the boards of this port are told to do; heard only while the link is open. */
  readonly command$?: Observable<PortCommand>;
  /** How long ago a board of this kind that may be here was last heard, ms; undefined when none is away. */
  readonly awayMs?: (kind: BoardDefinition) => number | undefined;
  /** What a person has set for a kind of board. */
  readonly settings?: (kind: BoardDefinition) => BoardSettings;
}

/** A command for the board of a port, or for one of the boards of its line. */
export type PortCommand = Omit<Extract<SessionEvent, { type: 'command' }>, 'type' | 'atMs'>;

/** An update of a port, with the kind of board it is spoken to as. */
export interface PortUpdate {
  readonly definition: BoardDefinition;
  readonly update: BoardUpdate;
}

/**
 * Opens a link and runs the session of a board over it until the link breaks: one connection, no second chance. Ends
 * with a `BoardError`; completes only when the link does.
 */
export function connectOnce(
  definition: BoardDefinition,
  transport: Transport,
  { clock, command$ = EMPTY, awayMs, settings }: Omit<ConnectOptions, 'backoff'>,
): Observable<BoardUpdate> {
  return defer(() => {
    const device = makeLinkAddress(transport.address);
    let write = (_: Uint8Array): Promise<void> => Promise.reject(new BoardError('LINK_GONE', { device }));
    const hear = (event: LinkEvent): SessionEvent => {
      if (event.type === 'bytes') return event;
      write = event.write;
      const away = awayMs?.(definition);
      return { type: 'opened', atMs: event.atMs, ...(away !== undefined && { awayMs: away }) };
    };
    const told$ = command$.pipe(
      map((command): SessionEvent => ({ type: 'command', atMs: clock.monotonicMs(), ...command })),
    );
    return transport.open$().pipe(
      map(hear),
      // Commands end with the link, not the link with them.
      connect((heard$) => merge(heard$, told$.pipe(takeUntil(heard$.pipe(ignoreElements(), endWith(0)))))),
      runMachine(
        () =>
          createConnection(
            definition.createSession(settings?.(definition)),
            device,
            definition.line !== undefined,
          ),
        clock,
        { wake: 'now' },
      ),
      mergeMap((output) => {
        if (output.type === 'broken') return throwError(() => output.error);
        if (output.type !== 'tx') return of(output);
        // The transport keeps the order of the calls, so nothing waits here: what the board says in the meantime
        // must not be held up by a write that the system is slow to take.
        const writing = defer(() => write(output.bytes)).pipe(ignoreElements());
        return concat(of(output), writing);
      }),
    );
  });
}

/**
 * Keeps a port connected, trying the given kinds of board in turn until one answers. Subscribing opens, unsubscribing
 * closes. Never ends on a failure that may heal; ends with LINK_UNSUPPORTED when this system cannot open such a port at
 * all, and with any error that is a mistake of ours.
 */
export function connectPort(
  kinds: readonly BoardDefinition[],
  transportFor: (kind: BoardDefinition) => Transport,
  options: ConnectOptions,
): Observable<PortUpdate> {
  const { clock, backoff = RECONNECT_BACKOFF } = options;
  return defer(() => {
    const attempts = new Attempts(kinds, backoff);
    let inMs = 0;

    const attempt$ = defer(() => {
      const definition = attempts.kind();
      const connecting: BoardUpdate = { type: 'link', atMs: clock.monotonicMs(), link: 'connecting' };
      return concat(of(connecting), connectOnce(definition, transportFor(definition), options)).pipe(
        tap((update) => attempts.saw(update)),
        catchError((error: unknown) => {
          if (!isBoardError(error)) return throwError(() => error);
          const failure = attempts.failed(error, clock.monotonicMs());
          if (failure.inMs !== undefined) inMs = failure.inMs;
          return concat(
            from(failure.updates),
            throwError(() => error),
          );
        }),
        map((update) => ({ definition, update })),
      );
    });

    return attempt$.pipe(
      // UPSTREAM of this retry, made anew with every connection: the transport's link, the decoder, the session with
      // its handshake, the wait for the first answer. DOWNSTREAM, kept over all of them: whoever consumes this stream
      // (roster, reconstructor, store). BESIDE it, in `attempts`: how often it failed, and which kind it is. A failure
      // is told as `lost` and `retrying` upstream, as ordinary values, before the error gets here.
      retry({
        delay: (error) =>
          isBoardError(error) && error.code !== 'LINK_UNSUPPORTED'
            ? clock.timer$(inMs)
            : throwError(() => error),
      }),
    );
  });
}

/** Keeps one board of a known kind connected over one transport, as `connectPort` does. */
export const connectBoard = (
  definition: BoardDefinition,
  transport: Transport,
  options: ConnectOptions,
): Observable<BoardUpdate> =>
  connectPort([definition], () => transport, options).pipe(map(({ update }) => update));
