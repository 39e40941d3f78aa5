import { filter, firstValueFrom, ReplaySubject, Subject } from 'rxjs';
import type { Io } from '../../../recorder/cli/io.ts';
import { runJadoube } from '../../../recorder/cli/main.ts';

/** A world for a command: what it prints is kept, and Ctrl-C is a function. */
export function createTestIo(terminal?: { columns: number; rows: number }, env: Io['env'] = {}) {
  let out = '';
  let err = '';
  const lines$ = new ReplaySubject<string>();
  const interrupt$ = new Subject<void>();
  const exits: number[] = [];
  const io: Io = {
    out: {
      write: (text) => {
        out += text;
        for (const line of text.split('\n')) if (line !== '') lines$.next(line);
      },
      ...(terminal !== undefined && { isTTY: true, ...terminal }),
    },
    err: {
      write: (text) => {
        err += text;
      },
    },
    env,
    interrupt$,
    exit: (status) => void exits.push(status),
  };
  return {
    io,
    exits,
    interrupt: () => interrupt$.next(),
    /** Waits for a line that holds all of these. */
    line: (...parts: readonly string[]): Promise<string> =>
      firstValueFrom(lines$.pipe(filter((line) => parts.every((part) => line.includes(part))))),
    get out() {
      return out;
    },
    get err() {
      return err;
    },
  };
}

/** Runs a command to its end. */
export async function runCommand(
  ...argv: readonly string[]
): Promise<{ status: number; out: string; err: string }> {
  const test = createTestIo();
  const status = await runJadoube(argv, test.io);
  return { status, out: test.out, err: test.err };
}
