import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCommand, encodeLights, IChessOneDecoder } from '../../../boards/ichessone/codec.ts';
import { makePlacement } from '../../../core/placement.ts';
import { bytesOf, hex } from '../loop.ts';

const START = '3D 70 A8 9B C9 8A 77x4 00x16 11x4 42 35 63 24';
const said = (bytes: Uint8Array): unknown[] =>
  new IChessOneDecoder().decode(bytes, 7).map((item) => {
    if (item.type === 'identity') return item.identity;
    if (item.type === 'message') return item.name;
    if (item.type === 'discarded') return item.fault.code;
    return item.event.type === 'dump' ? makePlacement(item.event.placement) : item.event;
  });

describe('iChessOne frames', () => {
  it('tell the position, and a move as two squares', () => {
    const after = bytesOf(START);
    after[2 + 18] = 0x10;
    after[2 + 26] = 0x01;
    expect(said(Uint8Array.from([...bytesOf(START), ...after]))).toEqual([
      'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR',
      'POSITION',
      { type: 'square', atMs: 7, square: 12, cell: 0 },
      { type: 'square', atMs: 7, square: 28, cell: 1 },
      'POSITION',
    ]);
  });

  it('tell the battery', () => {
    expect(said(bytesOf('3D 62 01 64'))).toEqual([{ batteryPercent: 100 }, 'BATTERY']);
  });

  it.each([
    ['3D 62 02 64', 'FRAME_VALUE'],
    ['3D 70 DD', 'FRAME_VALUE'],
    ['3D 68 41', 'FRAME_HEADER'],
    ['41 42', 'FRAME_GARBAGE'],
  ])('that are none come out with a code: %s', (bytes, code) => {
    expect(said(bytesOf(bytes))).toEqual([code]);
  });

  it('lose none to a broken one before it', () => {
    const good = bytesOf(START);
    fc.assert(
      fc.property(fc.nat({ max: good.length - 1 }), (length) => {
        const names = said(Uint8Array.from([...good.subarray(0, length), ...good]));
        expect(names.at(-1)).toBe('POSITION');
      }),
    );
  });
});

describe('the host of an iChessOne', () => {
  it('writes what the document has', () => {
    expect(hex(encodeCommand('RP'))).toBe('52 50');
    expect(hex(encodeLights([12, 28]))).toBe('45 4C 80 0F 00 00 00 00 00 10 00 10 00 00 01 FF');
    expect(hex(encodeLights([18]))).toBe('45 4C 80 0F 00 00 00 00 00 00 04 00 00 00 01 FF');
    expect(hex(encodeLights([]))).toBe('45 4C 00 0F 00 00 00 00 00 00 00 00 00 00 01 FF');
  });
});
