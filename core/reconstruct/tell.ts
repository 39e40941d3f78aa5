/** What the desk is told of a ply and of a board at rest: flags, by the words of the laws. */
import type { FlagWord, Severity } from '../flag.ts';
import {
  type Cell,
  cellOf,
  cellsAgree,
  EMPTY,
  makeSquares,
  OCCUPIED,
  type Placement,
  roleOfCell,
  sideOfCell,
  UNKNOWN,
} from '../placement.ts';
import type { Position } from '../position.ts';
import { makeSquare, type Square } from '../square.ts';
import type { Residue } from './infer.ts';
import type { Node } from './node.ts';
import type { SeenChange } from './scene.ts';

/** One thing to tell: a flag without its ply and time. */
export interface Tell {
  readonly word: FlagWord;
  readonly detail?: string;
  readonly severity?: Severity;
}

/** d4, e4, d5, e5: squares on which a king may be half of a result signal. */
export const CENTRE: readonly Square[] = [27, 28, 35, 36];
export const isCentre = (square: Square): boolean => CENTRE.includes(square);

/** Residues after which a ply is not known well enough to be one: it stays open until it is completed or answered. */
export const OPEN_RESIDUES: readonly Residue[] = [
  'arrival-missing',
  'wrong-colour',
  'pawn-waiting',
  'unexplained',
];

const RESIDUE_WORDS: Partial<Record<Residue, FlagWord>> = {
  'arrival-missing': 'PIECE_MISSING',
  'wrong-colour': 'WRONG_COLOUR',
  'pawn-waiting': 'PROMO_INCOMPLETE',
  'rook-at-home': 'CASTLING_INCOMPLETE',
  'victim-left': 'EP_VICTIM_LEFT',
  'extra-piece': 'EXTRA_PIECE',
  vanished: 'SENSOR_MISSING',
};

/** What is wrong with a ply that does not stand exactly, each kind once. */
export function tellOfResidues(
  residues: readonly { readonly square: Square; readonly residue: Residue }[],
): Tell[] {
  const tells: Tell[] = [];
  for (const { square, residue } of residues) {
    const word = RESIDUE_WORDS[residue];
    if (word !== undefined && !tells.some((t) => t.word === word))
      tells.push({ word, detail: makeSquare(square) });
  }
  return tells;
}

/** What the laws have to say about a ply that has just been agreed. */
export function tellOfPly({ move, position, from, to, san }: Node, board: Placement): Tell[] {
  if (move === undefined) return [{ word: 'ILLEGAL', detail: san?.slice(1) ?? makeSquares([from, to]) }];
  const tells: Tell[] = [];
  if (move.promotion !== undefined) {
    const seen = board[move.to]!;
    if (seen === OCCUPIED || seen === UNKNOWN) tells.push({ word: 'PROMO_ASSUMED' });
    else if (move.promotion !== 'queen')
      tells.push({ word: 'UNDERPROMO_NOTICE', detail: roleOfCell(position.cells[to]!)! });
  }
  return tells;
}

/**
 * A king where no move could bring it, in the centre, or both kings in the air: the beginning of a result signal. Where
 * sensors do not tell who stands in the centre, it may be the king that has left its square.
 */
export function isHalfSignal(board: Placement, cells: Placement, open: readonly Square[]): boolean {
  const isKing = (cell: Cell): boolean => roleOfCell(cell) === 'king';
  const gone = open.filter((s) => isKing(cells[s]!)).length;
  return (
    open.some((s) => isCentre(s) && (isKing(board[s]!) || (gone > 0 && board[s] === OCCUPIED))) || gone === 2
  );
}

/** So many pieces gone is no disturbance of a game: they are being set up or put away. */
const CLEARED_AWAY = 10;

/** What squares that differ at rest from a position mean, when no move explains them. */
export function tellOfRest(board: Placement, position: Position, open: readonly Square[]): Tell | undefined {
  const gone = open.filter((s) => position.cells[s] !== EMPTY);
  // One piece in a hand is what a move looks like.
  if (gone.length === 1 && !open.some((s) => board[s] !== EMPTY)) return undefined;
  const detail = makeSquares(open);
  if (isHalfSignal(board, position.cells, open)) return { word: 'RESULT_HINT', detail };
  if (gone.length > CLEARED_AWAY) return undefined;
  if (gone.length === 0) return { word: 'EXTRA_PIECE', detail };
  if (gone.length > 1) return { word: 'DISPLACED', detail };
  const own = sideOfCell(position.cells[gone[0]!]!) === position.turn;
  return own ? { word: 'ILLEGAL', detail, severity: 'notice' } : { word: 'OUT_OF_TURN', detail };
}

/** A piece back on its square after more than a nudge: an observation (4.2). */
export function tellOfReturn(
  change: SeenChange,
  position: Position,
  window: readonly SeenChange[],
  nudgeMs: number,
): Tell | undefined {
  const home = position.cells[change.square]!;
  if (change.after === EMPTY || change.before !== EMPTY || !cellsAgree(change.after, home)) return undefined;
  const lift = window.findLast((c) => c.square === change.square && c.after === EMPTY && c !== change);
  if (lift === undefined || change.atMs - lift.atMs < nudgeMs) return undefined;
  const detail = makeSquare(change.square);
  return sideOfCell(home) === position.turn
    ? { word: 'TOUCH', detail }
    : { word: 'OUT_OF_TURN', detail, severity: 'info' };
}

/** A pawn of the side to move on the last rank. */
export function tellOfPawn(board: Placement, { cells, turn }: Position): Tell | undefined {
  const from = turn === 'white' ? 56 : 0;
  const pawn = cellOf(turn, 'pawn');
  for (let square = from; square < from + 8; square++)
    if (board[square] === pawn && cells[square] !== pawn)
      return { word: 'PROMO_PENDING', detail: makeSquare(square) };
  return undefined;
}
