/** What runs in the thread of `ask-unwinnable.ts`: answers questions one after the other. */
import { parentPort } from 'node:worker_threads';
import type { Variant } from '../../core/game-event.ts';
import { askWinnability, type WinnabilityAnswer } from '../../core/laws/unwinnable/winnability.ts';
import { Position } from '../../core/position.ts';
import type { Side } from '../../core/square.ts';

export interface Question {
  readonly id: number;
  readonly fen: string;
  readonly side: Side;
  readonly variant: Variant;
  readonly budget: number;
}

export interface Reply {
  readonly id: number;
  readonly answer: WinnabilityAnswer;
}

parentPort?.on('message', ({ id, fen, side, variant, budget }: Question) => {
  const position = Position.fromFen(fen, variant);
  // A position that was reached illegally may be none to play from: nothing can be said of it.
  const answer: WinnabilityAnswer = position.ok
    ? askWinnability(position.value, side, budget)
    : { verdict: 'undecided', nodes: 0 };
  parentPort?.postMessage({ id, answer } satisfies Reply);
});
