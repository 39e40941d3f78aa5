import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { BoardIdentity } from '../../boards/definition.ts';
import { BoardError } from '../../core/board-error.ts';
import type { GameEvent, Variant } from '../../core/game-event.ts';
import type { GameRecord } from '../../core/game-record.ts';
import type { NewEntry } from '../entry.ts';
import type { EventRules } from '../event-rules.ts';
import type { GameTimes } from '../game-times.ts';
import type { HoldScope } from '../publish/public-event.ts';
import type { RawInput } from '../raw-input.ts';
import {
  createEntryReader,
  createEntryWriter,
  type Entered,
  SIGNED_RULES_SINCE,
  type StoredRules,
  type Undo,
} from './entry-tables.ts';
import { createGameReader, createGameWriter, GAME_COLUMNS, type GameRow } from './game-tables.ts';
import {
  createHeldGameReader,
  createHoldReader,
  createHoldWriter,
  HOLDS_SINCE,
  type Signature,
  type StoredHold,
  type WideScope,
} from './hold-tables.ts';
import { openForEntering, openForReading, openForWriting } from './open-database.ts';
import { decodeInputs, encodeInputs } from './packed-inputs.ts';
import { type RecorderLock, takeRecorderLock } from './recorder-lock.ts';
import { createRelayTables, type EntryAway, type Mark, type RelayTables } from './relay-tables.ts';
import { findDamage } from './salvage.ts';
import { storeError, withStoreErrors } from './store-error.ts';
import { keepToken } from './store-token.ts';
import { createTournamentReader, TOURNAMENT_SINCE } from './tournament-tables.ts';

/** How the games of a sitting begin; the same options derive the same games again. */
export interface SittingOptions {
  /** FEN of the start position; the initial position when absent. */
  readonly start?: string;
  readonly variant: Variant;
  readonly rotated: boolean;
  /** What the event prescribes; nothing is known when absent. */
  readonly rules?: EventRules;
}

/**
 * One uninterrupted derivation of one board, over lost links and restarts of the recorder. Its row is written with
 * the first thing that belongs to it; `id` is there from then on.
 */
export interface Sitting {
  readonly board: string;
  /** Kind of board: "dgt". */
  readonly kind: string;
  readonly options: SittingOptions;
  readonly startedMs: number;
  readonly startedWallMs: number;
  /** Its name in the world, when it was recorded elsewhere. */
  readonly origin?: string;
  id: number | undefined;
}

/** A sitting as stored. */
export interface StoredSitting extends Sitting {
  readonly id: number;
  /** What has been derived reaches to here. */
  readonly seenToMs: number;
  /** Wall clock time of the last input. */
  readonly lastWallMs: number;
  /** Row of the rules in its options. */
  readonly rulesId?: number;
}

/** One thing to be stored. */
export type StoreWrite =
  | { readonly type: 'input'; readonly sitting: Sitting; readonly input: RawInput; readonly wallMs: number }
  | { readonly type: 'event'; readonly sitting: Sitting; readonly event: GameEvent; readonly wallMs: number }
  | { readonly type: 'identity'; readonly sitting: Sitting; readonly identity: BoardIdentity }
  | {
      readonly type: 'tags';
      readonly sitting: Sitting;
      readonly number: number;
      readonly tags: Readonly<Record<string, string>>;
    }
  /** What was entered elsewhere, where the sitting was recorded. */
  | { readonly type: 'entry'; readonly sitting: Sitting; readonly away: Pick<EntryAway, 'uid' | 'entry'> }
  /**
   * All up to here has arrived of a sitting that was recorded elsewhere. `position`: id of its last row there;
   * `seenToMs`: what was derived there reaches to here; `sequence`: of the message in the stream that brought it.
   */
  | {
      readonly type: 'arrived';
      readonly sitting: Sitting;
      readonly position: number;
      readonly seenToMs: number;
      /** What is counted off with it. */
      readonly mark: Mark;
      readonly sequence: number;
    };

/** A game as stored, with where it was played. */
export interface StoredGame {
  readonly id: number;
  /** Unique in the world and the same for the game's whole life: the GameId tag. */
  readonly token: string;
  readonly sittingId: number;
  /** Key of the board: kind and serial number, or kind and port. */
  readonly board: string;
  readonly startedWallMs: number;
  readonly record: GameRecord;
  /** What people say of the game, and over it what its pairing says. */
  readonly tags: Readonly<Record<string, string>>;
  /** Id of the pairing at whose table it was played. */
  readonly pairing?: number;
}

/** What is known of a game besides its moves. */
export type GameLabel = Pick<StoredGame, 'tags' | 'pairing'>;

/** A run of a recorder as stored; `endedWallMs` is absent while it runs and after a hard end. */
export interface StoredRun {
  readonly pid: number;
  readonly host: string;
  readonly startedWallMs: number;
  readonly endedWallMs: number | undefined;
}

/** A piece of the raw input of a sitting. */
export interface InputPage {
  readonly inputs: readonly RawInput[];
  /** Where the next piece begins. */
  readonly after: number;
}

/** What a look into a database may ask for. */
export interface StoreReader {
  readonly file: string;
  /** Unique in the world: what tells this database from another. */
  readonly token: string;
  /** Games in the order of their beginning, optionally of one board, one sitting or since a time. */
  games(filter?: { board?: string; sittingId?: number; sinceWallMs?: number; id?: number }): StoredGame[];
  /** Since when what a game shows has been known: what a delay of its publication counts from. */
  times(gameId: number): GameTimes;
  /** Tags and pairings of the games of a sitting, by their number at the board. */
  labels(sittingId: number): ReadonlyMap<number, GameLabel>;
  /** FEN from which a game goes on at a board that was begun at another; undefined when none does. */
  startOf(board: string): string | undefined;
  /** Keys of all boards that were ever recorded. */
  boards(): string[];
  /** What is withheld from the world now. */
  holds(): StoredHold[];
  sittings(): StoredSitting[];
  sitting(id: number): StoredSitting | undefined;
  /** Everything that passed over the link of a sitting, in order; STORE_CORRUPT for a blob that cannot be read. */
  inputs(sittingId: number): Generator<RawInput>;
  /** The same in pieces: what comes after a piece, first after 0; empty where the store ends at present. */
  inputPage(sittingId: number, after: number): InputPage;
  /** What people have entered about the games of a sitting; STORE_CORRUPT for an entry that cannot be read. */
  entered(sittingId: number): Entered;
  /** All rules that were ever set for a sitting, in order; the last ones count. */
  rules(sittingId: number): StoredRules[];
  /** Sittings of which something was entered, or for which rules were set, that their games do not honour yet. */
  behind(): StoredSitting[];
  /**
   * Whether another connection has committed anything since this was last asked, or an entry from elsewhere was taken; the first answer is yes.
   */
  hasChanged(): boolean;
  runs(): StoredRun[];
  /** Wall clock time at a monotonic time of a sitting, from the nearest stored input before it. */
  wallMsAt(sittingId: number, atMs: number): number;
  close(): void;
}

/** The right to enter something about games, also while a recorder is writing to the same database. */
export interface EntryStore extends StoreReader {
  /** Writes an entry or an undo at once and returns its id. */
  enter(sittingId: number, entry: NewEntry | Undo): number;
  /**
   * The rules of a sitting are these from now on, for all its games; `by`: who says so, a recorder's settings when absent. Returns
   * the id of their row.
   */
  setRules(sittingId: number, rules: EventRules, wallMs: number, by?: string): number;
  /** Withholds a board or all from the world from now on; whether they were not before. A single game is held by an entry. */
  hold(scope: WideScope, signature: Signature): boolean;
  /** Lets go what was withheld with the same scope; whether it was. */
  lift(scope: HoldScope, signature: Signature): boolean;
}

/** The database of the one recorder that may write to it. */
export interface Store extends EntryStore {
  /**
   * Puts things in the queue; nothing is on disk before `commit`, and nothing may be shown or published before that.
   */
  enqueue(...writes: readonly StoreWrite[]): void;
  /** How many things wait for a commit. */
  readonly pending: number;
  /**
   * Writes all that waits in one transaction and returns it. Throws a coded error when the disk will not take it; then
   * everything still waits, in order, for the next attempt.
   */
  commit(): readonly StoreWrite[];
  /**
   * Replaces the derived games of a sitting by others; input, entries and tags stay, and games keep their ids. What is in
   * the queue must have been committed. `honours`: the entries that were heard.
   */
  replaceGames(sittingId: number, events: Iterable<GameEvent>, honours?: Entered): void;
  /** How far sittings have gone to others and come from others. */
  readonly relay: RelayTables;
  /** Tells which sittings a commit has touched, right after it; the function that is returned ends it. */
  onCommit(listener: (sittingIds: Iterable<number>) => void): () => void;
  /** A monotonic time for this process to begin at, after everything stored: times of a store never fall. */
  originMs(wallMs: number): number;
  /** Commits what waits, marks the run as ended and closes the file. */
  close(): void;
}

export interface StoreOptions {
  /** Wall clock, ms since 1970; for the rows that say when a run began and ended. */
  readonly wallMs: () => number;
}

/**
 * Opens a database for recording: takes the lock, brings the schema up to date, begins a run. Throws a `BoardError` with
 * a STORE_ code: STORE_LOCKED for a second recorder, STORE_NEWER_SCHEMA for a file of a newer program, STORE_DAMAGED when pages of
 * it cannot be read.
 */
export function openStore(file: string, options: StoreOptions): Store {
  withStoreErrors(file, () => mkdirSync(dirname(resolve(file)), { recursive: true }));
  const lock = takeRecorderLock(file);
  try {
    const db = openForWriting(file);
    try {
      const damage = withStoreErrors(file, () => findDamage(db));
      if (damage !== undefined) throw new BoardError('STORE_DAMAGED', { file, detail: damage });
      return withStoreErrors(file, () => createStore(db, file, lock, options));
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Opens a database to read from it; a recorder may be writing to it meanwhile. Throws a `BoardError`. */
export function openStoreReader(file: string): StoreReader {
  const db = openForReading(file);
  try {
    return { ...withStoreErrors(file, () => createReader(db, file)), close: () => db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Opens a database to enter something while a recorder is writing to it. Throws a `BoardError`: STORE_LOCKED when the
 * recorder that writes to it is of another version.
 */
export function openEntryStore(file: string): EntryStore {
  const db = openForEntering(file);
  try {
    return withStoreErrors(file, () => {
      const writer = createEntryWriter(db);
      return {
        ...createReader(db, file),
        enter: (sittingId, entry) => withStoreErrors(file, () => writer.add(sittingId, entry)),
        setRules: (...rules) => withStoreErrors(file, () => writer.setRules(...rules)),
        ...makeHolding(db, file),
        close: () => db.close(),
      };
    });
  } catch (error) {
    db.close();
    throw error;
  }
}

interface SittingRow {
  readonly id: number;
  readonly board: string;
  readonly kind: string;
  readonly start: string | null;
  readonly variant: Variant;
  readonly rotated: 0 | 1;
  readonly started_ms: number;
  readonly started_wall_ms: number;
  readonly seen_to_ms: number;
  readonly last_wall_ms: number | null;
  readonly is_behind: 0 | 1;
}

const readSitting = (row: SittingRow, rules: StoredRules | undefined): StoredSitting => ({
  id: row.id,
  board: row.board,
  kind: row.kind,
  options: {
    ...(row.start !== null && { start: row.start }),
    variant: row.variant,
    rotated: row.rotated === 1,
    ...(rules !== undefined && Object.keys(rules.rules).length > 0 && { rules: rules.rules }),
  },
  startedMs: row.started_ms,
  startedWallMs: row.started_wall_ms,
  seenToMs: row.seen_to_ms,
  lastWallMs: row.last_wall_ms ?? row.started_wall_ms,
  ...(rules !== undefined && { rulesId: rules.id }),
});

const makeHolding = (db: Database, file: string): Pick<EntryStore, 'hold' | 'lift'> => {
  const writer = createHoldWriter(db);
  return {
    hold: (scope, signature) => withStoreErrors(file, () => writer.hold(scope, signature)),
    lift: (scope, signature) => withStoreErrors(file, () => writer.lift(scope, signature)),
  };
};

/** Rows of raw input that are read at once: each is what came between two commits. */
const PAGE_ROWS = 16;

/** Schema from which on there are entries and rules. */
const ENTRIES_SINCE = 2;

function createReader(db: Database, file: string): Omit<StoreReader, 'close'> {
  const reader = createGameReader(db);
  const schema = Number(db.pragma('user_version', { simple: true }));
  const isCurrent = schema >= ENTRIES_SINCE;
  const tournament = schema >= TOURNAMENT_SINCE ? createTournamentReader(db) : undefined;
  // A reader may meet a file that was last written before anything could be entered.
  const entries = isCurrent ? createEntryReader(db, file, schema) : undefined;
  const unheardEntries =
    'honoured_entry < coalesce((SELECT max(id) FROM entries WHERE sitting_id = sittings.id), 0)';
  const unheardRules =
    schema >= SIGNED_RULES_SINCE
      ? 'honoured_rules < coalesce((SELECT max(id) FROM rules WHERE sitting_id = sittings.id), 0)'
      : '0';
  const holds = schema >= HOLDS_SINCE ? createHoldReader(db) : undefined;
  const heldGames = isCurrent ? createHeldGameReader(db) : undefined;
  const token = db.prepare<[], string>('SELECT token FROM store').pluck().get() ?? '';
  const tagsOf = db.prepare<[number, number], { name: string; value: string }>(
    'SELECT name, value FROM tags WHERE sitting_id = ? AND number = ?',
  );
  const games = db.prepare<
    [{ board: string | null; sitting: number | null; since: number | null; id: number | null }],
    GameRow
  >(`SELECT ${isCurrent ? GAME_COLUMNS : GAME_COLUMNS.replace('games.score', 'NULL AS score')}
     WHERE (@board IS NULL OR boards.key = @board) AND (@sitting IS NULL OR sitting_id = @sitting)
       AND (@since IS NULL OR games.started_wall_ms >= @since) AND (@id IS NULL OR games.id = @id)
     ORDER BY games.id`);
  const sittings = db.prepare<[{ id: number | null }], SittingRow>(
    `SELECT sittings.*, boards.key AS board, boards.kind,
       ${isCurrent ? `(${unheardEntries} OR ${unheardRules})` : '0'} AS is_behind,
       (SELECT wall_ms FROM inputs WHERE sitting_id = sittings.id ORDER BY inputs.id DESC LIMIT 1) AS last_wall_ms
     FROM sittings JOIN boards ON boards.id = board_id WHERE @id IS NULL OR sittings.id = @id ORDER BY sittings.id`,
  );
  const inputs = db.prepare<[number, number], { id: number; at_ms: number; data: Buffer }>(
    `SELECT id, at_ms, data FROM inputs WHERE sitting_id = ? AND id > ? ORDER BY id LIMIT ${PAGE_ROWS}`,
  );
  const before = db.prepare<[number, number], { at_ms: number; wall_ms: number }>(
    'SELECT at_ms, wall_ms FROM inputs WHERE sitting_id = ? AND at_ms <= ? ORDER BY id DESC LIMIT 1',
  );
  const sittingStart = db.prepare<[number], { at_ms: number; wall_ms: number }>(
    'SELECT started_ms AS at_ms, started_wall_ms AS wall_ms FROM sittings WHERE id = ?',
  );
  const runs = db.prepare<
    [],
    { pid: number; host: string; started_wall_ms: number; ended_wall_ms: number | null }
  >('SELECT pid, host, started_wall_ms, ended_wall_ms FROM runs ORDER BY id');

  const inputPage = (sittingId: number, after: number): InputPage => {
    const rows = withStoreErrors(file, () => inputs.all(sittingId, after));
    const unpacked = rows.flatMap((row) => {
      const packed = decodeInputs(row.data, row.at_ms);
      if (packed === undefined)
        throw new BoardError('STORE_CORRUPT', { file, detail: `raw input ${row.id}` });
      return packed;
    });
    return { inputs: unpacked, after: rows.at(-1)?.id ?? after };
  };
  const read = (row: SittingRow): StoredSitting => readSitting(row, entries?.rules(row.id).at(-1));
  const boardKeys = db.prepare<[], string>('SELECT key FROM boards ORDER BY id').pluck();
  const numbers = db
    .prepare<[number], number>('SELECT number FROM games WHERE sitting_id = ? ORDER BY number')
    .pluck();
  const labelOf = (sittingId: number, number: number): GameLabel => {
    const own = Object.fromEntries(tagsOf.all(sittingId, number).map(({ name, value }) => [name, value]));
    const paired = tournament?.tagsOf(sittingId, number);
    return paired === undefined
      ? { tags: own }
      : { tags: { ...own, ...paired.tags }, pairing: paired.pairing };
  };
  let version: number | undefined;

  return {
    file,
    token,
    games({ board, sittingId, sinceWallMs, id } = {}) {
      const filter = {
        board: board ?? null,
        sitting: sittingId ?? null,
        since: sinceWallMs ?? null,
        id: id ?? null,
      };
      return withStoreErrors(file, () =>
        games.all(filter).map((row) => ({
          id: row.id,
          token: `${token}${row.id}`,
          sittingId: row.sitting_id,
          board: row.board,
          startedWallMs: row.started_wall_ms,
          record: reader.record(row),
          ...labelOf(row.sitting_id, row.number),
        })),
      );
    },
    holds: () => withStoreErrors(file, () => [...(heldGames?.holds() ?? []), ...(holds?.holds() ?? [])]),
    times: (gameId) => withStoreErrors(file, () => reader.times(gameId)),
    labels: (sittingId) =>
      withStoreErrors(
        file,
        () => new Map(numbers.all(sittingId).map((number) => [number, labelOf(sittingId, number)])),
      ),
    startOf: (board) => withStoreErrors(file, () => tournament?.startOf(board)),
    boards: () => withStoreErrors(file, () => boardKeys.all()),
    sittings: () => withStoreErrors(file, () => sittings.all({ id: null }).map(read)),
    sitting: (id) => withStoreErrors(file, () => sittings.all({ id }).map(read)[0]),
    behind: () =>
      withStoreErrors(file, () =>
        sittings
          .all({ id: null })
          .filter((row) => row.is_behind === 1)
          .map(read),
      ),
    rules: (sittingId) => withStoreErrors(file, () => entries?.rules(sittingId) ?? []),
    entered: (sittingId) =>
      withStoreErrors(file, () => entries?.entered(sittingId) ?? { entries: [], lastId: 0 }),
    hasChanged() {
      const now = withStoreErrors(file, () => Number(db.pragma('data_version', { simple: true })));
      const was = version;
      version = now;
      return was !== now;
    },
    *inputs(sittingId) {
      for (let page = inputPage(sittingId, 0); page.inputs.length > 0; ) {
        yield* page.inputs;
        page = inputPage(sittingId, page.after);
      }
    },
    inputPage,
    runs: () =>
      withStoreErrors(file, () =>
        runs.all().map((run) => ({
          pid: run.pid,
          host: run.host,
          startedWallMs: run.started_wall_ms,
          endedWallMs: run.ended_wall_ms ?? undefined,
        })),
      ),
    wallMsAt(sittingId, atMs) {
      const known = before.get(sittingId, atMs) ?? sittingStart.get(sittingId);
      return known === undefined ? 0 : known.wall_ms + (atMs - known.at_ms);
    },
  };
}

/** What one commit brings for one sitting. */
interface Gathered {
  readonly inputs: RawInput[];
  wallMs: number;
  seenToMs: number;
}

function createStore(db: Database, file: string, lock: RecorderLock, options: StoreOptions): Store {
  keepToken(db);
  const reader = createReader(db, file);
  const writer = createGameWriter(db);
  const entryWriter = createEntryWriter(db);
  const listeners = new Set<(sittingIds: Iterable<number>) => void>();
  const tell = (sittingIds: Iterable<number>): void => {
    for (const listener of [...listeners]) listener(sittingIds);
  };
  /** An entry has come from elsewhere over this connection: to be honoured like one of another process. */
  let isEntered = false;
  const relay = createRelayTables(db, file, {
    addEntry(sittingId, entry) {
      isEntered = true;
      return entryWriter.add(sittingId, entry);
    },
    setRules(...rules) {
      isEntered = true;
      return entryWriter.setRules(...rules);
    },
    rules: (sittingId) => reader.rules(sittingId),
  });
  let queue: StoreWrite[] = [];

  const lastSeen = db.prepare<[], { at_ms: number | null }>('SELECT max(seen_to_ms) AS at_ms FROM sittings');
  const lastWall = db.prepare<[], number>('SELECT wall_ms FROM inputs ORDER BY id DESC LIMIT 1').pluck();
  const putBoard = db.prepare(
    'INSERT INTO boards (key, kind, first_seen_wall_ms) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING',
  );
  const boardId = db.prepare<[string], number>('SELECT id FROM boards WHERE key = ?').pluck();
  const putSitting = db.prepare(
    `INSERT INTO sittings (board_id, start, variant, rotated, started_ms, started_wall_ms, seen_to_ms)
     VALUES (@board, @start, @variant, @rotated, @startedMs, @startedWallMs, @startedMs)`,
  );
  const putInput = db.prepare(
    'INSERT INTO inputs (sitting_id, run_id, at_ms, wall_ms, data) VALUES (?, ?, ?, ?, ?)',
  );
  const setSeen = db.prepare('UPDATE sittings SET seen_to_ms = max(seen_to_ms, ?) WHERE id = ?');
  const putIdentity = db.prepare('UPDATE boards SET identity = json_patch(identity, ?) WHERE key = ?');
  const putTag = db.prepare(
    `INSERT INTO tags (sitting_id, number, name, value) VALUES (?, ?, ?, ?)
     ON CONFLICT (sitting_id, number, name) DO UPDATE SET value = excluded.value`,
  );
  const putArrival = db.prepare('INSERT INTO arrivals (sitting_id, origin, position) VALUES (?, ?, 0)');
  const setRulesHonoured = db.prepare('UPDATE sittings SET honoured_rules = ? WHERE id = ?');
  const setArrival = db.prepare('UPDATE arrivals SET position = ? WHERE sitting_id = ?');
  const endRun = db.prepare('UPDATE runs SET ended_wall_ms = ? WHERE id = ?');

  const originMs = (wallMs: number): number => {
    const seenToMs = lastSeen.get()?.at_ms ?? undefined;
    if (seenToMs === undefined) return 0;
    // A wall clock that was set back must not bring times back.
    return seenToMs + Math.max(1, Math.floor(wallMs - (lastWall.get() ?? wallMs)));
  };
  const wallMs = Math.floor(options.wallMs());
  const run = Number(
    db
      .prepare('INSERT INTO runs (boot, pid, host, started_ms, started_wall_ms) VALUES (?, ?, ?, ?, ?)')
      .run(randomUUID(), process.pid, hostname(), originMs(wallMs), wallMs).lastInsertRowid,
  );

  const idOf = (sitting: Sitting): number => {
    if (sitting.id !== undefined) return sitting.id;
    putBoard.run(sitting.board, sitting.kind, sitting.startedWallMs);
    const { start, variant, rotated, rules } = sitting.options;
    const { lastInsertRowid } = putSitting.run({
      board: boardId.get(sitting.board),
      start: start ?? null,
      variant,
      rotated: rotated ? 1 : 0,
      startedMs: sitting.startedMs,
      startedWallMs: sitting.startedWallMs,
    });
    sitting.id = Number(lastInsertRowid);
    if (sitting.origin !== undefined) putArrival.run(sitting.id, sitting.origin);
    if (rules !== undefined)
      setRulesHonoured.run(entryWriter.setRules(sitting.id, rules, sitting.startedWallMs), sitting.id);
    return sitting.id;
  };

  const writeAll = db.transaction((writes: readonly StoreWrite[], created: Sitting[]) => {
    const gathered = new Map<number, Gathered>();
    const gather = (id: number, write: { readonly wallMs: number }, atMs: number): Gathered => {
      let all = gathered.get(id);
      if (all === undefined) {
        all = { inputs: [], wallMs: write.wallMs, seenToMs: atMs };
        gathered.set(id, all);
      }
      all.seenToMs = Math.max(all.seenToMs, atMs);
      return all;
    };
    for (const write of writes) {
      const isNew = write.sitting.id === undefined;
      const id = idOf(write.sitting);
      if (isNew) created.push(write.sitting);
      switch (write.type) {
        case 'input': {
          const all = gather(id, write, write.input.atMs);
          if (all.inputs.length === 0) all.wallMs = write.wallMs;
          all.inputs.push(write.input);
          break;
        }
        case 'event':
          gather(id, write, Math.floor(write.event.atMs));
          writer.write(id, write.event, write.wallMs);
          break;
        case 'identity':
          putIdentity.run(JSON.stringify(write.identity), write.sitting.board);
          break;
        case 'tags':
          for (const [name, value] of Object.entries(write.tags)) putTag.run(id, write.number, name, value);
          break;
        case 'entry':
          relay.takeEntry(id, write.away);
          break;
        case 'arrived':
          setArrival.run(write.position, id);
          setSeen.run(write.seenToMs, id);
          relay.setMark(write.mark, write.sequence);
          break;
      }
    }
    for (const [id, { inputs, wallMs, seenToMs }] of gathered) {
      if (inputs.length > 0) {
        const atMs = inputs[0]!.atMs;
        putInput.run(id, run, atMs, Math.floor(wallMs), encodeInputs(inputs, atMs));
      }
      setSeen.run(seenToMs, id);
    }
  });

  const commit = (): readonly StoreWrite[] => {
    if (queue.length === 0) return [];
    const writes = queue;
    const created: Sitting[] = [];
    try {
      writeAll.immediate(writes, created);
    } catch (error) {
      // The rows are gone with the transaction.
      for (const sitting of created) sitting.id = undefined;
      throw storeError(error, file);
    }
    queue = [];
    if (listeners.size > 0) tell(new Set(writes.map(({ sitting }) => sitting.id!)));
    return writes;
  };

  const gamesOf = db.prepare<[number], { number: number; id: number; started_wall_ms: number }>(
    'SELECT number, id, started_wall_ms FROM games WHERE sitting_id = ?',
  );
  const setHonoured = db.prepare('UPDATE sittings SET honoured_entry = ? WHERE id = ?');
  const replace = db.transaction((sittingId: number, events: Iterable<GameEvent>, honours?: Entered) => {
    if (honours !== undefined) {
      setHonoured.run(honours.lastId, sittingId);
      if (honours.rulesId !== undefined) setRulesHonoured.run(honours.rulesId, sittingId);
      for (const { atMs } of honours.entries) setSeen.run(atMs, sittingId);
    }
    const known = new Map(gamesOf.all(sittingId).map((game) => [game.number, game]));
    // Plies, flags and decisions go with their games.
    db.prepare('DELETE FROM games WHERE sitting_id = ?').run(sittingId);
    for (const event of events) {
      if (event.type !== 'gameStarted') writer.write(sittingId, event, 0);
      else {
        const game = known.get(event.game);
        const wallMs = game?.started_wall_ms ?? reader.wallMsAt(sittingId, event.atMs);
        writer.write(sittingId, event, wallMs, game?.id);
      }
    }
  });

  return {
    ...reader,
    hasChanged() {
      const wasEntered = isEntered;
      isEntered = false;
      return reader.hasChanged() || wasEntered;
    },
    relay,
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    originMs,
    enqueue: (...writes) => {
      queue.push(...writes);
    },
    get pending() {
      return queue.length;
    },
    commit,
    replaceGames: (sittingId, events, honours) => {
      withStoreErrors(file, () => replace.immediate(sittingId, events, honours));
      tell([sittingId]);
    },
    enter: (sittingId, entry) => withStoreErrors(file, () => entryWriter.add(sittingId, entry)),
    ...makeHolding(db, file),
    setRules: (...rules) => withStoreErrors(file, () => entryWriter.setRules(...rules)),
    close: () => {
      if (!db.open) return;
      try {
        commit();
        withStoreErrors(file, () => endRun.run(Math.floor(options.wallMs()), run));
      } finally {
        db.close();
        lock.release();
      }
    },
  };
}
