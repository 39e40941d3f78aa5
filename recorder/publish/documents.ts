import {
  asyncScheduler,
  concat,
  concatMap,
  defer,
  EMPTY,
  from,
  groupBy,
  ignoreElements,
  mergeMap,
  type Observable,
  type ObservableInput,
  type OperatorFunction,
  of,
  ReplaySubject,
  type SchedulerLike,
  tap,
  throttleTime,
} from 'rxjs';
import { attempt, type FailedAttempt, tellLost } from '../attempt.ts';

/** A document is another one from now on. */
export interface DocumentChange {
  /** Place among the documents of its output, with slashes: `round-1/game-4.pgn`. */
  readonly name: string;
  /** Its newest text, whenever it is asked for; undefined when it is to be gone. */
  readonly text: () => string | undefined;
}

/** A file of the folder now holds what was known when it was written. */
export interface FileWritten {
  readonly type: 'written';
  readonly path: string;
}

/** Somewhere documents are put: a folder, a server. */
export interface DocumentPlace {
  /** How a document is called to people: a path, an address. */
  pathOf(name: string): string;
  /** Puts a text in the place of what was there, whole; errors with a `BoardError` when the world refuses. */
  put(name: string, text: string): ObservableInput<unknown>;
  /** Takes a document away; no failure when it was not there. */
  remove(name: string): ObservableInput<unknown>;
  /** The text that is there; undefined when there is none. Absent where nothing can be read back. */
  read?(name: string): Promise<string | undefined>;
  /** Nothing is put there any more: a connection is closed. */
  close?(): void;
}

export interface DeliverOptions {
  /** Shortest time between two writes of the same document, ms. */
  readonly everyMs?: number;
  /** Time before a place that refused is tried again, ms. */
  readonly retryMs?: number;
  readonly scheduler?: SchedulerLike;
}

const EVERY_MS = 1000;
const RETRY_MS = 5000;

/**
 * Puts documents in their place: at once when nothing was written of the same name lately, else as soon as it may be,
 * always with the newest text, and never the same text twice. What is refused is tried again. When the source completes what is due
 * is still written, and a place that refuses is given up.
 */
export function deliver(
  place: DocumentPlace,
  options: DeliverOptions = {},
): OperatorFunction<DocumentChange, FileWritten | FailedAttempt> {
  const { everyMs = EVERY_MS, retryMs = RETRY_MS, scheduler = asyncScheduler } = options;
  return (source) =>
    defer(() => {
      const written = new Map<string, string | undefined>();
      let ending = false;
      const end$ = new ReplaySubject<void>(1);

      const write = ({ name, text: newest }: DocumentChange): Observable<FileWritten | FailedAttempt> => {
        const action = (): ObservableInput<FileWritten> => {
          const text = newest();
          if (written.has(name) && written.get(name) === text) return EMPTY;
          return concat(
            from(text === undefined ? place.remove(name) : place.put(name, text)).pipe(ignoreElements()),
            defer(() => {
              written.set(name, text);
              return text === undefined ? EMPTY : of({ type: 'written', path: place.pathOf(name) } as const);
            }),
          );
        };
        return attempt(action, retryMs, () => !ending, end$).pipe(tellLost);
      };

      return source.pipe(
        tap({
          complete: () => {
            ending = true;
            end$.next();
          },
        }),
        groupBy(({ name }) => name),
        mergeMap((changes$) =>
          changes$.pipe(
            throttleTime(everyMs, scheduler, { leading: true, trailing: true }),
            concatMap(write),
          ),
        ),
      );
    });
}
