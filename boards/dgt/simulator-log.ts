import type { ClockFace } from '../../core/sensor-event.ts';

const CAPACITY = 0x1f00;
const FILLER = 0x7f;
const END = 0x6b;
const DOWNLOADED = 0x6e;
const POWER_UP = 0x6a;
const GAME_START = 0x7b;
const QUICK_MS = 250;

/** Codes of the normal array by square index, as golden in PROTOCOL.md, section 4. */
const BACK_BLACK = [0x08, 0x09, 0x0a, 0x0c, 0x0b, 0x0a, 0x09, 0x08];
const BACK_WHITE = [0x02, 0x03, 0x04, 0x06, 0x05, 0x04, 0x03, 0x02];
const ranks = (count: number, code: number): number[] => Array.from({ length: count * 8 }, () => code);
const ARRAY = [...BACK_BLACK, ...ranks(1, 0x07), ...ranks(4, 0x00), ...ranks(1, 0x01), ...BACK_WHITE];

const isHome = (index: number): boolean => index < 16 || index >= 48;

interface Entry {
  readonly bytes: readonly number[];
  /** Square of a piece change; undefined for anything else. */
  readonly index: number | undefined;
  /** Running number since the first power-up. */
  readonly number: number;
}

/** The ring buffer in which a simulated board keeps every event (PROTOCOL.md, section 7). */
export class SimulatedLog {
  #entries: Entry[] = [];
  #size = 0;
  #count = 0;
  #lastPieceAtMs = Number.NEGATIVE_INFINITY;
  #armed = true;
  #sentCount = 0;
  #lastPacket: number[] = [];
  #startCount: number | undefined;

  /** The board is switched on: the mark, then every piece that stands on it. */
  powerUp(placement: readonly number[]): void {
    for (const byte of [FILLER, FILLER, FILLER, POWER_UP]) this.#append([byte]);
    this.#pieces(placement);
    this.#armed = true;
    this.#mark(placement);
    this.#sentCount = this.#count;
  }

  /** One square has changed to `code`; `placement` is the board with it. */
  square(atMs: number, index: number, code: number, placement: readonly number[]): void {
    const quick = atMs - this.#lastPieceAtMs < QUICK_MS ? 0x10 : 0;
    this.#lastPieceAtMs = atMs;
    const [before, last] = this.#entries.slice(-2);
    // One piece that keeps changing would fill the buffer: its last entry is written over.
    if (before?.index === index && last?.index === index && last.number > this.#sentCount) this.#pop();
    this.#append([0x40 | quick | code, index], index);
    this.#mark(placement);
  }

  /** A face was stopped at this time (hours, BCD minutes, BCD seconds). */
  time(face: ClockFace, [hours, minutes, seconds]: readonly [number, number, number]): void {
    this.#append([(face === 'right' ? 0x60 : 0x70) | hours, minutes, seconds]);
  }

  /** The whole log as the board sends it, oldest first; from then on it is marked as downloaded. */
  download(): number[] {
    const bytes = this.#entries.flatMap((entry) => entry.bytes);
    const filler = Array.from({ length: CAPACITY - 1 - bytes.length }, () => FILLER);
    this.#append([DOWNLOADED]);
    return [...filler, ...bytes, END];
  }

  /** Events since the last call (bus). */
  changes(): number[] {
    this.#lastPacket = this.#entries.filter((e) => e.number > this.#sentCount).flatMap((e) => e.bytes);
    this.#sentCount = this.#count;
    return this.#lastPacket;
  }

  /** What `changes` gave last (bus). */
  repeatChanges(): number[] {
    return this.#lastPacket;
  }

  /** A game is declared to begin here (bus). */
  startGame(placement: readonly number[]): void {
    this.#startCount = this.#count;
    this.#append([GAME_START]);
    this.#pieces(placement);
    this.#armed = true;
    this.#mark(placement);
    this.#sentCount = this.#count;
  }

  /** Events since the game was declared to begin, without those that `changes` would give (bus). */
  fromStart(): number[] {
    const start = this.#startCount;
    if (start === undefined) return [];
    return this.#entries
      .filter((e) => e.number > start && e.number <= this.#sentCount)
      .flatMap((e) => e.bytes);
  }

  #pieces(placement: readonly number[]): void {
    placement.forEach((code, index) => {
      if (code !== 0) this.#append([0x40 | code, index]);
    });
  }

  /** Marks an array, a turned or shuffled one, or an empty board; not again until more than two men have left it. */
  #mark(placement: readonly number[]): void {
    const home = placement.filter((code, index) => code !== 0 && isHome(index)).length;
    const men = placement.filter((code) => code !== 0).length;
    if (home < 30) this.#armed = this.#armed || men > 0;
    if (!this.#armed) return;
    const mark =
      men === 0
        ? 0x6d
        : home < 32 || men > 32
          ? undefined
          : placement.every((code, index) => code === ARRAY[index])
            ? 0x6f
            : placement.every((code, index) => code === ARRAY[63 - index])
              ? 0x7a
              : 0x6c;
    if (mark === undefined) return;
    this.#append([mark]);
    this.#armed = false;
  }

  #append(bytes: readonly number[], index?: number): void {
    this.#count++;
    this.#entries.push({ bytes, index, number: this.#count });
    this.#size += bytes.length;
    while (this.#size > CAPACITY - 1) this.#size -= this.#entries.shift()!.bytes.length;
  }

  #pop(): void {
    this.#size -= this.#entries.pop()!.bytes.length;
  }
}
