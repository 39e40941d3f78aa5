import { connect, type Socket } from 'node:net';
import {
  defer,
  ignoreElements,
  merge,
  mergeMap,
  Observable,
  raceWith,
  Subject,
  switchMap,
  tap,
  throwError,
} from 'rxjs';
import { BoardError } from '../../core/board-error.ts';
import { type LinkAddress, makeLinkAddress } from '../address.ts';
import type { Clock } from '../clock.ts';
import type { LinkEvent, Transport } from '../transport.ts';

/** The longest wait for a server to accept, ms: some systems would wait for two minutes. */
export const TCP_CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;
/** The fastest serial line that a board has, bytes a second: what sends more has to wait, so that no board takes the time of the others. */
const BYTES_PER_SECOND = 11_520;
/** So much may come at once. */
const BURST_BYTES = 16_384;
/** So much is read at once: a reader that is late finds megabytes. */
const READ_BYTES = 4096;

/**
 * Reaches a board behind a server that passes raw bytes on: a small computer at the table, a serial server. What comes faster than any
 * line of a board is read no faster than that. Keep-alive is on, but a peer that vanished without a word is noticed by the session's own probes, much earlier.
 */
export function createTcpTransport(host: string, port: number, clock: Clock): Transport {
  const address: LinkAddress = { type: 'tcp', host, port };
  const device = makeLinkAddress(address);
  const gone = (detail: string, cause?: unknown) => new BoardError('LINK_GONE', { device, detail }, cause);

  const read$ = (rest: (ms: number, socket: Socket) => void) =>
    new Observable<LinkEvent>((subscriber) => {
      let allowed = BURST_BYTES;
      let countedMs = clock.monotonicMs();
      const socket: Socket = connect({
        host,
        port,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: KEEP_ALIVE_MS,
        onread: {
          buffer: new Uint8Array(READ_BYTES),
          callback: (count, buffer) => {
            const atMs = clock.monotonicMs();
            subscriber.next({ type: 'bytes', atMs, bytes: buffer.slice(0, count) });
            allowed = Math.min(BURST_BYTES, allowed + ((atMs - countedMs) * BYTES_PER_SECOND) / 1000) - count;
            countedMs = atMs;
            if (allowed >= 0) return true;
            // Not read is not lost: the sender waits.
            rest((-allowed * 1000) / BYTES_PER_SECOND, socket);
            return false;
          },
        },
      });
      socket.on('connect', () =>
        subscriber.next({
          type: 'opened',
          atMs: clock.monotonicMs(),
          write: (bytes) =>
            new Promise<void>((resolve, reject) => {
              if (!socket.writable) return reject(gone('the connection is closed'));
              socket.write(bytes, (cause) => (cause ? reject(gone(cause.message, cause)) : resolve()));
            }),
        }),
      );
      socket.on('error', (cause: NodeJS.ErrnoException) =>
        subscriber.error(gone(cause.code ?? cause.message, cause)),
      );
      socket.on('end', () => subscriber.error(gone('the server closed the connection')));
      socket.on('close', () => subscriber.error(gone('the connection was closed')));
      return () => {
        socket.destroy();
      };
    });
  const socket$ = defer(() => {
    const rests = new Subject<{ readonly ms: number; readonly socket: Socket }>();
    const goOn$ = rests.pipe(
      switchMap(({ ms, socket }) => clock.timer$(ms).pipe(tap(() => socket.resume()))),
      ignoreElements(),
    );
    return merge(
      goOn$,
      read$((ms, socket) => rests.next({ ms, socket })),
    );
  });

  const tooLate$ = clock
    .timer$(TCP_CONNECT_MS)
    .pipe(mergeMap(() => throwError(() => gone('no answer to the call'))));

  return { address, open$: () => socket$.pipe(raceWith(tooLate$)) };
}
