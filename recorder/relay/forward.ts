import {
  concatMap,
  defer,
  ignoreElements,
  merge,
  NEVER,
  Observable,
  of,
  Subject,
  share,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { BoardError } from '../../core/board-error.ts';
import { type FailedAttempt, failedAttempt } from '../attempt.ts';
import type { ForwardRow, OwnEntry } from '../store/relay-tables.ts';
import type { Store, StoredSitting } from '../store/store.ts';
import { BEAT_MS, encodeBeat } from './beat.ts';
import { keepSession } from './keep-session.ts';
import { nameAtHub, partitionOf } from './partition.ts';
import { decodeRelayEntry, encodeRelayMessage, NAME, type RelayEntry } from './relay-message.ts';
import type { Wire, WireSession } from './wire.ts';

export interface ForwardOptions {
  /** Name of this edge in the event: "hall-1"; RELAY_NAME for one that cannot be a part of a subject. */
  readonly edge: string;
  readonly store: Store;
  readonly wire: Wire;
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

const BATCH_ROWS = 500;
/** A message stays well below the 1 MB that a server takes by default. */
const MESSAGE_BYTES = 256 * 1024;

/** What is known of one life of a stream: how far each sitting was told there, in this run. */
interface Progress {
  readonly stream: string;
  /** How far the time of a sitting was told. */
  readonly seen: Map<number, number>;
  /** What was told of a board. */
  readonly identities: Map<string, string>;
  /** Sittings of which something may be untold. */
  readonly changed: Set<number>;
}

/**
 * Forwards what a store records to the stream of the event, from the last row that is safe there, and takes what is entered at the hub. The store is
 * the spool: with the network gone it goes on recording, and what waits is sent when the network is back. Cold; errors are failures of the store.
 * RELAY_STORE for a store that keeps what others have recorded: it is a hub's.
 */
export function forward$(options: ForwardOptions): Observable<ForwardNews> {
  return defer(() => {
    const { edge, store, wire, retryMs, ending$ = NEVER } = options;
    if (!NAME.test(edge)) throw new BoardError('RELAY_NAME', { name: edge });
    refuseHubStore(store);
    let isEnding = false;
    let progress: Progress | undefined;
    const sent$ = new Subject<void>();
    const end$ = ending$.pipe(
      take(1),
      tap(() => {
        isEnding = true;
      }),
      share(),
    );
    const session = (open: WireSession): Observable<ForwardNews> => {
      // Another life of the stream knows nothing of what was told to the one before.
      if (progress?.stream !== open.stream) progress = createProgress(store, open.stream);
      return merge(
        of<ForwardNews>({ type: 'relay', state: 'up', waiting: waiting(store, open.stream) }),
        forwardAll(open, options, progress, end$, () => {
          if (isEnding) sent$.next();
        }),
        takeEntries(open, options),
        timer(0, BEAT_MS).pipe(
          tap(() => open.beat(edge, encodeBeat(waiting(store, open.stream)))),
          ignoreElements(),
        ),
      );
    };
    return merge(keepSession(wire, session, retryMs), end$.pipe(ignoreElements())).pipe(takeUntil(sent$));
  });
}

/** Refuses a store that keeps what others have recorded, with RELAY_STORE: as an edge, it would give away only a part, under another name. */
export function refuseHubStore(store: Store): void {
  if (store.relay.hasArrivals()) throw new BoardError('RELAY_STORE', { file: store.file });
}

const waiting = (store: Store, stream: string): number =>
  store.relay.waiting(store.relay.mark(`inputs:${stream}`));

const createProgress = (store: Store, stream: string): Progress => ({
  stream,
  seen: new Map(),
  identities: new Map(),
  changed: new Set(store.sittings().map(({ id }) => id)),
});

/** Sends what is not yet in the stream, batch by batch, then whatever a commit brings; `idle` is called when nothing waits. */
function forwardAll(
  session: WireSession,
  options: ForwardOptions,
  progress: Progress,
  end$: Observable<unknown>,
  idle: () => void,
): Observable<never> {
  const { store, batchRows = BATCH_ROWS } = options;
  const { seen, identities, changed } = progress;
  const inputs = `inputs:${session.stream}` as const;
  const own = `own:${session.stream}` as const;

  /** One batch; gives whether more may wait. */
  const batch = async (): Promise<boolean> => {
    const rows = store.relay.rowsAfter(store.relay.mark(inputs), batchRows);
    const isBehind = rows.length === batchRows;
    // An entry stands behind the input that was there before it.
    const entries = isBehind ? [] : store.relay.entriesHere(store.relay.mark(own));
    for (const { sittingId } of [...rows, ...entries]) changed.add(sittingId);
    const concerned = isBehind ? new Set(rows.map(({ sittingId }) => sittingId)) : new Set(changed);
    for (const id of concerned) changed.delete(id);
    try {
      await Promise.all(
        [...concerned].map(async (id) => {
          const sitting = store.sitting(id);
          if (sitting === undefined) return;
          const ownRows = rows.filter(({ sittingId }) => sittingId === id);
          const ownEntries = entries.filter(({ sittingId }) => sittingId === id);
          // More of it waits: its time has come only as far as what is sent.
          const seenToMs = isBehind ? (ownRows.at(-1)?.atMs ?? 0) : sitting.seenToMs;
          if (ownRows.length + ownEntries.length === 0 && (seen.get(id) ?? 0) >= seenToMs) return;
          await send(sitting, ownRows, ownEntries, seenToMs);
        }),
      );
    } catch (error) {
      for (const id of concerned) changed.add(id);
      throw error;
    }
    const last = rows.at(-1);
    if (last !== undefined) store.relay.setMark(inputs, last.id);
    const lastEntry = entries.at(-1);
    if (lastEntry !== undefined) store.relay.setMark(own, lastEntry.id);
    return isBehind || changed.size > 0;
  };

  /** One sitting after another would be slow and two messages of one could change places: one at a time of each, all at once. */
  const send = async (
    sitting: StoredSitting,
    rows: readonly ForwardRow[],
    entries: readonly OwnEntry[],
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
        ...(isLast && entries.length > 0 && { entries: entries.map(({ uid, entry }) => ({ uid, entry })) }),
        seenToMs: reached,
      });
      await session.publish(
        'inputs',
        [partitionOf(nameAtHub(board, options.edge)), options.edge, subjectOf(board)],
        `${origin}.${piece.at(-1)?.id ?? 0}.${isLast ? (entries.at(-1)?.id ?? 0) : 0}.${reached}`,
        message,
      );
      seen.set(id, reached);
    }
    identities.set(board, JSON.stringify(identity));
  };

  const pass = async (): Promise<void> => {
    while (await batch());
    idle();
  };
  return merge(of(0), commits$(store, changed), end$).pipe(
    // What came while a pass was under way went with it, most often.
    concatMap((_, index) => (index > 0 && changed.size === 0 ? defer(() => of(idle())) : defer(pass))),
    ignoreElements(),
  );
}

/** Every commit of a store and every entry that was made beside it; `changed` takes the sittings that are concerned. */
const commits$ = (store: Store, changed: Set<number>): Observable<unknown> =>
  new Observable((subscriber) =>
    store.onCommit((sittingIds) => {
      for (const id of sittingIds) changed.add(id);
      subscriber.next(undefined);
    }),
  );

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
      const isTaken = read.ok && sittingId !== undefined && takeEntered(store, sittingId, read.value);
      store.relay.setMark(mark, sequence);
      if (isTaken) return of({ type: 'entered', uid: read.value.uid });
      const detail = read.ok
        ? `${read.value.uid} is about nothing that is recorded here`
        : read.fault.message;
      return of(failedAttempt(new BoardError('RELAY_MESSAGE', { detail }), true));
    }),
  );
}

function takeEntered({ relay }: Store, sittingId: number, entered: RelayEntry): boolean {
  if (entered.rules === undefined) return relay.takeEntry(sittingId, entered);
  relay.takeRules(sittingId, entered.rules);
  return true;
}

function ownSitting(store: Store, origin: string): number | undefined {
  const { token } = store.relay;
  if (!origin.startsWith(`${token}.`)) return undefined;
  return store.sitting(Number(origin.slice(token.length + 1)))?.id;
}
