/** What a store knows of its way to others: how far it was forwarded, and how far the sittings of others have arrived. */
import type { Database } from 'better-sqlite3';
import type { BoardIdentity } from '../../boards/definition.ts';
import { BoardError } from '../../core/board-error.ts';
import { type NewEntry, parseEntryContent } from '../entry.ts';
import { areSameRules, type EventRules } from '../event-rules.ts';
import type { StoredRules, Undo } from './entry-tables.ts';
import { withStoreErrors } from './store-error.ts';

/** A row of raw input on its way to a hub: what came between two commits of one board. */
export interface ForwardRow {
  /** Rises over all sittings. */
  readonly id: number;
  readonly sittingId: number;
  /** Time of the first input, monotonic ms of this store; the base of `data`. */
  readonly atMs: number;
  readonly wallMs: number;
  /** As `encodeInputs` made it. */
  readonly data: Uint8Array;
}

/** What is counted off, per stream: rows of input and entries that are safe there, messages of it that are safe here. */
export type Mark = `${'inputs' | 'own' | 'entries' | 'rules' | 'stream' | 'derived'}:${string}`;

/** An entry that was made here about a game that is recorded here. */
export interface OwnEntry extends Pick<EntryAway, 'id' | 'uid' | 'entry'> {
  readonly sittingId: number;
}

/** Rules that somebody has set. */
export interface SignedRules {
  readonly rules: EventRules;
  readonly wallMs: number;
  readonly by: string;
}

/** Rules that were set here for a sitting that is recorded elsewhere, on their way there. */
export interface RulesAway extends Pick<EntryAway, 'id' | 'edge' | 'origin' | 'uid'> {
  readonly rules: SignedRules;
}

/** How entries and rules are written and read. */
export interface EntryAccess {
  /** Writes an entry and gives its id. */
  addEntry(sittingId: number, entry: NewEntry | Undo): number;
  setRules(sittingId: number, rules: EventRules, wallMs: number, by?: string): number;
  rules(sittingId: number): StoredRules[];
}

/** An entry about a game that was recorded elsewhere, on its way there. */
export interface EntryAway {
  readonly id: number;
  /** Where the game is recorded. */
  readonly edge: string;
  /** Names the sitting in the world. */
  readonly origin: string;
  /** Names the entry in the world, as does `undoes`. */
  readonly uid: string;
  readonly entry: Omit<NewEntry, 'what'> & { readonly what?: NewEntry['what']; readonly undoes?: string };
}

/** How far the sittings of a store have gone and come. */
export interface RelayTables {
  /** A name of this store that no other has. */
  readonly token: string;
  /** What a board has said of itself so far. */
  identity(board: string): BoardIdentity;
  /** How far something was done; 0 before the first. */
  mark(name: Mark): number;
  setMark(name: Mark, value: number): void;
  /** Rows of input recorded here, after one of them, oldest first; at most `limit`. */
  rowsAfter(rowId: number, limit: number): ForwardRow[];
  /** How many rows of input, at most, come after one of them. */
  waiting(rowId: number): number;
  /** Whether anything that was recorded elsewhere is kept here. */
  hasArrivals(): boolean;
  /** Entries after one of them that were made here about games that are recorded here, oldest first. */
  entriesHere(afterId: number): OwnEntry[];
  /** A sitting that was recorded elsewhere; undefined when nothing of it has arrived. `position`: id of its last row there. */
  arrival(origin: string): { readonly sittingId: number; readonly position: number } | undefined;
  /** Entries after one of them about games that were recorded elsewhere, oldest first. */
  entriesAway(afterId: number): EntryAway[];
  /** Stores an entry that was made elsewhere, once. False when what it undoes is not here. */
  takeEntry(sittingId: number, away: Pick<EntryAway, 'uid' | 'entry'>): boolean;
  /** Rules after one row of them that somebody has set for sittings that were recorded elsewhere, oldest first. */
  rulesAway(afterId: number): RulesAway[];
  /** Sets rules that were set elsewhere, once. */
  takeRules(sittingId: number, rules: SignedRules): void;
}

interface EntryRow {
  readonly id: number;
  readonly game: number;
  readonly at_ms: number;
  readonly wall_ms: number;
  readonly signed_by: string;
  readonly what: string | null;
  readonly undoes: number | null;
}

interface AwayRow extends EntryRow {
  readonly board: string;
  readonly origin: string;
}

/** An edge gives its name to the boards of it: `dgt-01025@hall-1`. */
const edgeOf = (board: string): string => board.slice(board.lastIndexOf('@') + 1);

/** Statements of one connection. */
export function createRelayTables(db: Database, file: string, access: EntryAccess): RelayTables {
  const token = db.prepare<[], string>('SELECT token FROM store').pluck().get() ?? '';
  const identity = db.prepare<[string], string>('SELECT identity FROM boards WHERE key = ?').pluck();
  const mark = db.prepare<[string], number>('SELECT value FROM marks WHERE name = ?').pluck();
  const setMark = db.prepare(
    'INSERT INTO marks (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const rows = db.prepare<
    [number, number],
    { id: number; sitting_id: number; at_ms: number; wall_ms: number; data: Buffer }
  >(
    `SELECT id, sitting_id, at_ms, wall_ms, data FROM inputs
     WHERE id > ? AND sitting_id NOT IN (SELECT sitting_id FROM arrivals) ORDER BY id LIMIT ?`,
  );
  // Rows are never deleted: no need to count them.
  const lastRow = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM inputs').pluck();
  const arrivals = db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM arrivals)').pluck();
  const arrival = db.prepare<[string], { sitting_id: number; position: number }>(
    'SELECT sitting_id, position FROM arrivals WHERE origin = ?',
  );
  const away = db.prepare<[number], AwayRow>(
    `SELECT entries.id, boards.key AS board, arrivals.origin, game, at_ms, wall_ms, signed_by, what, undoes
     FROM entries JOIN arrivals ON arrivals.sitting_id = entries.sitting_id
       JOIN sittings ON sittings.id = entries.sitting_id JOIN boards ON boards.id = board_id
     WHERE entries.id > ? AND entries.id NOT IN (SELECT entry_id FROM entry_origins) ORDER BY entries.id`,
  );
  const here = db.prepare<[number], EntryRow & { readonly sitting_id: number }>(
    `SELECT id, sitting_id, game, at_ms, wall_ms, signed_by, what, undoes FROM entries
     WHERE id > ? AND id NOT IN (SELECT entry_id FROM entry_origins)
       AND sitting_id NOT IN (SELECT sitting_id FROM arrivals) ORDER BY id`,
  );
  const rulesAway = db.prepare<[number], { id: number; sitting_id: number; board: string; origin: string }>(
    `SELECT rules.id, rules.sitting_id, boards.key AS board, arrivals.origin
     FROM rules JOIN arrivals ON arrivals.sitting_id = rules.sitting_id
       JOIN sittings ON sittings.id = rules.sitting_id JOIN boards ON boards.id = board_id
     WHERE rules.id > ? AND rules.signed_by IS NOT NULL ORDER BY rules.id`,
  );
  const madeAs = db.prepare<[number], string>('SELECT uid FROM entry_origins WHERE entry_id = ?').pluck();
  const known = db.prepare<[string], number>('SELECT entry_id FROM entry_origins WHERE uid = ?').pluck();
  const putOrigin = db.prepare('INSERT INTO entry_origins (entry_id, uid) VALUES (?, ?)');
  const uidOf = (id: number): string => madeAs.get(id) ?? `${token}.${id}`;
  const ownId = (uid: string): number | undefined =>
    known.get(uid) ?? (uid.startsWith(`${token}.`) ? Number(uid.slice(token.length + 1)) : undefined);

  const take = db.transaction((sittingId: number, { uid, entry }: Pick<EntryAway, 'uid' | 'entry'>) => {
    if (ownId(uid) !== undefined) return true;
    const { what, undoes, ...signed } = entry;
    const undone = undoes === undefined ? undefined : ownId(undoes);
    if (what === undefined && undone === undefined) return false;
    const id = access.addEntry(
      sittingId,
      what === undefined ? { ...signed, undoes: undone! } : { ...signed, what },
    );
    putOrigin.run(id, uid);
    return true;
  });

  const entryOf = (row: EntryRow): Pick<EntryAway, 'id' | 'uid' | 'entry'> => {
    const what = row.what === null ? undefined : parseEntryContent(row.what);
    if (row.what !== null && what === undefined) {
      throw new BoardError('STORE_CORRUPT', { file, detail: `entry ${row.id}` });
    }
    return {
      id: row.id,
      uid: uidOf(row.id),
      entry: {
        game: row.game,
        atMs: row.at_ms,
        wallMs: row.wall_ms,
        by: row.signed_by,
        ...(what !== undefined && { what }),
        ...(row.undoes !== null && { undoes: uidOf(row.undoes) }),
      },
    };
  };

  const tables: RelayTables = {
    token,
    identity: (board) => JSON.parse(identity.get(board) ?? '{}') as BoardIdentity,
    mark: (name) => mark.get(name) ?? 0,
    setMark: (name, value) => {
      setMark.run(name, value);
    },
    rowsAfter: (rowId, limit) =>
      rows.all(rowId, limit).map((row) => ({
        id: row.id,
        sittingId: row.sitting_id,
        atMs: row.at_ms,
        wallMs: row.wall_ms,
        data: row.data,
      })),
    waiting: (rowId) => Math.max(0, (lastRow.get() ?? 0) - rowId),
    hasArrivals: () => arrivals.get() === 1,
    entriesHere: (afterId) =>
      here.all(afterId).map((row) => ({ sittingId: row.sitting_id, ...entryOf(row) })),
    arrival(origin) {
      const row = arrival.get(origin);
      return row && { sittingId: row.sitting_id, position: row.position };
    },
    entriesAway: (afterId) =>
      away.all(afterId).map((row) => ({ edge: edgeOf(row.board), origin: row.origin, ...entryOf(row) })),
    rulesAway: (afterId) =>
      rulesAway.all(afterId).flatMap(({ id, sitting_id, board, origin }) => {
        const set = access.rules(sitting_id).find((row) => row.id === id);
        if (set?.by === undefined) return [];
        const { rules, wallMs, by } = set;
        return [
          { id, edge: edgeOf(board), origin, uid: `${token}.rules.${id}`, rules: { rules, wallMs, by } },
        ];
      }),
    takeRules(sittingId, { rules, wallMs, by }) {
      const isKnown = access
        .rules(sittingId)
        .some((row) => row.wallMs === wallMs && row.by === by && areSameRules(row.rules, rules));
      if (!isKnown) access.setRules(sittingId, rules, wallMs, by);
    },
    takeEntry: (sittingId, entry) => take.immediate(sittingId, entry),
  };
  const coded =
    <A extends unknown[], T>(action: (...given: A) => T) =>
    (...given: A): T =>
      withStoreErrors(file, () => action(...given));
  return {
    token,
    identity: coded(tables.identity),
    mark: coded(tables.mark),
    setMark: coded(tables.setMark),
    rowsAfter: coded(tables.rowsAfter),
    waiting: coded(tables.waiting),
    hasArrivals: coded(tables.hasArrivals),
    entriesHere: coded(tables.entriesHere),
    arrival: coded(tables.arrival),
    entriesAway: coded(tables.entriesAway),
    takeEntry: coded(tables.takeEntry),
    rulesAway: coded(tables.rulesAway),
    takeRules: coded(tables.takeRules),
  };
}
