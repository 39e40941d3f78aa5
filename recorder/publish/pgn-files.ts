import { mergeMap, type ObservableInput, type OperatorFunction, of, type SchedulerLike, tap } from 'rxjs';
import type { FailedAttempt } from '../attempt.ts';
import { joinPgn } from '../pgn/writer.ts';
import { type DocumentChange, deliver, type FileWritten } from './documents.ts';
import { createFolderPlace } from './folder-place.ts';

/** A game as it is to be published from now on. */
export interface PublishedGame {
  /** Number of the game in the store; its file is `game-<id>.pgn`, and readers sort by that number. */
  readonly id: number;
  /** The whole game as PGN. */
  readonly pgn: string;
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

/**
 * Keeps a folder of PGN files: one a game, and `games.pgn` with all of them in order. Each file is replaced as a whole, at
 * once when nothing was written to it lately, else as soon as it may be, with the newest text (`deliver`).
 */
export function pgnFiles(
  options: PgnFilesOptions,
): OperatorFunction<PublishedGame, FileWritten | FailedAttempt> {
  const { dir, replace, ...pace } = options;
  return (source) => {
    const games = new Map<number, string>();
    const all = (): string => joinPgn([...games].sort(([a], [b]) => a - b).map(([, pgn]) => pgn));
    return source.pipe(
      tap(({ id, pgn }) => games.set(id, pgn)),
      mergeMap(({ id }) =>
        of<DocumentChange[]>(
          { name: `game-${id}.pgn`, text: () => games.get(id) },
          { name: ALL_GAMES, text: all },
        ),
      ),
      deliver(createFolderPlace(dir, replace), pace),
    );
  };
}
