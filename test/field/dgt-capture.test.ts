import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findBoard } from '../../boards/registry.ts';
import { makePlacement } from '../../core/placement.ts';
import { sensorsOf } from '../boards/contract.ts';

const file = join(process.env.JADOUBE_DATA ?? '../shared/data', 'dgt-capture/game-1.bin');

describe.skipIf(!existsSync(file))(`the recorded game (skipped when ${file} is absent)`, () => {
  const decoderOf = () => {
    const board = findBoard('dgt');
    if (!board.ok) throw new Error(board.fault.message);
    return board.value.createDecoder();
  };
  const read = (chunk: number) => {
    const bytes = readFileSync(file);
    const decoder = decoderOf();
    const decoded = [];
    for (let at = 0; at < bytes.length; at += chunk)
      decoded.push(...decoder.decode(bytes.subarray(at, at + chunk), 0));
    return decoded;
  };

  test('is one dump, 131 field updates and 323 clock readings, and not a byte more', () => {
    const decoded = read(Number.POSITIVE_INFINITY);
    const kinds = sensorsOf(decoded).map((event) => event.type);
    expect(kinds.filter((kind) => kind === 'dump')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'square')).toHaveLength(131);
    expect(kinds.filter((kind) => kind === 'clock')).toHaveLength(323);
    expect(decoded).toHaveLength(1 + 131 + 323);
    expect(kinds[0]).toBe('dump');
  });

  test.each([1, 2, 7, 64])('is the same in pieces of %i bytes', (chunk) => {
    expect(read(chunk)).toEqual(read(Number.POSITIVE_INFINITY));
  });

  test('begins with the initial position and only changes squares that really change', () => {
    const events = sensorsOf(read(Number.POSITIVE_INFINITY));
    const [dump] = events;
    if (dump?.type !== 'dump') throw new Error('no dump');
    expect(makePlacement(dump.placement)).toBe('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR');
    const placement = dump.placement.slice();
    for (const event of events) {
      if (event.type !== 'square') continue;
      expect(placement[event.square]).not.toBe(event.cell);
      placement[event.square] = event.cell;
    }
  });

  test('has the running side where time goes by, for every reading', () => {
    const readings = sensorsOf(read(Number.POSITIVE_INFINITY)).flatMap((e) =>
      e.type === 'clock' ? [e.reading] : [],
    );
    let checked = 0;
    for (const [i, reading] of readings.entries()) {
      const before = readings[i - 1];
      if (before === undefined || before.lever !== reading.lever) continue;
      for (const face of ['left', 'right'] as const) {
        if (reading[face].timeMs === before[face].timeMs) continue;
        expect(face).toBe(reading.running);
        expect(before[face].timeMs - reading[face].timeMs).toBeGreaterThan(0);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(200);
  });
});
