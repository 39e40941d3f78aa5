import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { Observable, share } from 'rxjs';
import type { LinkAddress } from '../../../driver/address.ts';
import type { DeviceEnd } from '../../../driver/transport.ts';

/** How often an open device is asked whether the host has sent something, ms. */
const LOOK_MS = 5;
const CHUNK = 4096;

/** The device side of a gadget function: bytes through a character device such as /dev/hidg0 or /dev/ttyGS0. */
export function openCharacterDevice(path: string): DeviceEnd {
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOCTTY);
  let open = true;
  const address: LinkAddress = { type: 'memory', name: path };
  const buffer = Buffer.alloc(CHUNK);
  const bytes$ = new Observable<Uint8Array>((subscriber) => {
    const timer = setInterval(() => {
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
      try {
        if (open) writeSync(fd, bytes);
      } catch {
        // Nobody takes it: lost, as on a cable without a reader.
      }
    },
    close: async () => {
      if (open) closeSync(fd);
      open = false;
    },
  };
}
