import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { Observable, share } from 'rxjs';
import type { LinkAddress } from '../../../driver/address.ts';
import type { DeviceEnd } from '../../../driver/transport.ts';

/** How often an open device is asked whether the host has sent something, and offered what it has not taken yet, ms. */
const LOOK_MS = 5;
const CHUNK = 4096;
/** A device keeps what the host does not take for so long; then the oldest goes. */
const KEPT = 64;

/** The device side of a gadget function: bytes through a character device such as /dev/hidg0 or /dev/ttyGS0. */
export function openCharacterDevice(path: string): DeviceEnd {
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOCTTY);
  let open = true;
  const address: LinkAddress = { type: 'memory', name: path };
  const buffer = Buffer.alloc(CHUNK);
  const waiting: Uint8Array[] = [];
  /** Hands over what is to be said, in order, as far as the host has room: it asks when it likes. */
  const say = (): void => {
    try {
      for (let next = waiting[0]; open && next !== undefined; next = waiting[0]) {
        const count = writeSync(fd, next);
        if (count < next.length) waiting[0] = next.subarray(count);
        else waiting.shift();
      }
    } catch (error) {
      // No room yet; else nobody takes it: lost, as on a cable without a reader.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') waiting.length = 0;
    }
  };
  const bytes$ = new Observable<Uint8Array>((subscriber) => {
    const timer = setInterval(() => {
      say();
      try {
        for (let count = 1; open && count > 0; ) {
          count = readSync(fd, buffer, 0, CHUNK, null);
          if (count > 0) subscriber.next(Uint8Array.from(buffer.subarray(0, count)));
        }
      } catch {
        // Nothing there, or nobody at the other end: both pass.
      }
    }, LOOK_MS);
    return () => clearInterval(timer);
  }).pipe(share());
  return {
    address,
    bytes$,
    write: (bytes) => {
      if (bytes.length === 0) return;
      waiting.push(bytes);
      if (waiting.length > KEPT) waiting.shift();
      say();
    },
    close: async () => {
      if (open) closeSync(fd);
      open = false;
    },
  };
}
