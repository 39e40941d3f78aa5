import {
  catchError,
  concat,
  defer,
  endWith,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  retry,
  take,
  takeUntil,
  throwError,
} from 'rxjs';
import { BoardError } from '../../core/board-error.ts';
import { failedAttempt } from '../attempt.ts';
import type { NamedService, Notice, ServeContext } from './service.ts';

/** A service that has failed is started again after so long, ms; twice as long after each further failure. */
const AGAIN_MS = 2000;
const AGAIN_MOST_MS = 60_000;
/** What still runs so long after the recording has ended is ended, ms. */
const GRACE_MS = 10_000;

/**
 * Runs services beside a recorder. One that fails is told of and started again later, until the recording has ended; then each may
 * finish, for ten seconds.
 */
export const runServices = (services: readonly NamedService[], context: ServeContext): Observable<Notice> =>
  merge(...services.map((service) => runService(service, context)));

function runService({ name, service }: NamedService, context: ServeContext): Observable<Notice> {
  const { clock, updates$ } = context;
  const ended$ = updates$.pipe(ignoreElements(), endWith(0), take(1));
  const over$ = ended$.pipe(mergeMap(() => clock.timer$(GRACE_MS)));
  return defer(() => {
    let failures = 0;
    let isOver = false;
    const begun$ = defer(() => service(context)).pipe(
      map((notice) => {
        failures = 0;
        return notice;
      }),
      catchError((error: unknown) => {
        failures++;
        const coded =
          error instanceof BoardError
            ? error
            : new BoardError(
                'SERVICE_FAILED',
                {
                  service: name,
                  detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
                },
                error,
              );
        const told: Notice = { ...failedAttempt(coded, isOver), service: name };
        return concat(
          of(told),
          throwError(() => error),
        );
      }),
      retry({
        delay: () => {
          const waitMs = Math.min(AGAIN_MOST_MS, AGAIN_MS * 2 ** (failures - 1));
          return isOver ? of() : clock.timer$(waitMs).pipe(takeUntil(ended$));
        },
      }),
    );
    return merge(
      begun$,
      ended$.pipe(
        mergeMap(() => {
          isOver = true;
          return of<Notice>();
        }),
      ),
    ).pipe(takeUntil(over$));
  });
}
