/** What the desk is told while a game goes on, each thing once. */
import { FLAG_WORDS, type Flag, wordOf } from '../flag.ts';
import { cellsAgree, EMPTY, sideOfCell } from '../placement.ts';
import { makeSquare, type Square } from '../square.ts';
import { GONE_MS } from './cost.ts';
import type { Guess } from './infer.ts';
import { isSamePly, type Node, nodeAt, sanOf } from './node.ts';
import type { Reading } from './reading.ts';
import type { Scene, SeenChange } from './scene.ts';
import {
  isHalfSignal,
  type Tell,
  tellOfPawn,
  tellOfPly,
  tellOfResidues,
  tellOfRest,
  tellOfReturn,
} from './tell.ts';

export class Desk {
  readonly #scene: Scene;
  /** Flags raised since they were last collected. */
  raised: Flag[] = [];
  /** Word and ply of everything that was ever raised. */
  readonly #said = new Set<string>();
  readonly #doubted = new WeakSet<Node>();
  readonly #toldResidues = new WeakSet<Guess['residues'][number]>();
  /** What was left of plies that were answered before the hand that makes them may have been done, and when. */
  #owed: { readonly ply: Node; readonly left: Guess['residues']; readonly atMs: number }[] = [];

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  raise(code: string, ply: number, detail?: string, atMs = this.#scene.nowMs): void {
    const flag: Flag = { code, severity: FLAG_WORDS[wordOf(code)][0], ply, atMs };
    this.raised.push(detail === undefined ? flag : { ...flag, detail });
    this.#said.add(`${code} ${ply}`);
  }

  /** Raises what was not raised of this ply before. */
  raiseOnce(code: string, ply: number, detail: string): void {
    if (!this.#said.has(`${code} ${ply}`)) this.raise(code, ply, detail);
  }

  /** What another desk has raised of the plies after `shared`, and this one has not. */
  takeOver(other: Desk, shared: number): void {
    for (const flag of other.raised) {
      if (flag.ply <= shared || this.#said.has(`${flag.code} ${flag.ply}`)) continue;
      this.#said.add(`${flag.code} ${flag.ply}`);
      this.raised.push(flag);
    }
    this.#owed.push(...other.#owed.filter(({ ply }) => ply.number > shared));
  }

  tell(tell: Tell | undefined, ply: number, atMs?: number): void {
    if (tell === undefined) return;
    this.raise(tell.word, ply, tell.detail, atMs);
    if (tell.severity !== undefined) {
      const flag = this.raised.pop()!;
      this.raised.push({ ...flag, severity: tell.severity });
    }
  }

  /** Nobody was making a move: what was just raised about one is void. */
  dropDoubts(): void {
    this.raised = this.raised.filter((flag) => flag.severity === 'info' || flag.severity === 'notice');
  }

  /** What hands do to pieces before a move is made. */
  tellOfHands({ head, pend, position }: Reading, changes: readonly SeenChange[]): void {
    const { board, waits } = this.#scene;
    const number = head.number + 1;
    for (const change of changes) this.tell(tellOfReturn(change, position, pend, waits.nudgeMs), number);
    this.tell(tellOfPawn(board, position), number);
  }

  /** What there is to say of a ply that has been agreed; `answered` when it is the reply that says so. */
  tellOfConfirmed(ply: Node, answered: boolean): void {
    const { board, clockSeen } = this.#scene;
    if (answered && clockSeen && ply.pressedAtMs === undefined && !ply.inferred)
      this.raise('MOVED_BEFORE_PRESS', ply.number + 1);
    if (answered) this.#owe(ply);
    else this.tellOfResidues(ply);
    for (const tell of tellOfPly(ply, board)) this.tell(tell, ply.number);
    const before = ply.parent;
    const isMissing =
      before?.pressedAtMs === undefined && before?.completedAtMs !== undefined && before.number > 1;
    if (clockSeen && isMissing && !before.inferred) this.raise('CLOCK_NOT_PRESSED', before.number);
  }

  /** When the next ply that was answered early is looked at again; undefined when there is none. */
  get owedAtMs(): number | undefined {
    const first = this.#owed[0];
    return first === undefined ? undefined : first.atMs + this.#scene.waits.graceMs;
  }

  /**
   * An answer may come while the hand is still on the rook of a castling, or sensors have not told of it: what is left of a ply
   * that was answered counts only when it is still so a moment later, or when the game is over (`isOver`).
   */
  tellOwed(head: Node, isOver = false): void {
    const { nowMs, waits, board } = this.#scene;
    while (this.#owed.length > 0 && (isOver || nowMs >= this.#owed[0]!.atMs + waits.graceMs)) {
      const { ply, left, atMs } = this.#owed.shift()!;
      const now = nodeAt(head, ply.number);
      // Seen whole meanwhile, or not played after all.
      if (now?.residues === undefined || !isSamePly(now, ply)) continue;
      const { cells } = ply.position;
      // What a reply has changed since says nothing of it.
      const still = left.filter(
        ({ square }) => isChangedSince(now, head, square) || !cellsAgree(board[square]!, cells[square]!),
      );
      for (const tell of tellOfResidues(still)) this.tell(tell, ply.number, atMs);
    }
  }

  #owe(ply: Node): void {
    const left = this.#leftOf(ply);
    if (left.length > 0) this.#owed.push({ ply, left, atMs: this.#scene.nowMs });
  }

  /** What is wrong with a ply that does not stand exactly. */
  tellOfResidues(ply: Node): void {
    for (const tell of tellOfResidues(this.#leftOf(ply))) this.tell(tell, ply.number);
  }

  /** What is wrong with a ply and was not told before; it counts as told. */
  #leftOf(ply: Node): Guess['residues'] {
    const { residues } = ply;
    if (residues === undefined) return [];
    const { board, told } = this.#scene;
    const { cells } = ply.position;
    const left = residues.filter((r) => {
      const seen = board[r.square]!;
      if (this.#toldResidues.has(r) || cellsAgree(seen, cells[r.square]!)) return false;
      // Taken where it was not seen to arrive, it had arrived.
      return r.residue !== 'arrival-missing' || seen === EMPTY || sideOfCell(seen) === ply.mover;
    });
    for (const residue of residues) {
      this.#toldResidues.add(residue);
      told.add(residue.square);
    }
    return left;
  }

  /** Pieces that have been on no square for long, although nobody moves them: play goes on around them. */
  tellOfVanished(ply: Node, best: Reading): void {
    const { position } = best;
    // What is on no square differs from the last ply, or is excused.
    const missing = best.open(this.#scene);
    if (missing.length === 0 && best.excused.size === 0) return;
    const { board, nowMs, liftedAtMs, waits, told } = this.#scene;
    const squares =
      best.excused.size === 0
        ? missing
        : [...new Set([...missing, ...best.excused.keys()])].sort((a, b) => a - b);
    for (const square of squares) {
      const cell = ply.position.cells[square]!;
      if (cell === EMPTY || position.cells[square] !== cell) continue;
      if (board[square] !== EMPTY || told.has(square) || liftedAtMs[square]! >= ply.madeAtMs) continue;
      // Whoever has the move may have taken it in hand before it was their turn.
      const isInHand = sideOfCell(cell) === position.turn;
      if (nowMs - liftedAtMs[square]! < (isInHand ? GONE_MS : waits.displacedMs)) continue;
      told.add(square);
      this.raise('SENSOR_MISSING', ply.number, makeSquare(square));
    }
  }

  /** A ply that was agreed is still in doubt when play has gone on, or has paused. */
  tellOfDoubt(ply: Node, candidates: readonly string[]): void {
    if (candidates.length < 2 || this.#doubted.has(ply)) return;
    this.#doubted.add(ply);
    this.raise(`AMBIGUOUS(${candidates.length})`, ply.number, candidates.join('; '));
  }

  /** Several sequences after ply `from` fit equally; `heads` are their last plies. */
  tellOfOrders(heads: readonly Node[], from: number): void {
    const texts = new Set<string>();
    for (const head of heads) {
      const line: Node[] = [];
      for (let at = head; at.number > from; at = at.parent!) line.push(at);
      for (const ply of line) this.#doubted.add(ply);
      texts.add(line.reverse().map(sanOf).join(' '));
    }
    if (texts.size > 1) this.raise(`AMBIGUOUS(${texts.size})`, from + 1, [...texts].join('; '));
  }

  /** Squares differ at rest; true when there was something to say that is not half of a result signal. */
  tellOfRest({ position, number }: Node, open: readonly Square[]): boolean {
    const { board, told } = this.#scene;
    if (open.every((square) => told.has(square))) return false;
    const tell = tellOfRest(board, position, open);
    if (tell === undefined) return false;
    this.tell(tell, tell.word === 'RESULT_HINT' ? number : number + 1);
    if (isHalfSignal(board, position.cells, open)) return false;
    for (const square of open) told.add(square);
    return true;
  }
}

/** Whether a ply after `ply`, up to `head`, has changed a square. */
function isChangedSince(ply: Node, head: Node, square: Square): boolean {
  for (let node = head; node !== ply && node.parent !== undefined; node = node.parent)
    if (node.changes.some((change) => change.square === square)) return true;
  return false;
}
