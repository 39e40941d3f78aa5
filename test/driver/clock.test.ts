import { firstValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createSystemClock } from '../../driver/clock.ts';

describe('a system clock', () => {
  it('gives whole milliseconds from the origin it is given', () => {
    const clock = createSystemClock({ originMs: 1_000_000 });
    const first = clock.monotonicMs();
    expect(Number.isInteger(first)).toBe(true);
    expect(first).toBeGreaterThanOrEqual(1_000_000);
    expect(first).toBeLessThan(1_060_000);
  });

  it('goes on and never back', () => {
    const clock = createSystemClock({ speed: 1000 });
    const times = Array.from({ length: 1000 }, () => clock.monotonicMs());
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('waits in its own time', async () => {
    const clock = createSystemClock({ speed: 1000 });
    const beforeMs = clock.monotonicMs();
    const wallBeforeMs = clock.wallMs();
    await firstValueFrom(clock.timer$(10_000));
    // A timer of the system may come a millisecond early: that is a second here.
    expect(clock.monotonicMs() - beforeMs).toBeGreaterThanOrEqual(9000);
    expect(clock.wallMs() - wallBeforeMs).toBeGreaterThanOrEqual(9000);
  });

  it('shows people the time of the machine when it runs at its speed', () => {
    const before = Date.now();
    const wallMs = createSystemClock().wallMs();
    expect(wallMs).toBeGreaterThanOrEqual(before);
    expect(wallMs).toBeLessThanOrEqual(Date.now());
  });
});
