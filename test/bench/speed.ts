/**
 * `npm run bench`: what the reconstructor costs, as a ratio to a floor measured in the same run, so that machines
 * compare: the rules library plays the ply, finds all legal moves and writes SAN. Prints one JSON object.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Chess } from 'chessops/chess';
import { makeSan } from 'chessops/san';
import type { NormalMove } from 'chessops/types';
import { parseUci } from 'chessops/util';
import { type HandGame, type PlayedGame, playPeople } from '../../boards/hand/people.ts';
import type { NoiseLevel } from '../../boards/hand/profiles.ts';
import { scanGame } from '../../boards/hand/scan.ts';
import { MachineDriver } from '../../core/machine.ts';
import { createReconstructor } from '../../core/reconstructor.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { randomGame } from '../sim/hand/random-game.ts';
import { hasFieldGames, readFieldGames } from './field-games.ts';

const GAMES = 60;
const ROUNDS = 5;
const PROFILE = { sensing: 'identity', scanMs: 250 } as const;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const nowUs = (): number => Number(process.hrtime.bigint()) / 1000;

interface Sensed {
  readonly played: PlayedGame;
  readonly events: readonly SensorEvent[];
}

function sense(game: HandGame, seed: number, noise: NoiseLevel, clock: boolean): Sensed {
  const played = playPeople(game, {
    seed,
    profile: 'blitz',
    noise,
    clock,
    maxThinkMs: 8000,
    afterGame: 'nothing',
  });
  if (!played.ok) throw new Error(played.fault.message);
  const { events } = scanGame(played.value, { seed, noise, sensing: 'identity', idleDumpMs: 4000 });
  return { played: played.value, events };
}

/** A game of exactly 150 moves by each side: the first random game that lasts. */
function longGame(): HandGame {
  for (let seed = 1; ; seed++) {
    const game = randomGame(seed, 300);
    if (game.moves.length === 300) return game;
  }
}

const feedAll = (sensed: Sensed): MachineDriver<SensorEvent, unknown> => {
  const { start, variant } = sensed.played;
  const driver = new MachineDriver(createReconstructor({ start, variant, profile: PROFILE }));
  for (const event of sensed.events) driver.feed(event);
  return driver;
};

/** The floor: play each ply, find all legal moves, write SAN; µs per ply, the least of several runs for each game. */
function measureFloor(games: readonly HandGame[]): number {
  let plies = 0;
  let us = 0;
  for (const game of games) {
    if (game.variant === 'chess960' || !game.start?.startsWith('rnbqkbnr/')) continue;
    plies += game.moves.length;
    us += Math.min(...Array.from({ length: ROUNDS }, () => playThrough(game.moves)));
  }
  return us / plies;
}

/** µs to play a game with the rules library, its legal moves and SAN. */
function playThrough(moves: readonly string[]): number {
  let seen = 0;
  const from = nowUs();
  const chess = Chess.default();
  for (const uci of moves) {
    const move = parseUci(uci) as NormalMove;
    seen += makeSan(chess, move).length;
    chess.play(move);
    for (const targets of chess.allDests().values()) seen += targets.size();
  }
  if (seen === 0) throw new Error('the floor did nothing');
  return nowUs() - from;
}

const isSquare = (event: SensorEvent): boolean => event.type === 'square';

/** Least times of each step of a game, µs: what others do on the machine does not count. */
function timeSteps({ played, events }: Sensed): Float64Array {
  const times = new Float64Array(events.length).fill(Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    const { start, variant } = played;
    const driver = new MachineDriver(createReconstructor({ start, variant, profile: PROFILE }));
    for (const [i, event] of events.entries()) {
      const from = nowUs();
      driver.feed(event);
      times[i] = Math.min(times[i]!, nowUs() - from);
    }
  }
  return times;
}

interface Measured {
  readonly perUpdateUs: number;
  readonly perPlyUs: number;
  /** The longest single step, ms. */
  readonly worstStepMs: number;
  readonly game: number;
  readonly step: number;
}

function measure(all: readonly Sensed[]): Measured {
  const updates = all.reduce((sum, s) => sum + s.events.filter(isSquare).length, 0);
  const plies = all.reduce((sum, s) => sum + s.played.plies.length, 0);
  let us = 0;
  let worst = { worstStepMs: 0, game: 0, step: 0 };
  for (const [game, sensed] of all.entries()) {
    const times = timeSteps(sensed);
    for (const [step, stepUs] of times.entries()) {
      us += stepUs;
      if (stepUs > worst.worstStepMs * 1000) worst = { worstStepMs: stepUs / 1000, game, step };
    }
  }
  return { perUpdateUs: us / updates, perPlyUs: us / plies, ...worst };
}

/** What one board retains after a game of 150 moves, KB. */
function measureMemory(sensed: Sensed): number {
  const boards = 16;
  feedAll(sensed);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: boards }, () => feedAll(sensed));
  collectGarbage();
  const after = process.memoryUsage().heapUsed;
  return (after - before) / kept.length / 1024;
}

/** µs per field update in each fifth of a long game. */
function measureGrowth(sensed: Sensed): number[] {
  const fifth = Math.ceil(sensed.events.length / 5);
  const parts = Array.from({ length: 5 }, () => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    const { start, variant } = sensed.played;
    const driver = new MachineDriver(createReconstructor({ start, variant, profile: PROFILE }));
    for (let part = 0; part < 5; part++) {
      const events = sensed.events.slice(part * fifth, (part + 1) * fifth);
      const from = nowUs();
      for (const event of events) driver.feed(event);
      const us = (nowUs() - from) / events.filter(isSquare).length;
      parts[part] = Math.min(parts[part]!, us);
    }
  }
  return parts;
}

const games = hasFieldGames()
  ? readFieldGames(GAMES)
  : Array.from({ length: GAMES }, (_, seed) => randomGame(seed, 80));
const round = (value: number): number => Math.round(value * 100) / 100;
const long = sense(longGame(), 1, 'none', true);
const cells = Object.fromEntries(
  (['none', 'real', 'harsh'] as const).map((noise) => {
    const clocked = games.map((game, seed) => sense(game, seed, noise, true));
    return [noise, { clocked, bare: games.map((game, seed) => sense(game, seed, noise, false)) }];
  }),
);
// Everything is compiled before anything is measured.
for (const { clocked } of Object.values(cells)) for (const sensed of clocked) feedAll(sensed);
const floorBefore = measureFloor(games);
const results = Object.entries(cells).map(([noise, { clocked, bare }]) => {
  const withClock = measure(clocked);
  const without = measure(bare);
  const worst = withClock.worstStepMs > without.worstStepMs ? withClock : without;
  return {
    noise,
    perUpdateUs: round(without.perUpdateUs),
    perUpdateWithClockUs: round(withClock.perUpdateUs),
    perPlyUs: round(without.perPlyUs),
    perPlyWithClockUs: round(withClock.perPlyUs),
    worstStepMs: round(worst.worstStepMs),
    isWorstWithClock: worst === withClock,
    game: worst.game,
    step: worst.step,
  };
});
// Measured on both sides of the work: the least is what the machine can do.
const floorUs = Math.min(floorBefore, measureFloor(games));
console.log(
  JSON.stringify(
    {
      games: games.length,
      source: hasFieldGames() ? 'field games' : 'random games',
      floorUsPerPly: round(floorUs),
      cells: results.map((cell) => ({
        ...cell,
        ratioUpdateToFloor: round(cell.perUpdateUs / floorUs),
        ratioUpdateWithClockToFloor: round(cell.perUpdateWithClockUs / floorUs),
        ratioPlyToFloor: round(cell.perPlyUs / floorUs),
      })),
      memoryKbPerBoard: round(measureMemory(long)),
      growthUsPerUpdate: measureGrowth(long).map(round),
      node: process.version,
    },
    undefined,
    2,
  ),
);
