import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CLOCK_ICONS,
  decodeClockMessage,
  encodeClockBeep,
  encodeClockDisplay,
  encodeClockEnd,
  encodeClockSetAndRun,
  encodeClockText,
  encodeClockVersion,
  encodeRevelationText,
} from '../../../boards/dgt/clock.ts';
import { bytesOf, hex } from '../loop.ts';

/** Reads the payload of a whole clock message written as text. */
const read = (text: string) => decodeClockMessage(bytesOf(text).subarray(3));

const time = (h: number, m: number, s: number): number => ((h * 60 + m) * 60 + s) * 1000;

describe('a reading', () => {
  test.each([
    ['8D 00 0A 20 03 02 20 03 02 08', time(0, 3, 2), time(0, 3, 2), undefined, 'left'],
    ['8D 00 0A 20 03 02 20 03 01 09', time(0, 3, 1), time(0, 3, 2), 'left', 'left'],
    ['8D 00 0A 20 03 02 20 03 01 13', time(0, 3, 1), time(0, 3, 2), 'right', 'right'],
    ['8D 00 0A 20 03 02 20 03 02 12', time(0, 3, 2), time(0, 3, 2), undefined, 'right'],
    ['8D 00 0A 01 30 00 01 23 45 09', time(1, 23, 45), time(1, 30, 0), 'left', 'left'],
    // The two disputed bits exchanged: they change nothing.
    ['8D 00 0A 20 03 02 20 03 01 11', time(0, 3, 1), time(0, 3, 2), 'left', 'left'],
    ['8D 00 0A 20 03 02 20 03 01 0B', time(0, 3, 1), time(0, 3, 2), 'right', 'right'],
  ])(
    '%s has the right face first and the running side from the lever',
    (text, left, right, running, lever) => {
      expect(read(text)).toEqual({
        type: 'reading',
        reading: {
          left: { timeMs: left, flag: false },
          right: { timeMs: right, flag: false },
          running,
          lever,
          connected: true,
        },
      });
    },
  );

  test('tells of a fallen flag, blocked at zero or with the clock running on', () => {
    expect(read('8D 00 0A 30 00 00 20 00 16 12')).toMatchObject({
      reading: {
        right: { timeMs: 0, flag: true },
        left: { timeMs: 16_000, flag: false },
        running: undefined,
        lever: 'right',
      },
    });
    expect(read('8D 00 0A 20 03 02 60 29 59 09')).toMatchObject({
      reading: { left: { timeMs: time(0, 29, 59), flag: true }, running: 'left' },
    });
  });

  test('tells of a low battery only when it is low', () => {
    expect(read('8D 00 0A 02 00 00 02 00 00 0C')).toMatchObject({
      reading: { batteryLow: true, left: { timeMs: time(2, 0, 0) }, right: { timeMs: time(2, 0, 0) } },
    });
    expect(read('8D 00 0A 02 00 00 02 00 00 08')).not.toHaveProperty('reading.batteryLow');
  });

  test('says when no clock is connected, whatever the times say', () => {
    expect(read('8D 00 0A 00 00 00 00 00 00 20')).toMatchObject({ reading: { connected: false } });
    expect(read('8D 00 0A 00 7F 7F 00 7F 7F 21')).toMatchObject({
      reading: { connected: false, running: undefined, left: { timeMs: 0 }, right: { timeMs: 0 } },
    });
  });

  test('that is all zero is none', () => {
    expect(read('8D 00 0A 00 00 00 00 00 00 00')).toEqual({ type: 'empty' });
  });

  test.each([
    ['minutes above 59', '8D 00 0A 00 60 00 00 00 00 08'],
    ['seconds above 59', '8D 00 0A 00 00 00 00 00 75 08'],
    ['a digit above 9', '8D 00 0A 00 0A 00 00 00 00 08'],
    ['hours above 10', '8D 00 0A 0B 00 00 00 00 00 08'],
    ['hours above 10 on the other face', '8D 00 0A 00 00 00 2F 00 00 08'],
  ])('with %s is refused', (_, text) => {
    expect(read(text)).toEqual({ type: 'implausible' });
  });
});

describe('an acknowledgement', () => {
  test.each([
    ['8D 00 0A 0A 10 09 0A 20 00 00', { type: 'version', main: 2, sub: 0 }],
    ['8D 00 0A 0A 10 09 0A 1E 00 00', { type: 'version', main: 1, sub: 14 }],
    ['8D 00 0A 0A 10 01 0A 00 00 00', { type: 'accepted', command: 0x01 }],
    ['8D 00 0A 0A 10 03 0A 00 00 00', { type: 'accepted', command: 0x03 }],
    ['8D 00 0A 0A 10 0C 0A 00 00 00', { type: 'accepted', command: 0x0c }],
    ['8D 00 0A 0A 10 0A 0A 00 00 00', { type: 'accepted', command: 0x0a }],
    ['8D 00 0A 0A 40 0A 0A 00 00 00', { type: 'failed', command: 0x0a, status: 0x40 }],
    ['8D 00 0A 0A 20 00 0A 00 00 00', { type: 'failed', command: 0x00, status: 0x20 }],
    ['8D 00 0A 0A 10 08 2A 05 31 00', { type: 'buttons', pressed: ['back'] }],
    ['8D 00 0A 0A 10 08 2A 21 34 00', { type: 'buttons', pressed: ['minus'] }],
    ['8D 00 0A 0A 10 08 2A 11 33 00', { type: 'buttons', pressed: ['run'] }],
    ['8D 00 0A 0A 10 08 2A 09 32 00', { type: 'buttons', pressed: ['plus'] }],
    ['8D 00 0A 0A 10 08 2A 41 35 00', { type: 'buttons', pressed: ['ok'] }],
    ['8D 00 0A 0A 10 08 2A 45 31 00', { type: 'buttons', pressed: ['back', 'ok'] }],
    // An XL has no mask.
    ['8D 00 0A 0A 10 08 2A 00 34 00', { type: 'buttons', pressed: ['minus'] }],
    ['8D 00 0A 0A 10 01 2A 00 00 00', { type: 'ready' }],
    ['8D 00 0A 0A 10 10 2A 00 00 00', { type: 'notInMode' }],
    // Packing of the high bits: 10, 8A, 80, 97.
    ['8D 00 0A 3A 10 0A 2A 00 17 00', { type: 'mode', mode: 0x97 }],
    ['8D 00 0A 0A 10 7F 2A 01 02 00', { type: 'other', bytes: [0x10, 0xff, 1, 2] }],
  ])('%s is read', (text, ack) => {
    expect(read(text)).toEqual({ type: 'ack', ack });
  });

  test('is recognised by either of its two marks, and never taken for a time', () => {
    expect(read('8D 00 0A 0A 10 01 00 00 00 00')).toMatchObject({ type: 'ack' });
    expect(read('8D 00 0A 00 10 01 0A 00 00 00')).toMatchObject({ type: 'ack' });
  });
});

test('whatever seven bytes arrive, a time is one a clock can show', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 7, maxLength: 7, max: 0x7f }), (payload) => {
      const message = decodeClockMessage(payload);
      if (message.type !== 'reading') return;
      for (const face of [message.reading.left, message.reading.right]) {
        expect(face.timeMs).toBeGreaterThanOrEqual(0);
        expect(face.timeMs).toBeLessThan(36_000_000);
        expect(face.timeMs % 1000).toBe(0);
      }
    }),
  );
});

describe('a command', () => {
  test.each([
    ['text', encodeClockText('Hello'), '2B 0C 03 0C 48 65 6C 6C 6F 20 20 20 00 00'],
    ['text with a beep', encodeClockText('1 e4  e5', 1), '2B 0C 03 0C 31 20 65 34 20 20 65 35 01 00'],
    [
      'text of a Revelation II',
      encodeRevelationText('Hello world'),
      '2B 0F 03 0D 48 65 6C 6C 6F 20 77 6F 72 6C 64 00 00',
    ],
    ['end of text', encodeClockEnd(), '2B 03 03 03 00'],
    ['version', encodeClockVersion(), '2B 03 03 09 00'],
    ['beep', encodeClockBeep(512), '2B 04 03 0B 08 00'],
    ['segments', encodeClockDisplay('e2-e4 '), '2B 0B 03 01 40 5B 79 00 66 79 00 01 00'],
    [
      'segments with a beep',
      encodeClockDisplay(' e2 e4', { beep: true }),
      '2B 0B 03 01 5B 79 00 66 79 00 00 03 00',
    ],
    [
      'segments with colons',
      encodeClockDisplay('123456', { icons: CLOCK_ICONS.leftColon | CLOCK_ICONS.rightColon }),
      '2B 0B 03 01 4F 5B 06 7D 6D 66 12 01 00',
    ],
  ])('%s is written', (_, bytes, expected) => {
    expect(hex(bytes)).toBe(expected);
  });

  test.each([
    [time(0, 5, 0), time(0, 5, 0), undefined, false, '2B 0A 03 0A 00 05 00 00 05 00 04 00'],
    [time(0, 5, 0), time(0, 5, 0), 'left', false, '2B 0A 03 0A 00 05 00 00 05 00 01 00'],
    [time(0, 3, 2), time(0, 3, 2), 'left', true, '2B 0A 03 0A 00 03 02 00 03 02 09 00'],
    [time(1, 30, 0), time(1, 29, 45), 'right', true, '2B 0A 03 0A 01 1E 00 01 1D 2D 0A 00'],
  ] as const)(
    'that sets %i and %i ms with %s running is written',
    (leftMs, rightMs, running, lever, expected) => {
      const bytes = encodeClockSetAndRun({ leftMs, rightMs, running, lever });
      expect(bytes.ok && hex(bytes.value)).toBe(expected);
    },
  );

  test.each([-1, 36_000_000, Number.NaN])('for a time of %d ms is refused', (timeMs) => {
    const bytes = encodeClockSetAndRun({ leftMs: 0, rightMs: timeMs, running: undefined, lever: false });
    expect(bytes).toMatchObject({ ok: false, fault: { code: 'ARGUMENT_INVALID' } });
  });

  test('is right in length and never holds a byte that a board takes for the bus, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer(), fc.double(), (text, beep, duration) => {
        const commands = [
          encodeClockText(text, beep),
          encodeRevelationText(text, beep),
          encodeClockDisplay(text, { icons: beep }),
          encodeClockBeep(duration),
        ];
        for (const bytes of commands) {
          expect(Math.max(...bytes)).toBeLessThan(0x80);
          expect(bytes[1]).toBe(bytes.length - 2);
          expect([bytes[0], bytes[2], bytes.at(-1)]).toEqual([0x2b, 0x03, 0x00]);
        }
        expect(commands.map((c) => c.length)).toEqual([14, 17, 13, 6]);
      }),
    );
  });
});
