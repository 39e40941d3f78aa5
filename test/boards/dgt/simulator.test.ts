import { describe, expect, test } from 'vitest';
import type { SimulatorEvent, SimulatorOutput } from '../../../boards/definition.ts';
import { COMMANDS } from '../../../boards/dgt/messages.ts';
import { createDgtSimulator } from '../../../boards/dgt/simulator.ts';
import type { DgtSimulatorOptions } from '../../../boards/dgt/simulator-options.ts';
import { MachineDriver } from '../../../core/machine.ts';
import { parseCell } from '../../../core/placement.ts';
import { parseSquare } from '../../../core/square.ts';
import { bytesOf, hex } from '../loop.ts';

/** A simulated board at which a test can write, wait and move; it begins at 0 ms. */
class Bench {
  readonly #driver: MachineDriver<SimulatorEvent, SimulatorOutput>;
  #heard: string[] = [];
  atMs = 0;

  constructor(options: DgtSimulatorOptions = {}) {
    this.#driver = new MachineDriver(createDgtSimulator({ ackMs: 0, ...options }));
    this.#feed({ type: 'bytes', atMs: 0, bytes: new Uint8Array(0) });
  }

  /** Writes bytes, hex; gives back what had come since the last call and what came at once, one text per write. */
  host(text: string): string[] {
    this.#feed({ type: 'bytes', atMs: this.atMs, bytes: bytesOf(text) });
    return this.heard();
  }

  wait(ms: number): string[] {
    this.atMs += ms;
    this.#hear(this.#driver.advance(this.atMs));
    return this.heard();
  }

  /** "e2" lifts, "e4=P" places, one scan apart. */
  hand(...touches: string[]): string[] {
    for (const touch of touches) {
      this.touch(touch);
      this.#wait(200);
    }
    return this.heard();
  }

  /** One touch, and no time passes. */
  touch(touch: string): void {
    const [square, piece] = touch.split('=') as [string, string | undefined];
    const cell = piece === undefined ? 0 : parseCell(piece)!;
    this.#feed({ type: 'square', atMs: this.atMs, square: parseSquare(square)!, cell });
  }

  clock(whiteMs: number, blackMs: number, running?: 'white' | 'black'): string[] {
    this.#feed({ type: 'clock', atMs: this.atMs, whiteMs, blackMs, running });
    return this.heard();
  }

  heard(): string[] {
    const heard = this.#heard;
    this.#heard = [];
    return heard;
  }

  #wait(ms: number): void {
    this.atMs += ms;
    this.#hear(this.#driver.advance(this.atMs));
  }

  #feed(event: SimulatorEvent): void {
    this.#hear(this.#driver.feed(event));
  }

  #hear(outputs: readonly SimulatorOutput[]): void {
    this.#heard.push(...outputs.map(({ bytes }) => hex(bytes)));
  }
}

const frame = (text: string): string => hex(bytesOf(text));

const START = frame('86 00 43 08 09 0A 0C 0B 0A 09 08 07x8 00x32 01x8 02 03 04 06 05 04 03 02');
const TURNED = frame('86 00 43 02 03 04 05 06 04 03 02 01x8 00x32 07x8 08 09 0A 0B 0C 0A 09 08');
const T302 = 182_000;

describe('the worked session', () => {
  test('gets the bytes of the protocol facts, in order', () => {
    const bench = new Bench();
    bench.clock(T302, T302);
    expect(bench.host('40')).toEqual([]);
    expect(bench.host('4D')).toEqual(['93 00 05 01 08']);
    expect(bench.host('45')).toEqual(['91 00 08 30 31 30 32 35']);
    expect(bench.host('46')).toEqual(['90 00 05 08 01']);
    expect(bench.host('47')).toEqual(['92 00 10 53 69 6D 20 62 6F 61 72 64 20 31 2E 30']);
    expect(bench.host('42')).toEqual([START]);
    expect(bench.host('4B')).toEqual(['8D 00 0A 20 03 02 20 03 02 08']);
    expect(bench.host('2B 03 03 09 00')).toEqual(['8D 00 0A 0A 10 09 0A 1E 00 00']);
    expect(bench.host('2B 0C 03 0C 48 65 6C 6C 6F 20 20 20 00 00')).toEqual([
      '8D 00 0A 0A 10 0C 0A 00 00 00',
    ]);
    expect(bench.host('2B 03 03 03 00')).toEqual(['8D 00 0A 0A 10 03 0A 00 00 00']);
    expect(bench.clock(T302, T302, 'white')).toEqual(['8D 00 0A 20 03 02 20 03 02 09']);
    expect(bench.hand('e2')).toEqual(['8E 00 05 34 00']);
    expect(bench.hand('e4=P')).toEqual(['8E 00 05 24 01']);
    bench.wait(600);
    expect(bench.clock(T302 - 1000, T302, 'black')).toEqual(['8D 00 0A 20 03 02 20 03 01 13']);
    const [log] = bench.host('49');
    expect(log?.startsWith('8F 3E 03 ')).toBe(true);
    expect(log?.split(' ').length).toBe(7939);
    expect(log?.endsWith('6F 40 34 51 24 70 03 01 6B')).toBe(true);
    expect(bench.host('49')[0]?.endsWith('70 03 01 6E 6B')).toBe(true);
  });

  test('with a DGT 3000 hears of version 2.0', () => {
    const bench = new Bench({ preset: 'bluetooth-3000' });
    bench.host('4B');
    expect(bench.host('2B 03 03 09 00')).toEqual(['8D 00 0A 0A 10 09 0A 20 00 00']);
  });
});

describe('identity', () => {
  test.each([
    ['usb-xl', ['93 00 05 01 08'], [], ['90 00 05 08 01'], [], []],
    [
      'bluetooth-3000',
      ['93 00 05 03 0A'],
      ['A2 00 0D 33 32 35 30 30 31 30 30 30 31'],
      ['90 00 05 08 01'],
      ['A0 00 0C 58 7F 7F 01 1E 00 02 05 02'],
      ['96 00 05 01 00'],
    ],
    [
      'revelation-2',
      ['93 00 05 03 19'],
      ['A2 00 0D 33 2E 32 35 30 30 31 30 30 30'],
      ['90 00 05 08 01'],
      ['A0 00 0C 64 7F 7F 00 00 00 00 00 00'],
      [],
    ],
    [
      'pegasus',
      ['93 00 05 01 00'],
      ['A2 00 0D 50 30 30 30 30 30 30 30 30 31'],
      ['90 00 04 00'],
      ['A0 00 0C 58 00 00 00 00 00 00 00 02'],
      ['96 00 05 01 00'],
    ],
  ] as const)('of %s is answered, or not', (preset, version, long, address, battery, hardware) => {
    const bench = new Bench({ preset });
    expect(bench.host('4D')).toEqual(version);
    expect(bench.host('55')).toEqual(long);
    expect(bench.host('46')).toEqual(address);
    expect(bench.host('4C')).toEqual(battery);
    expect(bench.host('48')).toEqual(hardware);
  });

  test('takes a serial number, which is the address too, and a text of more than 124 characters', () => {
    const bench = new Bench({ serialNumber: '16', trademark: 'x'.repeat(150) });
    expect(bench.host('45')).toEqual(['91 00 08 30 30 30 31 36']);
    expect(bench.host('46')).toEqual(['90 00 05 00 10']);
    expect(bench.host('47')).toEqual([frame('92 01 19 78x150')]);
  });

  test('of newer boards includes lock and key states, and one byte of the newer clock message', () => {
    const bench = new Bench({ preset: 'pegasus' });
    expect(bench.host('59 5A 56')).toEqual(['A4 00 04 00', 'A5 00 04 00', 'A3 00 04 00']);
  });
});

describe('start sequences of other programs', () => {
  const DUMP = START;
  const VERSION = '93 00 05 03 0A';
  const SERIAL = '91 00 08 30 31 30 32 35';
  const LONG = 'A2 00 0D 33 32 35 30 30 31 30 30 30 31';
  const BATTERY = 'A0 00 0C 58 7F 7F 01 1E 00 02 05 02';
  const CLOCK = '8D 00 0A 20 03 02 20 03 02 08';
  const ACK = '8D 00 0A 0A 10 09 0A 20 00 00';
  const TRADEMARK = '92 00 10 53 69 6D 20 62 6F 61 72 64 20 31 2E 30';

  test.each([
    [
      'PICO',
      ['4B', '4D', '42', '55', '4C', '2B 03 03 09 00', '45'],
      [CLOCK, VERSION, DUMP, LONG, BATTERY, ACK, SERIAL],
      true,
    ],
    ['ADGT', ['4B', '42'], [CLOCK, DUMP], true],
    ['FNO/ACA', ['40', '45', '4D', '42', '44'], [SERIAL, VERSION, DUMP], true],
    ['JCH', ['40', '45', '4D', '42', '44'], [SERIAL, VERSION, DUMP], true],
    ['AND', ['45', '42', '41', '4B'], [SERIAL, DUMP, CLOCK, CLOCK], true],
    ['MONO, updates', ['40', '45', '4D', '42', '43'], [SERIAL, VERSION, DUMP, CLOCK], true],
    ['MONO, squares', ['40', '45', '4D', '42', '44', '4C'], [SERIAL, VERSION, DUMP, BATTERY], true],
    [
      'MONO, key',
      ['40', '45', '4D', '63 07 01 02 03 04 05 06 00', '47', '40', '42', '4B'],
      [SERIAL, VERSION, TRADEMARK, DUMP, CLOCK],
      true,
    ],
    ['CORE', ['4D', '48', '45', '2B 03 03 09 00'], [VERSION, '96 00 05 01 00', SERIAL], false],
    ['BEAR', ['4B 4D'], [CLOCK, VERSION], true],
    [
      'a vendor app',
      ['40', '60 02 00 00', '63 07 00 00 00 00 00 00 00', '5A', '47', '42', '44'],
      ['A5 00 04 00', TRADEMARK, DUMP],
      true,
    ],
  ])('%s is served', (_, writes, expected, updates) => {
    const bench = new Bench({ preset: 'bluetooth-3000' });
    bench.clock(T302, T302);
    const heard = writes.flatMap((write) => [...bench.host(write), ...bench.wait(100)]);
    expect(heard).toEqual(expected);
    expect(bench.hand('e2')).toEqual(updates ? ['8E 00 05 34 00'] : []);
  });
});

describe('commands', () => {
  test('never stop the board, whatever they are and whoever sends them', () => {
    for (const preset of ['usb-xl', 'bluetooth-3000', 'revelation-2', 'pegasus'] as const) {
      const bench = new Bench({ preset });
      for (const command of COMMANDS) {
        bench.host('data' in command ? `${command.id.toString(16)} 03 01 02 00` : command.id.toString(16));
        bench.wait(2000);
      }
      bench.host('54');
      bench.wait(1000);
      expect(bench.host('40 4D')).toHaveLength(1);
    }
  });

  test('that carry data are taken by their length, so that data are no commands', () => {
    const bench = new Bench();
    expect(bench.host('60 04 45 42 4D 00 2B 04 03 0B 42 00 63 07 42 42 42 42 42 42 00 2C 02 42 42')).toEqual(
      [],
    );
    // The oldest form of a clock message has no end byte.
    expect(bench.host('2B 0A 03 01 42 42 42 42 42 42 42 42 45')).toEqual(['91 00 08 30 31 30 32 35']);
  });

  test('may arrive in any pieces, and a piece that never gets its rest is forgotten', () => {
    const bench = new Bench();
    bench.host('4B');
    expect(bench.host('2B 03')).toEqual([]);
    expect(bench.host('03 09')).toEqual([]);
    expect(bench.host('00')).toEqual(['8D 00 0A 0A 10 09 0A 1E 00 00']);
    bench.host('2B 0C 03');
    bench.wait(2000);
    expect(bench.host('4D')).toEqual(['93 00 05 01 08']);
  });

  test('that are unknown are ignored', () => {
    expect(new Bench().host('00 01 20 2A 4F 5B 64 7F')).toEqual([]);
  });

  test('for half a draughts board are answered with fifty squares', () => {
    const bench = new Bench();
    const [dark] = bench.host('50');
    const [light] = bench.host('52');
    expect(dark?.split(' ')).toHaveLength(53);
    expect(light?.split(' ')).toHaveLength(53);
    // First dark square of the last rank is b8, first light one a8.
    expect(dark?.startsWith('94 00 35 09')).toBe(true);
    expect(light?.startsWith('95 00 35 08')).toBe(true);
  });

  test('that switch half the squares off leave the board blind there', () => {
    const bench = new Bench();
    bench.host('44 51');
    expect(bench.hand('e2', 'd2')).toEqual(['8E 00 05 33 00']);
    bench.host('54');
    expect(bench.wait(200)).toEqual(['8E 00 05 34 00']);
  });

  test('that start the boot loader count as a reset here', () => {
    const bench = new Bench();
    bench.host('44');
    bench.host('4E');
    expect(bench.hand('e2')).toEqual([]);
  });
});

describe('modes', () => {
  test('only report squares where they should', () => {
    for (const [mode, pushes] of [
      ['40', false],
      ['43', true],
      ['44', true],
      ['4B', true],
      ['57', true],
      ['58', true],
      ['4A', false],
    ] as const) {
      const bench = new Bench({ clock: false });
      bench.host(`44 ${mode}`);
      bench.wait(200);
      const heard = bench.hand('e2').filter((text) => text.startsWith('8E'));
      expect(heard, mode).toEqual(pushes ? ['8E 00 05 34 00'] : []);
    }
  });

  test('are not changed by questions', () => {
    const bench = new Bench({ preset: 'bluetooth-3000' });
    bench.host('44');
    bench.host('41 42 45 46 47 48 49 4C 4D 55');
    expect(bench.hand('e2')).toEqual(['8E 00 05 34 00']);
  });

  test('with a clock tell of it each second, or only when it changed', () => {
    const each = new Bench();
    each.clock(T302, T302);
    expect(each.host('43')).toHaveLength(1);
    expect(each.wait(5000)).toHaveLength(5);
    const nice = new Bench();
    nice.clock(T302, T302);
    expect(nice.host('4B')).toHaveLength(1);
    expect(nice.wait(5000)).toHaveLength(0);
    expect(nice.clock(T302, T302)).toHaveLength(0);
    expect(nice.clock(T302, T302, 'white')).toHaveLength(1);
    expect(nice.wait(5000)).toHaveLength(5);
  });

  test('begin with the bus when the board is switched on', () => {
    expect(new Bench().host('87 00 00 07')).toEqual(['87 00 06 08 01 16']);
  });
});

describe('squares', () => {
  test('that change within one scan are reported together, in the order of the squares', () => {
    const bench = new Bench();
    bench.host('44');
    bench.wait(1010);
    bench.touch('e2');
    bench.touch('e4=P');
    expect(bench.wait(189)).toEqual([]);
    expect(bench.wait(1)).toEqual(['8E 00 05 24 01', '8E 00 05 34 00']);
  });

  test('may change from one piece to another, or not at all', () => {
    const bench = new Bench();
    bench.host('44');
    bench.touch('c6');
    bench.touch('c6=p');
    expect(bench.wait(200)).toEqual(['8E 00 05 12 07']);
    bench.touch('e2');
    bench.touch('e2=P');
    expect(bench.wait(200)).toEqual([]);
  });

  test('are reported at once without a scan', () => {
    const bench = new Bench({ scanMs: 0 });
    bench.host('44');
    bench.touch('e2');
    expect(bench.heard()).toEqual(['8E 00 05 34 00']);
  });

  test('show in a dump as the last scan saw them', () => {
    const bench = new Bench();
    bench.wait(10);
    bench.touch('a8');
    expect(bench.host('42')).toEqual([START]);
    bench.wait(200);
    expect(bench.host('42')).toEqual([START.replace('43 08', '43 00')]);
  });

  test('of a turned board are numbered from the other side', () => {
    const bench = new Bench({ rotated: true });
    expect(bench.host('42')).toEqual([TURNED]);
    bench.host('44');
    expect(bench.hand('e2', 'e4=P')).toEqual(['8E 00 05 0B 00', '8E 00 05 1B 01']);
  });

  test('of a Pegasus only tell that something stands there', () => {
    const bench = new Bench({ preset: 'pegasus' });
    expect(bench.host('42')).toEqual([frame('86 00 43 01x16 00x32 01x16')]);
    bench.host('44');
    expect(bench.hand('e7', 'e5=p')).toEqual(['8E 00 05 0C 00', '8E 00 05 1C 01']);
  });

  test('stand as they are told to at the start', () => {
    const bench = new Bench({ placement: '8/8/8/8/8/8/8/K6k' });
    expect(bench.host('42')).toEqual([frame('86 00 43 00x56 05 00x6 0B')]);
    expect(() => createDgtSimulator({ placement: 'nonsense' })).toThrow();
  });
});

describe('the clock', () => {
  test('counts down as it was recorded in a real game', () => {
    const bench = new Bench();
    bench.host('4B');
    expect(bench.clock(T302, T302)).toEqual(['8D 00 0A 20 03 02 20 03 02 08']);
    expect(bench.clock(T302, T302, 'white')).toEqual(['8D 00 0A 20 03 02 20 03 02 09']);
    expect(bench.wait(3000)).toEqual([
      '8D 00 0A 20 03 02 20 03 01 09',
      '8D 00 0A 20 03 02 20 03 00 09',
      '8D 00 0A 20 03 02 20 02 59 09',
    ]);
    expect(bench.clock(T302 - 1000, T302, 'black')).toEqual(['8D 00 0A 20 03 02 20 03 01 13']);
    expect(bench.wait(1000)).toEqual(['8D 00 0A 20 03 01 20 03 01 13']);
    expect(bench.clock(T302 - 1000, T302 + 1000, 'white')).toEqual(['8D 00 0A 20 03 03 20 03 01 09']);
  });

  test('stops with a fallen flag at zero', () => {
    const bench = new Bench();
    bench.host('4B');
    bench.clock(16_000, 1000, 'black');
    bench.heard();
    expect(bench.wait(5000)).toEqual(['8D 00 0A 30 00 00 20 00 16 12']);
  });

  test('tells its lever also while it is stopped', () => {
    const bench = new Bench();
    bench.host('4B');
    bench.clock(T302, T302, 'black');
    bench.heard();
    expect(bench.clock(T302, T302)).toEqual(['8D 00 0A 20 03 02 20 03 02 12']);
  });

  test('of a turned board stays where it is: White is the right face', () => {
    const bench = new Bench({ rotated: true });
    bench.host('4B');
    expect(bench.clock(60_000, 120_000, 'white')).toEqual(['8D 00 0A 20 01 00 20 02 00 13']);
  });

  test('shows hours, a low battery and no indicator when asked to', () => {
    const bench = new Bench({ timePerMove: false, clockBatteryLow: true });
    bench.clock(7_200_000, 7_200_000);
    expect(bench.host('41')).toEqual(['8D 00 0A 02 00 00 02 00 00 0C']);
  });

  test('that is not there, or was never set, gives no times', () => {
    expect(new Bench({ clock: false }).host('41')).toEqual(['8D 00 0A 00 00 00 00 00 00 20']);
    expect(new Bench().host('41')).toEqual(['8D 00 0A 00 00 00 00 00 00 20']);
    expect(new Bench({ clock: false }).host('4B 2B 03 03 09 00')).toEqual(['8D 00 0A 00 00 00 00 00 00 20']);
  });

  test('obeys set-and-run, left first and in plain binary', () => {
    const bench = new Bench({ timePerMove: false });
    bench.host('4B');
    expect(bench.host('2B 0A 03 0A 01 1E 00 01 1D 2D 0A 00')).toEqual([
      '8D 00 0A 01 29 45 01 30 00 13',
      '8D 00 0A 0A 10 0A 0A 00 00 00',
    ]);
    expect(bench.wait(1000)).toEqual(['8D 00 0A 01 29 44 01 30 00 13']);
  });

  test('answers commands only while clock messages are on, and after its time', () => {
    const bench = new Bench({ ackMs: 90, clock: true });
    bench.host('44');
    expect([...bench.host('2B 03 03 09 00'), ...bench.wait(200)]).toEqual([]);
    bench.host('4B');
    expect(bench.host('2B 03 03 09 00')).toEqual([]);
    expect(bench.wait(89)).toEqual([]);
    expect(bench.wait(1)).toEqual(['8D 00 0A 0A 10 09 0A 1E 00 00']);
  });
});

describe('the stored log', () => {
  const events = (bench: Bench): string => bench.host('49')[0]!.replace(/^8F 3E 03 (7F )*/, '');

  test('begins with power-up and every piece', () => {
    expect(events(new Bench({ placement: '8/8/8/8/8/8/8/K6k' }))).toBe('6A 45 38 4B 3F 6B');
    expect(new Bench().host('49')[0]).toContain('7F 7F 7F 6A 48 00 49 01 4A 02 4C 03 4B 04');
  });

  test('marks the initial, the turned, a shuffled and an empty array', () => {
    expect(events(new Bench())).toMatch(/ 6F 6B$/);
    expect(events(new Bench({ rotated: true }))).toMatch(/ 7A 6B$/);
    expect(events(new Bench({ placement: 'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR' }))).toMatch(
      / 6C 6B$/,
    );
    expect(events(new Bench({ placement: '8/8/8/8/8/8/8/8' }))).toBe('6A 6D 6B');
  });

  test('marks an array again only when more than two men have left it', () => {
    const marks = (...touches: string[]): number => {
      const bench = new Bench();
      bench.hand(...touches);
      return events(bench)
        .split(' ')
        .filter((byte) => byte === '6F').length;
    };
    expect(marks('e2', 'd2', 'd2=P', 'e2=P')).toBe(1);
    expect(marks('e2', 'd2', 'c2', 'c2=P', 'd2=P', 'e2=P')).toBe(2);
  });

  test('writes over the last entry of a piece that keeps changing', () => {
    const bench = new Bench();
    bench.hand('e2', 'e2=P', 'e2', 'e2=P', 'e2', 'e4=P');
    expect(events(bench)).toMatch(/ 6F 40 34 50 34 51 24 6B$/);
  });

  test('keeps its size when it is full, newest last', () => {
    const bench = new Bench({ scanMs: 0 });
    for (let i = 0; i < 4000; i++)
      bench.hand(`${'abcdefgh'[i % 8]}${(i >> 3) % 2 === 0 ? 3 : 4}${(i >> 4) % 2 === 0 ? '=N' : ''}`);
    const log = bench.host('49')[0]!.split(' ');
    expect(log).toHaveLength(7939);
    expect(log.slice(-3).join(' ')).toBe('50 27 6B');
    // One filler at most: entries are of two bytes.
    expect(log.slice(4, 8)).not.toContain('7F');
  });
});

describe('the bus', () => {
  test('is answered as in the worked examples', () => {
    const bench = new Bench();
    bench.clock(T302 - 1000, T302, 'white');
    expect(bench.host('87 00 00 07')).toEqual(['87 00 06 08 01 16']);
    expect(bench.host('87 08 01 10')).toEqual(['87 00 06 08 01 16']);
    expect(bench.host('8A 08 01 13')).toEqual(['87 00 06 08 01 16']);
    expect(bench.host('87 00 00 07')).toEqual([]);
    expect(bench.host('87 00 00 07')).toEqual(['87 00 06 08 01 16']);
    expect(bench.host('81 08 01 0A')).toEqual(['84 00 0D 08 01 20 03 02 20 03 01 09 6C']);
    expect(bench.host('82 08 01 0B')).toEqual([
      frame('83 00 46 08 01 08 09 0A 0C 0B 0A 09 08 07x8 00x32 01x8 02 03 04 06 05 04 03 02 7C'),
    ]);
    expect(bench.host('83 08 01 0C')).toEqual(['85 00 06 08 01 14']);
    expect(bench.host('85 08 01 0E')).toEqual(['88 00 06 08 01 17']);
    bench.clock(3_598_000, 3_600_000, 'white');
    bench.hand('e2', 'e4=P');
    bench.clock(3_598_000, 3_600_000, 'black');
    expect(bench.host('83 08 01 0C')).toEqual(['85 00 0D 08 01 40 34 51 24 70 59 58 25']);
    expect(bench.host('84 08 01 0D')).toEqual(['85 00 0D 08 01 40 34 51 24 70 59 58 25']);
    expect(bench.host('8D 08 01 16').map((text) => text.slice(0, 8))).toEqual([
      '85 00 06',
      '84 00 0D',
      '83 00 46',
    ]);
  });

  test('sends the log from the start of the game', () => {
    const bench = new Bench();
    bench.host('85 08 01 0E');
    bench.hand('e2', 'e4=P');
    bench.host('83 08 01 0C');
    expect(bench.host('86 08 01 0F')).toEqual([
      frame(
        `86 00 4C 08 01 7B 48 00 49 01 4A 02 4C 03 4B 04 4A 05 49 06 48 07 47 08 47 09 47 0A 47 0B 47 0C 47 0D 47 0E
        47 0F 41 30 41 31 41 32 41 33 41 34 41 35 41 36 41 37 42 38 43 39 44 3A 46 3B 45 3C 44 3D 43 3E 42 3F 6F 40
        34 51 24 48`,
      ),
    ]);
  });

  test('is not answered by another board, nor when the checksum is wrong', () => {
    const bench = new Bench();
    expect(bench.host('87 08 02 11')).toEqual([]);
    expect(bench.host('87 08 01 11')).toEqual([]);
    // Version 1.2 is the example; this board is 1.8.
    expect(bench.host('8B 08 01 14')).toEqual(['89 00 08 08 01 01 08 23']);
  });

  test('swallows the first bus command of a board in single mode', () => {
    const bench = new Bench();
    bench.host('44');
    expect(bench.host('87 08 01 10')).toEqual([]);
    expect(bench.hand('e2')).toEqual([]);
    expect(bench.host('87 08 01 10')).toEqual(['87 00 06 08 01 16']);
    expect(bench.host('88 00 00 08')).toEqual([]);
    expect(bench.host('4D')).toEqual(['93 00 05 01 08']);
  });
});

describe('faults', () => {
  const updates = (heard: readonly string[]): string[] => heard.filter((text) => text.startsWith('8E'));
  const capture = ['d5', 'e4', 'd5=P'];
  const board = '8/8/8/3p4/4P3/8/8/K6k';

  test('write in small pieces, or hand over many messages at once', () => {
    expect(new Bench({ faults: { chunkBytes: 2 } }).host('4D')).toEqual(['93 00', '05 01', '08']);
    const bench = new Bench({ faults: { mergeMs: 500 } });
    bench.wait(10);
    expect(bench.host('4D 45')).toEqual([]);
    expect(bench.wait(490)).toEqual(['93 00 05 01 08 91 00 08 30 31 30 32 35']);
  });

  test('keep to the speed of the line', () => {
    const bench = new Bench({ baudRate: 9600 });
    expect(bench.host('42 4D')).toEqual([]);
    expect(bench.wait(64)).toEqual([]);
    // The bridge hands over 62 bytes at a time.
    expect(bench.wait(1)).toEqual([START.slice(0, 62 * 3 - 1)]);
    expect(bench.wait(4)).toEqual([]);
    expect(bench.wait(1)).toEqual([START.slice(62 * 3)]);
    expect(bench.wait(6)).toEqual(['93 00 05 01 08']);
  });

  test('put garbage before, between and in place of bytes', () => {
    const bench = new Bench({ faults: { garbageAtStart: [1, 2], garbageEvery: 2, truncateEvery: 3 } });
    expect(bench.host('4D 4D 4D')).toEqual([
      '01 02 93 00 05 01 08',
      '93 00 05 01 08 00 34 7F',
      '93 00 05 01',
    ]);
  });

  test('lose updates and answers', () => {
    const bench = new Bench({ faults: { dropUpdates: [2], dropAnswers: [1], ignores: ['RETURN_SERIALNR'] } });
    expect(bench.host('4D')).toEqual([]);
    expect(bench.host('4D')).toHaveLength(1);
    expect(bench.host('45')).toEqual([]);
    bench.host('44');
    expect(bench.hand('e2', 'e4=P', 'e7')).toEqual(['8E 00 05 34 00', '8E 00 05 0C 00']);
  });

  test('report a capture with the victim seen off, not seen off, or the place before the lift', () => {
    const play = (lifts: 'at-once' | 'with-next-place' | 'after-next-place'): string[] => {
      const bench = new Bench({ placement: board, faults: { lifts } });
      bench.host('44');
      return bench.hand(...capture);
    };
    expect(play('at-once')).toEqual(['8E 00 05 1B 00', '8E 00 05 24 00', '8E 00 05 1B 01']);
    expect(play('with-next-place')).toEqual(['8E 00 05 1B 01', '8E 00 05 24 00']);
    expect(play('after-next-place')).toEqual(['8E 00 05 1B 01', '8E 00 05 24 00']);
    const late = new Bench({ faults: { lifts: 'after-next-place' } });
    late.host('44');
    expect(late.hand('e2')).toEqual([]);
    expect(late.wait(900)).toEqual(['8E 00 05 34 00']);
  });

  test('see a sliding piece on the squares between', () => {
    const bench = new Bench({ placement: '8/8/8/8/8/8/8/R3K2k', faults: { slides: true } });
    bench.host('44');
    expect(bench.hand('a1', 'd1=R')).toEqual([
      '8E 00 05 38 00',
      '8E 00 05 39 02',
      '8E 00 05 39 00',
      '8E 00 05 3A 02',
      '8E 00 05 3A 00',
      '8E 00 05 3B 02',
    ]);
    // A jump over a piece, and a knight's move, touch nothing.
    expect(bench.hand('d1', 'f1=R')).toEqual(['8E 00 05 3B 00', '8E 00 05 3D 02']);
  });

  test('let one square flicker', () => {
    const bench = new Bench({ faults: { flicker: { square: 12, everyMs: 400 } } });
    bench.host('44');
    expect(bench.wait(2000)).toEqual([
      '8E 00 05 34 00',
      '8E 00 05 34 01',
      '8E 00 05 34 00',
      '8E 00 05 34 01',
    ]);
  });

  test('bring a dump late, with the board of the time it was asked for', () => {
    const bench = new Bench({ faults: { lateDumpMs: 1500 } });
    bench.host('44');
    expect(bench.host('42')).toEqual([]);
    expect(bench.hand('e2')).toEqual(['8E 00 05 34 00']);
    expect(bench.wait(1300)).toEqual([START]);
  });

  test('let the clock refuse, fail, stay silent or follow up with zeros', () => {
    const ask = (clockAnswer: 'refused' | 'lost' | 'none' | 'then-zeros'): string[] => {
      const bench = new Bench({ faults: { clockAnswer } });
      bench.clock(T302, T302);
      bench.host('4B');
      return bench.host('2B 0A 03 0A 00 05 00 00 05 00 04 00');
    };
    expect(ask('refused')).toEqual(['8D 00 0A 0A 40 0A 0A 00 00 00']);
    expect(ask('lost')).toEqual(['8D 00 0A 0A 20 00 0A 00 00 00']);
    expect(ask('none')).toEqual([]);
    expect(ask('then-zeros')).toEqual([
      '8D 00 0A 20 05 00 20 05 00 08',
      '8D 00 0A 0A 10 0A 0A 00 00 00',
      '8D 00 0A 00 00 00 00 00 00 00',
    ]);
  });

  test('repeat an acknowledgement in place of a reading for a second', () => {
    const bench = new Bench({ faults: { repeatAck: true } });
    bench.host('4B');
    const [ack] = bench.host('2B 03 03 09 00');
    expect(bench.host('41')).toEqual([ack]);
    bench.wait(1001);
    expect(bench.host('41')).toEqual(['8D 00 0A 00 00 00 00 00 00 20']);
  });

  test('give an impossible time, or the two disputed bits exchanged', () => {
    const bench = new Bench({ faults: { impossibleClockEvery: 2, swapTurnBits: true } });
    bench.clock(T302, T302, 'white');
    expect(bench.host('41 41')).toEqual(['8D 00 0A 20 03 02 20 03 02 11', '8D 00 0A 20 7B 02 20 03 02 11']);
  });

  test('send the whole log unasked', () => {
    const bench = new Bench({ faults: { unaskedLogAtMs: 3000 } });
    bench.host('44');
    const heard = bench.wait(3000);
    expect(heard).toHaveLength(1);
    expect(heard[0]?.startsWith('8F 3E 03')).toBe(true);
    expect(bench.wait(60_000)).toEqual([]);
  });

  test('silence the board for a while', () => {
    const bench = new Bench({ faults: { silentFromMs: 1000, silentUntilMs: 3000 } });
    bench.host('44');
    bench.wait(1000);
    expect(bench.host('4D')).toEqual([]);
    expect(updates(bench.hand('e2'))).toEqual([]);
    bench.wait(2000);
    expect(bench.host('4D')).toHaveLength(1);
    expect(updates(bench.hand('e4=P'))).toEqual(['8E 00 05 24 01']);
  });

  test('cut the power, after which the mode is forgotten', () => {
    const bench = new Bench({ faults: { powerCycleAtMs: 1000 } });
    bench.host('44');
    bench.wait(1000);
    expect(bench.hand('e2')).toEqual([]);
    expect(bench.host('87 08 01 10')).toEqual(['87 00 06 08 01 16']);
  });
});
