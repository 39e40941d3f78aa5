/** Bytes of the board to what they say, and single commands to bytes (PROTOCOL.md, sections 2 to 6). */
import { emptyPlacement, type Placement } from '../../core/placement.ts';
import type { BoardIdentity, Decoded, Decoder } from '../definition.ts';
import { decodeClockMessage, makeClockName } from './clock.ts';
import { decodeLog } from './event-log.ts';
import { discard, type Frame, type Framed, Framer, HEADER_LENGTH } from './frame.ts';
import { COMMANDS, MESSAGES, type MessageName, type PlainCommandName } from './messages.ts';
import { cellOfCode, resultPieceOfCode, squareOfIndex } from './piece-code.ts';
import { Recollection } from './recollection.ts';

const NAMES: ReadonlyMap<number, MessageName> = new Map(MESSAGES.map(({ id, name }) => [id, name]));

const UNKNOWN_PREFIX = 'UNKNOWN_';

/** Whether something decoded shows that its sender speaks this protocol, however odd the values in it. */
export const speaksProtocol = (decoded: Decoded): boolean =>
  decoded.type === 'message'
    ? !decoded.name.startsWith(UNKNOWN_PREFIX)
    : decoded.type !== 'discarded' || decoded.fault.code === 'FRAME_VALUE';

/**
 * Decodes what a board sends. Squares are the board's own (nothing is turned, no colour is given to a clock face).
 * Every whole message that is not a sensor event comes out as `message` too, after the `identity` it may hold, so
 * that a session can see its answers.
 */
export class DgtDecoder implements Decoder {
  readonly #framer = new Framer();
  readonly #known: Recollection;
  /** The board has not been seen since its link was lost: its log tells what has happened in between. */
  #isBlind: boolean;

  constructor(before?: DgtDecoder) {
    this.#known = before === undefined ? new Recollection() : before.#known;
    this.#isBlind = before?.isSeen === true;
  }

  /** The message that has begun and is not complete; undefined between messages. */
  get unfinished(): Framer['unfinished'] {
    return this.#framer.unfinished;
  }

  decode(bytes: Uint8Array, atMs: number): Decoded[] {
    return this.#take(decodeFramed(this.#framer.push(bytes, atMs), atMs), atMs);
  }

  /** Gives up the unfinished message: the link it came over is gone. */
  end(atMs: number): Decoded[] {
    return this.#take(decodeFramed(this.#framer.end(), atMs), atMs);
  }

  /** The board was seen whole. */
  get isSeen(): boolean {
    return this.#known.placement !== undefined;
  }

  reopen(): DgtDecoder {
    return new DgtDecoder(this);
  }

  /**
   * Remembers what is said. On a connection after another nothing is said of squares and clock before a log or a whole board has
   * come: what changed in between is known only from these, and single updates would be a part of it out of its order.
   */
  #take(decoded: Decoded[], atMs: number): Decoded[] {
    const out: Decoded[] = [];
    for (const item of decoded) {
      if (this.#isBlind && item.type === 'message' && item.name === 'EE_MOVES')
        this.#recall(item.payload, atMs, out);
      if (this.#isBlind && item.type === 'sensor') {
        if (item.event.type !== 'dump') {
          out.push({ type: 'message', name: 'EARLY_UPDATE', payload: NO_BYTES });
          continue;
        }
        this.#isBlind = false;
      }
      if (item.type === 'sensor') this.#known.note(item.event);
      out.push(item);
    }
    return out;
  }

  #recall(log: Uint8Array, atMs: number, out: Decoded[]): void {
    const events = this.#known.recall(decodeLog(log));
    if (events === undefined) {
      out.push({ type: 'message', name: 'EE_MOVES_UNPLACED', payload: NO_BYTES });
      return;
    }
    this.#isBlind = false;
    if (events.length > 0) out.push({ type: 'sensor', event: { type: 'recalled', atMs, events } });
  }
}

const NO_BYTES = new Uint8Array(0);

function decodeFramed(framed: readonly Framed[], atMs: number): Decoded[] {
  const out: Decoded[] = [];
  for (const item of framed) {
    if (item.type === 'discarded') out.push(item);
    else decodeFrame(item, atMs, out);
  }
  return out;
}

function decodeFrame(frame: Frame, atMs: number, out: Decoded[]): void {
  const payload = frame.bytes.subarray(HEADER_LENGTH);
  const name = NAMES.get(frame.id);
  switch (name) {
    case 'FIELD_UPDATE': {
      const [index, code] = payload as unknown as [number, number];
      const event = { type: 'square', atMs, square: squareOfIndex(index), cell: cellOfCode(code) } as const;
      out.push({ type: 'sensor', event });
      if (index >= 0x40 || code >= 0x10)
        out.push({ type: 'message', name: 'FIELD_UPDATE_EXTRA_BITS', payload });
      if (resultPieceOfCode(code) !== undefined) out.push({ type: 'message', name: 'RESULT_PIECE', payload });
      return;
    }
    case 'BOARD_DUMP': {
      // A 10x10 board has no chess squares: its dump stays a message.
      if (payload.length !== 64) break;
      out.push({ type: 'sensor', event: { type: 'dump', atMs, placement: decodePlacement(payload) } });
      if (payload.some((code) => code >= 0x10)) {
        out.push({ type: 'message', name: 'BOARD_DUMP_EXTRA_BITS', payload });
      }
      return;
    }
    case 'BWTIME':
      decodeClock(frame, payload, atMs, out);
      return;
    default: {
      const identity = decodeIdentity(name, payload);
      if (identity !== undefined) out.push({ type: 'identity', identity });
    }
  }
  out.push({
    type: 'message',
    name: name ?? `${UNKNOWN_PREFIX}${frame.id.toString(16).toUpperCase()}`,
    payload,
  });
}

function decodePlacement(payload: Uint8Array): Placement {
  const placement = emptyPlacement();
  for (let index = 0; index < 64; index++) placement[squareOfIndex(index)] = cellOfCode(payload[index]!);
  return placement;
}

function decodeClock(frame: Frame, payload: Uint8Array, atMs: number, out: Decoded[]): void {
  const message = decodeClockMessage(payload);
  switch (message.type) {
    case 'reading':
      out.push({ type: 'sensor', event: { type: 'clock', atMs, reading: message.reading } });
      return;
    case 'ack': {
      const { ack } = message;
      if (ack.type === 'version') {
        out.push({ type: 'identity', identity: { clock: makeClockName(ack.main, ack.sub) } });
      }
      out.push({ type: 'message', name: 'CLOCK_ACK', payload });
      return;
    }
    case 'empty':
      out.push({ type: 'message', name: 'CLOCK_EMPTY', payload });
      return;
    case 'implausible':
      out.push(discard(frame.bytes, 'FRAME_VALUE', 'digits that no clock can show'));
  }
}

/** What an answer tells of who the board is; undefined when it tells nothing. */
function decodeIdentity(name: MessageName | undefined, payload: Uint8Array): BoardIdentity | undefined {
  switch (name) {
    case 'SERIALNR':
      return { serialNumber: decodeAscii(payload.subarray(0, 5)) };
    case 'LONG_SERIALNR': {
      const text = decodeAscii(payload);
      // A Revelation II answers with its firmware in the place of a number.
      return /^\d\.\d\d/.test(text) ? { model: 'Revelation II' } : { longSerialNumber: text };
    }
    case 'VERSION':
      return { firmware: `${payload[0]}.${payload[1]}` };
    case 'TRADEMARK':
      return { trademark: decodeAscii(payload) };
    case 'BATTERY_STATUS': {
      const { percent } = decodeBattery(payload);
      return percent === undefined ? undefined : { batteryPercent: percent };
    }
    default:
      return undefined;
  }
}

/** Reads text: line breaks become one "\n", other control characters go, blanks at both ends too. */
export const decodeAscii = (bytes: Uint8Array): string =>
  String.fromCharCode(...bytes)
    .replace(/[\r\n]+/g, '\n')
    .replace(/[\x00-\x09\x0b-\x1f\x7f]/g, '')
    .trim();

/** Reads the payload (2 bytes, high seven bits first) of a bus address. */
export const decodeBusAddress = (payload: Uint8Array): number => ((payload[0] ?? 0) << 7) | (payload[1] ?? 0);

/** State of a board's battery. */
export interface Battery {
  /** Charge left, 0..100; undefined when the board says a number that is none. */
  readonly percent: number | undefined;
  /** Time left to run, or to charge; undefined when not known. */
  readonly remainingMs: number | undefined;
  readonly charging: boolean;
  readonly discharging: boolean;
  readonly onMs: number;
  readonly standbyMs: number;
}

const MINUTE_MS = 60_000;
const NOT_AVAILABLE = 0x7f;

/** Reads the payload (9 bytes, plain binary) of a battery status. */
export function decodeBattery(payload: Uint8Array): Battery {
  const at = (index: number): number => payload[index] ?? 0;
  const minutes = (hours: number, rest: number): number => (hours * 60 + rest) * MINUTE_MS;
  return {
    percent: at(0) <= 100 ? at(0) : undefined,
    remainingMs: at(1) === NOT_AVAILABLE || at(2) === NOT_AVAILABLE ? undefined : minutes(at(1), at(2)),
    onMs: minutes(at(3), at(4)),
    standbyMs: minutes(at(5) * 24 + at(6), at(7)),
    charging: (at(8) & 0x01) !== 0,
    discharging: (at(8) & 0x02) !== 0,
  };
}

/** Commands that are one byte and harm no board; nothing else can be encoded. */
const SENDABLE: ReadonlyMap<string, number> = new Map(
  COMMANDS.flatMap((c) => ('never' in c || 'data' in c ? [] : [[c.name, c.id] as const])),
);

/**
 * Encodes a command of one byte. The boot loader (4E) and the scans that blind half a board for good have no encoding:
 * asking for one is our own mistake and throws.
 */
export function encodeCommand(name: PlainCommandName): Uint8Array {
  const id = SENDABLE.get(name);
  if (id === undefined) throw new Error(`${name} is not a command that may be sent`);
  return Uint8Array.of(id);
}
