/** A square number 0..63: a1 = 0, b1 = 1, h8 = 63. */
export type Square = number;

export const SIDES = ['white', 'black'] as const;
export type Side = (typeof SIDES)[number];

/** The other side. */
export const opponent = (side: Side): Side => (side === 'white' ? 'black' : 'white');

/** File 0..7 (a = 0) of a square. */
export const fileOf = (square: Square): number => square & 7;

/** Rank 0..7 (first rank = 0) of a square. */
export const rankOf = (square: Square): number => square >> 3;

/** Writes a square as "e4". */
export const makeSquare = (square: Square): string => `${'abcdefgh'[square & 7]}${(square >> 3) + 1}`;

/** Reads "e4"; undefined when the text is no square. */
export function parseSquare(text: string): Square | undefined {
  if (text.length !== 2) return undefined;
  const file = text.charCodeAt(0) - 97;
  const rank = text.charCodeAt(1) - 49;
  return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? file + 8 * rank : undefined;
}

/** The same square on a board turned by 180 degrees. */
export const turnSquare = (square: Square): Square => 63 - square;
