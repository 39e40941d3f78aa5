import { describe, expect, it } from 'vitest';
import type { GameEvent, PlyRecord } from '../../core/game-event.ts';
import { applyGameEvent, createGameRecord, makeRecords } from '../../core/game-record.ts';
import { emptyPlacement, makePlacement, parsePlacement } from '../../core/placement.ts';
import { START_FEN } from '../../core/position.ts';

const started = (game: number, atMs = 0): Extract<GameEvent, { type: 'gameStarted' }> => ({
  type: 'gameStarted',
  atMs,
  game,
  variant: 'standard',
  start: START_FEN,
  orientation: 'normal',
});
const ply = (san: string, state: PlyRecord['state'] = 'confirmed'): PlyRecord => ({
  san,
  uci: 'e2e4',
  state,
  madeAtMs: 1,
});
const played = (number: number, san: string, state?: PlyRecord['state']): GameEvent => ({
  type: 'ply',
  atMs: 1,
  number,
  ply: ply(san, state),
});
const sansOf = (events: readonly GameEvent[]): string[][] =>
  makeRecords(events).map((record) => record.plies.map((p) => p.san));

describe('the record of a game', () => {
  it('begins with nothing played and nothing known', () => {
    const record = createGameRecord(started(3, 77));
    expect(record).toMatchObject({
      game: 3,
      startedAtMs: 77,
      start: START_FEN,
      variant: 'standard',
      plies: [],
      flags: [],
      result: '*',
      reason: undefined,
      ended: false,
      orientation: 'normal',
      inSync: true,
      whiteMs: undefined,
      blackMs: undefined,
    });
    expect(record.placement).toEqual(emptyPlacement());
  });

  it('takes plies in order, and a ply told again in its place', () => {
    expect(sansOf([started(1), played(1, 'e4', 'provisional'), played(1, 'e4'), played(2, 'e5')])).toEqual([
      ['e4', 'e5'],
    ]);
    expect(sansOf([started(1), played(1, 'e3', 'provisional'), played(1, 'e4')])).toEqual([['e4']]);
    expect(sansOf([started(1), played(1, 'e4'), played(2, 'e5'), played(1, 'd4')])).toEqual([['d4', 'e5']]);
  });

  it('loses the plies that are withdrawn, and none when the number lies behind its end', () => {
    const withdrawn = (number: number): GameEvent => ({ type: 'withdrawn', atMs: 2, number });
    const three = [started(1), played(1, 'e4'), played(2, 'e5'), played(3, 'Nf3')];
    expect(sansOf([...three, withdrawn(2)])).toEqual([['e4']]);
    expect(sansOf([...three, withdrawn(1)])).toEqual([[]]);
    expect(sansOf([...three, withdrawn(4)])).toEqual([['e4', 'e5', 'Nf3']]);
    expect(sansOf([...three, withdrawn(9)])).toEqual([['e4', 'e5', 'Nf3']]);
    expect(sansOf([...three, withdrawn(3), played(3, 'Bc4')])).toEqual([['e4', 'e5', 'Bc4']]);
  });

  it('keeps every flag, also of plies that are gone', () => {
    const flag: GameEvent = {
      type: 'flag',
      atMs: 3,
      flag: { code: 'TOUCH', severity: 'info', ply: 1, atMs: 3 },
    };
    const [record] = makeRecords([
      started(1),
      played(1, 'e4'),
      flag,
      { type: 'withdrawn', atMs: 4, number: 1 },
      flag,
    ]);
    expect(record?.flags.map((f) => f.code)).toEqual(['TOUCH', 'TOUCH']);
  });

  it('holds the last result, the last picture of the board and the last times', () => {
    const record = createGameRecord(started(1));
    const placement = parsePlacement('8/8/8/8/8/8/8/K6k')!;
    for (const event of [
      { type: 'result', atMs: 5, result: '0-1', reason: 'kings' },
      { type: 'result', atMs: 6, result: '1-0', reason: 'kings' },
      { type: 'gameEnded', atMs: 6, result: '1-0' },
      { type: 'board', atMs: 7, placement, inSync: false },
      { type: 'orientation', atMs: 8, orientation: 'rotated' },
      { type: 'clock', atMs: 9, whiteMs: 5000, blackMs: 7000, running: undefined },
    ] satisfies GameEvent[])
      applyGameEvent(record, event);
    expect(record).toMatchObject({
      result: '1-0',
      reason: 'kings',
      ended: true,
      inSync: false,
      orientation: 'rotated',
      whiteMs: 5000,
      blackMs: 7000,
    });
    expect(makePlacement(record.placement)).toBe('8/8/8/8/8/8/8/K6k');
  });

  it('goes to the game that began last, and before the first to none', () => {
    expect(sansOf([played(1, 'a3'), started(1), played(1, 'e4'), started(2), played(1, 'd4')])).toEqual([
      ['e4'],
      ['d4'],
    ]);
    expect(makeRecords([])).toEqual([]);
  });
});
