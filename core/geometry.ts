import type { Square } from './square.ts';

/**
 * What the empty board says of moves: tables that are filled once. Squares a1 = 0 .. h8 = 63; directions 0..3 are those of
 * a rook, 4..7 those of a bishop.
 */

const STEPS: readonly (readonly [number, number])[] = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
  [1, 1],
  [1, -1],
  [-1, -1],
  [-1, 1],
];
const LEAPS: readonly (readonly [number, number])[] = [
  [1, 2],
  [2, 1],
  [2, -1],
  [1, -2],
  [-1, -2],
  [-2, -1],
  [-2, 1],
  [-1, 2],
];

const offset = (square: Square, [file, rank]: readonly [number, number]): Square => {
  const f = (square & 7) + file;
  const r = (square >> 3) + rank;
  return f < 0 || f > 7 || r < 0 || r > 7 ? -1 : r * 8 + f;
};

const SQUARES = Array.from({ length: 64 }, (_, square) => square);

const ray = (square: Square, step: readonly [number, number]): Uint8Array => {
  const squares: Square[] = [];
  for (let at = offset(square, step); at >= 0; at = offset(at, step)) squares.push(at);
  return Uint8Array.from(squares);
};

/** Squares along a direction, nearest first: index `square * 8 + direction`. */
export const RAYS: readonly Uint8Array[] = SQUARES.flatMap((square) =>
  STEPS.map((step) => ray(square, step)),
);

const around = (steps: readonly (readonly [number, number])[]): readonly Uint8Array[] =>
  SQUARES.map((square) =>
    Uint8Array.from(steps.map((step) => offset(square, step)).filter((target) => target >= 0)),
  );

/** Squares a king's step away, by square. */
export const KING_TARGETS: readonly Uint8Array[] = around(STEPS);

/** Squares a knight's leap away, by square. */
export const KNIGHT_TARGETS: readonly Uint8Array[] = around(LEAPS);

/** Squares that a pawn attacks: index `side * 64 + square`, side 0 = white. */
export const PAWN_TARGETS: readonly Uint8Array[] = [
  ...around([
    [-1, 1],
    [1, 1],
  ]),
  ...around([
    [-1, -1],
    [1, -1],
  ]),
];

/** One more than the direction from a square to another on one line with it, else 0: index `from * 64 + to`. */
export const LINES: Uint8Array = new Uint8Array(64 * 64);
for (const square of SQUARES) {
  for (let direction = 0; direction < 8; direction++) {
    for (const target of RAYS[square * 8 + direction]!) LINES[square * 64 + target] = direction + 1;
  }
}

/** Steps of a king between two squares: index `from * 64 + to`. */
export const DISTANCE: Uint8Array = Uint8Array.from({ length: 64 * 64 }, (_, index) => {
  const from = index >> 6;
  const to = index & 63;
  return Math.max(Math.abs((from & 7) - (to & 7)), Math.abs((from >> 3) - (to >> 3)));
});

/** Moves of a knight between two squares of an empty board: index `from * 64 + to`. */
export const KNIGHT_MOVES: Uint8Array = new Uint8Array(64 * 64);
for (const from of SQUARES) {
  const found = [from];
  for (const at of found) {
    for (const to of KNIGHT_TARGETS[at]!) {
      if (to === from || KNIGHT_MOVES[from * 64 + to] !== 0) continue;
      KNIGHT_MOVES[from * 64 + to] = KNIGHT_MOVES[from * 64 + at]! + 1;
      found.push(to);
    }
  }
}

/** Whether a square is a light one. */
export const isLight = (square: Square): boolean => ((square + (square >> 3)) & 1) === 1;
