import type { Machine } from '../core/machine.ts';
import type { Fault } from '../core/result.ts';
import type { SensorEvent } from '../core/sensor-event.ts';

/** How a kind of board learns what stands on it. */
export const SENSING = ['identity', 'occupancy', 'moves'] as const;
export type Sensing = (typeof SENSING)[number];

/** Waits that belong to the hardware, not to chess. They only ever control warnings and belief, never acceptance. */
export interface BoardProfile {
  readonly sensing: Sensing;
  /** Longest time one scan of all squares takes, ms: changes this close together have no order. */
  readonly scanMs: number;
}

/** Serial line settings. */
export interface SerialOptions {
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly parity: 'none' | 'odd' | 'even';
  readonly stopBits: 1 | 2;
}

/** A USB identity by which a port may be recognised; `certain` when no other device uses it. */
export interface UsbIdentity {
  readonly vendorId: string;
  readonly productId?: string;
  readonly certain: boolean;
  readonly why: string;
}

/** Who a board says it is; every field is absent until it has answered. */
export interface BoardIdentity {
  /** The number every board of its kind answers: by it a board is known again on another port. */
  readonly serialNumber?: string;
  /** A second, longer number that newer boards have as well. */
  readonly longSerialNumber?: string;
  readonly firmware?: string;
  readonly trademark?: string;
  readonly model?: string;
  readonly clock?: string;
  readonly batteryPercent?: number;
}

/** What bytes turn out to be. */
export type Decoded =
  | { readonly type: 'sensor'; readonly event: SensorEvent }
  | { readonly type: 'identity'; readonly identity: BoardIdentity }
  /** A whole message without meaning for the game (acknowledgement, unknown id ...), for log and session. */
  | { readonly type: 'message'; readonly name: string; readonly payload: Uint8Array }
  /** Bytes that belong to no good message: never silently lost. */
  | { readonly type: 'discarded'; readonly bytes: Uint8Array; readonly fault: Fault };

/**
 * Bytes of one board (board to host) in any chunking, to what they say, in order. Holds the unfinished message
 * between calls. `atMs` is the arrival of the chunk and becomes the time of what it completes.
 */
export interface Decoder {
  decode(bytes: Uint8Array, atMs: number): Decoded[];
}

/** What happens to a session. */
export type SessionEvent =
  /** The link is open and nothing has been said yet. */
  | { readonly type: 'opened'; readonly atMs: number }
  | { readonly type: 'bytes'; readonly atMs: number; readonly bytes: Uint8Array };

export const SESSION_STATES = ['identifying', 'ready', 'silent'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** What a session does. */
export type SessionOutput =
  | Decoded
  | { readonly type: 'write'; readonly bytes: Uint8Array }
  | { readonly type: 'state'; readonly atMs: number; readonly state: SessionState }
  /** The board is silent although it should answer: the owner closes the link and opens it again. */
  | { readonly type: 'lost'; readonly atMs: number; readonly fault: Fault };

/** What a person or a clock does to a simulated board; times as everywhere. */
export type SimulatorEvent =
  /** Bytes from the host. */
  | { readonly type: 'bytes'; readonly atMs: number; readonly bytes: Uint8Array }
  /** A piece is lifted from (`cell` 0) or put on a square, true coordinates, a1 = 0. */
  | { readonly type: 'square'; readonly atMs: number; readonly square: number; readonly cell: number }
  /** The clock is set (ms per colour) and stopped, or runs for a side. */
  | {
      readonly type: 'clock';
      readonly atMs: number;
      readonly whiteMs: number;
      readonly blackMs: number;
      readonly running: 'white' | 'black' | undefined;
    };

/** Bytes a simulated board sends to the host. */
export type SimulatorOutput = { readonly type: 'write'; readonly bytes: Uint8Array };

/** Options every simulator understands; makers add their own fault knobs. */
export interface SimulatorOptions {
  readonly serialNumber?: string;
  /** FEN placement that stands on the board when it is switched on. */
  readonly placement?: string;
  readonly rotated?: boolean;
}

/** A kind of board: data and pure functions, so that it runs over any link, a capture and a simulator alike. */
export interface BoardDefinition {
  /** Word used on the command line and in captures: "dgt". */
  readonly id: string;
  readonly name: string;
  readonly models: readonly string[];
  readonly profile: BoardProfile;
  readonly capabilities: {
    readonly clock: boolean;
    readonly leds: boolean;
    readonly battery: boolean;
    readonly storedGames: boolean;
  };
  readonly serial?: SerialOptions;
  readonly usb: readonly UsbIdentity[];
  readonly bluetoothNames: readonly RegExp[];
  createDecoder(): Decoder;
  createSession(): Machine<SessionEvent, SessionOutput>;
  createSimulator(options: SimulatorOptions): Machine<SimulatorEvent, SimulatorOutput>;
}
