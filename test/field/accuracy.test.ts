import { describe, expect, test } from 'vitest';
import { createRecorder, parseCells, seedOf, senseGame } from '../bench/cells.ts';
import { hasFieldGames, readFieldGames } from '../bench/field-games.ts';
import { derive, type GameScore, scoreGame } from '../bench/score.ts';

/** Games of the accuracy bench (`npm run bench:accuracy -- --cell CELL --game N --show 1`) that were misread once. */
const ONCE_MISREAD: readonly (readonly [string, readonly number[]])[] = [
  ['identity/bullet/real', [156, 257, 314, 321, 331, 375]],
  ['identity/blitz/real', [345, 380]],
  ['identity/rapid/real', [208, 350]],
  ['identity/club/real', [51, 136, 235, 276, 277, 314, 367]],
  ['identity/children/real', [189, 273, 323, 351]],
  ['identity/bullet/harsh', [157, 256]],
  ['identity/blitz/harsh', [74]],
  ['identity/rapid/none', [276]],
  ['occupancy/blitz/real', [86]],
  ['occupancy/rapid/real', [43, 56, 92, 136, 137]],
  ['occupancy/club/real', [39, 58, 79, 92, 99, 156, 164, 178]],
  ['occupancy/children/real', [22, 61, 112]],
];
const PER_CELL = 12;

describe.skipIf(!hasFieldGames())('games played by simulated people', () => {
  const games = readFieldGames(
    ONCE_MISREAD.reduce((most, [, list]) => Math.max(most, ...list), PER_CELL) + 1,
  );
  const scoreOf = (name: string, index: number): GameScore => {
    const [cell] = parseCells(name);
    const { played, scan } = senseGame(cell!, games[index]!, seedOf(cell!, index));
    return scoreGame(played, scan.faults, derive(createRecorder('jadoube', cell!, played), scan.events));
  };

  test.each(ONCE_MISREAD.flatMap(([cell, list]) => list.map((index) => [cell, index] as const)))(
    '%s game %i comes out as it was played',
    (cell, index) => {
      const { isExact, wrongConfirmed } = scoreOf(cell, index);
      expect({ isExact, wrongConfirmed }).toEqual({ isExact: true, wrongConfirmed: 0 });
    },
  );

  test.each(['identity/*/none', 'identity/*/real'])(
    '%s: the first games have no wrong confirmed ply',
    (pattern) => {
      const wrong: string[] = [];
      for (const { sensing, profile, noise } of parseCells(pattern)) {
        const name = `${sensing}/${profile}/${noise}`;
        for (let index = 0; index < PER_CELL; index++)
          if (scoreOf(name, index).wrongConfirmed > 0) wrong.push(`${name} ${index}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});
