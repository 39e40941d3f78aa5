import { describe, expect, it } from 'vitest';
import { encodeLights, StauntonDecoder } from '../../../boards/staunton/codec.ts';
import { createStauntonSession } from '../../../boards/staunton/session.ts';
import { createStauntonSimulator } from '../../../boards/staunton/simulator.ts';
import { makePlacement } from '../../../core/placement.ts';
import { bytesOf, hex, Loop } from '../loop.ts';

const START = '43 25 51 34 66x4 00x16 CCx4 A9 8B B7 9A';
const TURNED = 'A9 7B B8 9A CCx4 00x16 66x4 43 15 52 34';
const said = (...chunks: Uint8Array[]): unknown[] => {
  const decoder = new StauntonDecoder();
  return chunks
    .flatMap((chunk) => decoder.decode(chunk, 7))
    .map((item) => {
      if (item.type === 'message') return item.name;
      if (item.type === 'discarded') return item.fault.code;
      if (item.type === 'identity') return item.identity;
      return item.event.type === 'dump' ? makePlacement(item.event.placement) : item.event;
    });
};
const usb = (bytes: string): Uint8Array => bytesOf(`00 ${bytes}`);

describe('reports of a House of Staunton board', () => {
  it('tell the position, turned or not', () => {
    expect(said(usb(START))).toEqual(['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR', 'POSITION']);
    expect(said(usb(TURNED))).toEqual(['RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr', 'POSITION']);
  });

  it('tell a move as two squares', () => {
    const after = usb(START);
    after[1 + 6] = 0x60;
    after[1 + 14] = 0x06;
    expect(said(usb(START), after).slice(2)).toEqual([
      { type: 'square', atMs: 7, square: 12, cell: 0 },
      { type: 'square', atMs: 7, square: 28, cell: 1 },
      'POSITION',
    ]);
  });

  it('say the same as text over Bluetooth, in any pieces', () => {
    const text = new TextEncoder().encode(`${hex(bytesOf(START)).replaceAll(' ', '')},`);
    const pieces = [...text].map((byte) => Uint8Array.of(byte));
    expect(said(...pieces)).toEqual(['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR', 'POSITION']);
  });

  it('tell the clock by faces', () => {
    expect(said(usb('FF CA 01 02 03 00 3B DE 00x24'))).toEqual([
      {
        type: 'clock',
        atMs: 7,
        reading: {
          left: { timeMs: 3_723_000, flag: false },
          right: { timeMs: (59 * 60 + 30) * 1000, flag: false },
          running: 'right',
          lever: 'right',
          connected: true,
        },
      },
      'CLOCK',
    ]);
  });

  it.each([
    ['00 43 25', 'FRAME_TRUNCATED'],
    ['00 DDx32', 'FRAME_VALUE'],
    ['00 FF CA 01 3C 03 00 00 00', 'FRAME_VALUE'],
    ['58 59 2C', 'FRAME_GARBAGE'],
  ])('that are none come out with a code: %s', (bytes, code) => {
    expect(said(bytesOf(bytes))).toEqual([code]);
  });
});

describe('the host of a House of Staunton board', () => {
  it('lights one square after the other, after all are out', () => {
    expect(encodeLights([12, 28]).map(hex)).toEqual(['BA', '70', '80']);
  });

  it('becomes ready over Bluetooth too', () => {
    const loop = new Loop(createStauntonSession(), createStauntonSimulator({ bluetooth: true }));
    expect(loop.open().wait(5000).states).toEqual(['identifying', 'ready']);
  });
});
