/** What people enter and the rules of the event: written once, read back, never changed. */
import type { Database } from 'better-sqlite3';
import { BoardError } from '../../core/board-error.ts';
import type { RateOfPlay, Regime } from '../../core/laws/rate-of-play.ts';
import { type Entry, makeEntryContent, type NewEntry, parseEntryContent } from '../entry.ts';
import type { EventRules } from '../event-rules.ts';

/** An entry that takes back an earlier one of the same game. */
export interface Undo extends Omit<NewEntry, 'what'> {
  /** Id of the entry that is undone. */
  readonly undoes: number;
}

/** What was entered about the games of one sitting. */
export interface Entered {
  /** In the order in which they were entered. */
  readonly entries: readonly Entry[];
  /** Id of the last row these are made of, undoing ones included; 0 when there is none. */
  readonly lastId: number;
  /** Row of the rules under which games were derived; absent where they were derived under none that are stored. */
  readonly rulesId?: number;
}

/** Rules as stored. */
export interface StoredRules {
  readonly id: number;
  readonly rules: EventRules;
  readonly wallMs: number;
  /** Who has set them; the settings of a recorder when absent. */
  readonly by?: string;
}

/** Schema from which on rules are signed. */
export const SIGNED_RULES_SINCE = 6;
/** Schema from which on rules may forbid draws before a move. */
const DRAW_FROM_SINCE = 7;
/** Schema from which on rules may have a default time. */
const DEFAULT_TIME_SINCE = 8;

interface EntryRow {
  readonly id: number;
  readonly game: number;
  readonly at_ms: number;
  readonly wall_ms: number;
  readonly signed_by: string;
  readonly what: string;
  readonly undone_id: number | null;
  readonly undone_wall_ms: number | null;
  readonly undone_by: string | null;
}

interface RulesRow {
  readonly id: number;
  readonly wall_ms: number;
  readonly signed_by: string | null;
  readonly white: string | null;
  readonly black: string | null;
  readonly regime: Regime | null;
  readonly rate: RateOfPlay | null;
  readonly draw_from: number | null;
  readonly default_minutes: number | null;
}

/** Statements that write entries and rules; made once per connection. */
export function createEntryWriter(db: Database) {
  const put = db.prepare(
    `INSERT INTO entries (sitting_id, game, at_ms, wall_ms, signed_by, what, undoes)
     VALUES (@sitting, @game, @atMs, @wallMs, @by, @what, @undoes)`,
  );
  const putRules = db.prepare(
    `INSERT INTO rules (sitting_id, wall_ms, white, black, regime, rate, draw_from, default_minutes, signed_by)
     VALUES (@sitting, @wallMs, @white, @black, @regime, @rate, @drawFrom, @defaultMinutes, @by)`,
  );
  return {
    /** Writes an entry and returns its id. */
    add(sitting: number, entry: NewEntry | Undo): number {
      const { game, atMs, wallMs, by } = entry;
      const { lastInsertRowid } = put.run({
        sitting,
        game,
        atMs: Math.floor(atMs),
        wallMs: Math.floor(wallMs),
        by,
        what: 'what' in entry ? makeEntryContent(entry.what) : null,
        undoes: 'undoes' in entry ? entry.undoes : null,
      });
      return Number(lastInsertRowid);
    },
    /** Writes rules and returns the id of their row; nobody signs those of a recorder's settings. */
    setRules(sitting: number, rules: EventRules, wallMs: number, by?: string): number {
      const { white, black, regime, rate, drawFrom, defaultMinutes } = rules;
      const { lastInsertRowid } = putRules.run({
        sitting,
        wallMs: Math.floor(wallMs),
        white: white ?? null,
        black: black ?? null,
        regime: regime ?? null,
        rate: rate ?? null,
        drawFrom: drawFrom ?? null,
        defaultMinutes: defaultMinutes ?? null,
        by: by ?? null,
      });
      return Number(lastInsertRowid);
    },
  };
}

/** Statements that read entries and rules; made once per connection. */
export function createEntryReader(db: Database, file: string, schema: number) {
  const all = db.prepare<[number], EntryRow>(
    `SELECT entries.id, entries.game, entries.at_ms, entries.wall_ms, entries.signed_by, entries.what,
       undo.id AS undone_id, undo.wall_ms AS undone_wall_ms, undo.signed_by AS undone_by
     FROM entries LEFT JOIN entries AS undo ON undo.undoes = entries.id
     WHERE entries.sitting_id = ? AND entries.undoes IS NULL ORDER BY entries.id`,
  );
  const lastId = db
    .prepare<[number], number>('SELECT coalesce(max(id), 0) FROM entries WHERE sitting_id = ?')
    .pluck();
  const signedBy = schema >= SIGNED_RULES_SINCE ? 'signed_by' : 'NULL AS signed_by';
  const drawFrom = schema >= DRAW_FROM_SINCE ? 'draw_from' : 'NULL AS draw_from';
  const defaultMinutes = schema >= DEFAULT_TIME_SINCE ? 'default_minutes' : 'NULL AS default_minutes';
  const rules = db.prepare<[number], RulesRow>(
    `SELECT id, wall_ms, white, black, regime, rate, ${drawFrom}, ${defaultMinutes}, ${signedBy}
     FROM rules WHERE sitting_id = ? ORDER BY id`,
  );
  return {
    /** What was entered about the games of a sitting; STORE_CORRUPT for an entry that cannot be read. */
    entered(sitting: number): Entered {
      // First: what somebody adds meanwhile is then too new, never overlooked.
      const last = lastId.get(sitting) ?? 0;
      return { entries: all.all(sitting).map((row) => readEntry(row, file)), lastId: last };
    },
    /** All rules that were ever set for a sitting, in order; the last ones count. */
    rules: (sitting: number): StoredRules[] => rules.all(sitting).map(readRules),
  };
}

const readRules = (row: RulesRow): StoredRules => ({
  id: row.id,
  rules: {
    ...(row.white !== null && { white: row.white }),
    ...(row.black !== null && { black: row.black }),
    ...(row.regime !== null && { regime: row.regime }),
    ...(row.rate !== null && { rate: row.rate }),
    ...(row.draw_from !== null && { drawFrom: row.draw_from }),
    ...(row.default_minutes !== null && { defaultMinutes: row.default_minutes }),
  },
  wallMs: row.wall_ms,
  ...(row.signed_by !== null && { by: row.signed_by }),
});

function readEntry(row: EntryRow, file: string): Entry {
  const what = parseEntryContent(row.what);
  if (what === undefined) throw new BoardError('STORE_CORRUPT', { file, detail: `entry ${row.id}` });
  return {
    id: row.id,
    game: row.game,
    atMs: row.at_ms,
    wallMs: row.wall_ms,
    by: row.signed_by,
    what,
    ...(row.undone_id !== null && {
      undone: { id: row.undone_id, wallMs: row.undone_wall_ms!, by: row.undone_by! },
    }),
  };
}
