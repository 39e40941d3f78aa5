import { isLight } from '../../geometry.ts';
import { BISHOP, KNIGHT, PAWN, QUEEN, ROOK, type SearchBoard, type SideIndex } from '../../search-board.ts';

/**
 * Whether a side has too little to mate in any arrangement whatever the opponent does with what it has: a proof by
 * material. A lone king; one knight against a king with queens at most; bishops that all go on one colour against a king
 * with nothing but rooks, queens and bishops of that colour. Every other set of pieces mates somewhere.
 */
export function lacksMaterial({ cells, counts }: SearchBoard, winner: SideIndex): boolean {
  const own = winner === 0 ? 0 : 6;
  const other = 6 - own;
  if (counts[own + PAWN]! + counts[own + ROOK]! + counts[own + QUEEN]! !== 0) return false;
  const knights = counts[own + KNIGHT]!;
  const bishops = counts[own + BISHOP]!;
  if (knights + bishops === 0) return true;
  if (counts[other + PAWN]! + counts[other + KNIGHT]! !== 0) return false;
  if (bishops === 0) return knights === 1 && counts[other + BISHOP]! + counts[other + ROOK]! === 0;
  if (knights !== 0) return false;
  let light = 0;
  let all = 0;
  for (let square = 0; square < 64; square++) {
    const cell = cells[square]!;
    if (cell !== own + BISHOP && cell !== other + BISHOP) continue;
    all++;
    if (isLight(square)) light++;
  }
  return light === 0 || light === all;
}
