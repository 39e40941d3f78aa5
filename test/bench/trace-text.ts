/** Writes sensor events in the notation of case files, one line per press, with every pause spelled out. */
import { EMPTY, makeCell, makePlacement } from '../../core/placement.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { makeSquare } from '../../core/square.ts';

/**
 * The `ev:` lines of a trace. Clock readings become `CW` and `CB` where the running side changes (White's face is the
 * left one), other readings are left out; `from` and `to` cut a window of time, ms.
 */
export function makeTraceLines(
  events: readonly SensorEvent[],
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
): string[] {
  const lines: string[] = [];
  let line: string[] = [];
  let lastMs: number | undefined;
  let lever: string | undefined;
  const say = (atMs: number, token: string): void => {
    if (atMs < from || atMs > to) return;
    if (line.length === 0) lines.push(`# at ${atMs}`);
    if (lastMs !== undefined) line.push(`~${atMs - lastMs}`);
    lastMs = atMs;
    line.push(token);
  };
  const flush = (): void => {
    if (line.length > 0) lines.push(`ev: ${line.join(' ')}`);
    line = [];
  };
  for (const event of events) {
    switch (event.type) {
      case 'square': {
        const name = makeSquare(event.square);
        say(event.atMs, event.cell === EMPTY ? `-${name}` : `+${name}=${makeCell(event.cell)}`);
        break;
      }
      case 'dump':
        say(event.atMs, `D=${makePlacement(event.placement)}`);
        break;
      case 'press':
        say(event.atMs, event.side === 'white' ? 'CW' : 'CB');
        flush();
        break;
      case 'link':
        say(event.atMs, event.link === 'up' ? 'LINK+' : 'LINK-');
        break;
      case 'clock': {
        const before = lever;
        lever = event.reading.lever;
        if (before !== undefined && before !== lever) {
          say(event.atMs, lever === 'left' ? 'CB' : 'CW');
          flush();
        }
        break;
      }
    }
  }
  flush();
  return lines;
}
