import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { Observable } from 'rxjs';
import type { DeviceEnd } from './transport.ts';

/** The master side of a pseudo-terminal: a host opens `path` as if it were a serial port. */
export interface PseudoTerminal extends DeviceEnd {
  /** The slave side: "/dev/pts/5". */
  readonly path: string;
}

/** A program that makes a pseudo-terminal and keeps its master side. */
export interface Keeper {
  readonly command: string;
  readonly arguments: readonly string[];
}

// Node cannot make a pseudo-terminal itself (it has no ioctl), and a native module for it would have to be compiled
// where the program is installed. Each of these holds the master side, passes its own input and output through to it
// untouched, and says first, on a line of its own, where the slave side is. Both end with us, however we end: they
// hold the other end of a pipe.
export const KEEPERS: readonly Keeper[] = [
  // util-linux, on every Debian: `script` makes the terminal, the shell in it sets it raw and waits on pipe 3.
  {
    command: 'script',
    arguments: ['-q', '-c', 'stty raw -echo && tty && read -r line <&3', '/dev/null'],
  },
  {
    command: 'python3',
    arguments: [
      '-c',
      `
import os, select, tty
master, slave = os.openpty()
tty.setraw(slave)
os.write(1, os.ttyname(slave).encode() + b'\\n')
while True:
    ready = select.select([0, master], [], [])[0]
    for source, sink in ((0, master), (master, 1)):
        if source in ready:
            data = os.read(source, 4096)
            if not data:
                raise SystemExit
            while data:
                data = data[os.write(sink, data):]
`,
    ],
  },
];

/** The longest wait for a keeper to say where its slave side is. */
const START_MS = 5_000;
/** What is kept for a host that does not read, in bytes; a cable without a reader keeps nothing at all. */
const HELD_BYTES = 65_536;

/**
 * Creates a pseudo-terminal that carries all 256 byte values both ways untouched; undefined where the system cannot
 * make one. `close` is the cable pulled: whoever has the slave side open loses it.
 */
export async function createPseudoTerminal(): Promise<PseudoTerminal | undefined> {
  if (process.platform === 'win32') return undefined;
  for (const keeper of KEEPERS) {
    const terminal = await keepTerminal(keeper);
    if (terminal !== undefined) return terminal;
  }
  return undefined;
}

/** Starts one keeper; undefined when it is missing or does not answer as expected. */
export async function keepTerminal(keeper: Keeper): Promise<PseudoTerminal | undefined> {
  const child = spawn(keeper.command, keeper.arguments, {
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    // A process group of its own: Ctrl-C in the terminal is for us, and we close in our own order.
    detached: true,
    env: { ...process.env, SHELL: '/bin/sh', LC_ALL: 'C' },
  }) as unknown as ChildProcessByStdio<Writable, Readable, null>;
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  // Writing to a keeper that has just ended is not worth an exception.
  for (const stream of child.stdio) stream?.on('error', () => {});
  const close = (): Promise<void> => {
    child.kill('SIGKILL');
    return ended;
  };

  const path = await firstLine(child.stdout, ended);
  if (path === undefined || !path.startsWith('/dev/')) {
    await close();
    return undefined;
  }
  return {
    path,
    address: { type: 'serial', path },
    bytes$: new Observable<Uint8Array>((subscriber) => {
      const hear = (bytes: Buffer): void => subscriber.next(new Uint8Array(bytes));
      child.stdout.on('data', hear);
      void ended.then(() => subscriber.complete());
      return () => {
        child.stdout.off('data', hear);
        child.stdout.pause();
      };
    }),
    write: (bytes) => {
      if (child.stdin.writable && child.stdin.writableLength < HELD_BYTES) child.stdin.write(bytes);
    },
    close,
  };
}

/** Reads one line byte by byte, so that nothing after it is taken from the stream; undefined when it does not come. */
function firstLine(stream: Readable, ended: Promise<void>): Promise<string | undefined> {
  return new Promise((resolve) => {
    let line = '';
    const done = (result: string | undefined): void => {
      clearTimeout(timer);
      stream.off('readable', read);
      resolve(result);
    };
    const timer = setTimeout(() => done(undefined), START_MS);
    const read = (): void => {
      for (let byte = stream.read(1); byte !== null; byte = stream.read(1)) {
        if (byte[0] === 0x0a) {
          done(line);
          return;
        }
        line += String.fromCharCode(byte[0]);
      }
    };
    stream.on('readable', read);
    void ended.then(() => done(undefined));
  });
}
