import { type Cell, EMPTY, emptyPlacement, OCCUPIED, type Placement, UNKNOWN } from '../placement.ts';
import type { Occupied } from '../position.ts';
import type { Side, Square } from '../square.ts';
import type { TableClock } from '../table.ts';

/** One square that the sensors say has changed, true coordinates. */
export interface SeenChange {
  readonly square: Square;
  readonly before: Cell;
  readonly after: Cell;
  readonly atMs: number;
  /** Seen in a picture of the whole board: when it happened is not known. */
  readonly fromDump: boolean;
}

/** Waits in milliseconds. They drive warnings and belief, never whether a legal move is accepted. */
export interface Waits {
  /** Off and on again within this is a nudge, and lifts this close together have no order. */
  readonly nudgeMs: number;
  /** After a press, the sensors may still be this far behind. */
  readonly scanMs: number;
  /** How long after a press its move may be incomplete before the desk is told. */
  readonly graceMs: number;
  /** Hands that have put nothing down or up for this long have paused. */
  readonly pauseMs: number;
  /** How long squares may differ without a legal explanation. */
  readonly displacedMs: number;
  /**
   * A move that stands this long is confirmed: where no clock is; a king's step to the centre; where a clock is, on which
   * nobody has pressed for it.
   */
  readonly restMs: number;
  readonly kingRestMs: number;
  readonly unpressedMs: number;
  /** How long both kings stand in the centre until the result counts. */
  readonly kingsMs: number;
  /** How long a first picture that is not the initial position may rest. */
  readonly startMs: number;
  /** How long a final position (mate, stalemate) must stand: a piece slid across it has not stopped there. */
  readonly finalMs: number;
  /** How long after a restored link the first picture of the whole board may take. */
  readonly pictureMs: number;
}

export const WAITS: Waits = {
  nudgeMs: 250,
  scanMs: 0,
  graceMs: 1000,
  pauseMs: 300,
  displacedMs: 2000,
  restMs: 10_000,
  kingRestMs: 14_500,
  unpressedMs: 60_000,
  kingsMs: 5000,
  startMs: 10_000,
  finalMs: 500,
  pictureMs: 10_000,
};

const EMPTY_BOARD = emptyPlacement();

/** What every reading looks at: the board as sensed, the clock, the time. */
export class Scene {
  /** True coordinates; written to by `show` only. */
  readonly board: Placement;
  /** Grows with every change of the board. */
  version = 0;
  /** Squares on which something is sensed, a1 to h4 and a5 to h8, bit by bit. */
  occupiedLo = 0;
  occupiedHi = 0;
  /** How many squares show something without telling what, and how many of these not even whether. */
  vague = 0;
  unknown = 0;
  nowMs = 0;
  lastChangeMs = 0;
  /** When each square last changed. */
  readonly changedAtMs = new Float64Array(64);
  /** When each square was last emptied. */
  readonly liftedAtMs = new Float64Array(64);
  /** Presses or running times were seen: a missing press means something. */
  clockSeen = false;
  clock: TableClock | undefined;
  /** Squares that go off and on by themselves at the moment. */
  readonly flickering = new Set<Square>();
  /** Squares that differ and of which the desk has been told, until they change. */
  readonly told = new Set<Square>();
  readonly waits: Waits;
  /** Sensors tell which piece stands on a square. */
  readonly identity: boolean;

  constructor(board: Placement, waits: Waits, identity: boolean) {
    this.board = emptyPlacement();
    this.waits = waits;
    this.identity = identity;
    this.showAll(board);
  }

  /** A square shows this from now on. */
  show(square: Square, cell: Cell): void {
    const before = this.board[square]!;
    this.board[square] = cell;
    this.version++;
    if (before >= OCCUPIED) this.#countVague(before, -1);
    if (cell >= OCCUPIED) this.#countVague(cell, 1);
    const bit = 1 << (square & 31);
    if (square < 32) this.occupiedLo = cell === EMPTY ? this.occupiedLo & ~bit : this.occupiedLo | bit;
    else this.occupiedHi = cell === EMPTY ? this.occupiedHi & ~bit : this.occupiedHi | bit;
  }

  showAll(board: Placement): void {
    for (let square = 0; square < 64; square++)
      if (board[square] !== this.board[square]) this.show(square, board[square]!);
  }

  #countVague(cell: Cell, count: number): void {
    this.vague += count;
    if (cell === UNKNOWN) this.unknown += count;
  }

  /** Whether the board may show a position, as far as it matters what stands where something does: quick. */
  mayShow({ lo, hi }: Occupied): boolean {
    return this.unknown > 0 || ((lo ^ this.occupiedLo) | (hi ^ this.occupiedHi)) === 0;
  }

  /** A scene that changes by itself. */
  copy(): Scene {
    const copy = new Scene(EMPTY_BOARD, this.waits, this.identity);
    copy.board.set(this.board);
    copy.version = this.version;
    copy.occupiedLo = this.occupiedLo;
    copy.occupiedHi = this.occupiedHi;
    copy.vague = this.vague;
    copy.unknown = this.unknown;
    copy.nowMs = this.nowMs;
    copy.lastChangeMs = this.lastChangeMs;
    copy.changedAtMs.set(this.changedAtMs);
    copy.liftedAtMs.set(this.liftedAtMs);
    copy.clockSeen = this.clockSeen;
    copy.clock = this.clock;
    for (const square of this.flickering) copy.flickering.add(square);
    for (const square of this.told) copy.told.add(square);
    return copy;
  }
}

/** The time left for a side, ms; undefined without a clock. */
export const clockOf = (scene: Scene, side: Side): number | undefined =>
  scene.clock === undefined ? undefined : side === 'white' ? scene.clock.whiteMs : scene.clock.blackMs;
