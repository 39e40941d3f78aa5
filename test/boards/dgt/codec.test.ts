import { describe, expect, test } from 'vitest';
import type { Decoded } from '../../../boards/definition.ts';
import {
  DgtDecoder,
  decodeBattery,
  decodeBusAddress,
  encodeCommand,
  speaksProtocol,
} from '../../../boards/dgt/codec.ts';
import { COMMANDS, MESSAGES, type PlainCommandName } from '../../../boards/dgt/messages.ts';
import { makePlacement, parsePlacement } from '../../../core/placement.ts';
import { makeSquare } from '../../../core/square.ts';
import { bytesOf, hex } from '../loop.ts';

const decode = (text: string, atMs = 7): Decoded[] => new DgtDecoder().decode(bytesOf(text), atMs);

/** One line for what was decoded. */
const show = (decoded: Decoded): string => {
  switch (decoded.type) {
    case 'sensor': {
      const { event } = decoded;
      if (event.type === 'square') return `${makeSquare(event.square)}=${event.cell}`;
      return event.type === 'dump' ? makePlacement(event.placement) : event.type;
    }
    case 'identity':
      return JSON.stringify(decoded.identity);
    case 'message':
      return decoded.name;
    case 'discarded':
      return decoded.fault.code;
  }
};

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const START_FRAME = '86 00 43 08 09 0A 0C 0B 0A 09 08 07x8 00x32 01x8 02 03 04 06 05 04 03 02';
const TURNED_FRAME = '86 00 43 02 03 04 05 06 04 03 02 01x8 00x32 07x8 08 09 0A 0B 0C 0A 09 08';

describe('a board dump', () => {
  test('of the initial position is read with a8 first', () => {
    const [dump] = decode(START_FRAME);
    expect(dump).toEqual({
      type: 'sensor',
      event: { type: 'dump', atMs: 7, placement: parsePlacement(START) },
    });
  });

  test('of a turned board is left turned: that is not for the codec to mend', () => {
    expect(decode(TURNED_FRAME).map(show)).toEqual(['RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr']);
  });

  test('of a draughts board is a message without squares', () => {
    expect(decode('86 00 67 01x100').map(show)).toEqual(['BOARD_DUMP']);
    expect(decode('86 00 67 01x100')[0]).toMatchObject({ type: 'message' });
  });

  test('keeps the four bits of a piece and tells of others', () => {
    expect(decode('86 00 43 48 00x63').map(show)).toEqual(['r7/8/8/8/8/8/8/8', 'BOARD_DUMP_EXTRA_BITS']);
  });
});

describe('a field update', () => {
  test.each([
    ['8E 00 05 34 00', ['e2=0']],
    ['8E 00 05 24 01', ['e4=1']],
    ['8E 00 05 3C 00 8E 00 05 3E 05 8E 00 05 3F 00 8E 00 05 3D 02', ['e1=0', 'g1=6', 'h1=0', 'f1=4']],
    ['8E 00 05 04 00 8E 00 05 06 0B 8E 00 05 07 00 8E 00 05 05 08', ['e8=0', 'g8=12', 'h8=0', 'f8=10']],
    ['8E 00 05 12 00 8E 00 05 19 00 8E 00 05 12 04', ['c6=0', 'b5=0', 'c6=3']],
    ['8E 00 05 0B 00 8E 00 05 12 07', ['d7=0', 'c6=7']],
    ['8E 00 05 24 05 8E 00 05 1B 0B', ['e4=6', 'd5=12']],
    ['8E 00 05 23 05 8E 00 05 1C 0B', ['d4=6', 'e5=12']],
  ])('%s is %s', (text, expected) => {
    expect(decode(text).map(show)).toEqual(expected);
  });

  test('covers every piece, king before queen', () => {
    const cells = [...Array(13).keys()].map((code) => show(decode(`8E 00 05 00 ${code.toString(16)}`)[0]!));
    expect(cells).toEqual([0, 1, 4, 2, 3, 6, 5, 7, 10, 8, 9, 12, 11].map((cell) => `a8=${cell}`));
  });

  test('takes six bits of the square and four of the piece, and tells of others', () => {
    expect(decode('8E 00 05 74 00').map(show)).toEqual(['e2=0', 'FIELD_UPDATE_EXTRA_BITS']);
    expect(decode('8E 00 05 24 11').map(show)).toEqual(['e4=1', 'FIELD_UPDATE_EXTRA_BITS']);
  });

  test.each(['0D', '0E', '0F'])('with result piece %s holds no chessman and is told besides', (code) => {
    expect(decode(`8E 00 05 24 ${code}`).map(show)).toEqual(['e4=0', 'RESULT_PIECE']);
  });
});

describe('identity', () => {
  test.each([
    ['91 00 08 30 31 30 32 35', '{"serialNumber":"01025"}', 'SERIALNR'],
    ['91 00 0C 30 31 30 32 35 20 31 2E 30', '{"serialNumber":"01025"}', 'SERIALNR'],
    ['A2 00 0D 33 32 35 30 30 31 30 30 30 31', '{"longSerialNumber":"3250010001"}', 'LONG_SERIALNR'],
    ['A2 00 0D 33 2E 32 35 30 30 31 30 30 30', '{"model":"Revelation II"}', 'LONG_SERIALNR'],
    ['93 00 05 01 08', '{"firmware":"1.8"}', 'VERSION'],
    ['93 00 05 03 0A', '{"firmware":"3.10"}', 'VERSION'],
    ['92 00 10 53 69 6D 20 62 6F 61 72 64 20 31 2E 30', '{"trademark":"Sim board 1.0"}', 'TRADEMARK'],
    ['A0 00 0C 58 7F 7F 01 1E 00 02 05 02', '{"batteryPercent":88}', 'BATTERY_STATUS'],
    ['8D 00 0A 0A 10 09 0A 20 00 00', '{"clock":"DGT 3000 2.0"}', 'CLOCK_ACK'],
    ['8D 00 0A 0A 10 09 0A 1E 00 00', '{"clock":"DGT XL 1.14"}', 'CLOCK_ACK'],
  ])('%s tells %s', (text, identity, name) => {
    expect(decode(text).map(show)).toEqual([identity, name]);
  });

  test('takes a trademark text of 150 characters and its line breaks', () => {
    const letters = 'Line one\r\nline two'.padEnd(150, '.');
    const text = `92 01 19 ${hex(Uint8Array.from(letters, (c) => c.charCodeAt(0)))}`;
    expect(decode(text)[0]).toEqual({
      type: 'identity',
      identity: { trademark: letters.replace('\r\n', '\n') },
    });
  });

  test('does not take a battery charge above 100 %', () => {
    expect(decode('A0 00 0C 65 00 00 00 00 00 00 00 00').map(show)).toEqual(['BATTERY_STATUS']);
  });
});

test('reads a bus address', () => {
  expect(decodeBusAddress(bytesOf('08 01'))).toBe(1025);
});

test.each([
  ['58 7F 7F 01 1E 00 02 05 02', 88, undefined, 90, 125, false, true],
  ['40 01 2D 00 0A 00 00 00 01', 64, 105, 10, 0, true, false],
  ['64 7F 7F 00 00 00 00 00 00', 100, undefined, 0, 0, false, false],
  ['58 00 00 00 00 00 00 00 02', 88, 0, 0, 0, false, true],
])('reads the battery status %s', (text, percent, remaining, on, standby, charging, discharging) => {
  expect(decodeBattery(bytesOf(text))).toEqual({
    percent,
    remainingMs: remaining === undefined ? undefined : remaining * 60_000,
    onMs: on * 60_000,
    standbyMs: standby * 60_000,
    charging,
    discharging,
  });
});

test('gives every other message by its name, an unknown one by its number', () => {
  for (const { id, name } of MESSAGES.filter((m) =>
    ['I2C_CLOCK', 'LOCK_STATE', 'DEVKEY_STATE'].includes(m.name),
  )) {
    const [message] = new DgtDecoder().decode(Uint8Array.of(id, 0, 4, 9), 0);
    expect(message).toEqual({ type: 'message', name, payload: Uint8Array.of(9) });
  }
  const [unknown] = decode('B7 00 04 09');
  expect(unknown).toMatchObject({ type: 'message', name: 'UNKNOWN_B7' });
  expect(speaksProtocol(unknown!)).toBe(false);
});

test('tells a clock message with impossible digits as discarded, whole', () => {
  const text = '8D 00 0A 20 7B 02 20 03 02 08';
  expect(decode(text)).toMatchObject([{ type: 'discarded', fault: { code: 'FRAME_VALUE' } }]);
  expect(decode(text)[0]).toMatchObject({ bytes: bytesOf(text) });
});

test('gives events the time of the chunk that completes them', () => {
  const decoder = new DgtDecoder();
  expect(decoder.decode(bytesOf('8E 00 05'), 100)).toEqual([]);
  expect(decoder.decode(bytesOf('34 00'), 250)).toMatchObject([{ event: { atMs: 250 } }]);
});

describe('commands', () => {
  const plain = COMMANDS.filter((c) => !('never' in c) && !('data' in c));

  test.each(plain.map((c) => [c.name, c.id] as const))('%s is the one byte of the table', (name, id) => {
    expect([...encodeCommand(name as PlainCommandName)]).toEqual([id]);
    expect(id).toBeLessThan(0x80);
  });

  test.each(COMMANDS.filter((c) => 'never' in c || 'data' in c).map((c) => [c.name] as const))(
    '%s cannot be encoded',
    (name) => {
      // @ts-expect-error these names are not part of the parameter's type either
      expect(() => encodeCommand(name)).toThrow();
    },
  );

  test('hold the boot loader among those that cannot be', () => {
    expect(COMMANDS.find((c) => c.id === 0x4e)).toHaveProperty('never');
    expect(plain.some((c) => (c.id as number) === 0x4e)).toBe(false);
  });

  test('have ids and names of their own, and answers that exist', () => {
    expect(new Set(COMMANDS.map((c) => c.id)).size).toBe(COMMANDS.length);
    expect(new Set(COMMANDS.map((c) => c.name)).size).toBe(COMMANDS.length);
    const names = MESSAGES.map((m) => m.name as string);
    for (const c of COMMANDS) if ('answer' in c) expect(names).toContain(c.answer);
  });
});
