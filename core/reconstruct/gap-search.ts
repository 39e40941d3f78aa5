/**
 * Legal sequences between two placements: what may have been played while nobody looked (a lost link, a lost update,
 * several plies in one scan). Iterative deepening; the budget is counted in moves played, so that the answer is the
 * same on every machine.
 */
import { EMPTY, type Placement, sideOfCell } from '../placement.ts';
import type { Move, Position } from '../position.ts';
import type { Side } from '../square.ts';
import { differences, isExcused, type Stale, shows } from './match.ts';

/** The shortest sequences found, all of one length. */
export interface GapResult {
  readonly lines: readonly (readonly Move[])[];
  /** Number of plies of each line; 0 when the placements agree already. */
  readonly plies: number;
  /** True when not every sequence of that length was tried: the budget ran out, or there are too many. */
  readonly cut: boolean;
}

const MAX_LINES = 64;

/** Squares that must still be reached by a piece of each side. */
function arrivals(
  board: Placement,
  position: Position,
  stale: Stale,
): { white: number; black: number; any: number } {
  let white = 0;
  let black = 0;
  let any = 0;
  const cells = position.cells;
  for (let square = 0; square < 64; square++) {
    const seen = board[square]!;
    if (seen === EMPTY || seen === cells[square] || isExcused(board, square, cells[square]!, stale)) continue;
    const side = sideOfCell(seen);
    if (side === 'white') white++;
    else if (side === 'black') black++;
    else any++;
  }
  return { white, black, any };
}

/**
 * Searches the shortest legal sequences from `position` to what `board` shows, at most `maxPlies` long and at most
 * `budget` moves played. Returns undefined when there is none within these bounds.
 */
export function searchGap(
  board: Placement,
  position: Position,
  stale: Stale,
  maxPlies: number,
  budget: number,
): GapResult | undefined {
  if (shows(board, position.cells, stale)) return { lines: [[]], plies: 0, cut: false };
  let nodes = 0;
  let cut = false;
  const lines: Move[][] = [];

  /** Moves a side still needs at least; castling brings two pieces home at once. */
  const needed = (count: number, at: Position, side: Side): number =>
    count >= 2 && at.castlingRooks(side).length > 0 ? count - 1 : count;

  const descend = (at: Position, depth: number, line: Move[]): void => {
    if (cut) return;
    const movesLeft = { own: (depth + 1) >> 1, other: depth >> 1 };
    const need = arrivals(board, at, stale);
    const own = at.turn;
    const other = own === 'white' ? 'black' : 'white';
    const ownNeed = needed(need[own], at, own);
    if (ownNeed > movesLeft.own || needed(need[other], at, other) > movesLeft.other) return;
    if (need.white + need.black + need.any > depth + 2) return;
    const tight = ownNeed === movesLeft.own && need.any === 0;
    const moves = depth === 1 ? candidatesForLast(board, at, stale) : at.moves();
    for (const move of moves) {
      // With no move to spare, each one must bring a piece to where it now stands.
      if (tight && !move.changes.some((c) => c.after !== EMPTY && board[c.square] === c.after)) continue;
      if (++nodes > budget || lines.length >= MAX_LINES) {
        cut = true;
        return;
      }
      const next = at.play(move);
      if (depth === 1) {
        if (shows(board, next.cells, stale)) lines.push([...line, move]);
      } else descend(next, depth - 1, [...line, move]);
    }
  };

  for (let plies = 1; plies <= maxPlies; plies++) {
    descend(position, plies, []);
    if (lines.length > 0) return { lines, plies, cut };
    if (cut) return undefined;
  }
  return undefined;
}

/** Moves that can be the last one: they must touch every square that still differs. */
function candidatesForLast(board: Placement, at: Position, stale: Stale): readonly Move[] {
  const differing = differences(board, at.cells, stale);
  if (differing.length === 0 || differing.length > 4) return [];
  return at
    .moves()
    .filter((move) => differing.every((square) => move.changes.some((c) => c.square === square)));
}
