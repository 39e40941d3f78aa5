// Preloaded into a program under test: with SIGUSR2 it does what the file says that JADOUBE_ORDER names. "stall MS" holds its event loop,
// "look FILE" writes what it holds: heap after everything that can be freed is, timers, resources of the event loop.
import { readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const orders = process.env.JADOUBE_ORDER;
if (isMainThread && orders !== undefined) {
  process.on('SIGUSR2', () => {
    const [order, value] = readFileSync(orders, 'utf8').split(' ');
    if (order === 'stall') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(value));
    if (order !== 'look') return;
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    const active = process.getActiveResourcesInfo();
    const { heapUsed, external } = process.memoryUsage();
    const timers = active.filter((name) => name === 'Timeout').length;
    writeFileSync(value, JSON.stringify({ bytes: heapUsed + external, timers, resources: active.length }));
  });
}
