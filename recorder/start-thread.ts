import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/**
 * Starts a thread that runs a module of the recorder, named from its folder without an ending (`desk/office-worker`): in a checkout
 * through the launcher, since a thread starts without what runs TypeScript; from what was built as it is.
 */
export function startThread(module: string): Worker {
  const launcher = new URL('./cli/jadoube.js', import.meta.url);
  return existsSync(launcher)
    ? new Worker(launcher, { workerData: { thread: `../${module}.ts` } })
    : new Worker(new URL(`./${module}.js`, import.meta.url));
}
