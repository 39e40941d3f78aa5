/** The files of the PGN folder after a decision that no recorder was there to hear. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BoardError } from '../../core/board-error.ts';
import { joinPgn } from '../pgn/writer.ts';
import type { StoredGame, StoreReader } from '../store/store.ts';
import { replaceFile } from './atomic-file.ts';
import { ALL_GAMES } from './pgn-files.ts';
import { heldSince } from './public-event.ts';
import { isPublishable, publishPgn } from './published-pgn.ts';

/** A folder of PGN files; `isNamed`: files that are not there yet are made, since somebody has named the folder. */
export interface PgnFolder {
  readonly dir: string;
  readonly isNamed: boolean;
}

/**
 * Writes games of a store to a folder as a recorder would have (`pgnFiles`): their own files, and in their place in the file of all
 * games. Only files that hold the same game are replaced, by its GameId: a folder may have the games of another database. What is held
 * back stays as it is. Returns the paths written; rejects with PGN_DIR_UNWRITABLE.
 */
export async function rewritePgn(
  store: StoreReader,
  { dir, isNamed }: PgnFolder,
  games: readonly StoredGame[],
): Promise<string[]> {
  const written: string[] = [];
  const all = join(dir, ALL_GAMES);
  const before = await readText(all);
  let together = splitPgn(before ?? '');
  for (const game of games) {
    if (heldSince(store.holds(), { board: game.board, games: [game.id] }) !== undefined) continue;
    const path = join(dir, `game-${game.id}.pgn`);
    const old = await readText(path);
    const isItsOwn = old !== undefined && gameIdOf(old) === game.token;
    if (!isItsOwn && !(isNamed && old === undefined && isPublishable(game.record))) continue;
    const pgn = publishPgn(game.record, game);
    if (pgn !== old) {
      await replaceFile(path, pgn);
      written.push(path);
    }
    together = withGame(together, game, pgn, isNamed);
  }
  const after = joinPgn(together);
  if (together.length > 0 && after !== before) {
    await replaceFile(all, after);
    written.push(all);
  }
  return written;
}

/** A file's text, undefined when it is not there; what cannot be read is not overwritten. */
async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new BoardError('PGN_DIR_UNWRITABLE', { file: path, detail: message }, error);
  }
}

/** The games of a file that the writer has joined: moves hold no empty line. */
const splitPgn = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)\n(?=\[)/));

const gameIdOf = (pgn: string): string | undefined => /^\[GameId "(.*)"\]$/m.exec(pgn)?.[1];

/** Puts a game in its place among others: its own, else before the first of the same database that began later. */
function withGame(games: readonly string[], { token, id }: StoredGame, pgn: string, add: boolean): string[] {
  const at = games.findIndex((game) => gameIdOf(game) === token);
  if (at >= 0) return games.with(at, pgn);
  if (!add) return [...games];
  const store = token.slice(0, token.length - String(id).length);
  const later = games.findIndex((game) => {
    const known = gameIdOf(game);
    return known?.startsWith(store) === true && Number(known.slice(store.length)) > id;
  });
  return games.toSpliced(later < 0 ? games.length : later, 0, pgn);
}
