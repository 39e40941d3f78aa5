/**
 * The recorder: what boards say goes into the store, games are derived from it, and what is committed is shown and
 * published. Nothing leaves this file that is not on disk.
 *
 *   fleet ──▶ raw input ──▶ derivation ──▶ writes ──▶ commit, at most 20 a second ──▶ records ──▶ updates
 *             (a board each; captures)                (all boards together)                └────▶ PGN files
 */
import {
  catchError,
  connect,
  defer,
  EMPTY,
  exhaustMap,
  filter,
  finalize,
  from,
  type GroupedObservable,
  groupBy,
  map,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  type OperatorFunction,
  of,
  ReplaySubject,
  startWith,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import type { BoardIdentity } from '../boards/definition.ts';
import { type BoardError, isBoardError } from '../core/board-error.ts';
import type { GameEvent } from '../core/game-event.ts';
import { applyToRecords, type GameRecord } from '../core/game-record.ts';
import type { Clock } from '../driver/clock.ts';
import type { BoardUpdate } from '../driver/connection.ts';
import type { Fleet } from '../driver/fleet.ts';
import { identityNews } from '../driver/identity-news.ts';
import type { BoardId, BoardMessage, FleetStatus } from '../driver/roster.ts';
import { runMachine } from '../driver/run-machine.ts';
import { attempt, type FailedAttempt, failedAttempt } from './attempt.ts';
import { type CaptureFile, createCaptureFile } from './capture/capture-file.ts';
import type { DeriveOptions } from './derive.ts';
import type { PgnHeaders } from './pgn/writer.ts';
import { type FileWritten, type PublishedGame, pgnFiles } from './publish/pgn-files.ts';
import { changesPgn, isPublishable, publishPgn } from './publish/published-pgn.ts';
import type { RawInput } from './raw-input.ts';
import { beginSitting, type OpenSitting } from './sitting.ts';
import type { SittingOptions, Store, StoreWrite } from './store/store.ts';

export interface RecorderOptions {
  /** What all boards say, and how they stand. */
  readonly fleet: Fleet;
  /** Closed by the caller, after the recorder has completed. */
  readonly store: Store;
  /** Must read no less than `store.originMs` at the beginning. */
  readonly clock: Clock;
  /** Ends the recording: what is under way is committed and published, then the stream completes. */
  readonly stop$?: Observable<unknown>;
  /** Folder for PGN files; none are written when absent. */
  readonly pgnDir?: string;
  /** Folder for captures; none are written when absent. */
  readonly captureDir?: string;
  /** How games begin. */
  readonly sitting?: Partial<SittingOptions>;
  /** Tags of a game, asked for when it begins. */
  readonly tagsOf?: (board: BoardId, game: number) => PgnHeaders;
  /** Shortest time between two commits, ms. */
  readonly commitEveryMs?: number;
  /** The machine that concludes; the reconstructor when absent. */
  readonly createReconstructor?: DeriveOptions['createReconstructor'];
}

/** What the recorder tells; games only as they stand in the store. */
export type RecorderUpdate =
  /** A link or a session changed, or a board said something besides its pieces; of itself only what is new. */
  | { readonly type: 'board'; readonly board: BoardId; readonly kind: string; readonly update: BoardUpdate }
  | { readonly type: 'fleet'; readonly status: FleetStatus }
  /** A game changed; `record` is the recorder's own, to be read at once and not to be changed. */
  | {
      readonly type: 'game';
      readonly board: BoardId;
      readonly id: number;
      readonly token: string;
      readonly tags: PgnHeaders;
      readonly record: GameRecord;
      readonly events: readonly GameEvent[];
    }
  /** A capture has begun. */
  | { readonly type: 'capture'; readonly board: BoardId; readonly path: string }
  | FileWritten
  | FailedAttempt;

/** Time between two commits: at most 20 a second. */
const COMMIT_MS = 50;
/** Time before a disk that refused a commit is tried again, ms. */
const RETRY_MS = 1000;
/** Games that began less long ago belong into the combined file of this run, ms. */
const RECENT_MS = 12 * 3_600_000;
/** What may heal by itself; any other failure of the store ends the recording. */
const HEALING = ['STORE_FULL', 'STORE_READONLY', 'STORE_DISK', 'STORE_LOCKED'] as const;

/** One board as it is being recorded. */
interface Recording extends OpenSitting {
  readonly board: BoardId;
  readonly kind: string;
  /** What the board has said of itself in this run. */
  identity: BoardIdentity;
  up: boolean;
  capture: CaptureFile | undefined;
  captureTried: boolean;
  readonly games: Map<number, { id: number; token: string; startedWallMs: number; tags: PgnHeaders }>;
  /** Games that have been shown to the world stay there, even when their moves are taken back. */
  readonly published: Set<number>;
}

/** Records boards until `stop$` or the end of the fleet; cold, one subscriber. Errors are failures of the store that cannot heal. */
export function record$(options: RecorderOptions): Observable<RecorderUpdate> {
  return defer(() => {
    const recorder = createRecording(options);
    const { fleet, stop$ = NEVER, pgnDir } = options;

    // The stop stands above everything that has to be finished.
    const derived$ = merge(
      fleet.status$.pipe(
        map((status): RecorderUpdate => ({ type: 'fleet', status })),
        takeUntil(stop$),
      ),
      fleet.updates$.pipe(
        takeUntil(stop$),
        tap((message) => recorder.meet(message)),
        groupBy(({ board }) => board),
        mergeMap((messages$) => recorder.hear(messages$)),
      ),
    );

    const updates$ = derived$.pipe(
      connect((shared$) =>
        merge(
          shared$.pipe(filter((item) => item.type !== 'write')),
          shared$.pipe(
            filter((item) => item.type === 'write'),
            map(({ writes }) => writes),
            commitWrites(options.store, options.commitEveryMs ?? COMMIT_MS),
            mergeMap((item) => ('type' in item ? of(item) : from(recorder.committed(item)))),
          ),
        ),
      ),
    );

    const published$: Observable<RecorderUpdate> =
      pgnDir === undefined
        ? updates$
        : updates$.pipe(
            connect((shared$) =>
              merge(
                shared$,
                shared$.pipe(
                  mergeMap((update) => from(recorder.toPublish(update))),
                  startWith(...recorder.recentGames()),
                  pgnFiles({ dir: pgnDir }),
                ),
              ),
            ),
          );
    return published$.pipe(finalize(() => recorder.close()));
  });
}

/** Something on its way to the store. */
interface Write {
  readonly type: 'write';
  readonly writes: readonly StoreWrite[];
}

function createRecording(options: RecorderOptions) {
  const { store, clock, captureDir, tagsOf, createReconstructor } = options;
  const sittingOptions: SittingOptions = { variant: 'standard', rotated: false, ...options.sitting };
  const recordings = new Map<BoardId, Recording>();
  const wallAt = (atMs: number): number => clock.wallMs() - (clock.monotonicMs() - atMs);

  const open = ({ board, definition }: BoardMessage): Recording => {
    const sitting = beginSitting(store, {
      board,
      definition,
      sitting: sittingOptions,
      nowMs: clock.monotonicMs(),
      wallMs: clock.wallMs(),
      ...(createReconstructor !== undefined && { createReconstructor }),
    });
    const games: Recording['games'] = new Map();
    const published = new Set<number>();
    const { id } = sitting.sitting;
    for (const game of id === undefined ? [] : store.games({ sittingId: id })) {
      games.set(game.record.game, game);
      if (isPublishable(game.record)) published.add(game.id);
    }
    return {
      ...sitting,
      board,
      kind: definition.id,
      identity: {},
      up: sitting.wasUp,
      capture: undefined,
      captureTried: false,
      games,
      published,
    };
  };

  /** What of an update is input: `up` stands before the first bytes, so that a replay hears it before them too. */
  const inputsOf = (recording: Recording, update: BoardUpdate): RawInput[] => {
    switch (update.type) {
      case 'rx': {
        const { atMs, bytes } = update;
        const rx: RawInput = { type: 'rx', atMs, bytes };
        if (recording.up) return [rx];
        recording.up = true;
        return [{ type: 'link', atMs, link: 'up' }, rx];
      }
      case 'tx':
        return [{ type: 'tx', atMs: update.atMs, bytes: update.bytes }];
      case 'link':
        if (update.link === 'up' || !recording.up) return [];
        recording.up = false;
        return [{ type: 'link', atMs: update.atMs, link: 'lost' }];
      default:
        return [];
    }
  };

  const capture = (recording: Recording, input: RawInput): RecorderUpdate[] => {
    if (captureDir === undefined || recording.captureTried) {
      const error = recording.capture?.write(input);
      return error === undefined ? [] : [failedAttempt(error, true)];
    }
    recording.captureTried = true;
    try {
      const { start, variant } = sittingOptions;
      recording.capture = createCaptureFile(captureDir, recording.board, {
        board: recording.kind,
        startedAt: new Date(wallAt(input.atMs)).toISOString(),
        ...(start !== undefined && { fen: start }),
        ...(variant !== 'standard' && { variant }),
      });
      recording.capture.write(input);
      return [{ type: 'capture', board: recording.board, path: recording.capture.path }];
    } catch (error) {
      if (!isBoardError(error)) throw error;
      return [failedAttempt(error, true)];
    }
  };

  const write = (...writes: StoreWrite[]): Write => ({ type: 'write', writes });

  return {
    /** Begins to record a board that speaks for the first time in this run. */
    meet(message: BoardMessage): void {
      if (!recordings.has(message.board)) recordings.set(message.board, open(message));
    },

    /** Everything that one board says, over all its connections. */
    hear(messages$: GroupedObservable<BoardId, BoardMessage>): Observable<RecorderUpdate | Write> {
      const recording = recordings.get(messages$.key)!;
      const { sitting, board, kind } = recording;
      return messages$.pipe(
        connect((shared$) =>
          merge(
            shared$.pipe(
              mergeMap(({ update }) => inputsOf(recording, update)),
              runMachine(() => recording.machine, clock),
              mergeMap((output): (RecorderUpdate | Write)[] => {
                switch (output.type) {
                  case 'input': {
                    const { input } = output;
                    const wallMs = wallAt(input.atMs);
                    return [...capture(recording, input), write({ type: 'input', sitting, input, wallMs })];
                  }
                  case 'event': {
                    const { event } = output;
                    const stored = write({ type: 'event', sitting, event, wallMs: wallAt(event.atMs) });
                    if (event.type !== 'gameStarted' || tagsOf === undefined) return [stored];
                    const tags = tagsOf(board, event.game);
                    return [stored, write({ type: 'tags', sitting, number: event.game, tags })];
                  }
                  case 'discarded':
                    return [];
                }
              }),
            ),
            shared$.pipe(
              mergeMap(({ update }): (RecorderUpdate | Write)[] => {
                if (update.type === 'rx' || update.type === 'tx' || update.type === 'sensor') return [];
                if (update.type !== 'identity') return [{ type: 'board', board, kind, update }];
                const identity = identityNews(recording.identity, update.identity);
                if (identity === undefined) return [];
                recording.identity = { ...recording.identity, ...identity };
                const news = { ...update, identity };
                return [
                  { type: 'board', board, kind, update: news },
                  write({ type: 'identity', sitting, identity }),
                ];
              }),
            ),
          ),
        ),
      );
    },

    /** Brings the records up to what is committed now and tells which games have changed. */
    committed(writes: readonly StoreWrite[]): RecorderUpdate[] {
      const updates: RecorderUpdate[] = [];
      let last: { recording: Recording; number: number; events: GameEvent[] } | undefined;
      const tell = (): void => {
        if (last === undefined) return;
        const { recording, number, events } = last;
        last = undefined;
        const game = recording.games.get(number);
        const record = recording.records.find((r) => r.game === number);
        if (game === undefined || record === undefined) return;
        updates.push({
          type: 'game',
          board: recording.board,
          id: game.id,
          token: game.token,
          tags: game.tags,
          record,
          events,
        });
      };
      for (const item of writes) {
        const recording = recordings.get(item.sitting.board);
        if (recording === undefined || item.sitting.id === undefined) continue;
        if (item.type === 'tags') {
          const game = recording.games.get(item.number);
          if (game !== undefined) recording.games.set(item.number, { ...game, tags: item.tags });
        }
        if (item.type !== 'event') continue;
        const { event } = item;
        applyToRecords(recording.records, event);
        if (event.type === 'gameStarted') {
          const games = store.games({ sittingId: item.sitting.id });
          const game = games.find((stored) => stored.record.game === event.game);
          if (game !== undefined) recording.games.set(event.game, game);
        }
        const number = recording.records.at(-1)?.game;
        if (number === undefined) continue;
        if (last?.recording !== recording || last.number !== number) tell();
        last ??= { recording, number, events: [] };
        last.events.push(event);
      }
      tell();
      return updates;
    },

    /** The game of an update as PGN, when the world is to know of it. */
    toPublish(update: RecorderUpdate): PublishedGame[] {
      if (update.type !== 'game' || !update.events.some(changesPgn)) return [];
      const recording = recordings.get(update.board);
      const facts = recording?.games.get(update.record.game);
      if (recording === undefined || facts === undefined) return [];
      if (!isPublishable(update.record) && !recording.published.has(update.id)) return [];
      recording.published.add(update.id);
      return [{ id: update.id, pgn: publishPgn(update.record, facts) }];
    },

    /** Games of this day that are in the store already, for the combined file. */
    recentGames(): PublishedGame[] {
      return store
        .games({ sinceWallMs: clock.wallMs() - RECENT_MS })
        .filter((game) => isPublishable(game.record))
        .map((game) => ({ id: game.id, pgn: publishPgn(game.record, game) }));
    },

    close(): void {
      for (const recording of recordings.values()) recording.capture?.close();
    },
  };
}

/**
 * Puts writes into the store's queue and commits them all together, `everyMs` apart at the most often; emits what each
 * commit has brought. What a disk refuses stays in the queue and is tried again.
 */
function commitWrites(
  store: Store,
  everyMs: number,
): OperatorFunction<readonly StoreWrite[], readonly StoreWrite[] | FailedAttempt> {
  return (source) =>
    defer(() => {
      let ending = false;
      const end$ = new ReplaySubject<void>(1);
      const goesOn = (error: BoardError): boolean => !ending && isBoardError(error, ...HEALING);
      const commit = (): Observable<readonly StoreWrite[]> =>
        store.pending === 0 ? EMPTY : of(store.commit());
      return source.pipe(
        tap({
          next: (writes) => store.enqueue(...writes),
          complete: () => {
            ending = true;
            end$.next();
          },
        }),
        exhaustMap(() =>
          timer(everyMs).pipe(
            mergeMap(() => attempt(commit, RETRY_MS, goesOn, end$)),
            catchError((error: unknown) =>
              ending && isBoardError(error) ? of(failedAttempt(error, true)) : throwError(() => error),
            ),
          ),
        ),
      );
    });
}
