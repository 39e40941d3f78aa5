import { createServer, type Socket } from 'node:net';
import { Subject } from 'rxjs';
import type { DeviceEnd } from './transport.ts';

/**
 * Creates a device end behind a TCP port of this machine, for systems without pseudo-terminals. Like a simple serial
 * server it serves one host at a time; the next one waits, connected and unheard. Subscribe to its bytes before telling
 * anyone the address. `host` is the address of this machine at which it listens.
 */
export async function createLoopbackDevice(host = '127.0.0.1'): Promise<DeviceEnd> {
  const bytes = new Subject<Uint8Array>();
  const hosts: Socket[] = [];
  const serve = (socket: Socket): void => {
    socket.on('data', (chunk) => bytes.next(new Uint8Array(chunk)));
    socket.resume();
  };
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (socket) => {
    hosts.push(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      const served = hosts[0] === socket;
      hosts.splice(hosts.indexOf(socket), 1);
      if (served && hosts[0] !== undefined) serve(hosts[0]);
    });
    if (hosts[0] === socket) serve(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('a TCP server has a port');
  return {
    address: { type: 'tcp', host, port: address.port },
    bytes$: bytes.asObservable(),
    write: (chunk) => {
      if (hosts[0]?.writable === true) hosts[0].write(chunk);
    },
    close: () =>
      new Promise((resolve) => {
        bytes.complete();
        server.close(() => resolve());
        for (const host of hosts) host.destroy();
      }),
  };
}
