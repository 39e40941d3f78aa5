/** What both times of a clock tell of presses that nobody heard. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { playPeople } from '../../boards/hand/people.ts';
import { scanGame } from '../../boards/hand/scan.ts';
import type { GameEvent } from '../../core/game-event.ts';
import { makeRecords } from '../../core/game-record.ts';
import { MachineDriver } from '../../core/machine.ts';
import { Position } from '../../core/position.ts';
import { PressCount, type UnheardPresses } from '../../core/reconstruct/press-count.ts';
import { createReconstructor } from '../../core/reconstructor.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { opponent, type Side } from '../../core/square.ts';
import { FAMOUS_GAMES } from '../../recorder/demo/games.ts';

const IDENTITY = { sensing: 'identity', scanMs: 20 } as const;

/** A clock of whole seconds with an increment, read at each press and once more when it is heard again. */
class Readings {
  readonly count = new PressCount();
  readonly #left: Record<Side, number> = { white: 600_000, black: 600_000 };
  readonly #incrementMs: number;
  #running: Side = 'white';
  #nowMs = 0;

  constructor(incrementMs: number) {
    this.#incrementMs = incrementMs;
  }

  /** Somebody presses after so long. */
  press(afterMs: number): void {
    this.pass(afterMs);
    this.#left[this.#running] += this.#incrementMs;
    this.#running = opponent(this.#running);
  }

  pass(ms: number): void {
    this.#nowMs += ms;
    this.#left[this.#running] -= ms;
  }

  /** A clock that stands still while time passes. */
  stand(ms: number): void {
    this.#nowMs += ms;
  }

  read(isPress: boolean): UnheardPresses | undefined {
    const shown = (side: Side): number => Math.ceil(this.#left[side] / 1000) * 1000;
    const clock = { whiteMs: shown('white'), blackMs: shown('black'), running: this.#running };
    return this.count.note(clock, this.#nowMs, isPress);
  }

  hear(presses: readonly number[]): this {
    for (const afterMs of presses) {
      this.press(afterMs);
      this.read(true);
    }
    return this;
  }
}

const times = (least: number, most: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 300, max: 9000 }), { minLength: least, maxLength: most });

describe('presses that nobody heard', () => {
  it('are counted, whatever the increment from two seconds on', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 30 }),
        times(12, 40),
        times(0, 12),
        fc.integer({ min: 0, max: 3000 }),
        (increment, heard, unheard, afterMs) => {
          const readings = new Readings(1000 * increment);
          readings.read(false);
          readings.hear(heard);
          expect(readings.count.counts).toBe(true);
          readings.count.lose();
          for (const ms of unheard) readings.press(ms);
          readings.pass(afterMs);
          const found = readings.read(false);
          // Two seconds, and whose time runs: one number is left.
          expect(found).toEqual({ least: unheard.length, most: unheard.length });
        },
      ),
    );
  });

  it('are not counted by a clock that adds nothing, or not always the same', () => {
    for (const increments of [[0], [0, 5000]]) {
      const count = new PressCount();
      const left: Record<Side, number> = { white: 600_000, black: 600_000 };
      for (let i = 0; i < 30; i++) {
        const side: Side = i % 2 === 0 ? 'white' : 'black';
        left[side] += increments[Math.floor(i / 2) % increments.length]! - 3000;
        count.note(
          { whiteMs: left.white, blackMs: left.black, running: opponent(side) },
          3000 * (i + 1),
          true,
        );
      }
      expect(count.counts).toBe(false);
    }
  });

  it('are not counted before enough was heard, nor once the clock is gone', () => {
    const readings = new Readings(5000);
    readings.read(false);
    readings.hear([2000, 2000, 2000]);
    expect(readings.count.counts).toBe(false);
    readings.hear(Array.from({ length: 10 }, () => 2000));
    expect(readings.count.counts).toBe(true);
    readings.count.reset();
    expect(readings.count.counts).toBe(false);
    expect(readings.read(false)).toBeUndefined();
  });
});

describe('a gap in a game with increments', () => {
  const derive = (events: readonly SensorEvent[]): ReturnType<typeof makeRecords> => {
    const driver = new MachineDriver<SensorEvent, GameEvent>(createReconstructor({ profile: IDENTITY }));
    const outputs: GameEvent[] = [];
    for (const event of events) driver.feed(event, outputs);
    driver.advance(events.at(-1)!.atMs + 120_000, outputs);
    return makeRecords(outputs);
  };

  it('has as many plies as were pressed, or is told to be in doubt', () => {
    let played = 0;
    let right = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const game = FAMOUS_GAMES[seed % FAMOUS_GAMES.length]!;
      const people = playPeople(
        { moves: game.moves.split(' '), result: game.result },
        { seed, profile: 'blitz', noise: 'none', clock: true, afterGame: 'nothing', maxThinkMs: 4000 },
      );
      if (!people.ok) throw new Error(people.fault.message);
      const { plies } = people.value;
      const scan = scanGame(people.value, {
        seed,
        sensing: 'identity',
        noise: 'none',
        scanMs: 20,
        clock: 'readings',
        faults: { linkGaps: 1, linkGapMs: [9000, 14_000] },
      });
      const gap = scan.faults.find(({ type }) => type === 'linkGap');
      if (gap === undefined || plies.filter((ply) => (ply.pressedAtMs ?? Infinity) < gap.atMs).length < 16)
        continue;
      played++;
      const [record] = derive(scan.events);
      if (record!.plies.length === plies.length) right++;
      else
        expect(record!.flags.some(({ severity }) => severity === 'warning' || severity === 'alarm')).toBe(
          true,
        );
    }
    // Not all: the way is not found where it is long, or where the kings are in the air already.
    expect(played).toBeGreaterThan(10);
    expect(right / played).toBeGreaterThan(0.8);
  });

  it('is another gap when the link is lost again before the clock has told anything', () => {
    const game = FAMOUS_GAMES[0]!;
    const people = playPeople(
      { moves: game.moves.split(' '), result: game.result },
      { seed: 1, profile: 'blitz', noise: 'none', clock: true, afterGame: 'nothing', maxThinkMs: 4000 },
    );
    if (!people.ok) throw new Error(people.fault.message);
    const scan = scanGame(people.value, {
      seed: 1,
      sensing: 'identity',
      noise: 'none',
      scanMs: 20,
      clock: 'readings',
    });
    const { plies } = people.value;
    // From after one ply to before the next, twice; the board is seen whole between them.
    const cuts = [20, 22].map(
      (ply) => [plies[ply]!.pressedAtMs! + 50, plies[ply + 1]!.pressedAtMs! + 60] as const,
    );
    const between = cuts[1]![0] - cuts[0]![1];
    expect(between).toBeGreaterThan(0);
    const driver = new MachineDriver<SensorEvent, GameEvent>(createReconstructor({ profile: IDENTITY }));
    const outputs: GameEvent[] = [];
    const cells = Position.initial().cells.slice();
    const tell = (type: 'lost' | 'up', atMs: number): void => {
      driver.feed({ type: 'link', atMs, link: type }, outputs);
      if (type === 'up') driver.feed({ type: 'dump', atMs, placement: cells.slice() }, outputs);
    };
    const [first, second] = cuts;
    let cut = 0;
    for (const event of scan.events) {
      if (cut === 0 && event.atMs >= first![0]) tell('lost', cuts[cut++]![0]);
      // No reading comes between the picture and the second loss.
      if (cut === 1 && event.atMs >= first![1]) {
        tell('up', first![1]);
        tell('lost', first![1] + 1);
        cut++;
      }
      if (cut === 2 && event.atMs >= second![1]) {
        tell('up', second![1]);
        cut++;
      }
      if (event.type === 'square') cells[event.square] = event.cell;
      if (event.type === 'dump') cells.set(event.placement);
      if (cut === 0 || cut === 3) driver.feed(event, outputs);
    }
    driver.advance(scan.events.at(-1)!.atMs + 120_000, outputs);
    const [record] = makeRecords(outputs);
    expect(record!.plies.map(({ san }) => san)).toEqual(plies.map(({ san }) => san));
    const codes = record!.flags.map(({ code }) => code);
    expect(codes.filter((code) => code === 'LINK_LOST')).toHaveLength(2);
    expect(codes.filter((code) => code === 'RESYNC')).toHaveLength(2);
  });
});
