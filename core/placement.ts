import type { Side, Square } from './square.ts';
import { makeSquare } from './square.ts';

/**
 * What a sensor says of one square. 0 = empty; 1..6 = white P N B R Q K; 7..12 = black p n b r q k;
 * 13 = occupied by an unidentified piece; 14 = no knowledge.
 */
export type Cell = number;

export const EMPTY = 0;
export const WHITE_PAWN = 1;
export const WHITE_KING = 6;
export const BLACK_PAWN = 7;
export const BLACK_KING = 12;
export const OCCUPIED = 13;
export const UNKNOWN = 14;

export const ROLES = ['pawn', 'knight', 'bishop', 'rook', 'queen', 'king'] as const;
export type Role = (typeof ROLES)[number];

/** What sensors say of all 64 squares, a1 = 0 ... h8 = 63: the lowest of three levels of truth. */
export type Placement = Uint8Array;

const LETTERS = '.PNBRQKpnbrqk?*';

/** The cell that holds a piece of this side and role. */
export const cellOf = (side: Side, role: Role): Cell => ROLES.indexOf(role) + (side === 'white' ? 1 : 7);

/** The side of the piece in a cell; undefined for empty, unidentified and unknown. */
export const sideOfCell = (cell: Cell): Side | undefined =>
  cell >= 1 && cell <= 6 ? 'white' : cell >= 7 && cell <= 12 ? 'black' : undefined;

/** The role of the piece in a cell; undefined for empty, unidentified and unknown. */
export const roleOfCell = (cell: Cell): Role | undefined =>
  cell >= 1 && cell <= 12 ? ROLES[(cell - 1) % 6] : undefined;

/** The letter of a cell as in FEN, "." for empty, "?" for unidentified, "*" for unknown. */
export const makeCell = (cell: Cell): string => LETTERS[cell] ?? '*';

/** Reads one FEN piece letter, or "?"; undefined for anything else. */
export function parseCell(letter: string): Cell | undefined {
  if (letter.length !== 1) return undefined;
  const cell = LETTERS.indexOf(letter);
  return cell >= 1 && cell <= 13 ? cell : undefined;
}

/** Whether a sensor that says `seen` may be looking at a square that holds `meant` (an unidentified piece fits any). */
export const cellsAgree = (seen: Cell, meant: Cell): boolean =>
  seen === meant || seen === UNKNOWN || (seen === OCCUPIED && meant !== EMPTY);

/** A board without pieces. */
export const emptyPlacement = (): Placement => new Uint8Array(64);

/** Reads the placement field of a FEN ("?" = unidentified piece); undefined when it is malformed. */
export function parsePlacement(text: string): Placement | undefined {
  const rows = text.trim().split(' ')[0]?.split('/') ?? [];
  if (rows.length !== 8) return undefined;
  const placement = emptyPlacement();
  for (let r = 0; r < 8; r++) {
    let file = 0;
    for (const letter of rows[r]!) {
      if (letter >= '1' && letter <= '8') {
        file += Number(letter);
        continue;
      }
      const cell = parseCell(letter);
      if (cell === undefined || file > 7) return undefined;
      placement[(7 - r) * 8 + file++] = cell;
    }
    if (file !== 8) return undefined;
  }
  return placement;
}

/** Writes the placement field of a FEN ("?" for an unidentified piece or a square without knowledge). */
export function makePlacement(placement: Placement): string {
  const rows: string[] = [];
  for (let rank = 7; rank >= 0; rank--) {
    let row = '';
    let gap = 0;
    for (let file = 0; file < 8; file++) {
      const cell = placement[rank * 8 + file]!;
      if (cell === EMPTY) {
        gap++;
        continue;
      }
      if (gap > 0) row += gap;
      gap = 0;
      row += cell === UNKNOWN ? '?' : makeCell(cell);
    }
    rows.push(gap > 0 ? row + gap : row);
  }
  return rows.join('/');
}

/** The same board seen from the other side: every piece on 63 - its square. */
export const turnPlacement = (placement: Placement): Placement => placement.slice().reverse();

/** The squares on which what is seen cannot be what is meant, in rising order. */
export function differingSquares(seen: Placement, meant: Placement): Square[] {
  const squares: Square[] = [];
  for (let square = 0; square < 64; square++) {
    if (!cellsAgree(seen[square]!, meant[square]!)) squares.push(square);
  }
  return squares;
}

/** Whether every square agrees with what is meant. */
export function placementsAgree(seen: Placement, meant: Placement): boolean {
  for (let square = 0; square < 64; square++) {
    if (!cellsAgree(seen[square]!, meant[square]!)) return false;
  }
  return true;
}

/** Names squares for a person: "e4, f7". */
export const makeSquares = (squares: readonly Square[]): string => squares.map(makeSquare).join(', ');
