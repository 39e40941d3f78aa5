import { type Observable, timer } from 'rxjs';

/** The only source of time in `driver` and `recorder`; injected, so that tests and the demo run on their own time. */
export interface Clock {
  /** Whole milliseconds since an arbitrary origin; never falls and does not jump when the wall clock is set. */
  monotonicMs(): number;
  /** Milliseconds since 1970 UTC, for people; may jump. */
  wallMs(): number;
  /** Emits once after `delayMs` of this clock's time and completes. Cold: the wait begins with the subscription. */
  timer$(delayMs: number): Observable<0>;
}

export interface SystemClockOptions {
  /** What `monotonicMs` reads now; default: time since the process began. */
  readonly originMs?: number;
  /** How many times faster than real time this clock runs; default 1. Its wall clock starts at the real time. */
  readonly speed?: number;
}

/** Creates a clock over the machine's own clocks. */
export function createSystemClock(options: SystemClockOptions = {}): Clock {
  const { speed = 1 } = options;
  const startMs = performance.now();
  const originMs = options.originMs ?? startMs;
  const wallStartMs = Date.now();
  const elapsedMs = (): number => (performance.now() - startMs) * speed;
  return {
    // Rounded down: whole numbers are stored, and a replay from the store must see the same numbers.
    monotonicMs: () => Math.floor(originMs + elapsedMs()),
    wallMs: () => (speed === 1 ? Date.now() : Math.floor(wallStartMs + elapsedMs())),
    timer$: (delayMs) => timer(delayMs / speed),
  };
}
