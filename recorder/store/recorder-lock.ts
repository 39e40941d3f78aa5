import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { BoardError, isBoardError } from '../../core/board-error.ts';
import { storeError } from './store-error.ts';

/** The right to record into a database file; one process has it. */
export interface RecorderLock {
  release(): void;
}

/** The file that carries the lock of a database, beside it, links followed. */
export function lockFileOf(file: string): string {
  let real = file;
  try {
    real = realpathSync(file);
  } catch {
    try {
      real = join(realpathSync(dirname(file)), basename(file));
    } catch {
      // The folder is not there either; whoever opens the file says so.
    }
  }
  return `${real}-recorder`;
}

/**
 * Takes the right to record into a file; STORE_LOCKED when another recorder has it. It is a lock of the operating
 * system on an empty file beside the database: it ends with the process however that ends, so there are no leftovers,
 * and readers of the database are not held up.
 */
export function takeRecorderLock(file: string): RecorderLock {
  const path = lockFileOf(file);
  let holder: Sqlite.Database | undefined;
  try {
    holder = new Sqlite(path, { timeout: 0 });
    holder.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    holder?.close();
    const coded = storeError(error, file);
    if (isBoardError(coded, 'STORE_CORRUPT')) {
      throw new BoardError('STORE_READONLY', { file, detail: `${path} is in the way` }, error);
    }
    throw coded;
  }
  const lock = holder;
  return { release: () => lock.close() };
}

/** Whether a recorder is writing to the file now. */
export function isRecorderRunning(file: string): boolean {
  try {
    takeRecorderLock(file).release();
    return false;
  } catch (error) {
    return isBoardError(error, 'STORE_LOCKED');
  }
}
