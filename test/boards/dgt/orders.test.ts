import { describe, expect, test } from 'vitest';
import type { BoardCommand } from '../../../boards/definition.ts';
import { encodeRevelationLeds } from '../../../boards/dgt/orders.ts';
import { createDgtSession } from '../../../boards/dgt/session.ts';
import { createDgtSimulator } from '../../../boards/dgt/simulator.ts';
import type { DgtSimulatorOptions } from '../../../boards/dgt/simulator-options.ts';
import { parseSquare } from '../../../core/square.ts';
import { hex, Loop } from '../loop.ts';

const text = (text: string, beep?: boolean): BoardCommand => ({
  type: 'clockText',
  text,
  ...(beep !== undefined && { beep }),
});
const leds = (...squares: string[]): BoardCommand => ({
  type: 'leds',
  squares: squares.map((s) => parseSquare(s)!),
});

/** A board over 9600 baud that is ready, and what a person sees on it. */
function ready(options: DgtSimulatorOptions = {}) {
  const board = createDgtSimulator({ baudRate: 9600, ...options });
  const loop = new Loop(createDgtSession(), board).open().wait(4000);
  const answers = () =>
    loop.outputs.flatMap((o) => (o.type === 'answer' ? [[o.id, o.fault?.code ?? 'obeyed'] as const] : []));
  /** Clock commands and lights that were written. */
  const told = () => loop.written.filter((bytes) => /^(2B|60)/.test(bytes));
  return { board, loop, answers, told };
}

describe('an order to the clock', () => {
  test('is the only reason for which anything is written to a clock', () => {
    const { loop, told } = ready();
    loop.wait(60_000);
    expect(told()).toEqual([]);
  });

  test('asks for the version, which is told before the answer', () => {
    const { loop, told } = ready({ preset: 'bluetooth-3000' });
    loop.command(7, { type: 'clockVersion' }).wait(1000);
    expect(told()).toEqual(['2B 03 03 09 00']);
    const said = loop.outputs.filter(
      (o) => o.type === 'answer' || (o.type === 'identity' && o.identity.clock !== undefined),
    );
    expect(said).toEqual([
      { type: 'identity', identity: { clock: 'DGT 3000 2.0' } },
      { type: 'answer', id: 7 },
    ]);
  });

  test.each([
    [
      'usb-xl',
      'e2-e4 ',
      '2B 0B 03 01 40 5B 79 00 66 79 00 01 00',
      { segments: [0x79, 0x5b, 0x40, 0x79, 0x66, 0] },
    ],
    ['bluetooth-3000', 'Hello', '2B 0C 03 0C 48 65 6C 6C 6F 20 20 20 00 00', { text: 'Hello   ' }],
  ] as const)(
    'shows a text on the clock of %s, after its version has told how',
    (preset, said, frame, shown) => {
      const { board, loop, answers, told } = ready({ preset });
      loop.command(1, text(said)).wait(3000);
      expect(told()).toEqual(['2B 03 03 09 00', frame]);
      expect(board.clockDisplay).toEqual(shown);
      loop.command(2, text('')).wait(1000);
      expect(told().at(-1)).toBe('2B 03 03 03 00');
      expect(board.clockDisplay).toBeUndefined();
      expect(answers()).toEqual([
        [1, 'obeyed'],
        [2, 'obeyed'],
      ]);
    },
  );

  test('shows eleven letters on a Revelation II, whose clock need not be asked', () => {
    const { board, loop, told } = ready({ preset: 'revelation-2' });
    loop.command(1, text('Hello world')).wait(2000);
    expect(told()).toEqual(['2B 0F 03 0D 48 65 6C 6C 6F 20 77 6F 72 6C 64 00 00']);
    expect(board.clockDisplay).toEqual({ text: 'Hello world' });
  });

  test.each([
    ['usb-xl', 'sevenso'],
    ['usb-xl', 'mw'],
    ['bluetooth-3000', 'ninechars'],
    ['bluetooth-3000', 'тур'],
  ] as const)('on %s refuses "%s" and sends none of it', (preset, said) => {
    const { board, loop, answers, told } = ready({ preset });
    loop.command(1, text(said)).wait(3000);
    expect(answers()).toEqual([[1, 'ARGUMENT_INVALID']]);
    expect(told()).toEqual(['2B 03 03 09 00']);
    expect(board.clockDisplay).toBeUndefined();
  });

  test('sets both times, left first, lets one run, and takes a text away', () => {
    const { board, loop, answers, told } = ready({ preset: 'bluetooth-3000' });
    loop.command(1, text('Round 1')).wait(3000);
    const set: BoardCommand = { type: 'clockSet', leftMs: 5_400_000, rightMs: 5_385_000, running: 'right' };
    loop.command(2, set).wait(3000);
    expect(told().slice(-2)).toEqual(['2B 0A 03 0A 01 1E 00 01 1D 2D 0A 00', '2B 03 03 03 00']);
    expect(board.clockDisplay).toBeUndefined();
    expect(answers().at(-1)).toEqual([2, 'obeyed']);
    const last = loop.outputs.findLast((o) => o.type === 'sensor' && o.event.type === 'clock');
    expect(last).toMatchObject({
      event: { reading: { running: 'right', left: { timeMs: 5_400_000 } } },
    });
  });

  test('leaves the clock standing when no side is to run, and refuses a time no clock can show', () => {
    const { loop, answers, told } = ready();
    loop.command(1, { type: 'clockSet', leftMs: 300_000, rightMs: 300_000, running: undefined });
    loop.command(2, { type: 'clockSet', leftMs: 36_000_000, rightMs: 0, running: undefined }).wait(3000);
    expect(told()[0]).toBe('2B 0A 03 0A 00 05 00 00 05 00 04 00');
    expect(answers()).toEqual([
      [1, 'obeyed'],
      [2, 'ARGUMENT_INVALID'],
    ]);
  });

  test.each([
    ['refused', 'COMMAND_REFUSED', 2],
    ['lost', 'COMMAND_UNANSWERED', 3],
    ['none', 'COMMAND_UNANSWERED', 3],
  ] as const)('that the clock has %s is sent again, then answered with %s', (clockAnswer, code, times) => {
    const { loop, answers, told } = ready({ faults: { clockAnswer } });
    loop.command(1, { type: 'clockSet', leftMs: 1000, rightMs: 1000, running: 'left' }).wait(15_000);
    expect(answers()).toEqual([[1, code]]);
    expect(told()).toHaveLength(times);
    expect(loop.states.at(-1)).toBe('ready');
  });

  test('is one at a time, and none is lost when many are given before the board is ready', () => {
    const board = createDgtSimulator({ baudRate: 9600, preset: 'bluetooth-3000' });
    const loop = new Loop(createDgtSession(), board).open();
    for (let id = 1; id <= 5; id++) loop.command(id, text(`text ${id}`));
    loop.wait(20_000);
    const answered = loop.outputs.flatMap((o) => (o.type === 'answer' ? [o] : []));
    expect(answered).toEqual([1, 2, 3, 4, 5].map((id) => ({ type: 'answer', id })));
    expect(board.clockDisplay).toEqual({ text: 'text 5  ' });
  });

  test('that waits when the link is opened anew is given up with COMMAND_AWAY', () => {
    const { loop, answers } = ready({ faults: { clockAnswer: 'none' } });
    loop.command(1, { type: 'clockVersion' }).wait(100).open();
    expect(answers()).toEqual([[1, 'COMMAND_AWAY']]);
  });

  test('does not hold up what the board tells of squares and times', () => {
    const { loop } = ready({ faults: { clockAnswer: 'none' } });
    loop.command(1, { type: 'clockVersion' }).wait(50);
    loop.square(parseSquare('e2')!, 0).wait(500);
    expect(loop.outputs.at(-1)).toMatchObject({ type: 'sensor', event: { type: 'square' } });
  });
});

describe('an order to the lights', () => {
  test('has the frames of the protocol', () => {
    expect(encodeRevelationLeds([parseSquare('e2')!, parseSquare('e4')!]).map(hex)).toEqual([
      '60 04 00 40 40 00',
      '60 04 01 34 24 00',
    ]);
    expect(encodeRevelationLeds([0]).map(hex)).toEqual(['60 04 00 40 40 00', '60 04 01 38 38 00']);
  });

  test('lights exactly these squares of a Revelation II, and none', () => {
    const { board, loop, answers } = ready({ preset: 'revelation-2' });
    loop.command(1, leds('e2', 'e4', 'h8')).wait(1000);
    expect(board.lit).toEqual(['e2', 'e4', 'h8'].map((square) => parseSquare(square)!));
    loop.command(2, leds('a1')).wait(1000);
    expect(board.lit).toEqual([0]);
    loop.command(3, leds()).wait(1000);
    expect(board.lit).toEqual([]);
    expect(answers().map(([, code]) => code)).toEqual(['obeyed', 'obeyed', 'obeyed']);
  });

  test('is unsupported by boards without lights: nothing is written', () => {
    const { loop, answers, told } = ready();
    loop.command(1, leds('e4')).wait(1000);
    expect(answers()).toEqual([[1, 'COMMAND_UNSUPPORTED']]);
    expect(told()).toEqual([]);
  });
});
