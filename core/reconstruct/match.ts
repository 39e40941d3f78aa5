/**
 * What the board shows, held against a position. A square agrees when the sensor may mean the piece, and where its
 * difference has an excuse already (`stale`: the cell the sensor showed when the difference was explained).
 */
import { type Cell, cellsAgree, type Placement } from '../placement.ts';
import type { Move, Position } from '../position.ts';
import type { Square } from '../square.ts';

/** Differences that were explained (lost update, captured piece left on the board ...): square to the cell seen then. */
export type Stale = ReadonlyMap<Square, Cell>;

export const NO_STALE: Stale = new Map();

/** Whether a square agrees with what is meant, or its difference is excused. */
export const isExcused = (board: Placement, square: Square, meant: Cell, stale: Stale): boolean =>
  cellsAgree(board[square]!, meant) || (stale.size > 0 && stale.get(square) === board[square]);

/** The squares that differ from a position without an excuse, in rising order. */
export function differences(board: Placement, meant: Placement, stale: Stale): Square[] {
  const squares: Square[] = [];
  for (let square = 0; square < 64; square++) {
    if (board[square] !== meant[square] && !isExcused(board, square, meant[square]!, stale))
      squares.push(square);
  }
  return squares;
}

/** Whether the board shows a position, excuses granted. */
export function shows(board: Placement, meant: Placement, stale: Stale): boolean {
  for (let square = 0; square < 64; square++) {
    if (board[square] !== meant[square] && !isExcused(board, square, meant[square]!, stale)) return false;
  }
  return true;
}

const changesSquare = (move: Move, square: Square): boolean => {
  for (const change of move.changes) if (change.square === square) return true;
  return false;
};

/**
 * Whether the differences may be a legal move under way: some legal move touches every differing square, and none of
 * them shows anything that could not stand there while hands are at work.
 */
export function isUnderWay(board: Placement, position: Position, differing: readonly Square[]): boolean {
  if (differing.length > 4) return false;
  for (const move of position.moves()) {
    let covers = true;
    for (const square of differing) {
      if (!changesSquare(move, square)) {
        covers = false;
        break;
      }
    }
    if (!covers) continue;
    const mover = position.cells[move.from]!;
    if (
      move.changes.every(({ square, before, after }) => {
        const seen = board[square]!;
        return seen === 0 || seen === mover || cellsAgree(seen, before) || cellsAgree(seen, after);
      })
    ) {
      return true;
    }
  }
  return false;
}
