/** People of every rate of play at their boards and clocks: the Laws find nothing that was not there. */
import { describe, expect, it } from 'vitest';
import { playPeople } from '../../../boards/hand/people.ts';
import { PROFILES } from '../../../boards/hand/profiles.ts';
import { scanGame } from '../../../boards/hand/scan.ts';
import type { Flag } from '../../../core/flag.ts';
import type { GameEvent } from '../../../core/game-event.ts';
import { createLaws } from '../../../core/laws/laws.ts';
import { withLaws } from '../../../core/laws/with-laws.ts';
import { runThrough } from '../../../core/machine.ts';
import { createReconstructor, type ReconstructorOptions } from '../../../core/reconstructor.ts';
import type { SensorEvent } from '../../../core/sensor-event.ts';
import { randomGame } from '../../sim/hand/random-game.ts';

const GAMES = 6;

interface Sat {
  readonly events: readonly SensorEvent[];
  readonly options: ReconstructorOptions;
  /** What truly happened, by word and ply. */
  readonly truth: readonly string[];
}

function sit(seed: number, profile: (typeof PROFILES)[number]): Sat {
  const game = randomGame(seed, 50, seed % 2);
  const played = playPeople(game, { seed, profile, noise: 'none', afterGame: 'nothing' });
  if (!played.ok) throw new Error(played.fault.message);
  const { events } = scanGame(played.value, { seed, noise: 'none', sensing: 'identity', clockEveryMs: 1000 });
  return {
    events,
    options: { profile: { sensing: 'identity', scanMs: 250 }, start: played.value.start },
    truth: played.value.flags.map(({ word, ply }) => `${word} ${ply}`),
  };
}

const judged = ({ options }: Sat, events: readonly SensorEvent[]): GameEvent[] => [
  ...runThrough(withLaws(createReconstructor(options), createLaws()), events, Number.POSITIVE_INFINITY),
];

const flagsOf = (sat: Sat, events = sat.events): Flag[] =>
  judged(sat, events).flatMap((e) => (e.type === 'flag' ? [e.flag] : []));

/** What may truly come about in a game of chance, and what only follows from other flags. */
const HARMLESS = /^(THREEFOLD_CLAIMABLE|FIFTY_CLAIMABLE|FIVEFOLD|SEVENTY_FIVE|CLAIM_OVER)/;
const OF_THE_LAWS =
  /^(TIME_ADDED|CLOCK_JUMP|CLOCK_LOST|PERIOD_|FLAG_FALL|DOUBLE_PRESS|WRITING_OVER|TOUCH_MOVE|ROOK_TOUCHED_FIRST|DEAD_POSITION|DRAW_A54|ILLEGAL_STANDS|RESULT_CONFLICT|OFFER_LAPSED|DEFAULT_TIME)/;

describe.each(PROFILES)('%s play with clean hands', (profile) => {
  it('raises no flag of the clock or of touch-move that was not earned', () => {
    for (let seed = 1; seed <= GAMES; seed++) {
      const sat = sit(seed, profile);
      const raised = flagsOf(sat).filter(({ code }) => OF_THE_LAWS.test(code) && !HARMLESS.test(code));
      const unearned = raised.filter(({ code, ply }) => !sat.truth.includes(`${code} ${ply}`));
      expect(unearned, `game ${seed}`).toEqual([]);
    }
  });
});

it('the Laws add flags to what a reconstructor says, and change nothing', () => {
  for (const profile of PROFILES) {
    const sat = sit(5, profile);
    const plain = [...runThrough(createReconstructor(sat.options), sat.events, Number.POSITIVE_INFINITY)];
    const told = new Set(plain.map((event) => JSON.stringify(event)));
    const both = judged(sat, sat.events);
    const added = both.filter((event) => !told.has(JSON.stringify(event)));
    expect(added.every(({ type }) => type === 'flag')).toBe(true);
    expect(both.filter((event) => !added.includes(event))).toEqual(plain);
  }
});

describe('what is done to the clock in the middle of a game', () => {
  /** The readings of a face from a moment on, changed. */
  const changed = (sat: Sat, fromMs: number, change: (timeMs: number) => number): readonly SensorEvent[] =>
    sat.events.map((event) =>
      event.type !== 'clock' || event.atMs < fromMs
        ? event
        : {
            ...event,
            reading: {
              ...event.reading,
              right: { ...event.reading.right, timeMs: change(event.reading.right.timeMs) },
            },
          },
    );

  it.each(PROFILES)('finds two minutes that were given, at the right moment (%s)', (profile) => {
    let tried = 0;
    for (let seed = 1; seed <= GAMES; seed++) {
      const sat = sit(seed, profile);
      const clocks = sat.events.filter((e) => e.type === 'clock');
      // In the middle, while the other side's time runs: nothing else changes it then.
      const middle = clocks.slice(Math.floor(clocks.length / 2));
      const at = middle.find(
        (e, i) => i > 0 && e.reading.running === 'left' && middle[i - 1]!.reading.running === 'left',
      );
      if (at === undefined) continue;
      tried++;
      const added = flagsOf(
        sat,
        changed(sat, at.atMs, (timeMs) => timeMs + 120_000),
      ).filter(({ code }) => code.startsWith('TIME_ADDED'));
      expect(
        added.map(({ code, atMs }) => `${code} ${atMs}`),
        `game ${seed}`,
      ).toEqual([`TIME_ADDED(black,120) ${at.atMs}`]);
    }
    expect(tried).toBeGreaterThanOrEqual(GAMES / 2);
  });

  it('finds time that was taken away', () => {
    const sat = sit(3, 'classical');
    const clocks = sat.events.filter((e) => e.type === 'clock');
    const middle = clocks[Math.floor(clocks.length / 2)]!;
    const taken = flagsOf(
      sat,
      changed(sat, middle.atMs, (timeMs) => Math.max(1000, timeMs - 60_000)),
    );
    expect(taken.filter(({ code }) => code === 'CLOCK_JUMP')).toMatchObject([{ atMs: middle.atMs }]);
  });
});
