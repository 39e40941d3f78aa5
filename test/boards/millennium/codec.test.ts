import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  encodeCommand,
  encodeLights,
  encodeSetting,
  MillenniumDecoder,
} from '../../../boards/millennium/codec.ts';
import { createMillenniumSession } from '../../../boards/millennium/session.ts';
import { createMillenniumSimulator } from '../../../boards/millennium/simulator.ts';
import { makePlacement } from '../../../core/placement.ts';
import { bytesOf, hex, Loop } from '../loop.ts';

/** The start as it is on the wire, parity included (PROTOCOL.md, section 3). */
const START = '73 52 CE C2 CB 51 C2 CE 52 D0x8 AEx32 70x8 F2 6E 62 6B F1 62 6E F2 37 B3';

/** What bytes say, in short. */
const said = (bytes: Uint8Array): unknown[] =>
  new MillenniumDecoder('identity').decode(bytes, 7).map((item) => {
    if (item.type === 'identity') return item.identity;
    if (item.type === 'message') return item.name;
    if (item.type === 'discarded') return item.fault.code;
    return item.event.type === 'dump' ? makePlacement(item.event.placement) : item.event;
  });
const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('ChessLink frames', () => {
  it.each([
    [START, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'],
    [
      hex(ascii('sRNBKQBNRPPP.PPPP...........P....................pppppppprnbkqbnr73')),
      'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR',
    ],
    [
      hex(ascii(`srnbqkbnrpppppppp${'.'.repeat(32)}PPPPPPPPRNBQKBNR73`)),
      'RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr',
    ],
  ])('tell the position, whatever their parity bits', (bytes, placement) => {
    expect(said(bytesOf(bytes))).toEqual([placement, 'POSITION']);
    expect(said(bytesOf(bytes).map((byte) => byte ^ 0x80))).toEqual([placement, 'POSITION']);
  });

  it('tell versions, models and acknowledgements', () => {
    expect(said(bytesOf('76 B0 31 B0 B3 37 34'))).toEqual([
      { firmware: '1.3', model: 'King Performance' },
      'VERSION',
    ]);
    expect(said(bytesOf('EC B6 43 F8 37 38'))).toEqual(['LIGHTS_ACK', 'LIGHTS_OFF_ACK']);
  });

  it.each([
    [encodeCommand('V'), 'D6 B5 B6'],
    [encodeCommand('S'), 'D3 B5 B3'],
    [encodeCommand('X'), '58 B5 38'],
    [encodeCommand('I', '00'), '49 B0 B0 34 B9'],
    [encodeSetting(2, 3), '57 B0 32 B0 B3 B5 B6'],
  ])('are encoded as the document has them', (bytes, golden) => {
    expect(hex(bytes)).toBe(golden);
  });

  it('light squares by their four corners', () => {
    const text = String.fromCharCode(...encodeLights([12, 28]).map((byte) => byte & 0x7f));
    expect(text).toBe(`L32${'0'.repeat(56)}FFFFFFFF${'0'.repeat(10)}FFFFFFFF${'0'.repeat(80)}4D`);
    expect(hex(encodeLights([]))).toBe('58 B5 38');
  });

  it.each([
    ['v010375', 'FRAME_CHECKSUM'],
    ['sRNBKQBNR', undefined],
    ['sRNBKQBNRZ', 'FRAME_TRUNCATED'],
    ['hello', 'FRAME_GARBAGE'],
  ])('that are none come out with a code: %s', (text, code) => {
    expect(said(ascii(text))[0]).toBe(code);
  });

  it('lose none to garbage or to a broken one before it', () => {
    const good = bytesOf(START);
    const broken = fc.oneof(
      fc.uint8Array({ maxLength: 90 }),
      fc.nat({ max: good.length - 1 }).map((length) => good.slice(0, length)),
    );
    fc.assert(
      fc.property(broken, (before) => {
        const decoder = new MillenniumDecoder('identity');
        const decoded = [...before, ...good, ...good];
        const names = decoder
          .decode(Uint8Array.from(decoded), 7)
          .filter((item) => item.type === 'message' && item.name === 'POSITION');
        expect(names.length).toBeGreaterThanOrEqual(2);
      }),
    );
  });
});

describe('the session of a ChessLink board', () => {
  it('asks version, switches reports on and gets the position', () => {
    const loop = new Loop(createMillenniumSession('identity'), createMillenniumSimulator()).open().wait(3000);
    expect(loop.written.slice(0, 3)).toEqual(['D6 B5 B6', '49 B0 B0 34 B9', '57 B0 32 B0 B3 B5 B6']);
    expect(loop.written[3]).toBe('D3 B5 B3');
    expect(loop.states).toEqual(['identifying', 'ready']);
  });

  it('leaves an eONE, whose letters are its own tracking, to its own kind', () => {
    const eOne = { version: '0200', identity: 'e-one 1.0', wrongParity: true };
    const taken = new Loop(createMillenniumSession('identity'), createMillenniumSimulator(eOne)).open();
    expect(taken.wait(3000).losses).toEqual(['LINK_FOREIGN']);
    const own = new Loop(createMillenniumSession('occupancy'), createMillenniumSimulator(eOne)).open();
    expect(own.wait(3000).states).toEqual(['identifying', 'ready']);
    const tournament = { version: '0200', identity: 'tournament' };
    const other = new Loop(createMillenniumSession('identity'), createMillenniumSimulator(tournament)).open();
    expect(other.wait(3000).states).toEqual(['identifying', 'ready']);
  });

  it('does not wait for boards that never acknowledge a setting', () => {
    const loop = new Loop(
      createMillenniumSession('identity'),
      createMillenniumSimulator({ silentSettings: true, wrongParity: true }),
    );
    expect(loop.open().wait(3000).states).toEqual(['identifying', 'ready']);
  });
});
