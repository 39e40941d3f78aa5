/** Touch-move (articles 4.2 to 4.5): what hands did to pieces before a move was made, and what it obliged to. */
import { EMPTY, roleOfCell, sideOfCell } from '../placement.ts';
import type { Move, Position } from '../position.ts';
import type { Square } from '../square.ts';
import type { SeenChange } from './scene.ts';

/** A piece that goes off and on this often before one move is a flicker. */
const FLICKER_RETURNS = 2;

/** A piece that was lifted from its square, or put elsewhere, for longer than a nudge. */
export interface Touch {
  readonly square: Square;
  readonly atMs: number;
  readonly own: boolean;
  /** It was put back on its square. */
  readonly restored: boolean;
  /** An own piece was in the air when it was lifted: the same hand's doing. */
  readonly withOwnInHand: boolean;
}

/**
 * The touches between the agreed position and the move that was made, in order. `window` holds the changes since the
 * agreed position; a piece back on its square within `nudgeMs` was not touched.
 */
export function touchesIn(position: Position, window: readonly SeenChange[], nudgeMs: number): Touch[] {
  const touches: Touch[] = [];
  const returns = new Map<Square, number>();
  const liftedAt = new Map<Square, { atMs: number; withOwn: boolean }>();
  const touch = (square: Square, lift: { atMs: number; withOwn: boolean }, restored: boolean): void => {
    if (touches.some((t) => t.square === square)) return;
    const own = sideOfCell(position.cells[square]!) === position.turn;
    touches.push({ square, atMs: lift.atMs, own, restored, withOwnInHand: lift.withOwn });
  };
  for (const change of window) {
    const home = position.cells[change.square]!;
    if (home === EMPTY) continue;
    if (change.after === home) {
      const lift = liftedAt.get(change.square);
      if (lift !== undefined) returns.set(change.square, (returns.get(change.square) ?? 0) + 1);
      if (lift !== undefined && change.atMs - lift.atMs >= nudgeMs) touch(change.square, lift, true);
      liftedAt.delete(change.square);
    } else if (!liftedAt.has(change.square) && change.before === home) {
      let withOwn = false;
      for (const square of liftedAt.keys()) {
        if (sideOfCell(position.cells[square]!) === position.turn) withOwn = true;
      }
      liftedAt.set(change.square, { atMs: change.atMs, withOwn });
    }
  }
  for (const [square, lift] of liftedAt) touch(square, lift, false);
  // Off and on several times is a sensor that sees a badly placed piece, not a hand.
  return touches
    .filter((t) => (returns.get(t.square) ?? 0) < FLICKER_RETURNS)
    .sort((a, b) => a.atMs - b.atMs);
}

/** How a move that was made fails the touches before it. */
export type TouchFault =
  | { readonly type: 'touch-move'; readonly square: Square }
  | { readonly type: 'rook-first'; readonly square: Square }
  | { readonly type: 'promotion-changed'; readonly square: Square };

/** The obligation that a legal move leaves unfulfilled, if any (4.3.1 to 4.3.3, 4.4.2, 4.4.4). */
export function touchFault(
  position: Position,
  move: Move,
  window: readonly SeenChange[],
  nudgeMs: number,
): TouchFault | undefined {
  const touches = touchesIn(position, window, nudgeMs);
  if (move.castling !== undefined) {
    const rook = touches.find((t) => t.square === move.castling!.rookFrom);
    const king = touches.find((t) => t.square === move.from);
    if (rook !== undefined && king !== undefined && king.atMs - rook.atMs > nudgeMs) {
      return { type: 'rook-first', square: rook.square };
    }
  }
  if (move.promotion !== undefined) {
    const changed = promotionChanged(position, move, window, nudgeMs);
    if (changed) return { type: 'promotion-changed', square: move.to };
  }
  const moved = touches.find((t) => t.square === move.from);
  const own = touches.find((t) => t.own && position.movesFrom(t.square).length > 0);
  // One that is still in the air is in its owner's hand, for the reply.
  const victims = touches.filter((t) => !t.own && t.withOwnInHand && t.restored);
  if (own !== undefined && !honoursOwn(move, own.square)) {
    // Lifts this close together have no order: the moved piece counts as first.
    if (moved === undefined || moved.atMs - own.atMs >= nudgeMs)
      return { type: 'touch-move', square: own.square };
  }
  for (const victim of victims) {
    const captures = position.movesFrom(move.from).some((m) => m.captured?.square === victim.square);
    if (!captures) continue;
    return move.captured?.square === victim.square
      ? undefined
      : { type: 'touch-move', square: victim.square };
  }
  return undefined;
}

const honoursOwn = (move: Move, touched: Square): boolean =>
  move.from === touched || move.castling?.rookFrom === touched;

/** A piece chosen in a promotion had touched the square and was then exchanged for another (4.4.4). */
function promotionChanged(
  position: Position,
  move: Move,
  window: readonly SeenChange[],
  nudgeMs: number,
): boolean {
  const final = move.changes[0]!.after;
  let since: number | undefined;
  for (const change of window) {
    if (change.square !== move.to) continue;
    if (since !== undefined && change.atMs - since >= nudgeMs) return true;
    const role = roleOfCell(change.after);
    const chosen =
      sideOfCell(change.after) === position.turn &&
      role !== 'pawn' &&
      role !== 'king' &&
      change.after !== final;
    since = chosen ? change.atMs : undefined;
  }
  return false;
}
