import { type FaultCode, meaningOf } from '../../core/board-error.ts';
import type { Fault } from '../../core/result.ts';
import { MESSAGES } from './messages.ts';

/** One whole message of the board, header included. */
export interface Frame {
  readonly type: 'frame';
  readonly id: number;
  /** All bytes: id, two length bytes, payload. */
  readonly bytes: Uint8Array;
}

/** Bytes that belong to no good message, and why. */
export interface DiscardedBytes {
  readonly type: 'discarded';
  readonly bytes: Uint8Array;
  readonly fault: Fault;
}

export type Framed = Frame | DiscardedBytes;

/** Length of id and length bytes. */
export const HEADER_LENGTH = 3;

/** Longest silence inside one message, ms; after it the rest will not come (PROTOCOL.md, section 2). */
export const GAP_MS = 1000;
/** Longest time one stored-log message may take from its first byte, ms: 7939 bytes at 9600 baud are 8.3 s. */
export const LOG_MS = 9000;

/** Id of the stored log, the only message that takes seconds. */
export const EE_MOVES_ID = 0x8f;

const LENGTHS: ReadonlyMap<number, readonly number[]> = new Map(
  MESSAGES.flatMap((message) => ('lengths' in message ? [[message.id, message.lengths] as const] : [])),
);

const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');

/**
 * Cuts the byte stream of a board into messages, in any chunking (PROTOCOL.md, section 2). A byte with bit 7 always
 * begins a message; what does not end up in a message comes out as discarded, in order, so that every byte is
 * accounted for exactly once.
 */
export class Framer {
  readonly #lengths: ReadonlyMap<number, readonly number[]>;
  readonly #least: number;
  #open: number[] = [];
  #length = Number.POSITIVE_INFINITY;
  #startedAtMs = 0;
  #lastByteAtMs = 0;

  /** `lengths`: total lengths a good message of an id may have, where they are known; `least`: of any message. */
  constructor(lengths = LENGTHS, least = HEADER_LENGTH) {
    this.#lengths = lengths;
    this.#least = least;
  }

  /** The message that has begun and is not complete; undefined between messages. */
  get unfinished(): { readonly id: number; readonly startedAtMs: number } | undefined {
    const id = this.#open[0];
    return id === undefined ? undefined : { id, startedAtMs: this.#startedAtMs };
  }

  /** Takes a chunk that arrived at `atMs`; an empty chunk only lets time pass. */
  push(bytes: Uint8Array, atMs: number): Framed[] {
    const out: Framed[] = [];
    this.#expire(atMs, out);
    let noise: number[] = [];
    for (const byte of bytes) {
      if (byte >= 0x80) {
        if (noise.length > 0) out.push(discard(noise, 'FRAME_GARBAGE'));
        noise = [];
        this.#drop(out, 'FRAME_TRUNCATED', 'another message began before it was complete');
        this.#open = [byte];
        this.#length = Number.POSITIVE_INFINITY;
        this.#startedAtMs = atMs;
      } else if (this.#open.length === 0) noise.push(byte);
      else {
        this.#open.push(byte);
        if (this.#open.length === HEADER_LENGTH) this.#measure(out);
        if (this.#open.length === this.#length) {
          out.push({ type: 'frame', id: this.#open[0]!, bytes: Uint8Array.from(this.#open) });
          this.#open = [];
        }
      }
    }
    if (noise.length > 0) out.push(discard(noise, 'FRAME_GARBAGE'));
    if (bytes.length > 0) this.#lastByteAtMs = atMs;
    return out;
  }

  /** Gives up the unfinished message: the link it came over is gone. */
  end(): Framed[] {
    const out: Framed[] = [];
    this.#drop(out, 'FRAME_TRUNCATED', 'the link ended before it was complete');
    return out;
  }

  #measure(out: Framed[]): void {
    const [id, high, low] = this.#open as [number, number, number];
    const length = (high << 7) | low;
    const lengths = this.#lengths.get(id);
    if (length < this.#least || (lengths !== undefined && !lengths.includes(length))) {
      this.#drop(out, 'FRAME_HEADER', `a length of ${length} does not belong to it`);
    } else this.#length = length;
  }

  #expire(atMs: number, out: Framed[]): void {
    const id = this.#open[0];
    if (id === undefined) return;
    const late =
      atMs - this.#lastByteAtMs > GAP_MS || (id === EE_MOVES_ID && atMs - this.#startedAtMs > LOG_MS);
    if (late) this.#drop(out, 'FRAME_TRUNCATED', 'the rest of it did not come in time');
  }

  #drop(out: Framed[], code: FaultCode, why: string): void {
    if (this.#open.length === 0) return;
    out.push(discard(this.#open, code, `message ${hex(this.#open[0]!)}: ${why}`));
    this.#open = [];
  }
}

/** Bytes that belong to no good message, with the meaning of the code and, where there is more to say, the detail. */
export function discard(
  bytes: readonly number[] | Uint8Array,
  code: FaultCode,
  detail?: string,
): DiscardedBytes {
  const message = detail === undefined ? meaningOf(code) : `${meaningOf(code)} (${detail})`;
  return { type: 'discarded', bytes: Uint8Array.from(bytes), fault: { code, message } };
}
