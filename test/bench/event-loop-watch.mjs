// Preloaded into a program under measurement (`node --import`): writes how its event loop and its memory stand to the file that
// JADOUBE_WATCH names, once a second.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env.JADOUBE_WATCH;
if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const ms = (ns) => Math.round(ns / 1e4) / 100;
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const loop = {
      p50Ms: ms(delay.percentile(50)),
      p95Ms: ms(delay.percentile(95)),
      p99Ms: ms(delay.percentile(99)),
      maxMs: ms(delay.max),
    };
    writeFileSync(
      file,
      JSON.stringify({
        cpuMs: (user + system) / 1000,
        rss,
        heapUsed,
        timers,
        resources: process.getActiveResourcesInfo().length,
        loop,
      }),
    );
  }, 1000).unref();
}
