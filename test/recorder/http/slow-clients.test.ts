import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { interval } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../recorder/http/create-app.ts';
import { serveApp$ } from '../../../recorder/http/serve-app.ts';
import { listen, type RunningServer } from './listen.ts';

let server: RunningServer | undefined;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.stop();
});

const HEAD = 'POST /good HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

describe('clients that are slow or half open', () => {
  it.each([
    ['a head that never ends', HEAD, 'X'],
    ['a body that never comes', `${HEAD}Content-Length: 1000\r\n\r\n`, ' '],
  ])(
    'are let go when they send %s, byte by byte, and others are served meanwhile',
    async (_, begin, more) => {
      server = await listen(
        serveApp$(
          async () => {
            const app = await createApp();
            app.get('/good', async () => ({ ok: true }));
            app.post('/good', async () => ({ ok: true }));
            return app;
          },
          { port: 0 },
        ),
      );
      const closed = Array.from({ length: 60 }, () => {
        const socket = connect(server!.port, '127.0.0.1', () => socket.write(begin));
        sockets.push(socket);
        socket.on('error', () => {}).resume();
        return once(socket, 'close');
      });
      const dripping = interval(500).subscribe(() => {
        for (const socket of sockets) if (socket.writable) socket.write(more);
      });
      expect((await fetch(`${server.url}/good`)).status).toBe(200);
      await Promise.all(closed);
      dripping.unsubscribe();
      expect((await fetch(`${server.url}/good`)).status).toBe(200);
    },
    28_000,
  );

  it('that begin with a head of hundreds of kilobytes are answered with a refusal', async () => {
    server = await listen(serveApp$(() => createApp(), { port: 0 }));
    const socket = connect(server.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    let answer = '';
    socket.on('data', (piece) => {
      answer += piece;
    });
    socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${'X-A: b\r\n'.repeat(40_000)}\r\n`);
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 4|^$/);
    expect((await fetch(server.url)).status).toBe(404);
  });
});
