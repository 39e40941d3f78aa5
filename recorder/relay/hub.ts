import {
  concat,
  concatMap,
  defer,
  EMPTY,
  filter,
  from,
  groupBy,
  ignoreElements,
  merge,
  mergeMap,
  type Observable,
  of,
  repeat,
  Subject,
  scan,
  startWith,
  switchMap,
  timer,
} from 'rxjs';
import { BoardError } from '../../core/board-error.ts';
import type { FleetStatus, PortStatus } from '../../driver/roster.ts';
import { type FailedAttempt, failedAttempt } from '../attempt.ts';
import type { ArrivedInput, Heard, HeardMessage } from '../recorder.ts';
import type { Mark } from '../store/relay-tables.ts';
import type { Store } from '../store/store.ts';
import { BEAT_MS, decodeBeat } from './beat.ts';
import { keepSession } from './keep-session.ts';
import { readPiece } from './piece.ts';
import { decodeTaken, encodeRelayEntry, NAME, type RelayEntry } from './relay-message.ts';
import type { Wire, WireMessage, WireSession } from './wire.ts';

export interface HubOptions {
  readonly store: Store;
  readonly wire: Wire;
  /** Time before a connection is tried again, ms. */
  readonly retryMs?: number;
  /** Time between two looks for new entries, ms. */
  readonly everyMs?: number;
  /** Time after which an edge that says nothing is silent, ms. */
  readonly silentMs?: number;
  /** Who derives the games: this process, or workers that hear the same stream. */
  readonly derive?: 'here' | 'workers';
}

/** What a hub tells besides games. */
export type HubNews =
  | { readonly type: 'relay'; readonly state: 'up' }
  | {
      readonly type: 'edge';
      readonly edge: string;
      readonly state: 'up' | 'silent';
      readonly waiting: number;
    }
  | FailedAttempt;

/** The ear of a hub: what `record$` hears, and what is to be said besides. */
export interface Hub {
  /** Subscribing to `updates$` connects; one subscriber. Errors are failures of the store. */
  readonly heard: Heard;
  /** What is told from now on while somebody hears. */
  readonly news$: Observable<HubNews>;
}

const EVERY_MS = 500;

type HubOutput = HeardMessage | HubNews;

/** Creates the ear of a hub; nothing is connected before somebody subscribes. */
export function createHub(options: HubOptions): Hub {
  const { store, wire, retryMs, silentMs = 5 * BEAT_MS, derive = 'here' } = options;
  const channel = derive === 'here' ? 'inputs' : 'derived';
  const markOf = ({ stream }: WireSession): Mark =>
    channel === 'inputs' ? `stream:${stream}` : `derived:${stream}`;
  const session = (open: WireSession): Observable<HubOutput> =>
    merge(
      of<HubNews>({ type: 'relay', state: 'up' }),
      // What waits for a commit comes again after a new connection and is left out by its place in its sitting.
      defer(() => open.messages$(channel, store.relay.mark(markOf(open)))).pipe(
        // A worker's word that it has come says nothing of a game.
        filter(({ data }) => channel === 'inputs' || decodeTaken(data) === undefined),
        mergeMap((message) => from(hear(message, markOf(open)))),
      ),
      sendEntries(open, options),
      open.beats$.pipe(
        groupBy(({ edge }) => edge),
        mergeMap((beats$) => beats$.pipe(switchMap(({ edge, data }) => watchEdge(edge, data, silentMs)))),
      ),
    );
  const output$: Observable<HubOutput> = keepSession(wire, session, retryMs);
  // News must not connect: whoever listens to them alone would take messages that the recorder then never hears.
  const news$ = new Subject<HubNews>();
  return {
    heard: {
      updates$: output$.pipe(
        mergeMap((output) => {
          if (output.type === 'board') return of(output);
          news$.next(output);
          return EMPTY;
        }),
      ),
      status$: news$.pipe(scan(statusOf, NOBODY), startWith(NOBODY)),
    },
    news$: news$.asObservable(),
  };
}

const NOBODY: FleetStatus = { boards: [], ports: [] };

/** Edges that are silent stand where ports that cannot be used do. */
function statusOf({ ports }: FleetStatus, news: HubNews): FleetStatus {
  if (news.type !== 'edge') return { boards: [], ports };
  const others = ports.filter(({ key }) => key !== news.edge);
  if (news.state === 'up') return { boards: [], ports: others };
  const fault = silent(news.edge, 0).toFault();
  const port: PortStatus = {
    key: news.edge,
    link: { type: 'memory', name: news.edge },
    state: 'lost',
    fault,
  };
  return { boards: [], ports: [...others, port] };
}

const silent = (edge: string, ms: number): BoardError =>
  new BoardError('RELAY_SILENT', { edge, seconds: Math.round(ms / 1000) });

/** An edge is up for a while after each sign of life. */
function watchEdge(edge: string, data: Uint8Array, silentMs: number): Observable<HubNews> {
  const waiting = decodeBeat(data);
  if (waiting === undefined || !NAME.test(edge)) return EMPTY;
  return concat(
    of<HubNews>({ type: 'edge', edge, state: 'up', waiting }),
    timer(silentMs).pipe(
      concatMap((): HubNews[] => [
        { type: 'edge', edge, state: 'silent', waiting },
        failedAttempt(silent(edge, silentMs), false),
      ]),
    ),
  );
}

/** What a message says, or why it cannot be used. */
function hear({ sequence, data }: WireMessage, mark: Mark): HubOutput[] {
  const read = readPiece(data);
  if (!read.ok) return [failedAttempt(new BoardError('RELAY_MESSAGE', { detail: read.fault.message }), true)];
  const { board: name, definition, arrived } = read.value;
  const { kind, origin, options, startedMs, startedWallMs, identity, rows, entries, seenToMs, derived } =
    arrived;
  const message = {
    type: 'board',
    board: name,
    definition,
    elsewhere: { board: name, kind, options, startedMs, startedWallMs, origin, id: undefined },
  } as const;
  const update: ArrivedInput = {
    type: 'arrived',
    rows,
    entries: entries ?? [],
    seenToMs,
    mark,
    sequence,
    ...(derived && { derived }),
  };
  return [
    { ...message, update },
    ...(identity === undefined
      ? []
      : [{ ...message, update: { type: 'identity', atMs: seenToMs, identity } as const }]),
  ];
}

/** Sends what is entered here, decisions and rules, to the edge that records the game. */
function sendEntries(session: WireSession, { store, everyMs = EVERY_MS }: HubOptions): Observable<never> {
  const { relay } = store;
  const send = async (
    mark: `${'entries' | 'rules'}:${string}`,
    waiting: readonly (RelayEntry & { readonly id: number; readonly edge: string })[],
  ): Promise<void> => {
    for (const { id, edge, ...entry } of waiting) {
      await session.publish('entries', [edge], entry.uid, encodeRelayEntry(entry));
      relay.setMark(mark, id);
    }
  };
  const sendAll = async (): Promise<void> => {
    const { stream } = session;
    await send(`entries:${stream}`, relay.entriesAway(relay.mark(`entries:${stream}`)));
    await send(`rules:${stream}`, relay.rulesAway(relay.mark(`rules:${stream}`)));
  };
  return defer(sendAll).pipe(repeat({ delay: () => timer(everyMs) }), ignoreElements());
}
