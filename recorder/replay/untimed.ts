/** Times for events that were recorded without any: order, and the clock on the table, which runs a second a second. */
import type { ClockReading, SensorEvent } from '../../core/sensor-event.ts';

/** Events between two readings of a running clock are taken to be this far apart, ms. */
const STEP_MS = 10;

/**
 * Gives times to events in order. Each reading of a running clock moves time on by what the clock says has passed
 * since the reading before; what came between keeps its order inside that span.
 */
export function timeByClock(events: readonly SensorEvent[]): SensorEvent[] {
  const timed: SensorEvent[] = [];
  let atMs = 0;
  /** Time of the last reading, and the reading. */
  let readAtMs = 0;
  let before: ClockReading | undefined;
  for (const event of events) {
    if (event.type === 'clock') {
      const passed = before === undefined ? 0 : elapsed(before, event.reading);
      atMs = Math.max(atMs + 1, readAtMs + passed);
      before = event.reading;
      readAtMs = atMs;
    } else atMs += STEP_MS;
    timed.push({ ...event, atMs });
  }
  return timed;
}

/** Time that the running side has used between two readings, ms; a side that gained time used none we can tell. */
function elapsed(before: ClockReading, now: ClockReading): number {
  if (before.running === undefined) return 0;
  const used = before[before.running].timeMs - now[before.running].timeMs;
  return used > 0 && used < 600_000 ? used : 0;
}
