import { cellOf, EMPTY } from '../../placement.ts';
import type { Position } from '../../position.ts';
import { SearchBoard, type SideIndex } from '../../search-board.ts';
import { SIDES } from '../../square.ts';
import { lacksMaterial } from './material.ts';
import { judge } from './winnability.ts';

/** Nodes for both sides that cost some milliseconds at most. */
export const DEAD_POSITION_BUDGET = 2000;

/** With this many men beside the kings a position is looked at whatever they are. */
const FEW_MEN = 4;
/** A wall of pawns behind which queens, rooks and knights are shut in: pairs that block each other, and pawns that can go. */
const FEWEST_LOCKED = 2;
const MOST_FREE = 3;
/** With no more legal moves than this a line may be forced; it is followed for a few plies. */
const FEW_MOVES = 3;
const FORCED_PLIES = 3;

const WHITE_PAWN = cellOf('white', 'pawn');
const BLACK_PAWN = cellOf('black', 'pawn');
/** By cell: pieces that no wall of pawns on squares of the other colour stops. */
const ROAMS = Uint8Array.from({ length: 13 }, () => 0);
for (const side of SIDES)
  for (const role of ['queen', 'rook', 'knight'] as const) ROAMS[cellOf(side, role)] = 1;

/** Few men, nothing but pawns and bishops, or a wall. */
function isBare({ cells }: Position): boolean {
  let men = -2;
  let roams = 0;
  let locked = 0;
  let free = 0;
  for (let square = 0; square < 64; square++) {
    const cell = cells[square]!;
    if (cell === EMPTY) continue;
    men++;
    roams += ROAMS[cell]!;
    if (cell === WHITE_PAWN) {
      if (cells[square + 8] === BLACK_PAWN) locked++;
      else free++;
    } else if (cell === BLACK_PAWN && cells[square - 8] !== WHITE_PAWN) free++;
  }
  return men <= FEW_MEN || roams === 0 || (locked >= FEWEST_LOCKED && free <= MOST_FREE);
}

/**
 * Whether a position is worth a search for 5.2.2: what stands there is bare or walled, or all that is legal leads to such a
 * position or to stalemate. Where it says no, a mate is as good as certain, but nothing is proved; that costs some
 * microseconds.
 */
export function mayBeDead(position: Position, plies = FORCED_PLIES): boolean {
  if (isBare(position)) return true;
  const moves = position.moves();
  if (moves.length === 0) return !position.isCheck();
  if (plies === 0 || moves.length > FEW_MOVES) return false;
  return moves.every((move) => mayBeDead(position.play(move), plies - 1));
}

/**
 * Whether a position is dead (5.2.2: neither side can checkmate by any series of legal moves); undefined when `budget` nodes
 * for both sides together do not decide it, or it is none that is worth them (`mayBeDead`). Takes some milliseconds at most,
 * and mostly none: it may be asked after every ply.
 */
export function isDeadPosition(position: Position, budget = DEAD_POSITION_BUDGET): boolean | undefined {
  if (!mayBeDead(position)) return undefined;
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
