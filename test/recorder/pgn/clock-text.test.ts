import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeClock, parseClock } from '../../../recorder/pgn/clock-text.ts';

describe('clock text', () => {
  it.each([
    ['0:09:59.45', 599_450],
    ['1:30', 5_400_000],
    ['0:00:58.6', 58_600],
    ['00:01:00', 60_000],
    ['10:00:00', 36_000_000],
    ['0:00:00', 0],
    ['0:13.44', 13_440],
    [' 1:05:09 ', 3_909_000],
    ['0:00:01,5', 1_500],
  ])('reads %s as %d ms', (text, ms) => {
    expect(parseClock(text)).toBe(ms);
  });

  it.each(['', '90', '1:60:00', '0:00:61', '-0:01:00', '1:2:3:4', '0:00:00.', 'x'])(
    'refuses "%s"',
    (text) => {
      expect(parseClock(text)).toBeUndefined();
    },
  );

  it.each([
    [900, '0:00:00', '0:00:00.9'],
    [36_000_000, '10:00:00', '10:00:00.0'],
    [5_463_999, '1:31:03', '1:31:03.9'],
    [-5, '0:00:00', '0:00:00.0'],
    [Number.NaN, '0:00:00', '0:00:00.0'],
  ])('writes %d ms without and with tenths', (ms, plain, tenths) => {
    expect(makeClock(ms)).toBe(plain);
    expect(makeClock(ms, true)).toBe(tenths);
  });

  it('reads back what it writes, to the last digit shown', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 360_000_000 }), (ms) => {
        expect(parseClock(makeClock(ms))).toBe(ms - (ms % 1000));
        expect(parseClock(makeClock(ms, true))).toBe(ms - (ms % 100));
      }),
    );
  });
});
