import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createLineServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { dgt } from '../../../boards/dgt/definition.ts';
import { makeLinkAddress } from '../../../driver/address.ts';
import { createSystemClock } from '../../../driver/clock.ts';
import { createLoopbackDevice } from '../../../driver/loopback-device.ts';
import { runJadoube } from '../../../recorder/cli/main.ts';
import { makeCertificate } from '../../kit/certificate.ts';
import { createSimulatedBoard } from '../../kit/simulated-board.ts';
import { startFtps } from '../publish/ftps-stand-in.ts';
import { startSftp } from '../publish/sftp-stand-in.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createTestIo } from './test-io.ts';

const closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close();
});

const portOf = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closes.push(() => server.close());
  return (server.address() as AddressInfo).port;
};

/** Every file below a folder but those that hold the secrets themselves. */
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('secret-'))
    .map((entry) => join(entry.parentPath, entry.name));

describe('secrets', () => {
  it('are in nothing that is printed, logged, captured, stored or published, also when servers refuse and repeat them', async () => {
    const folder = temporaryFolder();
    const canaries = new Map(
      ['lichess', 'sftp', 'ftps', 'echo', 'desk', 'hook'].map((name) => [name, `canary-${name}-5f2a`]),
    );
    for (const [name, value] of canaries) writeFileSync(join(folder, `secret-${name}`), `${value}\n`);
    // A server that refuses and says with what it was asked; one that is no server of FTP and says so in the same way.
    const lichess = createServer((request, reply) => {
      reply.writeHead(401).end(JSON.stringify({ error: `no token ${request.headers.authorization}` }));
    });
    const lichessPort = await portOf(lichess);
    const echo = createLineServer((socket) => {
      socket.on('error', () => {});
      socket.end(`500 ${canaries.get('echo')} is no word of mine\r\n`);
    });
    const echoPort = await portOf(echo);
    const sftp = await startSftp({ password: 'another' });
    const ftps = await startFtps({ password: 'another' });
    closes.push(sftp.close, ftps.close);
    writeFileSync(join(folder, 'ftps.pem'), ftps.certificate);
    writeFileSync(join(folder, 'other.pem'), makeCertificate().certificate);
    const board = createSimulatedBoard(dgt, { serialNumber: '11111' }, createSystemClock());
    const device = await createLoopbackDevice();
    board.attach(device);
    closes.push(() => {
      board.switchOff();
      return device.close();
    });
    const config = join(folder, 'jadoube.toml');
    const output = (...lines: readonly string[]): string => `[[outputs]]\n${lines.join('\n')}\n`;
    writeFileSync(
      config,
      [
        '[recorder]\ndb = "games.sqlite"\npgn = "games"\ncapture = "captures"\nlog = "serve.log"',
        `[boards]\nsearch = "none"\nplaces = ["dgt=${makeLinkAddress(device.address)}"]`,
        '[http]\nport = 0',
        '[desk]\narbiter = "env:DESK_SECRET"',
        output('type = "folder"', 'dir = "out"'),
        output(
          'type = "lichess"',
          'rounds = { 1 = "abcdefgh" }',
          'token = "file:secret-lichess"',
          `url = "http://127.0.0.1:${lichessPort}"`,
        ),
        output(
          'type = "sftp"',
          'host = "127.0.0.1"',
          `port = ${sftp.port}`,
          'user = "club"',
          'password = "file:secret-sftp"',
        ),
        output(
          'type = "ftps"',
          'host = "127.0.0.1"',
          `port = ${ftps.port}`,
          'user = "club"',
          'password = "file:secret-ftps"',
          'certificate = "ftps.pem"',
        ),
        output(
          'type = "ftps"',
          'host = "127.0.0.1"',
          `port = ${echoPort}`,
          'user = "club"',
          'password = "file:secret-echo"',
          'certificate = "other.pem"',
        ),
      ].join('\n'),
    );
    const test = createTestIo(undefined, { DESK_SECRET: canaries.get('desk')! });
    const ended = runJadoube(['serve', '--config', config], test.io);
    await Promise.all([
      test.line('LICHESS_TOKEN'),
      test.line('UPLOAD_FAILED', `sftp://127.0.0.1:${sftp.port}`),
      test.line('UPLOAD_FAILED', `ftps://127.0.0.1:${ftps.port}`),
      test.line('UPLOAD_FAILED', `ftps://127.0.0.1:${echoPort}`),
      test.line('games.pgn'),
    ]);
    test.interrupt();
    expect(await ended).toBe(0);
    const found = new Map([
      ['printed', test.out + test.err],
      ...filesOf(folder).map((file) => [file, readFileSync(file, 'latin1')] as const),
    ]);
    // What was looked through is there: log, capture, database, games.
    for (const name of ['serve.log', 'games.sqlite', '.ndjson', 'games.pgn'])
      expect(
        [...found.keys()].some((file) => file.includes(name)),
        name,
      ).toBe(true);
    expect(found.get(join(folder, 'serve.log'))).toContain('LICHESS_TOKEN');
    for (const [where, text] of found)
      for (const canary of canaries.values())
        expect(text.includes(canary), `${canary} in ${where}`).toBe(false);
  });
});
