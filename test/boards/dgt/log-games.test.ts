import { describe, expect, test } from 'vitest';
import { dgt } from '../../../boards/dgt/definition.ts';
import { createDgtSimulator } from '../../../boards/dgt/simulator.ts';
import type { DgtFaults } from '../../../boards/dgt/simulator-options.ts';
import { FAMOUS_GAMES } from '../../../recorder/demo/games.ts';
import { type Gap, playCalmly, playThrough, ucisOf } from '../play-through.ts';

const played = FAMOUS_GAMES.map(({ moves }, i) =>
  playCalmly({ moves: moves.split(' ').slice(0, 50) }, i + 1, 'blitz'),
);

const wordsOf = (flags: readonly { readonly code: string }[] = []): string[] =>
  flags.map(({ code }) => code.replace(/\(.*/, ''));

/** Two gaps, the second one longer. */
const gapsOf = (game: number): Gap[] => {
  const lastMs = played[game]!.plies.at(-1)!.releasedAtMs;
  return [
    { fromMs: lastMs * 0.15, toMs: lastMs * 0.35 },
    { fromMs: lastMs * 0.5, toMs: lastMs * 0.8 },
  ];
};

const play = (game: number, faults: DgtFaults = {}, rotated = false) => {
  const options = { baudRate: 9600, rotated, faults };
  const table = { played: played[game]! };
  return playThrough(dgt, createDgtSimulator(options), [table], gapsOf(game)).records[0]!;
};

describe('a game in which the link is lost twice for long', () => {
  test.each(FAMOUS_GAMES.map(({ name }, i) => [name, i] as const))(
    'comes out exactly as it was played from the log of the board: %s',
    (_, game) => {
      const record = play(game, {}, game % 2 === 1);
      expect(ucisOf(record.plies)).toEqual(ucisOf(played[game]!.plies));
      const words = wordsOf(record.flags);
      expect(words.filter((word) => word === 'RECALLED').length).toBe(2);
      // Nothing is said against players or clock because of what could not be seen.
      for (const word of ['AMBIGUOUS', 'CLOCK_JUMP', 'CLOCK_LOST', 'DOUBLE_PRESS', 'CLOCK_NOT_PRESSED'])
        expect(words).not.toContain(word);
      for (const ply of record.plies) expect(ply.candidates).toBeUndefined();
    },
    60_000,
  );

  test.each([0, 3, 5])('says what it does not know where the board gives no log (%i)', (game) => {
    const record = play(game, { ignores: ['SEND_EE_MOVES'] });
    const words = wordsOf(record.flags);
    expect(words).not.toContain('RECALLED');
    const truth = ucisOf(played[game]!.plies);
    const isExact = ucisOf(record.plies).join() === truth.join();
    expect(isExact && !words.includes('MISSED_PLIES')).toBe(false);
    for (const word of ['LINK_LOST']) expect(words).toContain(word);
    expect(words.some((word) => ['MISSED_PLIES', 'AMBIGUOUS', 'DISPLACED'].includes(word))).toBe(true);
  });

  test('is not filled in from a log in which the board was without power', () => {
    const { fromMs, toMs } = gapsOf(2)[0]!;
    const record = play(2, { powerCycleAtMs: 20_000 + (fromMs + toMs) / 2 });
    const words = wordsOf(record.flags);
    expect(words.filter((word) => word === 'RECALLED').length).toBeLessThan(2);
    expect(words.some((word) => ['MISSED_PLIES', 'AMBIGUOUS', 'DISPLACED'].includes(word))).toBe(true);
  });
});
