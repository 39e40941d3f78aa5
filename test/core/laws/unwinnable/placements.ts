/** Positions for the tests of who can still mate. */
import fc from 'fast-check';
import { cellOf, makePlacement, type Placement, ROLES } from '../../../../core/placement.ts';
import { Position } from '../../../../core/position.ts';
import { opponent, type Side } from '../../../../core/square.ts';

/** The position of a FEN with four fields. */
export function at(fen: string): Position {
  const position = Position.fromFen(fen.split(' ').length === 4 ? `${fen} 0 1` : fen);
  if (!position.ok) throw new Error(position.fault.message);
  return position.value;
}

const sides = fc.constantFrom<Side>('white', 'black');
const squares = fc.integer({ min: 0, max: 63 });

/** Two kings, walls of pawns that face each other, and some pieces anywhere; only what `Position` accepts. */
export const anyPosition: fc.Arbitrary<Position> = fc
  .record({
    kings: fc.tuple(squares, squares),
    walls: fc.array(fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 1, max: 5 })), {
      maxLength: 8,
    }),
    pieces: fc.array(fc.tuple(squares, sides, fc.constantFrom(...ROLES.slice(0, 5))), { maxLength: 6 }),
    turn: sides,
  })
  .map(({ kings, walls, pieces, turn }) => {
    const placement: Placement = new Uint8Array(64);
    for (const [square, side, role] of pieces) {
      if (role !== 'pawn' || (square >= 8 && square < 56)) placement[square] = cellOf(side, role);
    }
    for (const [file, rank] of walls) {
      placement[rank * 8 + file] = cellOf('white', 'pawn');
      placement[rank * 8 + 8 + file] = cellOf('black', 'pawn');
    }
    placement[kings[0]] = cellOf('white', 'king');
    placement[kings[1]] = cellOf('black', 'king');
    return Position.fromFen(`${makePlacement(placement)} ${turn[0]} - - 0 1`);
  })
  .map((position) => (position.ok ? position.value : undefined))
  .filter((position) => position !== undefined);

/** The same position with the colours changed over. */
export function mirror(position: Position): Position {
  const placement = new Uint8Array(64);
  for (const [square, cell] of position.cells.entries()) {
    if (cell !== 0) placement[square ^ 56] = cell > 6 ? cell - 6 : cell + 6;
  }
  return at(`${makePlacement(placement)} ${opponent(position.turn)[0]} - -`);
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
