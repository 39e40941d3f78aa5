/** A hall of simulated DGT boards behind TCP ports at which people play blitz, one game after another, for benches of the shipped program. */
import { firstValueFrom } from 'rxjs';
import { dgt } from '../../boards/dgt/definition.ts';
import { type PlayedGame, playPeople } from '../../boards/hand/people.ts';
import { makeLinkAddress } from '../../driver/address.ts';
import type { Clock } from '../../driver/clock.ts';
import { createLoopbackDevice } from '../../driver/loopback-device.ts';
import type { DeviceEnd } from '../../driver/transport.ts';
import { createSimulatedBoard } from '../kit/simulated-board.ts';
import { randomGame } from '../sim/hand/random-game.ts';

/** A board with two players. */
export interface HallTable {
  /** Key of the board in the store. */
  readonly board: string;
  /** What `places` names. */
  readonly place: string;
  /** SAN of each game that was begun, in order. */
  readonly games: readonly (readonly string[])[];
  /** How many of them were played to their end. */
  readonly finished: number;
  /** When the hand left the last piece of each ply of the game under way, ms of the clock; undefined for plies to come. */
  readonly releasedMs: readonly (number | undefined)[];
  readonly plies: number;
  /** Where a cable may be laid to. */
  readonly device: DeviceEnd;
}

export interface HallOptions {
  readonly boards: number;
  readonly clock: Clock;
  /** No think is longer than this, ms. */
  readonly maxThinkMs: number;
  /** Plies of a game, at most. */
  readonly gamePlies: number;
  readonly seed: number;
}

export interface Hall {
  readonly tables: readonly HallTable[];
  /** Plays until `stop`; resolves when all hands rest, each at the end of its game with `finish`. */
  play(): Promise<void>;
  stop(how: 'finish' | 'at once'): void;
  close(): Promise<void>;
}

const SERIAL = 40_000;
/** Between two games, and for the pieces to be set up, ms. */
const BREAK_MS = 4000;

/** Seats two players at each of many boards. */
export async function createSimulatedHall(options: HallOptions): Promise<Hall> {
  const { boards, clock, maxThinkMs, gamePlies, seed } = options;
  let stopped: 'finish' | 'at once' | undefined;
  const seats = await Promise.all(
    Array.from({ length: boards }, async (_, i) => {
      const serialNumber = String(SERIAL + i);
      const board = createSimulatedBoard(dgt, { serialNumber }, clock);
      const device = await createLoopbackDevice();
      board.attach(device);
      const games: string[][] = [];
      let [finished, plies] = [0, 0];
      let releasedMs: (number | undefined)[] = [];
      const wait = (ms: number): Promise<unknown> => firstValueFrom(clock.timer$(Math.max(0, ms)));

      const playGame = async (game: PlayedGame): Promise<void> => {
        const isUnderWay = (): boolean => stopped !== 'at once';
        games.push(game.plies.map(({ san }) => san));
        releasedMs = [];
        const beganMs = clock.monotonicMs();
        let made = 0;
        for (const action of game.actions) {
          if (action.type === 'press') continue;
          // People who were late do not hurry: each waits for the time of the game, so that no ply is skipped.
          await wait(action.atMs - (clock.monotonicMs() - beganMs));
          if (!isUnderWay()) return;
          if (action.type === 'square') board.square(action.square, action.cell);
          else board.clock(action.whiteMs, action.blackMs, action.running);
          while (made < game.plies.length && game.plies[made]!.releasedAtMs <= action.atMs) {
            releasedMs[made++] = clock.monotonicMs();
            plies++;
          }
        }
        finished++;
      };

      const play = async (): Promise<void> => {
        // Rounds begin within a while, not within a moment.
        await wait((i * 7919) % 5000);
        for (let round = 0; stopped === undefined; round++) {
          const number = seed + i + round * boards;
          const played = playPeople(
            { moves: randomGame(number, gamePlies).moves },
            {
              seed: number,
              profile: 'blitz',
              noise: 'none',
              clock: true,
              maxThinkMs,
              afterGame: 'setUp',
              mishaps: { illegal: 0 },
            },
          );
          if (!played.ok) throw new Error(played.fault.message);
          await playGame(played.value);
          if (stopped === undefined) await wait(BREAK_MS);
        }
      };
      const table: HallTable = {
        board: `dgt-${serialNumber}`,
        device,
        place: `dgt=${makeLinkAddress(device.address)}`,
        games,
        get finished() {
          return finished;
        },
        get releasedMs() {
          return releasedMs;
        },
        get plies() {
          return plies;
        },
      };
      const close = async (): Promise<void> => {
        board.switchOff();
        await device.close();
      };
      return { table, play, close };
    }),
  );
  return {
    tables: seats.map(({ table }) => table),
    async play() {
      await Promise.all(seats.map(({ play }) => play()));
    },
    stop: (how) => {
      stopped = how;
    },
    async close() {
      await Promise.all(seats.map(({ close }) => close()));
    },
  };
}
