/** The shipped program under measurement: started as a user starts it, watched from outside. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

/** How a running program stands. */
export interface Standing {
  readonly cpuMs: number;
  readonly rss: number;
  readonly heapUsed: number;
  readonly timers: number;
  readonly resources: number;
  readonly loop: {
    readonly p50Ms: number;
    readonly p95Ms: number;
    readonly p99Ms: number;
    readonly maxMs: number;
  };
}

/** One line of JSON that it has written, and when it came. */
export interface Line {
  readonly atMs: number;
  readonly said: Readonly<Record<string, unknown>>;
}

export interface Shipped {
  readonly pid: number;
  /** As it stood within the last second; undefined before the first. */
  standing(): Standing | undefined;
  /** Files and sockets that it holds open; undefined where that cannot be known. */
  handles(): number | undefined;
  /** Bytes that it has written to disks; undefined where that cannot be known. */
  bytesWritten(): number | undefined;
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** The time that lines are stamped with, ms. */
export const nowMs = (): number => performance.now();

/** Starts `jadoube`; every line of its output is given to `heard`. */
export function startShipped(args: readonly string[], folder: string, heard: (line: Line) => void): Shipped {
  const watch = join(folder, 'standing.json');
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', new URL('./event-loop-watch.mjs', import.meta.url).href, 'recorder/cli/jadoube.js', ...args],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, JADOUBE_WATCH: watch } },
  );
  const { pid } = child;
  if (pid === undefined) throw new Error('the program did not start');
  let rest = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const atMs = nowMs();
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') heard({ atMs, said: JSON.parse(line) });
  });
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (status, signal) => resolve(status ?? signal ?? -1));
  });
  const tried = <T>(look: () => T): T | undefined => {
    try {
      return look();
    } catch {
      return undefined;
    }
  };
  return {
    pid,
    standing: () => tried(() => JSON.parse(readFileSync(watch, 'utf8')) as Standing),
    handles: () => tried(() => readdirSync(`/proc/${pid}/fd`).length),
    bytesWritten: () =>
      tried(() => Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])),
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
