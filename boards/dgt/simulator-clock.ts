import type { ClockFace } from '../../core/sensor-event.ts';

const otherFace = (face: ClockFace): ClockFace => (face === 'left' ? 'right' : 'left');

// Times are sums of fractions of milliseconds: without this a second that is over by nothing would not be over.
const ROUNDING_MS = 1e-3;

/** Six cells of seven segments from left to right, or letters. */
export type ClockDisplay = { readonly segments: readonly number[] } | { readonly text: string };

/** How the clock's status byte is written. */
export interface ClockFormat {
  readonly timePerMove: boolean;
  readonly batteryLow: boolean;
  readonly swapTurnBits: boolean;
}

/** The clock beside a simulated board: counts down by itself, as its front shows it. */
export class SimulatedClock {
  readonly #format: ClockFormat;
  #timeMs: Record<ClockFace, number> = { left: 0, right: 0 };
  #fallen: Record<ClockFace, boolean> = { left: false, right: false };
  #asOfMs = 0;
  #running: ClockFace | undefined;
  #lever: ClockFace = 'left';
  #started = false;
  #shown: ClockDisplay | undefined;

  constructor(format: ClockFormat) {
    this.#format = format;
  }

  /** What hides the times; undefined while they are shown. */
  get shown(): ClockDisplay | undefined {
    return this.#shown;
  }

  /** A text or segments hide the times, as far as this clock (by the main number of its version) knows the command. */
  show(command: number, data: readonly number[], main: number): void {
    if (command === 0x03) this.#shown = undefined;
    // The cells come as C B A F E D.
    if (command === 0x01) this.#shown = { segments: [2, 1, 0, 5, 4, 3].map((cell) => data[cell] ?? 0) };
    const letters = command === 0x0c && main === 2 ? 8 : command === 0x0d && main === 2 ? 11 : 0;
    if (letters > 0) this.#shown = { text: String.fromCharCode(...data.slice(0, letters)) };
  }

  /** The face whose time runs; undefined while the clock is stopped. */
  get running(): ClockFace | undefined {
    return this.#running;
  }

  /** Sets both times and stops the clock or lets one run; a lever pressed down raises the other end. */
  set(atMs: number, leftMs: number, rightMs: number, running: ClockFace | undefined): void {
    const ran = this.#running;
    this.#started = true;
    this.#asOfMs = atMs;
    this.#timeMs = { left: Math.max(0, leftMs), right: Math.max(0, rightMs) };
    for (const face of ['left', 'right'] as const) {
      const zero = this.#timeMs[face] === 0;
      this.#fallen[face] = zero && (this.#fallen[face] || face === ran);
    }
    this.#running = running;
    if (running !== undefined) this.#lever = running;
    this.advance(atMs);
  }

  /** Lets time pass; at zero the flag falls and the clock stops. */
  advance(atMs: number): void {
    const face = this.#running;
    if (face !== undefined) {
      this.#timeMs[face] -= Math.max(0, atMs - this.#asOfMs);
      if (this.#timeMs[face] <= ROUNDING_MS) {
        this.#timeMs[face] = 0;
        this.#fallen[face] = true;
        this.#running = undefined;
      }
    }
    this.#asOfMs = Math.max(this.#asOfMs, atMs);
  }

  /** When what the clock shows changes next; undefined while it stands. */
  get changesAtMs(): number | undefined {
    if (this.#running === undefined) return undefined;
    const left = this.#timeMs[this.#running];
    return this.#asOfMs + left - (shownSeconds(left) - 1) * 1000;
  }

  /** Hours, minutes and seconds in the format of the event log (hours binary, the rest BCD). */
  logTime(face: ClockFace): [number, number, number] {
    const seconds = shownSeconds(this.#timeMs[face]);
    return [Math.floor(seconds / 3600) % 10, bcd(Math.floor(seconds / 60) % 60), bcd(seconds % 60)];
  }

  /** The seven bytes of a clock message: right face, left face, status. */
  bytes(): number[] {
    // A clock that was never set stands in its menu and gives no times.
    if (!this.#started) return NO_CLOCK;
    const face = (which: ClockFace): number[] => {
      const [hours, minutes, seconds] = this.logTime(which);
      const fallen = this.#fallen[which] ? 0x10 : 0;
      return [hours | fallen | (this.#format.timePerMove ? 0x20 : 0), minutes, seconds];
    };
    const turn = this.#format.swapTurnBits ? otherFace(this.#lever) : this.#lever;
    const status =
      (this.#running === undefined ? 0 : 0x01) |
      (this.#lever === 'right' ? 0x02 : 0) |
      (this.#format.batteryLow ? 0x04 : 0) |
      (turn === 'left' ? 0x08 : 0x10);
    return [...face('right'), ...face('left'), status];
  }
}

/** The seven bytes that say that no clock is connected. */
export const NO_CLOCK = [0, 0, 0, 0, 0, 0, 0x20];

/** A clock shows the second that has begun: 0:01 until nothing is left. */
const shownSeconds = (timeMs: number): number => Math.min(Math.ceil((timeMs - ROUNDING_MS) / 1000), 35_999);

const bcd = (value: number): number => Math.floor(value / 10) * 16 + (value % 10);
