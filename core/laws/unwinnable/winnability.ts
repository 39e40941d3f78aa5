import type { Position } from '../../position.ts';
import { MOST_MOVES, type PackedMove, SearchBoard, type SideIndex } from '../../search-board.ts';
import type { Side } from '../../square.ts';
import { CAGING, CLEARING, DIRECT, HelpmateSearch, SHUTTING, STRIPPING, type Weights } from './helpmate.ts';
import { lacksMaterial } from './material.ts';
import { lacksMatingSquares } from './regions.ts';

/** Whether a side can checkmate by any possible series of legal moves. */
export const WINNABILITIES = ['winnable', 'unwinnable', 'undecided'] as const;
export type Winnability = (typeof WINNABILITIES)[number];

export interface WinnabilityAnswer {
  readonly verdict: Winnability;
  /** When winnable: legal moves of both sides that end in mate, UCI (Chess960: castling as king takes rook). */
  readonly line?: readonly string[];
  /** What it took of the budget. */
  readonly nodes: number;
}

/** Nodes for one side that decide all but the strangest positions; some seconds when all are spent. */
export const DEFAULT_BUDGET = 1_500_000;

/** What the reasoning about regions costs, in nodes. */
const REGIONS_COST = 200;

interface Searcher {
  readonly weights: Weights;
  readonly isThorough: boolean;
}
const STRIPS: Searcher = { weights: STRIPPING, isThorough: false };
const SHUTS: Searcher = { weights: SHUTTING, isThorough: false };
const SHELTERS: Searcher = { weights: CAGING, isThorough: false };
const HURRIES: Searcher = { weights: DIRECT, isThorough: false };
const CLEARS: Searcher = { weights: CLEARING, isThorough: false };
const SEEKS: Searcher = { weights: DIRECT, isThorough: true };
const CAGES: Searcher = { weights: CAGING, isThorough: true };

/**
 * Who looks when, and the nodes it has had by the end of its turn. What one set of weights misses for a million nodes
 * another mostly finds in a few hundred, so they take turns, each going on where it was.
 */
const ROUNDS: readonly (readonly [Searcher | 'regions', nodes: number])[] = [
  [STRIPS, 200],
  [SHUTS, 200],
  [SHELTERS, 300],
  ['regions', REGIONS_COST],
  [HURRIES, 300],
  [STRIPS, 1500],
  [SHUTS, 1500],
  [SHELTERS, 2000],
  [HURRIES, 2000],
  [CLEARS, 2000],
  [CAGES, 4000],
  [STRIPS, 10_000],
  [SEEKS, 20_000],
  [CLEARS, 10_000],
  [CAGES, 50_000],
  [SEEKS, 60_000],
  [CLEARS, 60_000],
  [CAGES, Number.POSITIVE_INFINITY],
];

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

/** Nodes for one side that cost some milliseconds at most. */
export const AT_ONCE_BUDGET = 2000;

/** Answers while somebody waits: what a few milliseconds do not decide is undecided (see `askWinnability`). */
export const canMateAtOnce = (position: Position, side: Side): Winnability =>
  askWinnability(position, side, AT_ONCE_BUDGET).verdict;

/** As `askWinnability`, for a board; it stands afterwards as it stood before. */
export function judge(board: SearchBoard, winner: SideIndex, budget: number): WinnabilityAnswer {
  const checked = board.isCheck();
  if (!board.hasLegalMove(new Int32Array(MOST_MOVES), checked)) {
    return checked && board.turn !== winner
      ? { verdict: 'winnable', line: [], nodes: 0 }
      : { verdict: 'unwinnable', nodes: 0 };
  }
  if (lacksMaterial(board, winner)) return { verdict: 'unwinnable', nodes: 0 };
  const searches = new Map<Searcher, HelpmateSearch>();
  let nodes = 0;
  for (const [searcher, most] of ROUNDS) {
    if (searcher === 'regions') {
      if (nodes + REGIONS_COST > budget) continue;
      nodes += REGIONS_COST;
      if (lacksMatingSquares(board, winner)) return { verdict: 'unwinnable', nodes };
      continue;
    }
    let search = searches.get(searcher);
    if (search === undefined) {
      search = new HelpmateSearch(board, winner, searcher.weights, searcher.isThorough);
      searches.set(searcher, search);
    }
    const before = search.nodes;
    const { line, exhausted } = search.run(Math.min(most, before + budget - nodes));
    nodes += search.nodes - before;
    if (line !== undefined) return { verdict: 'winnable', line: makeLine(board, line), nodes };
    if (exhausted) return { verdict: 'unwinnable', nodes };
    if (nodes >= budget) break;
  }
  return { verdict: 'undecided', nodes };
}

/** Writes a line as UCI. */
const makeLine = (board: SearchBoard, line: readonly PackedMove[]): string[] =>
  line.map((move) => board.uci(move));
