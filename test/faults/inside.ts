/** Reaches into a running program: holds its event loop, looks at what it holds, sets the wall clock that it sees. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from './program.ts';
import { reach } from './wait.ts';

/** What a program holds. */
export interface Holdings {
  /** Heap and what belongs to it outside, after everything that can be freed is. */
  readonly bytes: number;
  readonly timers: number;
  readonly resources: number;
  /** Open files and sockets. */
  readonly handles: number;
}

export interface Inside {
  /** Variables with which the program is to be started. */
  readonly env: Readonly<Record<string, string>>;
  /** Holds the event loop of the program. */
  stall(program: Program, ms: number): void;
  look(program: Program): Promise<Holdings>;
}

/** Prepares a way into a program that will be started; `folder` holds what is said to each other. */
export function reachInside(folder: string): Inside {
  const order = join(folder, 'order');
  const preload = new URL('./inside.mjs', import.meta.url).href;
  const tell = (program: Program, text: string): void => {
    writeFileSync(order, text);
    program.signal('SIGUSR2');
  };
  let looks = 0;
  return {
    env: {
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${preload}`.trim(),
      JADOUBE_ORDER: order,
    },
    stall: (program, ms) => tell(program, `stall ${ms}`),
    async look(program) {
      const file = join(folder, `look-${looks++}`);
      tell(program, `look ${file}`);
      let held: Omit<Holdings, 'handles'> | undefined;
      await reach(() => {
        try {
          held = JSON.parse(readFileSync(file, 'utf8')) as Omit<Holdings, 'handles'>;
          return true;
        } catch {
          return false;
        }
      }, 'what the program holds');
      rmSync(file);
      return { ...held!, handles: readdirSync(`/proc/${program.pid}/fd`).length };
    },
  };
}

export interface WallClock {
  readonly env: Readonly<Record<string, string>>;
  /** Puts the wall clock of the program so far before the right one, ms; the monotonic one goes on. */
  set(ms: number): void;
}

/** Makes a wall clock of its own for a program that will be started; undefined where nothing can be compiled. */
export function makeWallClock(folder: string): WallClock | undefined {
  const library = join(folder, 'wall-clock.so');
  const source = new URL('./wall-clock.c', import.meta.url).pathname;
  if (spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']).status !== 0)
    return undefined;
  const offset = join(folder, 'wall-clock');
  const set = (ms: number): void => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(ms));
    // In place: the program has the file mapped.
    writeFileSync(offset, bytes, { flag: 'r+' });
  };
  writeFileSync(offset, Buffer.alloc(8));
  return { env: { LD_PRELOAD: library, JADOUBE_WALL_CLOCK: offset }, set };
}
