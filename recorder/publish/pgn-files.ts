import { join } from 'node:path';
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
import { joinPgn } from '../pgn/writer.ts';
import { replaceFile } from './atomic-file.ts';

/** A game as it is to be published from now on. */
export interface PublishedGame {
  /** Number of the game in the store; its file is `game-<id>.pgn`, and readers sort by that number. */
  readonly id: number;
  /** The whole game as PGN. */
  readonly pgn: string;
}

/** A file of the folder now holds what was known when it was written. */
export interface FileWritten {
  readonly type: 'written';
  readonly path: string;
}

export interface PgnFilesOptions {
  readonly dir: string;
  /** Shortest time between two writes of the same file, ms. */
  readonly everyMs?: number;
  readonly scheduler?: SchedulerLike;
  /** How a file is replaced; on disk and atomically when absent. */
  readonly replace?: (path: string, text: string) => ObservableInput<unknown>;
}

/** The file that holds all games, for programs that watch one file. */
export const ALL_GAMES = 'games.pgn';

/** A file that is to be written, with its newest text. */
interface Due {
  readonly name: string;
  readonly text: () => string;
}

/** Time before a folder that refused a file is tried again, ms. */
const RETRY_MS = 5000;

/**
 * Keeps a folder of PGN files: one a game, and `games.pgn` with all of them in order. Each file is replaced as a whole, at
 * once when nothing was written to it lately, else as soon as it may be, with the newest text. When the source
 * completes what is due is still written, and a folder that refuses is given up.
 */
export function pgnFiles(
  options: PgnFilesOptions,
): OperatorFunction<PublishedGame, FileWritten | FailedAttempt> {
  const { dir, everyMs = 1000, scheduler = asyncScheduler, replace = replaceFile } = options;
  return (source) => {
    const games = new Map<number, string>();
    const written = new Map<string, string>();
    let ending = false;
    const end$ = new ReplaySubject<void>(1);

    const all = (): string => joinPgn([...games].sort(([a], [b]) => a - b).map(([, pgn]) => pgn));

    const write = ({ name, text: newest }: Due): Observable<FileWritten | FailedAttempt> => {
      const path = join(dir, name);
      const action = (): ObservableInput<FileWritten> => {
        const text = newest();
        if (written.get(name) === text) return EMPTY;
        return concat(
          from(replace(path, text)).pipe(ignoreElements()),
          defer(() => {
            written.set(name, text);
            return of({ type: 'written', path } as const);
          }),
        );
      };
      return attempt(action, RETRY_MS, () => !ending, end$).pipe(tellLost);
    };

    return source.pipe(
      tap({
        next: ({ id, pgn }) => {
          games.set(id, pgn);
        },
        complete: () => {
          ending = true;
          end$.next();
        },
      }),
      mergeMap(({ id }) =>
        of<Due[]>(
          { name: `game-${id}.pgn`, text: () => games.get(id) ?? '' },
          { name: ALL_GAMES, text: all },
        ),
      ),
      groupBy(({ name }) => name),
      mergeMap((changes$) =>
        changes$.pipe(throttleTime(everyMs, scheduler, { leading: true, trailing: true }), concatMap(write)),
      ),
    );
  };
}
