/** Packets of a self-built Bluetooth board to what they say, and commands to bytes (PROTOCOL.md, section 2). */
import { EMPTY, OCCUPIED, type Placement, parsePlacement } from '../../core/placement.ts';
import type { LinkDecoder } from '../conversation/dialogue.ts';
import { discard } from '../conversation/discard.ts';
import { asciiBytes } from '../conversation/line-framer.ts';
import { Picture } from '../conversation/picture.ts';
import type { Decoded } from '../definition.ts';
import { type CommandText, MESSAGES } from './messages.ts';

const UNKNOWN = 'UNKNOWN_COMMAND';
const STATES: readonly string[] = ['STATE', 'SYNC', 'UNSYNC'];

/** Decodes what a board sends, a packet at a time; pieces only as squares that are taken. */
export class BleChessDecoder implements LinkDecoder {
  readonly #picture = new Picture();

  decode(bytes: Uint8Array, atMs: number): Decoded[] {
    if (bytes.length === 0) return [];
    const [word, placement] = String.fromCharCode(...bytes)
      .replace(/[\0\r\n]/g, ' ')
      .trim()
      .split(' ');
    const name = MESSAGES.find((message) => message.word === word)?.name ?? UNKNOWN;
    const message: Decoded = { type: 'message', name, payload: bytes.slice() };
    if (!STATES.includes(name)) return [message];
    const taken = decodeTaken(placement ?? '');
    if (taken === undefined) return [discard(bytes, 'FRAME_VALUE', 'a position that cannot be read')];
    return [...this.#picture.take(taken, atMs), { ...message, name: 'STATE' }];
  }

  end(): Decoded[] {
    return [];
  }
}

/** A FEN placement in which `w`, `b`, `U`, `u` and `?` are pieces of which less is known than their kind. */
function decodeTaken(text: string): Placement | undefined {
  const placement = parsePlacement(text.replace(/[wUu]/g, '?'));
  return placement?.map((cell) => (cell === EMPTY ? EMPTY : OCCUPIED));
}

/** Whether something decoded shows that its sender speaks this protocol. */
export const speaksBleChess = (decoded: Decoded): boolean =>
  decoded.type === 'message' ? decoded.name !== UNKNOWN : true;

/** Encodes a command: words and nothing after them. */
export const encodeCommand = (text: CommandText): Uint8Array => asciiBytes(text);
