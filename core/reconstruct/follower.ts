/**
 * One hypothesis about the game: a line of plies that is agreed, at most one ply that has only been placed, and what
 * has been seen since. It goes on by exact explanations alone (`match.ts`); where a move must have been played but the
 * board does not show one, it takes the least unlikely rough one (`infer.ts`) and says what is wrong.
 *
 *   base ──── the last agreed (confirmed) ply: the anchor of every comparison
 *    └ tail ─ a ply that stands on the board but may still become another move of that side
 *
 * A ply is confirmed by the mover's press, by a legal reply, by a long rest, or by ending the game. Where evidence
 * leaves several plies, the others go on as hypotheses of their own (`forks`).
 */
import { FLAG_WORDS, type Flag, type FlagWord, type Severity } from '../flag.ts';
import {
  type Cell,
  cellsAgree,
  EMPTY,
  makeSquares,
  OCCUPIED,
  roleOfCell,
  sideOfCell,
  UNKNOWN,
} from '../placement.ts';
import type { Move, Position } from '../position.ts';
import { fileOf, makeSquare, opponent, rankOf, type Side, type Square } from '../square.ts';
import type { Press } from '../table.ts';
import { searchGap } from './gap-search.ts';
import { type Guess, guessPly, MARGIN, type Residue } from './infer.ts';
import { differences, isUnderWay, matchOne, NO_STALE, shows } from './match.ts';
import { createIllegalPly, createPly, type Node, sanOf } from './node.ts';
import { clockOf, type Scene, type SeenChange } from './scene.ts';
import { touchFault } from './touch.ts';

/** Squares in the middle on which a king may be half of a result signal. */
export const isCentre = (square: Square): boolean =>
  (rankOf(square) === 3 || rankOf(square) === 4) && (fileOf(square) === 3 || fileOf(square) === 4);

/** A press of the side to move whose move does not stand on the board yet. */
interface PendingPress {
  readonly atMs: number;
  readonly clockMs: number | undefined;
  /** The desk has been told what is wrong; the ply stays open. */
  judged: boolean;
}

/** Another reading of the tail, and how much less likely it is. */
interface Rival {
  readonly move: Move;
  readonly cost: number;
}

/** Residues after which the ply is not known well enough to be one: it stays open until it is completed or answered. */
const OPEN_RESIDUES: readonly Residue[] = ['arrival-missing', 'wrong-colour', 'pawn-waiting', 'unexplained'];

const RESIDUE_FLAGS: Partial<Record<Residue, FlagWord>> = {
  'arrival-missing': 'PIECE_MISSING',
  'wrong-colour': 'WRONG_COLOUR',
  'pawn-waiting': 'PROMO_INCOMPLETE',
  'rook-at-home': 'CASTLING_INCOMPLETE',
  'victim-left': 'EP_VICTIM_LEFT',
  'extra-piece': 'EXTRA_PIECE',
  vanished: 'SENSOR_MISSING',
};

/** Cost of the reading that a piece went on to capture although the other side seemed to reply. */
const GHOST_COST = 2;
/** The reading that a piece lifted again right after it was put down is on its next move already. */
const HELD_COST = 1;
/** So many plies may be taken back before the board shows an earlier position. */
const TAKEBACK_DEPTH = 12;
/** The reading that two plies which undo the last two were no plies. */
const TAKEBACK_COST = 1;
/** A completed ply that nobody pressed the clock for, on a table with a clock. */
const UNPRESSED_COST = 0.75;
/** Two hands that lift within this time of each other have no order, ms. */
const HANDS_TOGETHER_MS = 200;
/** A piece that rested this long on a square was released there, ms. */
const STOOD_MS = 500;
/** A piece lifted this recently is in a hand, ms. */
const IN_HAND_MS = 1000;
/** A press for which no move can be found. */
const IDLE_PRESS_COST = 3;
/** A lift from a square on which nothing should stand. */
const PHANTOM_COST = 2;
/** Costs of promotions other than to a queen where sensors cannot tell. */
const PROMOTION_COST: Partial<Record<string, number>> = { queen: 0, knight: 2.5, rook: 3, bishop: 3.5 };
/** Cost of a capture whose victim was touched before the last one. */
const EARLIER_VICTIM_COST = 1;

export class Follower {
  readonly scene: Scene;
  #base: Node;
  #tail: Node | undefined;
  /** Grows with every change of the line, so that whoever reports it need not compare. */
  version = 0;
  cost = 0;
  /** Flags raised since the reconstructor last collected them. */
  raised: Flag[] = [];
  /** Hypotheses that branched off since the reconstructor last collected them. */
  forks: Follower[] = [];
  /** A game that was taken back, kept in case it was its end that nobody signalled. */
  parked: Node | undefined;
  /** The game is over and was not signalled: nothing is appended. */
  frozen = false;
  #rivals: readonly Rival[] = [];
  #window: SeenChange[] = [];
  #madeIndex = 0;
  #stale = new Map<Square, Cell>();
  #pending: PendingPress | undefined;
  /** Differences at rest were reported; pieces that were off their squares then make no moves by being put down. */
  #disturbed: ReadonlySet<Square> | undefined;
  /** Excused differences that the desk has not been told of yet; told when they are still there at rest. */
  #leftover = new Set<Square>();
  /** Squares of pieces that were reported off their squares since the agreed position. */
  #knocked = new Set<Square>();
  /** Differences that were told and excused since the agreed position: a press calls them up again. */
  #told = new Set<Square>();
  #pressesSinceTakeback = 0;
  /** The reply that is being read has been pressed. */
  #replyPressed = false;
  /** Somebody has pressed in this game. */
  #pressed = false;
  /** A press by the other side while the press before it still waits for its ply. */
  #answered: (Press & { readonly atMs: number }) | undefined;
  /** A piece was put down that no exact reading explains. */
  #unread = false;

  constructor(scene: Scene, root: Node) {
    this.scene = scene;
    this.#base = root;
  }

  /** The last agreed ply. */
  get base(): Node {
    return this.#base;
  }

  set base(node: Node) {
    this.#base = node;
    this.version++;
  }

  /** The ply that stands on the board but may still become another. */
  get tail(): Node | undefined {
    return this.#tail;
  }

  set tail(node: Node | undefined) {
    if (node === this.#tail) return;
    this.#tail = node;
    this.version++;
  }

  /** The last ply of the line, agreed or only placed. */
  get head(): Node {
    return this.tail ?? this.base;
  }

  #fork(cost: number): Follower {
    const fork = new Follower(this.scene, this.base);
    fork.tail = this.tail;
    fork.cost = this.cost + cost;
    fork.parked = this.parked;
    fork.#window = [...this.#window];
    fork.#madeIndex = this.#madeIndex;
    fork.#stale = new Map(this.#stale);
    fork.#pending = this.#pending === undefined ? undefined : { ...this.#pending };
    fork.#answered = this.#answered;
    fork.#pressed = this.#pressed;
    fork.#disturbed = this.#disturbed;
    fork.#leftover = new Set(this.#leftover);
    fork.#told = new Set(this.#told);
    fork.#knocked = new Set(this.#knocked);
    this.forks.push(fork);
    return fork;
  }

  /** Two hypotheses that will never differ again. */
  isSameAs(other: Follower): boolean {
    if (this.head.position.key() !== other.head.position.key() || this.head.number !== other.head.number)
      return false;
    if (this.base.number !== other.base.number || this.#stale.size !== other.#stale.size) return false;
    for (const [square, cell] of this.#stale) if (other.#stale.get(square) !== cell) return false;
    return true;
  }

  /** Squares that differ from the last ply without an excuse. */
  openSquares(): Square[] {
    return differences(this.scene.board, this.head.position.cells, this.#stale);
  }

  // ---------------------------------------------------------------- sensors

  /** Takes changes that the board now shows. */
  onChanges(changes: readonly SeenChange[]): void {
    for (const change of changes) {
      this.#forgetExcuse(change.square);
      this.#window.push(change);
    }
    if (this.frozen) return;
    for (const change of changes) this.#observeReturn(change);
    this.#evaluate(changes);
    this.#countAnswered();
  }

  /** A square has changed: what it showed before needs no excuse any more. */
  #forgetExcuse(square: Square): void {
    this.#stale.delete(square);
    this.#leftover.delete(square);
    this.#told.delete(square);
  }

  /**
   * A square reported empty although the board thought it was: proof that something had stood there unseen. Where this
   * hypothesis expects a piece, it is that piece being lifted.
   */
  onPhantomLift(square: Square): void {
    if (this.#stale.has(square) && this.head.position.cells[square] !== EMPTY) {
      this.#stale.delete(square);
      this.#window.push({
        square,
        before: this.head.position.cells[square]!,
        after: EMPTY,
        atMs: this.scene.nowMs,
        fromDump: false,
      });
    } else if (this.head.position.cells[square] === EMPTY) this.cost += PHANTOM_COST;
  }

  #evaluate(changes: readonly SeenChange[]): void {
    const { board } = this.scene;
    const fromBase = differences(board, this.base.position.cells, this.#stale);
    const unread = this.#unread;
    this.#unread = false;
    if (fromBase.length === 0) {
      // A pressed ply was completed: putting it back takes it back.
      if (this.tail?.pressedAtMs !== undefined) {
        this.#confirm();
        this.#takeBack(1);
      } else this.#putBack();
      return;
    }
    let stood: Move | undefined;
    if (this.tail !== undefined) {
      const fromTail = differences(board, this.tail.position.cells, this.#stale);
      if (fromTail.length > 0 && this.#tailStands()) stood = this.tail.move;
      if (fromTail.length === 0) {
        if (this.scene.identity || this.#window.length === this.#madeIndex) return;
      } else {
        // A piece lifted again before its move was pressed has not been answered: it may have gone on.
        const held = this.tail.pressedAtMs === undefined ? this.tail.to : undefined;
        const replies = this.#movesShown(this.tail.position, fromTail, this.#madeIndex, held);
        if (replies.length > 0) {
          this.#answer(replies);
          return;
        }
        if (held !== undefined && board[held] === EMPTY) {
          const answers = this.#movesShown(this.tail.position, fromTail, this.#madeIndex);
          if (answers.length > 0) this.#fork(HELD_COST).#complete(answers);
        }
      }
    }
    const moves = this.#movesShown(this.base.position, fromBase, 0).filter(
      (move) => this.#disturbed?.has(move.from) !== true || this.#pending !== undefined,
    );
    // The placed ply standing there while hands are at work on the next says nothing new.
    if (moves.length > 0 && moves[0] !== stood) {
      this.#place(moves);
      return;
    }
    if (this.#takeBack(1)) return;
    const last = changes[changes.length - 1]!;
    if (changes.length > 1 || last.fromDump || this.#disturbed !== undefined) {
      if (this.#bridge(2, 3000)) return;
    }
    if (this.#twoInOne(fromBase, last) || this.#takeBack(TAKEBACK_DEPTH)) return;
    // What does not fit exactly is read roughly only when the sensors have told all and hands have paused.
    if (last.after !== EMPTY && !last.fromDump) {
      if (this.#readAfterMs() === 0) this.#answerRoughly(last);
      else this.#unread = true;
    }
    this.#unread ||= unread;
    this.#notePromotion(fromBase);
  }

  /**
   * Legal plies from `position` that stand on the board: exactly, or with nothing else open than pieces lifted since,
   * for the other side's next move: its own, or the one it is about to capture, but not the one on `held`. `since` is
   * where in the window the events of the ply begin.
   */
  #movesShown(position: Position, differing: readonly Square[], since: number, held?: Square): Move[] {
    const { board, liftedAtMs } = this.scene;
    const exact = this.#supported(matchOne(board, position, differing, this.#stale), since);
    if (exact.length > 0 || differing.length < 3 || differing.length > 7) return exact;
    // The captured piece is held over an empty square, or was put down there.
    for (const ghost of differing) {
      if (position.cells[ghost] !== EMPTY || board[ghost] === EMPTY) continue;
      const captures = matchOne(
        board,
        position,
        differing.filter((s) => s !== ghost),
        this.#stale,
      ).filter((move) => move.captured?.cell === board[ghost]);
      if (captures.length > 0) return captures;
    }
    const empty = differing.filter((s) => board[s] === EMPTY);
    if (empty.length === differing.length) return exact;
    const moves: Move[] = [];
    for (const from of empty) {
      if (sideOfCell(position.cells[from]!) !== position.turn) continue;
      const others = empty.filter((s) => s !== from && this.#isOnlyLifted(s, position, liftedAtMs[from]!));
      if (others.length === 0 || others.length > 2 || (held !== undefined && others.includes(held))) continue;
      const rest = differing.filter((s) => !others.includes(s));
      for (const move of this.#supported(matchOne(board, position, rest, this.#stale), since)) {
        if (move.from === from) moves.push(move);
      }
    }
    return moves;
  }

  /** A piece that was lifted after `sinceMs`, give or take, or has not been seen anywhere since it was lifted. */
  #isOnlyLifted(square: Square, position: Position, sinceMs: number): boolean {
    const lifted = this.scene.liftedAtMs[square]!;
    const cell = position.cells[square]!;
    // Something else was seen there since: the piece was not just lifted, it was taken.
    if (this.#window.some((c) => c.square === square && c.after !== EMPTY && c.after !== cell)) return false;
    const isKing = roleOfCell(cell) === 'king';
    // Its own king in the air says that the hand is about something else: castling, or a result signal.
    if (isKing && sideOfCell(cell) === position.turn) return false;
    if (lifted >= sinceMs - HANDS_TOGETHER_MS) return true;
    if (isKing || !this.scene.identity) return false;
    return !this.#window.some((c) => c.after === cell && c.atMs > lifted);
  }

  /** Everything is as agreed: whatever was placed has been put back. */
  #putBack(): void {
    this.tail = undefined;
    this.#rivals = [];
    this.#disturbed = undefined;
  }

  /**
   * Moves that events speak for. Where the sensors do not show who stands on a square, a capture needs an event on
   * the victim's square since the agreed position.
   */
  #supported(moves: readonly Move[], since: number): Move[] {
    return moves.filter((move) => {
      const victim = move.captured;
      if (victim === undefined || this.scene.board[victim.square] !== OCCUPIED) return true;
      for (let i = since; i < this.#window.length; i++)
        if (this.#window[i]!.square === victim.square) return true;
      return false;
    });
  }

  /** Orders moves that fit equally: the victim touched last, the queen first. */
  #rank(moves: readonly Move[], since: number): Rival[] {
    if (moves.length === 1) return [{ move: moves[0]!, cost: 0 }];
    const touched = (move: Move): number => {
      for (let i = this.#window.length - 1; i >= since; i--) {
        if (this.#window[i]!.square === move.to) return i;
      }
      return -1;
    };
    const latest = Math.max(...moves.map(touched));
    const { board } = this.scene;
    const base = since === 0 ? this.base : this.head;
    const truly = differences(board, base.position.cells, NO_STALE);
    const left = (move: Move): number =>
      truly.filter((s) => !move.changes.some((c) => c.square === s)).length;
    return moves
      .map((move) => ({
        move,
        cost:
          (PROMOTION_COST[move.promotion ?? 'queen'] ?? 0) +
          (touched(move) < latest ? EARLIER_VICTIM_COST : 0) +
          // An excuse is worth less than an explanation.
          2 * left(move),
      }))
      .sort((a, b) => a.cost - b.cost)
      .map((rival, _, all) => ({ move: rival.move, cost: rival.cost - all[0]!.cost }));
  }

  /** A legal ply stands on the board. */
  #place(moves: readonly Move[]): void {
    const [best, ...rivals] = this.#rank(moves, 0);
    const before = this.tail;
    if (before?.move !== best!.move) {
      const ply = createPly(this.base, best!.move, this.scene.nowMs);
      // Seen to go on after the press only because the sensors lag behind: the press was for where it went.
      if (before?.pressedAtMs !== undefined) this.#press(ply, before.pressedAtMs, before.clockMs);
      this.tail = ply;
    }
    this.#madeIndex = this.#window.length;
    this.#rivals = rivals;
    if (this.#pending !== undefined) {
      const { atMs, clockMs } = this.#pending;
      this.#press(this.tail!, atMs, clockMs);
      this.#confirm();
    }
  }

  /** A legal reply stands on the board: the ply before it is completed (6.2.1.2), pressed or not. */
  #answer(replies: readonly Move[]): void {
    const tail = this.tail!;
    const ghost = replies.some((reply) =>
      this.base.position.movesFrom(tail.from).some((m) => m.captured?.square === reply.from),
    );
    // The reply may be the captured piece, held over a square while the capturing one still rests on its way.
    if (ghost && tail.pressedAtMs === undefined) {
      if (this.scene.clockSeen) {
        // Nobody has pressed: more likely the hand is still at work.
        this.#fork(GHOST_COST).#complete(replies);
        return;
      }
      this.#fork(GHOST_COST);
    }
    this.#complete(replies);
  }

  #complete(replies: readonly Move[]): void {
    const tail = this.tail!;
    this.#branchTakeBackOfTwo();
    if (this.scene.clockSeen && tail.pressedAtMs === undefined)
      this.#raise('MOVED_BEFORE_PRESS', tail.number + 1);
    this.#confirm();
    this.#place(replies);
  }

  /**
   * Both sides have moved before either ply stood on the board alone: hands that overlap, or capture and recapture in
   * one scan. A first piece that is not seen where it went is only believed when a scan may have missed it.
   */
  #twoInOne(fromBase: readonly Square[], landing: SeenChange): boolean {
    const { board, clockSeen, identity, waits, nowMs } = this.scene;
    if (!identity) return false;
    if (fromBase.length < (landing.after === EMPTY ? 4 : 2) || fromBase.length > 8) return false;
    const { position } = this.base;
    const found = searchGap(board, position, this.#stale, 2, 400);
    if (found?.plies !== 2) return false;
    const [first] = found.lines[0]!;
    const seen = cellsAgree(board[first!.to]!, first!.changes[0]!.after);
    if (!seen) {
      // Nobody has pressed: a captured piece on its way off looks like a reply as well.
      if ((clockSeen && this.#pending === undefined) || this.#isOffTheBoard(position, first!.from, landing))
        return false;
      const since = this.#window.find((c) => fromBase.includes(c.square));
      if (since === undefined || nowMs - since.atMs > 2 * waits.scanMs + waits.nudgeMs) return false;
    }
    this.tail = undefined;
    return this.#bridge(2, 400);
  }

  /** Whether what has just landed may be the piece that the one from `from` is about to capture, on its way off. */
  #isOffTheBoard(position: Position, from: Square, landing: SeenChange): boolean {
    const { board } = this.scene;
    return position
      .movesFrom(from)
      .some(
        ({ captured }) =>
          captured !== undefined &&
          cellsAgree(landing.after, captured.cell) &&
          board[captured.square] === EMPTY,
      );
  }

  /** Legal plies that lead from the agreed position to the picture, the shortest; all but the last are taken as played. */
  #bridge(maxPlies: number, budget: number): boolean {
    const { board, nowMs } = this.scene;
    const from = this.tail !== undefined && this.#tailStands() ? this.tail : this.base;
    const found = searchGap(board, from.position, this.#stale, maxPlies, budget);
    if (found === undefined || found.plies === 0) return found !== undefined;
    if (from === this.tail) this.#confirm();
    const inOrder = found.lines.filter((moves) => this.#isInOrder(moves));
    const lines = inOrder.length > 0 ? inOrder : found.lines;
    const line = lines[0]!;
    const alternatives = lines.map((moves) => sansOf(this.base.position, moves));
    const start = this.base;
    for (let i = 0; i < line.length; i++) {
      const ply = createPly(this.base, line[i]!, nowMs, true);
      const others = lines.flatMap((moves, n) =>
        isSameMove(moves[i]!, line[i]!) ? [] : [alternatives[n]![i]!],
      );
      // Where not every sequence could be tried, others may fit as well.
      if (others.length > 0 || found.cut) ply.orders = [...new Set([sanOf(ply), ...others])];
      this.tail = ply;
      this.#madeIndex = this.#window.length;
      this.#rivals = [];
      if (i < line.length - 1) this.#confirm(true);
    }
    if (found.plies > 2) this.#raise(`MISSED_PLIES(${found.plies})`, start.number + 1);
    if (lines.length > 1 || found.cut) {
      const detail = alternatives.map((sans) => sans.join(' ')).join('; ');
      this.#raise(`AMBIGUOUS(${lines.length})`, start.number + 1, detail);
    }
    if (this.#pending !== undefined && this.tail?.mover === start.position.turn) {
      this.#press(this.tail, this.#pending.atMs, this.#pending.clockMs);
      this.#confirm();
    }
    return true;
  }

  /** Whether the pieces of a sequence were seen to arrive in its order, as far as they were seen. */
  #isInOrder(moves: readonly Move[]): boolean {
    const { board, changedAtMs } = this.scene;
    let atMs = Number.NEGATIVE_INFINITY;
    for (const [i, move] of moves.entries()) {
      const { square, after } = move.changes[0]!;
      if (board[square] !== after || moves.slice(i + 1).some((m) => m.from === square || m.to === square))
        continue;
      if (changedAtMs[square]! < atMs) return false;
      atMs = changedAtMs[square]!;
    }
    return true;
  }

  /**
   * After a gap: explains the picture by up to six plies. `changed` are the squares of which the board has told
   * something since the link was lost, `press` is the last press since then.
   */
  resume(changed: readonly Square[], press: (Press & { readonly atMs: number }) | undefined): void {
    if (this.frozen) return;
    this.#window = [];
    this.#madeIndex = 0;
    this.#unread = false;
    for (const square of changed) this.#forgetExcuse(square);
    this.#explainGap();
    if (press !== undefined && this.tail?.mover === press.side && this.#tailStands()) {
      this.#press(this.tail, press.atMs, press.clockMs);
      this.#confirm();
    }
  }

  #explainGap(): void {
    if (this.openSquares().length === 0 || this.#bridge(2, 3000)) return;
    // A hand in the middle of a move explains more than plies nobody saw.
    if (!isUnderWay(this.scene.board, this.head.position, this.openSquares())) this.#bridge(6, 5000);
  }

  /** A whole picture that no ply or two explain: a few more may have been missed. */
  resumeFromPicture(): void {
    if (this.frozen || this.#bridge(2, 3000)) return;
    if (!isUnderWay(this.scene.board, this.head.position, this.openSquares())) this.#bridge(4, 6000);
  }

  /** Pieces were set up anew, not taken back: the game stands as it was before the first was lifted. */
  restoreParked(): void {
    if (this.parked === undefined) return;
    this.base = this.parked;
    this.tail = undefined;
    this.parked = undefined;
  }

  /** The game is over by a signal: what stands is agreed. */
  agree(): void {
    if (this.tail !== undefined) {
      this.#confirm();
      // A signal was given: nobody was making a move.
      this.raised = this.raised.filter((flag) => flag.severity === 'info' || flag.severity === 'notice');
    }
  }

  /**
   * Whether the placed ply still stands, whatever the other side is doing. It does not when its piece is seen on a
   * further square: then the piece went on and was not seen to leave.
   */
  #tailStands(): boolean {
    const { board, identity, liftedAtMs } = this.scene;
    const { changes, position } = this.tail!;
    const pressedAtMs = this.tail!.pressedAtMs;
    const stands = changes.every(
      (c) =>
        cellsAgree(board[c.square]!, c.after) ||
        // Lifted since the press: it is being captured, or it is on its next way already.
        (pressedAtMs !== undefined && board[c.square] === EMPTY && liftedAtMs[c.square]! >= pressedAtMs),
    );
    if (!stands) return this.#isBeingCaptured();
    const piece = changes[0]?.after;
    if (!identity || piece === undefined) return true;
    return !differences(board, position.cells, this.#stale).some((square) => board[square] === piece);
  }

  /** The placed piece is off its square because the other side, own piece in hand, is taking it. */
  #isBeingCaptured(): boolean {
    const { board, liftedAtMs } = this.scene;
    const { position, to } = this.tail!;
    if (board[to] !== EMPTY) return false;
    const open = differences(board, position.cells, this.#stale);
    const capturer = open.find((s) => s !== to && sideOfCell(position.cells[s]!) === position.turn);
    return (
      open.length === 2 &&
      capturer !== undefined &&
      board[capturer] === EMPTY &&
      liftedAtMs[capturer]! >= this.tail!.madeAtMs &&
      position.movesFrom(capturer).some((move) => move.to === to)
    );
  }

  // ---------------------------------------------------------------- presses

  /** Somebody has pressed the clock. */
  onPress(press: Press): void {
    if (this.frozen) return;
    this.#pressesSinceTakeback++;
    this.#pressed = true;
    const turn = this.base.position.turn;
    const { nowMs } = this.scene;
    if (press.side === turn) {
      if (this.tail !== undefined && this.#tailStands() && !this.#isHalfOfMore()) {
        this.#press(this.tail, nowMs, press.clockMs);
        if (this.scene.waits.scanMs === 0) this.#confirm();
      } else if (this.#isAtWork(turn) || !this.#latePress(press)) {
        this.#pending = { atMs: nowMs, clockMs: press.clockMs, judged: false };
        this.#recall();
      }
      return;
    }
    if (this.#pending !== undefined) {
      // The other side has answered or pressed back: now or never.
      if (this.openSquares().length === 0) this.#judgePress();
      else if (this.#answered !== undefined) {
        this.#settleAnswered();
        this.onPress(press);
      } else this.#answered = { ...press, atMs: nowMs };
      return;
    }
    if (this.tail?.pressedAtMs !== undefined) {
      this.#confirm();
      this.onPress(press);
      return;
    }
    if (!this.#answerPressed(press)) this.#latePress(press);
  }

  /**
   * A reply was pressed although the ply before it is not known and was never pressed: it must have been played, so the
   * best reading of it is taken.
   */
  #answerPressed(press: Press): boolean {
    if ((this.tail !== undefined && this.#tailStands()) || !this.#isAtWork(press.side)) return false;
    const landing = this.#lastLanding();
    if (landing === undefined) return false;
    this.#replyPressed = true;
    const read = this.#answerRoughly(landing);
    this.#replyPressed = false;
    if (!read || this.tail?.mover !== press.side) return false;
    this.#press(this.tail, this.scene.nowMs, press.clockMs);
    if (this.scene.waits.scanMs === 0) this.#confirm();
    return true;
  }

  /**
   * The reply to a ply that is not known yet has been pressed as well, and hands have paused: takes the best reading of
   * the first, and counts the press for the second.
   */
  #settleAnswered(): void {
    const answered = this.#answered;
    this.#answered = undefined;
    if (this.#pending !== undefined && !this.#settlePending()) this.#pending = undefined;
    this.#answered = answered;
    this.#countAnswered();
  }

  /** Counts a press that came while the ply before its own was not known. */
  #countAnswered(): void {
    const answered = this.#answered;
    if (answered === undefined || this.#pending !== undefined) return;
    this.#answered = undefined;
    if (answered.side !== this.base.position.turn) return;
    if (this.tail !== undefined && this.#tailStands()) {
      this.#press(this.tail, answered.atMs, answered.clockMs);
      this.#confirm();
    } else this.#pending = { atMs: answered.atMs, clockMs: answered.clockMs, judged: false };
  }

  /** Whether this press can only belong to the other face of the clock: nobody else has anything to press for. */
  saysFacesExchanged(press: Press): boolean {
    return (
      this.base.number === 0 &&
      this.tail !== undefined &&
      this.#pending === undefined &&
      !this.#pressed &&
      press.side !== this.base.position.turn
    );
  }

  /** Whether a side's hand has done anything since the agreed position: then a press is about that. */
  #isAtWork(side: Side): boolean {
    const { cells } = this.base.position;
    return this.openSquares().some((s) => sideOfCell(cells[s]!) === side);
  }

  /** The side to move has pressed: what was excused since the agreed position may have been its move after all. */
  #recall(): void {
    for (const square of this.#told) this.#stale.delete(square);
    this.#told.clear();
    const { board } = this.scene;
    const truly = differences(board, this.base.position.cells, NO_STALE);
    const moves = this.#supported(matchOne(board, this.base.position, truly, NO_STALE), 0);
    if (moves.length > 0) this.#place(moves);
  }

  /**
   * The placed ply may be one half of another that is still being made: the rook of a castling stands, the king is in
   * the air.
   */
  #isHalfOfMore(): boolean {
    const { position } = this.base;
    const lifted = this.openSquares().some((s) => sideOfCell(position.cells[s]!) === position.turn);
    return lifted && this.#isOwnMoveUnderWay();
  }

  /** A press that comes after the reply it should have preceded (6.2.2). */
  #latePress(press: Press): boolean {
    for (let node: Node | undefined = this.base; node?.parent !== undefined; node = node.parent) {
      if (this.base.number - node.number > 1) break;
      if (node.mover !== press.side || node.pressedAtMs !== undefined) continue;
      this.version++;
      node.pressedAtMs = this.scene.nowMs;
      node.clockMs = press.clockMs ?? node.clockMs;
      return true;
    }
    return false;
  }

  #press(ply: Node, atMs: number, clockMs: number | undefined): void {
    this.version++;
    ply.pressedAtMs = atMs;
    ply.completedAtMs = Math.max(atMs, ply.madeAtMs);
    ply.clockMs = clockMs;
  }

  // ---------------------------------------------------------------- belief

  /** The placed ply is agreed from now on; `passed` when the board shows what came after it already. */
  #confirm(passed = false): void {
    const ply = this.tail!;
    const rivals = this.#rivals;
    this.#rivals = [];
    for (const rival of rivals) {
      const fork = this.#fork(rival.cost);
      fork.tail = createPly(this.base, rival.move, ply.madeAtMs, ply.inferred);
      fork.tail.pressedAtMs = ply.pressedAtMs;
      fork.tail.completedAtMs = ply.completedAtMs;
      fork.tail.clockMs = ply.clockMs;
      fork.#confirm();
      fork.raised = [];
    }
    const equal = rivals.filter(
      (rival) => rival.cost <= EARLIER_VICTIM_COST && rival.move.promotion === undefined,
    );
    if (equal.length > 0) {
      const sans = [ply.move!, ...equal.map((r) => r.move)].map((m) => this.base.position.san(m));
      this.#raise(`AMBIGUOUS(${sans.length})`, ply.number, sans.join('; '));
    }
    ply.confirmed = true;
    ply.completedAtMs ??= this.scene.nowMs;
    // What the clock showed when a ply was completed that nobody saw is not known.
    if (!passed && ply.mover !== undefined) ply.clockMs ??= clockOf(this.scene, ply.mover);
    this.#tellOf(ply);
    const before = this.base;
    before.parent?.parent?.position.forget();
    if (this.parked !== undefined && ply.pressedAtMs !== undefined) this.parked = undefined;
    this.base = ply;
    this.tail = undefined;
    this.#pending = undefined;
    this.#disturbed = undefined;
    this.#window = this.#window.slice(this.#madeIndex);
    this.#madeIndex = 0;
    this.#told.clear();
    this.#knocked.clear();
    if (!passed) this.#excuseLeftover(ply);
    for (const square of this.#stale.keys()) {
      if (cellsAgree(this.scene.board[square]!, ply.position.cells[square]!)) this.#stale.delete(square);
    }
    if (this.scene.clockSeen && before.mover !== undefined && !before.inferred)
      this.#tellOfMissingPress(before, ply);
  }

  /**
   * What still differs when a ply is agreed is not part of it: a captured piece on its way off, a neighbour knocked
   * over. It must not stand in the way of the reply; only the replying side's lifted pieces belong to that.
   */
  #excuseLeftover(ply: Node): void {
    const { board, nowMs, liftedAtMs } = this.scene;
    const { cells, turn } = ply.position;
    for (const square of differences(board, cells, this.#stale)) {
      // In the air for the reply, or for the move after it.
      if (
        board[square] === EMPTY &&
        (sideOfCell(cells[square]!) === turn || nowMs - liftedAtMs[square]! < IN_HAND_MS)
      ) {
        continue;
      }
      this.#stale.set(square, board[square]!);
      if (board[square] === EMPTY && nowMs - liftedAtMs[square]! >= this.scene.waits.displacedMs) {
        this.#raise('SENSOR_MISSING', ply.number, makeSquare(square));
      } else this.#leftover.add(square);
    }
  }

  #tellOfMissingPress(before: Node, ply: Node): void {
    const mine = before.parent;
    if (mine?.mover === ply.mover && before.pressedAtMs === undefined && before.completedAtMs !== undefined) {
      this.cost += UNPRESSED_COST;
      this.#raise('CLOCK_NOT_PRESSED', before.number);
    }
  }

  /** What the laws have to say about a legal ply that has just been agreed. */
  #tellOf(ply: Node): void {
    const move = ply.move;
    if (move === undefined) return;
    const before = this.base.position;
    // Pieces that were knocked over were not touched to be moved.
    const seen = this.#window.slice(0, this.#madeIndex).filter((c) => !this.#knocked.has(c.square));
    const fault = touchFault(before, move, seen, this.scene.waits.nudgeMs);
    if (fault !== undefined && !ply.inferred) {
      const word = fault.type === 'rook-first' ? 'ROOK_TOUCHED_FIRST' : 'TOUCH_MOVE';
      this.#raise(word, ply.number, makeSquare(fault.square));
    }
    if (move.promotion !== undefined) {
      const seen = this.scene.board[move.to]!;
      if (seen === OCCUPIED || seen === UNKNOWN) this.#raise('PROMO_ASSUMED', ply.number);
      else if (move.promotion !== 'queen') this.#raise('UNDERPROMO_NOTICE', ply.number, move.promotion);
    }
  }

  /** Whether the agreed line has reached its end on the board. */
  endsGame(): boolean {
    // Only a legal move ends the game (5.1.1, 5.2.1, 5.2.2).
    return this.base.move !== undefined && this.base.position.ending() !== undefined;
  }

  // ---------------------------------------------------------------- what is wrong

  /** A move must be there and is not exactly so: reads it roughly, or leaves it open and says what is missing. */
  #judgePress(): void {
    const pending = this.#pending!;
    const open = differences(this.scene.board, this.base.position.cells, this.#stale);
    if (open.length === 0) {
      this.#pending = undefined;
      this.cost += IDLE_PRESS_COST;
      this.#raise('PRESSED_WITHOUT_MOVE', this.base.number + 1, undefined, undefined, pending.atMs);
      return;
    }
    const guesses = this.#guess(this.base.position, open, this.#replySquares(open));
    const best = guesses[0];
    if (best === undefined) {
      pending.judged = true;
      if (this.#bridge(3, 2000)) return;
      this.#tellOfDisturbance(open);
      return;
    }
    const waiting = best.residues.filter((r) => OPEN_RESIDUES.includes(r.residue));
    if (waiting.length === 0) {
      this.#adopt(guesses);
      return;
    }
    pending.judged = true;
    for (const { square, residue } of waiting)
      this.#tellOfResidue(residue, square, this.base.number + 1, pending.atMs);
  }

  /** The pending press is over, whatever the board shows: takes the best reading. False when there is none. */
  #settlePending(): boolean {
    const open = differences(this.scene.board, this.base.position.cells, this.#stale);
    const guesses = this.#guess(this.base.position, open, this.#replySquares(open));
    if (guesses.length > 0) this.#adopt(guesses);
    else if (!this.#bridge(3, 2000)) return false;
    this.#pending = undefined;
    return true;
  }

  #guess(
    position: Position,
    open: readonly Square[],
    reply: readonly Square[],
    overlapping = false,
  ): Guess[] {
    const { board, changedAtMs } = this.scene;
    return guessPly({
      board,
      changedAtMs,
      position,
      open: open.filter((s) => !reply.includes(s)),
      reply,
      overlapping,
      stale: this.#stale,
      hasStood: (square, cell) => this.#hasStood(square, cell),
    });
  }

  /**
   * Whether a piece had been released on a square although it has left it since: it stood there for a while, or it left
   * only when the press was made, give or take a scan. Hands are quick, and the next move may begin before the sensors
   * have told of the press; and a piece that is captured is lifted first.
   */
  #hasStood(square: Square, cell: Cell): boolean {
    const { waits, liftedAtMs } = this.scene;
    const { tail } = this;
    if (
      tail?.to === square &&
      tail.changes[0]?.after === cell &&
      liftedAtMs[square]! - tail.madeAtMs >= STOOD_MS
    ) {
      return true;
    }
    const pressAtMs = this.#pending?.atMs;
    if (pressAtMs === undefined || liftedAtMs[square]! < pressAtMs - Math.max(waits.scanMs, waits.nudgeMs))
      return false;
    return this.#window.some((c) => c.square === square && c.after === cell);
  }

  /** Squares on which the other side is at work since the side to move was last seen doing something. */
  #replySquares(open: readonly Square[]): Square[] {
    const { position } = this.base;
    let since = Number.NEGATIVE_INFINITY;
    for (const change of this.#window) {
      if (sideOfCell(position.cells[change.square]!) === position.turn) since = change.atMs;
    }
    const { board, liftedAtMs, changedAtMs } = this.scene;
    const replySide = opponent(position.turn);
    const lifted = open.filter(
      (s) => sideOfCell(position.cells[s]!) === replySide && board[s] === EMPTY && liftedAtMs[s]! > since,
    );
    // A piece of that side put down counts with its lift only: a piece of the wrong colour comes from the box.
    const landed = open.filter(
      (s) =>
        sideOfCell(board[s]!) === replySide &&
        changedAtMs[s]! > since &&
        lifted.some((from) => position.cells[from] === board[s]),
    );
    return lifted.length + landed.length <= 4 ? [...lifted, ...landed] : [];
  }

  /**
   * Takes a rough reading as played; readings as good as the best go on as hypotheses of their own. Each then reads the
   * `landing` that answered the ply, if it was answered.
   */
  #adopt(guesses: readonly Guess[], landing?: SeenChange): void {
    const best = guesses[0]!;
    const equal = guesses.filter((g) => g.cost <= best.cost + MARGIN);
    const near = guesses.filter((g) => g.cost > best.cost + MARGIN && g.cost <= best.cost + 2);
    for (const guess of [...equal.slice(1), ...near]) {
      const fork = this.#fork(guess.cost);
      fork.#take(guess);
      if (landing !== undefined) fork.#readLanding(landing);
      fork.raised = [];
    }
    if (equal.length > 1) {
      const sans = equal.map((g) => (g.move === undefined ? '?' : this.base.position.san(g.move)));
      this.#raise(`AMBIGUOUS(${equal.length})`, this.base.number + 1, sans.join('; '));
    }
    this.cost += best.cost;
    this.#take(best);
    if (landing !== undefined) this.#readLanding(landing);
  }

  #take(guess: Guess): void {
    const { board, nowMs } = this.scene;
    const pending = this.#pending;
    const madeAtMs = Math.min(nowMs, pending?.atMs ?? nowMs);
    const ply =
      guess.move === undefined
        ? createIllegalPly(this.base, guess.from, guess.to, guess.changes, madeAtMs)
        : createPly(
            this.base,
            guess.move,
            madeAtMs,
            guess.residues.some((r) => r.residue === 'arrival-missing'),
          );
    const told = new Set<Residue>();
    for (const { square, residue } of guess.residues) {
      this.#stale.set(square, board[square]!);
      if (told.has(residue)) continue;
      told.add(residue);
      if (pending?.judged !== true || !OPEN_RESIDUES.includes(residue)) {
        this.#tellOfResidue(residue, square, ply.number, pending?.atMs ?? nowMs);
      }
    }
    if (guess.move === undefined) this.#raise('ILLEGAL', ply.number, sanOf(ply).slice(1));
    if (pending !== undefined) this.#press(ply, pending.atMs, pending.clockMs);
    this.tail = ply;
    this.#rivals = [];
    this.#madeIndex = this.#lastOwnChange(ply.mover!);
    this.#confirm();
  }

  /** Index behind the last change made by a side's hand: what follows belongs to the reply. */
  #lastOwnChange(side: Side): number {
    const { cells } = this.base.position;
    for (let i = this.#window.length - 1; i >= 0; i--) {
      const change = this.#window[i]!;
      if (sideOfCell(cells[change.square]!) === side || sideOfCell(change.after) === side) return i + 1;
    }
    return 0;
  }

  #tellOfResidue(residue: Residue, square: Square, ply: number, atMs: number): void {
    const word = RESIDUE_FLAGS[residue];
    if (word !== undefined) this.#raise(word, ply, makeSquare(square), undefined, atMs);
    else if (residue === 'unexplained' || residue === 'departure-missing') return;
  }

  /**
   * The other side has put a piece down and no exact reading fits. When it is a legal reply to some rough reading of
   * the ply before, that ply has been answered and stands.
   */
  #answerRoughly(landing: SeenChange): boolean {
    const told = [...this.#told];
    for (const square of told) this.#stale.delete(square);
    if (this.#answerRoughlyFrom(landing)) return true;
    // What was told and excused stays excused.
    for (const square of told) this.#stale.set(square, this.scene.board[square]!);
    return false;
  }

  #answerRoughlyFrom(landing: SeenChange): boolean {
    if (this.#isOwnMoveUnderWay()) return false;
    if (this.tail !== undefined && isUnderWay(this.scene.board, this.tail.position, this.openSquares()))
      return false;
    const side = this.scene.identity ? sideOfCell(landing.after) : undefined;
    if (this.tail !== undefined && this.#tailStands()) {
      // The ply after the placed one was itself not seen exactly; the placed one is not in question.
      const reading =
        side === undefined || side === this.tail.mover
          ? this.#roughReply(this.tail.position, landing)
          : undefined;
      if (reading !== undefined) {
        this.#confirm();
        this.#adopt(reading, landing);
        return true;
      }
      return false;
    }
    if (side === this.base.position.turn) return false;
    const reading = this.#roughReply(this.base.position, landing);
    if (reading === undefined) return false;
    this.tail = undefined;
    this.#adopt(reading, landing);
    return true;
  }

  /** Reads the reply to a ply that has just been agreed: its squares are not leftovers of that ply. */
  #readLanding(landing: SeenChange): void {
    const { board } = this.scene;
    const { cells } = this.base.position;
    for (const square of [...this.#stale.keys()]) {
      if (square !== landing.square && !(board[square] === EMPTY && cells[square] === landing.after))
        continue;
      this.#stale.delete(square);
      this.#leftover.delete(square);
    }
    this.#evaluate([landing]);
  }

  /** Rough readings of the ply to be played from `position` that make the landing an exact reply; undefined when none does. */
  #roughReply(position: Position, landing: SeenChange): Guess[] | undefined {
    const { board } = this.scene;
    const open = differences(board, position.cells, this.#stale);
    if (open.length < 2 || open.length > 8) return undefined;
    const replySide = opponent(position.turn);
    if (!open.some((s) => sideOfCell(position.cells[s]!) === position.turn)) return undefined;
    const working = open.filter(
      (s) =>
        sideOfCell(board[s]!) === replySide ||
        sideOfCell(position.cells[s]!) === replySide ||
        s === landing.square,
    );
    if (!working.includes(landing.square)) working.push(landing.square);
    const readings: Guess[] = [];
    for (const guess of this.#guess(
      position,
      open,
      working,
      this.#isOverlapping(position, working, landing),
    )) {
      if (this.#pending === undefined && this.#mayBeUnderWay(position, guess, landing)) continue;
      const next = guess.move === undefined ? position.playIllegal(guess.changes) : position.play(guess.move);
      const stale = new Map(this.#stale);
      for (const { square } of guess.residues) stale.set(square, board[square]!);
      const rest = differences(board, next.cells, stale);
      if (this.#supported(matchOne(board, next, rest, stale), 0).length > 0) readings.push(guess);
    }
    return readings.length > 0 ? readings : undefined;
  }

  /** Whether the hand of the reply was at work before the sensors could have looked at the piece it answers. */
  #isOverlapping(position: Position, working: readonly Square[], landing: SeenChange): boolean {
    const { liftedAtMs, waits, board } = this.scene;
    const origins = working.filter((s) => position.cells[s] === landing.after && board[s] === EMPTY);
    if (origins.length === 0) return false;
    const lifted = Math.min(...origins.map((s) => liftedAtMs[s]!));
    const own = this.#window.findLast((c) => sideOfCell(c.before) === position.turn && c.after === EMPTY);
    const doneMs =
      this.#pending?.atMs ?? (own === undefined ? Number.NEGATIVE_INFINITY : own.atMs + waits.graceMs);
    return lifted <= doneMs + waits.scanMs;
  }

  /** Whether all that differs from the agreed position may be one legal move in progress. */
  #isOwnMoveUnderWay(): boolean {
    const { board } = this.scene;
    return isUnderWay(board, this.base.position, differences(board, this.base.position.cells, this.#stale));
  }

  /**
   * A piece that is still in the air has not been lost by the sensors as long as nothing says that its move is over.
   * What looks like a reply may be the captured piece on its way off the board, or half of a result signal.
   */
  #mayBeUnderWay(position: Position, guess: Guess, landing: SeenChange): boolean {
    if (this.#replyPressed) return false;
    if (this.scene.clockSeen) return true;
    const king = position.kingOf(position.turn);
    const kingInAir = king !== undefined && king !== guess.from && this.scene.board[king] === EMPTY;
    if (kingInAir && roleOfCell(landing.after) === 'king' && isCentre(landing.square)) return true;
    return this.#isOffTheBoard(position, guess.from, landing);
  }

  // ---------------------------------------------------------------- take-back

  /**
   * Completed plies whose squares stand as before are withdrawn. Only what was seen happening counts: a late picture
   * of the whole board rolls nothing back.
   */
  #takeBack(maxDepth: number): boolean {
    const { board } = this.scene;
    if (this.#window.length > 0 && this.#window.every((c) => c.fromDump)) return false;
    let ancestor: Node | undefined = this.base.parent;
    for (let depth = 1; ancestor !== undefined && depth <= maxDepth; depth++, ancestor = ancestor.parent) {
      if (!shows(board, ancestor.position.cells, this.#stale)) continue;
      this.#withdrawTo(ancestor);
      return true;
    }
    return false;
  }

  #withdrawTo(ancestor: Node): void {
    const illegal = this.base.move === undefined && ancestor === this.base.parent;
    if (!illegal) this.#raise('TAKEBACK', ancestor.number + 1);
    // What was taken back in one go is kept whole, until play goes on.
    this.parked ??= this.base;
    this.#pressesSinceTakeback = 0;
    this.base = ancestor;
    this.tail = undefined;
    this.#rivals = [];
    this.#pending = undefined;
    this.#window = [];
    this.#madeIndex = 0;
    this.#disturbed = undefined;
    this.#leftover.clear();
    this.#told.clear();
  }

  /**
   * Two plies that undo the last two may have been played or taken back; on a table with a clock the presses will
   * tell. The other reading goes on beside the first.
   */
  #branchTakeBackOfTwo(): void {
    const ancestor = this.base.parent?.parent;
    if (ancestor === undefined || !this.scene.clockSeen || this.tail?.pressedAtMs !== undefined) return;
    if (!shows(this.scene.board, ancestor.position.cells, this.#stale)) return;
    const fork = this.#fork(TAKEBACK_COST);
    fork.#withdrawTo(ancestor);
    fork.raised = [];
  }

  // ---------------------------------------------------------------- time

  /** When this hypothesis wants to look again if nothing happens; undefined when never. */
  wakeAtMs(): number | undefined {
    if (this.frozen) return undefined;
    const { waits, lastChangeMs, nowMs } = this.scene;
    let wake: number | undefined;
    const at = (ms: number): void => {
      if (ms > nowMs && (wake === undefined || ms < wake)) wake = ms;
    };
    if (this.#pending !== undefined && !this.#pending.judged) at(this.#pending.atMs + waits.graceMs);
    if (this.#unread) at(lastChangeMs + this.#readAfterMs());
    if (this.#answered !== undefined)
      at(Math.max(this.#answered.atMs, lastChangeMs) + waits.scanMs + waits.pauseMs);
    if (this.tail !== undefined) {
      if (this.tail.pressedAtMs !== undefined) at(this.tail.pressedAtMs + waits.scanMs);
      at(lastChangeMs + this.#restMs(this.tail));
      if (isFinal(this.tail.position)) at(this.tail.madeAtMs + waits.finalMs);
    }
    if (this.#disturbed === undefined && (this.#window.length > 0 || this.#leftover.size > 0))
      at(lastChangeMs + waits.displacedMs);
    return wake;
  }

  #restMs(ply: Node): number {
    const { waits, clockSeen } = this.scene;
    const king = roleOfCell(ply.changes[0]?.after ?? EMPTY) === 'king' && isCentre(ply.to);
    return clockSeen || king ? waits.clockRestMs : waits.restMs;
  }

  /** Time has passed. */
  onTick(quiet: boolean): void {
    if (this.frozen) return;
    const { waits, nowMs, lastChangeMs } = this.scene;
    if (this.#unread && nowMs >= lastChangeMs + this.#readAfterMs()) {
      this.#unread = false;
      const landing = this.#lastLanding();
      if (landing !== undefined) this.#answerRoughly(landing);
      this.#countAnswered();
    }
    if (
      this.#answered !== undefined &&
      nowMs >= Math.max(this.#answered.atMs, lastChangeMs) + waits.scanMs + waits.pauseMs
    ) {
      this.#settleAnswered();
    }
    if (this.#pending !== undefined && !this.#pending.judged && nowMs >= this.#pending.atMs + waits.graceMs) {
      this.#judgePress();
    }
    if (this.tail !== undefined && this.#tailStands()) {
      const pressed = this.tail.pressedAtMs;
      const rested = nowMs >= lastChangeMs + this.#restMs(this.tail);
      const final = isFinal(this.tail.position) && nowMs >= this.tail.madeAtMs + waits.finalMs;
      if ((pressed !== undefined && nowMs >= pressed + waits.scanMs) || rested || final) this.#confirm();
    }
    if (!quiet && this.#disturbed === undefined && nowMs >= lastChangeMs + waits.displacedMs)
      this.#reportRest();
  }

  /**
   * How long nothing must have changed before a piece is read roughly, ms: until hands have paused; where a press says
   * that the ply before is over, only until the sensors have told the rest of what they saw at once.
   */
  #readAfterMs(): number {
    const { pauseMs, scanMs } = this.scene.waits;
    return this.#pending === undefined ? pauseMs : Math.min(pauseMs, scanMs / 8);
  }

  /** The last piece put down that still stands there, by the hand whose answer would complete an open ply. */
  #lastLanding(): SeenChange | undefined {
    const { board, identity } = this.scene;
    const turn =
      this.tail !== undefined && this.#tailStands() ? this.tail.position.turn : this.base.position.turn;
    return this.#window.findLast(
      (c) =>
        c.after !== EMPTY &&
        !c.fromDump &&
        board[c.square] === c.after &&
        (!identity || sideOfCell(c.after) !== turn),
    );
  }

  /** Squares differ and hands have been still for a while: says what kind of difference it is. */
  #reportRest(): void {
    if (this.tail !== undefined && this.#hasGoneOn() && !this.#isHalfSignal(this.openSquares()))
      this.#dropTail();
    const open = this.openSquares();
    for (const square of this.#leftover) {
      if (!cellsAgree(this.scene.board[square]!, this.head.position.cells[square]!)) open.push(square);
    }
    const isLeftover = open.length > 0 && open.every((square) => this.#leftover.has(square));
    this.#leftover.clear();
    if (open.length === 0) return;
    const { position } = this.head;
    if (this.parked !== undefined && this.#pressesSinceTakeback === 0 && this.#bothDisturbed(open)) {
      this.#callPostgame();
      return;
    }
    if (this.#pending?.judged === true) {
      this.#reportWrongColour(open);
      return;
    }
    if (!isLeftover && (isUnderWay(this.scene.board, position, open) || this.#isOwnMoveUnderWay())) return;
    this.#tellOfDisturbance(open);
  }

  #reportWrongColour(open: readonly Square[]): void {
    const guess = this.#guess(this.base.position, open, [])[0];
    const wrong = guess?.residues.find((r) => r.residue === 'wrong-colour');
    if (wrong !== undefined) {
      this.#disturbed = new Set();
      this.#raise('WRONG_COLOUR', this.base.number + 1, makeSquare(wrong.square));
    }
  }

  #bothDisturbed(open: readonly Square[]): boolean {
    const { cells } = this.head.position;
    return (
      open.some((s) => sideOfCell(cells[s]!) === 'white') &&
      open.some((s) => sideOfCell(cells[s]!) === 'black')
    );
  }

  /** Analysis after an end that nobody signalled: the game stands as it was, nothing is appended. */
  #callPostgame(): void {
    this.base = this.parked!;
    this.tail = undefined;
    this.#pending = undefined;
    this.#window = [];
    this.frozen = true;
    this.#raise('POSTGAME', this.base.number, 'its end is proposed here');
  }

  #tellOfDisturbance(open: readonly Square[]): void {
    const { position } = this.head;
    const { board } = this.scene;
    const gone = open.filter((s) => position.cells[s] !== EMPTY);
    // One piece in a hand is what a move looks like.
    if (gone.length === 1 && !open.some((s) => board[s] !== EMPTY)) return;
    this.#disturbed = new Set(gone);
    if (gone.length > 1) for (const square of gone) this.#knocked.add(square);
    if (this.#isHalfSignal(open)) {
      this.#raise('RESULT_HINT', this.head.number, makeSquares(open));
      return;
    }
    for (const square of open) {
      this.#stale.set(square, board[square]!);
      this.#told.add(square);
    }
    // More than a few: pieces are being set up or put away.
    if (gone.length > 10) return;
    const number = this.head.number + 1;
    if (gone.length === 1) {
      const side = sideOfCell(position.cells[gone[0]!]!);
      if (side === position.turn) this.#raise('ILLEGAL', number, makeSquares(open), 'notice');
      else this.#raise('OUT_OF_TURN', number, makeSquares(open));
      return;
    }
    if (gone.length === 0) {
      this.#raise('EXTRA_PIECE', number, makeSquares(open));
      return;
    }
    this.#raise('DISPLACED', number, makeSquares(open));
  }

  /** A king where no move could bring it, in the centre, or both kings in the air: the beginning of a result signal. */
  #isHalfSignal(open: readonly Square[]): boolean {
    const { cells } = this.head.position;
    const isKing = (cell: Cell): boolean => roleOfCell(cell) === 'king';
    return (
      open.some((s) => isCentre(s) && isKing(this.scene.board[s]!)) ||
      open.filter((s) => isKing(cells[s]!)).length === 2
    );
  }

  #notePromotion(open: readonly Square[]): void {
    const turn = this.base.position.turn;
    const rank = turn === 'white' ? 7 : 0;
    for (const square of open) {
      const seen = this.scene.board[square]!;
      if (rankOf(square) === rank && roleOfCell(seen) === 'pawn' && sideOfCell(seen) === turn) {
        this.#raise('PROMO_PENDING', this.base.number + 1, makeSquare(square));
        return;
      }
    }
  }

  /** A piece back on its square after more than a nudge: an observation (4.2). */
  #observeReturn(change: SeenChange): void {
    const home = this.base.position.cells[change.square]!;
    if (home === EMPTY || change.after !== home || change.before !== EMPTY || this.tail !== undefined) return;
    const lifted = this.scene.liftedAtMs[change.square]!;
    if (change.atMs - lifted < this.scene.waits.nudgeMs) return;
    if (!this.#window.some((c) => c.square === change.square && c.before === home && c.after === EMPTY))
      return;
    const own = sideOfCell(home) === this.base.position.turn;
    if (own) this.#raise('TOUCH', this.base.number + 1, makeSquare(change.square));
    else this.#raise('OUT_OF_TURN', this.base.number + 1, makeSquare(change.square), 'info');
  }

  /** The piece of the placed ply has left its square and is seen elsewhere. */
  #hasGoneOn(): boolean {
    const { board } = this.scene;
    const { to, changes, position } = this.tail!;
    const piece = changes[0]!.after;
    return (
      board[to] !== piece && differences(board, position.cells, this.#stale).some((s) => board[s] === piece)
    );
  }

  /** The placed ply no longer stands, and nothing has taken its place. */
  #dropTail(): void {
    this.tail = undefined;
    this.#rivals = [];
  }

  /** Both kings stand in the centre: a king step that was only placed was half of the signal, not a move. */
  dropKingStep(): void {
    if (this.tail === undefined || !isCentre(this.tail.to) || this.tail.move?.captured !== undefined) return;
    if (roleOfCell(this.tail.changes[0]?.after ?? EMPTY) === 'king') this.tail = undefined;
  }

  /** The picture is wrong on these squares and known to be: they count as explained until they change. */
  excuse(squares: readonly Square[]): void {
    for (const square of squares) this.#stale.set(square, this.scene.board[square]!);
  }

  #raise(code: string, ply: number, detail?: string, severity?: Severity, atMs = this.scene.nowMs): void {
    const word = code.replace(/\(.*$/, '') as FlagWord;
    this.raised.push({
      code,
      severity: severity ?? FLAG_WORDS[word][0],
      ply,
      atMs,
      ...(detail === undefined ? {} : { detail }),
    });
  }
}

/** Mate and stalemate stand by themselves; a piece that leaves too little material may still be exchanged for another. */
const isFinal = (position: Position): boolean => {
  const ending = position.ending();
  return ending === 'checkmate' || ending === 'stalemate';
};

const isSameMove = (a: Move, b: Move): boolean =>
  a.from === b.from && a.to === b.to && a.promotion === b.promotion;

const sansOf = (position: Position, moves: readonly Move[]): string[] => {
  const sans: string[] = [];
  let at = position;
  for (const move of moves) {
    sans.push(at.san(move));
    at = at.play(move);
  }
  return sans;
};
