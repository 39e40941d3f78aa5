import { connect } from 'node:net';
import { mergeMap, Observable, raceWith, throwError } from 'rxjs';
import { BoardError } from '../../core/board-error.ts';
import { type LinkAddress, makeLinkAddress } from '../address.ts';
import type { Clock } from '../clock.ts';
import type { LinkEvent, Transport } from '../transport.ts';

/** The longest wait for a server to accept, ms: some systems would wait for two minutes. */
export const TCP_CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;

/**
 * Reaches a board behind a server that passes raw bytes on: a small computer at the table, a serial server. Keep-alive
 * is on, but a peer that vanished without a word is noticed by the session's own probes, much earlier.
 */
export function createTcpTransport(host: string, port: number, clock: Clock): Transport {
  const address: LinkAddress = { type: 'tcp', host, port };
  const device = makeLinkAddress(address);
  const gone = (detail: string, cause?: unknown) => new BoardError('LINK_GONE', { device, detail }, cause);

  const socket$ = new Observable<LinkEvent>((subscriber) => {
    const socket = connect({
      host,
      port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
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
    socket.on('data', (bytes) =>
      subscriber.next({ type: 'bytes', atMs: clock.monotonicMs(), bytes: new Uint8Array(bytes) }),
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

  const tooLate$ = clock
    .timer$(TCP_CONNECT_MS)
    .pipe(mergeMap(() => throwError(() => gone('no answer to the call'))));

  return { address, open$: () => socket$.pipe(raceWith(tooLate$)) };
}
