import type { Worker } from 'node:worker_threads';
import { BoardError } from '../../core/board-error.ts';
import { answerQuestion, type Office } from './office.ts';
import type { OfficeMessage, OfficeReply } from './office-worker.ts';

/**
 * Creates an office whose questions are answered in a thread of its own, which starts with the first and again after it has
 * failed. `startThread` runs `office-worker.ts`.
 */
export function createOffice(file: string, startThread: () => Worker): Office {
  let worker: Worker | undefined;
  let count = 0;
  const open = new Map<number, { resolve(answer: unknown): void; reject(error: unknown): void }>();

  const fail = (error: unknown): void => {
    worker = undefined;
    const failed = [...open.values()];
    open.clear();
    for (const { reject } of failed) reject(error);
  };
  const start = (): Worker => {
    const started = startThread();
    started.on('message', (reply: OfficeReply) => {
      const asked = open.get(reply.id);
      open.delete(reply.id);
      if (open.size === 0) started.unref();
      if ('answer' in reply) asked?.resolve(reply.answer);
      else
        asked?.reject('code' in reply ? new BoardError(reply.code, reply.context) : new Error(reply.failure));
    });
    started.on('error', (error) => {
      if (worker === started) fail(error);
    });
    return started;
  };

  return {
    ask(question) {
      worker ??= start();
      const id = count++;
      worker.ref();
      worker.postMessage({ id, file, question } satisfies OfficeMessage);
      return new Promise((resolve, reject) => {
        open.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      });
    },
    async close() {
      const ending = worker;
      fail(new BoardError('REQUEST_NOT_FOUND', { path: '' }));
      await ending?.terminate();
    },
  };
}

/** An office that answers at once and holds everything else up meanwhile: for small databases. */
export const createOfficeHere = (file: string): Office => ({
  ask: async (question) => answerQuestion(file, question) as never,
  close: async () => {},
});
