import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SCORES } from '../../core/laws/endings.ts';
import {
  type Entry,
  type EntryContent,
  eventOf,
  inOrder,
  makeEntryContent,
  parseEntryContent,
} from '../../recorder/entry.ts';

const ply = fc.integer({ min: 1, max: 400 });
const side = fc.constantFrom('white', 'black');
const content: fc.Arbitrary<EntryContent> = fc.oneof(
  fc.record({
    type: fc.constantFrom('confirm', 'dismiss', 'enter'),
    kind: fc.constantFrom('illegal', 'two-hands'),
    side,
    ply,
  }),
  fc.record({ type: fc.constantFrom('confirm', 'dismiss', 'enter'), kind: fc.constant('displaced'), ply }),
  fc.record({ type: fc.constant('draw-offer'), side, ply }),
  fc.record({ type: fc.constant('draw-declined'), ply }),
  fc.record({ type: fc.constant('flag-registered'), side }),
  fc.record({
    type: fc.constant('result'),
    score: fc.constantFrom(...SCORES),
    termination: fc.constantFrom('arbiter', 'flag-fall'),
  }),
  fc.record({
    type: fc.constant('correction'),
    from: ply,
    plies: fc.array(fc.constantFrom('e2e4', 'e7e8q', '!e1g1')),
    replaces: fc.integer({ min: 0, max: 9 }),
  }),
) as fc.Arbitrary<EntryContent>;

describe('an entry', () => {
  it('says the same when it is read again', () => {
    fc.assert(
      fc.property(content, (what) => {
        expect(parseEntryContent(makeEntryContent(what))).toEqual(what);
      }),
    );
  });

  it.each([
    '',
    'null',
    '{"type":"confirm"}',
    '{"type":"result","score":"2-0","termination":"arbiter"}',
    '{"type":"correction","from":0,"plies":[]}',
    '{"type":"correction","from":1,"plies":["e4"]}',
    '{"type":"draw-declined","ply":3,"more":1}',
  ])('is not read from %j', (text) => {
    expect(parseEntryContent(text)).toBeUndefined();
  });

  it('is heard as a decision, or as a correction', () => {
    const facts = { game: 1, atMs: 7, wallMs: 9, by: 'A' };
    const ruling = { type: 'flag-registered', side: 'white' } as const;
    expect(eventOf({ ...facts, what: ruling })).toEqual({ type: 'decision', atMs: 7, by: 'A', ruling });
    const correction = { type: 'correction', from: 3, plies: ['e2e4'], replaces: 1 } as const;
    expect(eventOf({ ...facts, what: correction })).toEqual({ ...correction, atMs: 7, by: 'A' });
  });

  it('is heard in the order of time, and not at all when it was undone', () => {
    const entry = (id: number, atMs: number, isUndone = false): Entry => ({
      id,
      atMs,
      game: 1,
      wallMs: 0,
      by: 'A',
      what: { type: 'draw-declined', ply: 1 },
      ...(isUndone && { undone: { id: 99, wallMs: 1, by: 'B' } }),
    });
    const list = [entry(1, 30), entry(2, 10, true), entry(4, 20), entry(3, 20)];
    expect(inOrder(list).map(({ id }) => id)).toEqual([3, 4, 1]);
  });
});
