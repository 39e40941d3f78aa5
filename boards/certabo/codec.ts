/** Lines of numbers to what they say, and lights to bytes (PROTOCOL.md). */
import { EMPTY, emptyPlacement, OCCUPIED, type Placement } from '../../core/placement.ts';
import { fileOf, rankOf, type Square } from '../../core/square.ts';
import type { LinkDecoder } from '../conversation/dialogue.ts';
import { Picture } from '../conversation/picture.ts';
import type { Decoded } from '../definition.ts';
import { NUMBERS_A_TAG, RANK_NUMBERS, TAG_NUMBERS } from './messages.ts';
import { type NumberLine, NumberLines } from './number-lines.ts';
import { type Tag, type TagMap, TagReader } from './tags.ts';

const LIGHTS_ACK: Decoded = { type: 'message', name: 'LIGHTS_ACK', payload: new Uint8Array(0) };

const others = (line: Exclude<NumberLine, { type: 'numbers' }>): Decoded =>
  line.type === 'lights-ack' ? { ...LIGHTS_ACK, payload: line.bytes } : line;

/** Decodes a board that reads the tags of its pieces. `reopen` keeps which piece carries which tag. */
export class CertaboDecoder implements LinkDecoder {
  readonly #lines = new NumberLines(TAG_NUMBERS);
  readonly #tags: TagReader;
  #picture = new Picture();

  constructor(pieces?: TagMap) {
    this.#tags = new TagReader(pieces);
  }

  decode(bytes: Uint8Array, atMs: number): Decoded[] {
    return this.#lines.push(bytes).flatMap((line): Decoded[] => {
      if (line.type !== 'numbers') return [others(line)];
      const pictures = this.#tags.take(tagsOf(line.numbers));
      const [before, now] = pictures.length === 2 ? pictures : [undefined, pictures[0]];
      const payload = line.bytes;
      if (now === undefined) return [{ type: 'message', name: 'LEARNING', payload }];
      // What was told of these pieces until now was wrong: the whole board says it best.
      const whole = before === undefined ? [] : this.#picture.dump(before, atMs);
      return [...whole, ...this.#picture.take(now, atMs), { type: 'message', name: 'POSITION', payload }];
    });
  }

  end(): Decoded[] {
    return this.#lines.end().flatMap((line) => (line.type === 'numbers' ? [] : [others(line)]));
  }

  reopen(): CertaboDecoder {
    return new CertaboDecoder(this.#tags.pieces);
  }
}

/** Five numbers a square, a8 first, h1 last; five zeros are nothing. */
function tagsOf(numbers: readonly number[]): Tag[] {
  const tags: Tag[] = Array.from({ length: 64 }, () => '');
  for (let index = 0; index < 64; index++) {
    const tag = numbers.slice(index * NUMBERS_A_TAG, (index + 1) * NUMBERS_A_TAG);
    tags[index ^ 56] = tag.some((number) => number !== 0) ? tag.join(' ') : '';
  }
  return tags;
}

/** Decodes a board that knows occupancy: one byte a rank, the eighth first, bit 7 = a. */
export class SentioDecoder implements LinkDecoder {
  readonly #lines = new NumberLines(RANK_NUMBERS);
  readonly #picture = new Picture();

  decode(bytes: Uint8Array, atMs: number): Decoded[] {
    return this.#lines.push(bytes).flatMap((line): Decoded[] => {
      if (line.type !== 'numbers') return [others(line)];
      const said = this.#picture.take(occupancyOf(line.numbers), atMs);
      return [...said, { type: 'message', name: 'POSITION', payload: line.bytes }];
    });
  }

  end(): Decoded[] {
    return this.#lines.end().flatMap((line) => (line.type === 'numbers' ? [] : [others(line)]));
  }
}

function occupancyOf(ranks: readonly number[]): Placement {
  const placement = emptyPlacement();
  for (let square = 0; square < 64; square++) {
    const isTaken = ((ranks[7 - rankOf(square)]! >> (7 - fileOf(square))) & 1) === 1;
    placement[square] = isTaken ? OCCUPIED : EMPTY;
  }
  return placement;
}

/** Whether something decoded shows that its sender speaks this protocol. An acknowledgement of one letter is no proof. */
export const speaksNumbers = (decoded: Decoded): boolean =>
  decoded.type === 'sensor' || (decoded.type === 'message' && decoded.name !== 'LIGHTS_ACK');

/** Encodes the lights of exactly these squares: eight bytes, the eighth rank first, bit 0 = a (section 5). */
export function encodeLights(squares: readonly Square[]): Uint8Array {
  const ranks = new Uint8Array(8);
  for (const square of squares) ranks[7 - rankOf(square)]! |= 1 << fileOf(square);
  return ranks;
}
