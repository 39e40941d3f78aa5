import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { BoardError } from '../../core/board-error.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';

/** Stands in the head of every database of this program ("JADB"). */
export const APPLICATION_ID = 0x4a414442;

const checksumOf = (migration: Migration): string =>
  createHash('sha256').update(`${migration.version}\n${migration.name}\n${migration.sql}`).digest('hex');

const numberPragma = (db: Database, name: string): number => Number(db.pragma(name, { simple: true }));

/**
 * Looks at a file before anything opens it for writing: STORE_NEWER_SCHEMA when a newer program has written it,
 * STORE_CORRUPT when it is no database. Touches nothing. Head of a database: offset 60 schema version, 68 application.
 */
export function checkHead(file: string, migrations = MIGRATIONS): void {
  const head = readHead(file);
  if (head === undefined) return;
  if (head.toString('latin1', 0, 15) !== 'SQLite format 3') {
    throw new BoardError('STORE_CORRUPT', { file, detail: 'it is no database' });
  }
  refuseNewer(file, head.readUInt32BE(60), head.readUInt32BE(68), migrations);
}

/** The head of a database file, 100 bytes; undefined when there is no file or nothing in it, empty when it is shorter. */
function readHead(file: string): Buffer | undefined {
  if (!existsSync(file)) return undefined;
  const head = Buffer.alloc(100);
  const handle = openSync(file, 'r');
  try {
    const length = readSync(handle, head, 0, 100, 0);
    return length === 0 ? undefined : length < 100 ? Buffer.alloc(100) : head;
  } finally {
    closeSync(handle);
  }
}

/** Whether the head of a file says that it is a database of this program, whatever became of the rest. */
export function isOurs(file: string): boolean {
  const head = readHead(file);
  return head?.toString('latin1', 0, 15) === 'SQLite format 3' && head.readUInt32BE(68) === APPLICATION_ID;
}

/** Refuses what a newer program or another program has written; version 0 of no program is a new file. */
export function refuseNewer(
  file: string,
  version: number,
  application: number,
  migrations = MIGRATIONS,
): void {
  if (application !== APPLICATION_ID && (application !== 0 || version !== 0)) {
    throw new BoardError('STORE_CORRUPT', { file, detail: 'it belongs to another program' });
  }
  if (version > (migrations.at(-1)?.version ?? 0)) {
    throw new BoardError('STORE_NEWER_SCHEMA', { file, detail: `schema ${version}` });
  }
}

/** Refuses a database that says nothing of itself and yet holds something: it is another program's. */
export function refuseForeign(db: Database, file: string): void {
  if (numberPragma(db, 'user_version') > 0) return;
  if (db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() !== 0) {
    throw new BoardError('STORE_CORRUPT', { file, detail: 'it belongs to another program' });
  }
}

/**
 * Brings a database to the newest schema, one IMMEDIATE transaction a step. Every step that was applied is compared
 * with the one this program carries (STORE_MIGRATION_CHANGED).
 */
export function migrate(db: Database, file: string, migrations = MIGRATIONS): void {
  const version = numberPragma(db, 'user_version');
  refuseNewer(file, version, numberPragma(db, 'application_id'), migrations);
  refuseForeign(db, file);
  if (version > 0) {
    const applied = db.prepare('SELECT version, checksum FROM migrations ORDER BY version').all() as {
      version: number;
      checksum: string;
    }[];
    for (const [index, step] of applied.entries()) {
      const known = migrations[index];
      if (known?.version !== step.version || checksumOf(known) !== step.checksum) {
        throw new BoardError('STORE_MIGRATION_CHANGED', { file, detail: `migration ${step.version}` });
      }
    }
  }
  for (const migration of migrations.filter((step) => step.version > version)) {
    db.transaction(() => {
      db.exec(
        'CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT',
      );
      db.exec(migration.sql);
      db.prepare('INSERT INTO migrations (version, name, checksum) VALUES (?, ?, ?)').run(
        migration.version,
        migration.name,
        checksumOf(migration),
      );
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${migration.version}`);
    }).immediate();
  }
}
