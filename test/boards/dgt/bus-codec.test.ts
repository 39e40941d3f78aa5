import { describe, expect, test } from 'vitest';
import { ALL_BOARDS, BusDecoder, BusFramer, encodeBusCommand } from '../../../boards/dgt/bus-codec.ts';
import { createDgtBusSimulator } from '../../../boards/dgt/simulator-bus.ts';
import { MachineDriver } from '../../../core/machine.ts';
import { makePlacement } from '../../../core/placement.ts';
import type { SensorEvent } from '../../../core/sensor-event.ts';
import { bytesOf, hex } from '../loop.ts';

/** The worked examples of the protocol: what the host sends to board 1025, and what that board answers. */
const GOLDEN = [
  ['BUS_PING', ALL_BOARDS, '87 00 00 07', '87 00 06 08 01 16'],
  ['BUS_PING', 1025, '87 08 01 10', '87 00 06 08 01 16'],
  ['BUS_IGNORE_NEXT_PING', 1025, '8A 08 01 13', '87 00 06 08 01 16'],
  ['BUS_SEND_CLK', 1025, '81 08 01 0A', '84 00 0D 08 01 20 03 02 20 03 01 09 6C'],
  [
    'BUS_SEND_BRD',
    1025,
    '82 08 01 0B',
    '83 00 46 08 01 08 09 0A 0C 0B 0A 09 08 07x8 00x32 01x8 02 03 04 06 05 04 03 02 7C',
  ],
  ['BUS_SEND_CHANGES', 1025, '83 08 01 0C', '85 00 06 08 01 14'],
  ['BUS_REPEAT_CHANGES', 1025, '84 08 01 0D', '85 00 06 08 01 14'],
  ['BUS_SET_START_GAME', 1025, '85 08 01 0E', '88 00 06 08 01 17'],
] as const;

const FROM_START = `86 00 4C 08 01 7B
  48 00 49 01 4A 02 4C 03 4B 04 4A 05 49 06 48 07 47 08 47 09 47 0A 47 0B 47 0C 47 0D 47 0E 47 0F
  41 30 41 31 41 32 41 33 41 34 41 35 41 36 41 37 42 38 43 39 44 3A 46 3B 45 3C 44 3D 43 3E 42 3F
  6F 40 34 51 24 48`;
const START_DUMP = GOLDEN[4][3];

const say = (event: SensorEvent): string => {
  if (event.type === 'square') return `${event.square}=${event.cell}`;
  if (event.type === 'recalled')
    return `recalled ${event.events.map((e) => say({ ...e, atMs: 0 })).join(' ')}`;
  if (event.type === 'clock') return `${event.reading.left.timeMs} ${event.reading.right.timeMs}`;
  return event.type;
};
const sensors = (decoder: BusDecoder, text: string): string[] =>
  decoder.decode(bytesOf(text), 1).flatMap((d) => (d.type === 'sensor' ? [say(d.event)] : []));

describe('commands of the bus', () => {
  test.each(GOLDEN)(
    '%s to %i is encoded and answered as the protocol shows',
    (name, address, command, reply) => {
      expect(hex(encodeBusCommand(name, address))).toBe(command);
      const line = new MachineDriver(createDgtBusSimulator([{ serialNumber: '01025', timePerMove: true }]));
      const out = line.feed({ type: 'bytes', atMs: 0, bytes: bytesOf('') });
      line.feed({ type: 'clock', atMs: 1, whiteMs: 182_000, blackMs: 182_000, running: 'white' }, out);
      line.advance(900, out);
      line.feed({ type: 'bytes', atMs: 1100, bytes: bytesOf(command) }, out);
      for (let atMs = line.wakeAtMs; atMs !== undefined && atMs < 2600; atMs = line.wakeAtMs)
        line.advance(atMs, out);
      expect(hex(Uint8Array.from(out.flatMap(({ bytes }) => [...bytes])))).toBe(hex(bytesOf(reply)));
    },
  );

  test('the log from the start of a game is the worked example, byte for byte', () => {
    const line = new MachineDriver(createDgtBusSimulator([{ serialNumber: '01025' }]));
    const out = line.feed({ type: 'bytes', atMs: 0, bytes: bytesOf('85 08 01 0E') });
    // Within 250 ms of each other, as in the example; what the next 83 would tell is not part of it.
    line.feed({ type: 'square', atMs: 1190, square: 12, cell: 0 }, out);
    line.feed({ type: 'square', atMs: 1390, square: 28, cell: 1 }, out);
    line.advance(1500, out);
    line.feed({ type: 'bytes', atMs: 1600, bytes: bytesOf('83 08 01 0C') }, out);
    for (let atMs = line.wakeAtMs; atMs !== undefined && atMs < 1900; atMs = line.wakeAtMs)
      line.advance(atMs, out);
    const before = out.length;
    line.feed({ type: 'bytes', atMs: 2000, bytes: bytesOf('86 08 01 0F') }, out);
    for (let atMs = line.wakeAtMs; atMs !== undefined && atMs < 2600; atMs = line.wakeAtMs)
      line.advance(atMs, out);
    expect(hex(Uint8Array.from(out.slice(before).flatMap(({ bytes }) => [...bytes])))).toBe(
      hex(bytesOf(FROM_START)),
    );
  });

  test('what would end the line or the memory of a board cannot be encoded', () => {
    for (const name of ['BUS_END_BUSMODE', 'BUS_RESET'])
      expect(() => encodeBusCommand(name as 'BUS_PING', 1025)).toThrow();
    for (const address of [-1, 0x4000, 1.5]) expect(() => encodeBusCommand('BUS_PING', address)).toThrow();
  });
});

describe('replies of the bus', () => {
  test('tell board, clock, version and changes', () => {
    const decoder = new BusDecoder();
    const identity = decoder.decode(bytesOf('87 00 06 08 01 16 89 00 08 08 01 01 02 1D'), 0);
    expect(identity.flatMap((d) => (d.type === 'identity' ? [d.identity] : []))).toEqual([
      { serialNumber: '01025' },
      { firmware: '1.2' },
    ]);
    expect(sensors(decoder, START_DUMP)).toEqual(['dump']);
    expect(makePlacement(decoder.placement!)).toBe('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR');
    expect(sensors(decoder, '84 00 0D 08 01 20 03 02 20 03 01 09 6C')).toEqual(['181000 182000']);
    expect(sensors(decoder, '85 00 0D 08 01 40 34 51 24 70 59 58 25')).toEqual([
      '12=0',
      '28=1',
      '3598000 182000',
    ]);
    expect(sensors(decoder, '85 00 06 08 01 14')).toEqual([]);
    expect(makePlacement(decoder.placement!)).toBe('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
  });

  test('a packet that a board repeats although it had arrived is told once', () => {
    const decoder = new BusDecoder();
    sensors(decoder, START_DUMP);
    const packet = '85 00 0A 08 01 40 34 51 24 01';
    expect(sensors(decoder, packet)).toEqual(['12=0', '28=1']);
    expect(sensors(decoder, packet)).toEqual([]);
    // Over a new connection as well: the board repeats what it said before the link was lost.
    expect(sensors(decoder.reopen(), packet)).toEqual([]);
  });

  test('the same piece lifted and put back twice is told twice', () => {
    const decoder = new BusDecoder();
    sensors(decoder, START_DUMP);
    const packet = '85 00 0A 08 01 40 34 51 34 11';
    expect(sensors(decoder, packet)).toEqual(['12=0', '12=1']);
    expect(sensors(decoder, packet)).toEqual(['12=0', '12=1']);
  });

  test('the first changes after a lost link are told as what the board remembers', () => {
    const first = new BusDecoder();
    sensors(first, START_DUMP);
    const again = first.reopen();
    expect(sensors(again, '85 00 0A 08 01 40 34 51 24 01')).toEqual(['recalled 12=0 28=1']);
    expect(sensors(again, '85 00 0A 08 01 40 0C 57 1C 57')).toEqual(['52=0', '36=7']);
  });

  test('the log from the start fills in what was not heard, and nothing that was', () => {
    const first = new BusDecoder();
    sensors(first, START_DUMP);
    expect(sensors(first.reopen(), FROM_START)).toEqual(['recalled 12=0 28=1']);
    const later = new BusDecoder();
    sensors(later, START_DUMP);
    sensors(later, '85 00 0A 08 01 40 34 51 24 01');
    expect(sensors(later.reopen(), FROM_START)).toEqual([]);
  });

  test('a wrong checksum costs the packet and nothing else', () => {
    const framer = new BusFramer();
    const out = framer.push(bytesOf('85 00 0A 08 01 40 34 51 24 02 87 00 06 08 01 16'), 0);
    expect(out.map((item) => (item.type === 'reply' ? item.name : item.fault.code))).toEqual([
      'FRAME_CHECKSUM',
      'BUS_PING',
    ]);
  });

  test('every other answer of newer boards has another id', () => {
    const decoder = new BusDecoder();
    sensors(decoder, START_DUMP);
    expect(sensors(decoder, '8B 00 0A 08 01 40 34 51 24 07')).toEqual(['12=0', '28=1']);
  });
});
