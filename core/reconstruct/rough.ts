/** Moves of which some sign was seen and some was not, for one reading (`infer.ts` weighs them). */
import { type Cell, cellsAgree, EMPTY, roleOfCell, sideOfCell } from '../placement.ts';
import { opponent, type Square } from '../square.ts';
import { isOnLastRank } from './cost.ts';
import { type Guess, guessPly } from './infer.ts';
import { type Reading, squaresOf } from './reading.ts';
import type { Scene } from './scene.ts';
import { isCentre } from './tell.ts';

/** Rough readings that are thought of at once. */
const MAX_GUESSES = 12;

/** The likeliest of them, the best first; none that stands exactly. */
export function guessesOf(reading: Reading, scene: Scene): Guess[] {
  const { board, changedAtMs, identity, nowMs } = scene;
  const { position, excused, pend, presses } = reading;
  const open = reading.open(scene);
  const evidence = {
    board,
    nowMs,
    identity,
    changedAtMs,
    position,
    stale: excused,
    wasSeen: (square: Square): boolean => pend.some((c) => c.square === square),
  };
  const reply = replySquares(reading, scene);
  // What the replying hand has lifted has not vanished.
  const guesses = guessPly({ ...evidence, open, reply: [], overlapping: false }).filter(
    (guess) => !guess.residues.some((r) => reply.includes(r.square)),
  );
  if (reply.length > 0) {
    const own = open.filter((s) => !reply.includes(s));
    // Where sensors do not tell pieces apart, the replying one does not show that it stands on another's square.
    const overlapping = scene.identity && isOverlapping(reading, scene, reply);
    guesses.push(...guessPly({ ...evidence, open: own, reply, overlapping }));
  }
  // A king in the centre is half of a result signal, not an illegal move, as long as nobody has pressed.
  const isSignal = (g: Guess): boolean =>
    presses.length === 0 &&
    g.move === undefined &&
    isCentre(g.to) &&
    roleOfCell(position.cells[g.from]!) === 'king';
  const isExact = (g: Guess): boolean => g.move !== undefined && reading.isDone(g.move, scene);
  return guesses
    .filter((guess) => !isSignal(guess) && !isExact(guess))
    .sort((a, b) => a.cost - b.cost)
    .slice(0, MAX_GUESSES);
}

/** Squares on which the other side is at work since the side to move was last seen doing something. */
function replySquares(reading: Reading, scene: Scene): Square[] {
  const { board, liftedAtMs, changedAtMs, waits } = scene;
  const { pend, position, presses } = reading;
  const { cells, turn } = position;
  const replySide = opponent(turn);
  let since = Number.NEGATIVE_INFINITY;
  for (const { square, after, atMs } of pend) {
    const isOwn = after === EMPTY ? sideOfCell(cells[square]!) === turn : sideOfCell(after) === turn;
    if (!isOwn) continue;
    since = atMs;
    // Another piece in the air may be in the hand that answers the answer.
    if (after === EMPTY && board[square] === EMPTY) break;
  }
  // What happened in one scan has no order.
  since -= waits.scanMs;
  const lifted = reading
    .open(scene)
    .filter((s) => sideOfCell(cells[s]!) === replySide && board[s] === EMPTY && liftedAtMs[s]! > since);
  // A piece of that side put down counts with its lift only: a piece of the wrong colour comes from the box.
  const landed = squaresOf(pend).filter(
    (s) =>
      board[s] !== EMPTY &&
      changedAtMs[s]! > since &&
      lifted.some((from) => cellsAgree(board[s]!, cells[from]!) || isPromoted(cells[from]!, board[s]!, s)),
  );
  // A lifted piece alone may be the one that is being captured.
  const isReply = landed.length > 0 || presses.some((p) => p.side === replySide);
  return isReply && lifted.length + landed.length <= 4 ? [...lifted, ...landed] : [];
}

/** Whether a pawn may have become what stands on a square of the last rank. */
const isPromoted = (pawn: Cell, seen: Cell, square: Square): boolean =>
  roleOfCell(pawn) === 'pawn' &&
  sideOfCell(seen) === sideOfCell(pawn) &&
  isOnLastRank(square, sideOfCell(pawn));

/** Whether the hand of the reply was at work before the sensors could have looked at the piece it answers. */
function isOverlapping(reading: Reading, scene: Scene, reply: readonly Square[]): boolean {
  const { liftedAtMs, waits, board } = scene;
  const { pend, position, presses } = reading;
  const origins = reading.open(scene).filter((s) => reply.includes(s) && board[s] === EMPTY);
  if (origins.length === 0) return false;
  const lifted = Math.min(...origins.map((s) => liftedAtMs[s]!));
  const own = pend.findLast((c) => sideOfCell(c.before) === position.turn && c.after === EMPTY);
  const pressed = presses.find((p) => p.side === position.turn);
  const doneMs = pressed?.atMs ?? (own === undefined ? Number.NEGATIVE_INFINITY : own.atMs + waits.graceMs);
  return lifted <= doneMs + waits.scanMs;
}
