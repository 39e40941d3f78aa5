import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom, ReplaySubject, Subject, tap } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { dgt } from '../../../boards/dgt/definition.ts';
import { BLACK_PAWN, EMPTY, makePlacement, type Placement, parsePlacement } from '../../../core/placement.ts';
import { Position, START_FEN } from '../../../core/position.ts';
import { createSystemClock } from '../../../driver/clock.ts';
import { createFleet } from '../../../driver/fleet.ts';
import { createMemoryPair } from '../../../driver/transports/memory.ts';
import { livechessServer$, mayConnect } from '../../../recorder/livechess/livechess-server.ts';
import { type RecorderUpdate, record$ } from '../../../recorder/recorder.ts';
import { openStore } from '../../../recorder/store/store.ts';
import { createSimulatedBoard } from '../../kit/simulated-board.ts';
import { listen } from '../http/listen.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const START = START_FEN.split(' ')[0]!;

interface Reply {
  readonly response: string;
  readonly id: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: what a client reads is of any shape.
  readonly param: any;
  readonly time: number;
}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/**
 * A recorder on one simulated board, and the LiveChess interface beside it. A slow interface gathers squares for longer, so that
 * a busy machine does not tear apart what changes together.
 */
async function serve(serialNumber = '23946', isSlow = false) {
  const clock = createSystemClock({ speed: 10 });
  const board = createSimulatedBoard(dgt, { serialNumber }, clock);
  const { transport, device } = createMemoryPair('table 1', clock);
  board.attach(device);
  const store = openStore(join(temporaryFolder(), 'games.sqlite'), { wallMs: clock.wallMs });
  const stop$ = new Subject<void>();
  const updates$ = new ReplaySubject<RecorderUpdate>();
  const fleet = createFleet({
    definitions: [dgt],
    clock,
    named: [{ kind: 'dgt', link: transport.address }],
    search: 'none',
    list: async () => [],
    transportFor: () => transport,
  });
  const recorded = lastValueFrom(
    record$({ fleet, store, clock, stop$, commitEveryMs: 5 }).pipe(tap(updates$)),
  );
  const server = await listen(
    livechessServer$({
      port: 0,
      origins: ['https://lichess.org', 'https://*.tornelo.com'],
      updates$,
      fleet,
      clock: isSlow ? createSystemClock({ speed: 0.1 }) : clock,
    }),
  );
  ends.push(async () => {
    server.stop();
    stop$.next();
    await recorded;
    board.switchOff();
    store.close();
  });
  return { board, clock, updates$, ...server };
}

/** A client that keeps what it is sent, in order. */
async function connect(port: number, path = '/api/v1.0', headers: Record<string, string> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  const texts: string[] = [];
  const wake = new Subject<void>();
  let closed: { code: number; reason: string } | undefined;
  socket.on('message', (data) => {
    texts.push(String(data));
    wake.next();
  });
  socket.on('close', (code, reason) => {
    closed = { code, reason: String(reason) };
    wake.next();
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  ends.push(() => socket.terminate());
  let read = 0;
  const until = (is: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!is()) return;
        subscription.unsubscribe();
        resolve();
      };
      const subscription = wake.subscribe(look);
      look();
    });
  return {
    socket,
    texts,
    send: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    /** The next message. */
    next: async (): Promise<Reply> => {
      await until(() => texts.length > read);
      return JSON.parse(texts[read++]!);
    },
    /** Reads on until a message is one of these. */
    find: async (is: (reply: Reply) => boolean): Promise<Reply> => {
      for (;;) {
        await until(() => texts.length > read);
        const reply = JSON.parse(texts[read++]!) as Reply;
        if (is(reply)) return reply;
      }
    },
    closed: async () => {
      await until(() => closed !== undefined);
      return closed!;
    },
  };
}

type Served = Awaited<ReturnType<typeof serve>>;
type Client = Awaited<ReturnType<typeof connect>>;

/** Waits until the board is listed with a position. */
async function untilListed(client: Client): Promise<void> {
  for (;;) {
    client.send({ id: 0, call: 'eboards' });
    const { param } = await client.find(({ response, id }) => response === 'call' && id === 0);
    if (param[0]?.board === START) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Squares that differ change, those that empty first. */
function change(board: Served['board'], before: Placement, after: Placement): void {
  const differing = Array.from(before, (_, square) => square).filter(
    (square) => before[square] !== after[square],
  );
  for (const square of differing) if (after[square] === EMPTY) board.square(square, EMPTY);
  for (const square of differing) if (after[square] !== EMPTY) board.square(square, after[square]!);
}

describe('the LiveChess interface', () => {
  it('passes the conformance script', async () => {
    const { board, port, url } = await serve();
    const client = await connect(port);
    await untilListed(client);
    // 1: boards, with all eight keys in their order, and a number as the id.
    client.send({ id: 1, call: 'eboards' });
    const boards = await client.next();
    expect(Object.keys(boards)).toEqual(['response', 'id', 'param', 'time']);
    expect([boards.response, boards.id]).toEqual(['call', 1]);
    expect(Object.keys(boards.param[0])).toEqual([
      'serialnr',
      'source',
      'state',
      'battery',
      'comment',
      'board',
      'flipped',
      'clock',
    ]);
    expect(boards.param[0]).toMatchObject({
      serialnr: '23946',
      state: 'ACTIVE',
      board: START,
      flipped: false,
    });
    expect(Math.abs(boards.time - Date.now())).toBeLessThan(3_600_000);
    // 2: the answer to the call, then everything.
    client.send({
      id: 2,
      call: 'subscribe',
      param: { feed: 'eboardevent', id: 1, param: { serialnr: '23946' } },
    });
    expect(await client.next()).toMatchObject({ response: 'call', id: 2, param: null });
    const whole = await client.next();
    expect(whole).toMatchObject({ response: 'feed', id: 1 });
    expect(whole.param).toEqual({ serialnr: '23946', flipped: false, board: START, clock: null });
    // 3: a piece is lifted and put back.
    board.square(12, EMPTY);
    const lifted = await client.next();
    expect(lifted.param).toEqual({
      serialnr: '23946',
      flipped: false,
      board: 'rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR',
    });
    board.square(12, 1);
    expect((await client.next()).param).toEqual({ serialnr: '23946', flipped: false, board: START });
    // 4: a position with its castling letters in another order comes back letter by letter.
    const fen = `${START} w QKqk - 0 1`;
    const setup = (id: number, start: string) =>
      client.send({ id, call: 'call', param: { id: 1, method: 'setup', param: { fen: start } } });
    setup(3, fen);
    expect(await client.next()).toMatchObject({ response: 'call', id: 3, param: null });
    expect((await client.next()).param).toEqual({
      serialnr: '23946',
      flipped: false,
      board: START,
      start: fen,
      san: [],
    });
    // 5 and 6: moves add up; a castling by king and rook, one after the other, is one move.
    let position = Position.initial();
    const sans = ['e4', 'e5', 'Nf3', 'Nc6', 'Bc4', 'Bc5', 'O-O'];
    const told: string[][] = [];
    for (const [i, san] of sans.entries()) {
      const before = position;
      position = position.play(position.parseSan(san)!);
      if (san === 'O-O') {
        board.square(4, EMPTY);
        board.square(6, 6);
        await client.find(({ param }) => param.board?.endsWith('/RNBQ2KR') === true);
        board.square(7, EMPTY);
        board.square(5, 4);
      } else change(board, before.cells, position.cells);
      const { param } = await client.find((reply) => reply.param?.san !== undefined);
      expect(param).toMatchObject({ start: fen, san: sans.slice(0, i + 1), match: true });
      expect(param.board).toBe(makePlacement(position.cells));
      told.push(param.san);
    }
    expect(told.flat().filter((san) => san.startsWith('O-'))).toEqual(['O-O']);
    // 7: another setup begins anew.
    const again = `${makePlacement(position.cells)} b kq - 0 1`;
    setup(4, again);
    await client.find(({ response, id }) => response === 'call' && id === 4);
    expect((await client.next()).param).toMatchObject({ start: again, san: [] });
    change(board, position.cells, position.play(position.parseSan('d6')!).cells);
    expect((await client.find((reply) => reply.param?.san?.length > 0)).param.san).toEqual(['d6']);
    // 8: what cannot be done is said, and the connection stays.
    for (const [message, id] of [
      [{ call: 'nonsense', id: 50 }, 50],
      [{ call: 'nonsense', id: 'text' }, 'text'],
      [{ call: 'call', id: 51, param: { id: 1, method: 'setup', param: { flip: true } } }, 51],
      [{ call: 'call', id: 52, param: { id: 1, method: 'setup', param: { fen: 'rubbish' } } }, 52],
      [{ call: 'call', id: 53, param: { id: 9, method: 'setup', param: { fen } } }, 53],
      [{ call: 'call', id: 54, param: { id: 1, method: 'dance' } }, 54],
      [{ call: 'subscribe', id: 55, param: { feed: 'eboardevent', id: 2, param: { serialnr: '1' } } }, 55],
      [{ call: 'subscribe', id: 56, param: { feed: 'liveviewer', id: 2, param: { serialnr: '23946' } } }, 56],
      [{ call: 'subscribe', id: 57 }, 57],
      [{ call: 'unsubscribe', id: 58, param: 77 }, 58],
      ['{', null],
      ['[1]', null],
    ] as const) {
      client.send(message);
      const error = await client.find(({ response }) => response === 'error');
      expect([error.id, typeof error.param.message]).toEqual([id, 'string']);
    }
    // 9: the same over HTTP, without an envelope, in the spelling of LiveChess.
    const reply = await fetch(`${url}/api/v1.0/eboards`);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    const text = await reply.text();
    expect(text.startsWith('[ {\n  "serialnr" : "23946",\n  "source" : ')).toBe(true);
    expect(text.endsWith('\n} ]')).toBe(true);
    expect(JSON.parse(text)).toHaveLength(1);
  });

  it('ends a feed in each of the forms in use, and feeds of one board do not mix', async () => {
    const { board, port } = await serve();
    const client = await connect(port);
    await untilListed(client);
    const subscribe = (id: unknown, feed: unknown) =>
      client.send({
        id,
        call: 'subscribe',
        param: { feed: 'eboardevent', id: feed, param: { serialnr: '23946' } },
      });
    for (const feed of [1, 2, 3, '1']) subscribe(10, feed);
    await client.find((reply) => reply.response === 'feed' && reply.id === '1');
    client.send({ call: 'unsubscribe', id: 20, param: 1 });
    client.send({ call: 'unsubscribe', id: 21, param: { id: 2 } });
    client.send({ call: 'call', id: 22, param: { id: 3, method: 'unsubscribe' } });
    for (const id of [20, 21, 22])
      expect(await client.next()).toMatchObject({ response: 'call', id, param: null });
    board.square(52, EMPTY);
    expect(await client.next()).toMatchObject({ response: 'feed', id: '1' });
    client.send({ id: 30, call: 'eboards' });
    expect(await client.next()).toMatchObject({ response: 'call', id: 30 });
  });

  it('turns a board when it is told to', async () => {
    const { board, port } = await serve();
    const client = await connect(port);
    await untilListed(client);
    client.send({
      id: 2,
      call: 'subscribe',
      param: { feed: 'eboardevent', id: 1, param: { serialnr: '23946' } },
    });
    await client.find((reply) => reply.response === 'feed');
    client.send({ id: 3, call: 'call', param: { id: 1, method: 'flip', param: { flip: true } } });
    expect(await client.next()).toMatchObject({ response: 'call', id: 3, param: null });
    const turned = 'RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr';
    expect((await client.next()).param).toMatchObject({ flipped: true, board: turned });
    board.square(52, EMPTY);
    expect((await client.next()).param.board).toBe('RNBKQBNR/PPPPPPPP/8/8/8/8/ppp1pppp/rnbkqbnr');
  });

  it('tells what LiveChess told in a recorded conversation: the same keys, types and order', async () => {
    const text = readFileSync('../shared/data/livechess/websocket-transcript.txt', 'utf8');
    const recorded = text
      .slice(text.indexOf('/*'))
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(recorded.length).toBeGreaterThan(8);
    const { board, port, updates$ } = await serve('23946', true);
    const client = await connect(port, '/api/v1.0', { origin: 'https://lichess.org' });
    await untilListed(client);
    // That board had a battery, ours is on a cable: the recorder says so of a board without one.
    const identity = { batteryPercent: 84 };
    const update = { type: 'identity', atMs: 0, identity } as const;
    updates$.next({ type: 'board', board: 'dgt-23946', kind: 'dgt', update });
    let last = parsePlacement(START)!;
    for (const message of recorded) {
      if (message.call !== undefined) {
        client.send(message);
        continue;
      }
      const placement = message.response === 'feed' ? parsePlacement(message.param.board)! : last;
      change(board, last, placement);
      last = placement;
      const ours = await client.next();
      expect(shapeOf(ours)).toEqual(shapeOf(message));
      if (message.response === 'feed') expect(ours.param).toEqual(message.param);
    }
  });

  it('lets pages of listed sites connect, programs, and nobody else', async () => {
    const { port } = await serve();
    for (const origin of ['https://evil.example', 'https://lichess.org.evil.example', 'null'])
      await expect(connect(port, '/api/v1.0', { origin })).rejects.toThrow('403');
    await expect(connect(port, '/api/v1.0', { host: 'evil.example' })).rejects.toThrow('421');
    await expect(connect(port, '/elsewhere')).rejects.toThrow('404');
    await connect(port, '/api/v1.0', { origin: 'https://lichess.org' });
    await connect(port);
    const origins = ['https://lichess.org', 'https://*.tornelo.com'];
    for (const [origin, expected] of [
      ['https://home.tornelo.com', true],
      ['https://tornelo.com', false],
      ['https://evil.example/.tornelo.com', false],
      ['http://home.tornelo.com', false],
      ['http://localhost:3000', true],
      ['http://localhost.evil.example', false],
      ['HTTPS://LICHESS.ORG', true],
    ] as const)
      expect([origin, mayConnect(origin, origins)]).toEqual([origin, expected]);
  });

  it('lives on when a client sends rubbish, binary or far too much', async () => {
    const { port, url } = await serve();
    const binary = await connect(port);
    binary.socket.send(Buffer.from([1, 2, 3]));
    expect((await binary.closed()).code).toBe(1003);
    const large = await connect(port);
    large.send('x'.repeat(70_000));
    await large.closed();
    expect((await fetch(`${url}/api/v1.0/eboards`)).status).toBe(200);
  });
});

describe('OEBSP', () => {
  it('lists boards, tells of their changes, and ends with who is silent', async () => {
    const { board, port } = await serve();
    const client = await connect(port, '/oebsp');
    client.send({ type: 'ping' });
    expect(await client.next()).toEqual({ type: 'pong' });
    client.send({ type: 'identify' });
    expect(await client.next()).toEqual({ type: 'identification', protocol: { name: 'OEBSP', revision: 1 } });
    const listed = await connect(port);
    await untilListed(listed);
    client.send({ type: 'listBoards' });
    expect(await client.next()).toEqual({
      type: 'boardList',
      boards: [{ serialNumber: '23946', fen: START, features: { lightCorners: false, lightSquares: false } }],
    });
    client.send({ type: 'subscribeToBoards', serialNumbers: ['23946', 'no such'] });
    expect(await client.next()).toMatchObject({ type: 'info' });
    expect(await client.next()).toEqual({ type: 'boardUpdate', serialNumber: '23946', fen: START });
    expect(await client.next()).toMatchObject({ type: 'info' });
    board.square(52, EMPTY);
    const fen = 'rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
    expect(await client.next()).toEqual({ type: 'boardUpdate', serialNumber: '23946', fen });
    client.send({ type: 'unsubscribeFromBoards', serialNumbers: ['23946'] });
    client.send({ type: 'lightSquares', serialNumber: '23946', squares: [{ x: 0, y: 0, lit: true }] });
    expect(await client.next()).toMatchObject({ type: 'info' });
    board.square(36, BLACK_PAWN);
    expect(await client.closed()).toEqual({ code: 1000, reason: 'Server timeout' });
  });
});

/** Keys in their order with the types of their values; `null` is a type of its own. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  return Object.entries(value).map(([key, field]) => [key, shapeOf(field)]);
}
