import { timer } from 'rxjs';
import { type RunHelpers, TestScheduler } from 'rxjs/testing';
import { expect } from 'vitest';
import type { Clock } from '../../driver/clock.ts';

/** What a marble test works with: the scheduler's helpers, and a clock that runs on the same virtual time. */
export interface Marbles extends RunHelpers {
  readonly clock: Clock;
}

/** The wall clock stands here at virtual time 0. */
export const VIRTUAL_WALL_MS = Date.UTC(2030, 0, 1);

/** Runs a test in virtual time: one frame of a diagram is one millisecond, and the clock reads the same. */
export function runMarbles(test: (marbles: Marbles) => void): void {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
  const clock: Clock = {
    monotonicMs: () => scheduler.now(),
    wallMs: () => VIRTUAL_WALL_MS + scheduler.now(),
    timer$: (delayMs) => timer(delayMs),
  };
  scheduler.run((helpers) => test({ ...helpers, clock }));
}
