/**
 * The recorder: what boards say goes into the store, games are derived from it, and what is committed is shown and
 * published. Nothing leaves this file that is not on disk.
 *
 *   fleet ──▶ raw input ──▶ derivation ──▶ writes ──▶ commit, at most 20 a second ──▶ records ──▶ updates
 *             (a board each; captures)                (all boards together)                └────▶ PGN files
 */
import { isDeepStrictEqual } from 'node:util';
import {
  catchError,
  concat,
  concatMap,
  connect,
  defer,
  EMPTY,
  endWith,
  exhaustMap,
  expand,
  filter,
  finalize,
  from,
  type GroupedObservable,
  groupBy,
  ignoreElements,
  last,
  map,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  type OperatorFunction,
  of,
  ReplaySubject,
  race,
  repeat,
  Subject,
  startWith,
  switchMap,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import type { BoardDefinition, BoardIdentity } from '../boards/definition.ts';
import { findBoard } from '../boards/registry.ts';
import { isBoardError } from '../core/board-error.ts';
import type { GameEvent } from '../core/game-event.ts';
import { applyToRecords, type GameRecord } from '../core/game-record.ts';
import type { Tick } from '../core/machine.ts';
import type { SensorEvent } from '../core/sensor-event.ts';
import type { Clock } from '../driver/clock.ts';
import type { BoardUpdate } from '../driver/connection.ts';
import type { Fleet } from '../driver/fleet.ts';
import { identityNews } from '../driver/identity-news.ts';
import type { BoardId, BoardMessage, FleetStatus } from '../driver/roster.ts';
import { runMachine } from '../driver/run-machine.ts';
import { attempt, type FailedAttempt, failedAttempt } from './attempt.ts';
import { type CaptureFile, createCaptureFile } from './capture/capture-file.ts';
import { compareRecords } from './compare-records.ts';
import type { DeriveOptions, DeriveOutput } from './derive.ts';
import { createSittingDeriver, type SittingDeriver } from './derive-sitting.ts';
import type { EntryContent } from './entry.ts';
import { createUnwinnableAsker, type UnwinnableAsker } from './laws/ask-unwinnable.ts';
import { answerQuestion, type OpenQuestion, openQuestions, SEARCHER } from './laws/open-questions.ts';
import { startUnwinnableThread } from './laws/unwinnable-thread.ts';
import type { PgnHeaders } from './pgn/writer.ts';
import type { FileWritten } from './publish/documents.ts';
import { type PublishedGame, pgnFiles } from './publish/pgn-files.ts';
import { heldSince } from './publish/public-event.ts';
import { changesPgn, isPublishable, publishPgn } from './publish/published-pgn.ts';
import type { RawInput } from './raw-input.ts';
import type { ArrivedRow, DerivedPiece, SittingPoint } from './relay/relay-message.ts';
import { beginSitting, type OpenSitting, takeSitting } from './sitting.ts';
import type { EntryAway, Mark } from './store/relay-tables.ts';
import type {
  GameLabel,
  Sitting,
  SittingOptions,
  Store,
  StoredGame,
  StoredSitting,
  StoreWrite,
} from './store/store.ts';
import { createLinkWatch } from './watch/link-watch.ts';
import { watchTime$ } from './watch/time-watch.ts';

export interface RecorderOptions {
  /** What all boards say, and how they stand. */
  readonly fleet: Heard;
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
  /** How games begin; of each board, where they differ. */
  readonly sitting?: Partial<SittingOptions> | ((board: BoardId) => Partial<SittingOptions>);
  /** Tags of a game, asked for when it begins. */
  readonly tagsOf?: (board: BoardId, game: number) => PgnHeaders;
  /** Shortest time between two commits, ms. */
  readonly commitEveryMs?: number;
  /** Searches whether a side can mate in a position; a thread of its own when absent. */
  readonly askUnwinnable?: UnwinnableAsker['askUnwinnable'];
  /** The machine that concludes; the reconstructor when absent. */
  readonly createReconstructor?: DeriveOptions['createReconstructor'];
}

/** A sitting that is recorded elsewhere: how it began is decided there, and its time is the time there. */
export type SittingElsewhere = Sitting & { readonly origin: string };

/** The next piece of a sitting that is recorded elsewhere. */
export interface ArrivedInput {
  readonly type: 'arrived';
  /** In order; what is here already is left out. */
  readonly rows: readonly ArrivedRow[];
  /** What was entered there; what is here already is left out. */
  readonly entries: readonly Pick<EntryAway, 'uid' | 'entry'>[];
  /** What was derived there reaches to here. */
  readonly seenToMs: number;
  /** What is counted off with it, and how far. */
  readonly mark: Mark;
  readonly sequence: number;
  /** What a worker has derived from it already. */
  readonly derived?: DerivedPiece;
}

/** What the recorder hears of one board: of the fleet, or of what an edge has recorded. */
export type HeardMessage =
  | (BoardMessage & { readonly elsewhere?: undefined })
  | (Omit<BoardMessage, 'update'> & {
      readonly elsewhere: SittingElsewhere;
      readonly update: ArrivedInput | Extract<BoardUpdate, { type: 'identity' }>;
    });

/** Where the recorder hears boards: a fleet, or the stream that edges write. */
export interface Heard extends Pick<Fleet, 'status$'> {
  readonly updates$: Observable<HeardMessage>;
}

/** What the recorder tells; games only as they stand in the store. */
export type RecorderUpdate =
  /** A link or a session changed, or a board said something besides its pieces; of itself only what is new. */
  | { readonly type: 'board'; readonly board: BoardId; readonly kind: string; readonly update: BoardUpdate }
  | { readonly type: 'fleet'; readonly status: FleetStatus }
  /** What the sensors of a board have said, in the board's own squares; the bytes of it are in the store. */
  | { readonly type: 'sensed'; readonly board: BoardId; readonly kind: string; readonly event: SensorEvent }
  /** A game changed; `record` is the recorder's own, to be read at once and not to be changed. */
  | {
      readonly type: 'game';
      readonly board: BoardId;
      readonly id: number;
      readonly token: string;
      readonly tags: PgnHeaders;
      /** Id of the pairing at whose table it is played. */
      readonly pairing?: number;
      readonly record: GameRecord;
      readonly events: readonly GameEvent[];
    }
  /**
   * A game is another one, or another pairing's, because of what somebody has entered: this is how it stands in the store now.
   */
  | { readonly type: 'rederived'; readonly game: StoredGame }
  /** A capture has begun. */
  | { readonly type: 'capture'; readonly board: BoardId; readonly path: string }
  | FileWritten
  | FailedAttempt;

/** Time between two commits: at most 20 a second. */
const COMMIT_MS = 50;
/** Time between two looks for what another process has entered, ms. */
const HEED_MS = 1000;
/** Time before a disk that refused a commit is tried again, ms. */
const RETRY_MS = 1000;
/** Games that began less long ago belong into the combined file of this run, ms. */
const RECENT_MS = 12 * 3_600_000;
/** What may heal by itself; any other failure of the store ends the recording. */
const HEALING = ['STORE_FULL', 'STORE_READONLY', 'STORE_DISK', 'STORE_LOCKED'] as const;

/** The time in which the input of one sitting is told. */
interface RecordingClock extends Pick<Clock, 'monotonicMs' | 'timer$'> {
  /** Wall clock time at a time of this clock. */
  wallAt(atMs: number): number;
  /** Time has passed elsewhere. */
  tell?(rows: readonly Pick<ArrivedRow, 'atMs' | 'wallMs'>[], seenToMs: number): void;
}

/** One board as it is being recorded. */
interface Recording extends OpenSitting {
  machine: OpenSitting['machine'];
  records: GameRecord[];
  /** The time its input is told in. */
  readonly clock: RecordingClock;
  /** Last row that has arrived of a sitting that is recorded elsewhere. */
  position: number;
  /** A worker derives it, up to here; undefined when its machine here does. */
  told: SittingPoint | undefined;
  readonly definition: BoardDefinition;
  readonly board: BoardId;
  readonly kind: string;
  /** What the board has said of itself in this run. */
  identity: BoardIdentity;
  up: boolean;
  capture: CaptureFile | undefined;
  captureTried: boolean;
  readonly games: Map<
    number,
    GameLabel & { readonly id: number; readonly token: string; readonly startedWallMs: number }
  >;
}

/** Records boards until `stop$` or the end of the fleet; cold, one subscriber. Errors are failures of the store that cannot heal. */
export function record$(options: RecorderOptions): Observable<RecorderUpdate> {
  return defer(() => {
    const recorder = createRecording(options);
    const { fleet, clock, store, stop$ = NEVER, pgnDir } = options;
    const end = createEnd();
    const links = createLinkWatch();
    const watchLink = ({ board, elsewhere, update }: HeardMessage): RecorderUpdate[] => {
      const error = elsewhere === undefined ? links.take(board, update) : undefined;
      return error === undefined ? [] : [failedAttempt(error, false)];
    };

    // The stop stands above everything that has to be finished.
    const derived$ = merge(
      fleet.status$.pipe(
        map((status): RecorderUpdate => ({ type: 'fleet', status })),
        takeUntil(stop$),
      ),
      fleet.updates$.pipe(
        takeUntil(stop$),
        connect((heard$) =>
          merge(
            heard$.pipe(
              tap((message) => recorder.meet(message)),
              groupBy((message) => recorder.keyOf(message)),
              mergeMap((messages$) => recorder.hear(messages$)),
            ),
            heard$.pipe(mergeMap((message) => watchLink(message))),
          ),
        ),
      ),
    ).pipe(tap({ complete: end.come }));

    const time$ = watchTime$(clock).pipe(
      map((error): RecorderUpdate => failedAttempt(error, false)),
      takeUntil(end.end$),
    );

    // What others enter: at once, every second, and once more when the end has come.
    let isLast = false;
    const heeded$ = defer(() => {
      isLast = end.isHere;
      return healing(() => recorder.heed(end), end);
    }).pipe(repeat({ delay: () => (isLast ? EMPTY : race(clock.timer$(HEED_MS), end.end$)) }));

    const stored$ = derived$.pipe(
      connect((shared$) =>
        merge(
          shared$.pipe(filter((item) => item.type !== 'write')),
          shared$.pipe(
            filter((item) => item.type === 'write'),
            commitWrites(store, options.commitEveryMs ?? COMMIT_MS),
            mergeMap((item) =>
              'type' in item ? of(item) : from([...item.told, ...recorder.committed(item.writes)]),
            ),
          ),
        ),
      ),
    );
    const updates$ = merge(stored$, heeded$, time$, recorder.answers(end));

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

/** The time of a sitting that is recorded elsewhere: as told, never running by itself. */
function createToldClock({ startedMs, startedWallMs }: Sitting): RecordingClock {
  let rows: readonly Pick<ArrivedRow, 'atMs' | 'wallMs'>[] = [{ atMs: startedMs, wallMs: startedWallMs }];
  let nowMs = startedMs;
  return {
    monotonicMs: () => nowMs,
    timer$: () => NEVER,
    wallAt(atMs) {
      const base = rows.findLast((row) => row.atMs <= atMs) ?? rows[0]!;
      return base.wallMs + (atMs - base.atMs);
    },
    tell(told, seenToMs) {
      if (told.length > 0) rows = told;
      nowMs = Math.max(nowMs, seenToMs);
    },
  };
}

/** Something on its way to the store, and what may be told when it and all before it are there. */
interface Write {
  readonly type: 'write';
  readonly writes: readonly StoreWrite[];
  readonly after?: RecorderUpdate;
}

function createRecording(options: RecorderOptions) {
  const { store, clock, captureDir, tagsOf, createReconstructor } = options;
  const sittingOf = (board: BoardId): SittingOptions => {
    const own = typeof options.sitting === 'function' ? options.sitting(board) : options.sitting;
    return { variant: 'standard', rotated: false, ...own };
  };
  const recordings = new Map<string, Recording>();
  /** Whose a sitting and a game is. */
  const bySitting = new Map<Sitting, Recording>();
  const byGame = new Map<number, Recording>();
  let asker: UnwinnableAsker | undefined;
  const askUnwinnable: UnwinnableAsker['askUnwinnable'] =
    options.askUnwinnable ??
    ((...question) => {
      asker ??= createUnwinnableAsker(startUnwinnableThread);
      return asker.askUnwinnable(...question);
    });
  /** Positions that are to be searched, those that were asked about before somebody listens included. */
  const asked$ = new ReplaySubject<{ readonly sitting: Sitting; readonly question: OpenQuestion }>();
  const asked = new Set<string>();
  /** Asks about each position once in a run. What is recorded elsewhere is searched there. */
  const ask = (sitting: Sitting, questions: readonly OpenQuestion[]): void => {
    for (const question of sitting.origin === undefined ? questions : []) {
      const key = `${sitting.board} ${sitting.startedMs} ${question.game} ${question.fen}`;
      if (asked.has(key)) continue;
      asked.add(key);
      asked$.next({ sitting, question });
    }
  };

  /** Something was written by another process, and not everything has been seen to yet. */
  let isToHeed = false;
  /** Recordings whose worker has said what does not go on from where they stand: to be derived here. */
  const distrusted = new Set<Recording>();
  /** Recordings whose machine is another one from now on. */
  const renewed$ = new Subject<Recording>();
  /** Recordings that have ended while the board goes on: it begins from another position now. */
  const retired$ = new Subject<Recording>();
  /** How many recordings of a board have ended in this run. */
  const retired = new Map<BoardId, number>();
  /** One recording a board at a time, and one a sitting that is recorded elsewhere. */
  const keyOf = ({ board, elsewhere }: Pick<HeardMessage, 'board' | 'elsewhere'>): string => {
    const before = retired.get(board);
    return elsewhere?.origin ?? (before === undefined ? board : `${board}\n${before}`);
  };
  /** Where the games of a board begin: where a game that goes on there was left, else where all do. */
  const startOf = (board: BoardId): Pick<SittingOptions, 'start'> => {
    const start = store.startOf(board) ?? sittingOf(board).start;
    return start === undefined ? {} : { start };
  };
  /** Games that have been shown to the world stay there, even when their moves are taken back. */
  const published = new Set<number>();
  const beganMs = clock.wallMs();
  const ownClock: RecordingClock = {
    monotonicMs: () => clock.monotonicMs(),
    timer$: (delayMs) => clock.timer$(delayMs),
    wallAt: (atMs) => clock.wallMs() - (clock.monotonicMs() - atMs),
  };

  const open = ({ board, definition, elsewhere, update }: HeardMessage): Recording => {
    const isDerived = update.type === 'arrived' && update.derived !== undefined;
    const known = { definition, ...(createReconstructor !== undefined && { createReconstructor }) };
    const sitting =
      elsewhere === undefined
        ? beginSitting(store, {
            ...known,
            board,
            sitting: { ...sittingOf(board), ...startOf(board) },
            nowMs: clock.monotonicMs(),
            wallMs: clock.wallMs(),
          })
        : takeSitting(store, elsewhere, known, isDerived);
    const games: Recording['games'] = new Map();
    const { id } = sitting.sitting;
    for (const game of id === undefined ? [] : store.games({ sittingId: id })) {
      games.set(game.record.game, game);
      if (isPublishable(game.record)) published.add(game.id);
    }
    const recording: Recording = {
      position: 0,
      told: undefined,
      ...sitting,
      clock: elsewhere === undefined ? ownClock : createToldClock(elsewhere),
      definition,
      board,
      kind: definition.id,
      identity: {},
      up: sitting.wasUp,
      capture: undefined,
      captureTried: false,
      games,
    };
    bySitting.set(sitting.sitting, recording);
    for (const game of games.values()) byGame.set(game.id, recording);
    ask(sitting.sitting, sitting.questions);
    return recording;
  };

  /** What of an update is input: `up` stands before the first bytes, so that a replay hears it before them too. */
  const inputsOf = (recording: Recording, update: HeardMessage['update']): (RawInput | Tick)[] => {
    switch (update.type) {
      case 'arrived': {
        const { rows, seenToMs } = update;
        const missing = rows.filter(({ id }) => id > recording.position);
        recording.clock.tell?.(missing, seenToMs);
        if (recording.told !== undefined) return [];
        return [...missing.flatMap(({ inputs }) => inputs), { type: 'tick', atMs: seenToMs }];
      }
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
      const { start, variant } = recording.sitting.options;
      recording.capture = createCaptureFile(captureDir, recording.board, {
        board: recording.kind,
        startedAt: new Date(recording.clock.wallAt(input.atMs)).toISOString(),
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

  /**
   * Input of a sitting that a worker derives, and the events that go on from where it stands here. Those that do not, because another
   * worker or another stream was between, are not believed: the sitting is derived here from then on.
   */
  const derivedElsewhere = (
    recording: Recording,
    { derived, seenToMs }: ArrivedInput,
    missing: readonly ArrivedRow[],
  ): StoreWrite[] => {
    const { sitting, told, clock: times } = recording;
    if (told === undefined) return [];
    const position = missing.at(-1)?.id ?? told.position;
    // Told before.
    if (missing.length === 0 && seenToMs <= told.seenToMs) return [];
    const inputs = missing.flatMap((row) =>
      row.inputs.map(
        (input): StoreWrite => ({ type: 'input', sitting, input, wallMs: times.wallAt(input.atMs) }),
      ),
    );
    const goesOn =
      derived !== undefined &&
      derived.from.position === told.position &&
      derived.from.seenToMs === told.seenToMs;
    recording.told = { position, seenToMs: Math.max(told.seenToMs, seenToMs) };
    if (!goesOn) {
      distrusted.add(recording);
      isToHeed = true;
    }
    if (distrusted.has(recording)) return inputs;
    return [
      ...inputs,
      ...derived!.events.map(
        (event): StoreWrite => ({ type: 'event', sitting, event, wallMs: times.wallAt(event.atMs) }),
      ),
    ];
  };

  /** What has arrived is counted off in the same commit that stores it; a link tells of itself in the input. */
  const arrived = (recording: Recording, update: ArrivedInput): (RecorderUpdate | Write)[] => {
    const { sitting, board, kind } = recording;
    const { rows, entries, seenToMs, mark, sequence } = update;
    const missing = rows.filter(({ id }) => id > recording.position);
    const links = missing.flatMap(({ inputs }) => inputs.filter((input) => input.type === 'link'));
    const derived = derivedElsewhere(recording, update, missing);
    recording.position = Math.max(recording.position, rows.at(-1)?.id ?? 0);
    const { position } = recording;
    return [
      ...links.map((link): RecorderUpdate => ({ type: 'board', board, kind, update: link })),
      write(...derived, ...entries.map((away): StoreWrite => ({ type: 'entry', sitting, away })), {
        type: 'arrived',
        sitting,
        position,
        seenToMs,
        mark,
        sequence,
      }),
    ];
  };

  /** Brings the records up to what is committed now and tells which games have changed. */
  const committed = (writes: readonly StoreWrite[]): RecorderUpdate[] => {
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
        ...(game.pairing !== undefined && { pairing: game.pairing }),
        record,
        events,
      });
    };
    for (const item of writes) {
      const recording = bySitting.get(item.sitting);
      if (recording === undefined || item.sitting.id === undefined) continue;
      if (item.type === 'tags') {
        const game = recording.games.get(item.number);
        if (game !== undefined)
          recording.games.set(item.number, { ...game, tags: { ...item.tags, ...game.tags } });
      }
      if (item.type !== 'event') continue;
      const { event } = item;
      applyToRecords(recording.records, event);
      if (event.type === 'gameStarted') {
        const games = store.games({ sittingId: item.sitting.id });
        const game = games.find((stored) => stored.record.game === event.game);
        if (game !== undefined) {
          recording.games.set(event.game, game);
          byGame.set(game.id, recording);
        }
      }
      const number = recording.records.at(-1)?.game;
      if (number === undefined) continue;
      if (last?.recording !== recording || last.number !== number) tell();
      last ??= { recording, number, events: [] };
      last.events.push(event);
    }
    tell();
    return updates;
  };

  /** Games of which something was not published because they were held. */
  const withheld = new Set<number>();

  /** Derives a sitting again, a piece of its input at a time, and puts it in the place of the one that stood. */
  const catchUp = (sitting: StoredSitting, end: End): Observable<RecorderUpdate> =>
    defer(() => {
      const recording = [...recordings.values()].find((open) => open.sitting.id === sitting.id);
      const board = findBoard(sitting.kind);
      const definition = recording?.definition ?? (board.ok ? board.value : undefined);
      if (definition === undefined) return EMPTY;
      const deriver = createSittingDeriver(store, sitting, {
        definition,
        ...(createReconstructor !== undefined && { createReconstructor }),
      });
      return of(true).pipe(
        expand((more) => (more && !end.isHere ? timer(0).pipe(map(() => deriver.advance())) : EMPTY)),
        last(),
        // In one go: what waits is committed and told before, so that nothing is missing from the input.
        mergeMap(() =>
          concat(
            defer(() => from(committed(store.commit()))),
            defer(() => from(exchange(sitting, deriver, recording))),
          ),
        ),
      );
    });

  /**
   * Puts a new derivation in the place of the one that stood and tells which games are others now; what comes after goes to its
   * machine. Nothing may wait for a commit.
   */
  const exchange = (
    sitting: StoredSitting,
    deriver: SittingDeriver,
    recording: Recording | undefined,
  ): RecorderUpdate[] => {
    const sittingId = sitting.id;
    const { machine, events, records, entered, news } = deriver.finish();
    ask(recording?.sitting ?? sitting, openQuestions(news, entered.entries));
    const before = store.games({ sittingId }).map(({ record }) => record);
    store.replaceGames(sittingId, events, entered);
    const changed = new Set(compareRecords(before, records).map(({ game }) => game));
    const games = store.games({ sittingId });
    if (recording !== undefined) {
      recording.machine = machine;
      recording.records = records;
      recording.told = undefined;
      distrusted.delete(recording);
      for (const game of games) {
        recording.games.set(game.record.game, game);
        byGame.set(game.id, recording);
      }
      renewed$.next(recording);
    }
    // What was held and is not any more is published as it stands by now, whether it has changed or not.
    const wereHeld = new Set(
      entered.entries.flatMap(({ game, what }) =>
        what.type === 'hold' || what.type === 'release' ? [game] : [],
      ),
    );
    return games
      .filter((game) => changed.has(game.record.game) || (wereHeld.has(game.record.game) && !isHeld(game)))
      .map((game) => ({ type: 'rederived', game }));
  };

  /** Sittings that are not derived elsewhere any more, those of which nothing is committed yet left for the next time. */
  const untold = (): StoredSitting[] =>
    [...distrusted].flatMap(({ sitting: { id } }) => {
      const stored = id === undefined ? undefined : store.sitting(id);
      return stored === undefined ? [] : [stored];
    });

  /** Games whose names, table or pairing are others now. */
  const relabel = (): RecorderUpdate[] =>
    [...recordings.values()].flatMap(({ sitting, games }) => {
      if (sitting.id === undefined) return [];
      return [...store.labels(sitting.id)].flatMap(([number, label]): RecorderUpdate[] => {
        const game = games.get(number);
        if (game === undefined) return [];
        if (game.pairing === label.pairing && isDeepStrictEqual(game.tags, label.tags)) return [];
        const { pairing, ...rest } = game;
        games.set(number, { ...rest, ...label });
        return store.games({ id: game.id }).map((stored) => ({ type: 'rederived', game: stored }));
      });
    });

  /** Ends recordings of boards on which a game goes on that was begun elsewhere, or does no more; the next byte begins anew. */
  const retire = (): void => {
    for (const [key, recording] of recordings) {
      const { board } = recording;
      if (keyOf({ board }) !== key || startOf(board).start === recording.sitting.options.start) continue;
      retired.set(board, (retired.get(board) ?? 0) + 1);
      retired$.next(recording);
    }
  };

  /** Stands behind all that has come, or before the next game of the board began. */
  const enterVerdict = (sitting: Sitting, game: number, what: EntryContent): void => {
    if (sitting.id === undefined) return;
    const next = store.games({ sittingId: sitting.id }).find(({ record }) => record.game === game + 1)
      ?.record.startedAtMs;
    const atMs = Math.floor(next === undefined ? clock.monotonicMs() : next - 1);
    store.enter(sitting.id, { game, atMs, wallMs: clock.wallMs(), by: SEARCHER, what });
    isToHeed = true;
  };

  /** Whether somebody holds the publication of a game back: nothing more of it leaves until it is released. */
  const isHeld = ({ id, board }: Pick<StoredGame, 'id' | 'board'>): boolean => {
    const is = heldSince(store.holds(), { board, games: [id] }) !== undefined;
    if (is) withheld.add(id);
    return is;
  };

  /** Games of which something was withheld that may leave by now: published as they stand. */
  const released = (): RecorderUpdate[] =>
    [...withheld].flatMap((id): RecorderUpdate[] => {
      const [game] = store.games({ id });
      if (game !== undefined && isHeld(game)) return [];
      withheld.delete(id);
      return game === undefined ? [] : [{ type: 'rederived', game }];
    });

  const republish = (game: StoredGame): PublishedGame[] => {
    if (isHeld(game)) return [];
    const isRecent = game.startedWallMs >= beganMs - RECENT_MS;
    if (!published.has(game.id) && !(isRecent && isPublishable(game.record))) return [];
    published.add(game.id);
    return [{ id: game.id, pgn: publishPgn(game.record, game) }];
  };

  return {
    keyOf,

    /** Begins to record a board that speaks for the first time in this run. */
    meet(message: HeardMessage): void {
      const key = keyOf(message);
      if (!recordings.has(key)) recordings.set(key, open(message));
    },

    /** Everything that one board says, over all its connections. */
    hear(messages$: GroupedObservable<string, HeardMessage>): Observable<RecorderUpdate | Write> {
      const recording = recordings.get(messages$.key)!;
      const { sitting, board, kind } = recording;
      return messages$.pipe(
        takeUntil(retired$.pipe(filter((ended) => ended === recording))),
        connect((shared$) =>
          merge(
            merge(of(recording), renewed$.pipe(takeUntil(shared$.pipe(ignoreElements(), endWith(0))))).pipe(
              filter((renewed) => renewed === recording),
              // The machine keeps its state over lost links and is exchanged when its sitting was derived again. The tick
              // brings a new one up to now: the one before had its own timer.
              switchMap((_, index) => {
                const inputs$ = shared$.pipe(mergeMap(({ update }) => inputsOf(recording, update)));
                const now: Tick = { type: 'tick', atMs: recording.clock.monotonicMs() };
                return merge(index === 0 ? EMPTY : of(now), inputs$).pipe(
                  runMachine<RawInput | Tick, DeriveOutput>(() => recording.machine, recording.clock),
                );
              }),
              mergeMap((output): (RecorderUpdate | Write)[] => {
                switch (output.type) {
                  case 'input': {
                    const { input } = output;
                    const wallMs = recording.clock.wallAt(input.atMs);
                    return [...capture(recording, input), write({ type: 'input', sitting, input, wallMs })];
                  }
                  case 'event': {
                    const { event } = output;
                    const wallMs = recording.clock.wallAt(event.atMs);
                    const stored = write({ type: 'event', sitting, event, wallMs });
                    if (event.type !== 'gameStarted' || tagsOf === undefined) return [stored];
                    const tags = tagsOf(board, event.game);
                    return [stored, write({ type: 'tags', sitting, number: event.game, tags })];
                  }
                  case 'law':
                    ask(sitting, openQuestions([output], []));
                    return [];
                  case 'discarded':
                  case 'unheard':
                    return [];
                }
              }),
            ),
            shared$.pipe(
              mergeMap(({ update }): (RecorderUpdate | Write)[] => {
                if (update.type === 'rx' || update.type === 'tx') return [];
                if (update.type === 'sensor') {
                  const { event } = update;
                  return [{ type: 'write', writes: [], after: { type: 'sensed', board, kind, event } }];
                }
                if (update.type === 'arrived') return arrived(recording, update);
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

    committed,

    /**
     * Derives again what somebody has entered something about, when another process has written to the store. The boards are
     * heard meanwhile.
     */
    heed(end: End): Observable<RecorderUpdate> {
      return defer(() => {
        isToHeed ||= store.hasChanged();
        if (!isToHeed) return EMPTY;
        return concat(
          defer(() => {
            retire();
            return from([...relabel(), ...released()]);
          }),
          defer(() => from([...store.behind(), ...untold()])).pipe(
            concatMap((sitting) => catchUp(sitting, end)),
          ),
        ).pipe(
          tap({
            complete: () => {
              isToHeed = distrusted.size > 0;
            },
          }),
        );
      });
    },

    /**
     * Searches what could not be said at once and enters what was found out, one after the other and off the way of the boards;
     * the games are derived again with it. What is not answered by the end is asked again by the next run.
     */
    answers(end: End): Observable<RecorderUpdate> {
      return asked$.pipe(
        concatMap(({ sitting, question }) =>
          defer(() =>
            answerQuestion(question, (fen, side) =>
              askUnwinnable(fen, side, { variant: sitting.options.variant }),
            ),
          ).pipe(
            mergeMap((what) =>
              healing((): Observable<RecorderUpdate> => {
                enterVerdict(sitting, question.game, what);
                return EMPTY;
              }, end),
            ),
          ),
        ),
        takeUntil(end.end$),
      );
    },

    /** The game of an update as PGN, when the world is to know of it. */
    toPublish(update: RecorderUpdate): PublishedGame[] {
      if (update.type === 'rederived') return republish(update.game);
      if (update.type !== 'game' || !update.events.some(changesPgn)) return [];
      const facts = byGame.get(update.id)?.games.get(update.record.game);
      if (facts === undefined) return [];
      if (isHeld(update)) return [];
      if (!isPublishable(update.record) && !published.has(update.id)) return [];
      published.add(update.id);
      return [{ id: update.id, pgn: publishPgn(update.record, facts) }];
    },

    /** Games of this day that are in the store already, for the combined file. */
    recentGames(): PublishedGame[] {
      return store
        .games({ sinceWallMs: clock.wallMs() - RECENT_MS })
        .filter((game) => isPublishable(game.record) && !isHeld(game))
        .map((game) => ({ id: game.id, pgn: publishPgn(game.record, game) }));
    },

    close(): void {
      for (const recording of recordings.values()) recording.capture?.close();
      void asker?.close();
    },
  };
}

/** What a commit has brought, and what may be told now that it is there. */
interface Committed {
  readonly writes: readonly StoreWrite[];
  readonly told: readonly RecorderUpdate[];
}

/**
 * Puts writes into the store's queue and commits them all together, `everyMs` apart at the most often; emits what each
 * commit has brought. What a disk refuses stays in the queue and is tried again, and what was to be told after it waits.
 */
function commitWrites(store: Store, everyMs: number): OperatorFunction<Write, Committed | FailedAttempt> {
  return (source) =>
    defer(() => {
      const end = createEnd();
      let waiting: RecorderUpdate[] = [];
      const commit = (): Observable<Committed> => {
        if (store.pending === 0 && waiting.length === 0) return EMPTY;
        const writes = store.commit();
        const told = waiting;
        waiting = [];
        return of({ writes, told });
      };
      return source.pipe(
        tap({
          next: ({ writes, after }) => {
            store.enqueue(...writes);
            if (after !== undefined) waiting.push(after);
          },
          complete: end.come,
        }),
        exhaustMap(() => timer(everyMs).pipe(mergeMap(() => healing(commit, end)))),
      );
    });
}

/** The end of a recording, from which on nothing is tried again. */
interface End {
  readonly isHere: boolean;
  /** Tells of it, also to whoever asks later. */
  readonly end$: Observable<void>;
  readonly come: () => void;
}

function createEnd(): End {
  const end$ = new ReplaySubject<void>(1);
  let isHere = false;
  return {
    get isHere() {
      return isHere;
    },
    end$,
    come: () => {
      isHere = true;
      end$.next();
    },
  };
}

/** Does something with the store, again while its failure may heal; after the end what fails is given up. */
const healing = <T>(action: () => Observable<T>, end: End): Observable<T | FailedAttempt> =>
  attempt(action, RETRY_MS, (error) => !end.isHere && isBoardError(error, ...HEALING), end.end$).pipe(
    catchError((error: unknown) =>
      end.isHere && isBoardError(error) ? of(failedAttempt(error, true)) : throwError(() => error),
    ),
  );
