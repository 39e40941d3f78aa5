/** Games, plies, flags and decisions: written from game events, read back as records. */
import type { Database } from 'better-sqlite3';
import type { Flag, Severity } from '../../core/flag.ts';
import type {
  GameEvent,
  GameResult,
  Orientation,
  PlyRecord,
  PlyState,
  ResultReason,
  TokenlessScore,
  Variant,
} from '../../core/game-event.ts';
import type { GameRecord } from '../../core/game-record.ts';
import { emptyPlacement, type Placement } from '../../core/placement.ts';
import { type GameTimes, GameTimesKeeper } from '../game-times.ts';
import { isCertain } from '../pgn/written-plies.ts';

/** Writes 64 cells as 64 hexadecimal digits, a1 first: unlike FEN it tells an unidentified piece from no knowledge. */
export const makeCells = (placement: Placement): string =>
  Array.from(placement, (cell) => cell.toString(16)).join('');

/** Reads what `makeCells` wrote; a damaged text is an empty board. */
export function parseCells(text: string): Placement {
  if (!/^[0-9a-f]{64}$/.test(text)) return emptyPlacement();
  return Uint8Array.from(text, (digit) => Number.parseInt(digit, 16));
}

// The columns are whole numbers and the database insists on it.
const whole = (ms: number | undefined): number | null => (ms === undefined ? null : Math.floor(ms));

/** Columns of a game with its board and sitting. */
export interface GameRow {
  readonly id: number;
  readonly sitting_id: number;
  readonly board: string;
  readonly number: number;
  readonly variant: Variant;
  readonly start: string;
  readonly started_ms: number;
  readonly started_wall_ms: number;
  readonly result: GameResult;
  readonly reason: ResultReason | null;
  readonly score: TokenlessScore | null;
  readonly ended: 0 | 1;
  readonly orientation: Orientation;
  readonly placement: string;
  readonly in_sync: 0 | 1;
  readonly white_ms: number | null;
  readonly black_ms: number | null;
}

interface PlyRow {
  readonly number: number;
  readonly san: string;
  readonly uci: string;
  readonly state: PlyState;
  readonly made_ms: number;
  readonly completed_ms: number | null;
  readonly clock_ms: number | null;
  readonly candidates: string | null;
  readonly inferred: 0 | 1;
}

interface FlagRow {
  readonly code: string;
  readonly severity: Severity;
  readonly ply: number;
  readonly at_ms: number;
  readonly detail: string | null;
}

interface DecisionRow {
  readonly at_ms: number;
  readonly type: 'ply' | 'amended' | 'withdrawn' | 'result';
  readonly ply: number | null;
  readonly value: string | null;
}

export const GAME_COLUMNS = `games.id, games.sitting_id, boards.key AS board, games.number, games.variant, games.start,
  games.started_ms, games.started_wall_ms, games.result, games.reason, games.score, games.ended, games.orientation,
  games.placement, games.in_sync, games.white_ms, games.black_ms
  FROM games JOIN sittings ON sittings.id = games.sitting_id JOIN boards ON boards.id = sittings.board_id`;

/** Statements that write game events; made once per connection. */
export function createGameWriter(db: Database) {
  const startGame = db.prepare(`
    INSERT INTO games (id, sitting_id, number, variant, start, started_ms, started_wall_ms, result, reason, ended,
      orientation, placement, in_sync, white_ms, black_ms)
    VALUES (@id, @sitting, @number, @variant, @start, @atMs, @wallMs, '*', NULL, 0, @orientation, @placement, 1, NULL, NULL)`);
  const putPly = db.prepare(`
    INSERT INTO plies (game_id, number, san, uci, state, made_ms, completed_ms, clock_ms, candidates, inferred)
    VALUES (@game, @number, @san, @uci, @state, @madeMs, @completedMs, @clockMs, @candidates, @inferred)
    ON CONFLICT (game_id, number) DO UPDATE SET san = excluded.san, uci = excluded.uci, state = excluded.state,
      made_ms = excluded.made_ms, completed_ms = excluded.completed_ms, clock_ms = excluded.clock_ms,
      candidates = excluded.candidates, inferred = excluded.inferred`);
  const withdrawPlies = db.prepare('DELETE FROM plies WHERE game_id = ? AND number >= ?');
  const addFlag = db.prepare(`
    INSERT INTO flags (game_id, number, code, severity, ply, at_ms, detail)
    SELECT @game, coalesce(max(number), 0) + 1, @code, @severity, @ply, @atMs, @detail FROM flags WHERE game_id = @game`);
  const decide = db.prepare(
    'INSERT INTO decisions (game_id, at_ms, type, ply, value) VALUES (?, ?, ?, ?, ?)',
  );
  const setResult = db.prepare('UPDATE games SET result = ?, reason = ?, score = ? WHERE id = ?');
  const setEnded = db.prepare('UPDATE games SET ended = 1 WHERE id = ?');
  const setBoard = db.prepare('UPDATE games SET placement = ?, in_sync = ? WHERE id = ?');
  const setOrientation = db.prepare('UPDATE games SET orientation = ? WHERE id = ?');
  const setClock = db.prepare('UPDATE games SET white_ms = ?, black_ms = ? WHERE id = ?');
  // Whose game it is follows from the board that stands at a table; what was said of it before stays.
  const linkGame = db.prepare(`
    INSERT OR IGNORE INTO pairing_games (sitting_id, number, pairing_id, assignment_id)
    SELECT sittings.id, @number, assignments.pairing_id, assignments.id FROM sittings
      JOIN boards ON boards.id = sittings.board_id JOIN assignments ON assignments.board = boards.key
    WHERE sittings.id = @sitting AND from_wall_ms <= @wallMs AND (until_wall_ms IS NULL OR until_wall_ms > @wallMs)
    ORDER BY assignments.id DESC LIMIT 1`);
  const lastGame = db
    .prepare('SELECT id FROM games WHERE sitting_id = ? ORDER BY number DESC LIMIT 1')
    .pluck();

  return {
    /**
     * Writes one event of a sitting: `gameStarted` begins a game (under the given id, else a new one), all others go to
     * the last game.
     */
    write(sitting: number, event: GameEvent, wallMs: number, id?: number): void {
      if (event.type === 'gameStarted') {
        startGame.run({
          id: id ?? null,
          sitting,
          number: event.game,
          variant: event.variant,
          start: event.start,
          atMs: whole(event.atMs),
          wallMs: whole(wallMs),
          orientation: event.orientation,
          placement: makeCells(emptyPlacement()),
        });
        linkGame.run({ sitting, number: event.game, wallMs: whole(wallMs) });
        return;
      }
      const game = lastGame.get(sitting);
      if (game === undefined) return;
      switch (event.type) {
        case 'ply': {
          const { ply } = event;
          putPly.run({
            game,
            number: event.number,
            san: ply.san,
            uci: ply.uci,
            state: ply.state,
            madeMs: whole(ply.madeAtMs),
            completedMs: whole(ply.completedAtMs),
            clockMs: whole(ply.clockMs),
            candidates: ply.candidates === undefined ? null : JSON.stringify(ply.candidates),
            inferred: ply.inferred === true ? 1 : 0,
          });
          const type = event.amended === true ? 'amended' : 'ply';
          decide.run(game, whole(event.atMs), type, event.number, `${ply.san} ${ply.state}`);
          break;
        }
        case 'withdrawn':
          withdrawPlies.run(game, event.number);
          decide.run(game, whole(event.atMs), 'withdrawn', event.number, null);
          break;
        case 'flag': {
          const { code, severity, ply, atMs, detail } = event.flag;
          addFlag.run({ game, code, severity, ply, atMs: whole(atMs), detail: detail ?? null });
          break;
        }
        case 'result':
          setResult.run(event.result, event.reason, event.score ?? null, game);
          decide.run(
            game,
            whole(event.atMs),
            'result',
            null,
            `${event.score ?? event.result} ${event.reason}`,
          );
          break;
        case 'gameEnded':
          setEnded.run(game);
          decide.run(game, whole(event.atMs), 'ended', null, event.result);
          break;
        case 'board':
          setBoard.run(makeCells(event.placement), event.inSync ? 1 : 0, game);
          break;
        case 'orientation':
          setOrientation.run(event.orientation, game);
          decide.run(game, whole(event.atMs), 'orientation', null, event.orientation);
          break;
        case 'clock':
          setClock.run(whole(event.whiteMs), whole(event.blackMs), game);
          break;
      }
    },
  };
}

/** Statements that read games as records; made once per connection. */
export function createGameReader(db: Database) {
  const plies = db.prepare<[number], PlyRow>('SELECT * FROM plies WHERE game_id = ? ORDER BY number');
  const flags = db.prepare<[number], FlagRow>('SELECT * FROM flags WHERE game_id = ? ORDER BY number');

  const decisions = db.prepare<[number], DecisionRow>(
    `SELECT at_ms, type, ply, value FROM decisions WHERE game_id = ?
       AND type IN ('ply', 'amended', 'withdrawn', 'result') ORDER BY id`,
  );

  return {
    /** Since when what a game shows has been known. */
    times(id: number): GameTimes {
      const times = new GameTimesKeeper();
      for (const { at_ms, type, ply, value } of decisions.all(id)) {
        if (type === 'withdrawn') times.withdrawn(ply!);
        else if (type === 'result') times.result(!value!.startsWith('* '), at_ms);
        else times.ply(ply!, isCertain(value!.split(' ').at(-1) as PlyState), at_ms);
      }
      return times;
    },
    /** Reads the record of a game whose row is known. */
    record(row: GameRow): GameRecord {
      return {
        game: row.number,
        variant: row.variant,
        start: row.start,
        startedAtMs: row.started_ms,
        plies: plies.all(row.id).map(readPly),
        flags: flags.all(row.id).map(readFlag),
        result: row.result,
        reason: row.reason ?? undefined,
        score: row.score ?? undefined,
        ended: row.ended === 1,
        orientation: row.orientation,
        placement: parseCells(row.placement),
        inSync: row.in_sync === 1,
        whiteMs: row.white_ms ?? undefined,
        blackMs: row.black_ms ?? undefined,
      };
    },
  };
}

function readPly(row: PlyRow): PlyRecord {
  return {
    san: row.san,
    uci: row.uci,
    state: row.state,
    madeAtMs: row.made_ms,
    ...(row.completed_ms !== null && { completedAtMs: row.completed_ms }),
    ...(row.clock_ms !== null && { clockMs: row.clock_ms }),
    ...(row.candidates !== null && { candidates: JSON.parse(row.candidates) as string[] }),
    ...(row.inferred === 1 && { inferred: true }),
  };
}

function readFlag({ code, severity, ply, at_ms, detail }: FlagRow): Flag {
  return { code, severity, ply, atMs: at_ms, ...(detail !== null && { detail }) };
}
