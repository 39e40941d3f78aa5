import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/**
 * Starts the thread for `createUnwinnableAsker`: in a checkout through the launcher, since a thread starts without what
 * runs TypeScript; from what was built as it is.
 */
export function startUnwinnableThread(): Worker {
  const launcher = new URL('./jadoube.js', import.meta.url);
  return existsSync(launcher)
    ? new Worker(launcher, { workerData: { thread: '../laws/unwinnable-worker.ts' } })
    : new Worker(new URL('../laws/unwinnable-worker.js', import.meta.url));
}
