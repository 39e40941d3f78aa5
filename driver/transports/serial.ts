import { constants, read } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Observable } from 'rxjs';
import type { SerialOptions } from '../../boards/definition.ts';
import { BoardError } from '../../core/board-error.ts';
import type { Clock } from '../clock.ts';
import type { LinkEvent, Transport } from '../transport.ts';

// A port belongs to the whole process, and closing takes a moment: whoever opens it next, through whichever
// transport, waits for the close, or it would find the port busy with ourselves.
const closings = new Map<string, Promise<void>>();

const READ_BYTES = 4096;
/** A line that has hung up reads as nothing for ever; once is not yet for ever. */
const READS_OF_NOTHING = 3;
const readFd = promisify(read);

/**
 * Reaches a board over a serial port or a pseudo-terminal. The port is locked against other programs that lock
 * (LINK_BUSY); the modem lines are left alone, so that opening does not reset a board that is wired to them. Bytes that
 * were sent before the port was opened are lost.
 */
export function createSerialTransport(path: string, serial: SerialOptions, clock: Clock): Transport {
  const gone = (cause: unknown) => new BoardError('LINK_GONE', { device: path }, cause);
  const open$ = (): Observable<LinkEvent> =>
    new Observable<LinkEvent>((subscriber) => {
      const opening = openPort(path, serial, () => subscriber.closed);
      let writing = Promise.resolve();

      const write = (port: Port, bytes: Uint8Array): Promise<void> => {
        const mine = writing.then(async () => {
          if (subscriber.closed) throw gone('closed');
          await port.write(Buffer.from(bytes)).catch((cause: unknown) => {
            throw gone(cause);
          });
        });
        // The queue goes on after a failure; only its own caller hears of it.
        writing = mine.catch(() => {});
        return mine;
      };

      const read = async (port: Port): Promise<void> => {
        const buffer = Buffer.alloc(READ_BYTES);
        while (!subscriber.closed) {
          const count = await readSome(port, buffer, () => subscriber.closed);
          if (count === 0) throw gone('hung up');
          // Stamped before anything else is done with it.
          const atMs = clock.monotonicMs();
          subscriber.next({ type: 'bytes', atMs, bytes: Uint8Array.from(buffer.subarray(0, count)) });
        }
      };

      const life = opening.then(
        async (port) => {
          if (port === undefined) return;
          const atMs = clock.monotonicMs();
          subscriber.next({ type: 'opened', atMs, write: (bytes) => write(port, bytes) });
          await read(port).catch((cause: unknown) => subscriber.error(gone(cause)));
        },
        async (cause: unknown) => subscriber.error(await explainOpenFailure(path, cause)),
      );

      return () => {
        const closing = opening
          .then((port) => port && closePort(port, life))
          .catch(() => {
            // It never opened, or it failed and an error of its close changes nothing for anyone.
          })
          .finally(() => {
            if (closings.get(path) === closing) closings.delete(path);
          });
        closings.set(path, closing);
      };
    });
  return { address: { type: 'serial', path }, open$ };
}

/** An open port of the library below its stream. */
type Port = Awaited<ReturnType<typeof import('serialport').SerialPort.binding.open>>;

/** The same where a port is a file descriptor. */
interface PollablePort {
  readonly fd: number | null;
  readonly poller: {
    once(event: 'readable', callback: (error: Error | null) => void): unknown;
    stop(): void;
  };
}

const isPollable = (port: Port | PollablePort): port is PollablePort => 'poller' in port && 'fd' in port;

async function openPort(
  path: string,
  serial: SerialOptions,
  unwanted: () => boolean,
): Promise<Port | undefined> {
  await closings.get(path);
  const { SerialPort } = await import('serialport').catch((cause: unknown) => {
    throw new BoardError('LINK_UNSUPPORTED', { device: path }, cause);
  });
  if (unwanted()) return undefined;
  return SerialPort.binding.open({ path, ...serial, hupcl: false, lock: true });
}

/**
 * Waits for bytes and reads them; 0 when the line has hung up. The library's own reading (and so its stream) takes a
 * read of nothing for "try again", and after a hang-up it does so for ever, at full speed and without a word.
 */
async function readSome(port: Port, buffer: Buffer, unwanted: () => boolean): Promise<number> {
  if (!isPollable(port)) return (await port.read(buffer, 0, buffer.length)).bytesRead;
  const pollable: PollablePort = port;
  let nothing = 0;
  // Asked again before every wait: a close can only end a wait that has begun.
  while (pollable.fd !== null && !unwanted()) {
    try {
      const { bytesRead } = await readFd(pollable.fd, buffer, 0, buffer.length, null);
      if (bytesRead > 0 || ++nothing === READS_OF_NOTHING) return bytesRead;
      continue;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EAGAIN' && code !== 'EWOULDBLOCK' && code !== 'EINTR') throw error;
    }
    if (unwanted()) break;
    await new Promise<void>((resolve, reject) => {
      pollable.poller.once('readable', (error) => (error ? reject(error) : resolve()));
    });
  }
  throw new Error('closed');
}

async function closePort(port: Port, life: Promise<void>): Promise<void> {
  if (isPollable(port)) {
    // A read that is under way ends first: its file descriptor may belong to another file as soon as it is closed.
    (port as PollablePort).poller.stop();
    await life;
  }
  await port.close();
}

const NOT_THERE = ['ENOENT', 'ENXIO', 'ENODEV', 'ENOTDIR', 'ELOOP'];

/** Tells why a port could not be opened, as a coded error that names the device, its group and the cure. */
export async function explainOpenFailure(path: string, cause: unknown): Promise<BoardError> {
  if (cause instanceof BoardError) return cause;
  const text = cause instanceof Error ? cause.message : String(cause);
  // The library has words only; what the file system says of the path is exact.
  const code = await accessCode(path);
  if (code === 'EACCES' || code === 'EPERM' || /permission denied|EACCES/i.test(text)) {
    const group = await groupOf(path);
    return new BoardError('LINK_PERMISSION', { device: path, ...(group && { group }) }, cause);
  }
  // Windows says "Access denied" of a port that another program holds.
  if (/cannot lock|resource busy|EBUSY|access denied|access is denied/i.test(text)) {
    return new BoardError('LINK_BUSY', { device: path }, cause);
  }
  if (code !== undefined && NOT_THERE.includes(code))
    return new BoardError('LINK_GONE', { device: path }, cause);
  if (/inappropriate ioctl|ENOTTY|is a directory/i.test(text)) {
    return new BoardError('LINK_UNSUPPORTED', { device: path, detail: 'it is no serial port' }, cause);
  }
  return new BoardError('LINK_GONE', { device: path, detail: text }, cause);
}

/** Tells whether a serial port may be opened by this user; undefined when it may, or when only trying can tell. */
export async function accessFault(path: string): Promise<BoardError | undefined> {
  const code = await accessCode(path);
  return code === 'EACCES' || code === 'EPERM' ? explainOpenFailure(path, undefined) : undefined;
}

async function accessCode(path: string): Promise<string | undefined> {
  // On Windows a port is no file; there only the library's words are left.
  if (process.platform === 'win32') return undefined;
  try {
    await access(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/** The name of the group that owns a file, or its number; undefined when that cannot be found out. */
async function groupOf(path: string): Promise<string | undefined> {
  try {
    const { gid } = await stat(path);
    const groups = await readFile('/etc/group', 'utf8').catch(() => '');
    const line = groups.split('\n').find((entry) => entry.split(':')[2] === String(gid));
    return line?.split(':')[0] || String(gid);
  } catch {
    return undefined;
  }
}
