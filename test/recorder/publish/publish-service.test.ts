import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filter, firstValueFrom, lastValueFrom, map, of, ReplaySubject, Subject, tap } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dgt } from '../../../boards/dgt/definition.ts';
import { EMPTY, makePlacement } from '../../../core/placement.ts';
import { Position } from '../../../core/position.ts';
import { createSystemClock } from '../../../driver/clock.ts';
import { createMemoryPair } from '../../../driver/transports/memory.ts';
import { CONFIG } from '../../../recorder/config/config.ts';
import { openDeskBeside } from '../../../recorder/enter.ts';
import { publishService } from '../../../recorder/publish/publish-service.ts';
import { serve$ } from '../../../recorder/serve/serve.ts';
import type { ServeUpdate } from '../../../recorder/serve/service.ts';
import { openEntryStore, openStore } from '../../../recorder/store/store.ts';
import { openTournamentDesk } from '../../../recorder/tournament/tournament-desk.ts';
import { createSimulatedBoard, type SimulatedBoard } from '../../kit/simulated-board.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const SPEED = 10;

/** `serve` with one simulated board, on which `plies` of the game stand already, and the publishing service. */
function begin(folder: string, outputs: readonly object[], pgn = '', plies = 0) {
  const db = join(folder, 'games.sqlite');
  const store = openStore(db, { wallMs: () => Date.now() });
  const clock = createSystemClock({ originMs: store.originMs(Date.now()), speed: SPEED });
  const tournament = openTournamentDesk(db, clock);
  const placement = makePlacement(positionAfter(plies).cells);
  const board = createSimulatedBoard(dgt, { serialNumber: '12345', placement }, clock);
  const { transport, device } = createMemoryPair('table 1', clock);
  board.attach(device);
  const stop = new Subject<void>();
  const told = new ReplaySubject<ServeUpdate>();
  const ended = lastValueFrom(
    serve$({
      store,
      tournament,
      clock,
      config: CONFIG.parse({ recorder: { pgn }, event: { name: 'Open', site: 'Minsk' }, outputs }),
      configFile: undefined,
      given: [],
      reload$: of(),
      stop$: stop,
      services: [{ name: 'publish', service: publishService }],
      env: {},
      fleet: {
        list: async () => [],
        extra: () => [transport.address],
        definitions: [dgt],
        transportFor: () => transport,
      },
    }).pipe(tap(told)),
    { defaultValue: undefined },
  );
  return {
    db,
    store,
    clock,
    board,
    tournament,
    until: (is: (update: ServeUpdate) => boolean) => firstValueFrom(told.pipe(filter(is))),
    /** Waits until a ply of the first game is certain. */
    certain: (number: number) =>
      firstValueFrom(
        told.pipe(
          filter((update) => update.type === 'game'),
          map(({ record }) => record.plies[number - 1]?.state),
          filter((state) => state === 'confirmed' || state === 'settled'),
        ),
      ),
    /** Waits until a ply of the first game is on record, certain or not. */
    made: (number: number) =>
      firstValueFrom(
        told.pipe(
          filter((update) => update.type === 'game' && update.record.plies[number - 1] !== undefined),
        ),
      ),
    end: async () => {
      stop.next();
      await ended;
      board.switchOff();
      tournament.close();
      store.close();
    },
  };
}

const MOVES = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6'];

const positionAfter = (plies: number): Position =>
  MOVES.slice(0, plies).reduce((before, san) => before.play(before.parseSan(san)!), Position.initial());

/** Puts a move on the board; a reply makes the one before certain. */
function play(board: SimulatedBoard, number: number): void {
  const position = positionAfter(number - 1);
  const { changes } = position.parseSan(MOVES[number - 1]!)!;
  for (const { square, after } of changes) if (after === EMPTY) board.square(square, EMPTY);
  for (const { square, after } of changes) if (after !== EMPTY) board.square(square, after);
}

const isBegun = (update: ServeUpdate): boolean => update.type === 'game';
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');

describe('publishing beside a recorder', { timeout: 120_000 }, () => {
  it('writes a folder as LiveChess does, serves the same over HTTP, and goes on after a restart', async () => {
    const folder = temporaryFolder();
    const dir = join(folder, 'out');
    const outputs = [
      { type: 'folder', dir },
      { type: 'http', port: 0 },
      { type: 'folder', dir: join(folder, 'later'), delaySeconds: 3600 },
      { type: 'folder', dir: join(folder, 'off'), enabled: false },
    ];
    const first = begin(folder, outputs);
    await first.until(isBegun);
    for (const number of [1, 2, 3]) {
      play(first.board, number);
      await first.made(number);
    }
    const notice = await first.until(
      (update) => update.type === 'notice' && update.text.startsWith('games are at'),
    );
    const url = /http:\S+/.exec(notice.type === 'notice' ? notice.text : '')![0];
    await first.until((update) => update.type === 'sent' && update.target.endsWith('game-1.pgn'));
    const reply = await fetch(`${url}/get/${'0'.repeat(36)}/round-1/index.json`);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(await reply.json()).toMatchObject({ pairings: [{ result: '*', live: true }] });
    expect(await (await fetch(`${url}/meta/x`)).json()).toMatchObject({ format: '1' });
    const tag = (await fetch(`${url}/games.pgn`)).headers.get('etag')!;
    expect((await fetch(`${url}/games.pgn`, { headers: { 'if-none-match': tag } })).status).toBe(304);
    // People who look are led to a page; what is not there is not there.
    for (const path of [
      '',
      '/',
      '/round-1',
      '/index.ru.html',
      '/round-1/game-1.html',
      '/round-1/screen-1.be.html',
    ]) {
      const page = await fetch(`${url}${path}`);
      expect([path, page.status, page.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
    const embedded = await fetch(`${url}/round-1/embed-1.html`);
    expect(embedded.headers.get('content-security-policy')).toContain('frame-ancestors *');
    for (const path of [
      '/get/',
      '/round-9',
      '/round-1/game-9.html',
      '/../games.sqlite',
      '/%2e%2e/games.sqlite',
      '/round-9/games.pgn',
    ])
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404]);
    await first.certain(2);
    await first.end();
    // What was committed last is written before everything ends.
    expect(readdirSync(join(dir, 'round-1')).sort()).toEqual(['game-1.pgn', 'games.pgn', 'index.json']);
    expect(readdirSync(dir).sort()).toEqual(['.jadoube.json', 'round-1', 'tournament.json']);
    expect(read(dir, 'round-1', 'game-1.pgn')).toContain('1. e4 e5');
    expect(read(dir, 'round-1', 'game-1.pgn')).toMatch(/^\[Event "Open"\]\n\[Site "Minsk"\]/);
    expect(readdirSync(folder)).not.toContain('off');
    expect(read(folder, 'later', 'round-1', 'games.pgn')).not.toContain('e4');

    const second = begin(folder, outputs);
    await second.until(
      (update) => update.type === 'sent' && update.target === join(folder, 'later', 'tournament.json'),
    );
    await second.end();
    expect(read(folder, 'later', 'round-1', 'games.pgn')).not.toContain('e4');
    expect(read(folder, 'later', 'tournament.json')).toContain('"live":0');
    expect(read(dir, 'round-1', 'game-1.pgn')).toContain('1. e4 e5');
  });

  it('lets nothing out that is younger than the delay, before and after a restart', async () => {
    const folder = temporaryFolder();
    const dir = join(folder, 'out');
    const delayMs = 20_000;
    const outputs = [{ type: 'folder', dir, delaySeconds: delayMs / 1000 }];
    /** When each ply was put on the board, by the monotonic clock of the store. */
    const madeAtMs: number[] = [];
    const seenAtMs: number[] = [];
    /** What the clock shows when each ply is completed, wherever it stands in the file. */
    const clocks = ['1:29:51', '1:28:42', '1:27:33'];
    const clockSeenAtMs: number[] = [];
    let reads = 0;
    const look = (nowMs: number): void => {
      let text = '';
      try {
        text = read(dir, 'round-1', 'game-1.pgn');
      } catch {
        return;
      }
      reads++;
      MOVES.forEach((san, i) => {
        if (seenAtMs[i] === undefined && new RegExp(`[ .\\n]${san}[ \\n]`).test(text)) seenAtMs[i] = nowMs;
      });
      clocks.forEach((time, i) => {
        if (text.includes(time)) clockSeenAtMs[i] ??= nowMs;
      });
    };
    let isOver = false;
    onTestFinished(() => {
      isOver = true;
    });
    /** Looks at the folder again and again until something is so. */
    const watch = async (clock: { monotonicMs(): number }, isDone: () => boolean): Promise<void> => {
      while (!isOver && !isDone()) {
        look(clock.monotonicMs());
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const first = begin(folder, outputs);
    await first.until(isBegun);
    first.board.clock(5_400_000, 5_400_000, 'white');
    for (const number of [1, 2, 3]) {
      madeAtMs.push(first.clock.monotonicMs());
      play(first.board, number);
      await first.made(number);
      first.board.clock(
        number === 3 ? 5_253_000 : 5_391_000,
        number === 1 ? 5_400_000 : 5_322_000,
        number % 2 === 1 ? 'black' : 'white',
      );
      await first.certain(number);
    }
    await watch(first.clock, () => first.clock.monotonicMs() > madeAtMs[2]! + delayMs / 2);
    await first.end();
    expect([seenAtMs, clockSeenAtMs]).toEqual([[], []]);
    const second = begin(folder, outputs, '', 3);
    await watch(second.clock, () => seenAtMs[1] !== undefined && clockSeenAtMs[1] !== undefined);
    await second.end();
    expect(reads).toBeGreaterThan(10);
    for (const i of [0, 1]) {
      expect(seenAtMs[i]! - madeAtMs[i]!).toBeGreaterThanOrEqual(delayMs);
      expect(clockSeenAtMs[i]! - madeAtMs[i]!).toBeGreaterThanOrEqual(delayMs);
    }
  });

  it('withholds what somebody else asks to be withheld, and lets it go again', async () => {
    const folder = temporaryFolder();
    const dir = join(folder, 'out');
    const run = begin(folder, [{ type: 'folder', dir }]);
    await run.until(isBegun);
    for (const number of [1, 2]) {
      play(run.board, number);
      await run.made(number);
    }
    const isWritten = (update: ServeUpdate, text: string): boolean =>
      update.type === 'sent' &&
      update.target.endsWith('games.pgn') &&
      read(dir, 'round-1', 'games.pgn').includes(text);
    await run.until((update) => isWritten(update, '1. e4'));
    const other = openEntryStore(run.db);
    const signature = { by: 'arbiter', wallMs: Date.now() };
    expect(other.hold({ type: 'all' }, signature)).toBe(true);
    expect(other.hold({ type: 'all' }, signature)).toBe(false);
    expect(other.holds()).toMatchObject([{ scope: { type: 'all' }, by: 'arbiter' }]);
    for (const number of [3, 4]) {
      play(run.board, number);
      await run.made(number);
    }
    await run.certain(3);
    const before = run.clock.monotonicMs();
    await firstValueFrom(run.clock.timer$(3000));
    expect(run.clock.monotonicMs()).toBeGreaterThan(before);
    expect(read(dir, 'round-1', 'games.pgn')).not.toContain('Nf3');
    expect(other.lift({ type: 'all' }, signature)).toBe(true);
    expect(other.lift({ type: 'all' }, signature)).toBe(false);
    await run.until((update) => isWritten(update, 'Nf3'));
    other.close();
    await run.end();
  });

  it('withholds the game that is held at the desk, with what the recorder writes itself', async () => {
    const folder = temporaryFolder();
    const dir = join(folder, 'out');
    const run = begin(folder, [{ type: 'folder', dir }], join(folder, 'games'));
    await run.until(isBegun);
    for (const number of [1, 2]) {
      play(run.board, number);
      await run.made(number);
    }
    const files = [join(dir, 'round-1', 'games.pgn'), join(folder, 'games', 'games.pgn')];
    const games = () => files.map((file) => (existsSync(file) ? read(file) : ''));
    const until = (text: string) =>
      run.until(
        (update) =>
          (update.type === 'sent' || update.type === 'written') && games().every((pgn) => pgn.includes(text)),
      );
    await until('1. e4');
    const desk = openDeskBeside(run.db, () => Date.now());
    const { id } = desk.enter(desk.look(1), 'Olga Operator', { type: 'hold' });
    expect(run.store.holds()).toMatchObject([{ scope: { type: 'game', game: 1 }, by: 'Olga Operator' }]);
    for (const number of [3, 4]) {
      play(run.board, number);
      await run.made(number);
    }
    await run.certain(3);
    // Longer than outputs take to look at holds, to gather changes and to write the same file again.
    await firstValueFrom(run.clock.timer$(15_000));
    for (const pgn of games()) expect(pgn).not.toContain('Nf3');
    desk.undo(desk.look(1), 'Olga Operator', id);
    await until('Nf3');
    // All at once by the command line: the folder of the recorder heeds it as well.
    const other = openEntryStore(run.db);
    expect(other.hold({ type: 'all' }, { by: 'arbiter', wallMs: Date.now() })).toBe(true);
    for (const number of [5, 6]) {
      play(run.board, number);
      await run.made(number);
    }
    await run.certain(5);
    await firstValueFrom(run.clock.timer$(15_000));
    for (const pgn of games()) expect(pgn).not.toContain('Bb5');
    expect(other.lift({ type: 'all' }, { by: 'arbiter', wallMs: Date.now() })).toBe(true);
    other.close();
    await until('Bb5');
    desk.close();
    await run.end();
  });
});
