import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { BoardError } from '../../core/board-error.ts';
import { openForReading } from './open-database.ts';
import { openStoreReader } from './store.ts';
import { withStoreErrors } from './store-error.ts';

/** What a copy holds, as it was found when it was checked. */
export interface BackupReport {
  readonly bytes: number;
  readonly games: number;
  readonly plies: number;
  /** Pieces of raw input, each of which could be read. */
  readonly inputs: number;
}

/**
 * Copies a database into another file while a recorder is writing to it: everything committed before the copy began, from one moment. The
 * copy is checked before it takes its name; a file of that name is replaced. Throws a `BoardError` with a STORE_ code, of the
 * file that is to blame.
 */
export function backupDatabase(file: string, target: string): BackupReport {
  const part = `${target}.part`;
  withStoreErrors(target, () => {
    mkdirSync(dirname(resolve(target)), { recursive: true });
    rmSync(part, { force: true });
  });
  const db = openForReading(file);
  try {
    // Reads in one transaction, so that a recorder who commits meanwhile neither waits nor is copied in half.
    withStoreErrors(target, () => db.prepare('VACUUM INTO ?').run(part));
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    db.close();
  }
  const report = checkDatabaseCopy(part);
  withStoreErrors(target, () => {
    const handle = openSync(part, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    renameSync(part, target);
  });
  return report;
}

/**
 * Reads a database from end to end: its structure, every piece of raw input, every game. Throws STORE_CORRUPT with what is wrong.
 */
export function checkDatabaseCopy(file: string): BackupReport {
  const db = openForReading(file);
  try {
    const broken = withStoreErrors(file, () => [
      ...(db.pragma('integrity_check') as { readonly integrity_check: string }[])
        .map((row) => row.integrity_check)
        .filter((text) => text !== 'ok'),
      ...(db.pragma('foreign_key_check') as { readonly table: string }[]).map(
        ({ table }) => `a row of ${table} belongs to nothing`,
      ),
    ]);
    if (broken.length > 0) throw new BoardError('STORE_CORRUPT', { file, detail: broken[0]! });
  } finally {
    db.close();
  }
  const reader = openStoreReader(file);
  try {
    let inputs = 0;
    for (const sitting of reader.sittings()) {
      for (const _ of reader.inputs(sitting.id)) inputs++;
      reader.entered(sitting.id);
    }
    const games = reader.games();
    const plies = games.reduce((sum, { record }) => sum + record.plies.length, 0);
    return { bytes: statSync(file).size, games: games.length, plies, inputs };
  } finally {
    reader.close();
  }
}
