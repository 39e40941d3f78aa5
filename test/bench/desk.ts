/// <reference lib="dom" />
/**
 * What the desk costs, as shares of one core: the server with two hundred viewers of a hundred and twenty boards in blitz, and the page of
 * one viewer in Chromium; and how long a change takes from commit to page. Figures hang on the machine: compare shares, not times.
 */

import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { GameEvent, PlyRecord } from '../../core/game-event.ts';
import { applyGameEvent, createGameRecord, type GameRecord } from '../../core/game-record.ts';
import { Position, START_FEN } from '../../core/position.ts';
import { BoardHealthWatch } from '../../recorder/desk/board-health.ts';
import { TELL_MS } from '../../recorder/desk/desk.ts';
import { createDeskApp } from '../../recorder/desk/desk-app.ts';
import { Hall } from '../../recorder/desk/hall.ts';
import { LiveStream } from '../../recorder/desk/live-stream.ts';
import { findPage } from '../../recorder/desk/page-files.ts';
import type { StoreReader } from '../../recorder/store/store.ts';
import { findBrowser, openBrowser } from '../recorder/desk/browser.ts';

const BOARDS = 120;
const VIEWERS = 200;
/** Each board makes a move so often, ms: blitz. */
const MOVE_MS = 5000;
const INCREMENT_MS = 3000;
const SECONDS = 15;

interface Board {
  readonly id: string;
  readonly game: number;
  record: GameRecord;
  position: Position;
  nextMs: number;
  whiteMs: number;
  blackMs: number;
}

const hall = new Hall({ nowMs: () => Date.now(), wallMsOf: (atMs) => atMs });
const live = new LiveStream({ hall, boot: 'bench', nowMs: () => Date.now(), speed: 1, mostViewers: 1000 });
const unused = (): never => {
  throw new Error('not asked for here');
};
const app = await createDeskApp({
  hall,
  live,
  health: new BoardHealthWatch(() => performance.now()),
  office: { ask: async () => unused(), close: async () => {} },
  reader: { games: () => [], holds: () => [] } as unknown as StoreReader,
  unwinnable: { askUnwinnable: async () => unused(), close: async () => {} },
  accounts: [],
  pageDir: await findPage(),
  nowMs: () => Date.now(),
  audit: () => {},
  entered: () => {},
  changed: () => {},
  failed: (error) => process.stderr.write(`${String(error)}\n`),
  requestsPerMinute: 0,
});
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;

const start = (game: number): Extract<GameEvent, { type: 'gameStarted' }> => ({
  type: 'gameStarted',
  atMs: Date.now(),
  game,
  variant: 'standard',
  start: START_FEN,
  orientation: 'normal',
});
const boards: Board[] = Array.from({ length: BOARDS }, (_, i) => ({
  id: `dgt-${10_000 + i}`,
  game: i + 1,
  record: createGameRecord(start(1)),
  position: Position.initial(),
  nextMs: Date.now() + (i / BOARDS) * MOVE_MS,
  // From three minutes down to the last seconds, as in a round that is under way: short clocks show tenths.
  whiteMs: 180_000 - (i / BOARDS) * 160_000,
  blackMs: 180_000 - (i / BOARDS) * 165_000,
}));
const tell = (board: Board, events: readonly GameEvent[]): void => {
  for (const event of events) applyGameEvent(board.record, event);
  hall.take({
    type: 'game',
    board: board.id,
    id: board.game,
    token: String(board.game),
    tags: { Board: String(board.game), White: `Player ${board.game}`, Black: `Opponent ${board.game}` },
    record: board.record,
    events,
  });
};
for (const board of boards) {
  hall.take({ type: 'board', board: board.id, kind: 'dgt', update: { type: 'link', atMs: 0, link: 'up' } });
  tell(board, [start(1)]);
}

/** One move as the recorder tells it: lifted, made, clock, confirmed. */
const moves = { count: 0 };
/** When each move was, by board and number. */
const committed = new Map<string, number>();
function move(board: Board, atMs: number): void {
  const legal = board.position.moves();
  const chosen = legal[(board.record.plies.length * 7 + board.game) % legal.length];
  if (chosen === undefined || board.record.plies.length > 60) {
    board.record = createGameRecord(start(1));
    board.position = Position.initial();
    tell(board, [start(1), { type: 'withdrawn', atMs, number: 1 }]);
    moves.count++;
    return;
  }
  const { position } = board;
  const ply: PlyRecord = {
    san: position.san(chosen),
    uci: position.uci(chosen),
    state: 'provisional',
    madeAtMs: atMs,
  };
  board.position = position.play(chosen);
  const running = board.position.turn;
  const number = board.record.plies.length + 1;
  const mover = running === 'white' ? 'blackMs' : 'whiteMs';
  // With an increment, so that nobody's flag falls while it is measured.
  board[mover] = Math.max(5000, board[mover] - MOVE_MS + INCREMENT_MS);
  tell(board, [
    { type: 'ply', atMs, number, ply },
    { type: 'board', atMs, placement: board.position.cells.slice(), inSync: true },
    { type: 'clock', atMs, whiteMs: board.whiteMs, blackMs: board.blackMs, running },
    { type: 'ply', atMs, number, ply: { ...ply, state: 'confirmed', completedAtMs: atMs } },
  ]);
  moves.count++;
  committed.set(`${board.id} ${number}`, Date.now());
}

const game = setInterval(() => {
  const nowMs = Date.now();
  for (const board of boards) {
    if (board.nextMs > nowMs) continue;
    board.nextMs += MOVE_MS;
    move(board, nowMs);
  }
}, 10);
let sent = 0;
const telling = setInterval(() => {
  const length = live.tell();
  if (length === 0) return;
  sent += length;
}, TELL_MS);

/** Share of one core that this process takes, and what it sends, with so many viewers. */
async function serverCost(viewers: number): Promise<{ share: number; bytesPerSecond: number }> {
  const sockets = Array.from({ length: viewers }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    socket.write('GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return socket;
  });
  while (live.viewers < viewers) await pause(20);
  await pause(1000);
  sent = 0;
  const [before, cpu] = [performance.now(), process.cpuUsage()];
  await pause(SECONDS * 1000);
  const { user, system } = process.cpuUsage(cpu);
  const ms = performance.now() - before;
  for (const socket of sockets) socket.destroy();
  while (live.viewers > 0) await pause(20);
  return { share: (user + system) / 1000 / ms, bytesPerSecond: (sent / ms) * 1000 };
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const idle = await serverCost(0);
const full = await serverCost(VIEWERS);
process.stdout.write(
  `server, ${BOARDS} boards: ${percent(idle.share)} of a core with nobody watching, ${percent(full.share)} with ${VIEWERS} viewers ` +
    `(their own reading in this process included): ${percent((full.share - idle.share) / VIEWERS)} a viewer; ` +
    `${(full.bytesPerSecond / 1024).toFixed(1)} kB/s each\n`,
);

const executable = findBrowser();
if (executable === undefined) process.stdout.write('no Chromium on this system: the page is not measured\n');
else {
  const browser = await openBrowser(executable);
  const page = await (await browser.newContext({ viewport: { width: 1600, height: 1000 } })).newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.waitForFunction((count) => document.querySelectorAll('.card').length === count, BOARDS);
  const client = await browser.newBrowserCDPSession();
  // Time of the processor, not of the wall: what other programs take is none of it. All of the page: its own process, and the one
  // that puts it on the screen.
  const busySeconds = async (type: string): Promise<number> =>
    (await client.send('SystemInfo.getProcessInfo')).processInfo
      .filter((process) => process.type === type)
      .reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  await pause(2000);
  const [before, drawing, showing, made] = [
    performance.now(),
    await busySeconds('renderer'),
    await busySeconds('GPU'),
    moves.count,
  ];
  await pause(SECONDS * 1000);
  const seconds = (performance.now() - before) / 1000;
  const drawn = (await busySeconds('renderer')) - drawing;
  const shown = (await busySeconds('GPU')) - showing;
  const count = moves.count - made;
  // When each move was drawn, by the clock of this machine, which here is that of the page as well. Measured by itself: frames that are
  // asked for only to see them would be work of the page.
  await page.evaluate(() => {
    const drawnAt: [string, number][] = [];
    (window as unknown as { drawnAt: [string, number][] }).drawnAt = drawnAt;
    const source = new EventSource('/api/live');
    source.addEventListener('changes', (message) => {
      const { rows = [] } = JSON.parse((message as MessageEvent<string>).data) as {
        rows?: { board: string; set?: { plies?: number } }[];
      };
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          for (const { board, set } of rows)
            if (set?.plies !== undefined) drawnAt.push([`${board} ${set.plies}`, Date.now()]);
        }),
      );
    });
  });
  committed.clear();
  await pause(SECONDS * 1000);
  const ages = (await page.evaluate(() => (window as unknown as { drawnAt: [string, number][] }).drawnAt))
    .flatMap(([move, atMs]) => {
      const sinceMs = committed.get(move);
      return sinceMs === undefined ? [] : [atMs - sinceMs];
    })
    .sort((a, b) => a - b);
  const within = (share: number): number => ages[Math.floor(ages.length * share)] ?? Number.NaN;
  process.stdout.write(
    `page, ${BOARDS} boards, ${(count / seconds).toFixed(0)} moves a second: ${percent(drawn / seconds)} of a core in its process, ` +
      `${percent(shown / seconds)} to put it on the screen, ${(((drawn + shown) / count) * 1000).toFixed(1)} ms a move; ` +
      `a move is drawn ${within(0.5)} ms (p50), ${within(0.95)} ms (p95 of ${ages.length}) after its commit\n`,
  );
  await browser.close();
}
clearInterval(game);
clearInterval(telling);
live.close();
await app.close();
