/** Bytes of an iChessOne to what they say, and commands to bytes (PROTOCOL.md, sections 2 to 4). */
import { type Cell, emptyPlacement, type Placement } from '../../core/placement.ts';
import { fileOf, rankOf, type Square } from '../../core/square.ts';
import type { LinkDecoder } from '../conversation/dialogue.ts';
import { FrameScanner, type Verdict } from '../conversation/frame-scanner.ts';
import { asciiBytes } from '../conversation/line-framer.ts';
import { Picture } from '../conversation/picture.ts';
import type { Decoded } from '../definition.ts';
import { type CommandText, EQUALS, GREATEST_CODE, MESSAGES } from './messages.ts';

function judge(bytes: readonly number[]): Verdict {
  if (bytes[0] !== EQUALS) return 'garbage';
  const id = bytes[1];
  if (id === undefined) return 'more';
  const message = MESSAGES.find((candidate) => candidate.id === id);
  if (message === undefined) return { bad: 'FRAME_HEADER', detail: `no message has the id ${id}` };
  for (let i = 2; i < Math.min(bytes.length, message.length); i++) {
    const byte = bytes[i]!;
    const isGood =
      message.name === 'POSITION'
        ? byte >> 4 <= GREATEST_CODE && (byte & 0x0f) <= GREATEST_CODE
        : byte <= (i === 2 ? 1 : 100);
    if (!isGood) return { bad: 'FRAME_VALUE', detail: `byte ${i} of ${message.name}` };
  }
  return bytes.length < message.length ? 'more' : message.length;
}

/** Decodes what a board sends, in any chunking. */
export class IChessOneDecoder implements LinkDecoder {
  readonly #scanner = new FrameScanner(judge);
  readonly #picture = new Picture();

  decode(bytes: Uint8Array, atMs: number): Decoded[] {
    return this.#scanner.push(bytes, atMs).flatMap((item): Decoded[] => {
      if (item.type !== 'frame') return [item];
      const payload = item.bytes.subarray(2);
      const { name } = MESSAGES.find(({ id }) => id === item.bytes[1])!;
      const message: Decoded = { type: 'message', name, payload };
      if (name === 'POSITION') return [...this.#picture.take(decodePlacement(payload), atMs), message];
      return [{ type: 'identity', identity: { batteryPercent: payload[1]! } }, message];
    });
  }

  end(): Decoded[] {
    return this.#scanner.end();
  }
}

/** Two squares a byte, a8 in the high half first, b8 in the low one ... h1. The codes are our cells. */
function decodePlacement(payload: Uint8Array): Placement {
  const placement = emptyPlacement();
  for (let index = 0; index < 64; index++) {
    const byte = payload[index >> 1]!;
    const cell: Cell = index % 2 === 0 ? byte >> 4 : byte & 0x0f;
    placement[index ^ 56] = cell;
  }
  return placement;
}

/** Whether something decoded shows that its sender speaks this protocol. */
export const speaksIChessOne = (decoded: Decoded): boolean => decoded.type !== 'discarded';

/** Encodes a command. */
export const encodeCommand = (text: CommandText): Uint8Array => asciiBytes(text);

const LEVELS = [0x80, 0x0f] as const;
const DARK = [0x00, 0x0f] as const;
/** Steady, until the next command. */
const TAIL = [0x01, 0xff] as const;

/** Encodes the command that lights exactly these squares; none puts all lights out (section 4). */
export function encodeLights(squares: readonly Square[]): Uint8Array {
  const ranks = new Uint8Array(8);
  for (const square of squares) ranks[7 - rankOf(square)]! |= 1 << fileOf(square);
  const levels = squares.length === 0 ? DARK : LEVELS;
  return Uint8Array.from([...asciiBytes('EL'), ...levels, 0, ...ranks, 0, ...TAIL]);
}
