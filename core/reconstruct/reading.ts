/**
 * One reading of what a board has told: a line of plies, what was seen since the last of them, and how much of all that
 * it leaves to chance. A reading grows by a legal move when the board shows the move done and events speak for it; what
 * the move does not explain (a piece that was touched, a square on the way) costs a little. Which reading is right is
 * decided by what they cost, never by the first that fits (`beam.ts`).
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
import type { Move, Position } from '../position.ts';
import type { Side, Square } from '../square.ts';
import type { Press } from '../table.ts';
import {
  ASIDE_MS,
  COST,
  costOf,
  GONE_MS,
  HAND_LAG_MS,
  isAligned,
  isBetween,
  isPawnOnLastRank,
  NUDGE_MS,
  OLD_MS,
  ORDER_MS,
  PUT_AWAY,
  pairsCost,
  QUICK,
  REMAINS_MS,
  repeatsCost,
  SAME_HAND,
  STAYS_MS,
} from './cost.ts';
import { differences, isExcused, NO_STALE } from './match.ts';
import { copyPlies, type Node } from './node.ts';
import type { Scene, SeenChange, Waits } from './scene.ts';
import { isCentre } from './tell.ts';

/** So many events on one square cost all that events on one square can cost; those in the middle of more say nothing (a contact that flickers). */
const SQUARE_MOST = 20;

/** A press, and when it was made. */
export interface SeenPress extends Press {
  readonly atMs: number;
}

/** So many plies back a press or a reply may still change something. */
const OPEN_PLIES = 4;
/** There, back and there again by accident takes no longer than this, ms. */
const PRESSED_AGAIN_MS = 1500;

/** So long sensors may lag behind a press, ms. */
const lagOf = (waits: Waits): number => Math.max(waits.scanMs, NUDGE_MS);

/** A ply is completed by a press (6.2.1), not before it was made. */
function completeAt(ply: Node, press: SeenPress): void {
  ply.pressedAtMs = press.atMs;
  ply.completedAtMs = Math.max(press.atMs, ply.madeAtMs);
  ply.clockMs = press.clockMs;
}

export class Reading {
  head: Node;
  /** What the plies and the events before them cost. */
  cost: number;
  /** What was seen since the ply before the last one and is not explained, in order. */
  pend: SeenChange[];
  #open: readonly Square[] = [];
  #openVersion = -1;
  #pendCost = 0;
  /** What `#pendCost` was found for: how much had happened, and the board. */
  #pendSeen = -1;
  #pendVersion = -1;
  /** Differences that were explained otherwise, until the square changes: the cell seen then. */
  readonly excused: Map<Square, Cell>;
  /** Presses whose plies are not seen yet, in order. */
  presses: readonly SeenPress[];
  /** Plies were taken back to come here. */
  isTakenBack = false;

  constructor(
    head: Node,
    cost: number,
    pend: SeenChange[] = [],
    excused = new Map<Square, Cell>(),
    presses: readonly SeenPress[] = [],
  ) {
    this.head = head;
    this.cost = cost;
    this.pend = pend;
    this.excused = excused;
    this.presses = presses;
  }

  /** A reading that goes on by itself, as do its last plies: a press or a reply may still change them. */
  copy(copies: Map<Node, Node>): Reading {
    const head = copyPlies(this.head, OPEN_PLIES, copies);
    const copy = new Reading(head, this.cost, [...this.pend], new Map(this.excused), this.presses);
    copy.isTakenBack = this.isTakenBack;
    return copy;
  }

  get position(): Position {
    return this.head.position;
  }

  /** Takes in what the board now shows; `scene` where nothing else has changed with it, and then it costs little. */
  see(change: SeenChange, scene?: Scene): void {
    if (this.excused.size > 0) this.excused.delete(change.square);
    this.pend.push(change);
    if (this.pend.length > SQUARE_MOST) thinOut(this.pend, change.square);
    this.#pendSeen = -1;
    if (scene === undefined || this.#openVersion !== scene.version - 1) this.#openVersion = -1;
    else {
      this.#openVersion = scene.version;
      this.#lookAt(change.square, scene);
    }
  }

  /** Looks at one square again. */
  #lookAt(square: Square, { board }: Scene): void {
    const isOpen = !isExcused(board, square, this.position.cells[square]!, this.excused);
    const at = this.#open.indexOf(square);
    if (isOpen === at >= 0) return;
    const open = [...this.#open];
    if (isOpen) insertSquare(open, square);
    else open.splice(at, 1);
    this.#open = open;
  }

  /** Squares that differ from the last ply without an excuse. */
  open({ board, version }: Scene): readonly Square[] {
    if (version !== this.#openVersion) {
      this.#open = differences(board, this.position.cells, this.excused);
      this.#openVersion = version;
    }
    return this.#open;
  }

  /** Takes a square as explained as the sensor shows it now. */
  excuse(square: Square, { board }: Scene): void {
    this.excused.set(square, board[square]!);
    this.#openVersion = -1;
  }

  /** Squares on which something has happened, or that differ, excused or not. */
  signs({ board }: Scene): Square[] {
    const squares = new Set(differences(board, this.position.cells, NO_STALE));
    for (const { square } of this.pend) squares.add(square);
    return [...squares];
  }

  /** Whether something has happened on each of these squares since the last ply. */
  hasSeen(squares: readonly Square[]): boolean {
    return squares.every((square) => this.pend.some((c) => c.square === square));
  }

  /** What was touched on other squares since the last ply costs. */
  touchedCost(except: readonly Square[]): number {
    return pairsCost(
      this.pend.filter((c) => !except.includes(c.square)),
      () => false,
    );
  }

  /** All that speaks against this reading at this moment. */
  score(scene: Scene): number {
    return this.cost + this.openCost(scene) + this.#costOfPend(scene) + this.#pressCost(scene);
  }

  /** What has been touched and passed since the last ply costs, if nothing more comes of it. */
  #costOfPend({ board, version }: Scene): number {
    const { pend } = this;
    if (pend.length < 2) return 0;
    if (this.#pendSeen === pend.length && this.#pendVersion === version) return this.#pendCost;
    const { cells, turn } = this.position;
    const { move } = this.head;
    // A piece in the air may be on its way over squares in a line with its own.
    const isUp = ({ square }: SeenChange): boolean =>
      board[square] === EMPTY && sideOfCell(cells[square]!) === turn;
    this.#pendSeen = pend.length;
    this.#pendVersion = version;
    this.#pendCost = pairsCost(
      pend,
      (square, cell) =>
        isVictim(move, cell) ||
        (move !== undefined && isBetween(square, move.from, move.to)) ||
        pend.some((c) => isUp(c) && isAligned(c.square, square)),
    );
    return this.#pendCost;
  }

  #pressCost({ nowMs, waits }: Scene): number {
    let cost = 0;
    for (const { atMs } of this.presses)
      cost +=
        nowMs - atMs <= lagOf(waits)
          ? COST.pressJust
          : nowMs - atMs < waits.graceMs
            ? COST.pressOpen
            : COST.pressUnexplained;
    return cost;
  }

  /** Whether a side's hand has done anything since the last ply: then a press is about that. */
  isAtWork(side: Side, scene: Scene): boolean {
    const { cells } = this.position;
    return this.open(scene).some((s) => sideOfCell(cells[s]!) === side);
  }

  /** Takes in a press: for the last ply, for one that was answered before it (6.2.2), or for one not seen yet. */
  press(press: SeenPress, scene: Scene): void {
    const { head } = this;
    if (head.mover === press.side && head.pressedAtMs === undefined && this.presses.length === 0) {
      completeAt(head, press);
      // Its piece had been lifted again before the press: it is not where it went.
      const { board, liftedAtMs } = scene;
      if (board[head.to] === EMPTY && !this.excused.has(head.to) && liftedAtMs[head.to]! < press.atMs) {
        this.cost += COST.notThere;
        head.isGoneAtPress = true;
      }
      return;
    }
    if (this.#isPressedAgain(press, scene)) {
      this.presses = [];
      return;
    }
    const before = head.parent;
    const isTurn = press.side === this.position.turn;
    if (this.presses.length > 0 || this.isAtWork(press.side, scene)) this.presses = [...this.presses, press];
    else if (isTurn && before?.mover === press.side && before.pressedAtMs === undefined)
      completeAt(before, press);
    // The side to move has nothing to press for unless the ply before is completed.
    else if (isTurn && (head.pressedAtMs !== undefined || head.number === 0)) this.presses = [press];
    else this.cost += COST.pressJust;
  }

  /** The lever went back by accident, no hand on the board, and whoever had just pressed presses again: nobody's offence. */
  #isPressedAgain({ side, atMs }: SeenPress, { lastChangeMs }: Scene): boolean {
    const { mover, pressedAtMs } = this.head;
    const [back, ...others] = this.presses;
    if (back === undefined || others.length > 0 || back.side === side || mover !== side) return false;
    return pressedAtMs !== undefined && lastChangeMs <= pressedAtMs && atMs - pressedAtMs <= PRESSED_AGAIN_MS;
  }

  /** What the differences between board and line cost as long as nothing explains them. */
  openCost(scene: Scene): number {
    const { board, nowMs, liftedAtMs, changedAtMs, told } = scene;
    const { cells, turn } = this.position;
    let cost = 0;
    let own = 0;
    const others: Square[] = [];
    const open = this.open(scene);
    if (open.length === 0) return 0;
    // Pieces knocked over, set up or put away: what each of them does says little.
    const most = COST.putAway * Math.max(PUT_AWAY, open.length);
    if (open.length > PUT_AWAY) return most;
    const signal = this.#signalSquares(scene, open);
    if (signal.length > 0) cost += this.#isWholeSignal(signal) ? COST.signal : COST.halfSignal;
    for (const square of open) {
      if (signal.includes(square)) continue;
      if (board[square] !== EMPTY) {
        if (isPawnOnLastRank(board[square]!, square, turn)) {
          cost += COST.pawnWaiting;
          continue;
        }
        const age = nowMs - changedAtMs[square]!;
        cost += age < STAYS_MS ? COST.extra : age < REMAINS_MS ? COST.extraStays : COST.extraRemains;
        if (roleOfCell(board[square]!) === 'king') cost += COST.kingElsewhere;
        continue;
      }
      if (nowMs - liftedAtMs[square]! > GONE_MS) cost += told.has(square) ? 0 : COST.gone;
      else if (sideOfCell(cells[square]!) === turn) own++;
      else others.push(square);
    }
    const isCastling = own === 2 && this.#bothCastlersUp(scene);
    if (own > 1 && !isCastling) cost += (own - 1) * COST.secondInAir;
    // One of the other side's may be on its way off, taken by a piece that is in the air as well.
    const taken = own > 0 ? others.findIndex((square) => this.#mayBeTaken(scene, square)) : -1;
    for (const [i, square] of others.entries()) {
      if (i === taken) continue;
      cost += nowMs - liftedAtMs[square]! < STAYS_MS ? COST.otherInAir : COST.otherStaysInAir;
      if (roleOfCell(cells[square]!) === 'king') cost += COST.kingElsewhere;
    }
    return Math.min(cost, most);
  }

  /** The squares of kings that are off theirs and of pieces put down in the centre for them: a result signal, or half of one. */
  #signalSquares({ board, changedAtMs, liftedAtMs }: Scene, open: readonly Square[]): readonly Square[] {
    const white = this.position.kingOf('white')!;
    const black = this.position.kingOf('black')!;
    const isWhiteOff = open.includes(white);
    const isBlackOff = open.includes(black);
    if (!isWhiteOff && !isBlackOff) return NO_SQUARES;
    const kings = isWhiteOff && isBlackOff ? [white, black] : [isWhiteOff ? white : black];
    const centre = open.filter(
      (square) =>
        isCentre(square) &&
        (board[square] === OCCUPIED || roleOfCell(board[square]!) === 'king') &&
        kings.some((king) => king !== square && changedAtMs[square]! >= liftedAtMs[king]!),
    );
    return centre.length === 0 && kings.length < 2 ? [] : [...kings, ...centre.slice(0, kings.length)];
  }

  /** Both kings are on their way to the centre, or one is and the other stands there. */
  #isWholeSignal(signal: readonly Square[]): boolean {
    const kings = (['white', 'black'] as const).map((side) => this.position.kingOf(side)!);
    return kings.every((square) => signal.includes(square) || isCentre(square));
  }

  #bothCastlersUp({ board }: Scene): boolean {
    const { position } = this;
    const king = position.kingOf(position.turn);
    return (
      king !== undefined &&
      board[king] === EMPTY &&
      position.castlingRooks(position.turn).some((square) => board[square] === EMPTY)
    );
  }

  #mayBeTaken({ board }: Scene, square: Square): boolean {
    for (const from of this.#open) if (this.#takes(from, square, board)) return true;
    for (const from of this.excused.keys()) if (this.#takes(from, square, board)) return true;
    return false;
  }

  /** Whether a piece of the side to move that is in the air may take what stood on a square. */
  #takes(from: Square, square: Square, board: Placement): boolean {
    const { position } = this;
    if (board[from] !== EMPTY || sideOfCell(position.cells[from]!) !== position.turn) return false;
    for (const move of position.movesFrom(from)) if (move.captured?.square === square) return true;
    return false;
  }

  /**
   * Whether the board shows a move done and events speak for it: where a sensor cannot tell who stands on a square, the
   * captured piece must have been seen to leave it before the other arrived.
   */
  isDone(move: Move, scene: Scene): boolean {
    const { board } = scene;
    for (const { square, after } of move.changes) if (!cellsAgree(board[square]!, after)) return false;
    const victim = move.captured;
    if (victim === undefined || victim.square !== move.to || board[move.to] !== OCCUPIED) return true;
    return (
      this.pend.some((c) => c.square === move.to && c.after !== EMPTY) &&
      this.pend.some((c) => c.square === move.to && c.after === EMPTY)
    );
  }

  /** What it costs a capture that its piece was lifted only after the square of its victim was taken again. */
  lateLiftCost(move: Move, { board, waits }: Scene): number {
    if (move.captured?.square !== move.to || board[move.to] !== OCCUPIED) return 0;
    const put = this.pend.findLast((c) => c.square === move.to && c.after !== EMPTY);
    const lift = this.pend.findLast((c) => c.square === move.from && c.after === EMPTY);
    if (put === undefined || lift === undefined) return 0;
    return put.atMs < lift.atMs - waits.scanMs - ORDER_MS ? COST.lateLift : 0;
  }

  /**
   * Legal moves that the board shows done, with a sign on one of the squares: by a piece that has left its square, or by
   * a castling king.
   */
  movesDone(scene: Scene, signs: readonly Square[]): readonly Move[] {
    const { board } = scene;
    const { position, excused } = this;
    const open = this.open(scene);
    // No piece can have arrived where nothing stands that was not there.
    if (excused.size === 0 && scene.vague === 0 && isAllEmpty(open, board)) return NO_MOVES;
    const found: Move[] = [];
    let isRookUp = false;
    for (const square of open)
      if (this.#mayHaveLeft(square, board)) isRookUp = this.#tryFrom(square, scene, signs, found) || isRookUp;
    for (const square of excused.keys())
      if (!open.includes(square) && this.#mayHaveLeft(square, board))
        isRookUp = this.#tryFrom(square, scene, signs, found) || isRookUp;
    if (!isRookUp) return found;
    // In Chess960 the king may stay where it is, or go to the square of the rook.
    const king = position.kingOf(position.turn);
    if (king !== undefined && (board[king] === position.cells[king] || board[king] === OCCUPIED))
      this.#tryFrom(king, scene, signs, found);
    return found;
  }

  #mayHaveLeft(square: Square, board: Placement): boolean {
    const { cells, turn } = this.position;
    return (
      sideOfCell(cells[square]!) === turn && board[square] !== cells[square] && board[square] !== OCCUPIED
    );
  }

  /** Adds the moves of a piece that stand done; true when it is a rook. */
  #tryFrom(from: Square, scene: Scene, signs: readonly Square[], found: Move[]): boolean {
    const { position } = this;
    for (const move of position.movesFrom(from))
      if (this.isDone(move, scene) && hasSign(move, signs)) found.push(move);
    return roleOfCell(position.cells[from]!) === 'rook';
  }

  /** The reading in which a move is the next ply; `more` is what the move itself costs. */
  grow(node: Node, move: Move | undefined, scene: Scene, more: number): Reading {
    const { board } = scene;
    const { cells } = node.position;
    const passed: SeenChange[] = [];
    const pend: SeenChange[] = [];
    for (const change of this.pend) {
      if (cellsAgree(board[change.square]!, cells[change.square]!)) passed.push(change);
      // What happened long before is no sign of the next move.
      else if (change.atMs > node.madeAtMs - OLD_MS) pend.push(change);
    }
    const excused = new Map<Square, Cell>();
    for (const [square, seen] of this.excused)
      if (!cellsAgree(board[square]!, cells[square]!)) excused.set(square, seen);
    const elsewhere = passed.filter((c) => !isChanged(node, c.square));
    const cost = pairsCost(
      elsewhere,
      (square, cell) =>
        isVictim(move, cell) ||
        isVictim(this.head.move, cell) ||
        (move !== undefined && isBetween(square, move.from, move.to)),
    );
    const child = new Reading(node, this.cost + cost + repeatsCost(passed, node) + more, pend, excused);
    child.#openAfter(this.open(scene), scene);
    if (!node.inferred)
      child.cost += child.#leftCost(scene, this.head.number === 0 ? undefined : this.head.madeAtMs);
    if (
      scene.clockSeen &&
      this.head.number > 0 &&
      !this.head.inferred &&
      !node.inferred &&
      this.head.pressedAtMs === undefined
    )
      child.cost += COST.unpressed;
    const answerMs = node.madeAtMs - (this.head.pressedAtMs ?? this.head.madeAtMs);
    if (answerMs <= scene.waits.graceMs && this.#wasTakenUnseen(move)) child.cost -= COST.takenUnseen;
    // Whoever takes a piece may take it off before its owner has pressed.
    if (this.head.isGoneAtPress === true && move?.captured?.square === this.head.to)
      child.cost -= COST.takenBeforePress;
    const index = this.presses.findIndex(
      (press) => press.side === node.mover && press.atMs >= this.head.madeAtMs,
    );
    if (index >= 0) {
      const press = this.presses[index]!;
      completeAt(node, press);
      const earlyMs = node.madeAtMs - press.atMs - lagOf(scene.waits);
      if (earlyMs > HAND_LAG_MS)
        child.cost += earlyMs < scene.waits.graceMs ? COST.pressEarly : COST.pressTooEarly;
    }
    child.presses = this.presses.slice(index + 1);
    return child;
  }

  /** Squares that differ are those that differed before the ply, but for those that it changes. */
  #openAfter(before: readonly Square[], scene: Scene): void {
    this.#open = before;
    this.#openVersion = scene.version;
    for (const { square } of this.head.changes) this.#lookAt(square, scene);
  }

  /** A piece that was never seen to arrive is taken at once where it must have gone: that is why it was not seen. */
  #wasTakenUnseen(move: Move | undefined): boolean {
    const square = move?.captured?.square;
    const { residues } = this.head;
    return (
      square !== undefined &&
      residues?.some((r) => r.residue === 'arrival-missing' && r.square === square) === true
    );
  }

  /** What was left unexplained when a ply was made, and a reply faster than hands are. */
  #leftCost(scene: Scene, beforeMs: number | undefined): number {
    const { board, liftedAtMs, changedAtMs, told } = scene;
    const { madeAtMs } = this.head;
    const { cells, turn } = this.position;
    let cost = 0;
    let replying = 0;
    // The captured piece may still be on its way off the board.
    let victim = this.head.move?.captured?.cell;
    for (const square of this.open(scene)) {
      if (board[square] !== EMPTY) {
        const isTrail = cellsAgree(board[square]!, this.head.changes[0]!.after) && madeAtMs === scene.nowMs;
        const isVictim =
          victim !== undefined &&
          cellsAgree(board[square]!, victim) &&
          changedAtMs[square]! > liftedAtMs[this.head.from]! - ASIDE_MS;
        if (isVictim) victim = undefined;
        if (isTrail || isVictim) cost += COST.trail;
        else if (changedAtMs[square]! < madeAtMs - ORDER_MS) cost += COST.extra;
      } else if (told.has(square)) continue;
      else if (
        sideOfCell(cells[square]!) === turn &&
        liftedAtMs[square]! < (this.head.parent?.madeAtMs ?? 0)
      ) {
        // Off its square since before its side moved: in nobody's hand.
        cost += COST.otherStaysInAir + (roleOfCell(cells[square]!) === 'king' ? COST.kingElsewhere : 0);
        this.excuse(square, scene);
      } else if (sideOfCell(cells[square]!) === turn) {
        replying++;
        if (liftedAtMs[square]! < madeAtMs - STAYS_MS) cost += COST.secondInAir;
      } else if (square !== this.head.to)
        cost += roleOfCell(cells[square]!) === 'king' ? COST.kingElsewhere : COST.moverHolds;
    }
    if (replying > 1) cost += (replying - 1) * COST.secondInAir;
    if (beforeMs === undefined) return cost;
    // Sensors may have told of the ply before a scan late.
    const tookMs = madeAtMs - beforeMs + scene.waits.scanMs;
    // The same hand cannot have made another ply just before.
    const hand = this.head.parent?.parent;
    const sinceMs = hand === undefined || hand.number === 0 ? REMAINS_MS : madeAtMs - hand.madeAtMs;
    return cost + costOf(QUICK, tookMs) + costOf(SAME_HAND, sinceMs);
  }
}

/** Whether a piece on some square may be the one that a move has captured, on its way off the board. */
const isVictim = (move: Move | undefined, seen: Cell): boolean =>
  move?.captured !== undefined && cellsAgree(seen, move.captured.cell);

/** Lets go of what in the middle of too many events on a square came back to what it was. */
function thinOut(pend: SeenChange[], square: Square): void {
  const at: number[] = [];
  for (const [i, change] of pend.entries()) if (change.square === square) at.push(i);
  if (at.length <= SQUARE_MOST) return;
  for (let first = SQUARE_MOST / 2; first < at.length - 1; first++) {
    const { before } = pend[at[first]!]!;
    const last = at.findIndex((i, n) => n > first && n < at.length - 1 && pend[i]!.after === before);
    if (last < 0) continue;
    const gone = new Set(at.slice(first, last + 1));
    let kept = 0;
    for (const [i, change] of pend.entries()) if (!gone.has(i)) pend[kept++] = change;
    pend.length = kept;
    return;
  }
}

const NO_SQUARES: readonly Square[] = [];
const NO_MOVES: readonly Move[] = [];

function isAllEmpty(squares: readonly Square[], board: Placement): boolean {
  for (const square of squares) if (board[square] !== EMPTY) return false;
  return true;
}

function hasSign({ changes }: Move, signs: readonly Square[]): boolean {
  for (const { square } of changes) if (signs.includes(square)) return true;
  return false;
}

function isChanged({ changes }: Node, square: Square): boolean {
  for (const change of changes) if (change.square === square) return true;
  return false;
}

/** Puts a square among others in rising order. */
function insertSquare(squares: Square[], square: Square): void {
  let at = squares.length;
  while (at > 0 && squares[at - 1]! > square) at--;
  squares.splice(at, 0, square);
}

/** The squares of changes, each once. */
export const squaresOf = (changes: readonly SeenChange[]): Square[] => [
  ...new Set(changes.map((c) => c.square)),
];
