/** Positions for the tests of who can still mate. */
import fc from 'fast-check';
import type { Variant } from '../../../../core/game-event.ts';
import { cellOf, makePlacement, type Placement, ROLES } from '../../../../core/placement.ts';
import { Position } from '../../../../core/position.ts';
import { makeSquare, opponent, type Side } from '../../../../core/square.ts';

/** The position of a FEN with four fields. */
export function at(fen: string, variant: Variant = 'standard'): Position {
  const position = Position.fromFen(fen.split(' ').length === 4 ? `${fen} 0 1` : fen, variant);
  if (!position.ok) throw new Error(position.fault.message);
  return position.value;
}

/** Pawns that block each other on every file and kings that cannot pass; the black d-pawn may have come from d7. */
export const CLOSED = '4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3';

/** Chess960: White's king and rook shut each other in, and change places by castling. */
export const CAGE = 'k7/8/8/8/8/2p1p1p1/2PpP1P1/3B1KRB';

/** The same behind a wall that keeps the black king out. */
export const WALLED_CAGE = 'k7/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/2p1p1p1/2PpP1P1/3B1KRB';

const sides = fc.constantFrom<Side>('white', 'black');
const squares = fc.integer({ min: 0, max: 63 });
/** Bishops most often: walls stop them. */
const KINDS = [...ROLES.slice(0, 5), 'bishop', 'bishop', 'bishop'] as const;
const files = fc.integer({ min: 0, max: 7 });

/**
 * Two kings, walls of pawns that face each other, and some pieces anywhere; kings and rooks that may castle, and a pawn
 * that may be captured in passing. Only what `Position` accepts, which drops the rights that there cannot be.
 */
export const anyPosition: fc.Arbitrary<Position> = fc
  .record({
    kings: fc.tuple(squares, squares),
    walls: fc.array(fc.tuple(files, fc.integer({ min: 1, max: 5 })), { maxLength: 10, size: 'max' }),
    pieces: fc.array(fc.tuple(squares, sides, fc.constantFrom(...KINDS)), { maxLength: 5 }),
    turn: sides,
    castles: fc.constantFrom('', '', '', '', '', 'KQkq', 'K', 'q'),
    passing: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.tuple(files, fc.constantFrom(-1, 1)) },
    ),
  })
  .map(({ kings, walls, pieces, turn, castles, passing }) => {
    const placement: Placement = new Uint8Array(64);
    for (const [square, side, role] of pieces) {
      if (role !== 'pawn' || (square >= 8 && square < 56)) placement[square] = cellOf(side, role);
    }
    for (const [file, rank] of walls) {
      placement[rank * 8 + file] = cellOf('white', 'pawn');
      placement[rank * 8 + 8 + file] = cellOf('black', 'pawn');
    }
    const king = { white: kings[0], black: kings[1] };
    for (const right of castles) {
      const side = right < 'a' ? 'white' : 'black';
      const base = side === 'white' ? 0 : 56;
      king[side] = base + 4;
      placement[base + (right.toLowerCase() === 'k' ? 7 : 0)] = cellOf(side, 'rook');
    }
    let enPassant = '-';
    if (passing !== undefined) {
      const [file, beside] = passing;
      const white = turn === 'white';
      const rank = white ? 4 : 3;
      placement[rank * 8 + file] = cellOf(opponent(turn), 'pawn');
      if (file + beside >= 0 && file + beside < 8) placement[rank * 8 + file + beside] = cellOf(turn, 'pawn');
      const square = (white ? 5 : 2) * 8 + file;
      placement[square] = 0;
      placement[(white ? 6 : 1) * 8 + file] = 0;
      enPassant = makeSquare(square);
    }
    placement[king.white] = cellOf('white', 'king');
    placement[king.black] = cellOf('black', 'king');
    return Position.fromFen(`${makePlacement(placement)} ${turn[0]} ${castles || '-'} ${enPassant} 0 1`);
  })
  .map((position) => (position.ok ? position.value : undefined))
  .filter((position) => position !== undefined);

/** The same position with the colours changed over. */
export function mirror(position: Position): Position {
  const placement = new Uint8Array(64);
  for (const [square, cell] of position.cells.entries()) {
    if (cell !== 0) placement[square ^ 56] = cell > 6 ? cell - 6 : cell + 6;
  }
  const [, , castles, enPassant] = position.fen().split(' ') as [string, string, string, string];
  const rights = castles.replace(/[a-z]/gi, (right) =>
    right < 'a' ? right.toLowerCase() : right.toUpperCase(),
  );
  const passed = enPassant.replace(/[36]/, (rank) => `${9 - Number(rank)}`);
  return at(`${makePlacement(placement)} ${opponent(position.turn)[0]} ${rights} ${passed}`);
}

/** Whether a line of UCI moves is legal and ends in mate by a side, as the rules library sees it. */
export function isMatingLine(position: Position, line: readonly string[], side: Side): boolean {
  let now = position;
  for (const uci of line) {
    const move = now.parseUci(uci);
    if (move === undefined) return false;
    now = now.play(move);
  }
  return now.isCheckmate() && now.turn !== side;
}
