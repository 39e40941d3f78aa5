/**
 * The desk beside a recorder: hears what that tells, shows it to whoever watches, and stores what they decide.
 *
 *   updates$ ──▶ hall ──▶ live stream, every 100 ms at the most ──▶ pages ──▶ office (a thread) ──▶ entries ──▶ recorder
 */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import {
  asyncScheduler,
  defer,
  delay,
  finalize,
  ignoreElements,
  interval,
  merge,
  type Observable,
  Subject,
  tap,
  throttleTime,
} from 'rxjs';
import { BoardError } from '../../core/board-error.ts';
import type { Clock } from '../../driver/clock.ts';
import { isLoopback, type Listening, LOOPBACK, serveApp$ } from '../http/serve-app.ts';
import { createUnwinnableAsker } from '../laws/ask-unwinnable.ts';
import type { OutputState } from '../publish/outputs.ts';
import type { RecorderUpdate } from '../recorder.ts';
import { startThread } from '../start-thread.ts';
import { openStoreReader, type StoredGame, type StoreReader } from '../store/store.ts';
import type { TournamentDesk } from '../tournament/tournament-desk.ts';
import { createOffice } from './ask-office.ts';
import { type Audit, createAuditFile } from './audit.ts';
import { BoardHealthWatch } from './board-health.ts';
import { createDeskApp } from './desk-app.ts';
import { Hall } from './hall.ts';
import { LiveStream } from './live-stream.ts';
import type { DeskAccount } from './sessions.ts';
import type { SimulatedBoards } from './setup-routes.ts';

export interface DeskOptions {
  /** What the recorder tells; subscribed to once. */
  readonly updates$: Observable<RecorderUpdate>;
  /** The recorder's database. */
  readonly file: string;
  /** The recorder's clock. */
  readonly clock: Clock;
  /** How many times faster than life that clock runs; 1 when absent. */
  readonly speed?: number;
  readonly host?: string;
  readonly port: number;
  /** Who may sign in; without any the desk is open, and on loopback only. */
  readonly accounts?: readonly DeskAccount[];
  /** Names under which the desk is asked besides addresses and `localhost`. */
  readonly hosts?: readonly string[];
  /** Folder of the built page. */
  readonly pageDir: string | undefined;
  /** File that tells who did what; none is written when absent. */
  readonly auditFile?: string;
  /** The tournament, and the right to change it; without it tables are set up elsewhere. */
  readonly tournament?: TournamentDesk;
  /** How outputs stand. */
  readonly outputs?: () => readonly OutputState[];
  /** Boards of a rehearsal. */
  readonly simulated?: SimulatedBoards;
  /** Routes of others at the same address. */
  readonly mount?: (app: FastifyInstance) => Promise<void> | void;
  /** Hears of mistakes of ours. */
  readonly failed?: (error: unknown) => void;
  readonly requestsPerMinute?: number;
}

/** What a desk tells while it is open. */
export type DeskNotice = Listening | { readonly type: 'desk-fault'; readonly error: unknown };

/** Pages are told at most once in so many ms of real time: ten pictures a second are enough to look at a hall. */
export const TELL_MS = 100;
/** What comes of one commit comes together within this, ms of real time. */
const GATHER_MS = 5;
/** Time between two looks for what others have entered, ms of real time. */
const HEED_MS = 1000;
const BEAT_MS = 10_000;
/** Games that began less long ago are shown from the beginning, ms. */
const RECENT_MS = 12 * 3_600_000;

/**
 * Opens the desk while it is subscribed to: emits once it listens, and goes on after `updates$` has completed. Errors with
 * DESK_PASSWORD_MISSING when everybody could reach it and nobody has a password, and as `serveApp$` does.
 */
export function desk$(options: DeskOptions): Observable<DeskNotice> {
  return defer(() => {
    const { host = LOOPBACK, accounts = [], clock, speed = 1, file } = options;
    if (!isLoopback(host) && accounts.length === 0) throw new BoardError('DESK_PASSWORD_MISSING', { host });
    const faults = new Subject<DeskNotice>();
    const failed = (error: unknown): void => {
      options.failed?.(error);
      faults.next({ type: 'desk-fault', error });
    };
    const reader = openStoreReader(file);
    const nowMs = clock.wallMs;
    const hall = new Hall({
      nowMs,
      wallMsOf: (atMs) => clock.wallMs() - (clock.monotonicMs() - atMs),
    });
    const watched = createEntryWatch(reader, hall);
    hall.load(reader.games({ sinceWallMs: nowMs() - RECENT_MS }), watched.entriesOf);
    hall.setHolds(reader.holds());
    const live = new LiveStream({ hall, boot: randomUUID(), nowMs, speed });
    const health = new BoardHealthWatch(() => performance.now());
    const office = createOffice(file, () => startThread('desk/office-worker'));
    const unwinnable = createUnwinnableAsker(() => startThread('laws/unwinnable-worker'));
    const audit: Audit =
      options.auditFile === undefined ? () => {} : createAuditFile(options.auditFile, failed);

    const dirty = new Subject<void>();
    const heard$ = options.updates$.pipe(
      tap((update) => {
        hall.take(update);
        health.take(update);
        if (update.type === 'fault') live.notice({ ...update.fault, cure: update.cure, atMs: nowMs() });
        if (update.type === 'game' || update.type === 'rederived') watched.meet(gameIdOf(update));
        dirty.next();
      }),
      ignoreElements(),
    );
    const told$ = dirty.pipe(
      // At once when the hall was quiet.
      throttleTime(TELL_MS, asyncScheduler, { leading: true, trailing: true }),
      delay(GATHER_MS),
      tap(() => live.tell()),
      ignoreElements(),
    );
    const heeded$ = interval(HEED_MS).pipe(
      tap(() => {
        if (!reader.hasChanged()) return;
        watched.heed();
        dirty.next();
      }),
      ignoreElements(),
    );
    const beats$ = interval(BEAT_MS).pipe(
      tap(() => live.beat()),
      ignoreElements(),
    );
    const served$ = serveApp$(
      async () => {
        const app = await createDeskApp({
          hall,
          live,
          health,
          office,
          reader,
          unwinnable,
          ...(options.tournament !== undefined && { tournament: options.tournament }),
          ...(options.outputs !== undefined && { outputs: options.outputs }),
          ...(options.simulated !== undefined && { simulated: options.simulated }),
          changed: () => {
            watched.heed();
            live.tell();
          },
          accounts,
          ...(options.hosts !== undefined && { hosts: options.hosts }),
          ...(options.requestsPerMinute !== undefined && { requestsPerMinute: options.requestsPerMinute }),
          pageDir: options.pageDir,
          nowMs,
          audit,
          entered: (game) => {
            watched.heedGame(game);
            live.tell();
          },
          failed,
        });
        await options.mount?.(app);
        return app;
      },
      { host, port: options.port },
    );
    return merge(told$, heeded$, beats$, faults, served$, heard$).pipe(
      finalize(() => {
        live.close();
        reader.close();
        void office.close();
        void unwinnable.close();
      }),
    );
  });
}

const gameIdOf = (update: Extract<RecorderUpdate, { type: 'game' | 'rederived' }>): number =>
  update.type === 'game' ? update.id : update.game.id;

/** Keeps the hall up to date with what is entered about its games, by this desk and by others. */
function createEntryWatch(reader: StoreReader, hall: Hall) {
  const games = new Map<number, { readonly sittingId: number; readonly number: number }>();
  const entriesOf = (sittingId: number, number: number) =>
    reader.entered(sittingId).entries.filter(({ game }) => game === number);
  const placeOf = (id: number) => {
    let place = games.get(id);
    if (place === undefined) {
      const [stored] = reader.games({ id });
      if (stored === undefined) return undefined;
      place = { sittingId: stored.sittingId, number: stored.record.game };
      games.set(id, place);
    }
    return place;
  };
  const heedGame = (id: number): void => {
    const place = placeOf(id);
    if (place !== undefined) hall.enter(id, entriesOf(place.sittingId, place.number));
  };
  return {
    entriesOf: ({ sittingId, record }: StoredGame) => entriesOf(sittingId, record.game),
    /** A game is seen for the first time. */
    meet(id: number): void {
      if (!games.has(id)) heedGame(id);
    },
    heedGame,
    heed(): void {
      hall.setHolds(reader.holds());
      for (const id of hall.gameIds()) heedGame(id);
    },
  };
}
