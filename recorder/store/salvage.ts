/** Saves what can be read of a damaged database: the file is put aside as it is, and its rows are copied into a new one. */
import { existsSync, renameSync } from 'node:fs';
import { join, parse } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { openForWriting } from './open-database.ts';
import { decodeInputs } from './packed-inputs.ts';
import { takeRecorderLock } from './recorder-lock.ts';
import { withStoreErrors } from './store-error.ts';

/** What became of a damaged database. */
export interface Salvage {
  /** Where the damaged file is now, untouched. */
  readonly damaged: string;
  /** Rows of each table that are in the new file. */
  readonly saved: Readonly<Record<string, number>>;
  /** Gaps: places where one or more rows could not be read, by table. */
  readonly gaps: Readonly<Record<string, number>>;
  /** Sittings of which input may be missing: their games are kept as they were derived. */
  readonly incomplete: readonly number[];
}

interface Column {
  readonly name: string;
  readonly pk: number;
}

/** Files that belong to a database, by what follows its name. */
const PARTS = ['', '-wal', '-shm'] as const;

/**
 * Looks whether a database is whole. Costs about as much as reading the file once.
 * @returns what is wrong with it; undefined when nothing is.
 */
export function findDamage(db: Database): string | undefined {
  const found = db.pragma('quick_check(1)', { simple: true });
  return found === 'ok' ? undefined : String(found);
}

/**
 * Puts a damaged database aside as `<name>-damaged-<stamp>` and writes everything that can be read of it into a new file in its place.
 * Throws a `BoardError`: STORE_LOCKED while a recorder is writing to it, STORE_FULL and the like when the new file cannot be written; then the
 * damaged one is back in its place.
 */
export function salvageDatabase(file: string, wallMs: number): Salvage {
  const lock = takeRecorderLock(file);
  try {
    const damaged = freeName(file, wallMs);
    moveDatabase(file, damaged);
    try {
      return { damaged, ...copyReadable(damaged, file) };
    } catch (error) {
      for (const part of PARTS) if (existsSync(file + part)) renameSync(file + part, `${damaged}-new${part}`);
      moveDatabase(damaged, file);
      throw error;
    }
  } finally {
    lock.release();
  }
}

function freeName(file: string, wallMs: number): string {
  const stamp = new Date(wallMs).toISOString().replace(/[-:]|\..*$/g, '');
  const { dir, name, ext } = parse(file);
  for (let n = 1; ; n++) {
    const free = join(dir, `${name}-damaged-${stamp}${n === 1 ? '' : `-${n}`}${ext}`);
    if (!existsSync(free)) return free;
  }
}

function moveDatabase(from: string, to: string): void {
  withStoreErrors(from, () => {
    for (const part of PARTS) if (existsSync(from + part)) renameSync(from + part, to + part);
  });
}

function copyReadable(from: string, to: string): Omit<Salvage, 'damaged'> {
  const target = openForWriting(to);
  try {
    const source = withStoreErrors(from, () => new Sqlite(from, { readonly: true, fileMustExist: true }));
    try {
      return withStoreErrors(to, () => copyTables(source, target));
    } finally {
      source.close();
    }
  } finally {
    target.close();
  }
}

function copyTables(source: Database, target: Database): Omit<Salvage, 'damaged'> {
  const saved: Record<string, number> = {};
  const gaps: Record<string, number> = {};
  const incomplete = new Set<number>();
  const tables = target
    .prepare<[], { name: string; wr: 0 | 1 }>(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migrations'",
    )
    .all();
  target.pragma('foreign_keys = OFF');
  target.pragma('synchronous = OFF');
  target.transaction(() => {
    for (const { name, wr } of tables) {
      const columns = commonColumns(source, target, name);
      if (columns === undefined) {
        gaps[name] = 1;
        continue;
      }
      const put = target.prepare(
        `INSERT OR IGNORE INTO "${name}" (${columns.map((column) => `"${column.name}"`).join(', ')})
         VALUES (${columns.map(() => '?').join(', ')})`,
      );
      saved[name] = 0;
      const lose = (): void => {
        gaps[name] = (gaps[name] ?? 0) + 1;
      };
      const key = wr === 1 ? columns.filter(({ pk }) => pk > 0).map(({ name: column }) => `"${column}"`) : [];
      for (const row of wr === 1 ? readWhole(source, name, key, lose) : readByRow(source, name, lose)) {
        if (name === 'inputs' && decodeInputs(row.data as Buffer, row.at_ms as number) === undefined) {
          incomplete.add(row.sitting_id as number);
          lose();
          continue;
        }
        try {
          put.run(columns.map((column) => row[column.name]));
          saved[name]++;
        } catch (error) {
          // A row whose values were damaged: refused by a check of the table.
          if (!isConstraint(error)) throw error;
          lose();
        }
      }
    }
    if (gaps.inputs !== undefined) {
      // Which sittings had rows in the gaps nobody can tell.
      const all = target.prepare<[], number>('SELECT id FROM sittings').pluck().all();
      for (const id of all) incomplete.add(id);
    }
  })();
  target.pragma('wal_checkpoint(TRUNCATE)');
  return { saved, gaps, incomplete: [...incomplete] };
}

/** Columns that both files have; undefined when the damaged one has no such table, or does not say. */
function commonColumns(source: Database, target: Database, table: string): Column[] | undefined {
  const columnsOf = (db: Database): Column[] =>
    db.prepare<[string], Column>('SELECT name, pk FROM pragma_table_info(?)').all(table);
  try {
    const known = new Set(columnsOf(source).map(({ name }) => name));
    const columns = columnsOf(target).filter(({ name }) => known.has(name));
    return columns.length === 0 ? undefined : columns;
  } catch (error) {
    if (isCorrupt(error)) return undefined;
    throw error;
  }
}

type Row = Readonly<Record<string, unknown>>;

/** Greatest distance that is jumped over in search of the next row. */
const FARTHEST = 2 ** 40;

/**
 * The rows of a table one by one; where a page is damaged, it goes on with the first row behind it: searched for in growing steps, then by
 * halves.
 */
function* readByRow(source: Database, table: string, lose: () => void): Generator<Row> {
  const next = source.prepare<[number], Row & { _row: number }>(
    `SELECT rowid AS _row, * FROM "${table}" WHERE rowid > ? ORDER BY rowid LIMIT 1`,
  );
  const read = (after: number): (Row & { _row: number }) | 'end' | 'damaged' => {
    try {
      return next.get(after) ?? 'end';
    } catch (error) {
      if (isCorrupt(error)) return 'damaged';
      throw error;
    }
  };
  for (let after = 0; ; ) {
    let found = read(after);
    if (found === 'damaged') {
      lose();
      let bad = after;
      let step = 1;
      while (found === 'damaged' && step < FARTHEST) {
        bad = after + step - 1;
        found = read(after + step);
        step *= 2;
      }
      if (found === 'damaged') return;
      // The nearest row that can be read lies between; `bad` never can.
      let good = after + step / 2;
      while (good - bad > 1) {
        const middle = Math.floor((good + bad) / 2);
        const nearer = read(middle);
        if (nearer === 'damaged') bad = middle;
        else {
          good = middle;
          found = nearer;
        }
      }
    }
    if (found === 'end') return;
    yield found;
    after = found._row;
  }
}

/** The rows of a table without row numbers, up to the first that cannot be read, from both ends. */
function* readWhole(
  source: Database,
  table: string,
  key: readonly string[],
  lose: () => void,
): Generator<Row> {
  for (const order of ['ASC', 'DESC']) {
    try {
      for (const row of source
        .prepare<[], Row>(
          `SELECT * FROM "${table}" ORDER BY ${key.map((name) => `${name} ${order}`).join(', ')}`,
        )
        .iterate()) {
        yield row;
      }
      return;
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      if (order === 'ASC') lose();
    }
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '');
const isCorrupt = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(codeOf(error));
const isConstraint = (error: unknown): boolean => /^SQLITE_(CONSTRAINT|MISMATCH)/.test(codeOf(error));
