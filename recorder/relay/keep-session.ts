import { catchError, concat, EMPTY, type Observable, of, retry, switchMap, throwError, timer } from 'rxjs';
import { isBoardError } from '../../core/board-error.ts';
import { type FailedAttempt, failedAttempt } from '../attempt.ts';
import type { Wire, WireSession } from './wire.ts';

const RETRY_MS = 1000;

/**
 * Does something with one session of a wire after another. A session that is lost is told once, until the next one, and tried again after a
 * while; any other error goes through. `retry` restarts the connection; what stands below, and the marks in the store, go on.
 */
export function keepSession<T>(
  wire: Wire,
  use: (session: WireSession) => Observable<T>,
  retryMs = RETRY_MS,
): Observable<T | FailedAttempt> {
  let isTold = false;
  return wire.session$.pipe(
    switchMap((session) => {
      isTold = false;
      return use(session);
    }),
    catchError((error: unknown) => {
      if (!isBoardError(error, 'RELAY_AWAY')) return throwError(() => error);
      const wasTold = isTold;
      isTold = true;
      return concat(
        wasTold ? EMPTY : of(failedAttempt(error, false)),
        throwError(() => error),
      );
    }),
    retry({
      delay: (error: unknown) =>
        isBoardError(error, 'RELAY_AWAY') ? timer(retryMs) : throwError(() => error),
    }),
  );
}
