/** Packets of a ChessUp to what they say, and commands to bytes (PROTOCOL.md, sections 2 and 3). */
import { EMPTY, emptyPlacement, type Placement, parseCell } from '../../core/placement.ts';
import type { LinkDecoder } from '../conversation/dialogue.ts';
import { discard } from '../conversation/discard.ts';
import { Picture } from '../conversation/picture.ts';
import type { Decoded } from '../definition.ts';
import { COMMANDS, type CommandName, MESSAGES, NOTHING, PIECES } from './messages.ts';

const UNKNOWN = 'UNKNOWN_';

/** Decodes what a board sends, a packet at a time. */
export class ChessUpDecoder implements LinkDecoder {
  readonly #picture = new Picture();

  decode(bytes: Uint8Array, atMs: number): Decoded[] {
    const [id] = bytes;
    if (id === undefined) return [];
    const facts = MESSAGES.find((message) => message.id === id);
    const payload = bytes.slice(1);
    if (facts === undefined)
      return [
        { type: 'message', name: `${UNKNOWN}${id.toString(16).toUpperCase()}`, payload: bytes.slice() },
      ];
    if (bytes.length < facts.least) return [discard(bytes, 'FRAME_TRUNCATED', facts.name)];
    const message: Decoded = { type: 'message', name: facts.name, payload };
    if (facts.name !== 'POSITION') return [message];
    const placement = decodePlacement(payload);
    if (placement === undefined) return [discard(bytes, 'FRAME_VALUE', 'a piece that does not exist')];
    return [...this.#picture.take(placement, atMs), message];
  }

  end(): Decoded[] {
    return [];
  }
}

/** One byte a square, a1, b1 ... h8; what follows (turn, rights, counters) is not ours. */
function decodePlacement(payload: Uint8Array): Placement | undefined {
  const placement = emptyPlacement();
  for (let square = 0; square < 64; square++) {
    const code = payload[square]!;
    const letter = code < 0x10 ? PIECES[code & 7] : undefined;
    if (code !== NOTHING && letter === undefined) return undefined;
    placement[square] = letter === undefined ? EMPTY : parseCell(code & 8 ? letter.toLowerCase() : letter)!;
  }
  return placement;
}

/** Whether something decoded shows that its sender speaks this protocol. */
export const speaksChessUp = (decoded: Decoded): boolean =>
  decoded.type === 'message' ? !decoded.name.startsWith(UNKNOWN) : decoded.type !== 'discarded';

/** Encodes a command. */
export const encodeCommand = (name: CommandName): Uint8Array =>
  Uint8Array.of(COMMANDS.find((command) => command.name === name)!.id);
