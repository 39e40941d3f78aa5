import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayBeFull, mustWrite, penaltyTimeMs, rateOf, rateOfGame } from '../../../core/laws/rate-of-play.ts';
import {
  makePgnTimeControl,
  makeTimeControl,
  parseTimeControl,
  periodAt,
  type TimeControl,
  timeForMoves,
} from '../../../core/laws/time-control.ts';

function control(text: string): TimeControl {
  const parsed = parseTimeControl(text);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return parsed.value;
}

const S = 1000;
const MIN = 60 * S;

describe('TimeControl', () => {
  it.each<[string, unknown]>([
    ['?', { type: 'unknown' }],
    ['-', { type: 'none' }],
    ['*180', { type: 'sandclock', baseMs: 180 * S }],
    [
      '300',
      { type: 'periods', periods: [{ moves: undefined, baseMs: 300 * S, bonusMs: 0, mode: 'increment' }] },
    ],
    [
      '5400+30',
      {
        type: 'periods',
        periods: [{ moves: undefined, baseMs: 5400 * S, bonusMs: 30 * S, mode: 'increment' }],
      },
    ],
    [
      '40/7200:20/3600:900+30',
      {
        type: 'periods',
        periods: [
          { moves: 40, baseMs: 7200 * S, bonusMs: 0, mode: 'increment' },
          { moves: 20, baseMs: 3600 * S, bonusMs: 0, mode: 'increment' },
          { moves: undefined, baseMs: 900 * S, bonusMs: 30 * S, mode: 'increment' },
        ],
      },
    ],
    [
      '2700d5',
      { type: 'periods', periods: [{ moves: undefined, baseMs: 2700 * S, bonusMs: 5 * S, mode: 'delay' }] },
    ],
    ['2700b5', { periods: [{ mode: 'bronstein' }] }],
  ])('reads %s, and writes it again', (text, expected) => {
    expect(control(text)).toMatchObject(expected as object);
    expect(makeTimeControl(control(text))).toBe(text);
  });

  it.each([
    '5+',
    '+5',
    '40/',
    '/300',
    '0/300',
    '0',
    '40/0',
    '300:300',
    '40/7200:',
    '1h',
    '90 min',
    '*0',
    '*',
    '-5',
    '3e2',
    '40/5400 + 30',
    '99999999',
  ])('does not make up a meaning for %j', (text) => {
    expect(parseTimeControl(text)).toMatchObject({ ok: false, fault: { code: 'TIME_CONTROL_SYNTAX' } });
  });

  it('says nothing false of a delay in PGN, which has no form for it (E160)', () => {
    expect(makePgnTimeControl(control('2700d5'))).toBe('2700');
    expect(makePgnTimeControl(control('40/5400b10:900b10'))).toBe('40/5400:900');
    expect(makePgnTimeControl(control('5400+30'))).toBe('5400+30');
  });

  it('reads whatever it writes', () => {
    const period = fc.record({
      baseMs: fc.integer({ min: 1, max: 9_999_999 }).map((s) => s * S),
      bonusMs: fc.integer({ min: 0, max: 99_999 }).map((s) => s * S),
      moves: fc.integer({ min: 1, max: 999 }),
      mode: fc.constantFrom('increment', 'delay', 'bronstein'),
    });
    fc.assert(
      fc.property(fc.array(period, { minLength: 1, maxLength: 4 }), fc.boolean(), (list, openEnd) => {
        const periods = list.map((p, i) => ({
          ...p,
          mode: p.bonusMs === 0 ? ('increment' as const) : p.mode,
          moves: openEnd && i === list.length - 1 ? undefined : p.moves,
        }));
        const written = makeTimeControl({ type: 'periods', periods });
        expect(control(written)).toEqual({ type: 'periods', periods });
      }),
    );
  });

  it('knows the period of a move', () => {
    const three = control('40/5400+30:20/3000+30:900+30');
    expect(periodAt(three, 0)).toMatchObject({ index: 0, movesLeft: 40 });
    expect(periodAt(three, 39)).toMatchObject({ index: 0, movesLeft: 1 });
    expect(periodAt(three, 40)).toMatchObject({ index: 1, movesLeft: 20 });
    expect(periodAt(three, 60)).toMatchObject({ index: 2, movesLeft: undefined });
    expect(periodAt(control('40/7200'), 85)).toMatchObject({ index: 2, movesLeft: 35 });
    expect(periodAt(control('?'), 0)).toBeUndefined();
  });

  it('adds up what so many moves get', () => {
    expect(timeForMoves(control('40/5400+30:1800+30'), 60)).toBe(150 * MIN);
    expect(timeForMoves(control('40/5400:1800'), 40)).toBe(90 * MIN);
    expect(timeForMoves(control('40/7200'), 60)).toBe(240 * MIN);
    expect(timeForMoves(control('-'), 60)).toBeUndefined();
  });
});

describe('the rate of play', () => {
  it.each([
    // A.1, B.1: base + 60 x increment.
    ['A.1: 10+5 is rapid', '600+5', 'rapid'],
    ['B.1: 3+2 is blitz', '180+2', 'blitz'],
    ['B.1: exactly ten minutes is blitz', '600', 'blitz'],
    ['B.1: five minutes and five seconds a move is ten minutes', '300+5', 'blitz'],
    ['A.1: one second more than ten minutes is rapid', '601', 'rapid'],
    ['A.1: one second less than an hour is rapid', '3599', 'rapid'],
    ['A.1: an hour is standard', '3600', 'standard'],
    ['A.1: 30 minutes and 30 seconds a move is standard', '1800+30', 'standard'],
    ['A.1: several periods count for 60 moves', '40/3000:600', 'standard'],
    ['A.1: a second period that begins after move 60 does not count', '60/3000:3600', 'rapid'],
    ['A.1: a delay counts like an increment', '600d5', 'rapid'],
  ])('%s', (_title, text, rate) => {
    expect(rateOf(control(text))).toBe(rate);
  });

  it('A.1: is the slower one where the players have different times', () => {
    expect(rateOfGame({ white: control('300'), black: control('240') })).toBe('blitz');
    expect(rateOfGame({ white: control('300'), black: control('900') })).toBe('rapid');
    expect(rateOfGame({ white: control('?'), black: control('900') })).toBe('rapid');
    expect(rateOfGame({ white: control('?'), black: control('-') })).toBeUndefined();
  });

  it('7.5.5, 9.5.3: two minutes in standard play, one in rapid and blitz', () => {
    expect([penaltyTimeMs('standard'), penaltyTimeMs('rapid'), penaltyTimeMs('blitz')]).toEqual([
      2 * MIN,
      MIN,
      MIN,
    ]);
  });

  it('A.3, B.3: the competition rules apply with enough arbiters and a record of every game', () => {
    expect([mayBeFull('rapid', 3, true), mayBeFull('rapid', 4, true), mayBeFull('rapid', 3, false)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([mayBeFull('blitz', 1, true), mayBeFull('blitz', 2, true)]).toEqual([true, false]);
    expect(mayBeFull('standard', 40, false)).toBe(true);
  });

  it('8.4: a player need not write below five minutes, unless each move gets 30 seconds', () => {
    expect(mustWrite(5 * MIN, 0, 'standard')).toBe(true);
    expect(mustWrite(5 * MIN - 1, 0, 'standard')).toBe(false);
    expect(mustWrite(5 * MIN - 1, 29 * S, 'standard')).toBe(false);
    expect(mustWrite(10 * S, 30 * S, 'standard')).toBe(true);
    expect(mustWrite(50 * MIN, 30 * S, 'rapid')).toBe(false);
  });
});
