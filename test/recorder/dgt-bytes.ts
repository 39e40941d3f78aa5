import { type Cell, EMPTY, type Placement } from '../../core/placement.ts';
import type { Move, Position } from '../../core/position.ts';

// Piece codes of the protocol in the order of our cells: empty, P N B R Q K, p n b r q k.
const CODES = [0, 1, 3, 4, 2, 6, 5, 7, 9, 10, 8, 12, 11];
const indexOf = (square: number): number => (7 - (square >> 3)) * 8 + (square & 7);

/** What a DGT board sends when a square changes, from the table of messages. */
export const updateBytes = (square: number, cell: Cell): Uint8Array =>
  Uint8Array.of(0x8e, 0, 5, indexOf(square), CODES[cell]!);

/** What a DGT board sends when it is asked for all squares. */
export function dumpBytes(cells: Placement): Uint8Array {
  const bytes = new Uint8Array(67);
  bytes.set([0x86, 0, 67]);
  for (let square = 0; square < 64; square++) bytes[3 + indexOf(square)] = CODES[cells[square]!]!;
  return bytes;
}

/** The updates of a move as a careful hand makes it: what goes first, then what comes. */
export function moveBytes(position: Position, move: Pick<Move, 'changes'>): Uint8Array[] {
  const changes = [...move.changes].sort((a, b) => Number(a.after !== EMPTY) - Number(b.after !== EMPTY));
  return changes.flatMap(({ square, after }) => [
    ...(after !== EMPTY && position.cells[square] !== EMPTY ? [updateBytes(square, EMPTY)] : []),
    updateBytes(square, after),
  ]);
}
