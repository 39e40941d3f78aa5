import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionEvent, SessionOutput } from '../../../boards/definition.ts';
import { COMMANDS } from '../../../boards/dgt/messages.ts';
import { createDgtSession } from '../../../boards/dgt/session.ts';
import { MachineDriver } from '../../../core/machine.ts';
import { bytesOf, hex } from '../loop.ts';

/** What a session does, one short text each; sensor events and other decoded things by their kind. */
const show = (output: SessionOutput): string => {
  switch (output.type) {
    case 'write':
      return `> ${hex(output.bytes)}`;
    case 'state':
      return output.state;
    case 'lost':
      return `lost ${output.fault.code}`;
    case 'sensor':
      return output.event.type;
    case 'message':
      return output.name;
    case 'identity':
      return Object.keys(output.identity).join();
    case 'discarded':
      return output.fault.code;
    case 'heard':
    case 'answer':
      return output.type;
  }
};

/** A session whose link was opened at 0 ms. */
class Bench {
  readonly #driver = new MachineDriver<SessionEvent, SessionOutput>(createDgtSession());
  atMs = 0;

  open(): string[] {
    return this.#driver.feed({ type: 'opened', atMs: this.atMs }).map(show);
  }

  rx(text: string): string[] {
    return this.#driver.feed({ type: 'bytes', atMs: this.atMs, bytes: bytesOf(text) }).map(show);
  }

  /** Lets time pass up to `atMs`. */
  until(atMs: number): string[] {
    this.atMs = atMs;
    return this.#driver.advance(atMs).map(show);
  }

  wait(ms: number): string[] {
    return this.until(this.atMs + ms);
  }

  get wakeAtMs(): number | undefined {
    return this.#driver.wakeAtMs;
  }
}

const VERSION = '93 00 05 01 08';
const SERIAL = '91 00 08 30 31 30 32 35';
const TRADEMARK = '92 00 06 53 69 6D';
const LONG = 'A2 00 0D 33 32 35 30 30 31 30 30 30 31';
const DUMP = '86 00 43 08 09 0A 0C 0B 0A 09 08 07x8 00x32 01x8 02 03 04 06 05 04 03 02';
const BATTERY = 'A0 00 0C 58 7F 7F 01 1E 00 02 05 02';
const CLOCK = '8D 00 0A 20 03 02 20 03 02 08';
const LIFT = '8E 00 05 34 00';
const PLACE = '8E 00 05 24 01';

/** A session that is ready, with the battery question behind it; it became ready at 500 ms. */
function ready(): Bench {
  const bench = new Bench();
  bench.open();
  bench.until(400);
  bench.until(500);
  for (const answer of [VERSION, SERIAL, TRADEMARK, LONG, DUMP]) bench.rx(answer);
  bench.until(600);
  bench.rx(BATTERY);
  return bench;
}

describe('the beginning', () => {
  test('waits, resets, waits for quiet and asks one question at a time', () => {
    const bench = new Bench();
    expect(bench.open()).toEqual(['identifying']);
    expect(bench.until(399)).toEqual([]);
    expect(bench.until(400)).toEqual(['> 40']);
    expect(bench.until(499)).toEqual([]);
    expect(bench.until(500)).toEqual(['> 4D']);
    expect(bench.rx(VERSION)).toEqual(['firmware', 'VERSION', '> 45']);
    expect(bench.rx(SERIAL)).toEqual(['serialNumber', 'SERIALNR', '> 47']);
    expect(bench.rx(TRADEMARK)).toEqual(['trademark', 'TRADEMARK', '> 55']);
    expect(bench.rx(LONG)).toEqual(['longSerialNumber', 'LONG_SERIALNR', '> 42']);
    expect(bench.rx(DUMP)).toEqual(['dump', '> 4B', 'ready']);
    expect(bench.rx(CLOCK)).toEqual(['clock']);
    expect(bench.until(600)).toEqual(['> 4C']);
  });

  test('waits until what the board was still saying is over, and passes it on', () => {
    const bench = new Bench();
    bench.open();
    bench.until(400);
    bench.until(450);
    expect(bench.rx(LIFT)).toEqual(['square']);
    expect(bench.until(549)).toEqual([]);
    expect(bench.until(550)).toEqual(['> 4D']);
  });

  test('does not wait for ever on a line that is never quiet', () => {
    const bench = new Bench();
    bench.open();
    bench.until(400);
    const heard: string[] = [];
    for (let atMs = 450; atMs <= 2000; atMs += 50) heard.push(...bench.until(atMs), ...bench.rx('33'));
    expect(heard.filter((text) => text.startsWith('>'))).toEqual(['> 4D']);
  });

  test('asks again when an answer does not come', () => {
    const bench = new Bench();
    bench.open();
    bench.until(500);
    expect(bench.until(1499)).toEqual([]);
    expect(bench.until(1500)).toEqual(['> 4D']);
    expect(bench.rx(VERSION).at(-1)).toBe('> 45');
  });

  test('goes on without a long serial number', () => {
    const bench = new Bench();
    bench.open();
    bench.until(500);
    for (const answer of [VERSION, SERIAL, TRADEMARK]) bench.rx(answer);
    expect(bench.until(1100)).toEqual(['> 42']);
    expect(bench.rx(DUMP).at(-1)).toBe('ready');
  });

  test('goes on without any name at all, but not without a position', () => {
    const bench = new Bench();
    bench.open();
    bench.until(500);
    expect(bench.rx(CLOCK)).toEqual(['clock']);
    const asked = bench.until(9100);
    expect(asked.join(' ')).toBe('> 4D > 4D > 45 > 45 > 45 > 47 > 47 > 55 > 42');
    expect(bench.rx(DUMP)).toEqual(['dump', '> 4B', 'ready']);
    const dumb = new Bench();
    dumb.open();
    dumb.until(500);
    dumb.rx(VERSION);
    expect(dumb.until(20_000).slice(-2)).toEqual(['silent', 'lost LINK_SILENT']);
  });

  test('is not taken in by a dump that nobody asked for', () => {
    const bench = new Bench();
    bench.open();
    bench.until(500);
    expect(bench.rx(DUMP)).toEqual(['dump']);
    expect(bench.rx(VERSION).at(-1)).toBe('> 45');
  });

  test('ends when nothing answers', () => {
    const bench = new Bench();
    bench.open();
    expect(bench.until(60_000)).toEqual(['> 40', '> 4D', '> 4D', '> 4D', 'silent', 'lost LINK_SILENT']);
    expect(bench.wakeAtMs).toBeUndefined();
  });

  test.each([
    ['plain text', '0D 0A 4F 4B 0D 0A'],
    ['an echo', '4D'],
    ['bytes that look like messages of nobody', 'B5 62 01 07 FF FE C0 00 05 11 22'],
  ])('tells a foreign device by %s', (_, garbage) => {
    const bench = new Bench();
    bench.open();
    const heard: string[] = [];
    for (let atMs = 400; atMs <= 8000; atMs += 200) heard.push(...bench.until(atMs), ...bench.rx(garbage));
    expect(heard).toContain('lost LINK_FOREIGN');
    expect(heard.filter((text) => text.startsWith('>'))).toEqual(['> 40', '> 4D', '> 4D', '> 4D']);
  });

  test('forgives garbage before a good answer', () => {
    const bench = new Bench();
    bench.open();
    bench.until(500);
    expect(bench.rx(`00 00 ${VERSION}`)).toEqual(['FRAME_GARBAGE', 'firmware', 'VERSION', '> 45']);
  });

  test('happens anew when the link is opened again', () => {
    const bench = ready();
    bench.rx('8E 00 05');
    expect(bench.open()).toEqual(['FRAME_TRUNCATED', 'identifying']);
    expect(bench.wait(400)).toEqual(['> 40']);
  });
});

describe('a board that is ready', () => {
  test('is asked for a dump every five seconds when nothing moves, and told to send updates each time', () => {
    const bench = ready();
    const heard: string[] = [];
    for (let atMs = 700; atMs <= 20_000; atMs += 100) {
      for (const text of bench.until(atMs)) {
        heard.push(`${atMs} ${text}`);
        if (text === '> 42') heard.push(...bench.rx(DUMP));
      }
      if (atMs % 1000 === 0) bench.rx(CLOCK);
    }
    expect(heard).toEqual([
      ...['5500 > 42', 'dump', '> 4B'],
      ...['10500 > 42', 'dump', '> 4B'],
      ...['15500 > 42', 'dump', '> 4B'],
    ]);
  });

  test('is asked for a dump two seconds after the last change, and never inside a stream of changes', () => {
    const bench = ready();
    const heard: string[] = [];
    for (let atMs = 700; atMs <= 12_000; atMs += 100) {
      heard.push(...bench.until(atMs).map((text) => `${atMs} ${text}`));
      if (atMs <= 9000 && atMs % 300 === 0) bench.rx(atMs % 600 === 0 ? LIFT : '8E 00 05 34 01');
    }
    expect(heard[0]).toBe('11000 > 42');
  });

  test.each([
    ['garbage', '11 22', 'FRAME_GARBAGE'],
    ['a broken message', `8E 00 05 ${CLOCK}`, 'FRAME_TRUNCATED'],
    ['a bad length', '8E 00 07', 'FRAME_HEADER'],
    ['a message of no known kind', 'B7 00 03', 'UNKNOWN_B7'],
  ])('is asked for a dump at once after %s', (_, bytes, what) => {
    const bench = ready();
    bench.until(3000);
    bench.rx(SERIAL);
    expect(bench.rx(bytes)).toEqual([what, ...(bytes.endsWith(CLOCK) ? ['clock'] : []), '> 42']);
    expect(bench.rx(DUMP)).toEqual(['dump', '> 4B']);
  });

  test('is asked for one dump, a second after the last, however much garbage comes', () => {
    const bench = ready();
    const asked: number[] = [];
    for (let atMs = 700; atMs <= 4500; atMs += 50) {
      const heard = [...bench.until(atMs), ...bench.rx('11')];
      if (!heard.includes('> 42')) continue;
      asked.push(atMs);
      bench.rx(DUMP);
    }
    expect(asked).toEqual([1500, 2500, 3500, 4500]);
  });

  test('is asked on doubt when the stream of changes pauses, or after five seconds of it', () => {
    const bench = ready();
    bench.until(2000);
    bench.rx(`11 ${LIFT}`);
    bench.until(2300);
    bench.rx(PLACE);
    expect(bench.until(2699)).toEqual([]);
    expect(bench.until(2700)).toEqual(['> 42']);
    bench.rx(DUMP);
    const flickering = ready();
    flickering.until(2000);
    flickering.rx(`11 ${LIFT}`);
    const heard: string[] = [];
    for (let atMs = 2200; atMs <= 7200; atMs += 200) {
      heard.push(...flickering.until(atMs).map((text) => `${atMs} ${text}`));
      flickering.rx(atMs % 400 === 0 ? LIFT : '8E 00 05 34 01');
    }
    expect(heard).toEqual(['7000 > 42']);
  });

  test('that is quiet is asked for its serial number, and nothing else happens while it answers', () => {
    const bench = ready();
    expect(bench.until(2600)).toEqual(['> 45']);
    expect(bench.rx(SERIAL)).toEqual(['serialNumber', 'SERIALNR']);
    expect(bench.until(4600)).toEqual(['> 45']);
    bench.rx(SERIAL);
    expect(bench.until(5500)).toEqual(['> 42']);
  });

  test('that says nothing any more is called silent, then lost', () => {
    const bench = ready();
    expect(bench.until(3600)).toEqual(['> 45', '> 45']);
    expect(bench.until(4600)).toEqual(['silent', '> 45']);
    expect(bench.until(5600)).toEqual(['> 45']);
    expect(bench.until(6600)).toEqual(['lost LINK_SILENT']);
    expect(bench.wakeAtMs).toBeUndefined();
    // What still arrives is not thrown away, and not answered.
    expect(bench.rx(`${LIFT} 11`)).toEqual(['square', 'FRAME_GARBAGE']);
    expect(bench.until(60_000)).toEqual([]);
  });

  test('that comes back from silence is ready again, and its position is asked for', () => {
    const bench = ready();
    bench.until(4600);
    expect(bench.rx(SERIAL)).toEqual(['serialNumber', 'ready', 'SERIALNR', '> 42']);
  });

  test('that talks but does not answer is lost in the end', () => {
    const bench = ready();
    const heard: string[] = [];
    for (let atMs = 700; atMs <= 20_000; atMs += 500) heard.push(...bench.until(atMs), ...bench.rx(CLOCK));
    expect(heard.filter((text) => text === '> 42')).toHaveLength(8);
    expect(heard).toContain('lost LINK_SILENT');
  });

  test('may send garbage without end and is lost all the same', () => {
    const bench = ready();
    const heard: string[] = [];
    for (let atMs = 700; atMs <= 20_000; atMs += 500) heard.push(...bench.until(atMs), ...bench.rx('11'));
    expect(heard).toContain('lost LINK_SILENT');
  });

  test('may send its whole log unasked: that is waited for, and then the position is asked for', () => {
    const bench = ready();
    bench.until(2000);
    const log = bytesOf(`8F 3E 03 7Fx7935 6B`);
    const heard: string[] = [];
    for (let i = 0; i < 83; i++) {
      heard.push(...bench.wait(100), ...bench.rx(hex(log.subarray(i * 96, (i + 1) * 96))));
    }
    expect(heard).toEqual(['EE_MOVES', '> 42']);
    expect(bench.rx(DUMP)).toEqual(['dump', '> 4B']);
  });

  test('whose log breaks off is asked again soon', () => {
    const bench = ready();
    bench.until(2600);
    bench.rx('8F 3E 03 7F');
    expect(bench.until(3601)).toEqual(['FRAME_TRUNCATED', '> 45']);
  });

  test('tells its battery every five minutes, if it has one', () => {
    const count = (answers: boolean): number => {
      const bench = new Bench();
      bench.open();
      bench.until(500);
      for (const answer of [VERSION, SERIAL, TRADEMARK, LONG, DUMP]) bench.rx(answer);
      let asked = 0;
      for (let atMs = 600; atMs < 700_000; atMs += 500) {
        const heard = bench.until(atMs);
        if (heard.includes('> 4C')) asked++;
        if (heard.includes('> 4C') && answers) bench.rx(BATTERY);
        if (heard.includes('> 42')) bench.rx(DUMP);
        if (heard.includes('> 45')) bench.rx(SERIAL);
      }
      return asked;
    };
    expect(count(true)).toBe(3);
    expect(count(false)).toBe(1);
  });

  test('is not doubted for a clock message with impossible digits', () => {
    const bench = ready();
    bench.until(2000);
    expect(bench.rx('8D 00 0A 20 7B 02 20 03 02 08')).toEqual(['FRAME_VALUE']);
    expect(bench.until(3500)).toEqual([]);
  });
});

test('a session writes nothing but single questions and modes, whatever it hears', () => {
  const harmless = COMMANDS.filter(
    (c) => 'answer' in c || ['RESET', 'SEND_UPDATE_NICE', 'SCAN_100'].includes(c.name),
  );
  const allowed = new Set<number>(harmless.map((c) => c.id));
  expect(allowed.has(0x4e)).toBe(false);
  const answer = fc.constantFrom(VERSION, SERIAL, TRADEMARK, LONG, DUMP, BATTERY, CLOCK, LIFT, PLACE);
  const chunk = fc.oneof(
    answer.map((text) => bytesOf(text)),
    fc.uint8Array({ maxLength: 30 }),
  );
  const happening = fc.tuple(fc.integer({ min: 0, max: 3000 }), chunk);
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
      const driver = new MachineDriver<SessionEvent, SessionOutput>(createDgtSession());
      const outputs = driver.feed({ type: 'opened', atMs: 0 });
      let atMs = 0;
      for (const [waitMs, bytes] of happenings) {
        atMs += waitMs;
        driver.feed({ type: 'bytes', atMs, bytes }, outputs);
        // Never a wake-up that is over, which no timer would bring.
        expect(driver.wakeAtMs ?? Infinity).toBeGreaterThan(atMs);
      }
      driver.advance(atMs + 60_000, outputs);
      for (const output of outputs) {
        if (output.type !== 'write') continue;
        expect(output.bytes).toHaveLength(1);
        expect(allowed.has(output.bytes[0]!)).toBe(true);
      }
      // Nothing answers any more: that must end.
      expect(outputs.some((output) => output.type === 'lost')).toBe(true);
    }),
    { numRuns: 300 },
  );
});
