import type { GameEvent } from '../game-event.ts';
import { type Machine, MachineDriver, type Step, type Tick } from '../machine.ts';
import type { SensorEvent } from '../sensor-event.ts';
import type { LawsEvent, LawsOutput } from './laws.ts';

/**
 * Joins a reconstructor and the Laws to one machine: what the Laws flag becomes game events, after those of which they are
 * about. Each of the two sees its own ticks only, so that a reconstructor says the same with and without the Laws.
 */
export function withLaws(
  reconstructor: Machine<SensorEvent, GameEvent>,
  laws: Machine<LawsEvent, LawsOutput>,
): Machine<SensorEvent, GameEvent> {
  const games = new MachineDriver(reconstructor);
  const watch = new MachineDriver(laws);
  let out: GameEvent[] = [];

  const hear = (outputs: readonly LawsOutput[]): void => {
    for (const output of outputs) if (output.type === 'flag') out.push(output);
  };
  const conclude = (events: readonly GameEvent[]): void => {
    for (const event of events) {
      out.push(event);
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
