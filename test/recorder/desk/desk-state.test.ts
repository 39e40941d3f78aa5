import { describe, expect, it } from 'vitest';
import type { LiveChanges, LiveSnapshot } from '../../../recorder/desk/model/desk-api.ts';
import {
  attentionItems,
  boardsToShow,
  clockNow,
  type DeskState,
  EMPTY_DESK,
  orderKey,
  reduceDesk,
  serverNow,
  summaryOf,
} from '../../../recorder/desk/model/desk-state.ts';
import type { Attention, HallRow } from '../../../recorder/desk/model/hall-row.ts';

const row = (board: string, more: Partial<HallRow> = {}): HallRow => ({
  board,
  kind: 'dgt',
  link: 'up',
  linkSinceMs: 0,
  state: 'playing',
  attention: [],
  ...more,
});
const attention = (key: string, more: Partial<Attention> = {}): Attention => ({
  key,
  code: 'CLOCK_LOST',
  severity: 'warning',
  ply: 1,
  sinceMs: 0,
  article: '',
  resolutions: [],
  ...more,
});
const snapshot = (rows: readonly HallRow[], seq = 5): LiveSnapshot => ({
  seq,
  boot: 'b',
  nowMs: 10_000,
  speed: 2,
  rows,
  notices: [],
});
const begin = (...rows: HallRow[]): DeskState =>
  reduceDesk(EMPTY_DESK, { type: 'snapshot', data: snapshot(rows), atMs: 100 });
const change = (state: DeskState, data: Partial<LiveChanges> & { seq: number }): DeskState =>
  reduceDesk(state, { type: 'changes', data: { nowMs: 11_000, ...data }, atMs: 600 });

describe('the state of the page', () => {
  it('follows changes one by one', () => {
    const state = change(begin(row('a'), row('b')), {
      seq: 6,
      rows: [
        { board: 'b', set: { state: 'doubt' } },
        { board: 'c', set: row('c') },
      ],
    });
    expect([...state.rows.values()].map(({ board, state }) => `${board} ${state}`)).toEqual([
      'a playing',
      'b doubt',
      'c playing',
    ]);
    expect(state.isBehind).toBe(false);
  });

  it('knows when a message is missing, and is whole again after everything has come anew', () => {
    const behind = change(begin(row('a')), { seq: 8, rows: [] });
    expect(behind.isBehind).toBe(true);
    const data = snapshot([row('a', { plies: 9 })], 8);
    expect(reduceDesk(behind, { type: 'snapshot', data, atMs: 1 })).toMatchObject({
      isBehind: false,
      seq: 8,
    });
    const beat = reduceDesk(begin(row('a')), { type: 'beat', data: { seq: 9, nowMs: 1 }, atMs: 1 });
    expect(beat.isBehind).toBe(true);
  });

  it('takes nothing that is older than what it has', () => {
    const state = begin(row('a'));
    expect(change(state, { seq: 5, rows: [{ board: 'a', set: { state: 'ended' } }] })).toBe(state);
  });

  it('keeps what has not changed as the same thing', () => {
    const state = begin(row('a'), row('b'));
    const again = reduceDesk(state, {
      type: 'snapshot',
      data: snapshot([row('a'), row('b', { plies: 3 })], 9),
      atMs: 1,
    });
    expect(again.rows.get('a')).toBe(state.rows.get('a'));
    expect(again.rows.get('b')).not.toBe(state.rows.get('b'));
  });

  it('keeps what was shown when the connection is lost', () => {
    const lost = reduceDesk(begin(row('a')), { type: 'lost' });
    expect([lost.connection, lost.rows.size]).toEqual(['lost', 1]);
  });
});

describe('what is reckoned', () => {
  it('counts clocks on at the speed of the recorder, never below zero, and not while the link is lost', () => {
    const running = row('a', { whiteMs: 5000, blackMs: 7000, running: 'white', clockAtMs: 10_000 });
    const state = begin(running);
    expect(serverNow(state, 1100)).toBe(12_000);
    expect(clockNow(running, 'white', serverNow(state, 1100))).toBe(3000);
    expect(clockNow(running, 'black', serverNow(state, 1100))).toBe(7000);
    expect(clockNow(running, 'white', 99_000)).toBe(0);
    expect(clockNow({ ...running, link: 'lost' }, 'white', 12_000)).toBe(5000);
    expect(clockNow(row('a'), 'white', 1)).toBeUndefined();
  });

  it('lists what needs attention in the whole hall', () => {
    const state = begin(
      row('a', { attention: [attention('1', { sinceMs: 9 })] }),
      row('b', {
        attention: [attention('2', { severity: 'alarm', sinceMs: 20 }), attention('3', { sinceMs: 3 })],
      }),
    );
    expect(attentionItems(state).map(({ key, board }) => `${key}${board}`)).toEqual(['2b', '3b', '1a']);
    expect(summaryOf(state)).toEqual({ boards: 2, playing: 2, ended: 0, away: 0, attention: 3 });
  });

  it('keeps the list that it told before while it says the same, and makes another when anything in it is another', () => {
    const state = begin(row('a', { attention: [attention('1')] }), row('b'));
    const items = attentionItems(state);
    const moved = change(state, { seq: 6, rows: [{ board: 'a', set: { plies: 7, lastSan: 'e4' } }] });
    expect(attentionItems(moved, items)).toBe(items);
    const renamed = change(moved, { seq: 7, rows: [{ board: 'a', set: { white: 'Anna' } }] });
    expect(attentionItems(renamed, items)).toMatchObject([{ key: '1', white: 'Anna' }]);
    const other = change(renamed, { seq: 8, rows: [{ board: 'b', set: { attention: [attention('2')] } }] });
    expect(attentionItems(other, items).map(({ key }) => key)).toEqual(['1', '2']);
    const settled = change(other, { seq: 9, rows: [{ board: 'a', set: { attention: [] } }] });
    expect(attentionItems(settled, attentionItems(other)).map(({ key }) => key)).toEqual(['2']);
  });

  it('tells by a key whether the order of boards may be another', () => {
    const state = begin(row('a'), row('b', { attention: [attention('1')] }));
    const moved = change(state, { seq: 6, rows: [{ board: 'a', set: { plies: 7 } }] });
    expect(orderKey(moved, 'attention')).toBe(orderKey(state, 'attention'));
    const named = change(moved, { seq: 7, rows: [{ board: 'a', set: { table: '3' } }] });
    expect(orderKey(named, 'table')).not.toBe(orderKey(moved, 'table'));
    const needy = change(named, { seq: 8, rows: [{ board: 'a', set: { attention: [attention('2')] } }] });
    expect(orderKey(needy, 'attention')).not.toBe(orderKey(named, 'attention'));
    expect(orderKey(needy, 'table')).toBe(orderKey(named, 'table'));
  });

  it('puts boards in order by table or by need, and finds them by name', () => {
    const state = begin(
      row('x', { table: '10', white: 'Анна' }),
      row('y', { table: '9', attention: [attention('1')] }),
      row('z', { table: '2', black: 'Boris' }),
    );
    const tables = (text: string, order: 'table' | 'attention') =>
      boardsToShow(state, text, order).map(({ table }) => table);
    expect(tables('', 'table')).toEqual(['2', '9', '10']);
    expect(tables('', 'attention')).toEqual(['9', '2', '10']);
    expect(tables('анна', 'table')).toEqual(['10']);
    expect(tables('nobody', 'table')).toEqual([]);
  });
});
