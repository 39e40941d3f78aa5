import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { APPLICATION_ID } from '../../../recorder/store/migrate.ts';
import { MIGRATIONS, type Migration } from '../../../recorder/store/migrations.ts';
import { openForReading, openForWriting } from '../../../recorder/store/open-database.ts';
import { codeOf } from '../../kit/code-of.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
const next = (sql: string): Migration => ({ version: MIGRATIONS.length + 1, name: 'one more', sql });

describe('migrations', () => {
  it('brings a new file to the newest schema, with the settings a recorder of rated games needs', () => {
    const db = openForWriting(join(temporaryFolder(), 'deep', 'er', 'new.sqlite'));
    const pragma = (name: string): unknown => db.pragma(name, { simple: true });
    expect(pragma('user_version')).toBe(MIGRATIONS.at(-1)!.version);
    expect(pragma('application_id')).toBe(APPLICATION_ID);
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('foreign_keys')).toBe(1);
    const loose = db
      .prepare(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND NOT strict AND name NOT LIKE 'sqlite_%'",
      )
      .all();
    expect(loose).toEqual([]);
    expect(pragma('foreign_key_check')).toBeUndefined();
    db.close();
  });

  it('applies one step after another and leaves an up-to-date file alone', () => {
    const file = join(temporaryFolder(), 'a.sqlite');
    openForWriting(file).close();
    const more = [...MIGRATIONS, next('CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT;')];
    openForWriting(file, more).close();
    openForWriting(file, more).close();
    const db = openForReading(file, more);
    expect(db.prepare('SELECT count(*) FROM more').pluck().get()).toBe(0);
    expect(db.prepare('SELECT version FROM migrations ORDER BY version').pluck().all()).toEqual(
      more.map(({ version }) => version),
    );
    db.close();
  });

  it('takes a step back as a whole when a part of it fails', () => {
    const file = join(temporaryFolder(), 'a.sqlite');
    openForWriting(file).close();
    const broken = [
      ...MIGRATIONS,
      next('CREATE TABLE half (id INTEGER) STRICT; CREATE TABLE boards (id INTEGER);'),
    ];
    expect(() => openForWriting(file, broken)).toThrow();
    const db = openForReading(file);
    expect(db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
    expect(db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'half'").pluck().get()).toBe(0);
    db.close();
  });

  it('refuses a newer schema and leaves the file as it is, byte for byte', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a.sqlite');
    openForWriting(file, [...MIGRATIONS, next('CREATE TABLE later (id INTEGER) STRICT;')]).close();
    const before = hashOf(file);
    expect(codeOf(() => openForWriting(file))).toBe('STORE_NEWER_SCHEMA');
    expect(codeOf(() => openForReading(file))).toBe('STORE_NEWER_SCHEMA');
    expect(hashOf(file)).toBe(before);
    expect(readdirSync(folder)).toEqual(['a.sqlite']);
  });

  it('refuses a newer schema that stands only in the log of a program that was ended hard', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a.sqlite');
    openForWriting(file).close();
    const db = openForWriting(file, [...MIGRATIONS, next('CREATE TABLE later (id INTEGER) STRICT;')]);
    // What a hard end leaves: the file as it was, and the log.
    const copy = join(folder, 'copy.sqlite');
    writeFileSync(copy, readFileSync(file));
    writeFileSync(`${copy}-wal`, readFileSync(`${file}-wal`));
    db.close();
    const before = [hashOf(copy), hashOf(`${copy}-wal`)];
    expect(codeOf(() => openForWriting(copy))).toBe('STORE_NEWER_SCHEMA');
    expect([hashOf(copy), hashOf(`${copy}-wal`)]).toEqual(before);
  });

  it('refuses a file whose migration is not the one this program carries', () => {
    const file = join(temporaryFolder(), 'a.sqlite');
    openForWriting(file).close();
    const edited = MIGRATIONS.map((step) => ({ ...step, sql: `${step.sql}\n-- edited` }));
    expect(codeOf(() => openForWriting(file, edited))).toBe('STORE_MIGRATION_CHANGED');
  });

  it('refuses what is no database, and the database of another program, untouched', () => {
    const folder = temporaryFolder();
    const text = join(folder, 'text.sqlite');
    writeFileSync(text, 'I am a text and long enough to be taken for something else. '.repeat(20));
    const other = join(folder, 'other.sqlite');
    const db = new Sqlite(other);
    db.exec('CREATE TABLE theirs (id INTEGER)');
    db.close();
    for (const file of [text, other]) {
      const before = hashOf(file);
      expect(codeOf(() => openForWriting(file))).toBe('STORE_CORRUPT');
      expect(hashOf(file)).toBe(before);
    }
  });

  it('names a file that is not there, and a folder that is a file', () => {
    const folder = temporaryFolder();
    expect(codeOf(() => openForReading(join(folder, 'none.sqlite')))).toBe('FILE_UNREADABLE');
    expect(existsSync(join(folder, 'none.sqlite'))).toBe(false);
    writeFileSync(join(folder, 'file'), '');
    expect(codeOf(() => openForWriting(join(folder, 'file', 'a.sqlite')))).toBe('STORE_READONLY');
    expect(codeOf(() => openForWriting(folder))).toBe('STORE_READONLY');
  });

  it('says that a file is damaged', () => {
    const file = join(temporaryFolder(), 'a.sqlite');
    openForWriting(file).close();
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 100, 4096);
    writeFileSync(file, bytes);
    expect(codeOf(() => openForWriting(file))).toBe('STORE_CORRUPT');
  });
});
