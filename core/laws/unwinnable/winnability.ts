import type { Position } from '../../position.ts';
import type { Side } from '../../square.ts';
import { CAGING, CLEARING, DIRECT, HelpmateSearch } from './helpmate.ts';
import { lacksMaterial } from './material.ts';
import { lacksMatingSquares } from './regions.ts';
import { MOST_MOVES, type PackedMove, SearchBoard, type SideIndex } from './search-board.ts';

/** Whether a side can checkmate by any possible series of legal moves. */
export type Winnability = 'winnable' | 'unwinnable' | 'undecided';

export interface WinnabilityAnswer {
  readonly verdict: Winnability;
  /** When winnable: legal moves of both sides that end in mate, UCI (Chess960: castling as king takes rook). */
  readonly line?: readonly string[];
  /** What it took of the budget. */
  readonly nodes: number;
}

/** Nodes for one side that decide all but the strangest positions; some seconds when all are spent. */
export const DEFAULT_BUDGET = 1_500_000;

/** Nodes for both sides that cost some milliseconds at most. */
export const DEAD_POSITION_BUDGET = 3000;

/** Nodes for a search that only looks where mate is expected. */
const QUICK_BUDGET = 2000;
/** What the reasoning about regions costs, in nodes. */
const REGIONS_COST = 200;
/** Nodes for a search for short lines, and for one for long ones, before the one that may look at everything. */
const FIRST_BUDGET = 60_000;
const SECOND_BUDGET = 90_000;

/**
 * Answers for a position whether a side can checkmate by any series of legal moves (5.1.2, 5.2.2, 6.9, 7.5.5), spending at
 * most `budget` nodes (a position that is reached by a move, each time it is reached) or little more. The same question
 * has always the same answer. Where the laws know no legal moves (a king missing, a pawn on the first or last rank) it is
 * undecided. Moves that end a game by counting (9.6) end nothing here.
 */
export function askWinnability(position: Position, side: Side, budget = DEFAULT_BUDGET): WinnabilityAnswer {
  const board = SearchBoard.fromPosition(position);
  if (board === undefined) return { verdict: 'undecided', nodes: 0 };
  return judge(board, side === 'white' ? 0 : 1, budget);
}

/**
 * Whether a position is dead (5.2.2: neither side can checkmate by any series of legal moves); undefined when `budget` nodes
 * for both sides together do not decide it. With the budget it has by itself it costs a few milliseconds at most.
 */
export function isDeadPosition(position: Position, budget = DEAD_POSITION_BUDGET): boolean | undefined {
  const board = SearchBoard.fromPosition(position);
  if (board === undefined) return undefined;
  // Whoever has the last word in the position's material is asked first: one side that can mate is enough.
  const first = lacksMaterial(board, 0) ? 1 : 0;
  const one = judge(board, first, budget >> 1);
  if (one.verdict === 'winnable') return false;
  const other = judge(board, (1 - first) as SideIndex, budget - one.nodes);
  if (other.verdict === 'winnable') return false;
  return one.verdict === 'unwinnable' && other.verdict === 'unwinnable' ? true : undefined;
}

function judge(board: SearchBoard, winner: SideIndex, budget: number): WinnabilityAnswer {
  const checked = board.isCheck();
  if (!board.hasLegalMove(new Int32Array(MOST_MOVES), checked)) {
    return checked && board.turn !== winner
      ? { verdict: 'winnable', line: [], nodes: 0 }
      : { verdict: 'unwinnable', nodes: 0 };
  }
  if (lacksMaterial(board, winner)) return { verdict: 'unwinnable', nodes: 0 };
  let nodes = 0;
  const look = (most: number, ...how: [typeof CLEARING, boolean]): WinnabilityAnswer | undefined => {
    const outcome = new HelpmateSearch(board, winner, ...how).run(Math.min(most, budget - nodes));
    nodes += outcome.nodes;
    if (outcome.line !== undefined)
      return { verdict: 'winnable', line: makeLine(board, outcome.line), nodes };
    return outcome.exhausted ? { verdict: 'unwinnable', nodes } : undefined;
  };
  // With little to spend the proofs come in for their share.
  const first = Math.min(QUICK_BUDGET, Math.ceil(budget / 4));
  const quick = look(first, CLEARING, false) ?? look(first, DIRECT, false);
  if (quick !== undefined) return quick;
  if (nodes + REGIONS_COST <= budget) {
    nodes += REGIONS_COST;
    if (lacksMatingSquares(board, winner)) return { verdict: 'unwinnable', nodes };
  }
  return (
    look(FIRST_BUDGET, DIRECT, true) ??
    look(SECOND_BUDGET, CLEARING, false) ??
    look(budget, CAGING, true) ?? { verdict: 'undecided', nodes }
  );
}

/** Writes a line as UCI. */
const makeLine = (board: SearchBoard, line: readonly PackedMove[]): string[] =>
  line.map((move) => board.uci(move));
