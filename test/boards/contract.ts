import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BoardDefinition,
  type Decoded,
  SENSING,
  type SessionEvent,
  type SessionOutput,
  type SimulatorOptions,
} from '../../boards/definition.ts';
import { MachineDriver } from '../../core/machine.ts';
import {
  type Cell,
  EMPTY,
  emptyPlacement,
  type Placement,
  parseCell,
  parsePlacement,
  placementsAgree,
  turnPlacement,
} from '../../core/placement.ts';
import type { ClockReading, SensorEvent } from '../../core/sensor-event.ts';
import { parseSquare } from '../../core/square.ts';
import { Loop } from './loop.ts';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';

/** Longest time any board may take from the opening of its link until it is ready. */
const READY_MS = 20_000;
/** Longest time after which a change must be known, with or without a message of its own. */
const KNOWN_MS = 10_000;
/** Longest silence that is not yet called a loss. */
const LOSS_MS = 60_000;

/**
 * What firmware of tomorrow may say: whole in the form of its kind, and in no table. For kinds without such a form, and for bytes
 * that make a message of another kind, it is what a DGT board would say.
 */
const NEW_WORDS: Readonly<Record<string, Uint8Array>> = {
  line: new TextEncoder().encode('weather sunny\n'),
  'line-occupancy': new TextEncoder().encode('weather sunny\n'),
  'ble-chess': new TextEncoder().encode('weather sunny'),
  'square-off-pro': new TextEncoder().encode('977#sunny*'),
  novag: new TextEncoder().encode('Weather sunny\r\n'),
  chessup: Uint8Array.of(0x7d, 1, 2, 3),
  chessnut: Uint8Array.of(0x7d, 2, 3, 4),
  'chessnut-move': Uint8Array.of(0x7d, 2, 3, 4),
};
const NEW_MESSAGE = Uint8Array.of(0x9f, 0x00, 0x05, 0x01, 0x02);

/** The sensor events among outputs, in order. */
export const sensorsOf = (outputs: readonly (SessionOutput | Decoded)[]): SensorEvent[] =>
  outputs.flatMap((output) => (output.type === 'sensor' ? [output.event] : []));

/** The board that sensor events describe. */
export function placementOf(events: readonly SensorEvent[]): Placement {
  let placement = emptyPlacement();
  for (const event of events) {
    if (event.type === 'dump') placement = event.placement.slice();
    if (event.type === 'square') placement[event.square] = event.cell;
  }
  return placement;
}

const lastReading = (events: readonly SensorEvent[]): ClockReading | undefined =>
  events.findLast((event) => event.type === 'clock')?.reading;

/** Everything the rest of the house relies on, for one kind of board. */
export function describeBoard(definition: BoardDefinition): void {
  const connect = (options: SimulatorOptions = {}): Loop =>
    new Loop(definition.createSession(), definition.createSimulator(options)).open();
  const play = (loop: Loop, ...touches: string[]): void => {
    for (const touch of touches) {
      const [square, letter] = touch.split('=') as [string, string | undefined];
      loop.square(parseSquare(square)!, letter === undefined ? EMPTY : parseCell(letter)!).wait(700);
    }
  };
  const shown = (loop: Loop): Placement => placementOf(sensorsOf(loop.outputs));
  /** What stands on the table as this kind of board can see it. */
  const agrees = (loop: Loop, fen: string): boolean => placementsAgree(shown(loop), parsePlacement(fen)!);
  const seesSquares = definition.profile.sensing !== 'moves';

  describe(`board ${definition.id}`, () => {
    test('describes itself completely', () => {
      expect(definition.id).toMatch(/^[a-z][a-z0-9-]*$/);
      expect(definition.name).not.toBe('');
      expect(definition.models.length).toBeGreaterThan(0);
      expect(SENSING).toContain(definition.profile.sensing);
      expect(definition.profile.scanMs).toBeGreaterThan(0);
      const { serial, usb, hid, bluetooth } = definition;
      // A serial line has no packets.
      if (definition.packets === true) expect(serial).toBeUndefined();
      expect(serial ?? hid ?? bluetooth?.lowEnergy).toBeDefined();
      for (const identity of [...usb, ...(hid?.usb ?? [])]) {
        expect(identity.vendorId).toMatch(/^[0-9a-f]{4}$/);
        if (identity.productId !== undefined) expect(identity.productId).toMatch(/^[0-9a-f]{4}$/);
        expect(identity.why).not.toBe('');
      }
      // A pattern that remembers where it was would know a name only every other time.
      const patterns = [...usb, ...(hid?.usb ?? [])].flatMap(({ product }) => product ?? []);
      for (const pattern of [...patterns, ...(bluetooth?.names ?? [])])
        expect(pattern.flags).not.toMatch(/[gy]/);
    });

    test('says where it is reached: reports, services and characteristics', () => {
      const { serial, hid, bluetooth } = definition;
      if (hid !== undefined) {
        expect(hid.usb.length).toBeGreaterThan(0);
        for (const number of [hid.usagePage, hid.reportLength]) expect(number).toBeGreaterThan(0);
        if (hid.reportId !== 'first-byte') expect(hid.reportId).toBeLessThan(256);
      }
      if (bluetooth !== undefined) {
        expect(bluetooth.names.length).toBeGreaterThan(0);
        // Over classic Bluetooth it is a serial port, over Low Energy it is not.
        expect((bluetooth.classic === true && serial !== undefined) || bluetooth.lowEnergy).toBeTruthy();
      }
      const low = bluetooth?.lowEnergy;
      if (low !== undefined) {
        expect(low.services.length).toBeGreaterThan(0);
        expect(low.notify.length).toBeGreaterThan(0);
        expect(low.greatestWrite).toBeGreaterThan(0);
        for (const uuid of [...low.services, ...low.notify, low.write])
          expect(uuid).toMatch(/^([0-9a-f]{4}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/);
      }
    });

    test('becomes ready, with its serial number where it has one, and position', () => {
      const loop = connect({ serialNumber: '04711' }).wait(READY_MS);
      expect(loop.states).toEqual(['identifying', 'ready']);
      const identity = Object.assign(
        {},
        ...loop.outputs.flatMap((o) => (o.type === 'identity' ? [o.identity] : [])),
      );
      expect(identity.serialNumber).toBe(definition.capabilities.serialNumber ? '04711' : undefined);
      if (seesSquares) expect(agrees(loop, START)).toBe(true);
    });

    test('has told the position before it calls itself ready', () => {
      if (!seesSquares) return;
      const loop = connect({ placement: '8/8/8/3k4/8/8/8/K7' }).wait(READY_MS);
      const ready = loop.outputs.findIndex((o) => o.type === 'state' && o.state === 'ready');
      const before = placementOf(sensorsOf(loop.outputs.slice(0, ready)));
      expect(placementsAgree(before, parsePlacement('8/8/8/3k4/8/8/8/K7')!)).toBe(true);
    });

    test('tells every change, in its own coordinates when it is turned', () => {
      if (!seesSquares) return;
      const moves = ['e2', 'e4=P', 'd7', 'd5=p', 'd5', 'e4', 'd5=P'];
      const after = 'rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR';
      const loop = connect().wait(READY_MS);
      play(loop, ...moves);
      loop.wait(KNOWN_MS);
      expect(agrees(loop, after)).toBe(true);
      const turned = connect({ rotated: true }).wait(READY_MS);
      play(turned, ...moves);
      turned.wait(KNOWN_MS);
      expect(placementsAgree(shown(turned), turnPlacement(parsePlacement(after)!))).toBe(true);
    });

    test('tells the squares of a random board', () => {
      if (!seesSquares) return;
      const cells = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 64, maxLength: 64 });
      fc.assert(
        fc.property(cells, (wanted: Cell[]) => {
          const loop = connect({ placement: '8/8/8/8/8/8/8/8' }).wait(READY_MS);
          wanted.forEach((cell, square) => {
            loop.square(square, cell);
          });
          loop.wait(KNOWN_MS);
          expect(placementsAgree(shown(loop), Uint8Array.from(wanted))).toBe(true);
        }),
        { numRuns: 20 },
      );
    });

    test('tells the clock by faces: times, which one runs, and the lever', () => {
      if (!definition.capabilities.clock) return;
      const loop = connect().wait(READY_MS);
      loop.clock(90_000, 60_000, 'white').wait(2500);
      const [left, right] = [
        lastReading(sensorsOf(loop.outputs))?.left,
        lastReading(sensorsOf(loop.outputs))?.right,
      ];
      expect([left?.timeMs, right?.timeMs].sort()).toEqual([60_000, 88_000]);
      const white = left?.timeMs === 88_000 ? 'left' : 'right';
      expect(lastReading(sensorsOf(loop.outputs))).toMatchObject({
        running: white,
        lever: white,
        connected: true,
      });
      loop.clock(88_000, 60_000, 'black').wait(1500);
      const black = white === 'left' ? 'right' : 'left';
      expect(lastReading(sensorsOf(loop.outputs))).toMatchObject({ running: black, lever: black });
      loop.clock(88_000, 59_000, undefined).wait(1500);
      expect(lastReading(sensorsOf(loop.outputs))).toMatchObject({ running: undefined, lever: black });
      loop.clock(88_000, 1000, 'black').wait(5000);
      const fallen = lastReading(sensorsOf(loop.outputs))!;
      expect(fallen[black]).toEqual({ timeMs: 0, flag: true });
      expect(fallen[white].flag).toBe(false);
    });

    test('gives times that never fall, and none that lies ahead', () => {
      const loop = connect().wait(READY_MS);
      play(loop, 'e2', 'e4=P');
      const times = sensorsOf(loop.outputs).map((event) => event.atMs);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.at(-1)).toBeLessThanOrEqual(loop.nowMs);
    });

    test('says the same again when its bytes are replayed', () => {
      const loop = connect().wait(READY_MS);
      loop.clock(60_000, 60_000, 'white');
      play(loop, 'e2', 'e4=P');
      loop.inject(Uint8Array.of(1, 2, 3)).clock(59_000, 60_000, 'black');
      play(loop, 'e7', 'e5=p');
      const live = sensorsOf(loop.outputs);
      expect(live.length).toBeGreaterThan(4);
      expect(sensorsOf(loop.replay(definition))).toEqual(live);
    });

    test('goes on when it says what no table knows, and that is told', () => {
      const loop = connect().wait(READY_MS);
      const before = loop.outputs.length;
      for (let count = 0; count < 3; count++)
        loop.inject(NEW_WORDS[definition.id] ?? NEW_MESSAGE).wait(KNOWN_MS);
      const told = loop.outputs
        .slice(before)
        .filter((o) => o.type === 'discarded' || (o.type === 'message' && o.name.startsWith('UNKNOWN')));
      expect(told.length).toBeGreaterThanOrEqual(3);
      play(loop, 'e2', 'e4=P');
      loop.wait(KNOWN_MS);
      expect(loop.losses).toEqual([]);
      expect(loop.states.at(-1)).toBe('ready');
      if (seesSquares) expect(agrees(loop, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR')).toBe(true);
    });

    test('does the same again when the same happens', () => {
      const run = (): unknown => {
        const loop = connect().wait(READY_MS);
        play(loop, 'e2', 'e4=P');
        loop.inject(Uint8Array.of(0xff, 2, 3)).wait(7000);
        return [loop.outputs, loop.traffic];
      };
      expect(run()).toEqual(run());
    });

    test('is called lost when the cable is dead and nobody says so', () => {
      const loop = connect().wait(READY_MS).unplug().wait(LOSS_MS);
      expect(loop.losses).toEqual(['LINK_SILENT']);
      expect(loop.states.at(-1)).toBe('silent');
    });

    test('is the same board when its link is opened again, and what happened meanwhile is known', () => {
      const loop = connect({ serialNumber: '04711' }).wait(READY_MS).unplug().wait(LOSS_MS);
      play(loop, 'e2', 'e4=P');
      loop.open().wait(READY_MS);
      expect(loop.states.slice(-2)).toEqual(['identifying', 'ready']);
      if (seesSquares) expect(agrees(loop, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR')).toBe(true);
    });

    test('gives up a link on which nobody of its kind answers', () => {
      const driver = new MachineDriver<SessionEvent, SessionOutput>(definition.createSession());
      const outputs = driver.feed({ type: 'opened', atMs: 0 });
      for (let atMs = 100; atMs < LOSS_MS; atMs += 100) {
        driver.feed({ type: 'bytes', atMs, bytes: new TextEncoder().encode('login: \r\n') }, outputs);
      }
      expect(outputs.flatMap((o) => (o.type === 'lost' ? [o.fault.code] : []))).toEqual(['LINK_FOREIGN']);
    });

    test('decodes any bytes in any pieces to the same, and never fails', () => {
      fc.assert(
        fc.property(fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 20 }), (chunks) => {
          const whole = Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
          const decoder = definition.createDecoder();
          const pieces = chunks.flatMap((chunk) => decoder.decode(chunk, 5));
          const once = definition.createDecoder().decode(whole, 5);
          for (const item of [...pieces, ...once])
            if (item.type === 'discarded') expect(item.fault.code).toMatch(/^FRAME_/);
          // Where a packet is a message, pieces of one are other messages.
          if (definition.packets === true) return;
          const good = (decoded: readonly Decoded[]): Decoded[] =>
            decoded.filter((d) => d.type !== 'discarded');
          expect(good(pieces)).toEqual(good(once));
          const lost = (decoded: readonly Decoded[]): number[] =>
            decoded.flatMap((d) => (d.type === 'discarded' ? [...d.bytes] : []));
          expect(lost(pieces)).toEqual(lost(once));
        }),
      );
    });

    test('keeps two decoders apart', () => {
      const loop = connect().wait(READY_MS);
      const rx = loop.received(definition);
      const [a, b] = [definition.createDecoder(), definition.createDecoder()];
      const both = rx.flatMap((t) => {
        b.decode(t.bytes.subarray(0, 1), t.atMs);
        return a.decode(t.bytes, t.atMs);
      });
      expect(both).toEqual(loop.replay(definition));
    });

    test('has a simulated board that takes any bytes', () => {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.nat({ max: 2000 }), fc.uint8Array()), { maxLength: 30 }),
          (writes) => {
            const driver = new MachineDriver(definition.createSimulator({}));
            let atMs = 0;
            for (const [waitMs, bytes] of writes) {
              atMs += waitMs;
              driver.feed({ type: 'bytes', atMs, bytes });
              expect(driver.wakeAtMs ?? Infinity).toBeGreaterThan(atMs);
            }
          },
        ),
      );
    });
  });
}
