import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RawInput } from '../../../recorder/raw-input.ts';
import { decodeInputs, encodeInputs } from '../../../recorder/store/packed-inputs.ts';

const step = fc.integer({ min: 0, max: 40_000_000 });
const item = fc.oneof(
  fc.record({
    type: fc.constantFrom('rx' as const, 'tx' as const),
    bytes: fc.uint8Array({ maxLength: 300 }),
  }),
  fc.record({ type: fc.constant('link' as const), link: fc.constantFrom('up' as const, 'lost' as const) }),
);

describe('packed inputs', () => {
  it('unpacks to what was packed', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 40), fc.array(fc.tuple(step, item)), (baseMs, items) => {
        let atMs = baseMs;
        const inputs = items.map(([delta, rest]): RawInput => {
          atMs += delta;
          return { ...rest, atMs } as RawInput;
        });
        expect(decodeInputs(encodeInputs(inputs, baseMs), baseMs)).toEqual(inputs);
      }),
    );
  });

  it('adds four bytes at most to a message of a board that comes within seconds', () => {
    const bytes = new Uint8Array(67);
    expect(encodeInputs([{ type: 'rx', atMs: 12_000, bytes }], 7_000).length).toBeLessThanOrEqual(67 + 4);
    expect(encodeInputs([{ type: 'rx', atMs: 0, bytes: bytes.subarray(0, 5) }], 0)).toHaveLength(5 + 2);
  });

  it('never throws and never invents bytes when a blob is damaged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (blob) => {
        const inputs = decodeInputs(blob, 0) ?? [];
        const bytes = inputs.reduce(
          (sum, input) => sum + (input.type === 'link' ? 0 : input.bytes.length),
          0,
        );
        expect(bytes).toBeLessThanOrEqual(blob.length);
      }),
    );
    const good = encodeInputs([{ type: 'rx', atMs: 5, bytes: Uint8Array.of(1, 2, 3) }], 0);
    expect(decodeInputs(good.subarray(0, good.length - 1), 0)).toBeUndefined();
  });
});
