import { describe, expect, it } from 'vitest';
import type { Correction } from '../../../core/correction.ts';
import type { GameEvent, PlyRecord } from '../../../core/game-event.ts';
import { type GameRecord, makeRecords } from '../../../core/game-record.ts';
import type { Ruling } from '../../../core/laws/decision.ts';
import { createLaws } from '../../../core/laws/laws.ts';
import { type TableEvent, withLaws } from '../../../core/laws/with-laws.ts';
import { type Machine, runThrough } from '../../../core/machine.ts';
import { START_FEN } from '../../../core/position.ts';
import type { SensorEvent } from '../../../core/sensor-event.ts';
import { at, writePlies } from './written-game.ts';

const START: GameEvent = {
  type: 'gameStarted',
  atMs: 0,
  game: 1,
  variant: 'standard',
  start: START_FEN,
  orientation: 'normal',
};

const plyEvents = (moves: string, from = 1): GameEvent[] =>
  writePlies(at(START_FEN), moves.split(' ')).map((ply: PlyRecord, i) => ({
    type: 'ply',
    atMs: 0,
    number: from + i,
    ply,
  }));

/** Says what is written at each time, whatever it hears; a correction is answered at its own time. */
const script = (
  said: Readonly<Record<number, readonly GameEvent[]>>,
  heard: TableEvent[] = [],
): Machine<SensorEvent | Correction, GameEvent> => ({
  step(event) {
    if (event.type !== 'tick') heard.push(event);
    const outputs = (said[event.atMs] ?? []).map((e): GameEvent => ({ ...e, atMs: event.atMs }));
    return { outputs };
  },
});

const lift = (atMs: number): SensorEvent => ({ type: 'square', atMs, square: 0, cell: 0 });
const rule = (atMs: number, ruling: Ruling): TableEvent => ({
  type: 'decision',
  atMs,
  by: 'A. Arbiter',
  ruling,
});
const correct = (atMs: number, from: number, ...plies: string[]): Correction => ({
  type: 'correction',
  atMs,
  by: 'O. Operator',
  from,
  plies,
  replaces: plies.length,
});

function play(
  said: Readonly<Record<number, readonly GameEvent[]>>,
  events: readonly TableEvent[],
): GameRecord {
  const machine = withLaws(script(said), createLaws());
  const records = makeRecords(runThrough(machine, events, 100_000));
  expect(records).toHaveLength(1);
  return records[0]!;
}

const sansOf = (record: GameRecord): string => record.plies.map(({ san }) => san).join(' ');
const codesOf = (record: GameRecord): string[] => record.flags.map(({ code }) => code);

describe("an arbiter's result", () => {
  const OPENING = { 1: [START, ...plyEvents('e4 e5 Nf3')] };

  it('ends the game; what is moved after that is post-game', () => {
    const record = play(
      {
        ...OPENING,
        50: plyEvents('e4 e5 Nf3 Nc6').slice(3),
        60: [{ type: 'withdrawn', atMs: 0, number: 2 }],
      },
      [lift(1), rule(40, { type: 'result', score: '1-0', termination: 'resignation' }), lift(50), lift(60)],
    );
    expect(record).toMatchObject({ result: '1-0', reason: 'resignation', ended: true });
    expect(sansOf(record)).toBe('e4 e5 Nf3');
    expect(codesOf(record)).toEqual(expect.arrayContaining(['RESULT(1-0)', 'POSTGAME']));
  });

  it('outweighs what the board has shown, and says that they differ (8.7)', () => {
    const record = play(
      {
        ...OPENING,
        30: [
          { type: 'result', atMs: 0, result: '1-0', reason: 'kings' },
          { type: 'gameEnded', atMs: 0, result: '1-0' },
        ],
      },
      [lift(1), lift(30), rule(40, { type: 'result', score: '0-1', termination: 'agreement' })],
    );
    expect(record).toMatchObject({ result: '0-1', reason: 'agreement', ended: true });
    expect(codesOf(record)).toEqual(expect.arrayContaining(['RESULT_CONFLICT', 'RESULT_CHANGED']));
  });

  it('outweighs what the board shows later', () => {
    const record = play(
      {
        ...OPENING,
        50: [
          { type: 'result', atMs: 0, result: '1/2-1/2', reason: 'kings' },
          { type: 'gameEnded', atMs: 0, result: '1/2-1/2' },
        ],
      },
      [lift(1), rule(40, { type: 'result', score: '1-0', termination: 'arbiter' }), lift(50)],
    );
    expect(record).toMatchObject({ result: '1-0', reason: 'arbiter' });
    expect(codesOf(record)).toContain('RESULT_CONFLICT');
  });

  it.each(['0-0', '1/2-0', '0-1/2'] as const)('may be %s, for which PGN has no token', (score) => {
    const record = play(OPENING, [lift(1), rule(40, { type: 'result', score, termination: 'default' })]);
    expect(record).toMatchObject({ result: '*', score, reason: 'default', ended: true });
  });

  it('may be replaced by another, or by none', () => {
    const first = rule(40, { type: 'result', score: '0-0', termination: 'default' });
    const second = rule(41, { type: 'result', score: '1-0', termination: 'arbiter' });
    const none = rule(42, { type: 'result', score: '*', termination: 'arbiter' });
    expect(play(OPENING, [lift(1), first, second])).toMatchObject({ result: '1-0', score: undefined });
    expect(play(OPENING, [lift(1), first, second, none])).toMatchObject({ result: '*', score: undefined });
  });
});

describe('a flag that is registered', () => {
  const OPENING = { 1: [START, ...plyEvents('e4 e5 Nf3')] };

  it('6.9: ends the game, lost by its owner', () => {
    const record = play(OPENING, [lift(1), rule(40, { type: 'flag-registered', side: 'white' })]);
    expect(record).toMatchObject({ result: '0-1', reason: 'flag-fall', ended: true });
  });

  it('5.1.1: does nothing to a mate that was made before', () => {
    const record = play(
      {
        1: [START, ...plyEvents('f3 e5 g4 Qh4#')],
        30: [
          { type: 'result', atMs: 0, result: '0-1', reason: 'checkmate' },
          { type: 'gameEnded', atMs: 0, result: '0-1' },
        ],
      },
      [lift(1), lift(30), rule(40, { type: 'flag-registered', side: 'black' })],
    );
    expect(record).toMatchObject({ result: '0-1', reason: 'checkmate' });
  });
});

describe('a correction', () => {
  it('goes to the reconstructor as it is', () => {
    const heard: TableEvent[] = [];
    const word = correct(40, 2, 'c7c5');
    const machine = withLaws(script({ 1: [START, ...plyEvents('e4 e5')] }, heard), createLaws());
    for (const _ of runThrough(machine, [lift(1), word], 100));
    expect(heard).toEqual([lift(1), word]);
  });

  it('is told of a game that is over as well, and its result stays', () => {
    const amended: GameEvent[] = plyEvents('d4 d5 c4').map(
      (event) => ({ ...event, amended: true }) as GameEvent,
    );
    const record = play(
      { 1: [START, ...plyEvents('e4 e5 Nf3')], 50: amended, 60: plyEvents('d4 d5 c4 e6').slice(3) },
      [
        lift(1),
        rule(40, { type: 'result', score: '1-0', termination: 'resignation' }),
        correct(50, 1, 'd2d4', 'd7d5', 'c2c4'),
        lift(60),
      ],
    );
    expect(sansOf(record)).toBe('d4 d5 c4');
    expect(record).toMatchObject({ result: '1-0', ended: true });
  });
});
