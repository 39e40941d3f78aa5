import type { FaultCode } from '../../core/board-error.ts';
import { type Discarded, discard } from './discard.ts';

/**
 * What the bytes at the beginning of a buffer are: the length of a whole message, `more` when one has begun and is not
 * complete, or why they begin none. Must say of a longer buffer what it says of a shorter one, once it has decided.
 */
export type Verdict = number | 'more' | 'garbage' | { readonly bad: FaultCode; readonly detail: string };

/** One whole message, all its bytes. */
export interface ScannedFrame {
  readonly type: 'frame';
  readonly bytes: Uint8Array;
}

/**
 * Cuts bytes into messages in any chunking, by a maker's judgement of what begins one. What begins no good message
 * loses one byte and is judged again, so that a damaged message never costs the good one behind it.
 */
export class FrameScanner {
  readonly #judge: (bytes: readonly number[]) => Verdict;
  readonly #gapMs: number;
  #open: number[] = [];
  #lastByteAtMs = 0;

  /** `gapMs`: a message whose bytes stop for longer is never completed. */
  constructor(judge: (bytes: readonly number[]) => Verdict, gapMs = 1000) {
    this.#judge = judge;
    this.#gapMs = gapMs;
  }

  /** Takes a chunk that arrived at `atMs`; an empty chunk only lets time pass. */
  push(bytes: Uint8Array, atMs: number): (ScannedFrame | Discarded)[] {
    const out: (ScannedFrame | Discarded)[] = [];
    if (this.#open.length > 0 && atMs - this.#lastByteAtMs > this.#gapMs) {
      out.push(discard(this.#open, 'FRAME_TRUNCATED', 'the rest of it did not come in time'));
      this.#open = [];
    }
    if (bytes.length === 0) return out;
    this.#lastByteAtMs = atMs;
    let lost: number[] = [];
    let why: { readonly code: FaultCode; readonly detail?: string } | undefined;
    const tellLost = (): void => {
      if (why !== undefined) out.push(discard(lost, why.code, why.detail));
      lost = [];
      why = undefined;
    };
    this.#open.push(...bytes);
    while (this.#open.length > 0) {
      const verdict = this.#judge(this.#open);
      if (verdict === 'more') break;
      if (typeof verdict === 'number') {
        tellLost();
        out.push({ type: 'frame', bytes: Uint8Array.from(this.#open.splice(0, verdict)) });
        continue;
      }
      // The first reason is the one worth telling: what follows from it is only its rubble.
      why ??=
        verdict === 'garbage' ? { code: 'FRAME_GARBAGE' } : { code: verdict.bad, detail: verdict.detail };
      lost.push(this.#open.shift()!);
    }
    tellLost();
    return out;
  }

  /** Gives up the unfinished message: the link it came over is gone. */
  end(): Discarded[] {
    if (this.#open.length === 0) return [];
    const open = this.#open;
    this.#open = [];
    return [discard(open, 'FRAME_TRUNCATED', 'the link ended before it was complete')];
  }
}
