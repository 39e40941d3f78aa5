/** What goes wrong at a table without changing the game: nudges, adjusting, knocked-over pieces, changed minds. */
import { EMPTY, roleOfCell, sideOfCell } from '../../core/placement.ts';
import type { Change, Move, Position } from '../../core/position.ts';
import { opponent, type Square } from '../../core/square.ts';
import { type Hands, lift, neighbours, put, wait } from './hands.ts';
import { restoreByHand } from './make-move.ts';
import { between, isChance, pick, shuffled } from './random.ts';

const occupiedSquares = (hands: Hands): Square[] => {
  const squares: Square[] = [];
  for (let square = 0; square < 64; square++) if (hands.cells[square] !== EMPTY) squares.push(square);
  return squares;
};

/** Bumps a neighbour of `square` off its own square and back within 180 ms, some time between two instants. */
export function nudgeNeighbour(hands: Hands, square: Square, fromMs: number, toMs: number): boolean {
  const victim = pick(
    hands.random,
    neighbours(square).filter((s) => hands.cells[s] !== EMPTY && !hands.used.has(s)),
  );
  const lengthMs = Math.min(between(hands.random, 30, 180), toMs - fromMs - 2);
  if (victim === undefined || lengthMs < 20) return false;
  const now = hands.atMs;
  hands.atMs = between(hands.random, fromMs, toMs - lengthMs - 1);
  const cell = lift(hands, victim);
  hands.atMs += lengthMs;
  put(hands, victim, cell);
  hands.atMs = now;
  return true;
}

/** Lifts a piece and puts it back where it stood; says which square, if the board has such a piece. */
export function adjustPiece(hands: Hands, squares: readonly Square[]): Square | undefined {
  const square = pick(hands.random, squares);
  if (square === undefined) return undefined;
  const cell = lift(hands, square);
  wait(hands, [250, 900]);
  put(hands, square, cell);
  return square;
}

/** Any piece that stands on the board. */
export const adjustAny = (hands: Hands): Square | undefined => adjustPiece(hands, occupiedSquares(hands));

/**
 * A hand knocks over two to four pieces around a square; some land on wrong squares; a while later all stand right
 * again. False when there are not enough pieces about.
 */
export function knockOver(hands: Hands, around: Square): boolean {
  const { random } = hands;
  const near = shuffled(
    random,
    occupiedSquares(hands).filter(
      (s) => Math.abs((s & 7) - (around & 7)) <= 2 && Math.abs((s >> 3) - (around >> 3)) <= 2 && s !== around,
    ),
  ).slice(0, between(random, 2, 4));
  if (near.length < 2) return false;
  const fallen = near.map((square) => {
    const cell = lift(hands, square);
    wait(hands, [5, 60]);
    return { square, cell };
  });
  const lying: { at: Square; cell: number; home: Square }[] = [];
  for (const { square, cell } of fallen) {
    const spot = pick(
      random,
      neighbours(square).filter((s) => hands.cells[s] === EMPTY),
    );
    if (spot === undefined || !isChance(random, 0.6)) continue;
    wait(hands, [5, 80]);
    put(hands, spot, cell);
    lying.push({ at: spot, cell, home: square });
  }
  wait(hands, [1000, 5000]);
  for (const { at } of lying) {
    lift(hands, at);
    wait(hands, [80, 300]);
  }
  for (const { square, cell } of shuffled(random, fallen)) {
    put(hands, square, cell);
    wait(hands, [150, 600]);
  }
  return true;
}

/**
 * The player to move takes another piece first, perhaps even sets it on a legal square, and puts it back. Says
 * whether that piece could have moved, which makes what follows a matter of touch-move (4.3).
 */
export function changeMind(hands: Hands, position: Position, move: Move): boolean {
  const { random } = hands;
  const others: Square[] = [];
  for (let square = 0; square < 64; square++) {
    if (
      sideOfCell(position.cells[square]!) === position.turn &&
      square !== move.from &&
      square !== move.castling?.rookFrom &&
      roleOfCell(position.cells[square]!) !== 'king'
    )
      others.push(square);
  }
  const movable = others.filter((s) => position.movesFrom(s).length > 0);
  const square = pick(random, movable.length > 0 && isChance(random, 0.8) ? movable : others);
  if (square === undefined) return false;
  const quiet = position
    .movesFrom(square)
    .filter((m) => m.captured === undefined && m.promotion === undefined);
  const tried = isChance(random, 0.4) ? pick(random, quiet) : undefined;
  const cell = lift(hands, square);
  wait(hands, [300, 1800]);
  if (tried !== undefined) {
    put(hands, tried.to, cell);
    wait(hands, [400, 1800]);
    lift(hands, tried.to);
    wait(hands, [150, 700]);
  }
  put(hands, square, cell);
  return position.movesFrom(square).length > 0;
}

/** The moved piece is lifted, held and put back; its move comes later. */
export function hesitate(hands: Hands, move: Move): void {
  const cell = lift(hands, move.from);
  wait(hands, [300, 2000]);
  put(hands, move.from, cell);
}

/**
 * A move no rule allows: a pinned or wrongly moved piece goes to an empty square, or takes. Undefined when none was
 * found after some tries. No pawn goes to the last rank and no king is taken, so that the game can go on from it.
 */
export function findIllegalMove(hands: Hands, position: Position): readonly Change[] | undefined {
  const { random } = hands;
  const own = occupiedSquares(hands).filter((s) => sideOfCell(position.cells[s]!) === position.turn);
  for (let attempt = 0; attempt < 40; attempt++) {
    const from = pick(random, own)!;
    const cell = position.cells[from]!;
    const to = pick(
      random,
      neighbours(from).flatMap((s) => [s, ...neighbours(s)]),
    )!;
    const target = position.cells[to]!;
    if (to === from || sideOfCell(target) === position.turn || roleOfCell(target) === 'king') continue;
    if (roleOfCell(cell) === 'pawn' && (to < 8 || to > 55)) continue;
    // Two squares by the king look like castling begun; that is another mistake.
    if (roleOfCell(cell) === 'king' && Math.abs(from - to) === 2) continue;
    if (position.movesFrom(from).some((m) => m.to === to || m.castling?.rookFrom === to)) continue;
    const changes: Change[] = [
      { square: to, before: target, after: cell },
      { square: from, before: cell, after: EMPTY },
    ];
    const after = position.playIllegal(changes);
    if (after.kingOf(position.turn) === undefined || after.kingOf(opponent(position.turn)) === undefined)
      continue;
    if (after.moves().some((m) => m.captured === undefined || roleOfCell(m.captured.cell) !== 'king'))
      return changes;
  }
  return undefined;
}

/** Plays changes that are no legal move: takes what is captured, then moves the piece. */
export function playIllegalByHand(hands: Hands, changes: readonly Change[]): void {
  const [arrival, departure] = changes as [Change, Change];
  const cell = lift(hands, departure.square);
  wait(hands, hands.habits.airMs);
  if (arrival.before !== EMPTY) {
    lift(hands, arrival.square);
    wait(hands, hands.habits.swapMs);
  }
  put(hands, arrival.square, cell);
}

/** A completed move is put back, in whatever order hands do it. */
export const takeBackByHand = (hands: Hands, move: Move): void => restoreByHand(hands, move.changes);
