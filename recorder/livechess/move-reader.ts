/**
 * The moves since a client's `setup` (livechess.md 1.6): a reconstructor of its own, from the client's position. Only
 * moves that stand are told, so a piece on its way is no move and a castling is one (1.9, notes 3 and 4).
 */
import type { GameEvent } from '../../core/game-event.ts';
import { applyToRecords, type GameRecord } from '../../core/game-record.ts';
import { MachineDriver } from '../../core/machine.ts';
import { type Placement, placementsAgree } from '../../core/placement.ts';
import { Position } from '../../core/position.ts';
import { createReconstructor, type ReconstructorOptions } from '../../core/reconstructor.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { writtenPlies } from '../pgn/written-plies.ts';

/**
 * A move that rests so long stands: whoever plays at a distance has no clock to press and waits for the answer, and
 * LiveChess itself tells positions about a second apart.
 */
const REST_MS = 800;
const WAITS = { restMs: REST_MS, unpressedMs: REST_MS, kingRestMs: 2 * REST_MS } as const;

export interface MoveReader {
  /** The position as the client has sent it, letter by letter. */
  readonly start: string;
  /** Moves that stand, SAN, from the start position on. */
  readonly san: readonly string[];
  /** The position after the last of them. */
  readonly position: Placement;
  /** Whether the board, as it is, is the position after the last of them. */
  matches(placement: Placement | undefined): boolean;
  /** What the board says, in true coordinates, and the board after it; whether the moves are others now. */
  take(event: SensorEvent, placement: Placement | undefined): boolean;
  /** Time has passed; whether the moves are others now. */
  advance(atMs: number): boolean;
  readonly wakeAtMs: number | undefined;
}

/**
 * Creates a reader of moves from a FEN of six fields (or four), castling letters in any order; FEN_SYNTAX or FEN_ILLEGAL when
 * no game can begin from it. While the board shows another position there are no moves.
 */
export function createMoveReader(
  start: string,
  profile: ReconstructorOptions['profile'],
  nowMs: number,
  before: Placement | undefined,
): Result<MoveReader> {
  const standard = Position.fromFen(start);
  if (!standard.ok) return fail(standard.fault.code, standard.fault.message);
  const options = { ...(profile !== undefined && { profile }), start, waits: WAITS };
  let driver: MachineDriver<SensorEvent, GameEvent> | undefined;
  let records: GameRecord[] = [];
  let san: readonly string[] = [];
  let after: Placement = standard.value.cells;
  let lastMs = nowMs;

  const hear = (events: readonly GameEvent[]): boolean => {
    if (events.length === 0) return false;
    for (const event of events) applyToRecords(records, event);
    const record = records.at(-1);
    const plies = record === undefined ? [] : writtenPlies(record).plies;
    const now = plies.map((ply) => ply.san);
    if (now.join(' ') === san.join(' ')) return false;
    san = now;
    let position = standard.value;
    for (const move of now) position = position.play(position.parseSan(move)!);
    after = position.cells;
    return true;
  };

  /** Begins when the board shows the position. */
  const begin = (atMs: number, placement: Placement | undefined): void => {
    if (driver !== undefined || placement === undefined) return;
    if (!placementsAgree(placement, standard.value.cells)) return;
    driver = new MachineDriver(createReconstructor(options));
    records = [];
    hear(driver.feed({ type: 'link', atMs, link: 'up' }));
    hear(driver.feed({ type: 'dump', atMs, placement }));
  };

  begin(nowMs, before);
  return ok({
    start,
    get san() {
      return san;
    },
    get position() {
      return after;
    },
    get wakeAtMs() {
      return driver?.wakeAtMs;
    },
    matches: (placement) => placement !== undefined && placementsAgree(placement, after),
    take(event, placement) {
      // What was waited for in vain may have been on its way: for a reader time does not fall.
      lastMs = Math.max(lastMs, event.atMs);
      if (driver !== undefined) return hear(driver.feed({ ...event, atMs: lastMs }));
      begin(lastMs, placement);
      return false;
    },
    advance(atMs) {
      lastMs = Math.max(lastMs, atMs);
      return driver === undefined ? false : hear(driver.advance(lastMs));
    },
  });
}
