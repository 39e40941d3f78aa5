/** Two kings put in the centre to tell the result, and what was played before. */
import { BLACK_KING, type Cell, cellsAgree, EMPTY, roleOfCell, WHITE_KING } from '../placement.ts';
import { SIDES, type Square } from '../square.ts';
import { MARGIN } from './infer.ts';
import type { Line, Node } from './node.ts';
import type { Scene } from './scene.ts';
import { CENTRE, isCentre } from './tell.ts';

/** What may be two kings in the centre, and the last ply before them. */
export interface Signal {
  readonly pair: readonly [Square, Square];
  readonly last: Node;
  /** What it leaves unexplained, and what else speaks against it. */
  readonly cost: number;
}

/** So many squares may differ besides those of the kings. */
const MAX_SHOVED = 2;
/** Pieces shoved aside in a result signal may have looked like so many plies. */
const MAX_PLIES = 3;
/** Lines that are this much less likely tell nothing of where the kings were. */
const MAX_COST = 4;
const COST = {
  /** A piece that made room for a king; another square that differs; a piece lifted and put back. */
  madeRoom: 0.5,
  differs: 1,
  putBack: 1,
  /** Nobody presses for a king that goes to the centre to tell the result, nor lifts it again there. */
  pressed: 2,
  notAgain: 0.8,
} as const;

/** The centre squares on which the two kings stand, where sensors tell. */
export function kingsSeen({ board }: Scene): readonly [Square, Square] | undefined {
  let [white, black]: (Square | undefined)[] = [];
  for (const square of CENTRE) {
    if (board[square] === WHITE_KING) white ??= square;
    else if (board[square] === BLACK_KING) black ??= square;
  }
  return white === undefined || black === undefined ? undefined : [white, black];
}

/** The signal that explains most, of equals the one after the longest line; `base` is the last agreed ply. */
export function findSignal(scene: Scene, lines: readonly Line[], base: Node): Signal | undefined {
  let best: Signal | undefined;
  for (const { head, past } of lines) {
    if (past > MAX_COST) continue;
    let node: Node | undefined = head;
    let dropped = 0;
    for (let i = 0; node !== undefined && i < MAX_PLIES; i++, node = node.parent) {
      const isHead = node === head;
      // What a line that goes on has cost says nothing of the one that ends here.
      const signal: Signal | undefined =
        !isHead && lines.some((line) => line.head === node) ? undefined : signalAfter(node, scene, base);
      if (signal !== undefined) {
        const again = isHead && isSteppedAgain(node, scene) ? COST.notAgain : 0;
        const total = past + signal.cost + dropped * COST.pressed - again;
        const isBetter =
          best === undefined ||
          total < best.cost - MARGIN ||
          (total <= best.cost + MARGIN && node.number > best.last.number);
        if (isBetter) best = { ...signal, cost: Math.min(total, best?.cost ?? total) };
      }
      if (node.pressedAtMs !== undefined) dropped++;
    }
  }
  return best;
}

/** A king stepped to the centre, and was lifted there once more. */
const isSteppedAgain = ({ position, to, madeAtMs }: Node, { liftedAtMs }: Scene): boolean =>
  isCentre(to) && roleOfCell(position.cells[to]!) === 'king' && liftedAtMs[to]! >= madeAtMs;

function signalAfter(last: Node, scene: Scene, base: Node): Signal | undefined {
  const { position, madeAtMs } = last;
  const { board, changedAtMs, identity } = scene;
  let sinceMs = Number.POSITIVE_INFINITY;
  const there: Square[] = [];
  for (const side of SIDES) {
    const king = position.kingOf(side);
    if (king === undefined) return undefined;
    const leftMs = leftAtMs(scene, king, position.cells[king]!);
    if (leftMs >= madeAtMs) sinceMs = Math.min(sinceMs, leftMs);
    // A king that stepped there and was not pressed is half of the signal.
    else if (isCentre(king) && (last.confirmed || last.to !== king)) there.push(king);
    else return undefined;
    // Its square may have been taken since by a piece that was shoved aside.
    const isAgain = cellsAgree(board[king]!, position.cells[king]!) && !isCentre(king);
    if (isAgain && !isTakenByShoved(king, last, scene)) return undefined;
  }
  // What was agreed before a king was lifted was played; so was a step of a king that was lifted once more from where it led.
  if (last.number < base.number && (base.madeAtMs < sinceMs || leftFromAgreed(last, scene, base)))
    return undefined;
  const come = CENTRE.filter(
    (square) => board[square] !== EMPTY && changedAtMs[square]! > sinceMs && !there.includes(square),
  );
  const seen = identity ? kingsSeen(scene) : undefined;
  let best: Signal | undefined;
  for (const pair of seen === undefined ? pairsOf(there, come) : [seen]) {
    const cost = leftBy(pair, come, last, scene);
    if (cost !== undefined && (best === undefined || cost < best.cost)) best = { pair, last, cost };
  }
  return best;
}

/** Whether a king went on from a square outside the centre to which an agreed ply after `last` had brought it. */
function leftFromAgreed(last: Node, scene: Scene, base: Node): boolean {
  return SIDES.some((side) => {
    const king = base.position.kingOf(side);
    if (king === undefined || isCentre(king) || king === last.position.kingOf(side)) return false;
    return leftAtMs(scene, king, base.position.cells[king]!) >= base.madeAtMs;
  });
}

/** When a piece was last lifted from a square; also when another stands there before the sensors have seen the square empty. */
const leftAtMs = (
  { board, identity, liftedAtMs, changedAtMs }: Scene,
  square: Square,
  piece: Cell,
): number =>
  identity && board[square] !== EMPTY && !cellsAgree(board[square]!, piece)
    ? changedAtMs[square]!
    : liftedAtMs[square]!;

/** Whether a piece that made room in the centre for a king may be what stands on the square which that king has left. */
function isTakenByShoved(king: Square, { position: { cells } }: Node, scene: Scene): boolean {
  const { liftedAtMs, changedAtMs, identity } = scene;
  const leftMs = liftedAtMs[king]!;
  return (
    !identity &&
    CENTRE.some(
      (square) =>
        cells[square] !== EMPTY &&
        leftMs < liftedAtMs[square]! &&
        liftedAtMs[square]! <= changedAtMs[king]! &&
        changedAtMs[king]! <= changedAtMs[square]!,
    )
  );
}

/** The pairs of squares that hold all kings that are `there`, filled up from those that have `come`. */
function pairsOf(there: readonly Square[], come: readonly Square[]): (readonly [Square, Square])[] {
  const all = [...there, ...come];
  return all.flatMap((a, i) =>
    all
      .slice(i + 1)
      .filter((b) => there.every((s) => s === a || s === b))
      .map((b) => [a, b] as const),
  );
}

/** What two kings on these squares leave to be explained; undefined when it is too much. */
function leftBy(
  pair: readonly Square[],
  come: readonly Square[],
  { position }: Node,
  { board, liftedAtMs, changedAtMs }: Scene,
): number | undefined {
  const { cells } = position;
  const room = pair.filter((s) => cells[s] !== EMPTY && roleOfCell(cells[s]!) !== 'king');
  let cost = 0;
  let shoved = 0;
  for (let square = 0; square < 64; square++) {
    if (pair.includes(square)) continue;
    if (cellsAgree(board[square]!, cells[square]!)) {
      if (come.includes(square) && cells[square] !== EMPTY) cost += COST.putBack;
      continue;
    }
    if (roleOfCell(cells[square]!) === 'king' && board[square] === EMPTY) continue;
    if (++shoved > MAX_SHOVED) return undefined;
    const from = room.findIndex(
      (s) => liftedAtMs[s]! <= changedAtMs[square]! && changedAtMs[square]! <= changedAtMs[s]!,
    );
    if (from >= 0) room.splice(from, 1);
    cost += from >= 0 && board[square] !== EMPTY ? COST.madeRoom : COST.differs;
  }
  return cost;
}
