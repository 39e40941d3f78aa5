import { describe, expect, it } from 'vitest';
import { encodeCommand, NovagDecoder } from '../../../boards/novag/codec.ts';
import { createNovagSession } from '../../../boards/novag/session.ts';
import { createNovagSimulator } from '../../../boards/novag/simulator.ts';
import { makePlacement } from '../../../core/placement.ts';
import { Loop } from '../loop.ts';

const said = (text: string): unknown[] =>
  new NovagDecoder().decode(new TextEncoder().encode(text), 7).map((item) => {
    if (item.type === 'message') return item.name;
    if (item.type === 'discarded') return item.fault.code;
    if (item.type === 'identity') return item.identity;
    return item.event.type === 'dump' ? makePlacement(item.event.placement) : item.event;
  });
const LISTING = [
  'Position Board',
  '.  aa bb cc dd ee ff gg hh',
  '.8 br bn bb bq bk bb bn br 8',
  '.7 bp bp bp bp bp bp bp bp 7',
  '.6    ::    ::    ::    :: 6',
  '.5 ::    ::    ::    ::    5',
  '.4    ::    :: WP ::    :: 4',
  '.3 ::    ::    ::    ::    3',
  '.2 WP WP WP WP    WP WP WP 2',
  '.1 WR WN WB WQ WK WB WN WR 1',
];

describe('lines of a Citrine', () => {
  it('tell the position row by row', () => {
    expect(said(`${LISTING.join('\r\n')}\r\n`).filter((item) => item !== 'ROW')).toEqual([
      'POSITION_HEAD',
      'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR',
      'POSITION',
    ]);
  });

  it('tell nothing when a row is missing or damaged', () => {
    const missing = LISTING.filter((row) => !row.startsWith('.5'));
    expect(said(`${missing.join('\r\n')}\r\n`)).not.toContain('POSITION');
    const damaged = LISTING.map((row) => row.replace('WQ', 'WX'));
    expect(said(`${damaged.join('\r\n')}\r\n`).at(-1)).toBe('FRAME_VALUE');
  });

  it.each([
    ['M   7   g1-f3', 'MOVE'],
    ['M   5,  O-O-O', 'MOVE'],
    ['T   1,  e7-e5', 'TAKE_BACK'],
    ['New Game', 'NEW_GAME'],
    ['.   1  e2-e4       e7-e5', 'ROW'],
    ['login:', 'UNKNOWN_LINE'],
  ])('are known: %s', (text, name) => {
    expect(said(`${text}\r\n`)).toEqual([name]);
  });

  it('tell who it is', () => {
    expect(said('ID. UCBII V1.09\r\n')).toEqual([{ firmware: 'UCBII V1.09' }, 'IDENTITY']);
  });
});

describe('the session of a Citrine', () => {
  it('asks for the position after a move', () => {
    const loop = new Loop(createNovagSession(), createNovagSimulator()).open().wait(4000);
    expect(new TextDecoder().decode(encodeCommand('X ON'))).toBe('X ON\r\n');
    loop.square(12, 0).wait(600).square(28, 1).wait(4000);
    expect(loop.sensors.slice(-2)).toMatchObject([
      { event: { square: 12, cell: 0 } },
      { event: { square: 28, cell: 1 } },
    ]);
  });
});
