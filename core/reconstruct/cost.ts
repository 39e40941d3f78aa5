/**
 * What a reading of the game leaves to chance, and what each of it costs: roughly a negative logarithm, so that three is
 * one in twenty. Only their proportions matter; `test/bench` says how well they are chosen.
 */
import { type Cell, cellOf, EMPTY } from '../placement.ts';
import { fileOf, rankOf, type Side, type Square } from '../square.ts';
import type { Node } from './node.ts';
import { type SeenChange, WAITS } from './scene.ts';

export const COST = {
  /** A piece off its square and back: nudged, or lifted and thought better of. */
  nudge: 0.3,
  touch: 0.6,
  /** A piece on an empty square and off again: on the way of the move, or elsewhere. */
  onTheWay: 0.2,
  elsewhere: 0.6,
  /** More of the same on one square. */
  squareMost: 1.5,
  /** The side that moves has another of its pieces off the board. */
  moverHolds: 1,
  /** A piece of the side to move in the air beside the one that moves, and one of the other side that nobody takes. */
  secondInAir: 0.5,
  otherInAir: 0.4,
  otherStaysInAir: 1.5,
  /** A piece where none should be: just now, for a moment, for longer. */
  extra: 1,
  extraStays: 2,
  extraRemains: 3,
  /** A pawn on the last rank waits for its piece. */
  pawnWaiting: 0.3,
  /** Nobody loses a king. */
  kingElsewhere: 1.5,
  /** The moved piece itself, not yet seen to leave a square on its way. */
  trail: 0.2,
  /** A capturing piece that leaves its square when it has arrived already. */
  lateLift: 1,
  /** A piece that has been in the air for so long that it was hardly a hand. */
  gone: 1.5,
  /** A press whose ply is not seen, within what sensors may lag behind, and later. */
  pressJust: 0.3,
  pressOpen: 1.5,
  pressUnexplained: 2.5,
  /** A piece put down so long after its press that the press was hardly for it, and much longer. */
  pressEarly: 1,
  pressTooEarly: 1.5,
  /** The piece of a pressed ply is not where it went; so much less once it turns out that the opponent was taking it. */
  notThere: 2.5,
  takenBeforePress: 2,
  /** So much less for a piece that was not seen to arrive when it is taken there. */
  takenUnseen: 1.5,
  /** The ply that was answered had not been pressed, on a table with a clock. */
  unpressed: 0.5,
  /** Kings on their way to the centre, and one of them. */
  signal: 0.5,
  halfSignal: 1.2,
  putAway: 0.7,
} as const;

/** A reply within so many ms costs so much. */
export const QUICK = [
  [100, 0.6],
  [250, 0.4],
  [500, 0.2],
] as const;

/** Two plies of one side within so many ms cost so much. */
export const SAME_HAND = [
  [350, 1],
  [600, 0.4],
] as const;

/** What a table says of a time, ms; nothing above its last. */
export function costOf(table: readonly (readonly [number, number])[], ms: number): number {
  for (const [below, cost] of table) if (ms < below) return cost;
  return 0;
}

/** From here on a piece that nobody explains has not just been put down, ms. */
export const STAYS_MS = 600;
export const REMAINS_MS = 3000;
export const GONE_MS = 8000;
/** More squares than these differ only when pieces are set up or put away. */
export const PUT_AWAY = 8;

/** A press comes this long before its piece is put down, ms. */
export const HAND_LAG_MS = 350;
/** A hand that is this much ahead of the ply before its own is on no move, ms. */
export const OLD_MS = 2000;
/** A captured piece is put aside at most this long before the capturing one is lifted, ms. */
export const ASIDE_MS = 3500;
/** Sensors tell within this of each other what happened in one moment, ms. */
export const ORDER_MS = 50;
/** Off and on again within this is a nudge, ms. */
export const NUDGE_MS = WAITS.nudgeMs;

/**
 * What the events on squares that are as they were cost, for a move that went along some of them or has left a piece to
 * be put somewhere (`cell` is what stood there for a moment).
 */
export function pairsCost(
  events: readonly SeenChange[],
  isOnTheWay: (square: Square, cell: Cell) => boolean,
): number {
  if (!hasPairs(events)) return 0;
  let cost = 0;
  let passed = false;
  const seen = new Map<Square, { first: SeenChange; cost: number }>();
  for (const change of events) {
    const open = seen.get(change.square);
    if (open === undefined) {
      seen.set(change.square, { first: change, cost: 0 });
      continue;
    }
    // Every second event on a square closes a pair.
    if (change.after !== open.first.before) continue;
    const isTouch = change.after !== EMPTY;
    const last = events.findLast((c) => c.square === change.square && c.atMs <= change.atMs && c !== change);
    let pair: number = isTouch
      ? change.atMs - (last?.atMs ?? open.first.atMs) < NUDGE_MS
        ? COST.nudge
        : COST.touch
      : COST.elsewhere;
    if (!isTouch && isOnTheWay(change.square, open.first.after)) {
      // However many squares a piece passes, it passes them once.
      pair = passed ? 0 : COST.onTheWay;
      passed = true;
    }
    if (open.cost + pair > COST.squareMost) pair = Math.max(0, COST.squareMost - open.cost);
    open.cost += pair;
    cost += pair;
  }
  return cost;
}

/** Whether anything has happened twice on a square: mostly nothing has. */
function hasPairs(events: readonly SeenChange[]): boolean {
  let [lo, hi] = [0, 0];
  for (const { square } of events) {
    const bit = 1 << (square & 31);
    if (square < 32) {
      if ((lo & bit) !== 0) return true;
      lo |= bit;
    } else {
      if ((hi & bit) !== 0) return true;
      hi |= bit;
    }
  }
  return false;
}

/** What more lifts than one of the moved piece, and more landings than one, cost. */
export function repeatsCost(events: readonly SeenChange[], node: Node): number {
  if (!hasPairs(events)) return 0;
  let cost = 0;
  for (const { square, after } of node.changes) {
    let count = 0;
    for (const c of events) if (c.square === square && (c.after === EMPTY) === (after === EMPTY)) count++;
    if (count > 1) cost += Math.min(COST.squareMost, (count - 1) * COST.nudge);
  }
  return cost;
}

export const isAligned = (a: Square, b: Square): boolean => {
  const [files, ranks] = [Math.abs(fileOf(a) - fileOf(b)), Math.abs(rankOf(a) - rankOf(b))];
  return files === 0 || ranks === 0 || files === ranks;
};

/** Whether a square lies on the rank where the pawns of a side are promoted. */
export const isOnLastRank = (square: Square, side: Side | undefined): boolean =>
  rankOf(square) === (side === 'white' ? 7 : 0);

export const isPawnOnLastRank = (cell: Cell, square: Square, turn: Side): boolean =>
  cell === cellOf(turn, 'pawn') && isOnLastRank(square, turn);

/** Whether a square lies on the straight line between two others. */
export function isBetween(square: Square, from: Square, to: Square): boolean {
  const [df, dr] = [fileOf(to) - fileOf(from), rankOf(to) - rankOf(from)];
  const steps = Math.max(Math.abs(df), Math.abs(dr));
  if (df !== 0 && dr !== 0 && Math.abs(df) !== Math.abs(dr)) return false;
  for (let i = 1; i < steps; i++) {
    if (
      fileOf(from) + (df / steps) * i === fileOf(square) &&
      rankOf(from) + (dr / steps) * i === rankOf(square)
    )
      return true;
  }
  return false;
}
