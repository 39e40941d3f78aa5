import { once } from 'node:events';
import { connect } from 'node:net';
import { firstValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { BoardError } from '../../../core/board-error.ts';
import { type AppOptions, createApp } from '../../../recorder/http/create-app.ts';
import { isLoopback, type ListenOptions, serveApp$ } from '../../../recorder/http/serve-app.ts';
import { listen } from './listen.ts';

async function makeApp(options: AppOptions = {}, failed?: (error: unknown) => void) {
  const app = await createApp(options, failed);
  app.get('/good', async () => ({ ok: true }));
  app.post('/good', async (request) => request.body);
  app.get('/wrong', async () => {
    throw new TypeError('secret of the inside');
  });
  app.get('/gone', async () => {
    throw new BoardError('STORE_FULL', { file: 'x' });
  });
  return app;
}

describe('an application', () => {
  it.each<[string, string, Record<string, string>, string, number, string]>([
    ['GET', '/nowhere', {}, '', 404, 'REQUEST_NOT_FOUND'],
    ['GET', '/%zz', {}, '', 400, 'REQUEST_INVALID'],
    ['GET', `/${'a'.repeat(3000)}`, {}, '', 404, 'REQUEST_NOT_FOUND'],
    ['GET', '/gone', {}, '', 503, 'STORE_FULL'],
    ['GET', '/wrong', {}, '', 500, 'SERVER_FAULT'],
    ['POST', '/good', { 'content-type': 'application/json' }, '{', 400, 'REQUEST_INVALID'],
    ['POST', '/good', { 'content-type': 'application/x' }, 'a', 400, 'REQUEST_INVALID'],
    [
      'POST',
      '/good',
      { 'content-type': 'application/json' },
      '"'.padEnd(70_000, 'a'),
      413,
      'REQUEST_TOO_LARGE',
    ],
    ['GET', '/good', { host: 'evil.example' }, '', 421, 'REQUEST_HOST'],
    ['GET', '/good', { host: '127.0.0.1.evil.example:80' }, '', 421, 'REQUEST_HOST'],
  ])('answers %s %.20s with a code', async (method, url, headers, payload, status, code) => {
    const failures: unknown[] = [];
    const app = await makeApp({}, (error) => failures.push(error));
    const reply = await app.inject({ method: method as 'GET', url, headers, payload });
    expect([reply.statusCode, reply.json().error.code]).toEqual([status, code]);
    expect(reply.body).not.toContain('secret');
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
    expect(failures).toHaveLength(code === 'SERVER_FAULT' ? 1 : 0);
    await app.close();
  });

  it.each(['localhost:80', '127.0.0.1', '192.168.1.7:8080', '[::1]:80', 'hall.example:8080', 'HALL.example'])(
    'is asked as %s',
    async (host) => {
      const app = await makeApp({ hosts: ['hall.example'] });
      expect((await app.inject({ url: '/good', headers: { host } })).statusCode).toBe(200);
    },
  );

  it('lets pages of other sites read only where they are listed', async () => {
    const allowed = async (options: AppOptions, origin: string) =>
      (await (await makeApp(options)).inject({ url: '/good', headers: { origin } })).headers[
        'access-control-allow-origin'
      ];
    expect(await allowed({}, 'https://lichess.org')).toBeUndefined();
    expect(await allowed({ origins: ['https://lichess.org'] }, 'https://lichess.org')).toBe(
      'https://lichess.org',
    );
    expect(await allowed({ origins: ['https://lichess.org'] }, 'https://evil.example')).toBeUndefined();
    expect(await allowed({ origins: 'any' }, 'https://evil.example')).toBe('*');
  });

  it('stops who asks too often', async () => {
    const app = await makeApp({ requestsPerMinute: 2 });
    const statuses = [];
    for (let i = 0; i < 3; i++) {
      const reply = await app.inject({ url: '/good' });
      statuses.push(reply.statusCode === 200 ? 200 : reply.json().error.code);
    }
    expect(statuses).toEqual([200, 200, 'REQUEST_TOO_OFTEN']);
  });
});

describe('listening', () => {
  it('begins with the subscription and ends with it, also under an open connection', async () => {
    const { url, port, stop } = await listen(serveApp$(() => makeApp(), { port: 0 }));
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect(await (await fetch(`${url}/good`)).json()).toEqual({ ok: true });
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    socket.resume();
    stop();
    await closed;
    await expect(fetch(`${url}/good`)).rejects.toThrow();
  });

  it('answers what is no HTTP with a code', async () => {
    const { port, stop } = await listen(serveApp$(() => makeApp(), { port: 0 }));
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write('GARBAGE\r\n\r\n');
    await once(socket, 'close');
    expect(text).toContain('REQUEST_INVALID');
    stop();
  });

  it('says with a code why it cannot', async () => {
    const { port, stop } = await listen(serveApp$(() => makeApp(), { port: 0 }));
    const refusal = (options: ListenOptions) => firstValueFrom(serveApp$(() => makeApp(), options));
    await expect(refusal({ port })).rejects.toMatchObject({ code: 'HTTP_PORT_BUSY' });
    await expect(refusal({ host: '198.51.100.1', port: 0 })).rejects.toMatchObject({
      code: 'HTTP_ADDRESS_UNKNOWN',
    });
    stop();
  });

  it('knows which addresses only this machine reaches', () => {
    for (const host of ['localhost', '::1', '127.0.0.1', '127.9.9.9']) expect(isLoopback(host)).toBe(true);
    for (const host of ['0.0.0.0', '::', '192.168.1.1', '127.evil']) expect(isLoopback(host)).toBe(false);
  });
});
