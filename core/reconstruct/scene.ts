import type { Cell, Placement } from '../placement.ts';
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

/** What every reading looks at: the board as sensed, the clock, the time. */
export interface Scene {
  /** True coordinates. */
  readonly board: Placement;
  /** Grows with every change of the board. */
  version: number;
  nowMs: number;
  lastChangeMs: number;
  /** When each square last changed. */
  readonly changedAtMs: Float64Array;
  /** When each square was last emptied. */
  readonly liftedAtMs: Float64Array;
  /** Presses or running times were seen: a missing press means something. */
  clockSeen: boolean;
  clock: TableClock | undefined;
  /** Squares that go off and on by themselves at the moment. */
  readonly flickering: Set<Square>;
  /** Squares that differ and of which the desk has been told, until they change. */
  readonly told: Set<Square>;
  readonly waits: Waits;
  /** Sensors tell which piece stands on a square. */
  readonly identity: boolean;
}

/** A scene that changes by itself. */
export const copyScene = (scene: Scene): Scene => ({
  ...scene,
  board: scene.board.slice(),
  changedAtMs: scene.changedAtMs.slice(),
  liftedAtMs: scene.liftedAtMs.slice(),
  flickering: new Set(scene.flickering),
  told: new Set(scene.told),
});

/** The time left for a side, ms; undefined without a clock. */
export const clockOf = (scene: Scene, side: Side): number | undefined =>
  scene.clock === undefined ? undefined : side === 'white' ? scene.clock.whiteMs : scene.clock.blackMs;
