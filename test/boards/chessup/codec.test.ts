import { describe, expect, it } from 'vitest';
import { ChessUpDecoder } from '../../../boards/chessup/codec.ts';
import { createChessUpSession } from '../../../boards/chessup/session.ts';
import { createChessUpSimulator } from '../../../boards/chessup/simulator.ts';
import { makePlacement } from '../../../core/placement.ts';
import { bytesOf, Loop } from '../loop.ts';

const START = '67 01 02 03 04 05 03 02 01 00x8 40x32 08x8 09 0A 0B 0C 0D 0B 0A 09 00 01 01 01 01 40 00 01';
const said = (...packets: Uint8Array[]): unknown[] => {
  const decoder = new ChessUpDecoder();
  return packets
    .flatMap((packet) => decoder.decode(packet, 7))
    .map((item) => {
      if (item.type === 'message') return item.name;
      if (item.type === 'discarded') return item.fault.code;
      if (item.type === 'identity') return item.identity;
      return item.event.type === 'dump' ? makePlacement(item.event.placement) : item.event;
    });
};

describe('packets of a ChessUp', () => {
  it('tell the position, and the next one as changes', () => {
    const after = bytesOf(START);
    after[1 + 12] = 0x40;
    after[1 + 28] = 0x00;
    expect(said(bytesOf(START), after)).toEqual([
      'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR',
      'POSITION',
      { type: 'square', atMs: 7, square: 12, cell: 0 },
      { type: 'square', atMs: 7, square: 28, cell: 1 },
      'POSITION',
    ]);
  });

  it.each([
    ['A3 35 04 01 04 03', 'MOVE'],
    ['B8 0C', 'TOUCHED'],
    ['A3 35', 'FRAME_TRUNCATED'],
    ['67 06x64', 'FRAME_VALUE'],
    ['EE 01', 'UNKNOWN_EE'],
  ])('are known by their first byte: %s', (bytes, name) => {
    expect(said(bytesOf(bytes))).toEqual([name]);
  });
});

describe('the session of a ChessUp', () => {
  it('acknowledges a move and asks for the position after it', () => {
    const loop = new Loop(createChessUpSession(), createChessUpSimulator()).open().wait(3000);
    const before = loop.written.length;
    loop.square(12, 0).wait(600).square(28, 1).wait(3000);
    expect(loop.written.slice(before, before + 2)).toEqual(['21', '67']);
    expect(loop.sensors.slice(-2)).toMatchObject([
      { event: { square: 12, cell: 0 } },
      { event: { square: 28, cell: 1 } },
    ]);
  });
});
