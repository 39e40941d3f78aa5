import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { BoardError } from '../../core/board-error.ts';
import { checkHead, migrate, refuseForeign, refuseNewer } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { withStoreErrors } from './store-error.ts';

/** How long a reader waits for whoever is in the way, ms. */
const READ_BUSY_MS = 2000;
/** The recorder waits less: boards are not heard meanwhile, and it tries again anyway. */
const WRITE_BUSY_MS = 250;

/**
 * Opens a database for the one recorder that may write to it, creating it and its folder, and brings it to the newest
 * schema. Fails with a STORE_ code; a file that a newer or another program has written is not touched.
 */
export function openForWriting(file: string, migrations = MIGRATIONS): Database {
  return withStoreErrors(file, () => {
    checkHead(file, migrations);
    mkdirSync(dirname(resolve(file)), { recursive: true });
    // The newest head may stand in the log beside the file only: looked at without the right to write.
    if (existsSync(file)) openForReading(file, migrations).close();
    const db = new Sqlite(file, { timeout: WRITE_BUSY_MS });
    try {
      db.pragma('journal_mode = WAL');
      // This build's default in WAL mode may lose the last commits with the power.
      db.pragma('synchronous = FULL');
      db.pragma('foreign_keys = ON');
      db.pragma('trusted_schema = OFF');
      migrate(db, file, migrations);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/**
 * Opens a database to enter something beside the recorder that writes to it; the schema is its business, and STORE_LOCKED is
 * the answer where it has another than ours.
 */
export function openForEntering(file: string, migrations = MIGRATIONS): Database {
  openForReading(file, migrations).close();
  return withStoreErrors(file, () => {
    const db = new Sqlite(file, { fileMustExist: true, timeout: READ_BUSY_MS });
    try {
      if (db.pragma('user_version', { simple: true }) !== migrations.at(-1)?.version)
        throw new BoardError('STORE_LOCKED', { file, detail: 'that recorder is of another version' });
      db.pragma('synchronous = FULL');
      db.pragma('foreign_keys = ON');
      db.pragma('trusted_schema = OFF');
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Opens a database to look into it while a recorder may be writing; FILE_UNREADABLE when it is not there. */
export function openForReading(file: string, migrations = MIGRATIONS): Database {
  return withStoreErrors(file, () => {
    if (!existsSync(file)) {
      throw new BoardError('FILE_UNREADABLE', { file, detail: 'it is not there yet; `record` makes it' });
    }
    checkHead(file, migrations);
    const db = new Sqlite(file, { readonly: true, timeout: READ_BUSY_MS });
    try {
      const pragma = (name: string): number => Number(db.pragma(name, { simple: true }));
      refuseNewer(file, pragma('user_version'), pragma('application_id'), migrations);
      refuseForeign(db, file);
      if (pragma('user_version') === 0) {
        throw new BoardError('FILE_UNREADABLE', {
          file,
          detail: 'there is nothing in it yet; `record` makes it',
        });
      }
      db.pragma('trusted_schema = OFF');
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}
