import type { Cell, Placement } from './placement.ts';
import type { Side, Square } from './square.ts';

/** The two faces of a clock seen from its front; which colour sits behind which is learnt in `table.ts`. */
export type ClockFace = 'left' | 'right';

/** One face of a clock. */
export interface FaceReading {
  /** Time left, milliseconds, never negative. */
  readonly timeMs: number;
  /** The clock says that this side's time has run out. */
  readonly flag: boolean;
}

/** One reading of the clock on the table: the only truth about time. */
export interface ClockReading {
  readonly left: FaceReading;
  readonly right: FaceReading;
  /** The face whose time runs; undefined while the clock is stopped. */
  readonly running: ClockFace | undefined;
  /** The face whose lever end is up: the side that has to move. Kept while the clock is stopped. */
  readonly lever: ClockFace;
  /** False when the board says that no clock is connected: the times mean nothing. */
  readonly connected: boolean;
  readonly batteryLow?: boolean;
}

/**
 * What a board says, in order; `atMs` is monotonic and never falls. Squares are the board's own, as if White sat
 * at the side where a1 is printed: a turned board is recognised in `table.ts`, nowhere else.
 */
export type SensorEvent =
  /** One square now holds `cell`. */
  | { readonly type: 'square'; readonly atMs: number; readonly square: Square; readonly cell: Cell }
  /** All 64 squares at once. */
  | { readonly type: 'dump'; readonly atMs: number; readonly placement: Placement }
  | { readonly type: 'clock'; readonly atMs: number; readonly reading: ClockReading }
  /** A lever press that is known by colour (notation of cases, boards with buttons per side). */
  | { readonly type: 'press'; readonly atMs: number; readonly side: Side }
  /** The connection to the board. After `up` the session asks for a dump. */
  | { readonly type: 'link'; readonly atMs: number; readonly link: 'up' | 'lost' }
  /**
   * The board remembers: everything that has happened since it was last heard, complete and in order, told in one go when
   * it can be heard again. When each thing happened is not known. A dump may follow and must agree.
   */
  | { readonly type: 'recalled'; readonly atMs: number; readonly events: readonly RecalledEvent[] };

/** Something a board remembers, without its time. */
export type RecalledEvent =
  | { readonly type: 'square'; readonly square: Square; readonly cell: Cell }
  | { readonly type: 'clock'; readonly reading: ClockReading };
