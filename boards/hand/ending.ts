/** After the last move: the kings tell the result, the players analyse, or the pieces are put away. */

import type { GameResult } from '../../core/game-event.ts';
import { BLACK_KING, EMPTY, type Placement, sideOfCell, WHITE_KING } from '../../core/placement.ts';
import type { Move, Position } from '../../core/position.ts';
import { parseSquare, type Square } from '../../core/square.ts';
import { type Hands, lift, neighbours, put, wait } from './hands.ts';
import { restoreByHand } from './make-move.ts';
import { between, isChance, pick, shuffled } from './random.ts';

const square = (name: string): Square => parseSquare(name)!;
const D4 = square('d4');
const E4 = square('e4');
const D5 = square('d5');
const E5 = square('e5');

/** The squares of white and black king that signal a result; each pair may be taken either way round. */
const SIGNALS: Readonly<Record<'1-0' | '0-1' | '1/2-1/2', readonly (readonly [Square, Square])[]>> = {
  '1-0': [
    [E4, D5],
    [E4, D5],
    [E4, D5],
    [D5, E4],
  ],
  '0-1': [
    [D4, E5],
    [D4, E5],
    [E5, D4],
  ],
  '1/2-1/2': [
    [E4, E5],
    [D4, D5],
    [E4, E5],
    [D4, D5],
    [E5, D5],
  ],
};

/** Makes room on a square: what stands there is pushed to an empty neighbour or taken off. */
function makeRoom(hands: Hands, target: Square, keep: readonly Square[]): void {
  const cell = hands.cells[target]!;
  if (cell === EMPTY || cell === WHITE_KING || cell === BLACK_KING) return;
  lift(hands, target);
  wait(hands, [80, 400]);
  const spot = pick(
    hands.random,
    neighbours(target).filter((s) => hands.cells[s] === EMPTY && !keep.includes(s)),
  );
  if (spot !== undefined && isChance(hands.random, 0.6)) put(hands, spot, cell);
  wait(hands, [80, 300]);
}

/**
 * Signals a result with both kings in the centre and leaves them there for six to twelve seconds (kings that stand
 * there already are lifted and set where the result wants them).
 */
export function signalResult(hands: Hands, result: '1-0' | '0-1' | '1/2-1/2'): void {
  const { random } = hands;
  const [white, black] = pick(random, SIGNALS[result])!;
  const kings = [
    { cell: WHITE_KING, to: white },
    { cell: BLACK_KING, to: black },
  ].map((king) => ({ ...king, from: hands.cells.indexOf(king.cell) }));
  const targets = [white, black];
  const order = shuffled(random, kings);
  const mustLiftBoth = kings.some((king) => kings.some((other) => other !== king && other.from === king.to));
  if (mustLiftBoth || isChance(random, 0.5)) {
    for (const king of order) {
      lift(hands, king.from);
      wait(hands, [50, 700]);
    }
    for (const king of shuffled(random, order)) {
      makeRoom(hands, king.to, targets);
      wait(hands, [80, 500]);
      put(hands, king.to, king.cell);
      wait(hands, hands.habits.gestureGapMs);
    }
  } else {
    for (const king of order) {
      lift(hands, king.from);
      wait(hands, [150, 600]);
      makeRoom(hands, king.to, targets);
      put(hands, king.to, king.cell);
      wait(hands, hands.habits.gestureGapMs);
    }
  }
  wait(hands, [6000, 12_000]);
}

/** Sets up a position from whatever stands: wrong pieces off first, then the right ones on. */
export function setUpByHand(hands: Hands, wanted: Placement): void {
  const squares = Array.from({ length: 64 }, (_, i) => i);
  for (const s of shuffled(hands.random, squares)) {
    if (hands.cells[s] !== EMPTY && hands.cells[s] !== wanted[s]) {
      lift(hands, s);
      wait(hands, [150, 500]);
    }
  }
  for (const s of shuffled(hands.random, squares)) {
    if (wanted[s] !== EMPTY && hands.cells[s] === EMPTY) {
      wait(hands, [150, 600]);
      put(hands, s, wanted[s]!);
    }
  }
}

/**
 * Analyses after the end: the kings go home if they signalled, the last moves go back, other moves are tried for
 * both sides, without presses.
 */
export function analyse(
  hands: Hands,
  last: Position,
  history: readonly { before: Position; move: Move }[],
): void {
  const { random } = hands;
  setUpByHand(hands, last.cells);
  let position = last;
  const back = Math.min(history.length, between(random, 1, 4));
  for (let i = 0; i < back; i++) {
    const { before, move } = history[history.length - 1 - i]!;
    wait(hands, [300, 1500]);
    restoreByHand(hands, move.changes);
    position = before;
  }
  for (let i = 0; i < between(random, 2, 8); i++) {
    const move = pick(
      random,
      position.moves().filter((m) => m.castling === undefined && m.promotion === undefined),
    );
    if (move === undefined) break;
    wait(hands, [300, 1500]);
    if (move.captured !== undefined) lift(hands, move.captured.square);
    const cell = lift(hands, move.from);
    wait(hands, [200, 800]);
    put(hands, move.to, cell);
    position = position.play(move);
  }
}

/** Takes the pieces off the board, some seconds long, one colour with one hand and the other with the other. */
export function putAway(hands: Hands): void {
  const squares = Array.from({ length: 64 }, (_, i) => i).filter((s) => hands.cells[s] !== EMPTY);
  const white = shuffled(
    hands.random,
    squares.filter((s) => sideOfCell(hands.cells[s]!) === 'white'),
  );
  const black = shuffled(
    hands.random,
    squares.filter((s) => sideOfCell(hands.cells[s]!) === 'black'),
  );
  while (white.length > 0 || black.length > 0) {
    const next = isChance(hands.random, 0.5) ? (white.pop() ?? black.pop()) : (black.pop() ?? white.pop());
    lift(hands, next!);
    wait(hands, [60, 450]);
  }
}

/** Whether this result can be signalled with kings. */
export const isSignal = (result: GameResult): result is '1-0' | '0-1' | '1/2-1/2' => result !== '*';
