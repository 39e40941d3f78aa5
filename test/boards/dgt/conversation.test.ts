import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dgt } from '../../../boards/dgt/definition.ts';
import { createDgtSession } from '../../../boards/dgt/session.ts';
import { createDgtSimulator } from '../../../boards/dgt/simulator.ts';
import {
  CLOCK_ANSWERS,
  DGT_PRESETS,
  type DgtFaults,
  type DgtSimulatorOptions,
  LIFT_REPORTS,
} from '../../../boards/dgt/simulator-options.ts';
import { EMPTY, makePlacement, parseCell, parsePlacement, turnPlacement } from '../../../core/placement.ts';
import { parseSquare } from '../../../core/square.ts';
import { placementOf, sensorsOf } from '../contract.ts';
import { Loop } from '../loop.ts';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const AFTER_E4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR';

/** Real boards sit behind a line of 9600 baud. */
const connect = (faults: DgtFaults = {}, options: DgtSimulatorOptions = {}): Loop =>
  new Loop(createDgtSession(), createDgtSimulator({ baudRate: 9600, ...options, faults })).open();

const shown = (loop: Loop): string => makePlacement(placementOf(sensorsOf(loop.outputs)));

/** "e2" lifts, "e4=P" places, with the pace of a hand. */
function hand(loop: Loop, ...touches: string[]): Loop {
  for (const touch of touches) {
    const [square, letter] = touch.split('=') as [string, string | undefined];
    loop.square(parseSquare(square)!, letter === undefined ? EMPTY : parseCell(letter)!).wait(450);
  }
  return loop;
}

const count = (loop: Loop, command: string, fromMs = 0): number =>
  loop.traffic.filter(
    (t) => t.direction === 'tx' && t.atMs >= fromMs && t.bytes[0] === Number.parseInt(command, 16),
  ).length;

describe('a conversation over a real line', () => {
  test.each(DGT_PRESETS)('with %s is ready within three seconds', (preset) => {
    const loop = connect({}, { preset }).wait(3000);
    expect(loop.states).toEqual(['identifying', 'ready']);
    expect(loop.written.slice(0, 7)).toEqual(['40', '4D', '45', '47', '55', '42', '4B']);
  });

  test('tells who the board is', () => {
    const loop = connect({}, { preset: 'bluetooth-3000', serialNumber: '777' }).wait(4000);
    const identity = Object.assign(
      {},
      ...loop.outputs.flatMap((o) => (o.type === 'identity' ? [o.identity] : [])),
    );
    expect(identity).toEqual({
      firmware: '3.10',
      serialNumber: '00777',
      trademark: 'Sim board 1.0',
      longSerialNumber: '3250010001',
      batteryPercent: 88,
    });
    const revelation = connect({}, { preset: 'revelation-2' }).wait(4000);
    expect(revelation.outputs).toContainEqual({ type: 'identity', identity: { model: 'Revelation II' } });
  });

  test('does not flood the line: an hour without a move costs less than 150 kB', () => {
    const loop = connect().wait(3_600_000);
    const bytes = loop.traffic.reduce((sum, t) => sum + t.bytes.length, 0);
    expect(bytes).toBeLessThan(150_000);
    expect(count(loop, '42')).toBeGreaterThan(600);
  });

  test('never asks for a dump while a move is under the hand', () => {
    const loop = connect().wait(5000);
    const fromMs = loop.nowMs;
    for (let i = 0; i < 20; i++) hand(loop, 'g1', 'f3=N', 'f3', 'g1=N');
    expect(count(loop, '42', fromMs + 600)).toBe(0);
  });
});

describe('trouble on the line', () => {
  test('an update that is lost is made up by the next dump', () => {
    const loop = hand(connect({ dropUpdates: [2] }).wait(5000), 'e2', 'e4=P');
    expect(shown(loop)).not.toBe(AFTER_E4);
    expect(shown(loop.wait(2500))).toBe(AFTER_E4);
  });

  test('a message that lost a byte is made up within two seconds', () => {
    const loop = connect({ truncateEvery: 9 }).wait(3000);
    hand(loop, 'e2', 'e4=P', 'e7', 'e5=p').wait(2000);
    expect(loop.outputs.some((o) => o.type === 'discarded')).toBe(true);
    expect(shown(loop)).toBe('rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR');
    expect(loop.losses).toEqual([]);
  });

  test('garbage costs nothing but a dump each second', () => {
    const loop = connect({ garbageAtStart: [0x30, 0x31], garbageEvery: 1 }).wait(5000);
    const fromMs = loop.nowMs;
    hand(loop, 'e2', 'e4=P').wait(10_000);
    expect(shown(loop)).toBe(AFTER_E4);
    expect(count(loop, '42', fromMs)).toBeLessThanOrEqual(12);
    expect(loop.losses).toEqual([]);
  });

  test('a board that its own echo has made half blind sees again', () => {
    const loop = connect().wait(5000);
    // Still telling of its clock, opened anew through a terminal that echoes.
    for (const scan of [0x51, 0x53]) {
      loop.clock(180_000, 180_000, 'white').mislead(Uint8Array.of(scan)).wait(500).open();
      const fromMs = loop.nowMs;
      loop.clock(179_000, 180_000, 'white').wait(5000);
      expect(count(loop, '54', fromMs)).toBe(1);
    }
    expect(shown(hand(loop, 'e2', 'e4=P', 'd7', 'd5=p').wait(3000))).toBe(
      'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR',
    );
  });

  test('a board that waits to be asked is told nothing of its scan', () => {
    const loop = connect().wait(5000).open().wait(5000);
    expect(count(loop, '54')).toBe(0);
  });

  test('answers that are lost are asked for again', () => {
    const loop = connect({ dropAnswers: [1, 3, 5, 7, 9, 12, 15] }).wait(60_000);
    expect(loop.states).toEqual(expect.arrayContaining(['identifying', 'ready']));
    expect(loop.losses).toEqual([]);
    expect(shown(hand(loop, 'e2', 'e4=P'))).toBe(AFTER_E4);
  });

  test('a dump that is late is waited for, and the truth comes with the next', () => {
    const loop = connect({ lateDumpMs: 1500 }).wait(10_000);
    expect(loop.states).toEqual(['identifying', 'ready']);
    expect(shown(hand(loop, 'e2', 'e4=P').wait(10_000))).toBe(AFTER_E4);
    expect(loop.losses).toEqual([]);
  });

  test('a silence that ends is no loss, and what was missed is made up', () => {
    const loop = connect({ silentFromMs: 10_000, silentUntilMs: 12_500 }).wait(10_200);
    hand(loop, 'e2', 'e4=P').wait(5000);
    expect(loop.states).toEqual(['identifying', 'ready', 'silent', 'ready']);
    expect(loop.losses).toEqual([]);
    expect(shown(loop)).toBe(AFTER_E4);
  });

  test('a silence that lasts is a loss within six seconds, also with a clock that never runs', () => {
    const loop = connect({ silentFromMs: 10_000 }).wait(16_000);
    expect(loop.losses).toEqual(['LINK_SILENT']);
    const writes = loop.written.length;
    expect(loop.wait(60_000).written).toHaveLength(writes);
  });

  test('the whole log arriving unasked holds everything up for its eight seconds, and loses nothing', () => {
    const loop = connect({ unaskedLogAtMs: 6000 }).wait(6500);
    hand(loop, 'e2', 'e4=P').wait(12_000);
    expect(loop.outputs.some((o) => o.type === 'message' && o.name === 'EE_MOVES')).toBe(true);
    expect(loop.losses).toEqual([]);
    expect(loop.outputs.filter((o) => o.type === 'discarded')).toEqual([]);
    expect(shown(loop)).toBe(AFTER_E4);
  });

  test('a board whose power failed for a moment is told again to send updates', () => {
    const loop = connect({ powerCycleAtMs: 10_000 }).wait(16_000);
    const before = sensorsOf(loop.outputs).length;
    hand(loop, 'e2', 'e4=P');
    const squares = sensorsOf(loop.outputs)
      .slice(before)
      .filter((event) => event.type === 'square');
    expect(squares).toHaveLength(2);
    expect(loop.losses).toEqual([]);
  });

  test('a flickering square does not keep the rest of the board from being checked', () => {
    const loop = connect({ flicker: { square: 12, everyMs: 200 }, dropUpdates: [30] }).wait(5000);
    loop.inject(Uint8Array.of(1)).wait(7000);
    expect(count(loop, '42', 6000)).toBeGreaterThan(0);
    expect(loop.losses).toEqual([]);
  });

  test('a foreign device is left alone after three questions', () => {
    const loop = connect({ silentFromMs: 0 });
    for (let i = 0; i < 50; i++) loop.inject(new TextEncoder().encode('$GPGGA,1\r\n')).wait(200);
    expect(loop.losses).toEqual(['LINK_FOREIGN']);
    expect(loop.written).toEqual(['40', '4D', '4D', '4D']);
  });

  test('a turned board is told turned: squares and clock faces alike', () => {
    const loop = connect({}, { rotated: true }).wait(3000);
    expect(shown(loop)).toBe(makePlacement(turnPlacement(parsePlacement(START)!)));
    loop.clock(61_000, 120_000, 'white').wait(100);
    expect(sensorsOf(loop.outputs).at(-1)).toMatchObject({
      type: 'clock',
      reading: { running: 'right', right: { timeMs: 61_000 }, left: { timeMs: 120_000 } },
    });
  });

  test('a board without a clock says so and is ready all the same', () => {
    const loop = connect({}, { clock: false }).wait(3000);
    expect(loop.states).toEqual(['identifying', 'ready']);
    expect(sensorsOf(loop.outputs).find((event) => event.type === 'clock')).toMatchObject({
      reading: { connected: false },
    });
  });
});

test('whatever goes wrong short of silence, the board is known in the end, and a replay says the same', () => {
  const every = (least: number) => fc.option(fc.integer({ min: least, max: 20 }), { nil: undefined });
  const anyFaults = fc.record({
    garbageAtStart: fc.array(fc.integer({ min: 0, max: 127 }), { maxLength: 5 }),
    garbageEvery: every(1),
    truncateEvery: every(4),
    chunkBytes: every(1),
    mergeMs: fc.option(fc.integer({ min: 10, max: 400 }), { nil: undefined }),
    dropUpdates: fc.array(fc.integer({ min: 1, max: 12 })),
    dropAnswers: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
    lifts: fc.constantFrom(...LIFT_REPORTS),
    slides: fc.boolean(),
    lateDumpMs: fc.integer({ min: 0, max: 700 }),
    clockAnswer: fc.constantFrom(...CLOCK_ANSWERS),
    impossibleClockEvery: every(2),
    swapTurnBits: fc.boolean(),
    unaskedLogAtMs: fc.option(fc.integer({ min: 0, max: 30_000 }), { nil: undefined }),
    powerCycleAtMs: fc.option(fc.integer({ min: 15_000, max: 30_000 }), { nil: undefined }),
  });
  const options = fc.record({
    preset: fc.constantFrom('usb-xl' as const, 'bluetooth-3000' as const, 'revelation-2' as const),
    rotated: fc.boolean(),
    scanMs: fc.constantFrom(0, 200, 250),
    clock: fc.boolean(),
  });
  fc.assert(
    fc.property(anyFaults, options, (faults, board) => {
      const known = Object.fromEntries(
        Object.entries(faults).filter(([, value]) => value !== undefined),
      ) as DgtFaults;
      const loop = connect(known, board);
      // The owner of a session opens the link again when it was lost.
      const wait = (ms: number): void => {
        for (let waited = 0; waited < ms; waited += 500) {
          const losses = loop.losses.length;
          loop.wait(500);
          if (loop.losses.length > losses) loop.open();
        }
      };
      wait(20_000);
      loop.clock(600_000, 600_000, 'white');
      hand(loop, 'e2', 'e4=P', 'd7', 'd5=p', 'e4', 'd5', 'd5=P');
      wait(40_000);
      // Two answers lost in a row are a silence, which ends with the third.
      for (let i = 0; i < 10 && loop.states.at(-1) !== 'ready'; i++) wait(500);
      const truth = parsePlacement('rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR')!;
      expect(shown(loop)).toBe(makePlacement(board.rotated ? turnPlacement(truth) : truth));
      expect(loop.states.at(-1)).toBe('ready');
      if (loop.losses.length === 0) {
        expect(sensorsOf(loop.replay(dgt))).toEqual(sensorsOf(loop.outputs));
      }
    }),
    { numRuns: 60 },
  );
});
