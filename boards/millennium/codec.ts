/** Bytes of a ChessLink board to what they say, and commands to bytes (PROTOCOL.md, sections 2 to 5). */
import { EMPTY, emptyPlacement, OCCUPIED, type Placement, parseCell } from '../../core/placement.ts';
import { fileOf, rankOf, type Square } from '../../core/square.ts';
import type { LinkDecoder } from '../conversation/dialogue.ts';
import { FrameScanner, type Verdict } from '../conversation/frame-scanner.ts';
import { Picture } from '../conversation/picture.ts';
import type { Decoded, Sensing } from '../definition.ts';
import { CHECKSUM_LENGTH, type CommandLetter, MESSAGES } from './messages.ts';

const BY_CODE: ReadonlyMap<number, (typeof MESSAGES)[number]> = new Map(
  MESSAGES.map((message) => [message.letter.charCodeAt(0), message]),
);
const DIGITS = '0123456789ABCDEF';

/** The message with which an eONE says that it is one. */
export const EONE = 'IDENTITY_EONE';

/** The parity bit says nothing: eONE boards are known to send it wrong (PROTOCOL.md, section 1). */
const letterOf = (byte: number): string => String.fromCharCode(byte & 0x7f);

/** Longest text with which a board says who it is; a guess, since nobody states it. */
const LONGEST_IDENTITY = 40;
const IDENTITY = 'i'.charCodeAt(0);

/** The text has no length of its own: it ends where the two digits are right for all before them. */
function judgeIdentity(bytes: readonly number[]): Verdict {
  let sum = 0;
  for (let i = 0; i < Math.min(bytes.length, LONGEST_IDENTITY); i++) {
    const digits = letterOf(bytes[i]!) + letterOf(bytes[i + 1] ?? 0);
    if (i > 3 && digits === makeHex(sum)) return i + CHECKSUM_LENGTH;
    const code = bytes[i]! & 0x7f;
    if (code < 0x20) return { bad: 'FRAME_TRUNCATED', detail: '"i" broke off' };
    sum ^= code;
  }
  return bytes.length < LONGEST_IDENTITY ? 'more' : { bad: 'FRAME_TRUNCATED', detail: '"i" has no end' };
}

function judge(bytes: readonly number[]): Verdict {
  if ((bytes[0]! & 0x7f) === IDENTITY) return judgeIdentity(bytes);
  const message = BY_CODE.get(bytes[0]! & 0x7f);
  if (message === undefined) return 'garbage';
  const { letter, fields, characters } = message;
  const length = 1 + fields + CHECKSUM_LENGTH;
  for (let i = 1; i < Math.min(bytes.length, length); i++) {
    const allowed: string = i <= fields ? characters : DIGITS;
    if (!allowed.includes(letterOf(bytes[i]!)))
      return { bad: 'FRAME_TRUNCATED', detail: `"${letter}" broke off after ${i} characters` };
  }
  if (bytes.length < length) return 'more';
  const said = Number.parseInt(letterOf(bytes[length - 2]!) + letterOf(bytes[length - 1]!), 16);
  const sum = bytes.slice(0, length - CHECKSUM_LENGTH).reduce((all, byte) => all ^ (byte & 0x7f), 0);
  return said === sum ? length : { bad: 'FRAME_CHECKSUM', detail: `message "${letter}"` };
}

/** Decodes what a board sends; one that only tracks its pieces tells occupancy, whatever letters it sends. */
export class MillenniumDecoder implements LinkDecoder {
  readonly #scanner = new FrameScanner(judge);
  readonly #picture = new Picture();
  readonly #sensing: Sensing;

  constructor(sensing: Sensing) {
    this.#sensing = sensing;
  }

  decode(bytes: Uint8Array, atMs: number): Decoded[] {
    return this.#scanner
      .push(bytes, atMs)
      .flatMap((item) => (item.type === 'frame' ? this.#frame(item.bytes, atMs) : [item]));
  }

  end(): Decoded[] {
    return this.#scanner.end();
  }

  #frame(bytes: Uint8Array, atMs: number): Decoded[] {
    if ((bytes[0]! & 0x7f) === IDENTITY) {
      const payload = bytes.subarray(1, -CHECKSUM_LENGTH);
      const isEOne = [...payload].map(letterOf).join('').startsWith('e-one');
      return [{ type: 'message', name: isEOne ? EONE : 'IDENTITY', payload }];
    }
    const { name, fields } = BY_CODE.get(bytes[0]! & 0x7f)!;
    const payload = bytes.subarray(1, 1 + fields);
    const message: Decoded = { type: 'message', name, payload };
    const text = [...payload].map(letterOf).join('');
    switch (name) {
      case 'POSITION':
        return [...this.#picture.take(decodePlacement(text, this.#sensing), atMs), message];
      case 'VERSION':
        return [{ type: 'identity', identity: decodeVersion(text) }, message];
      default:
        return [message];
    }
  }
}

/** 64 letters, h1 first, g1 ... a1, h2 ... a8 (PROTOCOL.md, section 3). */
function decodePlacement(text: string, sensing: Sensing): Placement {
  const placement = emptyPlacement();
  for (let index = 0; index < 64; index++) {
    const cell = text[index] === '.' ? EMPTY : parseCell(text[index]!)!;
    placement[index ^ 7] = cell !== EMPTY && sensing === 'occupancy' ? OCCUPIED : cell;
  }
  return placement;
}

const MODELS = ['Exclusive', 'King Performance'];

function decodeVersion(text: string): { firmware: string; model?: string } {
  const [main, sub] = [Number.parseInt(text.slice(0, 2), 16), Number.parseInt(text.slice(2), 16)];
  const model = MODELS[main];
  return { firmware: `${main}.${sub}`, ...(model !== undefined && { model }) };
}

/** Whether something decoded shows that its sender speaks this protocol. */
export const speaksChessLink = (decoded: Decoded): boolean => decoded.type !== 'discarded';

/** Sets bit 7 so that the number of ones is odd: 8N1 with this is 7O1 on the wire. */
const withParity = (code: number): number => {
  let ones = 0;
  for (let rest = code; rest !== 0; rest >>= 1) ones += rest & 1;
  return ones % 2 === 0 ? code | 0x80 : code;
};

const makeHex = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0');

/** Encodes a command with its fields, checksum and parity. */
export function encodeCommand(letter: CommandLetter, fields = ''): Uint8Array {
  const text = letter + fields;
  const sum = [...text].reduce((all, character) => all ^ character.charCodeAt(0), 0);
  return Uint8Array.from(text + makeHex(sum), (character) => withParity(character.charCodeAt(0)));
}

/** Writes a setting (PROTOCOL.md, section 5). */
export const encodeSetting = (address: number, value: number): Uint8Array =>
  encodeCommand('W', makeHex(address) + makeHex(value));

const LAMPS = 81;
const LAMPS_A_FILE = 9;
/** Unit 4.096 ms: one slot of eight in a pattern; of no meaning for steady lights. */
const SLOT = 0x32;
const STEADY = 0xff;

/** The lamps at the four corners of a square, of 9 x 9 (PROTOCOL.md, section 4). */
const lampsOf = (square: Square): number[] => {
  const first = (7 - fileOf(square)) * LAMPS_A_FILE + rankOf(square);
  return [first, first + 1, first + LAMPS_A_FILE, first + LAMPS_A_FILE + 1];
};

/** Encodes the command that lights exactly the corners of these squares, steadily; none puts all lights out. */
export function encodeLights(squares: readonly Square[]): Uint8Array {
  if (squares.length === 0) return encodeCommand('X');
  const lamps = new Uint8Array(LAMPS);
  for (const lamp of squares.flatMap(lampsOf)) lamps[lamp] = STEADY;
  return encodeCommand('L', makeHex(SLOT) + [...lamps].map(makeHex).join(''));
}
