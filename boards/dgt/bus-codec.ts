/** Several boards on one line: commands with an address, replies with an address and a checksum (PROTOCOL.md, section 10). */
import { emptyPlacement, type Placement } from '../../core/placement.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import type { Decoded, Decoder } from '../definition.ts';
import { decodeClockMessage } from './clock.ts';
import { decodeLog } from './event-log.ts';
import { type DiscardedBytes, discard, Framer } from './frame.ts';
import { BUS_COMMANDS, BUS_REPLIES, type BusCommandName, type BusReplyName } from './messages.ts';
import { cellOfCode, squareOfIndex } from './piece-code.ts';
import { Recollection } from './recollection.ts';

/** Address that all boards of a line hear. */
export const ALL_BOARDS = 0;

/** Type, two length bytes, two address bytes, checksum. */
const LEAST_LENGTH = 6;
const LENGTHS: ReadonlyMap<number, readonly number[]> = new Map(
  BUS_REPLIES.flatMap((reply) => ('lengths' in reply ? [[reply.id, reply.lengths] as const] : [])),
);
const NAMES: ReadonlyMap<number, BusReplyName> = new Map(BUS_REPLIES.map(({ id, name }) => [id, name]));

const SENDABLE: ReadonlyMap<string, number> = new Map(
  BUS_COMMANDS.flatMap((command) => ('never' in command ? [] : [[command.name, command.id] as const])),
);

const checksum = (bytes: Uint8Array | readonly number[]): number => {
  let sum = 0;
  for (const byte of bytes) sum += byte;
  return sum & 0x7f;
};

/**
 * Encodes a command to one board of a line, or to all (`ALL_BOARDS`). Leaving bus mode (88) and the reset (89) have no
 * encoding: asking for one, or for an address outside 0..16383, is our own mistake and throws.
 */
export function encodeBusCommand(name: BusCommandName, address: number): Uint8Array {
  const id = SENDABLE.get(name);
  if (id === undefined) throw new Error(`${name} is not a command that may be sent`);
  if (!Number.isInteger(address) || address < 0 || address > 0x3fff)
    throw new RangeError(`${address} is no address on a line`);
  const head = [id, address >> 7, address & 0x7f];
  return Uint8Array.from([...head, checksum(head)]);
}

/** A whole reply with a good checksum. */
export interface BusReply {
  readonly type: 'reply';
  readonly id: number;
  readonly name: BusReplyName | undefined;
  readonly address: number;
  readonly data: Uint8Array;
  /** All bytes, checksum included. */
  readonly bytes: Uint8Array;
}

/** Cuts what a line brings into replies, in any chunking; every byte comes out once, in order. */
export class BusFramer {
  readonly #framer = new Framer(LENGTHS, LEAST_LENGTH);

  /** A reply has begun and is not complete. */
  get isUnfinished(): boolean {
    return this.#framer.unfinished !== undefined;
  }

  push(bytes: Uint8Array, atMs: number): (BusReply | DiscardedBytes)[] {
    return this.#framer.push(bytes, atMs).map((framed) => {
      if (framed.type === 'discarded') return framed;
      const { id } = framed;
      const body = framed.bytes.subarray(0, -1);
      if (checksum(body) !== framed.bytes.at(-1)) return discard(framed.bytes, 'FRAME_CHECKSUM');
      const address = (body[3]! << 7) | body[4]!;
      return { type: 'reply', id, name: NAMES.get(id), address, data: body.subarray(5), bytes: framed.bytes };
    });
  }
}

/** The serial number of the board with an address: its five digits are the address, written in decimal. */
export const serialOfAddress = (address: number): string => String(address).padStart(5, '0');

/**
 * Decodes what one board of a line sends: the bytes that the session has handed out as heard of it. Changes are told in the
 * order of the board's own log; a packet that the board had to repeat although it had arrived is told once. The first
 * changes of a connection after another are `recalled`: they are all that happened in between.
 */
export class BusDecoder implements Decoder {
  readonly #framer = new BusFramer();
  readonly #known: Recollection;
  /** The next changes are those of the time in which the board was not heard. */
  #isGap: boolean;
  #lastPacket: string;
  /** What is told of changes next has happened after this. */
  #toldMs = Number.POSITIVE_INFINITY;

  constructor(before?: BusDecoder) {
    this.#known = before === undefined ? new Recollection() : before.#known;
    this.#isGap = before !== undefined;
    this.#lastPacket = before === undefined ? '' : before.#lastPacket;
  }

  /** What stands on the board as far as it was told; undefined before its first dump. */
  get placement(): Placement | undefined {
    return this.#known.placement;
  }

  reopen(): BusDecoder {
    return new BusDecoder(this);
  }

  decode(bytes: Uint8Array, atMs: number): Decoded[] {
    const out: Decoded[] = [];
    for (const framed of this.#framer.push(bytes, atMs)) {
      if (framed.type === 'discarded') out.push(framed);
      else this.#decodeReply(framed, atMs, out);
    }
    return out;
  }

  #decodeReply(reply: BusReply, atMs: number, out: Decoded[]): void {
    const { data, name } = reply;
    switch (name) {
      case 'BUS_BRD': {
        const placement = emptyPlacement();
        for (let index = 0; index < 64; index++) placement[squareOfIndex(index)] = cellOfCode(data[index]!);
        const before = this.#known.placement;
        this.#tell({ type: 'dump', atMs, placement }, out);
        if (before?.some((cell, square) => cell !== placement[square]) === true)
          out.push({ type: 'message', name: 'BUS_BRD_DIFFERS', payload: new Uint8Array(0) });
        break;
      }
      case 'BUS_CLK': {
        const message = decodeClockMessage(data);
        // Of a board that was never seen whole neither its clock nor its changes tell anything of a game.
        if (message.type === 'reading' && this.placement !== undefined)
          this.#tell({ type: 'clock', atMs, reading: message.reading }, out);
        if (message.type === 'implausible')
          out.push(discard(reply.bytes, 'FRAME_VALUE', 'digits that no clock can show'));
        break;
      }
      case 'BUS_CHANGES':
        this.#decodeChanges(data, atMs, out);
        break;
      case 'BUS_FROM_START': {
        const events = this.#known.placement === undefined ? [] : this.#known.recall(decodeLog(data));
        if (events === undefined) {
          this.#isGap = false;
          out.push({ type: 'message', name: 'BUS_FROM_START_UNPLACED', payload: new Uint8Array(0) });
        } else if (events.length > 0) out.push({ type: 'sensor', event: { type: 'recalled', atMs, events } });
        break;
      }
      case 'BUS_PING':
        out.push({ type: 'identity', identity: { serialNumber: serialOfAddress(reply.address) } });
        break;
      case 'BUS_VERSION':
        if (data.length === 2)
          out.push({ type: 'identity', identity: { firmware: `${data[0]}.${data[1]}` } });
        break;
    }
    out.push({
      type: 'message',
      name: name ?? `UNKNOWN_${reply.id.toString(16).toUpperCase()}`,
      payload: data,
    });
  }

  #decodeChanges(data: Uint8Array, atMs: number, out: Decoded[]): void {
    const packet = data.join();
    if (this.placement === undefined) {
      this.#lastPacket = packet;
      return;
    }
    const log = decodeLog(data);
    const squares = log.filter((entry) => entry.type === 'square');
    // Every entry of a new packet changes something; one that was repeated after it had arrived begins with what stands.
    const first = squares[0];
    const isRepeated =
      packet !== '' &&
      packet === this.#lastPacket &&
      (first === undefined ||
        this.#known.placement?.[first.square] === first.cell ||
        squares.length < log.length);
    this.#lastPacket = packet;
    if (isRepeated) {
      out.push({ type: 'message', name: 'BUS_CHANGES_AGAIN', payload: data });
      return;
    }
    const wasOff = log.some((entry) => entry.type === 'mark' && entry.mark === 'powerUp');
    const isGap = this.#isGap && !wasOff;
    this.#isGap = false;
    if (wasOff) out.push({ type: 'message', name: 'BUS_POWER_UP', payload: new Uint8Array(0) });
    if (isGap) {
      const events = this.#known.follow(log);
      if (events.length > 0) out.push({ type: 'sensor', event: { type: 'recalled', atMs, events } });
    } else {
      for (const event of this.#known.followTimed(log, Math.min(this.#toldMs, atMs), atMs))
        out.push({ type: 'sensor', event });
    }
    this.#toldMs = atMs;
  }

  #tell(event: SensorEvent, out: Decoded[]): void {
    this.#known.note(event);
    this.#toldMs = event.atMs;
    out.push({ type: 'sensor', event });
  }
}
