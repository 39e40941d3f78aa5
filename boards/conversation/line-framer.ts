import { type Discarded, discard } from './discard.ts';

/** One line of text without its end, and the bytes it was. */
export interface TextLine {
  readonly type: 'line';
  readonly text: string;
  readonly bytes: Uint8Array;
}

export interface LineFramerOptions {
  /** The byte that ends a line; a line feed when absent. */
  readonly end?: number;
  /** Longer text without an end is no line. */
  readonly longest: number;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Cuts bytes into lines of printable ASCII, in any chunking. Bytes that no text holds come out as garbage at their
 * place and cost the line around them nothing; empty lines are nothing. Every other byte comes out exactly once.
 */
export class LineFramer {
  readonly #end: number;
  readonly #longest: number;
  #line: number[] = [];

  constructor({ end = LINE_FEED, longest }: LineFramerOptions) {
    this.#end = end;
    this.#longest = longest;
  }

  push(bytes: Uint8Array): (TextLine | Discarded)[] {
    const out: (TextLine | Discarded)[] = [];
    let noise: number[] = [];
    const tellNoise = (): void => {
      if (noise.length > 0) out.push(discard(noise, 'FRAME_GARBAGE'));
      noise = [];
    };
    for (const byte of bytes) {
      if (byte === this.#end || byte === LINE_FEED || byte === CARRIAGE_RETURN) {
        if (byte !== this.#end && this.#end !== LINE_FEED) continue;
        tellNoise();
        if (byte === this.#end) this.#finish(out);
      } else if (byte < 0x20 || byte > 0x7e) noise.push(byte);
      else {
        tellNoise();
        this.#line.push(byte);
        if (this.#line.length > this.#longest) this.#drop(out, 'FRAME_GARBAGE', 'no line is that long');
      }
    }
    tellNoise();
    return out;
  }

  /** Gives up the unfinished line: the link it came over is gone. */
  end(): Discarded[] {
    const out: Discarded[] = [];
    this.#drop(out, 'FRAME_TRUNCATED', 'the link ended before it was complete');
    return out;
  }

  #finish(out: (TextLine | Discarded)[]): void {
    if (this.#line.length === 0) return;
    const bytes = Uint8Array.from(this.#line);
    out.push({ type: 'line', text: String.fromCharCode(...bytes).trim(), bytes });
    this.#line = [];
  }

  #drop(
    out: (TextLine | Discarded)[] | Discarded[],
    code: 'FRAME_GARBAGE' | 'FRAME_TRUNCATED',
    why: string,
  ): void {
    if (this.#line.length > 0) (out as Discarded[]).push(discard(this.#line, code, why));
    this.#line = [];
  }
}

/** Text as bytes; every character is one byte. */
export const asciiBytes = (text: string): Uint8Array =>
  Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 0xff);
