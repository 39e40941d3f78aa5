/** Texts of a Square Off Pro to what they say, and commands to bytes (PROTOCOL.md, sections 2 and 3). */
import { EMPTY, emptyPlacement, OCCUPIED, type Placement } from '../../core/placement.ts';
import { makeSquare, parseSquare, type Square } from '../../core/square.ts';
import type { LinkDecoder } from '../conversation/dialogue.ts';
import { discard } from '../conversation/discard.ts';
import { asciiBytes, LineFramer, type TextLine } from '../conversation/line-framer.ts';
import { Picture } from '../conversation/picture.ts';
import type { Decoded } from '../definition.ts';
import { type CommandText, END, LONGEST_MESSAGE, MESSAGES } from './messages.ts';

/** Prefix of the names of messages that no table knows. */
export const UNKNOWN = 'UNKNOWN_';

/** Decodes what a board sends, in any chunking. */
export class SquareOffDecoder implements LinkDecoder {
  readonly #framer = new LineFramer({ end: END, longest: LONGEST_MESSAGE });
  readonly #picture = new Picture();

  decode(bytes: Uint8Array, atMs: number): Decoded[] {
    return this.#framer
      .push(bytes)
      .flatMap((item) => (item.type === 'line' ? this.#message(item, atMs) : [item]));
  }

  end(): Decoded[] {
    return this.#framer.end();
  }

  #message(line: TextLine, atMs: number): Decoded[] {
    // Before a message that was cut off, its own number is the last one.
    const match = /^(?:.*[^\d#])??(\d{1,3})#([^#]*)$/.exec(line.text);
    if (match === null) return [discard(line.bytes, 'FRAME_GARBAGE', 'a text without a number')];
    const [id, data] = [Number(match[1]), match[2]!];
    const name = MESSAGES.find((message) => message.id === id)?.name;
    const message: Decoded = { type: 'message', name: name ?? `${UNKNOWN}${id}`, payload: line.bytes };
    const bad = [discard(line.bytes, 'FRAME_VALUE', `message ${id}`)];
    if (name === 'SQUARE') {
      const square = parseSquare(data.slice(0, 2));
      const cell = { u: EMPTY, d: OCCUPIED }[data.slice(2)];
      if (square === undefined || cell === undefined) return bad;
      return [...this.#picture.set(square, cell, atMs), message];
    }
    if (name === 'OCCUPANCY') {
      if (!/^[01]{64}$/.test(data)) return bad;
      return [...this.#picture.dump(decodeOccupancy(data), atMs), message];
    }
    return [message];
  }
}

/** File by file: a1 ... a8, b1 ... h8; 1 = taken. */
function decodeOccupancy(digits: string): Placement {
  const placement = emptyPlacement();
  for (let index = 0; index < 64; index++) {
    placement[(index % 8) * 8 + (index >> 3)] = digits[index] === '1' ? OCCUPIED : EMPTY;
  }
  return placement;
}

/** Whether something decoded shows that its sender speaks this protocol. */
export const speaksSquareOff = (decoded: Decoded): boolean =>
  decoded.type === 'message'
    ? !decoded.name.startsWith(UNKNOWN)
    : decoded.type !== 'discarded' || decoded.fault.code === 'FRAME_VALUE';

/** Encodes a command. */
export const encodeCommand = (text: CommandText): Uint8Array => asciiBytes(text);

/** Encodes the command that lights exactly these squares; none puts all lights out. */
export const encodeLights = (squares: readonly Square[]): Uint8Array =>
  asciiBytes(`25#${squares.map(makeSquare).join('')}*`);
