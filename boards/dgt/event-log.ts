/** The event log a board keeps in its memory and sends on demand (PROTOCOL.md, section 7). */
import type { Cell } from '../../core/placement.ts';
import type { ClockFace } from '../../core/sensor-event.ts';
import type { Square } from '../../core/square.ts';
import { decodeBcd } from './clock.ts';
import { cellOfCode, squareOfIndex } from './piece-code.ts';

/** Marks of one byte. */
const MARKS = {
  106: 'powerUp',
  107: 'end',
  108: 'shuffledArray',
  109: 'emptyBoard',
  110: 'downloaded',
  111: 'array',
  122: 'arrayRotated',
  123: 'gameStart',
  124: 'watchdog',
} as const satisfies Record<number, string>;

export type LogMark = (typeof MARKS)[keyof typeof MARKS];

/** One entry of the log, oldest first. */
export type LogEvent =
  /** A square now holds `cell`; `quick` when less than about 250 ms passed since the square change before. */
  | { readonly type: 'square'; readonly square: Square; readonly cell: Cell; readonly quick: boolean }
  /** The time of the face that was just stopped. */
  | { readonly type: 'time'; readonly face: ClockFace; readonly timeMs: number }
  | { readonly type: 'mark'; readonly mark: LogMark }
  /** A byte without known meaning, or the beginning of an entry that is not whole. */
  | { readonly type: 'unknown'; readonly byte: number };

const isNothing = (byte: number): boolean => byte === 0x7f || byte === 0x00;

/**
 * Reads a stored log or a part of one; fillers are left out. Whatever is not understood takes one byte, so that a
 * damaged entry costs no other.
 */
export function decodeLog(bytes: Uint8Array): LogEvent[] {
  const events: LogEvent[] = [];
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at]!;
    const event = decodeEvent(byte, bytes[at + 1], bytes[at + 2]);
    if (event !== undefined) events.push(event);
    at += event?.type === 'square' ? 2 : event?.type === 'time' ? 3 : 1;
  }
  return events;
}

function decodeEvent(
  byte: number,
  second: number | undefined,
  third: number | undefined,
): LogEvent | undefined {
  if (isNothing(byte)) return undefined;
  if (byte >= 0x40 && byte <= 0x5f && second !== undefined && second < 0x40) {
    const quick = (byte & 0x10) !== 0;
    return { type: 'square', square: squareOfIndex(second), cell: cellOfCode(byte), quick };
  }
  const hours = byte & 0x0f;
  if ((byte & 0xe0) === 0x60 && hours <= 9 && second !== undefined && third !== undefined) {
    const minutes = decodeBcd(second);
    const seconds = decodeBcd(third);
    if (minutes !== undefined && seconds !== undefined) {
      const face = byte < 0x70 ? 'right' : 'left';
      return { type: 'time', face, timeMs: ((hours * 60 + minutes) * 60 + seconds) * 1000 };
    }
  }
  const mark = (MARKS as Readonly<Record<number, LogMark>>)[byte];
  return mark === undefined ? { type: 'unknown', byte } : { type: 'mark', mark };
}
