import type { Worker } from 'node:worker_threads';
import type { Variant } from '../../core/game-event.ts';
import { DEFAULT_BUDGET, type WinnabilityAnswer } from '../../core/laws/unwinnable/winnability.ts';
import type { Side } from '../../core/square.ts';
import type { Question, Reply } from './unwinnable-worker.ts';

export interface AskOptions {
  readonly variant?: Variant;
  readonly budget?: number;
}

/** Answers who can still mate, in a thread of its own: no board waits for it. */
export interface UnwinnableAsker {
  /**
   * Whether a side can mate in a position (FEN). Questions are answered in their order; one that is open when the asker is
   * closed is undecided. Rejects when the thread fails, which is a mistake of ours.
   */
  askUnwinnable(fen: string, side: Side, options?: AskOptions): Promise<WinnabilityAnswer>;
  /** Ends the thread; open questions are undecided. */
  close(): Promise<void>;
}

const UNDECIDED: WinnabilityAnswer = { verdict: 'undecided', nodes: 0 };

/**
 * Creates an asker; its thread (which runs `unwinnable-worker.ts`; `startUnwinnableThread` starts it) starts with the first
 * question, and again after it failed or was closed. It keeps no process alive.
 */
export function createUnwinnableAsker(startThread: () => Worker): UnwinnableAsker {
  let worker: Worker | undefined;
  let count = 0;
  const open = new Map<number, { resolve(answer: WinnabilityAnswer): void; reject(error: unknown): void }>();

  const forget = (): void => {
    worker = undefined;
    open.clear();
  };

  const start = (): Worker => {
    const started = startThread();
    started.on('message', ({ id, answer }: Reply) => {
      open.get(id)?.resolve(answer);
      open.delete(id);
      if (open.size === 0) started.unref();
    });
    started.on('error', (error) => {
      if (worker !== started) return;
      const failed = [...open.values()];
      forget();
      for (const { reject } of failed) reject(error);
    });
    return started;
  };

  return {
    askUnwinnable(fen, side, { variant = 'standard', budget = DEFAULT_BUDGET } = {}) {
      worker ??= start();
      const id = count++;
      worker.ref();
      worker.postMessage({ id, fen, side, variant, budget } satisfies Question);
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject });
      });
    },
    async close() {
      const ending = worker;
      const left = [...open.values()];
      forget();
      for (const { resolve } of left) resolve(UNDECIDED);
      await ending?.terminate();
    },
  };
}
