import type { DgtFaults } from './simulator-options.ts';

interface Piece {
  readonly atMs: number;
  readonly bytes: readonly number[];
}

/** Ten bits carry one byte: start, eight of data, stop. */
const BITS_PER_BYTE = 10;

/** A USB bridge hands over what it has when one of its packets is full. */
const PACKET_BYTES = 62;

/** Garbage of the line; not one of these bytes may begin a message. */
const GARBAGE = [0x00, 0x34, 0x7f];

/** The wire from a simulated board to the host: order, speed, and everything that damages bytes. */
export class SimulatedLine {
  readonly #byteMs: number;
  readonly #faults: DgtFaults;
  /** Messages that the board will write at a time, in the order of those times. */
  #ready: Piece[] = [];
  /** Bytes on their way, in order. */
  #wire: Piece[] = [];
  #freeAtMs = Number.NEGATIVE_INFINITY;
  #messages = 0;

  constructor(baudRate: number | undefined, faults: DgtFaults) {
    this.#byteMs = baudRate === undefined ? 0 : (BITS_PER_BYTE * 1000) / baudRate;
    this.#faults = faults;
  }

  /** When there is something to do next. */
  get wakeAtMs(): number | undefined {
    return earliest(this.#ready[0]?.atMs, this.#wire[0]?.atMs);
  }

  /** Writes a message at `atMs`; what is due earlier goes first. */
  send(message: readonly number[], atMs: number): void {
    const before = this.#ready.findLastIndex((piece) => piece.atMs <= atMs);
    this.#ready.splice(before + 1, 0, { atMs, bytes: message });
  }

  /** Everything that has reached the host by `atMs`, one array per write. */
  take(atMs: number): Uint8Array[] {
    while (this.#ready[0] !== undefined && this.#ready[0].atMs <= atMs) this.#transmit(this.#ready.shift()!);
    const arrived: number[][] = [];
    while (this.#wire[0] !== undefined && this.#wire[0].atMs <= atMs) {
      const { bytes } = this.#wire.shift()!;
      if (this.#faults.mergeMs !== undefined && arrived[0] !== undefined) arrived[0].push(...bytes);
      else arrived.push([...bytes]);
    }
    return arrived.map((bytes) => Uint8Array.from(bytes));
  }

  /** The cable is dead: nothing that is on its way arrives. */
  clear(): void {
    this.#ready = [];
    this.#wire = [];
  }

  #transmit(message: Piece): void {
    const bytes = this.#damage(message.bytes);
    const size = this.#faults.chunkBytes ?? (this.#byteMs > 0 ? PACKET_BYTES : bytes.length);
    for (let at = 0; at < bytes.length; at += size) {
      const chunk = bytes.slice(at, at + size);
      this.#freeAtMs = Math.max(this.#freeAtMs, message.atMs) + chunk.length * this.#byteMs;
      const { mergeMs } = this.#faults;
      const atMs = mergeMs === undefined ? this.#freeAtMs : Math.ceil(this.#freeAtMs / mergeMs) * mergeMs;
      this.#wire.push({ atMs, bytes: chunk });
    }
  }

  #damage(message: readonly number[]): readonly number[] {
    const { garbageAtStart, garbageEvery, truncateEvery } = this.#faults;
    const number = ++this.#messages;
    const cut = truncateEvery !== undefined && number % truncateEvery === 0;
    const noisy = garbageEvery !== undefined && number % garbageEvery === 0;
    return [
      ...(number === 1 ? (garbageAtStart ?? []) : []),
      ...(cut ? message.slice(0, -1) : message),
      // After a message that was cut, garbage would make up for the byte that is missing.
      ...(noisy && !cut ? GARBAGE : []),
    ];
  }
}

/** The smaller of two times; undefined counts as never. */
export const earliest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b);
