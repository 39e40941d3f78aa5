/** Who sits at the demo's tables: a famous game each, played by hands that are as clumsy as hands are. */
import { type PlayedGame, playPeople } from '../../boards/hand/people.ts';
import { FAMOUS_GAMES, type FamousGame } from './games.ts';

export interface DemoTable {
  /** 1-based. */
  readonly number: number;
  /** Serial number of the simulated board: five digits. */
  readonly serialNumber: string;
  readonly game: FamousGame;
  /** What the hands do, and what a recorder must make of it. */
  readonly played: PlayedGame;
  /** The board lies the other way round, as one in four does at every event. */
  readonly rotated: boolean;
}

/** Longest thought, ms: the audience waits. */
const LONGEST_THINK_MS = 4500;

/** Sets up `count` tables (more than there are famous games repeat them with other hands); equal seeds play equally. */
export function createDemoTables(count: number, seed: number): DemoTable[] {
  return Array.from({ length: count }, (_, index) => {
    const game = FAMOUS_GAMES[(seed - 1 + index) % FAMOUS_GAMES.length]!;
    const played = playPeople(
      { moves: game.moves.split(' '), result: game.result },
      {
        seed: seed * 1000 + index,
        profile: 'rapid',
        noise: 'real',
        clock: true,
        maxThinkMs: LONGEST_THINK_MS,
        afterGame: 'nothing',
        // The games are known: nobody plays an illegal move in them, and everybody signals the result.
        habits: { gesture: 1 },
        mishaps: { illegal: 0 },
      },
    );
    if (!played.ok) throw new Error(`${game.name}: ${played.fault.message}`);
    return {
      number: index + 1,
      serialNumber: String(10_101 + index),
      game,
      played: played.value,
      rotated: index % 4 === 2,
    };
  });
}
