/**
 * The one place where what the board and the clock say becomes what it means at this table: a board turned by 180
 * degrees is mapped to true squares, and the faces of the clock to colours.
 */
import type { Orientation } from './game-event.ts';
import { type Placement, turnPlacement } from './placement.ts';
import type { ClockFace, ClockReading, SensorEvent } from './sensor-event.ts';
import { opponent, type Side, type Square, turnSquare } from './square.ts';

/** Times by colour; absent fields were never told. */
export interface TableClock {
  readonly whiteMs: number;
  readonly blackMs: number;
  readonly running: Side | undefined;
}

/** A lever press and the mover's time at that moment (absent without readings). */
export interface Press {
  readonly side: Side;
  readonly clockMs: number | undefined;
}

/** Orientation of the board and side of the clock, and the last reading. */
export class Table {
  orientation: Orientation;
  /** The clock face in front of White. */
  whiteFace: ClockFace;
  /** Whether presses or running times were ever seen: then a missing press means something. */
  clockSeen = false;
  /** The clock says it is stopped; presses then are somebody setting it. */
  #reading: ClockReading | undefined;
  clock: TableClock | undefined;

  constructor(rotated: boolean) {
    this.orientation = rotated ? 'rotated' : 'normal';
    this.whiteFace = rotated ? 'right' : 'left';
  }

  /** The true square of a square in the board's own numbering. */
  square(square: Square): Square {
    return this.orientation === 'rotated' ? turnSquare(square) : square;
  }

  /** The true placement of a dump in the board's own numbering. */
  placement(placement: Placement): Placement {
    return this.orientation === 'rotated' ? turnPlacement(placement) : placement.slice();
  }

  /** Turns the board. The clock stays where it is on the table, so it now shows its other face to White. */
  turn(): void {
    this.orientation = this.orientation === 'rotated' ? 'normal' : 'rotated';
    this.#exchangeFaces();
  }

  /**
   * The side that stops after White's first move is White: called when a press is attributed to the wrong side
   * although only the other one can have pressed.
   */
  learnFaces(): void {
    this.#exchangeFaces();
  }

  #exchangeFaces(): void {
    this.whiteFace = this.whiteFace === 'left' ? 'right' : 'left';
    if (this.#reading !== undefined && this.clock !== undefined) this.clock = this.#byColour(this.#reading);
  }

  /** Takes a clock reading or a press; returns the press it means, if any. Presses on a stopped clock are none. */
  clockEvent(event: Extract<SensorEvent, { type: 'clock' | 'press' }>): Press | undefined {
    if (event.type === 'press') {
      this.clockSeen = true;
      return { side: event.side, clockMs: this.clock?.[event.side === 'white' ? 'whiteMs' : 'blackMs'] };
    }
    const before = this.#reading;
    const reading = event.reading;
    if (!reading.connected) {
      this.clock = undefined;
      this.#reading = undefined;
      return undefined;
    }
    this.#reading = reading;
    this.clock = this.#byColour(reading);
    if (reading.running !== undefined) this.clockSeen = true;
    if (before?.running === undefined || reading.running === undefined) return undefined;
    if (before.running === reading.running) return undefined;
    const side = this.#sideOf(before.running);
    return { side, clockMs: side === 'white' ? this.clock.whiteMs : this.clock.blackMs };
  }

  #sideOf(face: ClockFace): Side {
    return face === this.whiteFace ? 'white' : opponent('white');
  }

  #byColour(reading: ClockReading): TableClock {
    const white = reading[this.whiteFace];
    const black = reading[this.whiteFace === 'left' ? 'right' : 'left'];
    return {
      whiteMs: white.timeMs,
      blackMs: black.timeMs,
      running: reading.running === undefined ? undefined : this.#sideOf(reading.running),
    };
  }
}
