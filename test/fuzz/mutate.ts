/** Inputs nobody means well with, made of valid ones; the same for the same seed. */
import { createRandom, nextRandom } from '../../boards/hand/random.ts';

export interface Chance {
  /** 0 to below `below`, whole. */
  below(below: number): number;
  one<T>(of: readonly T[]): T;
}

export function createChance(seed: number): Chance {
  const state = createRandom(seed);
  const below = (most: number): number => Math.floor(nextRandom(state) * most);
  return { below, one: (of) => of[below(of.length)]! };
}

const BYTES = [
  0x00, 0x01, 0x0a, 0x0d, 0x1b, 0x22, 0x2f, 0x5b, 0x7b, 0x7f, 0x80, 0x86, 0x8e, 0xc0, 0xed, 0xf4, 0xfe, 0xff,
];
const WORDS = [
  '-1',
  '0',
  '9007199254740993',
  '1e308',
  'NaN',
  'null',
  '{}',
  '[]',
  '""',
  '\\u0000',
  '"__proto__"',
  '__proto__',
  'constructor',
  '\u001b[2J',
  '\ud800',
  '\u202e',
  '../../../etc/passwd',
  '%00',
  '%c0%af',
  '<script>',
  '=cmd|',
  '[Event "',
  '{',
  '}',
  '(',
  ')',
  ';',
  '"',
  "'",
  '\r\n\r\n',
].map((word) => new TextEncoder().encode(word));

const joined = (...parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

/** Longest input that is made, bytes. */
const MOST_BYTES = 65_536;

/** Damages bytes in one place. */
function damage(bytes: Uint8Array, other: Uint8Array, chance: Chance): Uint8Array {
  const at = chance.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + 1 + chance.below(chance.one([2, 16, 256])));
  const [head, middle, tail] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
  switch (chance.below(9)) {
    case 0: {
      const flipped = bytes.slice();
      if (flipped.length > 0) flipped[at % flipped.length]! ^= 1 << chance.below(8);
      return flipped;
    }
    case 1: {
      const set = bytes.slice();
      if (set.length > 0) set[at % set.length] = chance.one(BYTES);
      return set;
    }
    case 2:
      return joined(head, tail);
    case 3:
      return joined(
        head,
        Uint8Array.from({ length: 1 + chance.below(8) }, () => chance.below(256)),
        middle,
        tail,
      );
    case 4:
      return joined(head, chance.one(WORDS), middle, tail);
    case 5: {
      const times = chance.one([1, 3, 50, 1000]);
      return joined(
        head,
        ...Array.from(
          { length: Math.max(1, Math.min(times, MOST_BYTES / (middle.length + 1))) },
          () => middle,
        ),
        tail,
      );
    }
    case 6:
      return head;
    case 7: {
      const from = chance.below(other.length + 1);
      return joined(head, other.subarray(from, from + 1 + chance.below(64)), tail);
    }
    default:
      return joined(head, middle.slice().reverse(), tail);
  }
}

/** An input made of one of the valid ones, damaged once or several times. */
export function mutate(seeds: readonly Uint8Array[], chance: Chance): Uint8Array {
  let bytes = chance.one(seeds);
  for (let left = 1 + chance.below(chance.one([1, 4, 16])); left > 0; left--)
    bytes = damage(bytes, chance.one(seeds), chance).subarray(0, MOST_BYTES);
  return bytes;
}
