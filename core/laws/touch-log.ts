/**
 * Touches as they happen: a machine over the squares of the board and the plies of the game, beside whatever makes the
 * plies. It says when the player to move has touched a piece (the right to claim ends, 4.8 and 9.4; a draw offer lapses,
 * 9.1.2), and of each ply that is agreed what was touched before it and whether the move honours that.
 */
import type { GameEvent, PlyRecord } from '../game-event.ts';
import type { Machine, Step, Tick } from '../machine.ts';
import {
  type Cell,
  cellsAgree,
  EMPTY,
  type Placement,
  type Role,
  roleOfCell,
  sideOfCell,
} from '../placement.ts';
import type { Position } from '../position.ts';
import type { Side, Square } from '../square.ts';
import type { GameLine } from './game-line.ts';
import {
  checkTouchMove,
  type Handling,
  NUDGE_MS,
  type Rest,
  type Touch,
  type TouchCheck,
} from './touch-move.ts';

/** One square of the true board, and pictures of all of it. */
export type BoardSeen =
  | { readonly type: 'square'; readonly atMs: number; readonly square: Square; readonly cell: Cell }
  | { readonly type: 'dump'; readonly atMs: number; readonly placement: Placement };

/** Squares in true coordinates, and the plies of the game. */
export type TouchLogEvent =
  | BoardSeen
  | { readonly type: 'link'; readonly atMs: number; readonly link: 'up' | 'lost' }
  | Extract<GameEvent, { type: 'ply' | 'withdrawn' }>;

export type TouchFinding =
  /** The player to move has lifted a piece, for longer than a nudge; once a turn. `ply`: the one to be made. */
  | {
      readonly type: 'touched';
      readonly atMs: number;
      readonly ply: number;
      readonly side: Side;
      readonly square: Square;
    }
  /** An agreed ply and what was touched before it. */
  | {
      readonly type: 'checked';
      readonly atMs: number;
      readonly ply: number;
      readonly check: TouchCheck;
      readonly touches: readonly Touch[];
    };

export interface TouchLogOptions {
  /** `NUDGE_MS` when absent. */
  readonly nudgeMs?: number;
}

interface Change {
  readonly square: Square;
  readonly before: Cell;
  readonly after: Cell;
  readonly atMs: number;
}

/** More pieces off their squares at once than a move takes and the next hand holds. */
const MOST_IN_HANDS = 3;
/** Changes older than the last moves oblige to nothing any more. */
const MOST_CHANGES = 400;

/**
 * Creates the log of one game. `line` is kept up to date by its owner, who takes a ply event into it before the log sees
 * it. `board`: the placement that stands.
 */
export const createTouchLog = (line: GameLine, board: Placement, options: TouchLogOptions = {}): TouchLog =>
  new TouchLog(line, board, options);

export class TouchLog implements Machine<TouchLogEvent, TouchFinding> {
  readonly #line: GameLine;
  readonly #board: Placement;
  readonly #nudgeMs: number;
  #nowMs = 0;
  #changes: Change[] = [];
  /** Nothing before this is known or counts: a gap, plies nobody saw, moves taken back. */
  #blindUntilMs = Number.NEGATIVE_INFINITY;
  #checkedTo = 0;
  /** Number of an illegal ply that was agreed: what replaces it obeys what was touched for it (7.5.1). */
  #illegalAt: number | undefined;
  #toldFor = 0;
  /** The first lift of this turn, until it is clear that it is no nudge. */
  #lift: Touch | undefined;
  #out: TouchFinding[] = [];

  constructor(line: GameLine, board: Placement, { nudgeMs = NUDGE_MS }: TouchLogOptions) {
    this.#line = line;
    this.#board = board.slice();
    this.#nudgeMs = nudgeMs;
  }

  step(event: TouchLogEvent | Tick): Step<TouchFinding> {
    this.#out = [];
    this.#nowMs = event.atMs;
    switch (event.type) {
      case 'square':
        this.#see(event.square, event.cell);
        break;
      case 'dump':
        this.#onDump(event.placement);
        break;
      case 'link':
        this.#blindUntilMs = event.atMs;
        break;
      case 'ply':
        this.#onPly(event.number, event.ply.state !== 'provisional');
        break;
      case 'withdrawn':
        // Pieces that are put back to take moves back oblige to nothing, those of an illegal move do.
        if (event.number <= this.#checkedTo && event.number !== this.#illegalAt)
          this.#blindUntilMs = event.atMs;
        this.#illegalAt = undefined;
        this.#checkedTo = Math.min(this.#checkedTo, event.number - 1);
        this.#toldFor = Math.min(this.#toldFor, event.number - 1);
        break;
      case 'tick':
        break;
    }
    this.#watchTouch();
    const wakeAtMs = this.#wakeAtMs();
    return wakeAtMs === undefined ? { outputs: this.#out } : { outputs: this.#out, wakeAtMs };
  }

  #see(square: Square, after: Cell): void {
    const before = this.#board[square]!;
    if (before === after) return;
    this.#board[square] = after;
    this.#changes.push({ square, before, after, atMs: this.#nowMs });
    if (this.#changes.length > MOST_CHANGES) this.#changes.splice(0, MOST_CHANGES / 2);
  }

  #onDump(placement: Placement): void {
    const differing = placement.reduce(
      (sum, cell, square) => sum + (cell === this.#board[square] ? 0 : 1),
      0,
    );
    if (differing === 0) return;
    // When these squares changed is not known.
    this.#board.set(placement);
    this.#blindUntilMs = this.#nowMs;
    this.#changes = [];
  }

  #onPly(number: number, isAgreed: boolean): void {
    const ply = this.#line.plies[number - 1];
    if (!isAgreed || ply === undefined) return;
    const isReplaced = number === this.#illegalAt && ply.move !== undefined;
    if (number <= this.#checkedTo && !isReplaced) return;
    this.#checkedTo = Math.max(this.#checkedTo, number);
    if (ply.move === undefined) this.#illegalAt = Math.min(number, this.#illegalAt ?? number);
    else if (isReplaced) this.#illegalAt = undefined;
    const oldMs = this.#line.plies[number - 5]?.record.madeAtMs;
    if (oldMs !== undefined) this.#changes = this.#changes.filter(({ atMs }) => atMs > oldMs);
    const { record, move, before } = ply;
    if (record.inferred === true) {
      this.#blindUntilMs = Math.max(this.#blindUntilMs, record.madeAtMs);
      return;
    }
    if (move === undefined) return;
    // What stood where is not known well enough to say what was touched.
    if (this.#line.plies.slice(Math.max(0, number - 2), number).some((p) => isUncertain(p.record))) return;
    const handling = this.handlingBefore(number);
    if (handling === undefined) return;
    const check = checkTouchMove(before, { ...handling, promotions: this.#promotionsOf(number) }, move);
    this.#out.push({ type: 'checked', atMs: this.#nowMs, ply: number, check, touches: handling.touches });
  }

  /** What was touched before ply `number`, made or to be made; undefined where it was not all seen. */
  handlingBefore(number: number): Handling | undefined {
    const position = this.#line.positionBefore(number);
    const turnAtMs = this.#line.plies[number - 2]?.record.madeAtMs ?? Number.NEGATIVE_INFINITY;
    const lastOwnAtMs = this.#line.plies[number - 3]?.record.madeAtMs ?? Number.NEGATIVE_INFINITY;
    const untilMs = this.#line.plies[number - 1]?.record.madeAtMs ?? Number.POSITIVE_INFINITY;
    if (this.#blindUntilMs > turnAtMs) return { touches: [], nudgeMs: this.#nudgeMs };
    const since = this.#changes.filter(({ atMs }) => atMs > lastOwnAtMs);
    // The pieces of the move itself may leave their squares after the one that made it has landed: castling.
    const ofTheMove = this.#line.plies[number - 1]?.move?.changes ?? [];
    const isLateLift = ({ square, before, atMs }: Change): boolean =>
      atMs <= this.#completedAtMs(number) &&
      before !== EMPTY &&
      ofTheMove.some((c) => c.square === square && c.before === before);
    const window = since.filter((c) => c.atMs <= untilMs || isLateLift(c));
    // Pieces that were knocked over and put right again, by whomever, oblige to nothing.
    if (mostInAir(position, window) > MOST_IN_HANDS) return { touches: [], nudgeMs: this.#nudgeMs };
    const touches = touchesIn(position, window, turnAtMs);
    return {
      // A sensor that flickers goes on when the move has been made.
      touches: touches.map((touch) => ({ ...touch, returns: returnsOf(touch.square, position, since) })),
      rests: restsIn(position, window, untilMs),
      nudgeMs: this.#nudgeMs,
    };
  }

  #completedAtMs(number: number): number {
    return this.#line.plies[number - 1]?.record.completedAtMs ?? this.#nowMs;
  }

  /** Pieces that stood on the square of promotion for longer than a nudge, first to last. */
  #promotionsOf(number: number): Role[] {
    const { move, mover } = this.#line.plies[number - 1]!;
    if (move?.promotion === undefined) return [];
    const roles: Role[] = [];
    const sinceMs = this.#line.plies[number - 2]?.record.madeAtMs ?? Number.NEGATIVE_INFINITY;
    const untilMs = this.#completedAtMs(number);
    const seen = this.#changes.filter((c) => c.square === move.to && c.atMs > sinceMs && c.atMs <= untilMs);
    for (const [i, { after, atMs }] of seen.entries()) {
      const role = roleOfCell(after);
      const stoodMs = (seen[i + 1]?.atMs ?? Number.POSITIVE_INFINITY) - atMs;
      if (role === undefined || role === 'pawn' || role === 'king' || sideOfCell(after) !== mover) continue;
      if (stoodMs >= this.#nudgeMs && roles.at(-1) !== role) roles.push(role);
    }
    return roles;
  }

  /** The first touch of the player to move in this turn. */
  #watchTouch(): void {
    const number = this.#line.plies.length + 1;
    this.#lift = number <= this.#toldFor ? undefined : this.#firstLift(number);
    const lift = this.#lift;
    if (lift === undefined || this.#nowMs < lift.atMs + this.#nudgeMs) return;
    this.#toldFor = number;
    this.#lift = undefined;
    const { turn } = this.#line.position;
    this.#out.push({ type: 'touched', atMs: lift.atMs, ply: number, side: turn, square: lift.square });
  }

  #firstLift(number: number): Touch | undefined {
    const position = this.#line.position;
    const turnAtMs = Math.max(
      this.#line.plies[number - 2]?.record.madeAtMs ?? Number.NEGATIVE_INFINITY,
      this.#blindUntilMs,
    );
    const window = this.#changes.filter(({ atMs }) => atMs > turnAtMs);
    return touchesIn(position, window, turnAtMs)
      .filter(
        (t) => t.side === position.turn && (t.durationMs === undefined || t.durationMs >= this.#nudgeMs),
      )
      .sort((a, b) => a.atMs - b.atMs)[0];
  }

  #wakeAtMs(): number | undefined {
    return this.#lift === undefined ? undefined : this.#lift.atMs + this.#nudgeMs;
  }
}

const isUncertain = ({ san, state, inferred, candidates }: PlyRecord): boolean =>
  san.startsWith('!') || state === 'ambiguous' || inferred === true || (candidates?.length ?? 0) > 1;

/** How many pieces of a position were off their squares at once. */
function mostInAir(position: Position, window: readonly Change[]): number {
  const off = new Set<Square>();
  let most = 0;
  for (const { square, after } of window) {
    const home = position.cells[square]!;
    if (home === EMPTY) continue;
    if (after !== EMPTY && cellsAgree(after, home)) off.delete(square);
    else off.add(square);
    most = Math.max(most, off.size);
  }
  return most;
}

/** How often a piece came back to its square after it was lifted there: its arrival by a move is no return. */
function returnsOf(square: Square, { cells }: Position, changes: readonly Change[]): number {
  const home = cells[square]!;
  const isHome = (cell: Cell): boolean => cell !== EMPTY && cellsAgree(cell, home);
  const here = changes.filter((c) => c.square === square);
  const lifted = here.findIndex((c) => isHome(c.before) && !isHome(c.after));
  return lifted < 0 ? 0 : here.slice(lifted).filter((c) => isHome(c.after)).length;
}

/** The pieces of a position that left their squares, in the order in which they were lifted. */
function touchesIn(position: Position, window: readonly Change[], turnAtMs: number): Touch[] {
  const touches = new Map<Square, { touch: Touch; liftedAtMs: number | undefined }>();
  const inAir = new Map<Square, Side>();
  for (const { square, before, after, atMs } of window) {
    const home = position.cells[square]!;
    const side = sideOfCell(home);
    if (side === undefined) continue;
    const known = touches.get(square);
    const leaves =
      cellsAgree(before, home) && before !== EMPTY && !(cellsAgree(after, home) && after !== EMPTY);
    const comes = !leaves && cellsAgree(after, home) && after !== EMPTY;
    if (leaves) {
      // The same hand's doing, when an own piece is in the air.
      const byMover = side === position.turn || [...inAir.values()].includes(position.turn);
      inAir.set(square, side);
      if (known === undefined)
        touches.set(square, { touch: { square, side, atMs, byMover }, liftedAtMs: atMs });
      else known.liftedAtMs = atMs;
    } else if (comes) {
      inAir.delete(square);
      if (known?.liftedAtMs === undefined) continue;
      const durationMs = Math.max(known.touch.durationMs ?? 0, atMs - known.liftedAtMs);
      known.touch = { ...known.touch, durationMs, returns: (known.touch.returns ?? 0) + 1 };
      known.liftedAtMs = undefined;
    }
  }
  const found: Touch[] = [];
  for (const { touch, liftedAtMs } of touches.values()) {
    // What came back before it was the player's turn was somebody's business of the turn before.
    const isEarly = liftedAtMs === undefined && touch.atMs <= turnAtMs;
    if (isEarly) continue;
    if (liftedAtMs === undefined) {
      found.push(touch);
      continue;
    }
    const { durationMs: _, ...lifted } = touch;
    // A piece of the opponent that stays in the air may be in its owner's hand, for the reply.
    found.push({ ...lifted, byMover: touch.side === position.turn });
  }
  return found.sort((a, b) => a.atMs - b.atMs);
}

/** Pieces of the player to move that stood on other squares for a while, before the move was made. */
function restsIn(position: Position, window: readonly Change[], untilMs: number): Rest[] {
  const rests: Rest[] = [];
  let lifted: Square | undefined;
  for (const [i, { square, after, before, atMs }] of window.entries()) {
    if (after === EMPTY && sideOfCell(before) === position.turn && position.cells[square] === before)
      lifted = square;
    if (lifted === undefined || after === EMPTY || position.cells[square] === after) continue;
    if (after !== position.cells[lifted]) continue;
    const next = window.slice(i + 1).find((c) => c.square === square);
    if (next === undefined || next.atMs > untilMs) continue;
    rests.push({ from: lifted, to: square, restedMs: next.atMs - atMs });
  }
  return rests;
}
