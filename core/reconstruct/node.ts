import type { Change, Move, Position } from '../position.ts';
import { makeSquare, type Side, type Square } from '../square.ts';
import type { Guess } from './infer.ts';
import type { TouchFault } from './touch.ts';

/** One ply in the tree of what may have been played; `number` 0 is the start position. */
export interface Node {
  /** The ply before; undefined for the start, and for plies so old that nothing can change them. */
  parent: Node | undefined;
  readonly number: number;
  /** The position after the ply. */
  readonly position: Position;
  readonly mover: Side | undefined;
  /** The legal move; absent for the root and for a move that stands although illegal. */
  readonly move: Move | undefined;
  readonly from: Square;
  readonly to: Square;
  readonly changes: readonly Change[];
  /** When the placement of the ply stood. */
  readonly madeAtMs: number;
  readonly inferred: boolean;
  confirmed: boolean;
  pressedAtMs: number | undefined;
  completedAtMs: number | undefined;
  clockMs: number | undefined;
  /** SAN of everything that fits at this number when the order of inferred plies is open. */
  orders: readonly string[] | undefined;
  /** A legal move that does not honour what was touched before it. */
  fault?: TouchFault;
  /** What the board did not show as the move would have it. */
  residues?: Guess['residues'];
  san: string | undefined;
}

/** The start of a game. */
export const createRoot = (position: Position, atMs: number): Node => ({
  parent: undefined,
  number: 0,
  position,
  mover: undefined,
  move: undefined,
  from: -1,
  to: -1,
  changes: [],
  madeAtMs: atMs,
  inferred: false,
  confirmed: true,
  pressedAtMs: undefined,
  completedAtMs: undefined,
  clockMs: undefined,
  orders: undefined,
  san: '',
});

/** A legal ply after `parent`. */
export const createPly = (parent: Node, move: Move, madeAtMs: number, inferred = false): Node => ({
  parent,
  number: parent.number + 1,
  position: parent.position.play(move),
  mover: parent.position.turn,
  move,
  from: move.from,
  to: move.to,
  changes: move.changes,
  madeAtMs,
  inferred,
  confirmed: false,
  pressedAtMs: undefined,
  completedAtMs: undefined,
  clockMs: undefined,
  orders: undefined,
  san: undefined,
});

/** A ply that was really played although it is illegal. */
export const createIllegalPly = (
  parent: Node,
  from: Square,
  to: Square,
  changes: readonly Change[],
  madeAtMs: number,
): Node => ({
  parent,
  number: parent.number + 1,
  position: parent.position.playIllegal(changes),
  mover: parent.position.turn,
  move: undefined,
  from,
  to,
  changes,
  madeAtMs,
  inferred: false,
  confirmed: false,
  pressedAtMs: undefined,
  completedAtMs: undefined,
  clockMs: undefined,
  orders: undefined,
  san: `!${makeSquare(from)}${makeSquare(to)}`,
});

/** SAN of a ply, `!d5e3` for an illegal one; made once and kept. */
export function sanOf(node: Node): string {
  if (node.san === undefined) node.san = node.parent!.position.san(node.move!);
  return node.san;
}

/** UCI of a ply. */
export const uciOf = (node: Node): string =>
  node.move === undefined
    ? makeSquare(node.from) + makeSquare(node.to)
    : node.parent!.position.uci(node.move);
