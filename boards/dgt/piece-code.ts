import { BLACK_KING, type Cell, EMPTY, WHITE_KING } from '../../core/placement.ts';
import type { Square } from '../../core/square.ts';

/** Content of a square on the wire (0..15), king before queen, to a cell. */
const CELLS: readonly Cell[] = [
  EMPTY,
  1,
  4,
  2,
  3,
  WHITE_KING,
  5,
  7,
  10,
  8,
  9,
  BLACK_KING,
  11,
  EMPTY,
  EMPTY,
  EMPTY,
];

/** What the pieces D, E and F announce; they are no chessmen. */
export const RESULT_PIECES = ['draw', 'whiteWins', 'blackWins'] as const;
export type ResultPiece = (typeof RESULT_PIECES)[number];

const FIRST_RESULT_PIECE = 0x0d;

/**
 * The cell that a piece code (low four bits) stands for. The three result pieces leave a square empty of chessmen: told
 * as "occupied" or "unknown" they would pass for the piece of a move (PROTOCOL.md, section 5).
 */
export const cellOfCode = (code: number): Cell => CELLS[code & 0x0f]!;

/** The result piece that a piece code (low four bits) stands for; undefined for chessmen and empty. */
export const resultPieceOfCode = (code: number): ResultPiece | undefined =>
  RESULT_PIECES[(code & 0x0f) - FIRST_RESULT_PIECE];

/** The board numbers its squares 0 = a8, 7 = h8 ... 63 = h1; only the ranks run the other way from ours. */
export const squareOfIndex = (index: number): Square => (index & 0x3f) ^ 56;
