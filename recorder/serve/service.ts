/** What runs beside the recorder: publishing, the desk, interfaces for other programs. */
import { distinctUntilChanged, map, type Observable } from 'rxjs';
import type { Clock } from '../../driver/clock.ts';
import type { Fleet } from '../../driver/fleet.ts';
import type { FailedAttempt } from '../attempt.ts';
import type { Config } from '../config/config.ts';
import type { Environment } from '../language/language.ts';
import type { RecorderUpdate } from '../recorder.ts';
import type { StoreReader } from '../store/store.ts';
import type { TournamentDesk } from '../tournament/tournament-desk.ts';

/** What a service tells the log and whoever looks; nothing of it is a game. */
export type Notice =
  /** In few words, for people: "listens at http://127.0.0.1:8090". */
  | { readonly type: 'notice'; readonly service: string; readonly text: string }
  /** Something was written or sent. */
  | { readonly type: 'sent'; readonly service: string; readonly target: string }
  | (FailedAttempt & { readonly service: string });

/** What `serve` tells: games and boards as the recorder does, and what services say. */
export type ServeUpdate = RecorderUpdate | Notice;

/** What a service may know and use. */
export interface ServeContext {
  /** The database, to be read from; its games are what `updates$` has told. Entries are made by `openDesk(store.file)`. */
  readonly store: StoreReader;
  /**
   * What the recorder tells, as it is committed; hot and shared, completes when the recording has ended. Whoever comes later
   * reads what was before from the store.
   */
  readonly updates$: Observable<RecorderUpdate>;
  /** The settings, at once and after every change; see `section$`. */
  readonly config$: Observable<Config>;
  /** The tournament, and the right to change it. */
  readonly tournament: TournamentDesk;
  /** What services tell, as it is told; hot, completes with the recording. */
  readonly notices$: Observable<Notice>;
  readonly fleet: Fleet;
  readonly clock: Clock;
  readonly env: Environment;
}

/**
 * A service: cold, subscribing starts it and unsubscribing stops it. One that has something left to write when `updates$` completes
 * does so and completes; what has not completed a while later is unsubscribed. An error is told and the service is started
 * again later: no recording ends of it.
 */
export type Service = (context: ServeContext) => Observable<Notice>;

/** A service by its name in notices and in the log. */
export interface NamedService {
  readonly name: string;
  readonly service: Service;
}

/** One section of the settings, at once and whenever it is another one. */
export const section$ = <Name extends keyof Config>(
  config$: Observable<Config>,
  name: Name,
): Observable<Config[Name]> =>
  config$.pipe(
    map((config) => config[name]),
    distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
  );
