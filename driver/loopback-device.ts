import { createServer, type Socket } from 'node:net';
import { Subject } from 'rxjs';
import type { DeviceEnd } from './transport.ts';

/**
 * Creates a device end behind a TCP port of this machine, for systems without pseudo-terminals: one host at a time, as
 * with a serial server. Subscribe to its bytes before telling anyone the address.
 */
export async function createLoopbackDevice(): Promise<DeviceEnd> {
  const bytes = new Subject<Uint8Array>();
  let host: Socket | undefined;
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    if (host !== undefined) {
      socket.destroy();
      return;
    }
    host = socket;
    socket.on('data', (chunk) => bytes.next(new Uint8Array(chunk)));
    socket.on('close', () => {
      host = undefined;
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('a TCP server has a port');
  return {
    address: { type: 'tcp', host: '127.0.0.1', port: address.port },
    bytes$: bytes.asObservable(),
    write: (chunk) => {
      if (host?.writable === true) host.write(chunk);
    },
    close: () =>
      new Promise((resolve) => {
        bytes.complete();
        server.close(() => resolve());
        host?.destroy();
      }),
  };
}
