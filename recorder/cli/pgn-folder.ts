import { resolve } from 'node:path';
import { type BoardError, isBoardError } from '../../core/board-error.ts';
import { loadConfig } from '../config/load-config.ts';
import { type PgnFolder, rewritePgn } from '../publish/rewrite-pgn.ts';
import { openStoreReader } from '../store/store.ts';
import { DEFAULT_PGN } from './pgn-default.ts';

/**
 * The PGN folder of a database: the one that is named, else that of the settings in this folder when they are about this database,
 * else the one that `record` takes. Undefined when none is wanted.
 */
export function pgnFolderOf(db: string, named: string | false | undefined): PgnFolder | undefined {
  if (named === false) return undefined;
  if (named !== undefined) return { dir: named, isNamed: true };
  const loaded = loadConfig(undefined);
  const settings = loaded.ok && loaded.value.file !== undefined ? loaded.value.config.recorder : undefined;
  const isItsOwn = settings !== undefined && resolve(settings.db) === resolve(db);
  const dir = isItsOwn ? settings.pgn : DEFAULT_PGN;
  return dir === '' ? undefined : { dir, isNamed: false };
}

/** What became of the PGN files of games that are others now. */
export interface Rewritten {
  readonly written: readonly string[];
  /** What the folder refused: the games are stored as they are all the same. */
  readonly fault?: BoardError;
}

/** Writes games of a sitting, by their number at the board, to the PGN folder of their database. */
export async function rewriteGames(
  db: string,
  named: string | false | undefined,
  sittingId: number,
  numbers: ReadonlySet<number>,
): Promise<Rewritten> {
  const folder = pgnFolderOf(db, named);
  if (folder === undefined) return { written: [] };
  const store = openStoreReader(db);
  try {
    const games = store.games({ sittingId }).filter(({ record }) => numbers.has(record.game));
    return { written: await rewritePgn(store, folder, games) };
  } catch (error) {
    if (!isBoardError(error, 'PGN_DIR_UNWRITABLE')) throw error;
    return { written: [], fault: error };
  } finally {
    store.close();
  }
}
