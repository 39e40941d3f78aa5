import { type Cell, EMPTY, type Placement } from '../../core/placement.ts';
import { fileOf, rankOf, type Square } from '../../core/square.ts';
import type { HandAction } from './action.ts';
import type { Habits, Mishaps, Span } from './profiles.ts';
import { between, type Random } from './random.ts';

/**
 * The hands at one board: what truly stands there, and everything done so far. A piece is on one square, in a hand
 * or beside the board; lifting from an empty square or putting onto an occupied one is a mistake of ours and throws.
 */
export interface Hands {
  readonly random: Random;
  readonly habits: Habits;
  /** Probabilities per ply, multiplied by the noise level already. */
  readonly mishaps: Mishaps;
  readonly cells: Placement;
  readonly actions: HandAction[];
  /** When the hand does its next thing. */
  atMs: number;
  /** The next lift happens this much before `atMs`: the other hand is still on the board. */
  earlyMs: number;
  /** Squares the hand before this one used last; no early lift from these. */
  busy: Set<Square>;
  /** Squares used since `busy` was taken. */
  used: Set<Square>;
}

/** Puts hands at a board on which these pieces stand. */
export const createHands = (
  random: Random,
  habits: Habits,
  mishaps: Mishaps,
  cells: Placement,
  atMs: number,
): Hands => ({
  random,
  habits,
  mishaps,
  cells: cells.slice(),
  actions: [],
  atMs,
  earlyMs: 0,
  busy: new Set(),
  used: new Set(),
});

/** Lets time pass. */
export const wait = (hands: Hands, span: Span): void => {
  hands.atMs += between(hands.random, span[0], span[1]);
};

/** Takes the piece off a square into the hand and says which it is. */
export function lift(hands: Hands, square: Square): Cell {
  const cell = hands.cells[square]!;
  if (cell === EMPTY) throw new Error(`a hand lifts from the empty square ${square}`);
  const early = hands.busy.has(square) ? 0 : hands.earlyMs;
  hands.earlyMs = 0;
  hands.cells[square] = EMPTY;
  hands.used.add(square);
  hands.actions.push({ type: 'square', atMs: hands.atMs - early, square, cell: EMPTY });
  return cell;
}

/** Sets a piece from the hand (or from beside the board) on an empty square. */
export function put(hands: Hands, square: Square, cell: Cell): void {
  if (hands.cells[square] !== EMPTY) throw new Error(`a hand puts onto the occupied square ${square}`);
  hands.earlyMs = 0;
  hands.cells[square] = cell;
  hands.used.add(square);
  hands.actions.push({ type: 'square', atMs: hands.atMs, square, cell });
}

/** Another hand begins: what was used until now is busy for its first lift. */
export function changeHands(hands: Hands, earlyMs: number): void {
  hands.busy = hands.used;
  hands.used = new Set();
  hands.earlyMs = earlyMs;
}

/** The up to eight squares around a square. */
export function neighbours(square: Square): Square[] {
  const result: Square[] = [];
  for (let df = -1; df <= 1; df++) {
    for (let dr = -1; dr <= 1; dr++) {
      const file = fileOf(square) + df;
      const rank = rankOf(square) + dr;
      if ((df !== 0 || dr !== 0) && file >= 0 && file < 8 && rank >= 0 && rank < 8)
        result.push(file + 8 * rank);
    }
  }
  return result;
}

/** The squares strictly between two squares of one line, nearest to `from` first; empty when they share no line. */
export function squaresBetween(from: Square, to: Square): Square[] {
  const files = fileOf(to) - fileOf(from);
  const ranks = rankOf(to) - rankOf(from);
  if (files !== 0 && ranks !== 0 && Math.abs(files) !== Math.abs(ranks)) return [];
  const step = Math.sign(files) + 8 * Math.sign(ranks);
  const result: Square[] = [];
  for (let square = from + step; square !== to; square += step) result.push(square);
  return result;
}
