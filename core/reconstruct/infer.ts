/**
 * Rough explanations: when a move must have been played (the clock was pressed, or the other side has answered) but
 * the board does not show exactly a legal move, which move leaves the least unexplained, and what exactly is wrong.
 */
import {
  type Cell,
  cellsAgree,
  EMPTY,
  OCCUPIED,
  type Placement,
  roleOfCell,
  sideOfCell,
} from '../placement.ts';
import type { Change, Move, Position } from '../position.ts';
import { opponent, type Square } from '../square.ts';
import { isExcused, type Stale } from './match.ts';

/** What a square shows that the move does not explain. */
const RESIDUES = [
  /** The moved piece was not seen to arrive. */
  'arrival-missing',
  /** The moved piece was taken before the sensors looked again: the reply's hand was at work already. */
  'taken-unseen',
  /** The moved piece was not seen to leave. */
  'departure-missing',
  /** The right kind of piece arrived in the wrong colour. */
  'wrong-colour',
  /** A pawn stands where the promoted piece should. */
  'pawn-waiting',
  /** The rook of a castling is still at home. */
  'rook-at-home',
  /** The pawn captured en passant still stands. */
  'victim-left',
  /** The captured piece stands elsewhere on the board. */
  'extra-piece',
  /** The moved piece is seen on a second square: it was not seen to leave it on its way. */
  'trail',
  /** Another piece of the moving side has just been lifted, for the move after the reply. */
  'next-hand',
  /** A piece that has nothing to do with the move is on no square. */
  'vanished',
  /** The other side's piece stands elsewhere. */
  'displaced',
  /** Anything else. */
  'unexplained',
] as const;
export type Residue = (typeof RESIDUES)[number];

/** How unlikely each residue is; the sum ranks explanations. */
const COST: Record<Residue, number> = {
  'arrival-missing': 3,
  'taken-unseen': 1,
  'departure-missing': 3,
  'wrong-colour': 2,
  'pawn-waiting': 1,
  'rook-at-home': 1,
  'victim-left': 1.2,
  'extra-piece': 1.5,
  trail: 3,
  'next-hand': 1,
  vanished: 4,
  displaced: 2,
  unexplained: 5,
};
/** Where a sensor does not tell who stands on a square, the captured piece is seen to leave it. */
const VICTIM_UNSEEN_COST = 2.5;
/** The reply came so late that the sensors should have seen the piece before it was taken. */
const LATE_REPLY_COST = 1;
/** A piece lifted this recently may be on its way already when its side has the move again, ms. */
const NEXT_HAND_MS = 1500;
const ILLEGAL_COST = 3;
const TAKEN_ELSEWHERE_COST = 0.5;
/** More than equally good, little enough to be kept: the piece that is put there later decides what it was. */
const UNLIKE_QUEEN = 0.7;

/** Explanations that cost more are none. */
const MAX_COST = 6.5;
/** Explanations this close to the best are equally good. */
export const MARGIN = 0.6;

/** One way to read the board as one ply with something wrong. */
export interface Guess {
  /** A legal move; absent for an illegal one. */
  readonly move: Move | undefined;
  readonly from: Square;
  readonly to: Square;
  readonly changes: readonly Change[];
  readonly residues: readonly { readonly square: Square; readonly residue: Residue }[];
  readonly cost: number;
}

/** What a ply is to be read from. */
export interface Evidence {
  readonly board: Placement;
  readonly nowMs: number;
  /** Sensors tell which piece stands on a square. */
  readonly identity: boolean;
  /** When each square last changed, ms. */
  readonly changedAtMs: Float64Array;
  readonly position: Position;
  /** The squares that differ from the position without excuse and are not the replying side's business. */
  readonly open: readonly Square[];
  /** Squares on which the other side is already at work: they count for nothing. */
  readonly reply: readonly Square[];
  readonly stale: Stale;
  /** The replying hand lifted its piece before the sensors could look at a piece just put down. */
  readonly overlapping: boolean;
  /** Whether anything was seen to happen on a square since the ply before. */
  readonly wasSeen: (square: Square) => boolean;
}

/** Explanations of the board as one ply from the position, best first, all within `MAX_COST`. */
export function guessPly(evidence: Evidence): Guess[] {
  const { open, position } = evidence;
  if (open.length === 0 || open.length > 8) return [];
  const guesses: Guess[] = [];
  for (const move of position.moves()) {
    if (!isSupported(evidence.board, position, move, open)) continue;
    const guess = judgeMove(evidence, move);
    if (guess.cost <= MAX_COST) guesses.push(guess);
  }
  const illegal = guessIllegal(evidence.board, position, open);
  if (illegal !== undefined) guesses.push(illegal);
  return guesses.sort((a, b) => a.cost - b.cost);
}

/** Some square of the move must show a sign of it: its piece gone from home, or seen where it goes. */
function isSupported(board: Placement, position: Position, move: Move, open: readonly Square[]): boolean {
  if (open.includes(move.from) && board[move.from] !== position.cells[move.from]) return true;
  if (move.castling !== undefined && open.includes(move.castling.rookFrom)) return true;
  const arrival = move.changes[0]!;
  return open.includes(arrival.square) && looksLike(board[arrival.square]!, arrival.after);
}

/** Right piece, or right kind in the wrong colour. */
const looksLike = (seen: Cell, meant: Cell): boolean =>
  seen !== EMPTY && (cellsAgree(seen, meant) || roleOfCell(seen) === roleOfCell(meant));

function judgeMove(evidence: Evidence, move: Move): Guess {
  const { board, position, open, reply, stale, changedAtMs } = evidence;
  const residues: { square: Square; residue: Residue }[] = [];
  let cost = 0;
  const mover = position.cells[move.from]!;
  for (const change of move.changes) {
    const seen = board[change.square]!;
    if (cellsAgree(seen, change.after)) continue;
    // Where the other side is at work already, the piece may have arrived unseen and been captured.
    const hidden = change.after !== EMPTY && reply.includes(change.square);
    let residue = residueOnMove(move, change, seen, mover, board[move.from] === EMPTY);
    if (hidden) {
      residue = evidence.identity ? 'taken-unseen' : 'arrival-missing';
      if (!evidence.overlapping && evidence.identity) cost += LATE_REPLY_COST;
    }
    residues.push({ square: change.square, residue });
  }
  const taken = move.captured?.square;
  if (taken === move.to && board[taken] === OCCUPIED && !evidence.wasSeen(taken)) cost += VICTIM_UNSEEN_COST;
  // King two squares and the rook at home is one thing forgotten, not two.
  let rookAtHome = false;
  for (const { residue } of residues) {
    if (residue === 'rook-at-home' && rookAtHome) continue;
    rookAtHome ||= residue === 'rook-at-home';
    cost += COST[residue];
    // A pawn left on the last rank becomes a queen (7.5.2).
    if (residue === 'pawn-waiting' && move.promotion !== 'queen') cost += UNLIKE_QUEEN;
  }
  for (const square of open) {
    if (move.changes.some((c) => c.square === square)) continue;
    const meant = position.cells[square]!;
    const seen = board[square]!;
    if (isExcused(board, square, meant, stale)) continue;
    const isInHand =
      seen === EMPTY &&
      sideOfCell(meant) === position.turn &&
      roleOfCell(meant) !== 'king' &&
      evidence.nowMs - changedAtMs[square]! < NEXT_HAND_MS;
    const residue = isInHand ? 'next-hand' : residueElsewhere(position, move, seen, meant, open, board);
    residues.push({ square, residue });
    cost += COST[residue];
    // A piece is where it was seen last.
    if (residue === 'trail' && changedAtMs[square]! > changedAtMs[move.to]!) cost += 2;
    if (cost > MAX_COST) break;
  }
  return { move, from: move.from, to: move.to, changes: move.changes, residues, cost };
}

/** `isUp`: the moved piece has left its square. */
function residueOnMove(move: Move, change: Change, seen: Cell, mover: Cell, isUp: boolean): Residue {
  if (move.castling !== undefined) {
    if (change.square === move.castling.rookFrom || change.square === move.castling.rookTo) {
      if (seen === change.before) return 'rook-at-home';
    }
    if (change.square === move.to && seen === change.before) return isUp ? 'arrival-missing' : 'unexplained';
  }
  if (change.after === EMPTY) {
    if (change.square === move.captured?.square && change.square !== move.to) return 'victim-left';
    return seen === change.before ? 'departure-missing' : 'unexplained';
  }
  if (move.promotion !== undefined && seen === mover) return 'pawn-waiting';
  if (seen === EMPTY || seen === change.before) return 'arrival-missing';
  if (roleOfCell(seen) === roleOfCell(change.after)) return 'wrong-colour';
  return 'unexplained';
}

function residueElsewhere(
  position: Position,
  move: Move,
  seen: Cell,
  meant: Cell,
  open: readonly Square[],
  board: Placement,
): Residue {
  if (meant === EMPTY && move.captured !== undefined && cellsAgree(seen, move.captured.cell))
    return 'extra-piece';
  if (meant === EMPTY && seen === position.cells[move.from]) return 'trail';
  if (meant !== EMPTY && seen === EMPTY) {
    // The other side's piece that stands elsewhere was displaced; one that stands nowhere has vanished.
    const elsewhere = open.some((s) => board[s] === meant && position.cells[s] === EMPTY);
    return elsewhere && sideOfCell(meant) !== position.turn ? 'displaced' : 'vanished';
  }
  if (meant === EMPTY && seen !== EMPTY && sideOfCell(seen) === opponent(position.turn)) {
    const gone = open.some((s) => position.cells[s] === seen && board[s] === EMPTY);
    if (gone) return 'displaced';
  }
  return 'unexplained';
}

/** An own piece that simply stands elsewhere, or king and rook on their castling squares, without being allowed to. */
function guessIllegal(board: Placement, position: Position, open: readonly Square[]): Guess | undefined {
  const king = position.kingOf(position.turn);
  if (king !== undefined && open.includes(king)) {
    const home = position.turn === 'white' ? 0 : 56;
    for (let file = 0; file < 8; file++) {
      const rookFrom = home + file;
      if (rookFrom === king || !open.includes(rookFrom)) continue;
      const cell = position.cells[rookFrom]!;
      if (roleOfCell(cell) !== 'rook' || sideOfCell(cell) !== position.turn) continue;
      const castling = position.castlingChanges(position.turn, rookFrom);
      if (castling === undefined) continue;
      const shown = castling.changes.every((c) => cellsAgree(board[c.square]!, c.after));
      if (shown && open.every((s) => castling.changes.some((c) => c.square === s))) {
        return {
          move: undefined,
          from: king,
          to: castling.kingTo,
          changes: castling.changes,
          residues: [],
          cost: ILLEGAL_COST,
        };
      }
    }
  }
  const gone = open.filter((s) => sideOfCell(position.cells[s]!) === position.turn && board[s] === EMPTY);
  const come = open.filter((s) => board[s] !== EMPTY);
  // One of the other side's pieces may have been taken off elsewhere, as en passant.
  const taken = open.filter((s) => board[s] === EMPTY && !gone.includes(s));
  if (gone.length !== 1 || come.length !== 1 || taken.length > 1) return undefined;
  // Where sensors do not tell pieces apart, it is the other side's piece that has moved.
  if (taken.length > 0 && board[come[0]!] === OCCUPIED) return undefined;
  const from = gone[0]!;
  const to = come[0]!;
  const cell = position.cells[from]!;
  const seen = board[to]!;
  if (seen !== cell && seen !== OCCUPIED) return undefined;
  if (position.movesFrom(from).some((move) => move.to === to)) return undefined;
  const changes: Change[] = [
    { square: to, before: position.cells[to]!, after: cell },
    { square: from, before: cell, after: EMPTY },
    ...taken.map((square) => ({ square, before: position.cells[square]!, after: EMPTY })),
  ];
  const cost = ILLEGAL_COST + taken.length * TAKEN_ELSEWHERE_COST;
  return { move: undefined, from, to, changes, residues: [], cost };
}
