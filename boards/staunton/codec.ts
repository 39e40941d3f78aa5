/** Reports of a House of Staunton board to what they say, and lights to bytes (PROTOCOL.md). */
import { EMPTY, emptyPlacement, type Placement, parseCell } from '../../core/placement.ts';
import type { ClockFace, ClockReading } from '../../core/sensor-event.ts';
import type { Square } from '../../core/square.ts';
import type { LinkDecoder } from '../conversation/dialogue.ts';
import { discard } from '../conversation/discard.ts';
import { LineFramer } from '../conversation/line-framer.ts';
import { Picture } from '../conversation/picture.ts';
import type { Decoded } from '../definition.ts';
import {
  BOARD_LENGTH,
  CLOCK_HEAD,
  CLOCK_LENGTH,
  FIRST_LIGHT,
  LIGHTS_OFF,
  PIECES,
  REPORT_LENGTH,
} from './messages.ts';

const COMMA = ','.charCodeAt(0);

/**
 * Decodes what a board sends. Over USB a chunk is a report, its zero first; anything else is the text that comes over
 * Bluetooth, in any chunking.
 */
export class StauntonDecoder implements LinkDecoder {
  readonly #texts = new LineFramer({ end: COMMA, longest: 2 * REPORT_LENGTH });
  readonly #picture = new Picture();

  decode(bytes: Uint8Array, atMs: number): Decoded[] {
    if (bytes.length === 0) return [];
    if (bytes[0] === 0) return this.#report(bytes, bytes.subarray(1), atMs);
    return this.#texts.push(bytes).flatMap((item) => {
      if (item.type !== 'line') return [item];
      const isHex = /^([0-9A-Fa-f]{2})+$/.test(item.text);
      if (!isHex) return [discard(item.bytes, 'FRAME_GARBAGE', 'no hexadecimal text')];
      return this.#report(item.bytes, parseHex(item.text), atMs);
    });
  }

  end(): Decoded[] {
    return this.#texts.end();
  }

  #report(bytes: Uint8Array, report: Uint8Array, atMs: number): Decoded[] {
    const payload = report.slice();
    if (CLOCK_HEAD.every((byte, index) => report[index] === byte)) {
      const reading = report.length < CLOCK_LENGTH ? undefined : decodeClock(report);
      if (reading === undefined) return [discard(bytes, 'FRAME_VALUE', 'a time that no clock can show')];
      return [
        { type: 'sensor', event: { type: 'clock', atMs, reading } },
        { type: 'message', name: 'CLOCK', payload },
      ];
    }
    if (report.length < BOARD_LENGTH) return [discard(bytes, 'FRAME_TRUNCATED', `${report.length} bytes`)];
    const placement = decodePlacement(report);
    if (placement === undefined) return [discard(bytes, 'FRAME_VALUE', 'a piece that does not exist')];
    return [...this.#picture.take(placement, atMs), { type: 'message', name: 'POSITION', payload }];
  }
}

const parseHex = (text: string): Uint8Array =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Two squares a byte, a1 in the low half first, b1 in the high one ... h8. */
function decodePlacement(report: Uint8Array): Placement | undefined {
  const placement = emptyPlacement();
  for (let square = 0; square < 64; square++) {
    const byte = report[square >> 1]!;
    const letter = PIECES[square % 2 === 0 ? byte & 0x0f : byte >> 4];
    if (letter === undefined) return undefined;
    placement[square] = letter === '.' ? EMPTY : parseCell(letter)!;
  }
  return placement;
}

/** Left face, right face, each hours, minutes, seconds; in the last byte bit 7 runs, bit 6 the right one. */
function decodeClock(report: Uint8Array): ClockReading | undefined {
  const parts = [...report.subarray(CLOCK_HEAD.length, CLOCK_LENGTH)].map((byte) => byte & 0x3f);
  if (parts.some((part, index) => index % 3 > 0 && part > 59)) return undefined;
  const last = report[CLOCK_LENGTH - 1]!;
  const lever: ClockFace = (last & 0x40) !== 0 ? 'right' : 'left';
  const face = (first: number, side: ClockFace) => {
    const timeMs = (parts[first]! * 3600 + parts[first + 1]! * 60 + parts[first + 2]!) * 1000;
    return { timeMs, flag: timeMs === 0 && lever === side };
  };
  const running = (last & 0x80) !== 0 ? lever : undefined;
  return { left: face(0, 'left'), right: face(3, 'right'), running, lever, connected: true };
}

/** Whether something decoded shows that its sender speaks this protocol. */
export const speaksStaunton = (decoded: Decoded): boolean => decoded.type !== 'discarded';

/** The writes that light exactly these squares, one byte each; none puts all lights out. */
export const encodeLights = (squares: readonly Square[]): readonly Uint8Array[] =>
  [LIGHTS_OFF, ...squares.map((square) => FIRST_LIGHT + square)].map((code) => Uint8Array.of(code));
