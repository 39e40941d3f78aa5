import { describe, expect, it } from 'vitest';
import { dgt } from '../../boards/dgt/definition.ts';
import type { HandAction } from '../../boards/hand/action.ts';
import { playPeople } from '../../boards/hand/people.ts';
import { createRandom, nextRandom } from '../../boards/hand/random.ts';
import type { GameEvent } from '../../core/game-event.ts';
import { makeRecords } from '../../core/game-record.ts';
import { MachineDriver } from '../../core/machine.ts';
import { Position } from '../../core/position.ts';
import { createReconstructor } from '../../core/reconstructor.ts';
import type { ClockReading, RecalledEvent, SensorEvent } from '../../core/sensor-event.ts';
import { FAMOUS_GAMES } from '../../recorder/demo/games.ts';

/** What a board tells between the start of the recorder, its death, and its return. */
interface Away {
  /** HandAction before which the recorder dies, and how long it is away, ms. */
  readonly at: number;
  readonly awayMs: number;
}

const readingOf = ({ whiteMs, blackMs, running }: Extract<HandAction, { type: 'clock' }>): ClockReading => ({
  left: { timeMs: whiteMs, flag: false },
  right: { timeMs: blackMs, flag: false },
  running: running === undefined ? undefined : running === 'white' ? 'left' : 'right',
  lever: running === 'black' ? 'right' : 'left',
  connected: true,
});

/** Plays while the recorder dies and comes back: it learns of the lost link only when it is back, and the board tells the rest. */
function tell(actions: readonly HandAction[], away: readonly Away[]): SensorEvent[] {
  const cells = Position.initial().cells.slice();
  const told: SensorEvent[] = [
    { type: 'link', atMs: 0, link: 'up' },
    { type: 'dump', atMs: 500, placement: cells.slice() },
  ];
  let remembered: RecalledEvent[] | undefined;
  let backMs = 0;
  let clock: ClockReading | undefined;
  const comeBack = (): void => {
    if (remembered === undefined) return;
    told.push(
      { type: 'link', atMs: backMs - 700, link: 'lost' },
      { type: 'link', atMs: backMs - 100, link: 'up' },
    );
    if (remembered.length > 0) told.push({ type: 'recalled', atMs: backMs, events: remembered });
    told.push({ type: 'dump', atMs: backMs, placement: cells.slice() });
    remembered = undefined;
  };
  for (const [i, action] of actions.entries()) {
    const atMs = action.atMs + 1000;
    if (remembered !== undefined && atMs >= backMs) comeBack();
    const dies = away.find(({ at }) => at === i);
    if (dies !== undefined && remembered === undefined) {
      remembered = [];
      backMs = atMs + dies.awayMs;
    }
    if (action.type === 'square') {
      if (cells[action.square] === action.cell) continue;
      cells[action.square] = action.cell;
      const { square, cell } = action;
      if (remembered !== undefined) remembered.push({ type: 'square', square, cell });
      else told.push({ type: 'square', atMs, square, cell });
    } else if (action.type === 'clock') {
      const reading = readingOf(action);
      if (remembered === undefined) told.push({ type: 'clock', atMs, reading });
      // A board remembers the clock when its lever moves.
      else if (reading.lever !== clock?.lever) remembered.push({ type: 'clock', reading });
      clock = reading;
    }
  }
  backMs = Math.max(backMs, (actions.at(-1)?.atMs ?? 0) + 2000);
  comeBack();
  return told;
}

describe('what a board remembers', () => {
  it.each(Array.from({ length: 24 }, (_, seed) => seed))(
    'is the game that was played while the recorder was away, however it was timed (%i)',
    (seed) => {
      const random = createRandom(seed);
      const game = FAMOUS_GAMES[Math.floor(nextRandom(random) * FAMOUS_GAMES.length)]!;
      const played = playPeople(
        { moves: game.moves.split(' '), result: game.result },
        { seed, profile: 'blitz', noise: 'none', clock: true, afterGame: 'nothing', mishaps: { illegal: 0 } },
      );
      if (!played.ok) throw new Error(played.fault.message);
      const { actions, plies } = played.value;
      const away = [0.1, 0.4, 0.7].map((from) => ({
        at: Math.floor((from + 0.2 * nextRandom(random)) * actions.length),
        awayMs: 11_000 + 30_000 * nextRandom(random),
      }));
      const driver = new MachineDriver(createReconstructor({ profile: dgt.profile }));
      const events: GameEvent[] = tell(actions, away).flatMap((event) => driver.feed(event));
      events.push(...driver.advance(actions.at(-1)!.atMs + 60_000));
      const [record] = makeRecords(events);
      expect(record!.plies.map(({ san }) => san)).toEqual(plies.map(({ san }) => san));
      expect(record!.plies.filter(({ state }) => state === 'ambiguous')).toEqual([]);
      expect(record!.flags.some(({ code }) => code.startsWith('RECALLED'))).toBe(true);
    },
  );
});
