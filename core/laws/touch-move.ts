/**
 * Touch-move (4.2 to 4.7): what the pieces a player has touched oblige to, and whether the move that was made honours it.
 * A board hears no "j'adoube" and sees no hands, so all this is an observation; the arbiter decides.
 */
import { type Role, roleOfCell } from '../placement.ts';
import type { Move, Position } from '../position.ts';
import { rankOf, type Side, type Square } from '../square.ts';

/** Off and on again within this is a nudge or sensor noise, and lifts this close together have no order, ms. */
export const NUDGE_MS = 250;
/** A piece that goes off and on its square this often before one move is a sensor that flickers. */
const FLICKER_RETURNS = 2;
/** A piece that has stood on a square this long was released there (4.7), ms. */
const RELEASED_MS = 2000;

/** A piece that was off its square before a move was made. */
export interface Touch {
  /** Where it stood. */
  readonly square: Square;
  /** The colour of the piece. */
  readonly side: Side;
  /** When it was lifted first. */
  readonly atMs: number;
  /** How long it was off its square; undefined when it has not come back. */
  readonly durationMs?: number;
  /** How often it came back. */
  readonly returns?: number;
  /**
   * Whether the player to move touched it for certain. A piece of the opponent that is lifted and put back, with nothing of
   * the player's in the air, may have been adjusted by its owner: it obliges to nothing. True when absent.
   */
  readonly byMover?: boolean;
}

/** A piece of the player to move that came to rest on another square before the move was made. */
export interface Rest {
  readonly from: Square;
  readonly to: Square;
  readonly restedMs: number;
}

/** What was done before a move; all in the order in which it happened. */
export interface Handling {
  readonly touches: readonly Touch[];
  readonly rests?: readonly Rest[];
  /** Pieces that touched the square of promotion, first to last (4.4.4). */
  readonly promotions?: readonly Role[];
  /** `NUDGE_MS` when absent. */
  readonly nudgeMs?: number;
}

/** What a player has to do. `free`: any legal move (4.5, 4.4.3). */
export interface Obligation {
  readonly article: '4.3.1' | '4.3.2' | '4.3.3' | '4.4.1' | '4.4.2' | '4.4.3' | '4.5' | '4.7.2' | '4.7.3';
  readonly type: 'free' | 'move' | 'capture' | 'castle';
  /** The piece to be moved or captured; for castling the rook. */
  readonly square: Square | undefined;
  /** The legal moves that honour it; all legal moves where the player is free. */
  readonly moves: readonly Move[];
  /** Squares of rooks with which castling is not allowed any more (4.4.2). */
  readonly barred: readonly Square[];
}

/** Whether a touch is more than a nudge or noise of a sensor. */
export const isTouch = ({ durationMs, returns = 0 }: Touch, nudgeMs = NUDGE_MS): boolean =>
  (durationMs === undefined || durationMs >= nudgeMs) && returns < FLICKER_RETURNS;

/** The touches that oblige, in the order of the lifts; of lifts too close for an order the own piece counts as first (4.3.3). */
function touchesThatCount(position: Position, { touches, nudgeMs = NUDGE_MS }: Handling): Touch[] {
  const counting = touches.filter((touch) => touch.byMover !== false && isTouch(touch, nudgeMs));
  const isOwn = (touch: Touch): boolean => touch.side === position.turn;
  const sorted = [...counting].sort((a, b) => a.atMs - b.atMs);
  for (let i = 1; i < sorted.length; i++) {
    const [a, b] = [sorted[i - 1]!, sorted[i]!];
    if (!isOwn(a) && isOwn(b) && b.atMs - a.atMs < nudgeMs) sorted.splice(i - 1, 2, b, a);
  }
  return sorted;
}

/** What the player to move is obliged to by what was touched (4.3 to 4.5, 4.7.2, 4.7.3). */
export function obligationOf(position: Position, handling: Handling): Obligation {
  const touches = touchesThatCount(position, handling);
  const all = position.moves();
  const barred = rooksTouchedFirst(position, touches, handling.nudgeMs ?? NUDGE_MS);
  const legal = barred.length === 0 ? all : all.filter((m) => !isCastlingWith(m, barred));
  const released = releasedObligation(position, handling, legal, barred);
  const touched = touchedObligation(position, handling, touches, legal, barred) ?? free(legal, barred);
  // What was released binds where it honours what was touched before.
  const binds = touched.type === 'free' || released?.moves.some((m) => touched.moves.includes(m)) === true;
  return released !== undefined && binds ? released : touched;
}

const free = (
  moves: readonly Move[],
  barred: readonly Square[],
  article: '4.5' | '4.4.3' = '4.5',
): Obligation => ({ article, type: 'free', square: undefined, moves, barred });

/** What touched pieces oblige to; undefined when none of them does. */
function touchedObligation(
  position: Position,
  handling: Handling,
  touches: readonly Touch[],
  legal: readonly Move[],
  barred: readonly Square[],
): Obligation | undefined {
  const own = touches.filter((touch) => touch.side === position.turn);
  const theirs = touches.filter((touch) => touch.side !== position.turn);
  if (barred.length === 0) {
    const castling = castlingObligation(position, own, legal);
    if (castling !== undefined) return castling;
  }
  if (own.length > 0 && theirs.length > 0) return mixedObligation(own, theirs, touches, legal, barred);
  for (const { square, atMs } of own) {
    if (!legal.some((move) => isMoved(move, square))) continue;
    // Pieces lifted at once have no order: each of them may count as the first.
    const first = own.filter((t) => Math.abs(t.atMs - atMs) < (handling.nudgeMs ?? NUDGE_MS));
    const moves = legal.filter((move) => first.some((t) => isMoved(move, t.square)));
    return { article: barred.length > 0 ? '4.4.2' : '4.3.1', type: 'move', square, moves, barred };
  }
  for (const { square } of theirs) {
    const moves = legal.filter((move) => move.captured?.square === square);
    if (moves.length > 0) return { article: '4.3.2', type: 'capture', square, moves, barred };
  }
  return undefined;
}

/** In Chess960 the king may stay where it is, and castling is done with the rook alone. */
const isMoved = (move: Move, square: Square): boolean =>
  move.from === square || (move.from === move.to && move.castling?.rookFrom === square);
const isCastlingWith = (move: Move, rooks: readonly Square[]): boolean =>
  move.castling !== undefined && rooks.includes(move.castling.rookFrom);

/** Rooks that were touched clearly before the king: no castling with them on this move (4.4.2). */
function rooksTouchedFirst(position: Position, touches: readonly Touch[], nudgeMs: number): Square[] {
  const king = touches.find(({ square }) => square === position.kingOf(position.turn));
  if (king === undefined) return [];
  return touches
    .filter((t) => t.side === position.turn && roleOfCell(position.cells[t.square]!) === 'rook')
    .filter((t) => king.atMs - t.atMs >= nudgeMs)
    .map(({ square }) => square);
}

/** King and rook touched, the king not after the rook: castling on that side if legal (4.4.1), else a king move (4.4.3). */
function castlingObligation(
  position: Position,
  own: readonly Touch[],
  legal: readonly Move[],
): Obligation | undefined {
  const kingSquare = position.kingOf(position.turn);
  const pair = own.slice(0, 2);
  const king = pair.find(({ square }) => square === kingSquare);
  const rook = pair.find(({ square }) => roleOfCell(position.cells[square]!) === 'rook');
  if (king === undefined || rook === undefined) return undefined;
  const { square } = rook;
  const castling = legal.filter((move) => isCastlingWith(move, [square]));
  if (castling.length > 0) return { article: '4.4.1', type: 'castle', square, moves: castling, barred: [] };
  const moves = legal.filter((move) => isMoved(move, king.square));
  return moves.length === 0
    ? free(legal, [], '4.4.3')
    : { article: '4.4.3', type: 'move', square: king.square, moves, barred: [] };
}

/** Pieces of both colours: the capture of the one with the other, or the first touched that can be moved or captured (4.3.3). */
function mixedObligation(
  own: readonly Touch[],
  theirs: readonly Touch[],
  touches: readonly Touch[],
  legal: readonly Move[],
  barred: readonly Square[],
): Obligation | undefined {
  const [by, victim] = [own[0]!.square, theirs[0]!.square];
  const captures = legal.filter((move) => isMoved(move, by) && move.captured?.square === victim);
  if (captures.length > 0)
    return { article: '4.3.3', type: 'capture', square: victim, moves: captures, barred };
  for (const { square } of touches) {
    const isOwn = own.some((touch) => touch.square === square);
    const moves = legal.filter((move) => (isOwn ? isMoved(move, square) : move.captured?.square === square));
    if (moves.length > 0)
      return { article: '4.3.3', type: isOwn ? 'move' : 'capture', square, moves, barred };
  }
  return undefined;
}

/** A king released two squares towards a rook (4.7.2), a pawn released on the last rank (4.7.3). */
function releasedObligation(
  position: Position,
  { rests = [] }: Handling,
  legal: readonly Move[],
  barred: readonly Square[],
): Obligation | undefined {
  for (const { from, to, restedMs } of rests) {
    if (restedMs < RELEASED_MS) continue;
    const role = roleOfCell(position.cells[from]!);
    if (role === 'king') {
      const castling = legal.filter((m) => m.castling !== undefined && m.from === from && m.to === to);
      if (castling.length > 0 && Math.abs(to - from) === 2)
        return {
          article: '4.7.2',
          type: 'castle',
          square: castling[0]!.castling!.rookFrom,
          moves: castling,
          barred,
        };
    }
    if (role === 'pawn' && (rankOf(to) === 0 || rankOf(to) === 7)) {
      const moves = legal.filter((m) => m.from === from && m.to === to);
      if (moves.length > 0) return { article: '4.7.3', type: 'move', square: from, moves, barred };
    }
  }
  return undefined;
}

/** How a move fails what was touched before it. */
export interface TouchFault {
  readonly type: 'touch-move' | 'rook-first' | 'promotion-changed';
  readonly article: Obligation['article'] | '4.4.4';
  /** The piece that should have been moved or captured; the square of promotion. */
  readonly square: Square;
  /** Legal moves that would have honoured it. */
  readonly moves: readonly Move[];
}

/** What is to be said of a move and the touches before it. */
export interface TouchCheck {
  readonly obligation: Obligation;
  /** Undefined when the move honours the obligation, or no legal move could. */
  readonly fault: TouchFault | undefined;
}

/** Checks a legal move against what was touched before it. A fault is only what a legal move could have honoured. */
export function checkTouchMove(position: Position, handling: Handling, move: Move): TouchCheck {
  const obligation = obligationOf(position, handling);
  const { article, square, moves, barred } = obligation;
  const isHonoured = moves.some((m) => isSameMove(m, move));
  let fault: TouchFault | undefined;
  if (!isHonoured && isCastlingWith(move, barred))
    fault = { type: 'rook-first', article: '4.4.2', square: move.castling!.rookFrom, moves };
  else if (!isHonoured && obligation.type !== 'free' && moves.length > 0)
    fault = { type: 'touch-move', article, square: square!, moves };
  else if (move.promotion !== undefined && isChosenAnew(handling, move.promotion))
    fault = {
      type: 'promotion-changed',
      article: '4.4.4',
      square: move.to,
      moves: moves.filter((m) => m.to === move.to && m.promotion === handling.promotions![0]),
    };
  return { obligation, fault };
}

const isChosenAnew = ({ promotions = [] }: Handling, final: Role): boolean =>
  promotions.length > 0 && promotions[0] !== final;

const isSameMove = (a: Move, b: Move): boolean =>
  a.from === b.from &&
  a.to === b.to &&
  (a.castling === undefined) === (b.castling === undefined) &&
  a.promotion === b.promotion;
