import { describe, expect, it } from 'vitest';
import type { BoardUpdate } from '../../../driver/connection.ts';
import { createLinkWatch, type LinkWatch, WINDOW_MS } from '../../../recorder/watch/link-watch.ts';

const FAULT = { code: 'FRAME_GARBAGE', message: '' };

/** Lets a board say so much evenly, a piece every 100 ms, and gives the codes that are told, with the ms after which. */
function hear(
  watch: LinkWatch,
  board: string,
  fromMs: number,
  lastingMs: number,
  aSecond: { bytes: number; discarded?: number; changes?: number },
): [number, string][] {
  const told: [number, string][] = [];
  for (let atMs = fromMs; atMs < fromMs + lastingMs; atMs += 100) {
    const say = (update: BoardUpdate): void => {
      const error = watch.take(board, update);
      if (error !== undefined) told.push([atMs - fromMs, error.code]);
    };
    say({ type: 'rx', atMs, bytes: new Uint8Array(aSecond.bytes / 10) });
    const discarded = new Uint8Array((aSecond.discarded ?? 0) / 10);
    if (discarded.length > 0) say({ type: 'discarded', atMs, bytes: discarded, fault: FAULT });
    for (let i = 0; i < (aSecond.changes ?? 0) / 10; i++)
      say({ type: 'sensor', event: { type: 'square', atMs, square: 12, cell: i % 2 } });
  }
  return told;
}

describe('the watch over links', () => {
  it('says nothing of a board that fills its line with good messages', () => {
    expect(hear(createLinkWatch(), 'a', 0, 60_000, { bytes: 3840, changes: 20 })).toEqual([]);
  });

  it('says nothing of the noise of a plug', () => {
    const watch = createLinkWatch();
    expect(hear(watch, 'a', 0, 100, { bytes: 1000, discarded: 1000 })).toEqual([]);
    expect(hear(watch, 'a', 100, 60_000, { bytes: 60 })).toEqual([]);
  });

  it('tells once of a board that sends noise, and again when that goes on for ten minutes', () => {
    const told = hear(createLinkWatch(), 'a', 0, 1_300_000, { bytes: 960, discarded: 900 });
    expect(told).toEqual(
      [WINDOW_MS, WINDOW_MS + 600_000, WINDOW_MS + 1_200_000].map((ms) => [ms, 'LINK_NOISY']),
    );
  });

  it('tells of a sensor that is broken, and of a line that is flooded with good messages', () => {
    const watch = createLinkWatch();
    expect(hear(watch, 'a', 0, 20_000, { bytes: 960, changes: 190 })).toEqual([[WINDOW_MS, 'LINK_FLOODED']]);
    expect(hear(watch, 'b', 0, 20_000, { bytes: 11_000 })).toEqual([[WINDOW_MS, 'LINK_FLOODED']]);
  });

  it('keeps boards apart', () => {
    const watch = createLinkWatch();
    hear(watch, 'a', 0, WINDOW_MS, { bytes: 960, discarded: 960 });
    expect(hear(watch, 'b', 0, 60_000, { bytes: 60 })).toEqual([]);
    expect(hear(watch, 'a', WINDOW_MS, 100, { bytes: 0 })).toEqual([[0, 'LINK_NOISY']]);
  });
});
