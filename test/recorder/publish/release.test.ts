import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GameEvent, PlyRecord } from '../../../core/game-event.ts';
import { applyGameEvent, createGameRecord, type GameRecord } from '../../../core/game-record.ts';
import { START_FEN } from '../../../core/position.ts';
import { GameTimesKeeper } from '../../../recorder/game-times.ts';
import { isCertain } from '../../../recorder/pgn/written-plies.ts';
import { NO_DELAY, releaseGame } from '../../../recorder/publish/release.ts';

const START: Extract<GameEvent, { type: 'gameStarted' }> = {
  type: 'gameStarted',
  atMs: 0,
  game: 1,
  variant: 'standard',
  start: START_FEN,
  orientation: 'normal',
};

/** A game as it stands after these events. */
function play(events: readonly GameEvent[], untilMs = Number.POSITIVE_INFINITY) {
  const record = createGameRecord(START);
  const times = new GameTimesKeeper();
  for (const event of events) {
    if (event.atMs > untilMs) break;
    applyGameEvent(record, event);
    times.take(event);
  }
  return { record, times };
}

const ply = (
  san: string,
  madeAtMs: number,
  state: PlyRecord['state'],
  completedAtMs?: number,
): PlyRecord => ({
  san,
  uci: san,
  state,
  madeAtMs,
  ...(completedAtMs !== undefined && { completedAtMs, clockMs: 1000 * madeAtMs + completedAtMs }),
});
const event = (atMs: number, number: number, record: PlyRecord): GameEvent => ({
  type: 'ply',
  atMs,
  number,
  ply: record,
});
const result = (atMs: number): GameEvent => ({ type: 'result', atMs, result: '1-0', reason: 'resignation' });

const sans = ({ plies }: GameRecord): string[] => plies.map(({ san }) => san);

/** A game of three plies, each certain with its press. */
const GAME = [
  event(10, 1, ply('a', 10, 'provisional')),
  event(12, 1, ply('a', 10, 'confirmed', 12)),
  event(20, 2, ply('b', 20, 'provisional')),
  event(25, 2, ply('b', 20, 'confirmed', 25)),
  event(30, 3, ply('c', 30, 'provisional')),
  event(33, 3, ply('c', 30, 'confirmed', 33)),
];

describe('a release', () => {
  it('without delay is what is certain', () => {
    for (const [untilMs, expected] of [
      [11, []],
      [12, ['a']],
      [24, ['a']],
      [40, ['a', 'b', 'c']],
    ] as const) {
      const { record, times } = play(GAME, untilMs);
      expect(sans(releaseGame(record, times, untilMs, NO_DELAY).record)).toEqual(expected);
    }
  });

  it('comes out after the delay and says when it is to be looked at again', () => {
    const { record, times } = play(GAME);
    const at = (nowMs: number) => releaseGame(record, times, nowMs, { ms: 100, plies: 0 });
    expect([sans(at(111).record), at(111).nextAtMs]).toEqual([[], 112]);
    expect([sans(at(112).record), at(112).nextAtMs]).toEqual([['a'], 125]);
    expect([sans(at(133).record), at(133).nextAtMs]).toEqual([['a', 'b', 'c'], undefined]);
    expect(at(133).clockAtMs).toBe(133);
  });

  it('shows a move before the time of a press that came late', () => {
    const late = [event(10, 1, ply('a', 10, 'confirmed')), event(60, 1, ply('a', 10, 'settled', 60))];
    const { record, times } = play(late);
    const at = (nowMs: number) => releaseGame(record, times, nowMs, { ms: 100, plies: 0 }).record.plies[0];
    expect(at(109)).toBeUndefined();
    expect(at(110)).toMatchObject({ san: 'a' });
    expect(at(159)).not.toHaveProperty('clockMs');
    expect(at(159)).not.toHaveProperty('completedAtMs');
    expect(at(160)).toHaveProperty('clockMs');
  });

  it('holds back the last plies until the game is over, then all comes at once', () => {
    const delay = { ms: 0, plies: 2 };
    const before = play(GAME);
    expect(sans(releaseGame(before.record, before.times, 1000, delay).record)).toEqual(['a']);
    const after = play([...GAME, result(40)]);
    const shown = releaseGame(after.record, after.times, 40, delay).record;
    expect([sans(shown), shown.result]).toEqual([['a', 'b', 'c'], '1-0']);
  });

  it('shows the result with the last ply and never before it', () => {
    const delay = { ms: 100, plies: 0 };
    const { record, times } = play([...GAME, result(33)]);
    expect(releaseGame(record, times, 132, delay).record).toMatchObject({ result: '*', reason: undefined });
    const shown = releaseGame(record, times, 133, delay).record;
    expect([sans(shown), shown.result]).toEqual([['a', 'b', 'c'], '1-0']);
    // A ply that is on the board and not certain yet: the game may be longer than what can be shown.
    const open = play([...GAME, event(34, 4, ply('d', 34, 'provisional')), result(34)]);
    expect(releaseGame(open.record, open.times, 1000, NO_DELAY).record.result).toBe('*');
  });

  it('leaves out at once what is known to be wrong', () => {
    const delay = { ms: 100, plies: 0 };
    const taken = play([...GAME, { type: 'withdrawn', atMs: 140, number: 3 }]);
    expect(sans(releaseGame(taken.record, taken.times, 140, delay).record)).toEqual(['a', 'b']);
    const amended = play([
      ...GAME,
      { ...event(140, 2, ply('x', 20, 'confirmed', 25)), amended: true } as GameEvent,
    ]);
    expect(sans(releaseGame(amended.record, amended.times, 140, delay).record)).toEqual(['a', 'x', 'c']);
  });

  it('stays as it was while it is withheld, and catches up after', () => {
    const delay = { ms: 100, plies: 0 };
    const { record, times } = play(GAME);
    const held = releaseGame(record, times, 5000, delay, 126);
    expect([sans(held.record), held.nextAtMs]).toEqual([['a', 'b'], undefined]);
    expect(sans(releaseGame(record, times, 5000, delay).record)).toEqual(['a', 'b', 'c']);
  });

  it('shows nothing that was not certain, or not there, a delay ago, whatever happens', () => {
    const step = fc.record({
      what: fc.constantFrom('ply', 'confirm', 'press', 'withdraw', 'amend', 'result', 'open' as const),
      waitMs: fc.integer({ min: 0, max: 50 }),
      number: fc.integer({ min: 1, max: 8 }),
    });
    const delays = fc.record({ ms: fc.integer({ min: 0, max: 200 }), plies: fc.integer({ min: 0, max: 3 }) });
    const property = fc.property(fc.array(step, { maxLength: 40 }), delays, (steps, delay) => {
      const events: GameEvent[] = [];
      let nowMs = 0;
      for (const { what, waitMs, number } of steps) {
        nowMs += waitMs;
        const { plies } = play(events).record;
        const last = plies.at(-1);
        if (what === 'ply')
          events.push(event(nowMs, plies.length + 1, ply(`m${nowMs}`, nowMs, 'provisional')));
        else if (what === 'result') events.push(result(nowMs));
        else if (what === 'open')
          events.push({ type: 'result', atMs: nowMs, result: '*', reason: 'arbiter' });
        else if (what === 'withdraw') events.push({ type: 'withdrawn', atMs: nowMs, number });
        else if (last === undefined) continue;
        else if (what === 'amend')
          events.push(event(nowMs, plies.length, { ...last, san: `x${nowMs}`, uci: `x${nowMs}` }));
        else if (what === 'confirm') events.push(event(nowMs, plies.length, { ...last, state: 'confirmed' }));
        else if (last.completedAtMs === undefined)
          events.push(event(nowMs, plies.length, { ...last, completedAtMs: nowMs, clockMs: 1000 }));
      }
      let wakeAtMs: number | undefined;
      for (let atMs = 0; atMs <= nowMs + 400; atMs += 23) {
        const { record, times } = play(events, atMs);
        const shown = releaseGame(record, times, atMs, delay);
        const then = play(events, atMs - delay.ms).record;
        shown.record.plies.forEach(({ san, clockMs, completedAtMs }, i) => {
          // What is shown is what is known now, and there was a certain ply in its place a delay ago.
          expect(san).toBe(record.plies[i]!.san);
          expect(isCertain(then.plies[i]!.state)).toBe(true);
          if (clockMs !== undefined) expect(completedAtMs).toBeLessThanOrEqual(atMs - delay.ms);
        });
        if (shown.record.result !== '*') expect(then.result).not.toBe('*');
        else expect(shown.record.ended).toBe(false);
        // Nothing comes out between two looks that were asked for.
        const isQuiet = !events.some((e) => e.atMs > atMs - 23 && e.atMs <= atMs);
        if (isQuiet && atMs > 0 && (wakeAtMs === undefined || wakeAtMs > atMs)) {
          const before = play(events, atMs - 23);
          const earlier = releaseGame(before.record, before.times, atMs - 23, delay).record;
          expect(earlier).toEqual(shown.record);
        }
        wakeAtMs = shown.nextAtMs;
      }
    });
    fc.assert(property, { numRuns: 100 });
  });
});
