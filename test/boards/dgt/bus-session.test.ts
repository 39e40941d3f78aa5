import { describe, expect, test } from 'vitest';
import { createDgtBusSession } from '../../../boards/dgt/bus-session.ts';
import { dgtBus } from '../../../boards/dgt/definition.ts';
import { createDgtSession } from '../../../boards/dgt/session.ts';
import { createDgtBusSimulator, type DgtBusOptions } from '../../../boards/dgt/simulator-bus.ts';
import { EMPTY, makePlacement, parseCell } from '../../../core/placement.ts';
import { parseSquare } from '../../../core/square.ts';
import { placementOf, sensorsOf } from '../contract.ts';
import { bytesOf, Loop } from '../loop.ts';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => String(1025 + i));
const lineOf = (stations: readonly string[], options: DgtBusOptions = {}): Loop =>
  new Loop(
    createDgtBusSession(),
    createDgtBusSimulator(
      stations.map((station) => ({ serialNumber: station.padStart(5, '0') })),
      options,
    ),
  ).open();

const statesOf = (loop: Loop, station: string): string[] =>
  loop.of(station).flatMap((o) => (o.type === 'state' ? [o.state] : o.type === 'lost' ? ['lost'] : []));
const boardOf = (loop: Loop, station: string): string =>
  makePlacement(placementOf(sensorsOf(loop.of(station))));
const readyOf = (loop: Loop, stations: readonly string[]): string[] =>
  stations.filter((station) => statesOf(loop, station).at(-1) === 'ready');

describe('a line of boards', () => {
  test.each([1, 2, 3])('is found whole although answers collide (%i)', (seed) => {
    const stations = numbers(16);
    const loop = lineOf(stations, { seed }).wait(30_000);
    expect(readyOf(loop, stations)).toEqual(stations);
    for (const station of stations) expect(boardOf(loop, station)).toBe(START);
  });

  test('is found in spite of answers that came out as neither', () => {
    const stations = numbers(40);
    const loop = lineOf(stations, { seed: 7 }).wait(60_000);
    expect(loop.outputs.filter((o) => o.type === 'discarded' && o.station === undefined)).not.toEqual([]);
    expect(readyOf(loop, stations)).toEqual(stations);
  });

  test('keeps what each board says apart', () => {
    const loop = lineOf(['1025', '1026', '1027']).wait(15_000);
    const [e2, e4, d2, d4] = ['e2', 'e4', 'd2', 'd4'].map((s) => parseSquare(s)!);
    const pawn = parseCell('P')!;
    loop.square(e2!, EMPTY, '1025').square(d2!, EMPTY, '1026').wait(300);
    loop.square(e4!, pawn, '1025').square(d4!, pawn, '1026').wait(6000);
    expect(boardOf(loop, '1025')).toBe('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
    expect(boardOf(loop, '1026')).toBe('rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR');
    expect(boardOf(loop, '1027')).toBe(START);
    for (const station of ['1025', '1026', '1027'])
      expect(sensorsOf(loop.replay(dgtBus, station))).toEqual(sensorsOf(loop.of(station)));
  });

  test('loses one board without disturbing the others, and finds it again', () => {
    const loop = lineOf(['1025', '1026', '1027']).wait(15_000).power(false, '1026').wait(15_000);
    expect(statesOf(loop, '1026').slice(-2)).toEqual(['silent', 'lost']);
    expect(readyOf(loop, ['1025', '1027'])).toEqual(['1025', '1027']);
    expect(loop.losses).toEqual([]);
    const before = loop.of('1025').length;
    loop.square(parseSquare('e2')!, EMPTY, '1025').wait(1500);
    expect(sensorsOf(loop.of('1025').slice(before)).some((e) => e.type === 'square')).toBe(true);
    loop.power(true, '1026').wait(10_000);
    expect(statesOf(loop, '1026').at(-1)).toBe('ready');
    expect(statesOf(loop, '1025')).toEqual(['identifying', 'ready']);
  });

  test('meets a board that is switched on later', () => {
    const loop = lineOf(['1025', '1026']);
    loop.power(false, '1026').wait(20_000);
    expect(readyOf(loop, ['1025', '1026'])).toEqual(['1025']);
    loop.power(true, '1026').wait(30_000);
    expect(readyOf(loop, ['1025', '1026'])).toEqual(['1025', '1026']);
  });

  test('is given up when every board has gone', () => {
    const loop = lineOf(['1025', '1026']).wait(15_000).unplug().wait(20_000);
    expect(loop.losses).toEqual(['LINK_SILENT']);
  });

  test('declares the beginning of a game once, when the array stands', () => {
    const loop = lineOf(['1025']).wait(40_000);
    expect(loop.written.filter((bytes) => bytes === '85 08 01 0E')).toHaveLength(1);
    for (const name of ['e2', 'd2', 'c2', 'b2', 'a2', 'f2', 'g2', 'h2'])
      loop.square(parseSquare(name)!, EMPTY);
    loop.wait(5000);
    for (const name of ['e2', 'd2', 'c2', 'b2', 'a2', 'f2', 'g2', 'h2'])
      loop.square(parseSquare(name)!, parseCell('P')!);
    loop.wait(10_000);
    expect(loop.written.filter((bytes) => bytes === '85 08 01 0E')).toHaveLength(2);
  });

  test('takes a board that was turned to single mode, and is left again by a single command', () => {
    const simulator = createDgtBusSimulator([{ serialNumber: '01025' }]);
    const single = new Loop(createDgtSession(), simulator).open().wait(15_000);
    expect(single.states.at(-1)).toBe('ready');
    const bus = new Loop(createDgtBusSession(), simulator, single.nowMs + 1000).open().wait(15_000);
    expect(readyOf(bus, ['1025'])).toEqual(['1025']);
    const again = new Loop(createDgtSession(), simulator, bus.nowMs + 1000).open().wait(15_000);
    expect(again.states.at(-1)).toBe('ready');
  });

  test('brings a board back to the bus that somebody has turned to single mode in the middle', () => {
    const simulator = createDgtBusSimulator([{ serialNumber: '01025' }, { serialNumber: '01026' }]);
    const both = new Loop(createDgtBusSession(), simulator).open().wait(15_000);
    // All boards of a line hear a single command.
    simulator.step({ type: 'bytes', atMs: both.nowMs, bytes: bytesOf('4B') });
    both.wait(4000);
    both.square(parseSquare('e2')!, EMPTY, '1026').wait(8000);
    expect(readyOf(both, ['1025', '1026'])).toEqual(['1025', '1026']);
    expect(boardOf(both, '1026')).toBe('rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR');
    expect(both.losses).toEqual([]);
  });

  test('sends nothing that ends bus mode or resets a board', () => {
    const loop = lineOf(['1025', '1026']).wait(60_000);
    for (const bytes of loop.written) expect(bytes).not.toMatch(/^(88|89|[0-7])/);
  });
});

test('two serial numbers on one link are two boards', () => {
  const loop = new Loop(createDgtSession(), createDgtBusSimulator([{ serialNumber: '01025' }]))
    .open()
    .wait(5000);
  expect(loop.states.at(-1)).toBe('ready');
  loop.inject(bytesOf('91 00 08 30 31 30 32 36'));
  expect(loop.losses).toEqual(['LINK_SHARED']);
});
