import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BoardError } from '../core/board-error.ts';

/** A name that is held; let go with `release`, or by the end of the process, however it ends. */
export interface Claim {
  release(): Promise<void>;
}

/**
 * Claims a device for this process among all on this machine, where the system itself would hand it to several at once
 * (HID, Bluetooth). A name without a file stands for the claim, so that a process that is killed leaves nothing behind.
 * Rejects with LINK_BUSY when another process holds it.
 */
export function claimDevice(device: string): Promise<Claim> {
  const name = `jadoube-${Buffer.from(device).toString('hex')}`;
  const path =
    process.platform === 'win32'
      ? `\\\\.\\pipe\\${name}`
      : process.platform === 'linux'
        ? `\0${name}`.slice(0, MAX_NAME)
        : join(tmpdir(), name).slice(0, MAX_NAME);
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EADDRINUSE' || cause.code === 'EACCES')
        reject(new BoardError('LINK_BUSY', { device }, cause));
      // A system without such names does not keep a board from being used.
      else resolve({ release: async () => {} });
    });
    server.listen(path, () => resolve({ release: () => new Promise((done) => server.close(() => done())) }));
    server.unref();
  });
}

/** Longest name of a local socket that every system takes. */
const MAX_NAME = 100;
