import { FLAG_WORDS } from '../flag.ts';
import type { GameEvent } from '../game-event.ts';
import { type Machine, MachineDriver, type Step, type Tick } from '../machine.ts';
import type { SensorEvent } from '../sensor-event.ts';
import type { LawsEvent, LawsOutput } from './laws.ts';

/** Flags that are about the board itself, not about a game: told after its end as well. */
const OF_THE_BOARD = ['LINK_LOST', 'RESYNC', 'SENSOR_FLICKER', 'ROTATED_180'];

/**
 * Joins a reconstructor and the Laws to one machine: what the Laws flag becomes game events, after those of which they are
 * about. A fifth repetition and the 75th move end the game (9.6), which a reconstructor does not see: what it makes of the
 * board after that is post-game, until its next game. Each of the two sees its own ticks only, so that a reconstructor says
 * the same with and without the Laws.
 */
export function withLaws(
  reconstructor: Machine<SensorEvent, GameEvent>,
  laws: Machine<LawsEvent, LawsOutput>,
): Machine<SensorEvent, GameEvent> {
  const games = new MachineDriver(reconstructor);
  const watch = new MachineDriver(laws);
  let out: GameEvent[] = [];
  let plies = 0;
  let isEnded = false;
  /** Number of the ply with which the game ended by repetition or without progress. */
  let drawnAt: number | undefined;
  let isPostgameTold = false;

  const raise = (word: keyof typeof FLAG_WORDS, code: string, atMs: number, detail?: string): void => {
    const flag = { code, severity: FLAG_WORDS[word][0], ply: drawnAt ?? plies, atMs };
    out.push({ type: 'flag', atMs, flag: detail === undefined ? flag : { ...flag, detail } });
  };

  const end = (ply: number, reason: 'fivefold' | 'seventy-five', atMs: number): void => {
    drawnAt = ply;
    isPostgameTold = false;
    if (plies > ply) out.push({ type: 'withdrawn', atMs, number: ply + 1 });
    plies = ply;
    out.push({ type: 'result', atMs, result: '1/2-1/2', reason });
    raise('RESULT', 'RESULT(1/2-1/2)', atMs, reason);
    out.push({ type: 'gameEnded', atMs, result: '1/2-1/2' });
  };

  const hear = (outputs: readonly LawsOutput[]): void => {
    for (const output of outputs) {
      if (output.type === 'flag') out.push(output);
      if (output.type !== 'ending' || isEnded || drawnAt !== undefined) continue;
      const { termination, ply } = output.ending;
      if (termination === 'fivefold' || termination === 'seventy-five') end(ply, termination, output.atMs);
    }
  };

  /** What is told of a game that has been drawn by itself: its own plies, and what is about the board. */
  const tellPostgame = (event: GameEvent, drawn: number): void => {
    switch (event.type) {
      case 'ply':
        if (event.number <= drawn && event.amended !== true) out.push(event);
        else if (!isPostgameTold) {
          isPostgameTold = true;
          raise('POSTGAME', 'POSTGAME', event.atMs);
        }
        break;
      case 'result':
        if (event.result !== '1/2-1/2')
          raise('RESULT_CONFLICT', 'RESULT_CONFLICT', event.atMs, `board ${event.result}, drawn by itself`);
        break;
      case 'flag':
        if (OF_THE_BOARD.includes(event.flag.code)) out.push(event);
        break;
      case 'withdrawn':
      case 'gameEnded':
        break;
      default:
        out.push(event);
    }
  };

  const conclude = (events: readonly GameEvent[]): void => {
    for (const event of events) {
      if (event.type === 'gameStarted') {
        plies = 0;
        isEnded = false;
        drawnAt = undefined;
      }
      if (drawnAt !== undefined) tellPostgame(event, drawnAt);
      else {
        if (event.type === 'ply') plies = Math.max(plies, event.number);
        if (event.type === 'withdrawn') plies = Math.min(plies, event.number - 1);
        if (event.type === 'result' || event.type === 'gameEnded') isEnded = true;
        out.push(event);
      }
      hear(watch.feed(event));
    }
  };
  /** All ticks of both up to a time, in their order. */
  const advance = (atMs: number): void => {
    for (;;) {
      const gamesAtMs = games.wakeAtMs ?? Number.POSITIVE_INFINITY;
      const watchAtMs = watch.wakeAtMs ?? Number.POSITIVE_INFINITY;
      const due = Math.min(gamesAtMs, watchAtMs);
      if (due > atMs || due === Number.POSITIVE_INFINITY) return;
      if (gamesAtMs <= watchAtMs) conclude(games.advance(due));
      else hear(watch.advance(due));
    }
  };

  return {
    step(event: SensorEvent | Tick): Step<GameEvent> {
      out = [];
      advance(event.atMs);
      if (event.type !== 'tick') {
        hear(watch.feed({ type: 'seen', atMs: event.atMs, event }));
        conclude(games.feed(event));
      }
      const wakeAtMs = Math.min(
        games.wakeAtMs ?? Number.POSITIVE_INFINITY,
        watch.wakeAtMs ?? Number.POSITIVE_INFINITY,
      );
      return wakeAtMs === Number.POSITIVE_INFINITY ? { outputs: out } : { outputs: out, wakeAtMs };
    },
  };
}
