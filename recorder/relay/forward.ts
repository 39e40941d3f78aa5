import {
  concatMap,
  defer,
  EMPTY,
  from,
  ignoreElements,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  of,
  repeat,
  Subject,
  switchMap,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { BoardError } from '../../core/board-error.ts';
import { type FailedAttempt, failedAttempt } from '../attempt.ts';
import type { ForwardRow } from '../store/relay-tables.ts';
import type { Store, StoredSitting } from '../store/store.ts';
import { BEAT_MS, encodeBeat } from './beat.ts';
import { keepSession } from './keep-session.ts';
import { decodeRelayEntry, encodeRelayMessage, NAME } from './relay-message.ts';
import type { Wire, WireSession } from './wire.ts';

export interface ForwardOptions {
  /** Name of this edge in the event: "hall-1"; RELAY_NAME for one that cannot be a part of a subject. */
  readonly edge: string;
  readonly store: Store;
  readonly wire: Wire;
  /** Time between two looks for new input, ms. */
  readonly everyMs?: number;
  /** Time before a connection is tried again, ms. */
  readonly retryMs?: number;
  /** Nothing more will be recorded: what waits is sent, then the forwarding completes. */
  readonly ending$?: Observable<unknown>;
  /** Rows that go out at once. */
  readonly batchRows?: number;
}

/** What the forwarding tells. */
export type ForwardNews =
  | { readonly type: 'relay'; readonly state: 'up' | 'away'; readonly waiting: number }
  /** Somebody at the hub has entered something about a game that is recorded here. */
  | { readonly type: 'entered'; readonly uid: string }
  | FailedAttempt;

const EVERY_MS = 100;
const BATCH_ROWS = 500;
/** A message stays well below the 1 MB that a server takes by default. */
const MESSAGE_BYTES = 256 * 1024;

/**
 * Forwards what a store records to the stream of the event, from the last row that is safe there, and takes what is entered at the hub. The store is
 * the spool: with the network gone it goes on recording, and what waits is sent when the network is back. Cold; errors are failures of the store.
 */
export function forward$(options: ForwardOptions): Observable<ForwardNews> {
  const { edge, store, wire, retryMs, ending$ = NEVER } = options;
  if (!NAME.test(edge)) throw new BoardError('RELAY_NAME', { name: edge });
  let isEnding = false;
  const sent$ = new Subject<void>();
  const end$ = ending$.pipe(
    take(1),
    tap(() => {
      isEnding = true;
    }),
    switchMap(() => sent$),
  );
  const session = (open: WireSession): Observable<ForwardNews> =>
    merge(
      of<ForwardNews>({ type: 'relay', state: 'up', waiting: waiting(store, open.stream) }),
      forwardAll(open, options, () => {
        if (isEnding) sent$.next();
      }),
      takeEntries(open, options),
      timer(0, BEAT_MS).pipe(
        tap(() => open.beat(edge, encodeBeat(waiting(store, open.stream)))),
        ignoreElements(),
      ),
    );
  return keepSession(wire, session, retryMs).pipe(takeUntil(end$));
}

const waiting = (store: Store, stream: string): number =>
  store.relay.waiting(store.relay.mark(`inputs:${stream}`));

/** Sends what is not yet in the stream, batch by batch, and looks again; `idle` is called when nothing waited. */
function forwardAll(session: WireSession, options: ForwardOptions, idle: () => void): Observable<never> {
  const { store, everyMs = EVERY_MS, batchRows = BATCH_ROWS } = options;
  const mark = `inputs:${session.stream}` as const;
  /** What this session has said of each sitting: how far its time has come, and what its board is. */
  const seen = new Map<number, number>();
  const identities = new Map<string, string>();

  const batch = async (): Promise<number> => {
    const rows = store.relay.rowsAfter(store.relay.mark(mark), batchRows);
    const sittings = store.sittings().filter(({ origin }) => origin === undefined);
    const isBehind = rows.length === batchRows;
    const sent = sittings.flatMap((sitting) => {
      const own = rows.filter(({ sittingId }) => sittingId === sitting.id);
      // More of it waits: its time has come only as far as what is sent.
      const seenToMs = isBehind ? (own.at(-1)?.atMs ?? 0) : sitting.seenToMs;
      if (own.length === 0 && (seen.get(sitting.id) ?? 0) >= seenToMs) return [];
      return [send(sitting, own, seenToMs)];
    });
    await Promise.all(sent);
    const last = rows.at(-1);
    if (last !== undefined) store.relay.setMark(mark, last.id);
    else idle();
    return rows.length;
  };

  /** One sitting after another would be slow and two messages of one could change places: one at a time of each, all at once. */
  const send = async (
    sitting: StoredSitting,
    rows: readonly ForwardRow[],
    seenToMs: number,
  ): Promise<void> => {
    const { board, kind, options: begun, startedMs, startedWallMs, id } = sitting;
    const origin = `${store.relay.token}.${id}`;
    const identity = store.relay.identity(board);
    const isNew = identities.get(board) !== JSON.stringify(identity);
    for (const [piece, isLast] of pieces(rows)) {
      const reached = isLast ? seenToMs : (piece.at(-1)?.atMs ?? seenToMs);
      const message = encodeRelayMessage({
        edge: options.edge,
        origin,
        board,
        kind,
        options: begun,
        startedMs,
        startedWallMs,
        ...(isNew && { identity }),
        rows: piece,
        seenToMs: reached,
      });
      await session.publish(
        'inputs',
        [options.edge, subjectOf(board)],
        `${origin}.${piece.at(-1)?.id ?? 0}.${reached}`,
        message,
      );
      seen.set(id, reached);
    }
    identities.set(board, JSON.stringify(identity));
  };

  return defer(() => from(batch())).pipe(
    mergeMap((count) => (count === (options.batchRows ?? BATCH_ROWS) ? EMPTY : timer(everyMs))),
    repeat(),
    ignoreElements(),
  );
}

/** A board's id as a part of a subject. */
const subjectOf = (board: string): string => board.replace(/[^A-Za-z0-9_-]/g, '_');

/** Rows in pieces that fit into a message; at least one piece. */
function pieces(rows: readonly ForwardRow[]): [ForwardRow[], boolean][] {
  const cut: ForwardRow[][] = [[]];
  let bytes = 0;
  for (const row of rows) {
    if (bytes > 0 && bytes + row.data.length > MESSAGE_BYTES) {
      cut.push([]);
      bytes = 0;
    }
    cut.at(-1)!.push(row);
    bytes += row.data.length;
  }
  return cut.map((piece, index) => [piece, index === cut.length - 1]);
}

/** Enters here what was entered at the hub; the recorder then derives its game anew. */
function takeEntries(session: WireSession, { edge, store }: ForwardOptions): Observable<ForwardNews> {
  const mark = `entries:${session.stream}` as const;
  return defer(() => session.messages$('entries', store.relay.mark(mark), edge)).pipe(
    concatMap(({ sequence, data }): Observable<ForwardNews> => {
      const read = decodeRelayEntry(data);
      const sittingId = read.ok ? ownSitting(store, read.value.origin) : undefined;
      const isTaken = read.ok && sittingId !== undefined && store.relay.takeEntry(sittingId, read.value);
      store.relay.setMark(mark, sequence);
      if (isTaken) return of({ type: 'entered', uid: read.value.uid });
      const detail = read.ok
        ? `${read.value.uid} is about nothing that is recorded here`
        : read.fault.message;
      return of(failedAttempt(new BoardError('RELAY_MESSAGE', { detail }), true));
    }),
  );
}

function ownSitting(store: Store, origin: string): number | undefined {
  const { token } = store.relay;
  if (!origin.startsWith(`${token}.`)) return undefined;
  const id = Number(origin.slice(token.length + 1));
  return store.sittings().some((sitting) => sitting.id === id) ? id : undefined;
}
