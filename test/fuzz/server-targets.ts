/** The running program with everything that it serves: the desk, published games, the interface of LiveChess. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { runJadoube } from '../../recorder/cli/main.ts';
import { createTestIo } from '../recorder/cli/test-io.ts';
import { recordGames } from '../recorder/recorded-store.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import type { Chance } from './mutate.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const request = (method: string, path: string, body?: unknown): Uint8Array => {
  const text = body === undefined ? '' : JSON.stringify(body);
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nConnection: close\r\n`;
  const more =
    body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n`;
  return bytesOf(`${head}${more}\r\n${text}`);
};

const REQUESTS = [
  request('GET', '/'),
  request('GET', '/api/snapshot'),
  request('GET', '/api/games'),
  request('GET', '/api/games/1'),
  request('GET', '/api/games/1/timeline'),
  request('GET', '/api/games/1/catch-ups'),
  request('GET', '/api/winnable?fen=8/8/8/3k4/8/8/8/K7%20w%20-%20-&side=white'),
  request('GET', '/api/setup'),
  request('GET', '/api/session'),
  request('GET', '/papers/scoresheet/1?lang=en'),
  request('GET', '/papers/report?since=2026-01-01'),
  request('POST', '/api/session', { name: 'Anna', password: 'x' }),
  request('POST', '/api/games/1/foresee', { what: { type: 'result', result: '1-0' } }),
  request('POST', '/api/games/1/entries', {
    by: 'Anna',
    seen: {},
    what: { type: 'drawOffer', ply: 1, side: 'white' },
  }),
  request('POST', '/api/games/1/undo', { by: 'Anna', id: 1 }),
  request('POST', '/api/tournament/import', { by: 'Anna', name: 'a.csv', data: 'Um91bmQsQm9hcmQ=' }),
  request('POST', '/api/tournament/assign', { by: 'Anna', round: 1, table: 1, board: 'dgt-1' }),
  request('POST', '/api/tournament/swap', { by: 'Anna', table: 1, board: 'dgt-1' }),
  request('POST', '/api/holds', { by: 'Anna', game: 1, hold: true }),
  request('GET', '/live/'),
  request('GET', '/live/round-1/games.pgn'),
  request('GET', '/live/get/x/tournament.json'),
  request('GET', '/live/..%2f..%2fgames.sqlite'),
];

const UPGRADE = (path: string): Uint8Array =>
  bytesOf(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );

/** A frame of a client (RFC 6455, 5.2), masked with zeros. */
function frame(opcode: number, payload: Uint8Array, isLast = true): Uint8Array {
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  return Uint8Array.of((isLast ? 0x80 : 0) | opcode, ...size, 0, 0, 0, 0, ...payload);
}

const calls = [
  { call: 'eboards', id: 1 },
  { call: 'subscribe', id: 2, param: { feed: 'eboardevent', id: 3, param: { serialnr: '12345' } } },
  { call: 'unsubscribe', id: 4, param: { feed: 'eboardevent', id: 3 } },
  {
    call: 'call',
    id: 5,
    param: {
      feed: 'eboardevent',
      id: 3,
      method: 'setup',
      param: { fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' },
    },
  },
  { call: 'call', id: 6, param: { feed: 'eboardevent', id: 3, method: 'flip', param: true } },
].map((call) => frame(1, bytesOf(JSON.stringify(call))));
const FRAMES = [
  ...calls,
  frame(9, bytesOf('ping')),
  frame(8, Uint8Array.of(3, 232)),
  frame(1, bytesOf('{"call":'), false),
  frame(2, Uint8Array.of(1, 2)),
];

function generateFrames(chance: Chance): Uint8Array {
  const parts = Array.from({ length: 1 + chance.below(6) }, () =>
    chance.below(2) === 0
      ? chance.one(FRAMES)
      : frame(
          chance.below(16),
          Uint8Array.from({ length: chance.below(200) }, () => chance.below(256)),
          chance.below(2) === 0,
        ),
  );
  return Uint8Array.from(Buffer.concat(parts));
}

/** Sends bytes from one of many addresses of this machine, ends, and gives what is answered until the other side ends, or says nothing any more. */
const exchange = (port: number, bytes: Uint8Array, quietMs: number): Promise<Buffer> =>
  new Promise((resolve) => {
    const answer: Buffer[] = [];
    const localAddress = process.platform === 'linux' ? `127.0.0.${2 + (bytes.length % 200)}` : undefined;
    const socket = connect({ port, host: '127.0.0.1', ...(localAddress !== undefined && { localAddress }) });
    socket.setTimeout(quietMs, () => socket.destroy());
    socket.on('data', (piece) => answer.push(piece));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(answer)));
    socket.end(bytes);
  });

export interface ServerTargets {
  readonly targets: readonly FuzzTarget[];
  readonly close: () => Promise<void>;
}

/** Starts the program in a folder and gives what can be asked of it. */
export async function serverTargets(folder: string): Promise<ServerTargets> {
  recordGames(join(folder, 'games.sqlite'), [['e4', 'e5', 'Nf3', 'Nc6'], ['d4']], {
    White: 'Anna',
    Black: 'Boris',
  });
  const config = join(folder, 'jadoube.toml');
  writeFileSync(
    config,
    '[recorder]\ndb = "games.sqlite"\npgn = ""\n[boards]\nsearch = "none"\n[http]\nport = 0\n[livechess]\nenabled = true\nport = 0\n[[outputs]]\ntype = "http"\n',
  );
  const test = createTestIo();
  const ended = runJadoube(['serve', '--config', config], test.io);
  const portOf = async (service: string): Promise<number> => {
    const line = await test.line(`"service":"${service}"`, 'listens at');
    return Number(/:(\d+)/.exec(/http:\S+/.exec(line)?.[0].slice(6) ?? '')?.[1]);
  };
  const [desk, livechess] = [await portOf('desk'), await portOf('livechess')];

  const checkUnharmed = (): void => {
    assert.doesNotMatch(test.out + test.err, /SERVER_FAULT|SERVICE_FAILED/);
  };
  const targets: FuzzTarget[] = [
    {
      name: 'HTTP',
      seeds: REQUESTS,
      async feed(input) {
        const answer = await exchange(desk, input, 300);
        assert.doesNotMatch(
          answer.subarray(0, 16).toString('latin1'),
          /^HTTP\/1\.1 5/,
          answer.toString('latin1'),
        );
        const alive = await exchange(desk, request('GET', '/api/session'), 2000);
        assert.match(alive.subarray(0, 16).toString('latin1'), /^HTTP\/1\.1 (200|429)/);
        checkUnharmed();
      },
    },
    ...['/api/v1.0', '/oebsp'].map(
      (path): FuzzTarget => ({
        name: `WebSocket ${path}`,
        seeds: FRAMES,
        generate: generateFrames,
        async feed(input) {
          const answer = await exchange(
            livechess,
            Uint8Array.from(Buffer.concat([UPGRADE(path), input])),
            100,
          );
          // Who is let go at once may not have read anything.
          assert.match(answer.subarray(0, 16).toString('latin1'), /^$|^HTTP\/1\.1 (101|4)/);
          const reply = await new Promise<string>((resolve, reject) => {
            const socket = new WebSocket(`ws://127.0.0.1:${livechess}/api/v1.0`);
            socket.on('open', () => socket.send('{"call":"eboards","id":7}'));
            socket.on('message', (data) => {
              resolve(String(data));
              socket.terminate();
            });
            socket.on('error', reject);
          });
          assert.match(reply, /"id":7/);
          checkUnharmed();
        },
      }),
    ),
  ];
  return {
    targets,
    close: async () => {
      test.interrupt();
      await ended;
    },
  };
}
