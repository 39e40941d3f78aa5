import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Observable } from 'rxjs';
import { BoardError } from '../../core/board-error.ts';

export interface ListenOptions {
  /** Address of this machine; loopback when absent. */
  readonly host?: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** A server takes requests from now on. */
export interface Listening {
  readonly type: 'listening';
  readonly host: string;
  readonly port: number;
  /** Where a browser on this machine finds it. */
  readonly url: string;
}

export const LOOPBACK = '127.0.0.1';

/** Whether only programs on this machine can reach a server that listens there. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

function listenError(error: unknown, { host = LOOPBACK, port }: ListenOptions): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const context = { host, port };
  if (code === 'EADDRINUSE') return new BoardError('HTTP_PORT_BUSY', context, error);
  if (code === 'EACCES') return new BoardError('HTTP_PORT_DENIED', context, error);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EINVAL')
    return new BoardError('HTTP_ADDRESS_UNKNOWN', context, error);
  return error;
}

/**
 * Makes an application and listens while it is subscribed to; emits once it listens, and goes on for ever. Unsubscribing
 * closes the port and every connection. Errors with HTTP_PORT_BUSY, HTTP_PORT_DENIED or HTTP_ADDRESS_UNKNOWN.
 */
export const serveApp$ = (
  makeApp: () => FastifyInstance | Promise<FastifyInstance>,
  options: ListenOptions,
): Observable<Listening> =>
  new Observable((subscriber) => {
    let app: FastifyInstance | undefined;
    const start = async (): Promise<void> => {
      app = await makeApp();
      if (subscriber.closed) return;
      const host = options.host ?? LOOPBACK;
      await app.listen({ host, port: options.port });
      if (subscriber.closed) return;
      const { port } = app.server.address() as AddressInfo;
      const shown =
        host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
      subscriber.next({ type: 'listening', host, port, url: `http://${shown}:${port}` });
    };
    const started = start().catch((error: unknown) => subscriber.error(listenError(error, options)));
    subscriber.add(() => void started.then(() => app?.close()));
  });
