import {
  defer,
  distinctUntilChanged,
  ignoreElements,
  merge,
  type Observable,
  of,
  repeat,
  Subject,
  startWith,
} from 'rxjs';
import { isBoardError } from '../../core/board-error.ts';
import type { Clock } from '../../driver/clock.ts';
import { openTournamentStore } from '../store/tournament-store.ts';
import type { TournamentChange } from './change.ts';
import type { Tournament } from './tournament.ts';

/** The tournament while a recorder runs: how it stands, and the right to change it. */
export interface TournamentDesk {
  /** How it stands, at once and after every change, whoever makes it. */
  readonly state$: Observable<Tournament>;
  /** How it stands now. */
  current(): Tournament;
  /**
   * Makes all changes or none, signed. `seen`: the revision they were made from; throws TOURNAMENT_CHANGED when it is another one by
   * now, and STORE_ codes.
   */
  apply(changes: readonly TournamentChange[], by: string, seen?: number): void;
  close(): void;
}

/** Time between two looks for what others have changed, ms. */
const LOOK_MS = 500;

/** Opens the tournament of a database beside the recorder that writes to it; throws a `BoardError`. */
export function openTournamentDesk(file: string, clock: Clock): TournamentDesk {
  const store = openTournamentStore(file);
  let known = store.state();
  let tournament = store.read();
  const changes = new Subject<Tournament>();
  const look = (): void => {
    const state = store.state();
    if (state === known) return;
    known = state;
    tournament = store.read();
    changes.next(tournament);
  };
  const watched$ = defer(() => {
    try {
      look();
    } catch (error) {
      // A disk that refuses now is asked again; what stands is what was read last.
      if (!isBoardError(error)) throw error;
    }
    return of(0);
  }).pipe(repeat({ delay: () => clock.timer$(LOOK_MS) }), ignoreElements());
  return {
    state$: defer(() => merge(changes.pipe(startWith(tournament)), watched$)).pipe(distinctUntilChanged()),
    current() {
      look();
      return tournament;
    },
    apply(changes, by, seen) {
      store.apply(changes, { by, wallMs: clock.wallMs(), ...(seen !== undefined && { seen }) });
      look();
    },
    close: () => store.close(),
  };
}
