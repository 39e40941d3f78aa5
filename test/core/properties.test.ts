/** What holds for every game, every pair of hands, every board, and for whatever else a board may send. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HandGame, playPeople } from '../../boards/hand/people.ts';
import type { Habits } from '../../boards/hand/profiles.ts';
import { scanGame } from '../../boards/hand/scan.ts';
import type { GameEvent, PlyRecord } from '../../core/game-event.ts';
import { type GameRecord, makeRecords } from '../../core/game-record.ts';
import { MachineDriver } from '../../core/machine.ts';
import { parsePlacement } from '../../core/placement.ts';
import { createReconstructor, type ReconstructorOptions } from '../../core/reconstructor.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { isSamePly, mainRecord } from '../bench/score.ts';
import { anyProfile, randomGames, STARTS } from '../sim/hand/random-game.ts';
import { formFaults } from './event-contract.ts';
import { outputsOf, wordOf } from './table-of-games.ts';

type Sensing = 'identity' | 'occupancy';

/** Nobody signals a result: `reconstruct-ending.test.ts` tries those. */
const NO_SIGNAL: Partial<Habits> = { gesture: 0 };
/** Hands that do one thing after the other: nobody moves before the other has pressed. */
const CALM: Partial<Habits> = { ...NO_SIGNAL, overlap: 0, replyBeforePress: 0 };

interface Sat {
  readonly events: readonly SensorEvent[];
  readonly options: ReconstructorOptions;
  readonly played: {
    readonly plies: readonly { readonly uci: string; readonly san: string; readonly releasedAtMs: number }[];
  };
}

/** A game as people play it and a board sees it. */
function sit(
  game: HandGame,
  seed: number,
  how: {
    readonly profile: Parameters<typeof playPeople>[1]['profile'];
    readonly noise: 'none' | 'real';
    readonly sensing: Sensing;
    readonly habits?: Partial<Habits>;
  },
): Sat {
  const { profile, noise, sensing, habits } = how;
  const played = playPeople(game, {
    seed,
    profile,
    noise,
    afterGame: 'nothing',
    ...(habits === undefined ? {} : { habits }),
  });
  if (!played.ok) throw new Error(played.fault.message);
  const { events } = scanGame(played.value, { seed, noise, sensing, clockEveryMs: 5000 });
  const options: ReconstructorOptions = {
    profile: { sensing, scanMs: sensing === 'identity' ? 250 : 50 },
    start: played.value.start,
    variant: played.value.variant,
  };
  return { events, options, played: played.value };
}

const isCertain = (ply: PlyRecord | undefined): boolean =>
  ply?.state === 'confirmed' || ply?.state === 'settled';

/** Whether a record says that something in it is not known. */
const isDoubtful = (record: GameRecord): boolean =>
  record.plies.some((ply) => !isCertain(ply)) ||
  record.flags.some(
    ({ code, severity }) =>
      severity === 'warning' || severity === 'alarm' || wordOf(code) === 'PROMO_ASSUMED',
  );

const anySensing = () => fc.constantFrom<Sensing>('identity', 'occupancy');

describe('games as people play them', () => {
  it('come out as they were played when hands are calm and sensors tell pieces apart', () => {
    fc.assert(
      fc.property(randomGames(), anyProfile(), fc.nat(), (game, profile, seed) => {
        const { events, options, played } = sit(game, seed, {
          profile,
          noise: 'none',
          sensing: 'identity',
          habits: CALM,
        });
        const record = mainRecord(makeRecords(outputsOf(events, options)))!;
        for (const [i, ply] of record.plies.entries())
          if (isCertain(ply)) expect(ply.uci, `ply ${i + 1}`).toBe(played.plies[i]?.uci);
        if (!isDoubtful(record))
          expect(record.plies.map((p) => p.uci)).toEqual(played.plies.map((p) => p.uci));
      }),
      { numRuns: 30, seed: 1 },
    );
  });

  it('come out as they were played, or with a doubt that is said', () => {
    const noise = fc.constantFrom<'none' | 'real'>('none', 'real');
    fc.assert(
      fc.property(
        randomGames(),
        anyProfile(),
        noise,
        anySensing(),
        fc.nat(),
        (game, profile, level, sensing, seed) => {
          const { events, options, played } = sit(game, seed, {
            profile,
            noise: level,
            sensing,
            habits: NO_SIGNAL,
          });
          const outputs = outputsOf(events, options);
          expect(formFaults(outputs)).toEqual([]);
          const record = mainRecord(makeRecords(outputs))!;
          const right =
            record.plies.length === played.plies.length &&
            record.plies.every((ply, i) => isSamePly(ply, { ...played.plies[i]! }));
          expect(right || isDoubtful(record)).toBe(true);
        },
      ),
      { numRuns: 30, seed: 1 },
    );
  });

  it('come out the same when every change of a square and every picture is told twice', () => {
    fc.assert(
      fc.property(randomGames(), anyProfile(), anySensing(), fc.nat(), (game, profile, sensing, seed) => {
        const { events, options } = sit(game, seed, { profile, noise: 'real', sensing });
        const twice = events.flatMap((e): SensorEvent[] =>
          e.type === 'square' || e.type === 'dump' ? [e, e] : [e],
        );
        expect(makeRecords(outputsOf(twice, options))).toEqual(makeRecords(outputsOf(events, options)));
      }),
      { numRuns: 9, seed: 1 },
    );
  });

  it('come out the same whenever somebody looks at the time', () => {
    fc.assert(
      fc.property(
        randomGames(),
        anyProfile(),
        anySensing(),
        fc.nat(),
        fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 40 }),
        (game, profile, sensing, seed, pauses) => {
          const { events, options } = sit(game, seed, { profile, noise: 'real', sensing });
          const driver = new MachineDriver<SensorEvent, GameEvent>(createReconstructor(options));
          const live: GameEvent[] = [];
          let atMs = 0;
          for (const [i, event] of events.entries()) {
            for (atMs += pauses[i % pauses.length]!; atMs < event.atMs; atMs += pauses[i % pauses.length]!)
              driver.advance(atMs, live);
            atMs = event.atMs;
            driver.feed(event, live);
          }
          driver.advance(Number.POSITIVE_INFINITY, live);
          expect(live).toEqual(outputsOf(events, options));
        },
      ),
      { numRuns: 9, seed: 1 },
    );
  });

  it('are derived again byte for byte', () => {
    fc.assert(
      fc.property(randomGames(), anyProfile(), anySensing(), fc.nat(), (game, profile, sensing, seed) => {
        const { events, options } = sit(game, seed, { profile, noise: 'real', sensing });
        expect(JSON.stringify(outputsOf(events, options))).toBe(JSON.stringify(outputsOf(events, options)));
      }),
      { numRuns: 8, seed: 1 },
    );
  });
});

// ---------------------------------------------------------------- whatever else a board may send

const PICTURES = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR',
  'RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr',
  'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR',
  `${'kkkkkkkk/'.repeat(7)}kkkkkkkk`,
  'PPPPPPPP/8/8/8/8/8/8/pppppppp',
  'rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR',
  '8/8/8/3kK3/8/8/8/8',
  '8/8/8/8/8/8/8/8',
  '????????/????????/8/8/8/8/????????/????????',
].map((text) => parsePlacement(text)!);

const anyCell = () => fc.integer({ min: 0, max: 14 });
const anySquare = () => fc.oneof(fc.nat(63), fc.constantFrom(12, 28, 52, 36, 4, 60, 6, 21));
const anyPicture = () =>
  fc.oneof(
    fc.constantFrom(...PICTURES),
    fc.array(anyCell(), { minLength: 64, maxLength: 64 }).map((cells) => Uint8Array.from(cells)),
  );
const face = () => fc.record({ timeMs: fc.nat(7_200_000), flag: fc.boolean() });
const side = () => fc.constantFrom<'left' | 'right'>('left', 'right');

/** Anything a session could hand on, at any pace. */
const anyEvents = (): fc.Arbitrary<SensorEvent[]> =>
  fc
    .array(
      fc.tuple(
        fc.oneof(fc.constantFrom(0, 0, 10, 120, 250, 600), fc.nat(20_000)),
        fc.oneof(
          {
            weight: 12,
            arbitrary: fc.record({
              type: fc.constant('square' as const),
              square: anySquare(),
              cell: anyCell(),
            }),
          },
          {
            weight: 2,
            arbitrary: fc.record({ type: fc.constant('dump' as const), placement: anyPicture() }),
          },
          {
            weight: 3,
            arbitrary: fc.record({
              type: fc.constant('press' as const),
              side: fc.constantFrom<'white' | 'black'>('white', 'black'),
            }),
          },
          {
            weight: 1,
            arbitrary: fc.record({
              type: fc.constant('link' as const),
              link: fc.constantFrom<'up' | 'lost'>('up', 'lost'),
            }),
          },
          {
            weight: 2,
            arbitrary: fc.record({
              type: fc.constant('clock' as const),
              reading: fc.record({
                left: face(),
                right: face(),
                running: fc.option(side(), { nil: undefined }),
                lever: side(),
                connected: fc.boolean(),
              }),
            }),
          },
        ),
      ),
      { maxLength: 60 },
    )
    .map((steps) => {
      let atMs = 0;
      return steps.map(([pause, event]) => {
        atMs += pause;
        return { ...event, atMs };
      });
    });

const anyOptions = (): fc.Arbitrary<ReconstructorOptions> =>
  fc
    .record({
      sensing: fc.constantFrom<'identity' | 'occupancy' | 'moves'>('identity', 'occupancy', 'moves'),
      scanMs: fc.constantFrom(0, 50, 250, 1000),
      start: fc.constantFrom(...STARTS),
      rotated: fc.boolean(),
    })
    .map(({ sensing, scanMs, start, rotated }) => ({ profile: { sensing, scanMs }, ...start, rotated }));

/** A real game into which anything falls. */
const spoiledGames = (): fc.Arbitrary<{ events: SensorEvent[]; options: ReconstructorOptions }> =>
  fc
    .tuple(randomGames(), anyProfile(), anySensing(), fc.nat(), anyEvents())
    .map(([game, profile, sensing, seed, junk]) => {
      const { events, options } = sit(game, seed, { profile, noise: 'real', sensing });
      const offset = events[Math.floor(events.length / 3)]!.atMs;
      const late = junk.map((event) => ({ ...event, atMs: event.atMs + offset }));
      return { events: [...events, ...late].sort((a, b) => a.atMs - b.atMs), options };
    });

describe('whatever a board may send', () => {
  it('makes nothing throw, and a record that holds together', () => {
    fc.assert(
      fc.property(anyEvents(), anyOptions(), (events, options) => {
        const outputs = outputsOf(events, options);
        expect(formFaults(outputs)).toEqual([]);
        for (const record of makeRecords(outputs)) {
          expect(record.plies.every((ply) => ply !== undefined && ply.uci.length >= 4)).toBe(true);
          expect(record.placement).toHaveLength(64);
        }
        expect(outputsOf(events, options)).toEqual(outputs);
      }),
      { numRuns: 80, seed: 1 },
    );
  });

  it('in the middle of a game makes nothing throw either', () => {
    fc.assert(
      fc.property(spoiledGames(), ({ events, options }) => {
        expect(formFaults(outputsOf(events, options))).toEqual([]);
      }),
      { numRuns: 20, seed: 1 },
    );
  });

  it('is told without end by a machine that asks to be woken', () => {
    fc.assert(
      fc.property(anyEvents(), anyOptions(), (events, options) => {
        const machine = createReconstructor(options);
        let wakeAtMs: number | undefined;
        for (const event of events) {
          wakeAtMs = machine.step(event).wakeAtMs;
          if (wakeAtMs !== undefined) expect(wakeAtMs).toBeGreaterThan(event.atMs);
        }
        let ticks = 0;
        for (; wakeAtMs !== undefined && ticks < 200; ticks++) {
          const atMs: number = wakeAtMs;
          wakeAtMs = machine.step({ type: 'tick', atMs }).wakeAtMs;
          if (wakeAtMs !== undefined) expect(wakeAtMs).toBeGreaterThan(atMs);
        }
        expect(ticks, 'ticks until nothing is waited for').toBeLessThan(200);
      }),
      { numRuns: 80, seed: 1 },
    );
  });

  it('is taken from a start that is no position as from the initial one', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (start) => {
        const [first] = outputsOf([{ type: 'square', atMs: 0, square: 12, cell: 0 }], { start });
        expect(first).toMatchObject({
          type: 'gameStarted',
          start: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
        });
      }),
      { numRuns: 50, seed: 1 },
    );
  });
});
