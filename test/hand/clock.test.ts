import { describe, expect, it } from 'vitest';
import { runTableClock } from '../../boards/hand/clock.ts';

const SETTING = { baseMs: 180_000, incrementMs: 2000 };

describe('the clock on the table', () => {
  it('runs for the side to move, adds the increment at the press and counts what was spent', () => {
    const readings = runTableClock(
      [
        { type: 'press', atMs: 1000, side: 'black' },
        { type: 'press', atMs: 6000, side: 'white' },
        { type: 'press', atMs: 9000, side: 'black' },
        { type: 'stop', atMs: 10_000 },
      ],
      SETTING,
      0,
    );
    expect(readings).toEqual([
      { type: 'clock', atMs: 0, whiteMs: 182_000, blackMs: 182_000, running: undefined },
      { type: 'clock', atMs: 1000, whiteMs: 182_000, blackMs: 182_000, running: 'white' },
      { type: 'clock', atMs: 6000, whiteMs: 179_000, blackMs: 182_000, running: 'black' },
      { type: 'clock', atMs: 9000, whiteMs: 179_000, blackMs: 181_000, running: 'white' },
      { type: 'clock', atMs: 10_000, whiteMs: 178_000, blackMs: 181_000, running: undefined },
    ]);
  });

  it('ignores a press by the side whose time does not run', () => {
    const readings = runTableClock(
      [
        { type: 'press', atMs: 1000, side: 'black' },
        { type: 'press', atMs: 2000, side: 'black' },
        { type: 'press', atMs: 3000, side: 'white' },
      ],
      SETTING,
      0,
    );
    expect(readings.map((r) => r.running)).toEqual([undefined, 'white', 'black']);
    expect(readings.at(-1)!.whiteMs).toBe(182_000);
  });

  it('is set with more minutes when the game took longer than it had', () => {
    const readings = runTableClock(
      [
        { type: 'press', atMs: 0, side: 'black' },
        { type: 'press', atMs: 300_000, side: 'white' },
      ],
      SETTING,
      0,
    );
    expect(readings[0]!.whiteMs).toBe(302_000);
    expect(Math.min(...readings.map((r) => r.whiteMs))).toBeGreaterThan(0);
  });
});
