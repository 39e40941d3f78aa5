/** The shipped program as a process of its own, and what it says in lines of JSON. */
import { type ChildProcess, spawn } from 'node:child_process';

/** One line of what the program tells; which fields are there depends on `type`. */
export interface Said {
  readonly type?: string;
  readonly code?: string;
  readonly board?: string;
  readonly link?: string;
  readonly port?: string;
  readonly fault?: { readonly code: string };
  readonly id?: number;
  readonly number?: number;
  readonly ply?: { readonly san: string; readonly state: string };
  readonly text?: string;
  readonly service?: string;
  readonly message?: string;
  readonly cure?: string;
  readonly lost?: boolean;
}

export interface Program {
  readonly pid: number;
  readonly said: readonly Said[];
  /** Resolves with the first line, also one of long ago, for which `is` holds; fails when the program ends before. */
  until(is: (line: Said) => boolean, what: string): Promise<Said>;
  /** Sends a signal and does not wait. */
  signal(signal: NodeJS.Signals): void;
  /** Sends a signal and waits for the end; gives the exit status or the signal that ended it. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  /** What it wrote to standard error. */
  errors(): string;
}

export interface ProgramOptions {
  /** A command that runs the program: `ip netns exec NAME`. */
  readonly within?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Whether a line tells of a fault with this code, in words. */
export const isFault =
  (code: string) =>
  (line: Said): boolean =>
    line.type === 'fault' && line.code === code && (line.message ?? '') !== '' && (line.cure ?? '') !== '';

/** The longest wait for something to be said, ms. */
const UNTIL_MS = 150_000;

const running = new Set<ChildProcess>();

/** Ends what a failed test has left, so that no process outlives its test. */
export async function endPrograms(): Promise<void> {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
}

/** Starts `jadoube` as a user does. */
export function startProgram(args: readonly string[], options: ProgramOptions = {}): Program {
  const [command = '', ...rest] = [
    ...(options.within ?? []),
    process.execPath,
    'recorder/cli/jadoube.js',
    ...args,
  ];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
  });
  running.add(child);
  const said: Said[] = [];
  let errors = '';
  let rest_ = '';
  let ended: number | NodeJS.Signals | undefined;
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest_ + text).split('\n');
    rest_ = lines.pop() ?? '';
    for (const line of lines) if (line !== '') said.push(JSON.parse(line) as Said);
    changed();
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const end = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (status, signal) => {
      running.delete(child);
      ended = status ?? signal ?? -1;
      changed();
      resolve(ended);
    });
  });
  return {
    pid: child.pid ?? -1,
    said,
    until: (is, what) =>
      new Promise((resolve, reject) => {
        let seen = 0;
        const look = (): void => {
          while (seen < said.length) {
            const line = said[seen++]!;
            if (!is(line)) continue;
            clearTimeout(timer);
            listeners.delete(look);
            resolve(line);
            return;
          }
          if (ended === undefined) return;
          clearTimeout(timer);
          listeners.delete(look);
          reject(new Error(`the program has ended (${ended}) before it said ${what}: ${errors}`));
        };
        const timer = setTimeout(() => {
          listeners.delete(look);
          const last = said.slice(-8).map((line) => JSON.stringify(line));
          reject(new Error(`the program did not say ${what}; its last lines: ${last.join('\n')}${errors}`));
        }, UNTIL_MS);
        listeners.add(look);
        look();
      }),
    signal: (signal) => {
      child.kill(signal);
    },
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return end;
    },
    errors: () => errors,
  };
}
