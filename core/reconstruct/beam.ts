/**
 * Several readings of what a board has told, side by side, the least costly first (a beam search). Every change of a
 * square lets each reading grow by the legal moves that now stand done, and keeps the reading without them: a piece
 * that rests on its way is both. Where a move must have been played and none stands exactly, the rough ones come in with
 * what they leave unexplained as their cost. What comes later decides; until then a ply on which readings disagree is
 * ambiguous.
 */
import { cellsAgree, EMPTY, makeSquares, OCCUPIED, roleOfCell, sideOfCell, UNKNOWN } from '../placement.ts';
import type { Move, Position } from '../position.ts';
import { opponent, type Square } from '../square.ts';
import type { Press } from '../table.ts';
import { GONE_MS, ORDER_MS, PUT_AWAY } from './cost.ts';
import { Desk } from './desk.ts';
import { type Guess, MARGIN } from './infer.ts';
import { copyReadings, type Entry, isChanges, Journal, type Mark, replayScene } from './journal.ts';
import { differences, isUnderWay, NO_STALE, shows } from './match.ts';
import {
  candidatesOf,
  createIllegalPly,
  createPly,
  isAncestor,
  isSameLine,
  isSamePosition,
  keepsAgreed,
  type Line,
  type Node,
  nodeAt,
  noteOrders,
  sanOf,
  sharedNumber,
} from './node.ts';
import { PATIENT, type Patience, USUAL } from './patience.ts';
import type { UnheardPresses } from './press-count.ts';
import { Reading, type SeenPress } from './reading.ts';
import { guessesOf } from './rough.ts';
import { clockOf, type Scene, type SeenChange } from './scene.ts';
import { isCentre, OPEN_RESIDUES, tellOfResidues } from './tell.ts';
import {
  GAP_BUDGET,
  GAP_PLIES,
  type PliesDue,
  pliesDue,
  TRY_BUDGET,
  undueCost,
  type Way,
  waysThrough,
} from './ways.ts';

/** No more than this is somewhat more (`Patience`). */
const DECIDED_BY_PLIES = 1.2;
/** A line that has cost so much of late, and so much since the last look, makes one look again. */
const TROUBLE = 2;
const MORE_TROUBLE = 1.5;
/** What happens at least between two looks. */
const LOOK_WAIT = 3;
/** Entries of the journal that are read once more at a time, and the time between, ms. */
const LOOK_ENTRIES = 5;
const LOOK_MS = 20;
/** Less than this, and little is in doubt. */
const CALM = 1.5;
/** What was agreed once is not given up for a reading that is no more than this much better. */
const AMEND_COST = 1.5;
/** More for each ply that was agreed, and pressed. */
const AMENDED_COST = 0.3;
const AMENDED_PRESSED_COST = 0.8;
const AMEND_MOST = 4;
const FIRM_MS = 3000;
/** Costs of promotions other than to a queen where sensors cannot tell. */
const PROMOTION_COST: Partial<Record<string, number>> = { queen: 0, knight: 2.5, rook: 3, bishop: 3.5 };
const TAKEBACK_COST = 0.8;
const MORE_TAKEN_BACK_COST = 0.6;
/** So many plies may be taken back before the board shows an earlier position. */
const TAKEBACK_DEPTH = 12;
/** So many plies taken back, and so many made after them with no press, are no play. */
const ANALYSED_BACK = 2;
const ANALYSED_ON = 3;
/** A press for which there is no move. */
const IDLE_PRESS_COST = 3;
/** A lift from a square on which nothing should stand. */
const PHANTOM_COST = 2;
/** A change that is told twice within this is one, ms. */
const REPEATED_MS = 1000;
/** A ply that was placed before the one it follows. */
const DISORDER_COST = 1.5;
/** What is only in hands costs less. */
const IN_HANDS = 0.5;
/** So much unexplained makes one think of moves that were not seen whole. */
const DOUBT = 0.9;
/** And so does a line that has cost so much more than another one had before. */
const DEAR = 2;
/** Each ply lets some of what a line has cost be forgotten. */
const DEBT_KEPT = 0.8;
/** A ply that nobody saw, where another line needs fewer. */
const MISSED_COST = 0.25;
/** So many readings look for ways through a gap. */
const BRIDGED = 4;
const MAX_TRIES = 30;
/** So many presses after the last agreed ply, and the board far from it: play goes on, and is not followed. */
const UNFOLLOWED_PRESSES = 5;
/** More pieces than hands hold. */
const MAX_IN_HANDS = 4;
/** Plies that may stand done at once. */
const MAX_AT_ONCE = 3;

export class Beam {
  readonly scene: Scene;
  /** Grows with every change of the best line and of what else it may be, so that whoever reports it need not compare. */
  version = 0;
  /** What the desk is told. */
  readonly desk: Desk;
  /** The game is over and was not signalled: nothing is appended. */
  frozen = false;
  /** A game that was taken back, kept in case it was its end that nobody signalled. */
  parked: Node | undefined;
  /** The last agreed ply. */
  base: Node;
  /** Every line that is still thought possible, the best first. */
  lines: readonly Line[];
  #readings: Reading[];
  #told: Node;
  /** Nothing has happened since rough readings were last thought of, or since the board at rest was last told of. */
  #guessed = true;
  #restTold = true;
  #goneSeen = true;
  /** The board shows what no plies lead to from the last known one. */
  #isLost = false;
  /** How often more it is tried to find it again between two pictures. */
  #tries = 0;
  /** What the best line has cost of late. */
  #debt = 0;
  #isAnswered = false;
  /** The last press while nothing that it could be for stands exactly; told of once. */
  #judge: SeenPress | undefined;
  #pressed = false;
  #pressesSinceTakeback = 0;
  #pressesSinceBase = 0;
  /** Where the last take-back led to. */
  #takenBackTo: Node | undefined;

  readonly #patience: Patience;
  /** What has happened, for a second look. */
  readonly #journal: Journal | undefined;
  /** What the best line has cost in all, and what it had when it was last looked at again. */
  #paid = 0;
  #lookedPaid = 0;
  /** When the journal has grown to this, and by how much more each time nothing came of it. */
  #lookAt = 0;
  #lookWait = LOOK_WAIT;
  /** A second look that is under way. */
  #look: Look | undefined;

  constructor(scene: Scene, root: Node, patience = USUAL) {
    this.scene = scene;
    this.desk = new Desk(scene);
    this.base = root;
    this.#told = root;
    this.#readings = [new Reading(root, 0)];
    this.lines = [{ head: root, cost: 0, past: 0 }];
    this.#patience = patience;
    this.#journal = patience === USUAL ? new Journal() : undefined;
  }

  get #best(): Reading {
    return this.#readings[0]!;
  }

  /** The last ply of the best line, agreed or only placed. */
  get head(): Node {
    return this.#best.head;
  }

  /** Squares that differ from the last ply without an excuse. */
  openSquares(): readonly Square[] {
    return this.#best.open(this.scene);
  }

  // ---------------------------------------------------------------- sensors

  /** Takes changes that the board now shows. */
  onChanges(changes: readonly SeenChange[]): void {
    if (this.frozen) return;
    this.#journal?.note(changes, this.scene);
    this.#see(changes);
    this.#goOnLooking();
    this.#mark();
  }

  #see(changes: readonly SeenChange[]): void {
    const alone = changes.length === 1 ? this.scene : undefined;
    for (const change of changes) {
      this.scene.told.delete(change.square);
      for (const reading of this.#readings) reading.see(change, alone);
    }
    if (this.#isLost) {
      for (const reading of this.#readings) reading.pend = [];
      this.#restTold = false;
      this.#lookAgain();
      const isPut = changes.some((c) => c.after !== EMPTY);
      if (isPut && this.#tries > 0 && this.openSquares().length <= GAP_PLIES) {
        this.#tries--;
        this.#findAgain(TRY_BUDGET);
      }
      return;
    }
    if (this.head.confirmed) this.desk.tellOfHands(this.#best, changes);
    const signs = changes.map((c) => c.square);
    const wasSeen = changes.some((c) => !c.fromDump);
    const grown: Reading[] = [];
    for (const reading of this.#readings) {
      this.#grow(reading, signs, grown);
      if (wasSeen) this.#takeBack(reading, grown);
    }
    this.#readings.push(...grown);
    this.#guessed = false;
    this.#settle();
    // With everything explained there is nothing to wait for.
    const isClear = this.#readings.length === 1 && this.openSquares().length === 0;
    this.#guessed = !this.#isInDoubt();
    this.#isAnswered = !this.#guessed && this.#looksAnswered(changes);
    this.#restTold = isClear && this.head.residues === undefined && this.parked === undefined;
    this.#goneSeen = isClear;
    this.#guessWhenDue();
  }

  /** Much of what the board shows is not explained, or at a price. */
  #isInDoubt(): boolean {
    const { cost } = this.#best;
    return cost >= DEAR || this.#best.score(this.scene) - cost >= DOUBT;
  }

  /** The other side has put a piece down while one of the side to move is still on no square. */
  #looksAnswered(changes: readonly SeenChange[]): boolean {
    const { board, identity } = this.scene;
    const { cells, turn } = this.#best.position;
    const open = this.openSquares();
    return (
      identity &&
      changes.some(
        (c) =>
          sideOfCell(c.after) === opponent(turn) &&
          (cells[c.square] !== c.after || open.some((s) => board[s] === EMPTY && cells[s] === c.after)),
      ) &&
      open.some((s) => board[s] === EMPTY && sideOfCell(cells[s]!) === turn)
    );
  }

  /**
   * A square reported empty although the board thought it was: proof that something had stood there unseen. Where a
   * reading expects a piece, it is that piece being lifted.
   */
  onPhantomLift(square: Square): void {
    if (this.scene.nowMs - this.scene.changedAtMs[square]! < REPEATED_MS) return;
    this.#journal?.note(square, this.scene);
    for (const reading of this.#readings) {
      const before = reading.position.cells[square]!;
      if (before === EMPTY) reading.cost += PHANTOM_COST;
      else if (reading.excused.has(square))
        reading.see({ square, before, after: EMPTY, atMs: this.scene.nowMs, fromDump: false });
    }
    this.#settle();
  }

  /** Readings in which moves that now stand done have been played, one after the other. */
  #grow(reading: Reading, signs: readonly Square[], out: Reading[], depth = 1): void {
    for (const move of reading.movesDone(this.scene, signs)) {
      const child = this.#play(reading, move, 0);
      out.push(child);
      if (depth < MAX_AT_ONCE) this.#grow(child, child.signs(this.scene), out, depth + 1);
    }
  }

  #play(reading: Reading, move: Move, cost: number, inferred = false): Reading {
    const { board } = this.scene;
    const node = createPly(reading.head, move, this.#placedAtMs(reading, move), inferred);
    let more = cost + reading.lateLiftCost(move, this.scene);
    if (node.madeAtMs < reading.head.madeAtMs - ORDER_MS) more += DISORDER_COST;
    if (move.promotion !== undefined && (board[move.to] === OCCUPIED || board[move.to] === UNKNOWN)) {
      more += PROMOTION_COST[move.promotion] ?? 0;
      node.isAssumed = true;
    }
    return reading.grow(node, move, this.scene, more);
  }

  /** When a move was made, as far as it was seen: when its piece was put down, or else the last of its signs. */
  #placedAtMs({ pend }: Reading, { to, changes }: Pick<Move, 'to' | 'changes'>): number {
    const put = pend.findLast(
      (c) => c.square === to && c.after !== EMPTY && cellsAgree(c.after, changes[0]!.after),
    );
    const sign = put ?? pend.findLast((c) => changes.some(({ square }) => square === c.square));
    return sign?.atMs ?? this.scene.nowMs;
  }

  /** The board stands as it did before the last plies. */
  #takeBack(reading: Reading, out: Reading[]): void {
    let node = reading.head;
    if (reading.open(this.scene).length === 0) return;
    for (let depth = 1; node.parent !== undefined && depth <= TAKEBACK_DEPTH; depth++) {
      const ancestor: Node = node.parent;
      // A ply that was only placed is put back by the reading that never took it for one.
      const isShown = node.confirmed && this.#isShown(ancestor.position);
      node = ancestor;
      if (!isShown) continue;
      const undone = differences(reading.position.cells, ancestor.position.cells, NO_STALE);
      if (reading.hasSeen(undone)) {
        const cost = reading.touchedCost(undone) + TAKEBACK_COST + (depth - 1) * MORE_TAKEN_BACK_COST;
        const back = new Reading(ancestor, reading.cost + cost);
        back.isTakenBack = true;
        out.push(back);
        return;
      }
    }
  }

  #isShown({ occupied, cells }: Position): boolean {
    return this.scene.mayShow(occupied) && shows(this.scene.board, cells, NO_STALE);
  }

  // ---------------------------------------------------------------- moves that were not seen whole

  /** Moves of which some sign was seen and some was not, for readings that leave much unexplained. */
  #guess(): void {
    const grown: Reading[] = [];
    for (const reading of this.#readings.slice(0, this.#patience.guessing)) {
      const open = reading.open(this.scene);
      if (open.length === 0 || open.length > PUT_AWAY) continue;
      if (reading.score(this.scene) - reading.cost < DOUBT) continue;
      this.#grow(reading, open, grown);
      for (const guess of guessesOf(reading, this.scene)) {
        const child = this.#playGuess(reading, guess);
        grown.push(child);
        this.#grow(child, child.signs(this.scene), grown);
      }
    }
    this.#readings.push(...grown);
  }

  #playGuess(reading: Reading, guess: Guess): Reading {
    const { board } = this.scene;
    let child: Reading;
    if (guess.move === undefined) {
      const madeAtMs = this.#placedAtMs(reading, guess);
      const node = createIllegalPly(reading.head, guess.from, guess.to, guess.changes, madeAtMs);
      child = reading.grow(node, undefined, this.scene, guess.cost);
    } else {
      const unseen = guess.residues.some((r) => r.residue === 'arrival-missing');
      child = this.#play(reading, guess.move, guess.cost, unseen);
    }
    if (guess.residues.length > 0) child.head.residues = guess.residues;
    const { cells } = child.position;
    for (const { square } of guess.residues)
      if (!cellsAgree(board[square]!, cells[square]!)) child.excuse(square, this.scene);
    return child;
  }

  // ---------------------------------------------------------------- gaps

  /** The link is lost: what somebody has pressed for stands there, and is not explained by what nobody will see. */
  onLinkLost(): void {
    if (this.frozen) return;
    for (const reading of this.#readings)
      if (reading.presses.length > 0) reading.cost = reading.score(this.scene);
    this.#settle();
  }

  /**
   * After a gap: explains the picture by up to twelve plies. `changed` are the squares of which the board has told
   * something since the link was lost.
   */
  resume(changed: readonly Square[], { press, unheard, forMs }: Unseen): void {
    if (this.frozen) return;
    this.#journal?.clear();
    const { board, nowMs } = this.scene;
    const due = unheard && new Map(this.#readings.map((reading) => [reading, pliesDue(reading, unheard)]));
    for (const reading of this.#readings) {
      reading.pend = [];
      reading.presses = [];
      for (const square of changed) {
        const before = reading.position.cells[square]!;
        const after = board[square]!;
        if (!cellsAgree(after, before)) reading.see({ square, before, after, atMs: nowMs, fromDump: true });
        else reading.excused.delete(square);
      }
    }
    this.#findAgain(GAP_BUDGET, forMs, due);
    if (press !== undefined && this.head.mover === press.side) this.onPress(press, press.atMs);
  }

  /**
   * Looks for plies that lead to the picture; without any the thread is lost, and nothing is concluded until a picture is
   * one that they lead to.
   */
  #findAgain(
    budget = GAP_BUDGET,
    forMs = Number.POSITIVE_INFINITY,
    due?: ReadonlyMap<Reading, PliesDue>,
  ): void {
    this.#bridge(GAP_PLIES, budget, forMs, due);
    const open = this.openSquares();
    this.#debt = 0;
    const isFar = open.length > MAX_IN_HANDS && !isUnderWay(this.scene.board, this.head.position, open);
    if (isFar) this.#loseThread();
    else this.#isLost = false;
  }

  #loseThread(): void {
    if (!this.#isLost) this.#tries = MAX_TRIES;
    this.#isLost = true;
  }

  /** A whole picture that single changes do not explain: a few plies may have been missed. */
  resumeFromPicture(): void {
    if (this.frozen) return;
    this.#journal?.note('picture', this.scene);
    if (this.#isLost) this.#findAgain();
    else this.#bridge(this.openSquares().length > 2 ? 4 : 2, 6000);
  }

  /** Ways that lead from the best readings to the picture. */
  #bridge(
    maxPlies: number,
    budget: number,
    forMs = Number.POSITIVE_INFINITY,
    due?: ReadonlyMap<Reading, PliesDue>,
  ): void {
    const grown: Reading[] = [];
    const before = this.head.number;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [i, reading] of this.#readings.slice(0, BRIDGED).entries()) {
      const bounds = { maxPlies, budget, isFar: i === 0 && maxPlies > 2, forMs, due: due?.get(reading) };
      for (const way of waysThrough(reading, this.scene, bounds)) {
        const at = this.#walk(reading, way);
        if (due === undefined) at.cost += MISSED_COST * way.line.length;
        fewest = Math.min(fewest, way.line.length);
        grown.push(at);
      }
      if (reading.open(this.scene).length > 0) continue;
      fewest = 0;
      reading.cost += undueCost(bounds.due, 0);
    }
    // How many plies are missing says nothing against a line; that it needs more than another does, unless the clock tells.
    if (due === undefined) for (const reading of grown) reading.cost -= MISSED_COST * fewest;
    this.#readings.push(...grown);
    const least = Math.min(...grown.map((r) => r.cost));
    const equal = grown.filter((r) => r.cost <= least + MARGIN);
    this.desk.tellOfOrders(
      equal.map((r) => r.head),
      before,
    );
    this.#settle();
    const missed = this.head.number - before;
    if (missed > 2) this.desk.raise(`MISSED_PLIES(${missed})`, before + 1);
  }

  #walk(reading: Reading, { line, cost, cut, inAir }: Way): Reading {
    let at = reading;
    for (const move of line) at = this.#play(at, move, 0, true);
    at.pend = [];
    at.cost += cost;
    if (inAir !== undefined) at.see(inAir);
    if (cut) for (let n = at.head; n !== reading.head; n = n.parent!) n.orders ??= [sanOf(n)];
    return at;
  }

  // ---------------------------------------------------------------- belief

  /** Puts the readings in order, gives up what has become unlikely, and draws the conclusions. */
  #settle(): void {
    if (this.#readings.length === 1) {
      const [only] = this.#readings;
      this.#pay(only!.cost);
      only!.cost = 0;
      if (this.lines.length !== 1 || this.lines[0]!.head !== only!.head) {
        this.lines = [{ head: only!.head, cost: 0, past: 0 }];
        this.version++;
      }
      this.#conclude();
      return;
    }
    const scored = this.#ranked();
    const limit = scored[0]!.rank + this.#patience.prune;
    const kept: Scored[] = [];
    for (const entry of scored) {
      if (entry.rank > limit) break;
      const { head } = entry.reading;
      let at = 0;
      while (at < kept.length && !isSamePosition(kept[at]!.reading.head, head)) at++;
      const same = kept[at];
      if (same === undefined) {
        if (kept.length < this.#patience.readings) kept.push(entry);
      } else if (entry.score <= same.score + MARGIN) {
        if (noteOrders(same.reading.head, head)) this.version++;
        // The same ply, seen to be made before: what has happened since may say more of it.
        if (isMadeBefore(head, same.reading.head)) kept[at] = entry;
      }
    }
    const [best] = kept;
    const left = kept.filter((other) => other === best || !isDecided(best!, other, this.#patience));
    let least = Number.POSITIVE_INFINITY;
    for (const { reading } of left) least = Math.min(least, reading.cost);
    this.#pay(least);
    const readings: Reading[] = [];
    const lines: Line[] = [];
    for (const { reading, score } of left) {
      reading.cost -= least;
      readings.push(reading);
      lines.push({ head: reading.head, cost: score - best!.score, past: reading.cost });
    }
    this.#readings = readings;
    // A line less may be one in which another piece was promoted.
    const isFewer = lines.length < this.lines.length && this.scene.vague > 0;
    if (isFewer || !areSameNear(this.lines, lines)) this.version++;
    this.lines = lines;
    this.#conclude();
  }

  /** All readings in order, the likeliest first. */
  #ranked(): Scored[] {
    const base = this.#firm();
    const scored: Scored[] = [];
    for (const reading of this.#readings) {
      // What was agreed is given up for a better reading only, not for one as good.
      const at = nodeAt(reading.head, base.number);
      const keeps = reading.isTakenBack || (at !== undefined && keepsAgreed(at, base));
      const score = reading.score(this.scene);
      const rank = score + (keeps ? 0 : AMEND_COST);
      // Of equals the later one: what was touched last was meant.
      let place = scored.length;
      for (; place > 0; place--) {
        const before = scored[place - 1]!;
        if (before.rank < rank) break;
        if (before.rank === rank && before.reading.head.madeAtMs >= reading.head.madeAtMs) break;
      }
      scored.splice(place, 0, { reading, score, rank });
    }
    return scored;
  }

  #pay(cost: number): void {
    this.#debt += cost;
    this.#paid += cost;
  }

  /** The last ply that was pressed, or agreed a while ago. */
  #firm(): Node {
    let node = this.base;
    if (node.isResting === true && node.pressedAtMs === undefined) node = node.parent ?? node;
    while (
      node.parent !== undefined &&
      node.pressedAtMs === undefined &&
      this.scene.nowMs - (node.agreedAtMs ?? this.scene.nowMs) < FIRM_MS
    )
      node = node.parent;
    return node;
  }

  /** What follows from the best reading being the best. */
  #conclude(): void {
    if (this.#debt > TROUBLE && this.#paid > this.#lookedPaid + MORE_TROUBLE) this.#lookAgain();
    const { head } = this.#best;
    const told = this.#told;
    if (head !== told) {
      this.version++;
      this.#told = head;
      this.#leave(told, head);
      if (this.#debt > this.#patience.bankrupt) this.#loseThread();
      this.#debt *= DEBT_KEPT;
      if (isAncestor(head, this.base)) this.#tellOfTakeBack(head, this.base);
      if (this.#isAnalysis()) {
        this.#callPostgame();
        return;
      }
    }
    // A reply at a price says little, until moves that were not seen whole have been thought of.
    const isAnswer = this.#guessed || this.#best.cost < DEAR;
    if (head.parent !== undefined && isAnswer) this.#confirm(head.parent, true);
    if (head.pressedAtMs !== undefined && this.scene.waits.scanMs === 0 && this.#standsAlone())
      this.#confirm(head);
    this.#rebase();
  }

  /** What was agreed a moment ago and is not in the best line any more was agreed too soon. */
  #leave(told: Node, head: Node): void {
    if (isAncestor(head, told)) return;
    const shared = sharedNumber(told, head);
    for (let ply: Node | undefined = told; ply !== undefined && ply.number > shared; ply = ply.parent) {
      const isFirm = ply.pressedAtMs !== undefined || this.scene.nowMs - (ply.agreedAtMs ?? 0) >= FIRM_MS;
      if (ply.confirmed && !isFirm) ply.confirmed = false;
    }
  }

  /** Several plies were taken back beside a clock, and others are made that nobody presses for. */
  #isAnalysis(): boolean {
    const { parked } = this;
    const from = this.#takenBackTo;
    if (parked === undefined || from === undefined || !this.scene.clockSeen || this.#pressesSinceTakeback > 0)
      return false;
    return parked.number - from.number >= ANALYSED_BACK && this.head.number - from.number >= ANALYSED_ON;
  }

  #tellOfTakeBack(head: Node, told: Node): void {
    const isIllegal = told.move === undefined && head === told.parent;
    if (!isIllegal) this.desk.raise('TAKEBACK', head.number + 1);
    // What was taken back in one go is kept whole, until play goes on.
    this.parked ??= told;
    this.#pressesSinceTakeback = 0;
    this.#takenBackTo = head;
    const { decided } = this.#patience;
    this.#readings = this.#readings.filter((_, i) => this.lines[i]!.cost < decided);
    this.lines = this.lines.filter(({ cost }) => cost < decided);
  }

  /** The last ply stands, and nothing else is about than hands on the next. */
  #standsAlone(): boolean {
    return !this.#isOpen(this.head) && this.#best.openCost(this.scene) < IN_HANDS;
  }

  #isKingUp(): boolean {
    const { cells } = this.head.position;
    return this.openSquares().some((s) => this.scene.board[s] === EMPTY && roleOfCell(cells[s]!) === 'king');
  }

  /** Something that belongs to the ply is not known well enough. */
  #isOpen(ply: Node): boolean {
    const { board } = this.scene;
    const { cells } = ply.position;
    return (
      ply.residues?.some(
        (r) => OPEN_RESIDUES.includes(r.residue) && !cellsAgree(board[r.square]!, cells[r.square]!),
      ) === true
    );
  }

  #rebase(): void {
    let base = this.head;
    while (!base.confirmed && base.parent !== undefined) base = base.parent;
    if (base === this.base) return;
    if (base.number > this.base.number) base.parent?.parent?.parent?.position.forget();
    this.base = base;
    this.#pressesSinceBase = 0;
    this.version++;
  }

  /** The last ply, or that it was taken back, is not in question any more: rivals that cost more are given up. */
  #decide(): void {
    if (this.lines.length === 1) return;
    const { head } = this;
    this.version++;
    const { decided, decidedByPress } = this.#patience;
    const least = head.pressedAtMs === undefined ? decided : decidedByPress;
    const isRival = ({ head: other, cost }: Line): boolean => {
      if (cost < least) return false;
      const at = nodeAt(other, head.number);
      return at === undefined || !isSameLine(at, head);
    };
    this.#readings = this.#readings.filter((_, i) => i === 0 || !isRival(this.lines[i]!));
    this.lines = this.lines.filter((line, i) => i === 0 || !isRival(line));
  }

  /** What sensors tell of a hand that has just pressed may still be under way. */
  #isJustPressed({ pressedAtMs }: Node): boolean {
    return pressedAtMs !== undefined && this.scene.nowMs < pressedAtMs + 2 * this.scene.waits.scanMs;
  }

  /** A ply and all before it are agreed; `answered` when it is the reply that says so. */
  #confirm(node: Node, answered = false): void {
    const line: Node[] = [];
    for (let at: Node | undefined = node; at !== undefined && !at.confirmed; at = at.parent) line.push(at);
    for (const ply of line.reverse()) {
      ply.confirmed = true;
      ply.doubted = candidatesOf(ply, this.lines).length > 1;
      ply.agreedAtMs = this.scene.nowMs;
      ply.completedAtMs ??= this.scene.nowMs;
      // What the clock showed when a ply was completed that nobody saw is not known.
      if (!ply.inferred && ply.mover !== undefined) ply.clockMs ??= clockOf(this.scene, ply.mover);
      this.desk.tellOfConfirmed(ply, answered || ply !== node);
      if (ply.parent !== undefined) this.#tellOfDoubt(ply.parent);
    }
    if (line.length === 0) return;
    this.version++;
    if (
      node.pressedAtMs !== undefined &&
      node.pressedAtMs === this.#judge?.atMs &&
      node.residues === undefined
    )
      this.#judge = undefined;
    if (node === this.head && node.isResting !== true && !this.#isJustPressed(node)) this.#decide();
    this.desk.tellOfVanished(node, this.#best);
    this.#excuseWhatStays();
    // Play goes on: what was taken back was no end.
    const goesOn = this.scene.clockSeen
      ? node.pressedAtMs !== undefined
      : node.number > (this.parked?.number ?? 0);
    if (goesOn) this.parked = undefined;
  }

  #tellOfDoubt(ply: Node): void {
    if (ply.confirmed && ply.parent !== undefined) this.desk.tellOfDoubt(ply, candidatesOf(ply, this.lines));
  }

  /** Whether the agreed line has reached its end on the board. */
  endsGame(): boolean {
    // Only a legal move ends the game (5.1.1, 5.2.1, 5.2.2).
    return this.base.move !== undefined && this.base.position.ending() !== undefined;
  }

  // ---------------------------------------------------------------- a second look

  /** Remembers how things stand, if little is in doubt and it is time. */
  #mark(): void {
    const journal = this.#journal;
    if (journal === undefined || this.#look !== undefined) return;
    if (this.#isLost || this.parked !== undefined) return;
    if (this.#debt > CALM || !journal.wantsMark(this.head.number)) return;
    this.#lookWait = LOOK_WAIT;
    journal.mark(this.scene, this.#readings, this.head.number, this.#paid);
  }

  /**
   * The best line keeps costing, or is lost: what has happened is read once more from where little was in doubt, with patience
   * for readings that were given up. That goes on beside, a few entries of the journal at a time.
   */
  #lookAgain(): void {
    const journal = this.#journal;
    const seen = journal?.read();
    if (seen === undefined || this.#look !== undefined || journal!.noted < this.#lookAt) return;
    this.#lookedPaid = this.#paid;
    this.#lookWait *= 2;
    this.#lookAt = journal!.noted + this.#lookWait;
    this.#look = { beam: Beam.#from(seen.mark), entries: seen.entries, at: seen.mark.from };
  }

  #goOnLooking(): void {
    const look = this.#look;
    if (look === undefined) return;
    const { beam, entries } = look;
    const isStale = this.#journal!.read()?.entries !== entries;
    if (isStale) this.#look = undefined;
    const until = isStale ? 0 : Math.min(entries.length, look.at + LOOK_ENTRIES);
    for (; look.at < until; look.at++) beam.#replay(entries[look.at]!);
    if (isStale || look.at < entries.length) return;
    beam.#runTo(this.scene.nowMs);
    this.#look = undefined;
    if (this.#isBetter(beam)) this.#adopt(beam);
  }

  /** Whether another reading of it all is worth giving up what was agreed. */
  #isBetter(again: Beam): boolean {
    if (isSameLine(again.head, this.head) && !this.#isLost) return false;
    let amend = AMEND_COST;
    const shared = sharedNumber(again.head, this.base);
    for (let ply: Node | undefined = this.base; ply !== undefined && ply.number > shared; ply = ply.parent)
      amend += ply.pressedAtMs === undefined ? AMENDED_COST : AMENDED_PRESSED_COST;
    return again.#total() <= this.#total() - Math.min(amend, AMEND_MOST);
  }

  #adopt(again: Beam): void {
    this.desk.takeOver(again.desk, sharedNumber(again.head, this.base));
    this.#lookWait = LOOK_WAIT;
    this.#readings = again.#readings;
    this.lines = again.lines;
    this.base = again.base;
    this.#debt = again.#debt;
    this.#paid = this.#lookedPaid = again.#paid;
    this.#isLost = false;
    this.#guessed = again.#guessed;
    this.#restTold = again.#restTold;
    this.#goneSeen = again.#goneSeen;
    this.#isAnswered = again.#isAnswered;
    this.#judge = again.#judge;
    this.parked = again.parked;
    this.#takenBackTo = again.#takenBackTo;
    this.#pressesSinceTakeback = again.#pressesSinceTakeback;
    this.#told = again.#told;
    this.version++;
  }

  /** All that speaks against the best line since it began. */
  #total(): number {
    return this.#paid + this.#best.score(this.scene);
  }

  /** Readings that go on from a mark. */
  static #from(mark: Mark): Beam {
    const readings = copyReadings(mark.readings);
    const beam = new Beam(mark.scene.copy(), readings[0]!.head, PATIENT);
    beam.#readings = readings;
    beam.lines = readings.map(({ head, cost }) => ({ head, cost, past: cost }));
    beam.#paid = mark.paid;
    beam.#pressed = true;
    beam.#restTold = false;
    beam.#rebase();
    return beam;
  }

  #replay(entry: Entry): void {
    this.#runTo(entry.nowMs);
    replayScene(this.scene, entry);
    const { what } = entry;
    if (isChanges(what)) this.#see(what);
    else if (typeof what === 'number') this.onPhantomLift(what);
    else if (what === 'picture') this.resumeFromPicture();
    else this.onPress(what, what.atMs);
  }

  #runTo(ms: number): void {
    const { scene } = this;
    for (let wake = this.wakeAtMs(); wake !== undefined && wake <= ms; wake = this.wakeAtMs()) {
      scene.nowMs = wake;
      this.onTick(false);
    }
    scene.nowMs = ms;
  }

  // ---------------------------------------------------------------- presses

  /** Somebody has pressed the clock. */
  onPress(press: Press, atMs = this.scene.nowMs): void {
    if (this.frozen) return;
    const seen = { ...press, atMs };
    this.#journal?.note(seen, this.scene);
    this.#pressesSinceTakeback++;
    this.#pressesSinceBase++;
    this.#pressed = true;
    for (const reading of this.#readings) reading.press(seen, this.scene);
    this.#judge = seen;
    this.#guessed = false;
    this.version++;
    this.#settle();
    this.#guessWhenDue();
    this.#goOnLooking();
    this.#tellIfUnfollowed();
  }

  /** Nobody rests where the clock is pressed all the time: that the thread is lost is told all the same. */
  #tellIfUnfollowed(): void {
    if (this.#pressesSinceBase < UNFOLLOWED_PRESSES) return;
    const open = this.openSquares();
    if (open.length > 2) this.desk.raiseOnce('DISPLACED', this.head.number + 1, makeSquares(open));
  }

  /** Whether this press can only belong to the other face of the clock: nobody else has anything to press for. */
  saysFacesExchanged(press: Press): boolean {
    const { head } = this;
    return !this.#pressed && head.number === 1 && !head.confirmed && press.side !== head.mover;
  }

  /** A second after a press: says what is wrong with the ply that it was for. */
  #judgePress(press: SeenPress): void {
    const { head, presses } = this.#best;
    if (head.pressedAtMs === press.atMs) {
      this.desk.tellOfResidues(head);
      if (head.confirmed) this.#decide();
      if (head.confirmed || this.#isOpen(head)) return;
      if (!this.#standsAlone()) this.#tellOfRest(this.#squaresBefore(press));
      // With a king off the board it is not the whole ply.
      if (!this.#isKingUp()) this.#confirm(head);
      return;
    }
    if (!presses.includes(press)) return;
    const open = this.openSquares();
    if (open.length === 0) {
      this.desk.raise('PRESSED_WITHOUT_MOVE', head.number + 1, undefined, press.atMs);
      this.#best.presses = presses.filter((p) => p !== press);
      for (const reading of this.#readings)
        if (reading.presses.includes(press)) reading.cost += IDLE_PRESS_COST;
      return;
    }
    const [guess] = guessesOf(this.#best, this.scene);
    const tells = guess === undefined ? [] : tellOfResidues(guess.residues);
    for (const tell of tells) this.desk.tell(tell, head.number + 1, press.atMs);
    if (tells.length === 0) this.#tellOfRest();
  }

  // ---------------------------------------------------------------- time

  /** When the readings want to look again if nothing happens; undefined when never. */
  wakeAtMs(): number | undefined {
    if (this.frozen) return undefined;
    const { waits, lastChangeMs, nowMs } = this.scene;
    let wake = Number.POSITIVE_INFINITY;
    if (!this.#guessed && !this.#isLost) wake = sooner(wake, this.#guessAtMs(), nowMs);
    if (this.#judge !== undefined) wake = sooner(wake, this.#judge.atMs + waits.graceMs, nowMs);
    if (!this.#restTold) wake = sooner(wake, lastChangeMs + waits.displacedMs, nowMs);
    if (!this.#goneSeen) wake = sooner(wake, lastChangeMs + GONE_MS + 1, nowMs);
    if (this.#look !== undefined) wake = sooner(wake, nowMs + LOOK_MS, nowMs);
    wake = sooner(wake, this.desk.owedAtMs ?? wake, nowMs);
    const { head } = this;
    if (!head.confirmed) {
      if (head.pressedAtMs !== undefined) wake = sooner(wake, head.pressedAtMs + waits.scanMs, nowMs);
      else {
        wake = sooner(wake, lastChangeMs + this.#restMs(), nowMs);
        if (isFinal(head.position)) wake = sooner(wake, lastChangeMs + waits.finalMs, nowMs);
      }
    }
    return wake === Number.POSITIVE_INFINITY ? undefined : wake;
  }

  /**
   * Rough readings are for when hands have paused; where somebody has pressed for a ply that does not stand, for when the
   * sensors have told the rest of what they saw at once.
   */
  #guessAtMs(): number {
    const { lastChangeMs, waits } = this.scene;
    const { presses, position } = this.#best;
    const soonMs = Math.min(waits.pauseMs, waits.scanMs / 8);
    // Its answer has been pressed already: the ply must be there.
    const answer = presses.find((press) => press.side !== position.turn);
    if (answer !== undefined) return Math.max(lastChangeMs, answer.atMs) + soonMs;
    if (this.#isAnswered) return lastChangeMs + soonMs;
    if (presses.length > 0 && lastChangeMs > presses[0]!.atMs) return lastChangeMs + soonMs;
    return Math.max(lastChangeMs, this.#judge?.atMs ?? 0) + waits.pauseMs;
  }

  #guessWhenDue(): void {
    if (this.#guessed || this.#isLost || this.scene.nowMs < this.#guessAtMs()) return;
    this.#guessed = true;
    if (this.#isInDoubt()) this.#guess();
    this.#settle();
  }

  #restMs(): number {
    const { waits, clockSeen } = this.scene;
    const { to, changes } = this.head;
    const isKing = roleOfCell(changes[0]?.after ?? EMPTY) === 'king' && isCentre(to);
    return clockSeen ? waits.unpressedMs : isKing ? waits.kingRestMs : waits.restMs;
  }

  /** Time has passed; `quiet` while nothing should be told of the board. */
  onTick(quiet: boolean): void {
    if (this.frozen) return;
    const { waits, nowMs, lastChangeMs } = this.scene;
    this.#guessWhenDue();
    this.desk.tellOwed(this.head);
    const judge = this.#judge;
    if (judge !== undefined && nowMs >= judge.atMs + waits.graceMs) {
      this.#judge = undefined;
      this.#settle();
      this.#judgePress(judge);
    }
    if (!this.#goneSeen && nowMs > lastChangeMs + GONE_MS) {
      this.#goneSeen = true;
      if (this.openSquares().length > 0) this.#settle();
    }
    const { head } = this;
    if (!head.confirmed && this.#standsAlone()) {
      const isPressed = head.pressedAtMs !== undefined && nowMs >= head.pressedAtMs + waits.scanMs;
      const isOver = isFinal(head.position) && nowMs >= lastChangeMs + waits.finalMs;
      const isAtRest = nowMs >= lastChangeMs + this.#restMs() && head.residues === undefined;
      // Where a clock is, a piece that only rests may still be on its way.
      if (isAtRest && !isPressed && !isOver) head.isResting = this.scene.clockSeen;
      if (isPressed || isOver || isAtRest) this.#confirm(head);
    }
    if (!quiet && !this.#restTold && nowMs >= lastChangeMs + waits.displacedMs) {
      this.#restTold = true;
      if (this.#isLost) this.#findAgain();
      if (this.#isLost) this.#lookAgain();
      this.#settle();
      this.#reportRest();
    }
    this.#goOnLooking();
    this.#rebase();
  }

  /** Squares differ and hands have been still for a while: says what kind of difference it is. */
  #reportRest(): void {
    const { board } = this.scene;
    const open = this.openSquares();
    const { position, parent } = this.head;
    if (parent !== undefined) this.#tellOfDoubt(parent);
    this.#tellOfDoubt(this.head);
    // On a table with a clock, both sides moving without it do not go on with the game.
    const moved =
      this.scene.clockSeen && this.#takenBackTo !== undefined
        ? differences(board, this.#takenBackTo.position.cells, NO_STALE)
        : open;
    if (this.parked !== undefined && this.#pressesSinceTakeback === 0 && isOfBothSides(position, moved)) {
      this.#callPostgame();
      return;
    }
    if (this.head.pressedAtMs !== undefined) this.desk.tellOfResidues(this.head);
    if (open.length === 0) return;
    if (!isUnderWay(board, position, open)) this.#tellOfRest();
  }

  #tellOfRest(open = this.openSquares()): void {
    if (this.desk.tellOfRest(this.head, open)) this.#excuseWhatStays();
  }

  /** Squares that have differed since before a press: what has changed after it is the opponent's hand at work. */
  #squaresBefore({ atMs }: SeenPress): readonly Square[] {
    const { changedAtMs } = this.scene;
    return this.openSquares().filter((square) => changedAtMs[square]! <= atMs);
  }

  /**
   * What has differed for long stands in no line's way any more; what it has cost each stays. Pieces in the air since the
   * last ply are somebody's move.
   */
  #excuseWhatStays(): void {
    for (const reading of this.#readings) {
      const stays = reading.open(this.scene).filter((square) => this.#staysSo(square, reading.head.madeAtMs));
      if (stays.length === 0) continue;
      const before = reading.openCost(this.scene);
      for (const square of stays) reading.excuse(square, this.scene);
      reading.cost += before - reading.openCost(this.scene);
    }
  }

  #staysSo(square: Square, madeAtMs: number): boolean {
    const { board, nowMs, changedAtMs, waits } = this.scene;
    const sinceMs = changedAtMs[square]!;
    return nowMs - sinceMs >= waits.displacedMs && (board[square] !== EMPTY || sinceMs < madeAtMs);
  }

  /** Analysis after an end that nobody signalled: the game stands as it was, nothing is appended. */
  #callPostgame(): void {
    this.#restart(this.parked!);
    this.frozen = true;
    this.desk.dropDoubts();
    this.desk.raise('POSTGAME', this.base.number, 'its end is proposed here');
  }

  #restart(node: Node): void {
    this.#journal?.clear();
    this.#readings = [new Reading(node, 0)];
    this.lines = [{ head: node, cost: 0, past: 0 }];
    this.#told = node;
    this.version++;
    this.#rebase();
  }

  // ---------------------------------------------------------------- beginning and end

  /** The game is over: what was to be looked at again in a moment is told. */
  tellOwed(): void {
    this.desk.tellOwed(this.head, true);
  }

  /** The game is over by a signal: what stands is agreed, up to the `last` ply where it is known. */
  agree(last?: Node): void {
    if (last !== undefined) this.#restart(last);
    this.#confirm(this.head);
    this.#rebase();
    this.desk.dropDoubts();
  }

  /**
   * The line is this one: nothing before is in question any more. Where the thread was lost, what the board shows beyond it may
   * be its next plies; else whoever says so knows that the board differs.
   */
  correct(head: Node): void {
    const wasLost = this.#isLost;
    this.frozen = false;
    this.parked = undefined;
    this.#restart(head);
    this.desk.dropDoubts();
    this.#isLost = false;
    if (wasLost) this.#findAgain();
    const open = this.openSquares();
    if (!this.#isLost && !isUnderWay(this.scene.board, head.position, open)) this.excuse(open);
  }

  /** Pieces were set up anew, not taken back: the game stands as it was before the first was lifted. */
  restoreParked(): void {
    if (this.parked !== undefined) this.#restart(this.parked);
    this.parked = undefined;
  }

  /** Both kings stand in the centre: a king step that was only placed was half of the signal, not a move. */
  dropKingStep(): void {
    this.#journal?.clear();
    for (const [i, reading] of this.#readings.entries()) {
      const { head } = reading;
      if (head.confirmed || head.parent === undefined || !isCentre(head.to)) continue;
      // Released there and lifted once more, it was one.
      if (this.scene.liftedAtMs[head.to]! > head.madeAtMs) continue;
      if (head.move?.captured !== undefined || roleOfCell(head.changes[0]?.after ?? EMPTY) !== 'king')
        continue;
      this.#readings[i] = new Reading(head.parent, reading.cost);
    }
    this.#settle();
  }

  /** The picture is wrong on these squares and known to be: they count as explained until they change. */
  excuse(squares: readonly Square[]): void {
    this.#journal?.clear();
    for (const reading of this.#readings) for (const square of squares) reading.excuse(square, this.scene);
  }
}

/** What is known of the time from a lost link to the next picture. */
export interface Unseen {
  /** How long it was, ms. */
  readonly forMs: number;
  /** The last press since. */
  readonly press: SeenPress | undefined;
  /** What the clock tells of how often it was pressed. */
  readonly unheard: UnheardPresses | undefined;
}

/** Readings that go through a journal once more, and the first of its entries that they have not seen. */
interface Look {
  readonly beam: Beam;
  readonly entries: readonly Entry[];
  at: number;
}

interface Scored {
  readonly reading: Reading;
  readonly score: number;
  readonly rank: number;
}

/** Whether the lines that are as likely as the best are the same, whatever they cost exactly. */
function areSameNear(a: readonly Line[], b: readonly Line[]): boolean {
  let at = 0;
  for (const { head, cost } of b) {
    if (cost > MARGIN) continue;
    while (at < a.length && a[at]!.cost > MARGIN) at++;
    if (a[at]?.head !== head) return false;
    at++;
  }
  while (at < a.length && a[at]!.cost > MARGIN) at++;
  return at === a.length;
}

/** The sooner of two times, of which the second counts only when it is still to come. */
export const sooner = (wake: number, ms: number, nowMs: number): number =>
  ms > nowMs && ms < wake ? ms : wake;

/** Mate and stalemate stand by themselves; a piece that leaves too little material may still be exchanged for another. */
function isFinal(position: Position): boolean {
  const ending = position.ending();
  return ending === 'checkmate' || ending === 'stalemate';
}

/** The same ply, seen whole both times, first here. */
const isMadeBefore = (a: Node, b: Node): boolean =>
  a.parent === b.parent && a.madeAtMs < b.madeAtMs && a.residues === undefined && b.residues === undefined;

function isOfBothSides({ cells }: Position, squares: readonly Square[]): boolean {
  const sides = squares.map((s) => sideOfCell(cells[s]!));
  return sides.includes('white') && sides.includes('black');
}

/**
 * Whether a reading has lost for good: it costs more than the best and differs from it in a ply that several others have
 * followed. A piece that was promoted is not known until it moves, however late.
 */
function isDecided(best: Scored, other: Scored, patience: Patience): boolean {
  const behind = other.score - best.score;
  if (behind <= MARGIN) return false;
  let [a, b]: [Node | undefined, Node | undefined] = [best.reading.head, other.reading.head];
  let first: Node | undefined;
  while (a !== undefined && b !== undefined && a !== b) {
    if (a.number > b.number) a = a.parent;
    else {
      first = b;
      b = b.parent;
    }
  }
  if (first === undefined || first.move?.promotion !== undefined) return false;
  const plies = best.reading.head.number - first.number;
  return plies >= (behind < DECIDED_BY_PLIES ? patience.longDecidedPlies : patience.decidedPlies);
}
