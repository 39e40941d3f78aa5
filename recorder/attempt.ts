import {
  catchError,
  concat,
  defer,
  mergeMap,
  type Observable,
  type ObservableInput,
  of,
  race,
  take,
  throwError,
  timer,
} from 'rxjs';
import { BoardError } from '../core/board-error.ts';
import type { Fault } from '../core/result.ts';

/** Something could not be written; it is tried again unless `lost`. */
export interface FailedAttempt {
  readonly type: 'fault';
  readonly fault: Fault;
  readonly cure: string;
  /** Nothing will be tried again. */
  readonly lost: boolean;
}

/** Tells of a coded failure as a value. */
export const failedAttempt = (error: BoardError, lost: boolean): FailedAttempt => ({
  type: 'fault',
  fault: error.toFault(),
  cure: error.cure,
  lost,
});

/**
 * Does something that the world may refuse (disk full, folder gone) again and again until it succeeds, `waitMs` apart (asked for after each failure),
 * telling of the first refusal and of every one with another code; when `hurry$` speaks it waits no longer. Ends with the error where `goesOn` says no, and on
 * anything that is no `BoardError`.
 */
export function attempt<T>(
  action: () => ObservableInput<T>,
  waitMs: number | (() => number),
  goesOn: (error: BoardError) => boolean,
  hurry$: Observable<unknown>,
  told?: string,
): Observable<T | FailedAttempt> {
  return defer(action).pipe(
    catchError((error: unknown) => {
      if (!(error instanceof BoardError) || !goesOn(error)) return throwError(() => error);
      const again$ = race(timer(typeof waitMs === 'number' ? waitMs : waitMs()), hurry$).pipe(
        take(1),
        mergeMap(() => attempt(action, waitMs, goesOn, hurry$, error.code)),
      );
      return told === error.code ? again$ : concat(of(failedAttempt(error, false)), again$);
    }),
  );
}

/** Turns the coded error that ends a stream into a last value: it is given up, and said. */
export const tellLost = <T>(source: Observable<T>): Observable<T | FailedAttempt> =>
  source.pipe(
    catchError((error: unknown) =>
      error instanceof BoardError ? of(failedAttempt(error, true)) : throwError(() => error),
    ),
  );
