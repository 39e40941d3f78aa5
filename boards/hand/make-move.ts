/** How a hand makes one move that is legal: slides, orders of capture, castling and promotion habits. */
import { type Cell, cellOf, EMPTY } from '../../core/placement.ts';
import type { Change, Move, Position } from '../../core/position.ts';
import type { Side, Square } from '../../core/square.ts';
import { type Hands, lift, neighbours, put, squaresBetween, wait } from './hands.ts';
import type { CaptureOrder } from './profiles.ts';
import { between, isChance, pick, pickWeighted } from './random.ts';

/** What is worth knowing of how a move was made. */
export interface MadeMove {
  /** When the last piece of the move was released, ms. */
  readonly releasedAtMs: number;
  /** When the last piece of the move was set down or taken off at the earliest: the hand was on its way before. */
  readonly liftedAtMs: number;
  readonly rookFirst: boolean;
}

/** Empty squares on which a captured piece may hang while the hand leaves, apart from those another hand wants. */
function freeSquaresAround(hands: Hands, square: Square, avoid: ReadonlySet<Square>): Square[] {
  return neighbours(square).filter((s) => hands.cells[s] === EMPTY && !avoid.has(s));
}

/** Carries a piece that is in the hand to an empty square, over the squares between when it is slid. */
function carry(hands: Hands, cell: Cell, from: Square, to: Square): void {
  const { habits, random } = hands;
  const path = squaresBetween(from, to);
  const isFree = path.length > 0 && path.every((square) => hands.cells[square] === EMPTY);
  if (isFree && isChance(random, habits.slide)) {
    const stop = isChance(random, habits.slideStop) ? between(random, 0, path.length - 1) : -1;
    for (const [i, square] of path.entries()) {
      hands.atMs += 10;
      put(hands, square, cell);
      wait(hands, i === stop ? habits.slideStopMs : habits.slideSquareMs);
      lift(hands, square);
    }
    hands.atMs += 10;
  } else wait(hands, habits.airMs);
}

/** The captured piece hangs over an empty square for a moment while the hand goes back. */
function dropGhost(hands: Hands, victim: Cell, around: Square, avoid: ReadonlySet<Square>): void {
  if (!isChance(hands.random, hands.habits.ghost)) return;
  const square = pick(hands.random, freeSquaresAround(hands, around, avoid));
  if (square === undefined) return;
  wait(hands, [20, 120]);
  put(hands, square, victim);
  wait(hands, hands.habits.ghostMs);
  lift(hands, square);
}

/** Takes on a square: the piece in the hand replaces the victim there, in the order the hand is used to. */
function capture(
  hands: Hands,
  from: Square,
  to: Square,
  victimSquare: Square,
  order: CaptureOrder,
  afterwards: Cell,
): { victim: Cell } {
  const { habits } = hands;
  if (order === 'victimFirst') {
    const victim = lift(hands, victimSquare);
    wait(hands, [150, 500]);
    const cell = lift(hands, from);
    carry(hands, cell, from, to);
    put(hands, to, afterwards);
    return { victim };
  }
  const cell = lift(hands, from);
  if (order === 'bothInAir') {
    wait(hands, [100, 400]);
    const victim = lift(hands, victimSquare);
    wait(hands, [100, 400]);
    put(hands, to, afterwards);
    return { victim };
  }
  if (victimSquare !== to) {
    carry(hands, cell, from, to);
    put(hands, to, afterwards);
    wait(hands, [100, 500]);
    return { victim: lift(hands, victimSquare) };
  }
  const path = squaresBetween(from, to);
  const beside =
    path.length > 0
      ? path[path.length - 1]
      : pick(
          hands.random,
          neighbours(to).filter((s) => hands.cells[s] === EMPTY && s !== from),
        );
  if (order === 'beside' && beside !== undefined && hands.cells[beside] === EMPTY) {
    carry(hands, cell, from, beside);
    put(hands, beside, cell);
    wait(hands, [150, 600]);
    const victim = lift(hands, to);
    wait(hands, [80, 300]);
    lift(hands, beside);
    wait(hands, [40, 150]);
    put(hands, to, afterwards);
    return { victim };
  }
  carry(hands, cell, from, to);
  const victim = lift(hands, to);
  wait(hands, habits.swapMs);
  put(hands, to, afterwards);
  return { victim };
}

function castle(
  hands: Hands,
  move: Move,
  castling: { rookFrom: Square; rookTo: Square },
): { rookFirst: boolean; releasedAtMs: number } {
  const { habits, random } = hands;
  const { rookFrom, rookTo } = castling;
  let order = pickWeighted(random, habits.castling);
  const kingBlocked = move.to !== move.from && hands.cells[move.to] !== EMPTY;
  const rookBlocked = rookTo !== rookFrom && hands.cells[rookTo] !== EMPTY;
  // In Chess960 one may stand where the other goes: then both are in the air together.
  if (kingBlocked || rookBlocked) order = 'together';
  const moveKing = (): void => {
    if (move.to === move.from) return;
    const king = lift(hands, move.from);
    carry(hands, king, move.from, move.to);
    put(hands, move.to, king);
  };
  const moveRook = (): void => {
    if (rookTo === rookFrom) return;
    const rook = lift(hands, rookFrom);
    wait(hands, habits.airMs);
    put(hands, rookTo, rook);
  };
  if (order === 'together' && move.to !== move.from && rookTo !== rookFrom) {
    const king = lift(hands, move.from);
    wait(hands, [20, 150]);
    const rook = lift(hands, rookFrom);
    wait(hands, habits.airMs);
    put(hands, move.to, king);
    wait(hands, [30, 300]);
    put(hands, rookTo, rook);
  } else if (order === 'rookFirst') {
    moveRook();
    wait(hands, habits.castlingGapMs);
    moveKing();
  } else {
    moveKing();
    wait(hands, habits.castlingGapMs);
    moveRook();
  }
  return { rookFirst: order === 'rookFirst' && rookTo !== rookFrom, releasedAtMs: hands.atMs };
}

function promote(hands: Hands, move: Move, side: Side): Cell | undefined {
  const { habits, random } = hands;
  const piece = cellOf(side, move.promotion!);
  const order = pickWeighted(random, habits.promotion);
  if (order === 'pieceFirst') {
    let victim: Cell | undefined;
    if (move.captured !== undefined) {
      victim = lift(hands, move.to);
      wait(hands, [150, 600]);
    }
    // The hand comes with the new piece: nothing has been lifted before it.
    hands.earlyMs = 0;
    put(hands, move.to, piece);
    wait(hands, [200, 700]);
    lift(hands, move.from);
    return victim;
  }
  const first = order === 'direct' ? piece : hands.cells[move.from]!;
  let victim: Cell | undefined;
  if (move.captured !== undefined) {
    const captureOrder = pickWeighted(random, { ...habits.capture, beside: 0 });
    victim = capture(hands, move.from, move.to, move.to, captureOrder, first).victim;
  } else {
    lift(hands, move.from);
    wait(hands, habits.airMs);
    put(hands, move.to, first);
  }
  if (order === 'pawnThenPiece') {
    wait(hands, habits.promotionMs);
    lift(hands, move.to);
    wait(hands, [150, 600]);
    put(hands, move.to, piece);
  }
  return victim;
}

/** A piece slips onto a wrong empty square and is moved on to the right one. */
function fumble(hands: Hands, cell: Cell, to: Square): void {
  const wrong = pick(
    hands.random,
    neighbours(to).filter((s) => hands.cells[s] === EMPTY),
  );
  if (wrong === undefined) return;
  put(hands, wrong, cell);
  wait(hands, [250, 1200]);
  lift(hands, wrong);
  wait(hands, [60, 250]);
}

/**
 * Makes a legal move with the hands, in the way the habits say; `avoid` are squares the other hand may want soon.
 */
export function makeMoveByHand(
  hands: Hands,
  position: Position,
  move: Move,
  avoid: ReadonlySet<Square>,
): MadeMove {
  const { habits, random } = hands;
  const liftedAtMs = hands.atMs;
  if (move.castling !== undefined) {
    return { liftedAtMs, ...castle(hands, move, move.castling) };
  }
  const cell = position.cells[move.from]!;
  let victim: Cell | undefined;
  if (move.promotion !== undefined) victim = promote(hands, move, position.turn);
  else if (move.captured !== undefined) {
    const order = pickWeighted(random, habits.capture);
    victim = capture(hands, move.from, move.to, move.captured.square, order, cell).victim;
  } else {
    lift(hands, move.from);
    carry(hands, cell, move.from, move.to);
    if (isChance(random, hands.mishaps.fumble)) fumble(hands, cell, move.to);
    put(hands, move.to, cell);
  }
  const releasedAtMs = hands.atMs;
  if (victim !== undefined) dropGhost(hands, victim, move.to, avoid);
  return { releasedAtMs, liftedAtMs, rookFirst: false };
}

/** Puts squares as they stood before these changes, one piece after the other, as people take a move back. */
export function restoreByHand(hands: Hands, changes: readonly Change[]): void {
  for (const change of changes) {
    if (hands.cells[change.square] !== EMPTY && hands.cells[change.square] !== change.before) {
      lift(hands, change.square);
      wait(hands, [60, 300]);
    }
  }
  // The moved piece goes home first, what it had captured comes back last.
  for (const change of [...changes].reverse()) {
    if (change.before !== EMPTY && hands.cells[change.square] === EMPTY) {
      wait(hands, [200, 700]);
      put(hands, change.square, change.before);
    }
  }
}
