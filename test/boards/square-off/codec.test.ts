import { describe, expect, it } from 'vitest';
import { encodeCommand, encodeLights, SquareOffDecoder } from '../../../boards/square-off/codec.ts';
import { makePlacement } from '../../../core/placement.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const said = (text: string): unknown[] =>
  new SquareOffDecoder().decode(bytes(text), 7).map((item) => {
    if (item.type === 'message') return item.name;
    if (item.type === 'discarded') return item.fault.code;
    if (item.type === 'identity') return item.identity;
    const { event } = item;
    return event.type === 'dump' ? makePlacement(event.placement) : event;
  });

describe('texts of a Square Off Pro', () => {
  it.each([
    ['11000011'.repeat(8), '????????/????????/8/8/8/8/????????/????????'],
    [
      '1100001111000011110000111100001110010011110000111100001111000011',
      '????????/????????/8/8/4?3/8/????1???/????????',
    ],
  ])('tell occupancy file by file: %s', (digits, placement) => {
    expect(said(`30#${digits}*`)).toEqual([placement, 'OCCUPANCY']);
  });

  it('tell lifts and places', () => {
    expect(said('0#e2u*0#e4d*')).toEqual([
      { type: 'square', atMs: 7, square: 12, cell: 0 },
      'SQUARE',
      { type: 'square', atMs: 7, square: 28, cell: 13 },
      'SQUARE',
    ]);
  });

  it('tell the battery in two ways and other things in numbers that are kept', () => {
    expect(said('22#3.52*4#4095.00*14#GO*99#x*')).toEqual(['BATTERY', 'BATTERY', 'NEW_GAME', 'UNKNOWN_99']);
  });

  it('lose nothing but what is damaged', () => {
    expect(said('0#e9u*0#e2x*30#101*hello*')).toEqual([
      'FRAME_VALUE',
      'FRAME_VALUE',
      'FRAME_VALUE',
      'FRAME_GARBAGE',
    ]);
    expect(said('noise0#e2u*').at(-1)).toBe('SQUARE');
  });
});

describe('the host of a Square Off Pro', () => {
  it('writes what the document has', () => {
    const text = (written: Uint8Array): string => new TextDecoder().decode(written);
    expect(text(encodeCommand('30#R*'))).toBe('30#R*');
    expect(text(encodeLights([12, 28]))).toBe('25#e2e4*');
    expect(text(encodeLights([]))).toBe('25#*');
  });
});
