import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RawInput } from '../../recorder/raw-input.ts';
import {
  type CaptureHeader,
  makeCaptureEntry,
  makeCaptureHeader,
  parseCapture,
} from '../../recorder/replay/capture.ts';

const HEADER: Omit<CaptureHeader, 'jadoube'> = { board: 'dgt', startedAt: '2031-01-02T03:04:05.678Z' };
const head = makeCaptureHeader(HEADER);

const entry = (): fc.Arbitrary<RawInput> => {
  const bytes = fc.uint8Array({ maxLength: 80 });
  const atMs = fc.nat(10_000_000);
  return fc.oneof(
    fc.record({ type: fc.constantFrom('rx' as const, 'tx' as const), atMs, bytes }),
    fc.record({
      type: fc.constant('link' as const),
      atMs,
      link: fc.constantFrom('up' as const, 'lost' as const),
    }),
  );
};
const entries = () =>
  fc.array(entry(), { maxLength: 20 }).map((list) => list.sort((a, b) => a.atMs - b.atMs));

const read = (text: string) => {
  const parsed = parseCapture(text);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return parsed.value;
};

describe('a capture', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(entries(), (list) => {
        expect(read(head + list.map(makeCaptureEntry).join(''))).toEqual({
          header: { jadoube: 1, ...HEADER },
          entries: list,
          truncated: false,
        });
      }),
    );
  });

  it('keeps parts of a millisecond to a thousandth', () => {
    const [first] = read(head + makeCaptureEntry({ type: 'link', atMs: 12.345_678, link: 'up' })).entries;
    expect(first?.atMs).toBe(12.346);
  });

  it('is one object a line, the first saying what it is', () => {
    const text = head + makeCaptureEntry({ type: 'rx', atMs: 5, bytes: Uint8Array.of(0x8e, 0, 5, 12, 0) });
    expect(text).toBe(
      '{"jadoube":1,"board":"dgt","startedAt":"2031-01-02T03:04:05.678Z"}\n{"t":5,"rx":"8e00050c00"}\n',
    );
  });

  it('says in its first line from which position and by which rules is played', () => {
    const full = {
      ...HEADER,
      link: 'tcp://host:1',
      fen: '8/8/8/8/8/8/8/8 w - - 0 1',
      variant: 'chess960',
      rateOfPlay: '40/5400',
      supervision: 'limited',
    } as const;
    expect(read(makeCaptureHeader(full)).header).toEqual({ jadoube: 1, ...full });
  });

  it('cut off anywhere is the same capture without its end, or has no first line', () => {
    fc.assert(
      fc.property(entries(), fc.nat(10_000), (list, at) => {
        const text = head + list.map(makeCaptureEntry).join('');
        const cut = text.slice(0, at % (text.length + 1));
        const parsed = parseCapture(cut);
        if (!parsed.ok) {
          expect(parsed.fault.code).toBe('CAPTURE_SYNTAX');
          expect(cut.length).toBeLessThan(head.length - 1);
          return;
        }
        expect(parsed.value.entries).toEqual(list.slice(0, parsed.value.entries.length));
        const wholeLines = cut.split('\n').length - 2;
        expect(parsed.value.entries.length).toBeGreaterThanOrEqual(Math.max(0, wholeLines));
      }),
    );
  });

  it('never lets time fall, whatever it says', () => {
    const times = [5, 3, 9, -1].map((t) => `{"t":${t},"link":"up"}\n`).join('');
    expect(read(head + times).entries.map((e) => e.atMs)).toEqual([5, 5, 9, 9]);
  });

  it.each([
    '{"t":0,"rx":"abc"}',
    '{"t":0,"rx":"xy"}',
    '{"t":0,"rx":5}',
    '{"t":"0","rx":""}',
    '{"t":null,"link":"up"}',
    '{"t":0,"link":"broken"}',
    '{"t":0}',
    '{"rx":"00"}',
    '[]',
    '5',
    'null',
    '"x"',
    '{"t":1e999,"rx":"00"}',
    'x',
  ])('has no line %j before its last', (line) => {
    expect(
      parseCapture(`${head}${line}\n${makeCaptureEntry({ type: 'link', atMs: 1, link: 'up' })}`),
    ).toMatchObject({
      ok: false,
      fault: { code: 'CAPTURE_SYNTAX' },
    });
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((json) => `${head}${json}\n`),
        ),
        (text) => {
          const parsed = parseCapture(text);
          if (!parsed.ok) expect(parsed.fault.code).toBe('CAPTURE_SYNTAX');
        },
      ),
    );
  });
});
