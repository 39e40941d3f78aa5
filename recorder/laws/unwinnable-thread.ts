import type { Worker } from 'node:worker_threads';
import { startThread } from '../start-thread.ts';

/** Starts the thread for `createUnwinnableAsker`. */
export const startUnwinnableThread = (): Worker => startThread('laws/unwinnable-worker');
