/** Bytes of a Chessnut board to what they say, and commands to bytes (PROTOCOL.md, sections 2 to 5). */
import type { FaultCode } from '../../core/board-error.ts';
import { type Cell, EMPTY, emptyPlacement, type Placement } from '../../core/placement.ts';
import { fileOf, rankOf, type Square } from '../../core/square.ts';
import type { Decoded, Decoder } from '../definition.ts';
import {
  COMMANDS,
  type CommandName,
  MESSAGES,
  type MessageName,
  STORED_BEGINS,
  STORED_ENDS,
} from './messages.ts';

const HEADER_LENGTH = 2;
const BOARD_LENGTH = 32;
/** Parts of one message come at once; whole ones follow each other more slowly than this. */
export const GAP_MS = 150;
/** A transfer of a stored game that says nothing for so long is over. */
const STORED_GAP_MS = 3000;
/** A board that does not change is told this often. */
const REPEAT_MS = 5000;

/** Nibbles 0..C to cells: - q k b p n R P r B N Q K. */
const CELLS: readonly Cell[] = [EMPTY, 11, 12, 9, 7, 8, 4, 1, 10, 3, 2, 5, 6];

const FACTS: ReadonlyMap<number, (typeof MESSAGES)[number]> = new Map(MESSAGES.map((m) => [m.id, m]));

/** Reads 32 bytes of a position; undefined when they hold a piece that does not exist. */
export function decodePosition(board: Uint8Array): Placement | undefined {
  const placement = emptyPlacement();
  for (let i = 0; i < BOARD_LENGTH; i++) {
    // Byte by byte from h8 to a1; the low nibble is the square nearer to the h-file.
    const square = (7 - (i >> 2)) * 8 + 7 - 2 * (i & 3);
    const [first, second] = [CELLS[board[i]! & 0x0f], CELLS[board[i]! >> 4]];
    if (first === undefined || second === undefined) return undefined;
    placement[square] = first;
    placement[square - 1] = second;
  }
  return placement;
}

/**
 * Decodes what a board sends, over USB or Bluetooth alike. Squares are the board's own. A position becomes a dump when
 * it differs from the last one, else every five seconds; positions of a stored game are messages.
 */
export class ChessnutDecoder implements Decoder {
  #pending: number[] = [];
  #byteAtMs = Number.NEGATIVE_INFINITY;
  #told: Placement | undefined;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #stored = false;
  #positionAtMs = Number.NEGATIVE_INFINITY;

  /** When the last position arrived, told or not. */
  get positionAtMs(): number {
    return this.#positionAtMs;
  }

  decode(bytes: Uint8Array, atMs: number): Decoded[] {
    const out: Decoded[] = [];
    if (bytes.length === 0) return out;
    const silentMs = atMs - this.#byteAtMs;
    if (silentMs > GAP_MS) out.push(...this.#giveUp());
    if (silentMs > STORED_GAP_MS) this.#stored = false;
    this.#byteAtMs = atMs;
    this.#pending.push(...bytes);
    this.#scan(atMs, out);
    return out;
  }

  /** Gives up the unfinished message and forgets what was on: the link it came over is gone. */
  end(): Decoded[] {
    const out = this.#giveUp();
    this.#stored = false;
    this.#told = undefined;
    return out;
  }

  #giveUp(): Decoded[] {
    if (this.#pending.length === 0) return [];
    const bytes = Uint8Array.from(this.#pending);
    this.#pending = [];
    return [discard(bytes, 'FRAME_TRUNCATED', 'a message broke off')];
  }

  #scan(atMs: number, out: Decoded[]): void {
    const input = this.#pending;
    let at = 0;
    let garbageFrom: number | undefined;
    const endGarbage = (): void => {
      if (garbageFrom === undefined) return;
      const bytes = Uint8Array.from(input.slice(garbageFrom, at));
      out.push(discard(bytes, 'FRAME_GARBAGE', 'bytes that begin no message'));
      garbageFrom = undefined;
    };
    while (at < input.length) {
      // What fills a HID report up is no message and no fault.
      if (input[at] === 0) {
        endGarbage();
        at++;
        continue;
      }
      const facts = FACTS.get(input[at]!);
      const length = input[at + 1];
      const known =
        facts !== undefined &&
        (length === undefined || facts.lengths.some(([from, to]) => length >= from && length <= to));
      if (!known) {
        garbageFrom ??= at;
        at++;
        continue;
      }
      endGarbage();
      if (length === undefined || at + HEADER_LENGTH + length > input.length) break;
      const payload = Uint8Array.from(input.slice(at + HEADER_LENGTH, at + HEADER_LENGTH + length));
      if (this.#take(facts.name, payload, atMs, out)) at += HEADER_LENGTH + length;
      else {
        out.push(discard(Uint8Array.of(input[at]!), 'FRAME_VALUE', 'a piece that does not exist'));
        at++;
      }
    }
    endGarbage();
    this.#pending = input.slice(at);
  }

  /** Tells a whole message; false when it cannot be one. */
  #take(name: MessageName, payload: Uint8Array, atMs: number, out: Decoded[]): boolean {
    switch (name) {
      case 'POSITION': {
        const placement = decodePosition(payload);
        if (placement === undefined) return false;
        if (this.#stored) {
          out.push({ type: 'message', name: 'STORED_POSITION', payload });
          return true;
        }
        this.#positionAtMs = atMs;
        const same = this.#told?.every((cell, square) => cell === placement[square]) === true;
        if (same && atMs - this.#toldAtMs < REPEAT_MS) return true;
        this.#told = placement;
        this.#toldAtMs = atMs;
        // A copy: the owner may do with it what it likes.
        out.push({ type: 'sensor', event: { type: 'dump', atMs, placement: placement.slice() } });
        return true;
      }
      case 'STORED_MARK':
        if (payload[0] === STORED_BEGINS) this.#stored = true;
        if (payload[0] === STORED_ENDS) this.#stored = false;
        break;
      case 'BATTERY':
        out.push(...battery(payload[0]!));
        break;
      case 'FIRMWARE':
        out.push({ type: 'identity', identity: { firmware: decodeText(payload.subarray(1)) } });
        break;
      case 'MOVE':
        if (payload.length === 3 && payload[0] === 0x0c) out.push(...battery(payload[2]!));
        if (payload[0] === 0x15) out.push({ type: 'identity', identity: { model: 'Chessnut Move' } });
        break;
      default:
    }
    out.push({ type: 'message', name, payload });
    return true;
  }
}

function battery(value: number): Decoded[] {
  const percent = value & 0x7f;
  return percent <= 100 ? [{ type: 'identity', identity: { batteryPercent: percent } }] : [];
}

const decodeText = (bytes: Uint8Array): string =>
  String.fromCharCode(...bytes)
    .replace(/[^\x20-\x7e]/g, '')
    .trim();

const discard = (bytes: Uint8Array, code: FaultCode, message: string): Decoded => ({
  type: 'discarded',
  bytes,
  fault: { code, message },
});

/** Encodes a command. Beeps, firmware updates and whatever drives pieces have no encoding. */
export const encodeCommand = (name: CommandName): Uint8Array => Uint8Array.from(COMMANDS[name]);

/** Encodes the lamps: lit on these squares of the board's own numbering, dark elsewhere. */
export function encodeLamps(squares: readonly Square[]): Uint8Array {
  const bytes = Uint8Array.of(0x0a, 0x08, 0, 0, 0, 0, 0, 0, 0, 0);
  for (const square of squares) bytes[HEADER_LENGTH + 7 - rankOf(square)]! |= 0x80 >> fileOf(square);
  return bytes;
}
