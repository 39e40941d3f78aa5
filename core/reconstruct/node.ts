import type { Change, Move, Position } from '../position.ts';
import { makeSquare, type Side, type Square } from '../square.ts';
import { type Guess, MARGIN } from './infer.ts';

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
  /** When it was first agreed, in this line. */
  agreedAtMs?: number;
  pressedAtMs: number | undefined;
  completedAtMs: number | undefined;
  clockMs: number | undefined;
  /** SAN of everything that fits at this number when the order of inferred plies is open. */
  orders: readonly string[] | undefined;
  /** Agreed because it stood long, on a table with a clock that nobody has pressed for it. */
  isResting?: boolean;
  /** Others fitted as well when it was agreed: it may become one of them. */
  doubted?: boolean;
  /** When it was pressed, its piece had been lifted again from where it went. */
  isGoneAtPress?: boolean;
  /** A promotion of which sensors did not tell to what. */
  isAssumed?: boolean;
  /** What the board did not show as the move would have it. */
  residues?: Guess['residues'];
  san: string | undefined;
}

/** A line of plies, and how much more it costs than the best one. */
export interface Line {
  readonly head: Node;
  readonly cost: number;
  /** What its plies have cost, without what the board leaves open now. */
  readonly past: number;
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

/** Copies the last plies of a line, each once, so that what befalls them there leaves the line alone. */
export function copyPlies(head: Node, plies: number, copies: Map<Node, Node>): Node {
  if (plies === 0 || head.parent === undefined) return head;
  let copy = copies.get(head);
  if (copy === undefined) {
    copy = { ...head, parent: copyPlies(head.parent, plies - 1, copies) };
    copies.set(head, copy);
  }
  return copy;
}

/** SAN of a ply, `!d5e3` for an illegal one; made once and kept. */
export function sanOf(node: Node): string {
  if (node.san === undefined) node.san = node.parent!.position.san(node.move!, node.position);
  return node.san;
}

/** UCI of a ply. */
export const uciOf = (node: Node): string =>
  node.move === undefined
    ? makeSquare(node.from) + makeSquare(node.to)
    : node.parent!.position.uci(node.move);

/** The ply of a number in the line that ends with a ply. */
export function nodeAt(head: Node, number: number): Node | undefined {
  let node: Node | undefined = head;
  while (node !== undefined && node.number > number) node = node.parent;
  return node?.number === number ? node : undefined;
}

export const isSamePly = (a: Node, b: Node): boolean =>
  a.from === b.from && a.to === b.to && a.move?.promotion === b.move?.promotion;

export function isSamePosition(a: Node, b: Node): boolean {
  if (a === b) return true;
  if (a.number !== b.number) return false;
  const [{ occupied: p, cells: as }, { occupied: q, cells: bs }] = [a.position, b.position];
  if (p.lo !== q.lo || p.hi !== q.hi) return false;
  for (let square = 0; square < 64; square++) if (as[square] !== bs[square]) return false;
  return a.position.key() === b.position.key();
}

const isSameStep = (a: Node, b: Node): boolean => a.from === b.from && a.to === b.to;

/** Two lines of the same moves, whatever was promoted. */
export const isSameLine = (a: Node, b: Node): boolean => agree(a, b, isSameStep);

/** Whether a line has the same moves as one that was agreed, but for those in doubt then. */
export const keepsAgreed = (line: Node, agreed: Node): boolean =>
  agree(line, agreed, (a, b) => b.doubted === true || isSameStep(a, b));

function agree(a: Node, b: Node, isAlike: (a: Node, b: Node) => boolean): boolean {
  for (let [x, y]: [Node | undefined, Node | undefined] = [a, b]; x !== y; x = x.parent, y = y.parent)
    if (x === undefined || y === undefined || !isAlike(x, y)) return false;
  return true;
}

/** The number of the last ply up to which two lines are the same moves. */
export function sharedNumber(a: Node, b: Node): number {
  const last = Math.min(a.number, b.number);
  let [x, y]: [Node | undefined, Node | undefined] = [nodeAt(a, last), nodeAt(b, last)];
  let shared = last;
  for (; x !== y && x !== undefined && y !== undefined; x = x.parent, y = y.parent)
    if (!isSamePly(x, y)) shared = x.number - 1;
  return shared;
}

export const isAncestor = (node: Node, of: Node): boolean => node !== of && nodeAt(of, node.number) === node;

/** Two lines lead to the same position: where they differ, the order is open. Whether that is news. */
export function noteOrders(kept: Node, other: Node): boolean {
  let [a, b]: [Node | undefined, Node | undefined] = [kept, other];
  let isNews = false;
  while (a !== undefined && b !== undefined && a !== b && a.number === b.number && a.parent !== undefined) {
    const orders: readonly string[] = a.orders ?? [sanOf(a)];
    if (!isSamePly(a, b) && !orders.includes(sanOf(b))) {
      a.orders = [...orders, sanOf(b)];
      isNews = true;
    }
    a = a.parent;
    b = b.parent;
  }
  return isNews;
}

/** SAN of all that a ply may be by lines as likely as the best, itself first. */
export function candidatesOf(ply: Node, lines: readonly Line[]): readonly string[] {
  let sans = ply.orders ?? [sanOf(ply)];
  for (const { head, cost } of lines) {
    // What follows it is held back by what was agreed.
    if (cost > MARGIN) break;
    sans = withPlyOf(head, ply, sans);
  }
  return sans;
}

/** SAN of all pieces that a ply may have been promoted to: nobody can know before a move of only one of them. */
export function promotionsOf(ply: Node, lines: readonly Line[]): readonly string[] {
  let sans: readonly string[] = [sanOf(ply)];
  for (const { head } of lines) {
    const other = nodeAt(head, ply.number);
    if (other?.isAssumed === true && isSameStep(other, ply)) sans = withPlyOf(head, ply, sans);
  }
  return sans;
}

/** Adds what a line has in the place of a ply. */
function withPlyOf(head: Node, ply: Node, sans: readonly string[]): readonly string[] {
  const other = nodeAt(head, ply.number);
  if (other === undefined || other === ply) return sans;
  const san = sanOf(other);
  return sans.includes(san) ? sans : [...sans, san];
}

/** The number of the last ply that all lines share which are as likely as the best. */
export function commonNumber(lines: readonly Line[]): number {
  const best = lines[0]!.head;
  let common = best.number;
  for (const { head, cost } of lines) {
    if (cost > MARGIN || head === best) continue;
    let node: Node | undefined = nodeAt(head, common);
    while (node !== undefined && nodeAt(best, node.number) !== node) node = node.parent;
    common = Math.min(common, node?.number ?? 0);
  }
  return common;
}
