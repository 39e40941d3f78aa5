/**
 * `npm run bench:load -- [--boards 100,300,1000] [--seconds 60] [--think 4000]`: the shipped program at simulated boards on which blitz is
 * played with clocks, and codec with reconstructor alone at the full rate of a serial line, beside floors measured in the same run. Prints
 * Markdown; runs are recorded in test/bench/LOAD.md.
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Chess } from 'chessops/chess';
import { makeSan } from 'chessops/san';
import type { NormalMove } from 'chessops/types';
import { parseUci } from 'chessops/util';
import { dgt } from '../../boards/dgt/definition.ts';
import { playPeople } from '../../boards/hand/people.ts';
import { MachineDriver } from '../../core/machine.ts';
import { createReconstructor } from '../../core/reconstructor.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { createDerivation } from '../../recorder/derive.ts';
import { settle } from '../faults/round.ts';
import { reach } from '../faults/wait.ts';
import { randomGame } from '../sim/hand/random-game.ts';
import { nowMs, startShipped } from './shipped.ts';
import { createSimulatedHall } from './simulated-hall.ts';

const { values } = parseArgs({
  options: {
    boards: { type: 'string', default: '100,300,1000' },
    seconds: { type: 'string', default: '60' },
    think: { type: 'string', default: '8000' },
  },
});
const SIZES = values.boards.split(',').map(Number);
const SECONDS = Number(values.seconds);
/** Field updates that a line of 9600 baud carries in a second: five bytes each. */
const LINE_UPDATES = 192;

const round = (value: number, digits = 1): number => Math.round(value * 10 ** digits) / 10 ** digits;
const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

// ---------------------------------------------------------------- floors

/** How often a second this disk makes a page safe. */
function fsyncRate(folder: string): number {
  const file = openSync(join(folder, 'floor'), 'w');
  const page = new Uint8Array(4096);
  const from = nowMs();
  let count = 0;
  while (nowMs() - from < 2000) {
    writeSync(file, page);
    fsyncSync(file);
    count++;
  }
  const perSecond = count / ((nowMs() - from) / 1000);
  closeSync(file);
  return perSecond;
}

/** Square changes of random games, as they follow each other: the busiest that play can be. */
function squareChanges(seed: number): SensorEvent[] {
  const played = playPeople(
    { moves: randomGame(seed, 120).moves },
    {
      seed,
      profile: 'blitz',
      noise: 'none',
      clock: false,
      maxThinkMs: 500,
      afterGame: 'nothing',
      mishaps: { illegal: 0 },
    },
  );
  if (!played.ok) throw new Error(played.fault.message);
  return played.value.actions.flatMap((action): SensorEvent[] =>
    action.type === 'square'
      ? [{ type: 'square', atMs: action.atMs, square: action.square, cell: action.cell }]
      : [],
  );
}

/** DGT codes of cells (`PROTOCOL.md`): white pawn, rook, knight, bishop, king, queen, then black. */
function bytesOf(changes: readonly SensorEvent[]): Uint8Array[] {
  const board = new MachineDriver(dgt.createSimulator({ serialNumber: '1' }));
  const bytes: Uint8Array[] = [];
  board.feed({ type: 'bytes', atMs: 0, bytes: Uint8Array.of(0x44) });
  for (const change of changes) {
    for (const output of board.feed(change as never)) {
      if (output.type === 'write') bytes.push(output.bytes);
    }
  }
  return bytes;
}

/** µs of CPU per item, the least of some rounds. */
function leastCpu(rounds: number, items: number, work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rounds; i++) {
    const from = cpuMs();
    work();
    least = Math.min(least, ((cpuMs() - from) * 1000) / items);
  }
  return least;
}

function chessopsAlone(): number {
  const games = Array.from({ length: 60 }, (_, seed) => randomGame(seed, 80).moves);
  let seen = 0;
  const us = leastCpu(5, games.flat().length, () => {
    for (const moves of games) {
      const chess = Chess.default();
      for (const uci of moves) {
        const move = parseUci(uci) as NormalMove;
        seen += makeSan(chess, move).length;
        chess.play(move);
      }
    }
  });
  if (seen === 0) throw new Error('the floor did nothing');
  return us;
}

// ---------------------------------------------------------------- codec and reconstructor

interface LineRate {
  readonly codecUs: number;
  readonly bothUs: number;
  readonly allUs: number;
  readonly updates: number;
}

function lineRate(): LineRate {
  const games = Array.from({ length: 8 }, (_, seed) => {
    const changes = squareChanges(seed + 1).slice(0, 600);
    return { changes, bytes: bytesOf(changes) };
  });
  const updates = games.reduce((sum, { changes }) => sum + changes.length, 0);
  let frames = 0;
  const codecUs = leastCpu(5, updates, () => {
    for (const { bytes } of games) {
      const decoder = dgt.createDecoder();
      for (const [i, chunk] of bytes.entries()) frames += decoder.decode(chunk, i).length;
    }
  });
  // A full line leaves 5.2 ms between two updates, whatever hands would do.
  const atLineRate = (changes: readonly SensorEvent[]): SensorEvent[] =>
    changes.map((change, i) => ({ ...change, atMs: Math.floor((i * 1000) / LINE_UPDATES) }));
  const paced = games.map(({ changes }) => atLineRate(changes));
  const bothUs = leastCpu(3, updates, () => {
    for (const [g, { bytes }] of games.entries()) {
      const decoder = dgt.createDecoder();
      for (const [i, chunk] of bytes.entries()) frames += decoder.decode(chunk, i).length;
      const driver = new MachineDriver(createReconstructor({ profile: { sensing: 'identity', scanMs: 0 } }));
      for (const change of paced[g]!) driver.feed(change);
    }
  });
  const allUs = leastCpu(3, updates, () => {
    for (const { bytes } of games) {
      const driver = new MachineDriver(
        createDerivation({ definition: dgt, variant: 'standard', rotated: false }),
      );
      driver.feed({ type: 'link', atMs: 0, link: 'up' });
      for (const [i, chunk] of bytes.entries()) {
        driver.feed({ type: 'rx', atMs: Math.floor((i * 1000) / LINE_UPDATES), bytes: chunk });
      }
    }
  });
  if (frames === 0) throw new Error('the codec decoded nothing');
  return { codecUs, bothUs, allUs, updates };
}

// ---------------------------------------------------------------- the program

interface Measured {
  readonly boards: number;
  readonly plies: number;
  readonly pliesPerSecond: number;
  readonly latencyMs: readonly number[];
  readonly missing: number;
  readonly startSeconds: number;
  readonly cpuPercent: number;
  readonly cpuMsPerPly: number;
  readonly rssMb: number;
  readonly dbMb: number;
  readonly loop: { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number };
}

async function measure(boards: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'jadoube-load-'));
  const clock = createSystemClock();
  const hall = await createSimulatedHall({
    boards,
    clock,
    maxThinkMs: Number(values.think),
    gamePlies: 400,
    seed: 1,
  });
  const byBoard = new Map(hall.tables.map((table) => [table.board, table]));
  const up = new Set<string>();
  const told = new Map<string, number>();
  const latencyMs: number[] = [];
  let isMeasuring = false;
  const place = settle(
    folder,
    hall.tables.map((table) => table.place),
  );
  const program = startShipped(['serve', '--config', place.config], folder, ({ said }) => {
    const table = byBoard.get(String(said.board));
    if (table === undefined) return;
    if (said.link === 'up') up.add(table.board);
    if (said.type !== 'ply') return;
    const number = Number(said.number);
    const key = `${table.board} ${said.id} ${number}`;
    const releasedMs = table.releasedMs[number - 1];
    // A ply is told again when more is known of it.
    if (told.has(key) || releasedMs === undefined) return;
    told.set(key, releasedMs);
    if (isMeasuring) latencyMs.push(clock.monotonicMs() - releasedMs);
  });
  const fromMs = nowMs();
  await reach(() => up.size === boards, `${boards} boards`, 600_000);
  const startSeconds = (nowMs() - fromMs) / 1000;
  const playing = hall.play();
  await reach(() => hall.tables.every(({ plies }) => plies > 2), 'that all play', 300_000);
  const before = {
    cpu: program.standing()!.cpuMs,
    atMs: nowMs(),
    plies: hall.tables.reduce((sum, t) => sum + t.plies, 0),
  };
  isMeasuring = true;
  await reach(() => nowMs() - before.atMs > SECONDS * 1000, 'the end', SECONDS * 2000 + 60_000);
  isMeasuring = false;
  const standing = program.standing()!;
  const seconds = (nowMs() - before.atMs) / 1000;
  const plies = hall.tables.reduce((sum, t) => sum + t.plies, 0) - before.plies;
  hall.stop('at once');
  await playing;
  // What is on its way arrives; then every ply that hands have made must have been told.
  const made = (): number =>
    hall.tables.reduce((sum, { releasedMs }) => sum + releasedMs.filter((ms) => ms !== undefined).length, 0);
  const heard = (): number => told.size;
  await reach(() => heard() >= made(), 'the last plies', 30_000).catch(() => {});
  const missing = made() - heard();
  await program.end();
  await hall.close();
  const dbMb = statSync(place.db).size / 2 ** 20;
  rmSync(folder, { recursive: true, force: true });
  const cpu = standing.cpuMs - before.cpu;
  return {
    boards,
    plies,
    pliesPerSecond: plies / seconds,
    latencyMs: latencyMs.sort((a, b) => a - b),
    missing,
    startSeconds,
    cpuPercent: cpu / (10 * seconds),
    cpuMsPerPly: cpu / plies,
    rssMb: standing.rss / 2 ** 20,
    dbMb,
    loop: standing.loop,
  };
}

// ---------------------------------------------------------------- the report

const folder = mkdtempSync(join(tmpdir(), 'jadoube-load-'));
const say = (line: string): void => void process.stdout.write(`${line}\n`);
say(
  `${cpus()[0]?.model ?? 'CPU'}, ${availableParallelism()} cores, load ${round(loadavg()[0]!)} before the run.\n`,
);
const syncs = fsyncRate(folder);
rmSync(folder, { recursive: true, force: true });
const chess = chessopsAlone();
const line = lineRate();
say('| floor | |');
say('| --- | ---: |');
say(`| fsync of a page, a second | ${round(syncs, 0)} |`);
say(`| codec alone, a field update | ${round(line.codecUs)} µs |`);
say(`| chessops alone (SAN and move), a ply | ${round(chess)} µs |`);
say('');
say('| one core at the full rate of a line (192 updates a second a board) | µs an update | boards |');
say('| --- | ---: | ---: |');
const boardsOf = (us: number): number => Math.floor(1e6 / (us * LINE_UPDATES));
say(`| codec | ${round(line.codecUs)} | ${boardsOf(line.codecUs)} |`);
say(`| codec and reconstructor | ${round(line.bothUs)} | ${boardsOf(line.bothUs)} |`);
say(`| codec, reconstructor and Laws, as recorded | ${round(line.allUs)} | ${boardsOf(line.allUs)} |`);
say('');
say(
  '| boards | all up after | plies/s | last byte to ply told: p50 | p95 | p99 | not told | event loop p50 | p99 | worst | CPU | CPU a ply | memory | database |',
);
say(`|${' ---: |'.repeat(14)}`);
for (const boards of SIZES) {
  const m = await measure(boards);
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((q) => `${round(quantile(m.latencyMs, q), 0)} ms`);
  say(
    `| ${m.boards} | ${round(m.startSeconds)} s | ${round(m.pliesPerSecond)} | ${p50} | ${p95} | ${p99} | ${m.missing} of ${m.plies} | ${m.loop.p50Ms} ms | ${m.loop.p99Ms} ms | ${m.loop.maxMs} ms | ${round(m.cpuPercent, 0)} % | ${round(m.cpuMsPerPly, 2)} ms | ${round(m.rssMb, 0)} MB | ${round(m.dbMb)} MB |`,
  );
}
process.exit(0);
