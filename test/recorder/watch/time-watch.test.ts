import { Subject, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../driver/clock.ts';
import { compareLooks, watchTime$ } from '../../../recorder/watch/time-watch.ts';

const codes = (passedMs: number, wallPassedMs: number): [string, unknown][] =>
  compareLooks(
    { monotonicMs: 5000, wallMs: 1e12 },
    { monotonicMs: 5000 + passedMs, wallMs: 1e12 + wallPassedMs },
  ).map(({ code, context }) => [code, context.seconds]);

describe('the watch over time', () => {
  it('says nothing of a second, of a slow disk, and of a clock that is kept right', () => {
    expect(codes(1000, 1000)).toEqual([]);
    expect(codes(3500, 3500)).toEqual([]);
    expect(codes(1000, 2500)).toEqual([]);
  });

  it('tells that the program stood still, that the clock was set, and both', () => {
    expect(codes(7000, 7000)).toEqual([['HOST_STALLED', 6]]);
    expect(codes(1000, 3_601_000)).toEqual([['CLOCK_STEPPED', 3600]]);
    expect(codes(1000, -3_599_000)).toEqual([['CLOCK_STEPPED', 3600]]);
    expect(codes(6000, 66_000)).toEqual([
      ['HOST_STALLED', 5],
      ['CLOCK_STEPPED', 60],
    ]);
  });

  it('looks again after each look, from where it then stands', () => {
    const due = new Subject<0>();
    let [monotonicMs, wallMs] = [0, 1e12];
    const clock: Clock = {
      monotonicMs: () => monotonicMs,
      wallMs: () => wallMs,
      timer$: () => due.pipe(take(1)),
    };
    const told: string[] = [];
    const watching = watchTime$(clock).subscribe(({ code }) => told.push(code));
    const pass = (ms: number, steppedMs = 0): void => {
      monotonicMs += ms;
      wallMs += ms + steppedMs;
      due.next(0);
    };
    pass(1000);
    pass(1000, 3_600_000);
    pass(1000);
    pass(9000);
    pass(1000, -3_600_000);
    expect(told).toEqual(['CLOCK_STEPPED', 'HOST_STALLED', 'CLOCK_STEPPED']);
    watching.unsubscribe();
    expect(due.observed).toBe(false);
  });
});
