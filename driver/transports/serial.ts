import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { Observable } from 'rxjs';
import type { SerialPort } from 'serialport';
import type { SerialOptions } from '../../boards/definition.ts';
import { BoardError } from '../../core/board-error.ts';
import type { Clock } from '../clock.ts';
import type { LinkEvent, Transport } from '../transport.ts';

// A port belongs to the whole process, and closing takes a moment: whoever opens it next, through whichever
// transport, waits for the close, or it would find the port busy with ourselves.
const closings = new Map<string, Promise<void>>();

/**
 * Reaches a board over a serial port or a pseudo-terminal. The port is locked against other programs that lock
 * (LINK_BUSY); the modem lines are left alone, so that opening does not reset a board that is wired to them. Bytes that
 * were sent before the port was opened are lost.
 */
export function createSerialTransport(path: string, serial: SerialOptions, clock: Clock): Transport {
  const open$ = (): Observable<LinkEvent> =>
    new Observable<LinkEvent>((subscriber) => {
      const refuseWrites = new Set<(error: BoardError) => void>();
      let over: BoardError | undefined;

      const end = (error: BoardError): void => {
        if (over !== undefined) return;
        over = error;
        for (const refuse of refuseWrites) refuse(error);
        subscriber.error(error);
      };

      const opening = openPort(path, serial, () => subscriber.closed).then(
        (port) => {
          if (port === undefined) return undefined;
          port.on('error', (cause) => end(new BoardError('LINK_GONE', { device: path }, cause)));
          port.on('close', (cause: unknown) => end(new BoardError('LINK_GONE', { device: path }, cause)));
          port.on('data', (bytes: Buffer) => {
            // Copied: the library hands out views of a pool that would be kept alive by a few bytes.
            subscriber.next({ type: 'bytes', atMs: clock.monotonicMs(), bytes: new Uint8Array(bytes) });
          });
          subscriber.next({
            type: 'opened',
            atMs: clock.monotonicMs(),
            write: (bytes) =>
              new Promise<void>((resolve, reject) => {
                if (over !== undefined) return reject(over);
                refuseWrites.add(reject);
                port.write(Buffer.from(bytes), (cause) => {
                  refuseWrites.delete(reject);
                  if (cause) reject(new BoardError('LINK_GONE', { device: path }, cause));
                  else resolve();
                });
              }),
          });
          return port;
        },
        async (cause: unknown) => {
          end(await explainOpenFailure(path, cause));
          return undefined;
        },
      );

      return () => {
        over ??= new BoardError('LINK_GONE', { device: path, detail: 'closed' });
        for (const refuse of refuseWrites) refuse(over);
        const closing = opening.then(closePort).finally(() => {
          if (closings.get(path) === closing) closings.delete(path);
        });
        closings.set(path, closing);
      };
    });
  return { address: { type: 'serial', path }, open$ };
}

async function openPort(
  path: string,
  serial: SerialOptions,
  unwanted: () => boolean,
): Promise<SerialPort | undefined> {
  await closings.get(path);
  const { SerialPort } = await import('serialport').catch((cause: unknown) => {
    throw new BoardError('LINK_UNSUPPORTED', { device: path }, cause);
  });
  if (unwanted()) return undefined;
  const port = new SerialPort({ path, ...serial, hupcl: false, lock: true, autoOpen: false });
  await new Promise<void>((resolve, reject) => port.open((error) => (error ? reject(error) : resolve())));
  return port;
}

const closePort = (port: SerialPort | undefined): Promise<void> =>
  new Promise((resolve) => {
    // A port that failed has closed itself; an error of the close changes nothing for anyone.
    if (port === undefined || !port.isOpen) resolve();
    else port.close(() => resolve());
  });

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
