import { type Discarded, discard } from '../conversation/discard.ts';
import { GREATEST, LIGHTS_ACKS } from './messages.ts';

/** What a line of numbers turned out to be. */
export type NumberLine =
  | { readonly type: 'numbers'; readonly numbers: readonly number[]; readonly bytes: Uint8Array }
  | { readonly type: 'lights-ack'; readonly bytes: Uint8Array }
  | Discarded;

const COLON = 0x3a;
const LINE_ENDS = [0x0a, 0x0d];
/** Digits and blanks of one number. */
const BYTES_A_NUMBER = 5;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/**
 * Cuts bytes into lines ":" numbers, in any chunking (PROTOCOL.md, section 2). A line is over when it has as many numbers
 * as it must; line ends before that, and bytes that no line holds, are strays and cost it nothing.
 */
export class NumberLines {
  readonly #count: number;
  /** Bytes of the present line from its colon on; undefined between lines. */
  #open: number[] | undefined;

  constructor(count: number) {
    this.#count = count;
  }

  push(bytes: Uint8Array): NumberLine[] {
    const out: NumberLine[] = [];
    let noise: number[] = [];
    const tellNoise = (): void => {
      if (noise.length > 0) out.push(discard(noise, 'FRAME_GARBAGE'));
      noise = [];
    };
    for (const byte of bytes) {
      // Boards put these between their lines.
      if (byte === 0) continue;
      if (byte === COLON) {
        tellNoise();
        this.#close(out);
        this.#open = [byte];
      } else if (this.#open === undefined) {
        if (LIGHTS_ACKS.some((letter) => letter.charCodeAt(0) === byte)) {
          tellNoise();
          out.push({ type: 'lights-ack', bytes: Uint8Array.of(byte) });
        } else if (!LINE_ENDS.includes(byte) && byte !== 0x20) noise.push(byte);
      } else if (LINE_ENDS.includes(byte)) {
        if (this.#numbers().length >= this.#count) {
          tellNoise();
          this.#close(out);
        }
      } else if (isDigit(byte) || byte === 0x20) {
        this.#open.push(byte);
        if (this.#open.length > this.#count * BYTES_A_NUMBER) this.#drop(out, 'a line without end');
      } else if (byte > 0x20 && byte < 0x7f) {
        // A letter belongs to another line: this one has lost its end.
        tellNoise();
        this.#drop(out, 'another line began before it was complete');
        noise.push(byte);
      } else noise.push(byte);
    }
    tellNoise();
    return out;
  }

  /** Gives up the unfinished line: the link it came over is gone. */
  end(): NumberLine[] {
    const out: NumberLine[] = [];
    this.#drop(out, 'the link ended before it was complete');
    return out;
  }

  #numbers(): readonly string[] {
    return String.fromCharCode(...this.#open!.slice(1))
      .split(' ')
      .filter((word) => word !== '');
  }

  #close(out: NumberLine[]): void {
    if (this.#open === undefined) return;
    const words = this.#numbers();
    if (words.length !== this.#count) {
      this.#drop(out, `${words.length} numbers of ${this.#count}`);
      return;
    }
    const bytes = Uint8Array.from(this.#open);
    const numbers = words.map(Number);
    const isGood = words.every((word) => word.length <= 3) && numbers.every((number) => number <= GREATEST);
    out.push(
      isGood ? { type: 'numbers', numbers, bytes } : discard(bytes, 'FRAME_VALUE', 'no byte is that great'),
    );
    this.#open = undefined;
  }

  #drop(out: NumberLine[], why: string): void {
    if (this.#open !== undefined) out.push(discard(this.#open, 'FRAME_TRUNCATED', why));
    this.#open = undefined;
  }
}
