/** A whole event played by people on simulated boards: what each board concludes, in the order of time. */
import { playPeople } from '../../../boards/hand/people.ts';
import { PROFILES } from '../../../boards/hand/profiles.ts';
import { scanGame } from '../../../boards/hand/scan.ts';
import type { Correction } from '../../../core/correction.ts';
import type { GameEvent } from '../../../core/game-event.ts';
import { applyToRecords, type GameRecord } from '../../../core/game-record.ts';
import { MachineDriver } from '../../../core/machine.ts';
import { createReconstructor } from '../../../core/reconstructor.ts';
import type { SensorEvent } from '../../../core/sensor-event.ts';
import { GameTimesKeeper } from '../../../recorder/game-times.ts';
import type { RecordedGame } from '../../../recorder/publish/public-event.ts';
import { randomGame } from '../../sim/hand/random-game.ts';
import { pairing, STARTED_WALL_MS } from './public-games.ts';

export interface SimulatedRound {
  readonly round: number;
  /** How a game stands after each change that the world may see, in the order of time. */
  readonly states: readonly { readonly atMs: number; readonly recorded: RecordedGame }[];
  /** How many of each were among the games. */
  readonly withdrawn: number;
  readonly amended: number;
  readonly illegal: number;
  readonly kings: number;
}

/** One game by hands that take back, play illegal moves and forget, with now and then a correction by the operator. */
function playBoard(seed: number): GameEvent[] {
  const game = randomGame(seed, 30 + (seed % 50));
  const played = playPeople(game, {
    seed,
    profile: PROFILES[seed % PROFILES.length]!,
    noise: 'real',
    maxThinkMs: 4000,
    mishaps: { takeBack: 0.05, illegal: 0.04, hesitation: 0.05, nudge: 0.05, forgottenPress: 0.05 },
  });
  if (!played.ok) throw new Error(played.fault.message);
  const { events } = scanGame(played.value, { seed, noise: 'real', sensing: 'identity', clockEveryMs: 1000 });
  const driver = new MachineDriver<SensorEvent | Correction, GameEvent>(
    createReconstructor({ profile: { sensing: 'identity', scanMs: 250 }, start: played.value.start }),
  );
  const outputs: GameEvent[] = [];
  const records: GameRecord[] = [];
  const hear = (said: readonly GameEvent[]): void => {
    for (const event of said) applyToRecords(records, event);
    outputs.push(...said);
  };
  let nextCorrection = seed % 4 === 0 ? 20 : Number.POSITIVE_INFINITY;
  let lastMs = 0;
  for (const event of events) {
    hear(driver.feed(event));
    lastMs = event.atMs;
    const record = records.at(-1);
    if (record === undefined || record.plies.length < nextCorrection) continue;
    // Somebody enters what the record says already, from a ply a while back: all of it is played once more.
    nextCorrection = Number.POSITIVE_INFINITY;
    const from = record.plies.length - 6;
    const plies = record.plies.slice(from - 1, from + 1).map(({ uci }) => uci);
    hear(driver.feed({ type: 'correction', atMs: event.atMs, by: 'arbiter', from, plies, replaces: 2 }));
  }
  hear(driver.advance(lastMs + 120_000));
  return outputs;
}

/** Plays a round at `boards` tables. */
export function simulateRound(round: number, boards: number): SimulatedRound {
  const states: { atMs: number; recorded: RecordedGame }[] = [];
  let [withdrawn, amended, illegal, kings] = [0, 0, 0, 0];
  for (let board = 1; board <= boards; board++) {
    const events = playBoard(1000 * round + board);
    const records: GameRecord[] = [];
    let times = new GameTimesKeeper();
    for (const event of events) {
      if (event.type === 'gameStarted') {
        // Pieces that are set up again after the game are no game of the pairing.
        if (records.length > 0) break;
        times = new GameTimesKeeper();
      }
      applyToRecords(records, event);
      times.take(event);
      if (event.type === 'withdrawn') withdrawn++;
      if (event.type === 'ply' && event.amended === true) amended++;
      if (event.type === 'flag' && event.flag.code.startsWith('ILLEGAL')) illegal++;
      if (event.type === 'result' && event.reason === 'kings') kings++;
      if (!['ply', 'withdrawn', 'result', 'gameEnded', 'gameStarted'].includes(event.type)) continue;
      const record = records[0]!;
      const copy: GameRecord = { ...record, plies: [...record.plies], flags: [] };
      const recorded: RecordedGame = {
        token: pairing(round, board).token,
        games: [1000 * round + board],
        board: `dgt-${board}`,
        startedWallMs: STARTED_WALL_MS,
        record: copy,
        times: { certainSinceMs: [...times.certainSinceMs], resultSinceMs: times.resultSinceMs },
      };
      states.push({ atMs: event.atMs, recorded });
    }
  }
  states.sort((a, b) => a.atMs - b.atMs);
  return { round, states, withdrawn, amended, illegal, kings };
}
