/** Dead positions as they arise (5.2.2). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEAD_POSITION_BUDGET, isDeadPosition } from '../../../../core/laws/unwinnable/dead-position.ts';
import { askWinnability } from '../../../../core/laws/unwinnable/winnability.ts';
import { SIDES } from '../../../../core/square.ts';
import { anyPosition, at, CLOSED } from './placements.ts';

describe('isDeadPosition', () => {
  it.each<[string, boolean | undefined]>([
    ['8/8/3k4/8/8/3K4/4N3/8 w - -', true],
    ['8/2k5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 b - -', true],
    ['6k1/6P1/6K1/6P1/8/8/8/8 w - -', false],
    ['8/8/3k4/3r4/8/3K4/8/8 w - -', false],
    ['6Rk/8/7K/8/8/8/8/8 b - -', true],
    [`${CLOSED} w - -`, true],
    // Nobody looks: there is too much of everything.
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -', undefined],
    // Exhaustive search takes far more than the event path has.
    ['8/8/3b3p/5p1P/3b1p1K/5Pp1/6P1/5kb1 b - -', undefined],
  ])('of %s says %s', (fen, dead) => {
    expect(isDeadPosition(at(fen))).toBe(dead);
  });

  it('knows a capture in passing that opens all', () => {
    expect(isDeadPosition(at(`${CLOSED} w - d6`), 200_000)).toBe(false);
  });

  it('agrees with what is asked side by side', () => {
    fc.assert(
      fc.property(anyPosition, (position) => {
        const dead = isDeadPosition(position);
        if (dead === undefined) return;
        const sides = SIDES.map((side) => askWinnability(position, side, 20 * DEAD_POSITION_BUDGET).verdict);
        expect(dead ? sides.includes('winnable') : sides.every((verdict) => verdict === 'unwinnable')).toBe(
          false,
        );
      }),
      { numRuns: 60, seed: 11 },
    );
  });
});
