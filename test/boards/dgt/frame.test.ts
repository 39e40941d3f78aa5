import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Framed, Framer } from '../../../boards/dgt/frame.ts';
import { MESSAGES } from '../../../boards/dgt/messages.ts';
import { bytesOf, hex } from '../loop.ts';

const UPDATE = '8E 00 05 34 00';
const CLOCK = '8D 00 0A 20 03 02 20 03 01 09';

const show = (framed: readonly Framed[]): string[] =>
  framed.map((f) => (f.type === 'frame' ? hex(f.bytes) : `${f.fault.code} ${hex(f.bytes)}`));

const push = (text: string, atMs = 0, framer = new Framer()): string[] =>
  show(framer.push(bytesOf(text), atMs));

describe('a byte with bit 7', () => {
  test('begins a message in the middle of another, whose bytes are told as truncated', () => {
    expect(push(`8E 00 05 34 ${UPDATE}`)).toEqual(['FRAME_TRUNCATED 8E 00 05 34', UPDATE]);
  });

  test('begins a message in place of a length byte too', () => {
    expect(push(`8E ${UPDATE}`)).toEqual(['FRAME_TRUNCATED 8E', UPDATE]);
    expect(push(`8E 00 ${UPDATE}`)).toEqual(['FRAME_TRUNCATED 8E 00', UPDATE]);
  });
});

describe('a byte without bit 7', () => {
  test('is garbage while no message is open', () => {
    expect(push(`00 01 7F ${UPDATE} 42`)).toEqual(['FRAME_GARBAGE 00 01 7F', UPDATE, 'FRAME_GARBAGE 42']);
  });
});

describe('a length', () => {
  test.each([
    ['shorter than a header', '8E 00 02'],
    ['that a fixed message cannot have', '8E 00 06'],
    ['of a dump that is one byte short', '86 00 42'],
    ['of a clock message that is one byte long', '8D 00 0B'],
  ])('%s ends the message at once and loses nothing after it', (_, head) => {
    expect(push(`${head} ${UPDATE}`)).toEqual([`FRAME_HEADER ${head}`, UPDATE]);
  });

  test('uses 14 bits', () => {
    const text = `92 01 19 ${'41 '.repeat(150)}`;
    expect(push(text)).toEqual([text.trim()]);
  });

  test('may be any for a message that is not in the table, and 3 means no payload', () => {
    expect(push('9F 00 04 11 B3 00 03 8F 00 03')).toEqual(['9F 00 04 11', 'B3 00 03', '8F 00 03']);
  });

  test.each(MESSAGES.map((m) => [m.name, m] as const))(
    '%s is taken with each of its lengths',
    (_, message) => {
      for (const length of 'lengths' in message ? message.lengths : [3, 4, 200]) {
        const frame = [
          message.id,
          length >> 7,
          length & 0x7f,
          ...Array.from({ length: length - 3 }, () => 0),
        ];
        expect(show(new Framer().push(Uint8Array.from(frame), 0))).toEqual([hex(Uint8Array.from(frame))]);
      }
    },
  );
});

describe('time', () => {
  test('goes by between the bytes of a message for a second at most', () => {
    const framer = new Framer();
    expect(push('8E 00', 0, framer)).toEqual([]);
    expect(push('05 34', 1000, framer)).toEqual([]);
    expect(push('00', 2000, framer)).toEqual([UPDATE]);
    push('8E 00', 2000, framer);
    expect(push('05 34 00', 3001, framer)).toEqual(['FRAME_TRUNCATED 8E 00', 'FRAME_GARBAGE 05 34 00']);
  });

  test('is told by an empty chunk as well', () => {
    const framer = new Framer();
    push('8E 00', 0, framer);
    expect(push('', 1000, framer)).toEqual([]);
    expect(push('', 1001, framer)).toEqual(['FRAME_TRUNCATED 8E 00']);
    expect(framer.unfinished).toBeUndefined();
  });

  test('of a stored log is nine seconds, with no gap of more than one', () => {
    const log = `8F 3E 03 ${'7F '.repeat(7935)}6B`;
    const bytes = bytesOf(log);
    const feed = (chunks: number, stepMs: number): string[] => {
      const framer = new Framer();
      const size = Math.ceil(bytes.length / chunks);
      const out: Framed[] = [];
      for (let i = 0; i < chunks; i++) {
        out.push(...framer.push(bytes.subarray(i * size, (i + 1) * size), i * stepMs));
      }
      return out.map((framed) => (framed.type === 'frame' ? 'whole' : framed.fault.code));
    };
    expect(feed(10, 1000)).toEqual(['whole']);
    expect(feed(10, 1001)[0]).toBe('FRAME_TRUNCATED');
    expect(feed(11, 901)[0]).toBe('FRAME_TRUNCATED');
    expect(feed(11, 900)).toEqual(['whole']);
  });
});

test('gives up the unfinished message when the link ends', () => {
  const framer = new Framer();
  push('8E 00 05', 0, framer);
  expect(show(framer.end())).toEqual(['FRAME_TRUNCATED 8E 00 05']);
  expect(framer.end()).toEqual([]);
});

// --- properties

/** Bytes with many frames, halves of frames and noise among them. */
const goodFrame = fc.oneof(
  fc
    .tuple(fc.integer({ max: 63, min: 0 }), fc.integer({ max: 15, min: 0 }))
    .map(([s, p]) => [0x8e, 0, 5, s, p]),
  fc.constant([...bytesOf(CLOCK)]),
  fc
    .array(fc.integer({ min: 0, max: 127 }), { maxLength: 140 })
    .map((text) => [0x92, (text.length + 3) >> 7, (text.length + 3) & 0x7f, ...text]),
  fc
    .array(fc.integer({ min: 0, max: 15 }), { minLength: 64, maxLength: 64 })
    .map((codes) => [0x86, 0, 67, ...codes]),
);
const garbage = fc.array(fc.integer({ min: 0, max: 127 }), { maxLength: 12 });
const cut = fc
  .tuple(goodFrame, fc.nat())
  .map(([frame, at]) => frame.slice(0, 1 + (at % (frame.length - 1 || 1))))
  .filter((frame) => frame.length > 0);
const anyStream = fc
  .array(fc.oneof(goodFrame, garbage, cut, fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 20 })))
  .map((parts) => Uint8Array.from(parts.flat()));
const cuts = fc.array(fc.nat({ max: 400 }));

function feedInPieces(bytes: Uint8Array, at: readonly number[]): Framed[] {
  const framer = new Framer();
  const places = [...new Set(at.filter((p) => p < bytes.length))].sort((a, b) => a - b);
  const out: Framed[] = [];
  let from = 0;
  for (const to of [...places, bytes.length]) {
    out.push(...framer.push(bytes.subarray(from, to), 0));
    from = to;
  }
  out.push(...framer.end());
  return out;
}

/** Garbage is told chunk by chunk: what stands side by side is one piece of it. */
function joined(framed: readonly Framed[]): string[] {
  const lines: string[] = [];
  let open = false;
  for (const line of show(framed)) {
    const isGarbage = line.startsWith('FRAME_GARBAGE');
    if (isGarbage && open) lines.push(`${lines.pop()}${line.slice('FRAME_GARBAGE'.length)}`);
    else lines.push(line);
    open = isGarbage;
  }
  return lines;
}

test('any split or merge of any bytes gives the same messages and the same discarded bytes', () => {
  fc.assert(
    fc.property(anyStream, cuts, (bytes, at) => {
      expect(joined(feedInPieces(bytes, at))).toEqual(joined(feedInPieces(bytes, [])));
    }),
    { numRuns: 500 },
  );
});

test('every byte comes out exactly once, in order', () => {
  fc.assert(
    fc.property(anyStream, cuts, (bytes, at) => {
      expect(feedInPieces(bytes, at).flatMap((framed) => [...framed.bytes])).toEqual([...bytes]);
    }),
    { numRuns: 500 },
  );
});

test('neither garbage nor a broken message before it costs a good message', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(goodFrame, garbage, fc.option(cut), fc.boolean())), (parts) => {
      // Garbage that follows a broken message may complete it wrongly (there is no checksum); never the next good one.
      const bytes = parts.flatMap(([frame, noise, broken, first]) =>
        first ? [...noise, ...(broken ?? []), ...frame] : [...(broken ?? []), ...noise, ...frame],
      );
      const good = parts.map(([frame]) => hex(Uint8Array.from(frame)));
      const seen = show(new Framer().push(Uint8Array.from(bytes), 0));
      let next = 0;
      for (const line of seen) if (line === good[next]) next++;
      expect(next).toBe(good.length);
    }),
    { numRuns: 500 },
  );
});
