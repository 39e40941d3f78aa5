import {
  concat,
  concatMap,
  defer,
  finalize,
  map,
  mergeMap,
  type Observable,
  of,
  Subject,
  throwError,
} from 'rxjs';
import { BoardError } from '../../core/board-error.ts';
import { type LinkAddress, makeLinkAddress } from '../address.ts';
import type { Clock } from '../clock.ts';
import type { DeviceEnd, LinkEvent, Transport } from '../transport.ts';

/** The far end of a pair in memory; its cable can be pulled and put back. */
export interface MemoryDevice extends DeviceEnd {
  unplug(): void;
  plug(): void;
}

/**
 * Creates two joined ends in memory. What one end writes reaches the other later, never within the call, as over any
 * other link; bytes in the air when the cable is pulled still arrive.
 */
export function createMemoryPair(name: string, clock: Clock): { transport: Transport; device: MemoryDevice } {
  const address: LinkAddress = { type: 'memory', name };
  const device = makeLinkAddress(address);
  const toHost = new Subject<Uint8Array | 'unplugged'>();
  const toDevice = new Subject<Uint8Array>();
  let plugged = true;
  let taken = false;

  const later = <T>(source: Observable<T>): Observable<T> =>
    source.pipe(concatMap((item) => clock.timer$(0).pipe(map(() => item))));
  const gone = () => new BoardError('LINK_GONE', { device });

  const opened = (): LinkEvent => ({
    type: 'opened',
    atMs: clock.monotonicMs(),
    write: async (bytes) => {
      if (!plugged) throw gone();
      toDevice.next(bytes.slice());
    },
  });
  const hear = (item: Uint8Array | 'unplugged'): Observable<LinkEvent> =>
    item === 'unplugged'
      ? throwError(gone)
      : of({ type: 'bytes', atMs: clock.monotonicMs(), bytes: item } as const);

  const open$ = (): Observable<LinkEvent> =>
    defer(() => {
      if (taken) return throwError(() => new BoardError('LINK_BUSY', { device }));
      taken = true;
      return concat(
        clock.timer$(0).pipe(mergeMap(() => (plugged ? of(opened()) : throwError(gone)))),
        toHost.pipe(later, mergeMap(hear)),
      ).pipe(
        finalize(() => {
          taken = false;
        }),
      );
    });

  const unplug = (): void => {
    plugged = false;
    toHost.next('unplugged');
  };
  return {
    transport: { address, open$ },
    device: {
      address,
      bytes$: toDevice.pipe(later),
      write: (bytes) => {
        if (plugged) toHost.next(bytes.slice());
      },
      unplug,
      plug: () => {
        plugged = true;
      },
      close: async () => {
        unplug();
        toDevice.complete();
      },
    },
  };
}
