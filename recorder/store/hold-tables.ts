/**
 * What is withheld from the world: who has withheld it, since when, and who has let it go. A single game is held by an entry about
 * it, as everything else that is decided of it; rows of their own hold a board or all.
 */
import type { Database } from 'better-sqlite3';
import type { Hold, HoldScope } from '../publish/public-event.ts';

/** Schema from which on something can be withheld. */
export const HOLDS_SINCE = 5;

/** A hold that has not been lifted. */
export interface StoredHold extends Hold {
  readonly wallMs: number;
  readonly by: string;
}

interface HoldRow {
  readonly id: number;
  readonly scope: HoldScope['type'];
  readonly board: string | null;
  readonly game_id: number | null;
  readonly since_ms: number;
  readonly wall_ms: number;
  readonly signed_by: string;
}

const scopeOf = ({ scope, board, game_id: game }: HoldRow): HoldScope => {
  if (scope === 'board' && board !== null) return { type: 'board', board };
  if (scope === 'game' && game !== null) return { type: 'game', game };
  return { type: 'all' };
};

/** The statement that reads holds; made once per connection. */
export function createHoldReader(db: Database) {
  const open = db.prepare<[], HoldRow>('SELECT * FROM holds WHERE lifted_wall_ms IS NULL ORDER BY id');
  return {
    holds: (): StoredHold[] =>
      open.all().map((row) => ({
        scope: scopeOf(row),
        sinceMs: row.since_ms,
        wallMs: row.wall_ms,
        by: row.signed_by,
      })),
  };
}

interface HoldEntryRow {
  readonly game_id: number;
  readonly type: 'hold' | 'release';
  readonly at_ms: number;
  readonly wall_ms: number;
  readonly signed_by: string;
}

/** The statement that reads which single games are held by what was entered about them; made once per connection. */
export function createHeldGameReader(db: Database) {
  const said = db.prepare<[], HoldEntryRow>(
    `SELECT games.id AS game_id, json_extract(what, '$.type') AS type, at_ms, wall_ms, signed_by
     FROM entries JOIN games ON games.sitting_id = entries.sitting_id AND games.number = entries.game
     WHERE undoes IS NULL AND json_extract(what, '$.type') IN ('hold', 'release')
       AND NOT EXISTS (SELECT 1 FROM entries AS undo WHERE undo.undoes = entries.id)
     ORDER BY at_ms, entries.id`,
  );
  return {
    holds(): StoredHold[] {
      const held = new Map<number, StoredHold>();
      for (const { game_id: game, type, at_ms: sinceMs, wall_ms: wallMs, signed_by: by } of said.all()) {
        if (type === 'release') held.delete(game);
        // Held twice: since the first time.
        else if (!held.has(game)) held.set(game, { scope: { type: 'game', game }, sinceMs, wallMs, by });
      }
      return [...held.values()];
    },
  };
}

export interface Signature {
  readonly by: string;
  readonly wallMs: number;
}

const columnsOf = (scope: HoldScope) => ({
  scope: scope.type,
  board: scope.type === 'board' ? scope.board : null,
  game: scope.type === 'game' ? scope.game : null,
});

/** What is withheld by a row; a single game is by an entry. */
export type WideScope = Exclude<HoldScope, { type: 'game' }>;

/** Statements that withhold and let go; made once per connection. */
export function createHoldWriter(db: Database) {
  // Since what is in the store by now: never later than the moment at which somebody says it.
  const put = db.prepare(
    `INSERT INTO holds (scope, board, game_id, since_ms, wall_ms, signed_by)
     SELECT @scope, @board, @game, (SELECT coalesce(max(seen_to_ms), 0) FROM sittings), @wallMs, @by
     WHERE NOT EXISTS (SELECT 1 FROM holds WHERE lifted_wall_ms IS NULL AND scope = @scope AND board IS @board AND game_id IS @game)`,
  );
  const lift = db.prepare(
    `UPDATE holds SET lifted_wall_ms = @wallMs, lifted_by = @by
     WHERE lifted_wall_ms IS NULL AND scope = @scope AND board IS @board AND game_id IS @game`,
  );
  return {
    /** Withholds; whether it was not withheld before. */
    hold: (scope: WideScope, { by, wallMs }: Signature): boolean =>
      put.run({ ...columnsOf(scope), by, wallMs: Math.floor(wallMs) }).changes > 0,
    /** Lets go what was withheld with the same words; whether there was such a hold. */
    lift: (scope: HoldScope, { by, wallMs }: Signature): boolean =>
      lift.run({ ...columnsOf(scope), by, wallMs: Math.floor(wallMs) }).changes > 0,
  };
}
