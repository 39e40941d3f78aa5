/** The clock beside the board: what its messages say and how it is commanded (PROTOCOL.md, section 6). */
import { fail, ok, type Result } from '../../core/result.ts';
import type { ClockFace, ClockReading, FaceReading } from '../../core/sensor-event.ts';

/** The seven payload bytes of a clock message, before any meaning is given to them. */
export type ClockMessage =
  | { readonly type: 'reading'; readonly reading: ClockReading }
  | { readonly type: 'ack'; readonly ack: ClockAck }
  /** All zero: some boards send it after a clock command; it says nothing. */
  | { readonly type: 'empty' }
  /** Digits no clock can show. */
  | { readonly type: 'implausible' };

export const CLOCK_BUTTONS = ['back', 'plus', 'run', 'minus', 'ok'] as const;
export type ClockButton = (typeof CLOCK_BUTTONS)[number];

/** Commands by the byte their acknowledgement repeats. */
export const CLOCK_COMMANDS = {
  display: 0x01,
  icons: 0x02,
  end: 0x03,
  button: 0x08,
  version: 0x09,
  setAndRun: 0x0a,
  beep: 0x0b,
  text: 0x0c,
  revelationText: 0x0d,
} as const;

/** What a clock answers to a command, or says by itself. */
export type ClockAck =
  /** The command with this byte was accepted. */
  | { readonly type: 'accepted'; readonly command: number }
  | { readonly type: 'version'; readonly main: number; readonly sub: number }
  /** The command was not accepted, or got lost between board and clock: send it again. */
  | { readonly type: 'failed'; readonly command: number; readonly status: number }
  | { readonly type: 'ready' }
  | { readonly type: 'buttons'; readonly pressed: readonly ClockButton[] }
  | { readonly type: 'mode'; readonly mode: number }
  | { readonly type: 'notInMode' }
  | { readonly type: 'other'; readonly bytes: readonly [number, number, number, number] };

const ACCEPTED = 0x10;

/** Reads the payload (7 bytes) of a clock message: an acknowledgement, a reading, or neither. */
export function decodeClockMessage(payload: Uint8Array): ClockMessage {
  const [right0, right1, right2, left0, left1, left2, status] = payload as unknown as SevenBytes;
  if (payload.every((byte) => byte === 0)) return { type: 'empty' };
  if ((right0 & 0x0f) === 0x0a || (left0 & 0x0f) === 0x0a) return { type: 'ack', ack: decodeAck(payload) };
  const lever: ClockFace = (status & 0x02) !== 0 ? 'right' : 'left';
  const connected = (status & 0x20) === 0;
  const battery = (status & 0x04) !== 0 ? { batteryLow: true } : {};
  if (!connected) {
    const face = { timeMs: 0, flag: false };
    return {
      type: 'reading',
      reading: { left: face, right: face, running: undefined, lever, connected, ...battery },
    };
  }
  const right = decodeFace(right0, right1, right2);
  const left = decodeFace(left0, left1, left2);
  if (left === undefined || right === undefined) return { type: 'implausible' };
  const running = (status & 0x01) !== 0 ? lever : undefined;
  return { type: 'reading', reading: { left, right, running, lever, connected, ...battery } };
}

type SevenBytes = [number, number, number, number, number, number, number];

/** Flag bits: 4 = fallen and blocked at zero, 6 = shown while the clock may run on into the next period. */
const FLAG_BITS = 0x50;

function decodeFace(hours: number, minutes: number, seconds: number): FaceReading | undefined {
  const h = hours & 0x0f;
  const m = decodeBcd(minutes);
  const s = decodeBcd(seconds);
  if (h > 9 || m === undefined || s === undefined) return undefined;
  return { timeMs: ((h * 60 + m) * 60 + s) * 1000, flag: (hours & FLAG_BITS) !== 0 };
}

/** Reads two decimal digits 00..59; undefined for anything else. */
export function decodeBcd(byte: number): number | undefined {
  const tens = byte >> 4;
  const ones = byte & 0x0f;
  return tens > 5 || ones > 9 ? undefined : tens * 10 + ones;
}

function decodeAck(payload: Uint8Array): ClockAck {
  const [b3, b4, b5, b6, b7, b8] = payload as unknown as SevenBytes;
  const status = (b4 & 0x7f) | ((b6 << 3) & 0x80);
  const subject = (b5 & 0x7f) | ((b6 << 2) & 0x80);
  const value2 = (b7 & 0x7f) | ((b3 << 3) & 0x80);
  const value3 = (b8 & 0x7f) | ((b3 << 2) & 0x80);
  if (status !== ACCEPTED) return { type: 'failed', command: subject, status };
  switch (subject) {
    case 0x81:
      return { type: 'ready' };
    case 0x88:
      return { type: 'buttons', pressed: decodeButtons(value2, value3) };
    case 0x8a:
      return { type: 'mode', mode: value3 };
    case 0x90:
      return { type: 'notInMode' };
    case CLOCK_COMMANDS.version:
      return { type: 'version', main: value2 >> 4, sub: value2 & 0x0f };
    default:
      if (subject < 0x80) return { type: 'accepted', command: subject };
      return { type: 'other', bytes: [status, subject, value2, value3] };
  }
}

/** The mask names every button that is down; without it (XL) the single code does. */
function decodeButtons(mask: number, code: number): ClockButton[] {
  const masks = { back: 0x04, plus: 0x08, run: 0x10, minus: 0x20, ok: 0x40 };
  const pressed = CLOCK_BUTTONS.filter((button) => (mask & 0x01) !== 0 && (mask & masks[button]) !== 0);
  if (pressed.length > 0) return pressed;
  const single = CLOCK_BUTTONS[code - 0x31];
  return single === undefined ? [] : [single];
}

/** Names a clock by the version it answers: main version 2 is a DGT 3000, 1 an XL. */
export function makeClockName(main: number, sub: number): string {
  const kind = main === 2 ? 'DGT 3000' : main === 1 ? 'DGT XL' : 'DGT clock';
  return `${kind} ${main}.${sub}`;
}

const command = (id: number, data: readonly number[]): Uint8Array =>
  Uint8Array.from([0x2b, data.length + 3, 0x03, id, ...data, 0x00]);

/** Makes every character one byte the clock can take (space to tilde), padded or cut to `length`. */
function encodeText(text: string, length: number): number[] {
  const bytes: number[] = [];
  for (const letter of text) {
    const code = letter.charCodeAt(0);
    // A byte with bit 7 would be taken for a bus command by the board.
    bytes.push(letter.length === 1 && code >= 0x20 && code < 0x7f ? code : 0x3f);
  }
  while (bytes.length < length) bytes.push(0x20);
  return bytes.slice(0, length);
}

/**
 * Shows eight characters on a DGT 3000; the times are hidden until `encodeClockEnd`. `beep` 0 is silent, 1..15 beeps
 * for 62.5 ms + beep/16 s. Characters outside ASCII become "?".
 */
export const encodeClockText = (text: string, beep = 0): Uint8Array =>
  command(CLOCK_COMMANDS.text, [...encodeText(text, 8), clamp(beep, 15)]);

/** Shows eleven characters on a Revelation II (firmware 3.24 or later); `beep` as in `encodeClockText`. */
export const encodeRevelationText = (text: string, beep = 0): Uint8Array =>
  command(CLOCK_COMMANDS.revelationText, [...encodeText(text, 11), clamp(beep, 15)]);

/** Segments: 01 top, 02 upper right, 04 lower right, 08 bottom, 10 lower left, 20 upper left, 40 middle. */
const SEGMENTS: Readonly<Record<string, number>> = {
  ...{ '0': 0x3f, '1': 0x06, '2': 0x5b, '3': 0x4f, '4': 0x66, '5': 0x6d, '6': 0x7d, '7': 0x07, '8': 0x7f },
  ...{ '9': 0x6f, a: 0x77, b: 0x7c, c: 0x39, d: 0x5e, e: 0x79, f: 0x71, g: 0x3d, h: 0x76, i: 0x06, j: 0x1e },
  ...{ k: 0x75, l: 0x38, n: 0x54, o: 0x5c, p: 0x73, q: 0x67, r: 0x50, s: 0x6d, t: 0x78, u: 0x3e, y: 0x6e },
  ...{ '-': 0x40, _: 0x08, ' ': 0x00 },
};

/** Whether every character of a text has a shape of seven segments. */
export const hasSegments = (text: string): boolean =>
  [...text.toLowerCase()].every((letter) => letter in SEGMENTS);

/** Dots, colons and the leading "1" of each half of a seven-segment face. */
export const CLOCK_ICONS = {
  rightDot: 0x01,
  rightColon: 0x02,
  rightOne: 0x04,
  leftDot: 0x08,
  leftColon: 0x10,
  leftOne: 0x20,
} as const;

/** Shows six characters on the seven-segment cells every clock has; a character without a shape is left blank. */
export function encodeClockDisplay(
  text: string,
  options: { icons?: number; beep?: boolean } = {},
): Uint8Array {
  const cells = [...text.toLowerCase().padEnd(6).slice(0, 6)].map((letter) => SEGMENTS[letter] ?? 0);
  const [a, b, c, d, e, f] = cells as [number, number, number, number, number, number];
  const icons = (options.icons ?? 0) & 0x3f;
  return command(CLOCK_COMMANDS.display, [c, b, a, f, e, d, icons, options.beep === true ? 0x03 : 0x01]);
}

/** Takes text off the clock: the times are shown again. */
export const encodeClockEnd = (): Uint8Array => command(CLOCK_COMMANDS.end, []);

/** Asks the clock for its version; answered by a `version` acknowledgement. */
export const encodeClockVersion = (): Uint8Array => command(CLOCK_COMMANDS.version, []);

/** Beeps for about `durationMs`, in steps of 64 ms, at most 127 of them. */
export const encodeClockBeep = (durationMs: number): Uint8Array =>
  command(CLOCK_COMMANDS.beep, [clamp(Math.round(durationMs / 64), 127)]);

/** What `encodeClockSetAndRun` sets. */
export interface SetAndRun {
  readonly leftMs: number;
  readonly rightMs: number;
  /** The face that counts down at once; undefined pauses the clock. */
  readonly running: ClockFace | undefined;
  /** Whether the lever changes sides from now on. */
  readonly lever: boolean;
}

/**
 * Sets both times (whole seconds, left first) and lets one run. `ARGUMENT_INVALID` for a time outside 0..9:59:59, which the
 * clock has no digits for. The clock obeys only in its external mode (DGT 3000: 25, XL: 23).
 */
export function encodeClockSetAndRun(value: SetAndRun): Result<Uint8Array> {
  const times: number[] = [];
  for (const timeMs of [value.leftMs, value.rightMs]) {
    const seconds = Math.floor(timeMs / 1000);
    if (!(seconds >= 0 && seconds < 36_000)) {
      return fail('ARGUMENT_INVALID', `${timeMs} ms cannot be set: a clock shows 0:00:00 to 9:59:59`);
    }
    times.push(Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60);
  }
  const run = value.running === undefined ? 0x04 : value.running === 'left' ? 0x01 : 0x02;
  return ok(command(CLOCK_COMMANDS.setAndRun, [...times, run | (value.lever ? 0x08 : 0)]));
}

const clamp = (value: number, most: number): number => {
  const whole = Math.round(value);
  return whole > 0 ? Math.min(whole, most) : 0;
};
