/** The clock on the table: what presses make of it. */
import { opponent, type Side } from '../../core/square.ts';
import type { HandAction } from './action.ts';

/** What is done to a clock: a press, the arbiter stopping it, or starting it for a side. */
export type ClockHandling =
  | { readonly type: 'press'; readonly atMs: number; readonly side: Side }
  | { readonly type: 'stop'; readonly atMs: number }
  | { readonly type: 'start'; readonly atMs: number; readonly side: Side };

/** How the clock was set. */
export interface ClockSetting {
  readonly baseMs: number;
  readonly incrementMs: number;
}

/**
 * Runs a clock through what is done to it and gives what it shows after each step, the set and stopped clock at
 * `startMs` first. A press by the side whose time does not run changes nothing. The base is raised by whole minutes
 * so that no flag falls: these people's games were not lost on time.
 */
export function runTableClock(
  handlings: readonly ClockHandling[],
  setting: ClockSetting,
  startMs: number,
): Extract<HandAction, { type: 'clock' }>[] {
  const run = (baseMs: number): { readings: Extract<HandAction, { type: 'clock' }>[]; lowestMs: number } => {
    const left = { white: baseMs + setting.incrementMs, black: baseMs + setting.incrementMs };
    let running: Side | undefined;
    let sinceMs = startMs;
    let lowestMs = baseMs;
    const readings: Extract<HandAction, { type: 'clock' }>[] = [];
    const show = (atMs: number): void => {
      readings.push({ type: 'clock', atMs, whiteMs: left.white, blackMs: left.black, running });
    };
    show(startMs);
    for (const handling of handlings) {
      if (running !== undefined) {
        left[running] -= handling.atMs - sinceMs;
        lowestMs = Math.min(lowestMs, left[running]);
      }
      sinceMs = handling.atMs;
      if (handling.type === 'stop') running = undefined;
      else if (handling.type === 'start') running = handling.side;
      else if (running === undefined) running = opponent(handling.side);
      else if (running === handling.side) {
        left[running] += setting.incrementMs;
        running = opponent(running);
      } else continue;
      show(handling.atMs);
    }
    return { readings, lowestMs };
  };
  const first = run(setting.baseMs);
  if (first.lowestMs >= 2000) return first.readings;
  return run(setting.baseMs + Math.ceil((2000 - first.lowestMs) / 60_000) * 60_000).readings;
}
