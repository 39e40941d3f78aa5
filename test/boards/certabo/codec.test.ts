import { describe, expect, it } from 'vitest';
import { CertaboDecoder, encodeLights, SentioDecoder } from '../../../boards/certabo/codec.ts';
import { createListeningSession } from '../../../boards/certabo/session.ts';
import { createCertaboSimulator } from '../../../boards/certabo/simulator.ts';
import type { Decoded, Decoder } from '../../../boards/definition.ts';
import { makePlacement } from '../../../core/placement.ts';
import { hex, Loop } from '../loop.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const short = (decoded: readonly Decoded[]): unknown[] =>
  decoded.map((item) => {
    if (item.type === 'identity') return item.identity;
    if (item.type === 'message') return item.name;
    if (item.type === 'discarded') return item.fault.code;
    const { event } = item;
    if (event.type === 'dump') return makePlacement(event.placement);
    return event.type === 'square' ? [event.square, event.cell] : event.type;
  });

const NOTHING = '0 0 0 0 0';
const HOMES = [...Array(16).keys(), ...Array.from({ length: 16 }, (_, i) => 48 + i)];
/** A set of pieces: piece number n (counted a8 ... h7, a2 ... h1 in the order of the line) carries a tag of its own. */
const tagOf = (index: number): string => `${18 + index} 46 57 ${177 - index} ${index}`;
/** A line with these tags at these places of the line (0 = a8, 63 = h1). */
const lineOf = (tags: ReadonlyMap<number, string>): string =>
  `:${Array.from({ length: 64 }, (_, index) => tags.get(index) ?? NOTHING).join(' ')} \r\n`;
const home = (): Map<number, string> => new Map(HOMES.map((index) => [index, tagOf(index)]));
const moved = (tags: Map<number, string>, from: number, to: number): Map<number, string> => {
  const tag = tags.get(from)!;
  tags.delete(from);
  return tags.set(to, tag);
};
const say = (decoder: Decoder, tags: ReadonlyMap<number, string>, times = 1): unknown[] =>
  short(Array.from({ length: times }, () => decoder.decode(bytes(lineOf(tags)), 7)).flat()).filter(
    (item) => item !== 'POSITION' && item !== 'LEARNING',
  );
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const taught = (): CertaboDecoder => {
  const decoder = new CertaboDecoder();
  expect(say(decoder, home(), 8)).toEqual([START]);
  return decoder;
};

describe('lines of 320 numbers', () => {
  it('teach the pieces when they show the start position, and tell it only then', () => {
    const decoder = new CertaboDecoder();
    expect(say(decoder, home(), 6)).toEqual([]);
    expect(say(decoder, home(), 2)).toEqual([START]);
  });

  it('tell a move of a known piece with one line', () => {
    expect(say(taught(), moved(home(), 52, 36))).toEqual([
      [12, 0],
      [28, 1],
    ]);
  });

  it('tell that a square has become empty with the second line, and believe nothing of a single one', () => {
    const decoder = taught();
    const lifted = home();
    lifted.delete(52);
    expect(say(decoder, lifted)).toEqual([]);
    expect(say(decoder, home())).toEqual([]);
    expect(say(decoder, lifted)).toEqual([[12, 0]]);
  });

  it('have tags that nobody carries on empty squares: not believed before the third line', () => {
    const decoder = taught();
    // The 36th place of a line is e4.
    const noisy = home().set(36, '1 2 3 4 5');
    expect(say(decoder, noisy, 2)).toEqual([]);
    expect(say(decoder, noisy)).toEqual([[28, 13]]);
  });

  it('take pieces that were never taught for pieces that are not known', () => {
    const decoder = new CertaboDecoder();
    expect(say(decoder, new Map([[0, '18 46 57 177 91']]), 2)).toEqual(['?7/8/8/8/8/8/8/8']);
  });

  it('read a tag with four zeros as a tag', () => {
    expect(say(new CertaboDecoder(), new Map([[63, '0 0 0 0 9']]), 2)).toEqual(['8/8/8/8/8/8/8/7?']);
  });

  it('learn spare queens on d3 and d6 as well', () => {
    const decoder = new CertaboDecoder();
    say(decoder, home().set(43, '9 9 9 9 1').set(19, '9 9 9 9 2'), 8);
    expect(say(decoder, home().set(43, '9 9 9 9 2').set(19, '9 9 9 9 1'), 3)).toEqual([
      [19, 11],
      [43, 5],
    ]);
  });

  it('keep what they have taught for the next connection, turned boards included', () => {
    const next = taught().reopen();
    const turned = new Map(HOMES.map((index) => [63 - index, tagOf(index)]));
    expect(say(next, turned, 2)).toEqual(['RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr']);
  });

  it('teach the pieces anew when the first move comes from the far side: then the board lies the other way round', () => {
    const decoder = taught();
    const lifted = home();
    // d7, where White has its e-pawn on a turned board.
    lifted.delete(11);
    expect(say(decoder, lifted, 2)).toEqual([]);
    expect(say(decoder, moved(home(), 11, 27))).toEqual([
      'RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr',
      [51, 0],
      [35, 1],
    ]);
  });

  it('leave a far piece where it is when it was only touched', () => {
    const decoder = taught();
    const lifted = home();
    lifted.delete(11);
    say(decoder, lifted, 3);
    say(decoder, home(), 2);
    expect(say(decoder, moved(home(), 52, 36), 2)).toEqual([
      [12, 0],
      [28, 1],
    ]);
  });

  it.each([
    ['a line end inside', lineOf(home()).replace(' ', ' \n')],
    ['bytes of nothing before it', `\0\0${lineOf(home())}`],
    ['half a line before it', `${lineOf(home()).slice(0, 400)}${lineOf(home())}`],
  ])('survive %s', (_, text) => {
    const decoder = new CertaboDecoder();
    decoder.decode(bytes(text), 7);
    expect(say(decoder, home(), 7)).toEqual([START]);
  });

  it('come out as discarded when a number is no byte, and when numbers are missing', () => {
    const decoder = new CertaboDecoder();
    expect(short(decoder.decode(bytes(lineOf(home().set(5, '256 1 1 1 1'))), 7))).toEqual(['FRAME_VALUE']);
    expect(short(decoder.decode(bytes(`:1 2 3 \r\n${lineOf(home())}`), 7))[0]).toBe('FRAME_TRUNCATED');
  });
});

describe('lines of eight numbers', () => {
  it('tell occupancy, bit 7 for the a file', () => {
    const decoder = new SentioDecoder();
    const told = decoder.decode(bytes(':255 255 0 0 0 0 255 255 \r\n:255 255 0 0 8 0 247 255 \r\n'), 7);
    expect(short(told)).toEqual([
      '????????/????????/8/8/8/8/????????/????????',
      'POSITION',
      [12, 0],
      [28, 13],
      'POSITION',
    ]);
  });

  it('are no lines of tags, and the other way round', () => {
    expect(short(new CertaboDecoder().decode(bytes(':255 255 0 0 0 0 255 255 \r\n:'), 7))).toEqual([
      'FRAME_TRUNCATED',
    ]);
    expect(short(new SentioDecoder().decode(bytes(lineOf(home())), 7))).toEqual([
      'FRAME_TRUNCATED',
      'FRAME_GARBAGE',
    ]);
  });

  it('may be the acknowledgement of lights instead', () => {
    expect(short(new SentioDecoder().decode(bytes('L\r\n'), 7))).toEqual(['LIGHTS_ACK']);
  });
});

describe('lights', () => {
  it.each([
    [[12, 28], '00 00 00 00 10 00 10 00'],
    [[11, 27], '00 00 00 00 08 00 08 00'],
    [[56, 7], '01 00 00 00 00 00 00 80'],
    [[], '00 00 00 00 00 00 00 00'],
  ])('%j are eight bytes, bit 0 for the a file', (squares, golden) => {
    expect(hex(encodeLights(squares))).toBe(golden);
  });
});

describe('the session of a board that only talks', () => {
  it('writes nothing, whatever happens', () => {
    const loop = new Loop(
      createListeningSession('board', () => new CertaboDecoder()),
      createCertaboSimulator(),
    );
    loop.open().wait(30_000).unplug().wait(60_000);
    expect(loop.written).toEqual([]);
    expect(loop.losses).toEqual(['LINK_SILENT']);
  });
});
