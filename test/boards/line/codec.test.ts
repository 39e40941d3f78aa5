import { describe, expect, it } from 'vitest';
import { encodeCommand, encodeLights, LineDecoder } from '../../../boards/line/codec.ts';
import { createLineSession } from '../../../boards/line/session.ts';
import { createLineSimulator } from '../../../boards/line/simulator.ts';
import { makePlacement } from '../../../core/placement.ts';
import { Loop } from '../loop.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (text: string, sensing: 'identity' | 'occupancy' = 'identity') =>
  new LineDecoder(sensing).decode(bytes(text), 7);
/** What lines say, in short: sensor events without their time, identities, names of messages, codes of faults. */
const said = (text: string, sensing: 'identity' | 'occupancy' = 'identity'): unknown[] =>
  decode(text, sensing).map((item) => {
    if (item.type === 'identity') return item.identity;
    if (item.type === 'message') return item.name;
    if (item.type === 'discarded') return item.fault.code;
    const { event } = item;
    return event.type === 'dump' ? makePlacement(event.placement) : event;
  });

describe('lines of a self-built board', () => {
  it('are read as the worked example of the document has them', () => {
    expect(said('jadoube 1 identity serial=7 model=Kitchen_board firmware=0.3\r\n')).toEqual([
      { serialNumber: '7', model: 'Kitchen board', firmware: '0.3' },
      'HELLO',
    ]);
    expect(said('board rnbqkbnr/pppppppp/......../8/8/8/PPPPPPPP/RNBQKBNR\n')).toEqual([
      'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR',
      'BOARD',
    ]);
    expect(said('square e2 .\nsquare e4 P\n')).toEqual([
      { type: 'square', atMs: 7, square: 12, cell: 0 },
      'SQUARE',
      { type: 'square', atMs: 7, square: 28, cell: 1 },
      'SQUARE',
    ]);
    expect(said('press white\nbattery 81\n# scan took 12 ms\n')).toEqual([
      { type: 'press', atMs: 7, side: 'white' },
      'PRESS',
      { batteryPercent: 81 },
      'BATTERY',
      'COMMENT',
    ]);
  });

  it('tell the clock by faces; a stopped clock keeps its lever, and a face at zero with the move has fallen', () => {
    const readings = decode(
      'clock 60000 59000 right\nclock 60000 58000 none\nclock 60000 0 none\nclock none\n',
    )
      .flatMap((item) => (item.type === 'sensor' && item.event.type === 'clock' ? [item.event.reading] : []))
      .map(({ right, running, lever, connected }) => [right.timeMs, right.flag, running, lever, connected]);
    expect(readings).toEqual([
      [59_000, false, 'right', 'right', true],
      [58_000, false, undefined, 'right', true],
      [0, true, undefined, 'right', true],
      [0, false, undefined, 'right', false],
    ]);
  });

  it('say on an occupancy board that squares are taken, whatever letter they name', () => {
    expect(said('board ????????/PPPPPPPP/8/8/8/8/8/8\n', 'occupancy')[0]).toBe(
      '????????/????????/8/8/8/8/8/8',
    );
  });

  it('are held to their checksum when they carry one', () => {
    expect(said('square e4 P*00\n')).toEqual([{ type: 'square', atMs: 7, square: 28, cell: 1 }, 'SQUARE']);
    expect(said('square e5 P*00\nsquare e5 P*0\n')).toEqual(['FRAME_CHECKSUM', 'FRAME_VALUE']);
  });

  it.each([
    'board rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP\n',
    'board\n',
    'square i9 P\n',
    'square e4 X\n',
    'square e4\n',
    'clock 1 2\n',
    'clock 1 -2 left\n',
    'clock 999999999 0 left\n',
    'press green\n',
    'battery 101\n',
    'jadoube\n',
  ])('with impossible values come out as discarded: %j', (text) => {
    expect(said(text)).toEqual(['FRAME_VALUE']);
  });

  it('lose nothing but what is damaged: noise inside, an endless line, unknown words', () => {
    const noisy = Uint8Array.from([0xff, ...bytes('square e2 .'), 0x00, ...bytes('\nwhatever\n')]);
    expect(
      new LineDecoder('identity').decode(noisy, 7).map((item) => ('name' in item ? item.name : item.type)),
    ).toEqual(['discarded', 'discarded', 'sensor', 'SQUARE', 'UNKNOWN_LINE']);
    expect(said(`${'x'.repeat(400)}\nsquare e2 .\n`).slice(-2)).toEqual([
      { type: 'square', atMs: 7, square: 12, cell: 0 },
      'SQUARE',
    ]);
  });
});

describe('the host of a self-built board', () => {
  it('asks in lines', () => {
    expect(encodeCommand('hello')).toEqual(bytes('hello\n'));
    expect(encodeLights([12, 28])).toEqual(bytes('lights e2 e4\n'));
    expect(encodeLights([])).toEqual(bytes('lights\n'));
  });

  it('takes a board that senses otherwise for another one', () => {
    const loop = new Loop(createLineSession('identity'), createLineSimulator({ occupancy: true }));
    expect(loop.open().wait(20_000).losses).toEqual(['LINK_FOREIGN']);
  });

  it('becomes ready with a board that puts a checksum on every line', () => {
    const loop = new Loop(createLineSession('identity'), createLineSimulator({ checksums: true }));
    expect(loop.open().wait(5000).states).toEqual(['identifying', 'ready']);
  });

  it('waits for a microcontroller that restarts when its port is opened', () => {
    const loop = new Loop(createLineSession('identity'), createLineSimulator());
    loop.open().unplug().wait(2500);
    expect(loop.losses).toEqual([]);
  });
});
