import { describe, expect, it } from 'vitest';
import { makePlacement, parsePlacement } from '../../core/placement.ts';
import type { ClockFace, ClockReading } from '../../core/sensor-event.ts';
import { parseSquare } from '../../core/square.ts';
import { Table } from '../../core/table.ts';

const reading = (
  left: number,
  right: number,
  running: ClockFace | undefined,
  connected = true,
): { type: 'clock'; atMs: number; reading: ClockReading } => ({
  type: 'clock',
  atMs: 0,
  reading: {
    left: { timeMs: left * 1000, flag: false },
    right: { timeMs: right * 1000, flag: false },
    running,
    lever: running ?? 'left',
    connected,
  },
});

describe('a board on the table', () => {
  it('is taken as it is numbered, or turned by 180 degrees', () => {
    const initial = parsePlacement('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR')!;
    expect(new Table(false).square(parseSquare('e2')!)).toBe(parseSquare('e2'));
    expect(new Table(true).square(parseSquare('e2')!)).toBe(parseSquare('d7'));
    expect(makePlacement(new Table(false).placement(initial))).toBe(makePlacement(initial));
    expect(makePlacement(new Table(true).placement(initial))).toBe(
      'RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr',
    );
  });

  it('gives placements of its own, which may be written to', () => {
    const seen = parsePlacement('8/8/8/8/8/8/8/4K3')!;
    new Table(false).placement(seen)[4] = 0;
    expect(makePlacement(seen)).toBe('8/8/8/8/8/8/8/4K3');
  });

  it('shows the other face of the clock to White when it turns out to be turned', () => {
    const table = new Table(false);
    table.clockEvent(reading(300, 200, 'left'));
    expect(table.clock).toEqual({ whiteMs: 300_000, blackMs: 200_000, running: 'white' });
    table.turn();
    expect(table.orientation).toBe('rotated');
    expect(table.clock).toEqual({ whiteMs: 200_000, blackMs: 300_000, running: 'black' });
    table.turn();
    expect(table.clock).toEqual({ whiteMs: 300_000, blackMs: 200_000, running: 'white' });
  });
});

describe('a clock on the table', () => {
  it('has its left face before White, its right one when the board is known to be turned', () => {
    const table = new Table(true);
    table.clockEvent(reading(300, 200, 'left'));
    expect(table.clock).toEqual({ whiteMs: 200_000, blackMs: 300_000, running: 'black' });
  });

  it('was pressed by the side whose time ran and runs no more, and says what that side has left', () => {
    const table = new Table(false);
    expect(table.clockEvent(reading(300, 300, 'left'))).toBeUndefined();
    expect(table.clockEvent(reading(299, 300, 'left'))).toBeUndefined();
    expect(table.clockEvent(reading(302, 300, 'right'))).toEqual({ side: 'white', clockMs: 302_000 });
    expect(table.clockEvent(reading(302, 298, 'left'))).toEqual({ side: 'black', clockMs: 298_000 });
  });

  it('is not pressed while it is stopped: somebody sets it', () => {
    const table = new Table(false);
    expect(table.clockEvent(reading(300, 300, undefined))).toBeUndefined();
    expect(table.clockSeen).toBe(false);
    expect(table.clockEvent(reading(300, 300, 'left'))).toBeUndefined();
    expect(table.clockSeen).toBe(true);
    expect(table.clockEvent(reading(290, 300, undefined))).toBeUndefined();
    expect(table.clockEvent(reading(290, 300, 'right'))).toBeUndefined();
    expect(table.clock?.running).toBe('black');
  });

  it('that is said not to be connected has no times, and no press when it comes back', () => {
    const table = new Table(false);
    table.clockEvent(reading(300, 300, 'left'));
    expect(table.clockEvent(reading(0, 0, 'right', false))).toBeUndefined();
    expect(table.clock).toBeUndefined();
    expect(table.clockEvent(reading(250, 300, 'right'))).toBeUndefined();
    expect(table.clock).toEqual({ whiteMs: 250_000, blackMs: 300_000, running: 'black' });
  });

  it('exchanges its faces when White turns out to sit behind the other', () => {
    const table = new Table(false);
    table.clockEvent(reading(300, 200, 'right'));
    expect(table.clock?.running).toBe('black');
    table.learnFaces();
    expect(table.clock).toEqual({ whiteMs: 200_000, blackMs: 300_000, running: 'white' });
    expect(table.clockEvent(reading(300, 199, 'left'))).toEqual({ side: 'white', clockMs: 199_000 });
  });

  it('may be pressed without ever telling its times', () => {
    const table = new Table(false);
    expect(table.clockEvent({ type: 'press', atMs: 0, side: 'white' })).toEqual({
      side: 'white',
      clockMs: undefined,
    });
    expect(table.clockSeen).toBe(true);
    expect(table.clock).toBeUndefined();
  });

  it('may be pressed by colour and tell its times as well', () => {
    const table = new Table(false);
    table.clockEvent(reading(300, 200, 'left'));
    expect(table.clockEvent({ type: 'press', atMs: 0, side: 'black' })).toEqual({
      side: 'black',
      clockMs: 200_000,
    });
  });
});
