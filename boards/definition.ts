import type { Machine } from '../core/machine.ts';
import type { Fault } from '../core/result.ts';
import type { ClockFace, SensorEvent } from '../core/sensor-event.ts';
import type { Square } from '../core/square.ts';

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
  /**
   * The board tells of itself without being asked, and its session writes nothing before it has understood something:
   * on a port that may belong to anything it is listened for before others are asked.
   */
  readonly speaksFirst?: boolean;
}

/** A USB identity by which a port may be recognised; `certain` when no other device uses it. */
export interface UsbIdentity {
  readonly vendorId: string;
  readonly productId?: string;
  /** What the device must call itself as well; a device without a name calls itself "". */
  readonly product?: RegExp;
  readonly certain: boolean;
  readonly why: string;
}

/**
 * How a board is spoken to as a HID device (USB without a serial port). A report is a chunk of bytes, its report id in
 * front, as far as the session and the codec are concerned; the transport knows nothing of what is in it.
 */
export interface HidLink {
  readonly usb: readonly UsbIdentity[];
  /** The collection that carries the protocol: a device often shows several; 0xFF00 is the first one of a vendor's own. */
  readonly usagePage: number;
  /**
   * `first-byte`: the first byte of what is written is the report id. A number: every report has that id, and the
   * transport puts it in front; 0 where the device's reports have none (then what arrives gets a 0 in front as well).
   */
  readonly reportId: 'first-byte' | number;
  /** Most bytes of one written report after its id; longer writes go as several reports of the same id. */
  readonly reportLength: number;
  /** Shorter reports are filled up with this byte; absent: they go as they are. */
  readonly padding?: number;
  /** Shortest time between two written reports, ms. */
  readonly gapMs?: number;
}

/** How a board is spoken to over Bluetooth Low Energy. A notification is a chunk of bytes. UUIDs are lower case, with hyphens where they are long. */
export interface LowEnergyLink {
  /** The services that carry the protocol, the one that is advertised first. */
  readonly services: readonly string[];
  /** Characteristics whose notifications are what the board says, all into one stream. */
  readonly notify: readonly string[];
  /** The characteristic that is written to. */
  readonly write: string;
  /** Each write waits for the board's acknowledgement on the link. */
  readonly withResponse: boolean;
  /** Most bytes of one write; longer ones are split, and the link's own limit (MTU - 3) holds as well. */
  readonly greatestWrite: number;
  /** Bytes a notification must be able to carry for the board to be understood: the link is refused when it cannot. */
  readonly leastNotification?: number;
  /** Shortest time between two writes, ms. */
  readonly gapMs?: number;
}

/** How a board is recognised on the air, and spoken to there. */
export interface BluetoothLink {
  /** Names a board of this kind gives itself. Names only: many makers share one service. */
  readonly names: readonly RegExp[];
  /** It has a serial port over classic Bluetooth, which the system shows once it is paired. */
  readonly classic?: boolean;
  readonly lowEnergy?: LowEnergyLink;
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
  /**
   * A whole message without meaning for the game (acknowledgement ...), for log and session. One that the table does not
   * know has a name that begins with `UNKNOWN`: it is counted, and shown by `doctor`.
   */
  | { readonly type: 'message'; readonly name: string; readonly payload: Uint8Array }
  /** Bytes that belong to no good message: never silently lost. */
  | { readonly type: 'discarded'; readonly bytes: Uint8Array; readonly fault: Fault };

/**
 * Bytes of one board (board to host) in any chunking, to what they say, in order. Holds the unfinished message
 * between calls. `atMs` is the arrival of the chunk and becomes the time of what it completes.
 */
export interface Decoder {
  decode(bytes: Uint8Array, atMs: number): Decoded[];
  /**
   * The decoder of the next connection to the same board, which begins with a new message and remembers what this one
   * has heard. Absent: a new decoder is as good.
   */
  reopen?(): Decoder;
}

/** What an operator, or feedback that an operator has switched on, tells a board to do. Nothing else ever sends one. */
export type BoardCommand =
  /** Exactly these squares (the board's own) are lit; none puts all lights out. */
  | { readonly type: 'leds'; readonly squares: readonly Square[] }
  /** Asks the clock who it is; told as `identity` before the answer. */
  | { readonly type: 'clockVersion' }
  /** A text hides the times on the clock; the empty text shows them again. */
  | { readonly type: 'clockText'; readonly text: string; readonly beep?: boolean }
  /** Sets both times, whole seconds, and lets one run; `running` undefined leaves the clock standing. */
  | {
      readonly type: 'clockSet';
      readonly leftMs: number;
      readonly rightMs: number;
      readonly running: ClockFace | undefined;
    };

/**
 * Names one board among several on one link by its address there: `station` on events and outputs that are about one
 * board of a line. Absent where a link is one board, and on what is about the line itself.
 */
export interface OfStation {
  readonly station?: string;
}

/** What happens to a session. */
export type SessionEvent =
  /** The link is open and nothing has been said yet. `awayMs`: a board that may be here was last heard so long ago. */
  | { readonly type: 'opened'; readonly atMs: number; readonly awayMs?: number }
  | { readonly type: 'bytes'; readonly atMs: number; readonly bytes: Uint8Array }
  /** Something is to be done; answered by an `answer` with the same number. */
  | ({
      readonly type: 'command';
      readonly atMs: number;
      readonly id: number;
      readonly command: BoardCommand;
    } & OfStation);

export const SESSION_STATES = ['identifying', 'ready', 'silent'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/**
 * What a session does. One that speaks for a line of boards names the board with everything that is about one, and says
 * `heard` before what came of the bytes of one.
 */
export type SessionOutput = (
  | Decoded
  | { readonly type: 'write'; readonly bytes: Uint8Array }
  | { readonly type: 'state'; readonly atMs: number; readonly state: SessionState }
  /**
   * The board is silent although it should answer. Without a station the owner closes the link and opens it again; with
   * one that board alone is gone, and the session goes on and looks for it.
   */
  | { readonly type: 'lost'; readonly atMs: number; readonly fault: Fault }
  /**
   * Bytes that one board of a line has sent, or that came when it was to answer: they are what is recorded of it, and
   * alone, through `createDecoder`, give the same again.
   */
  | { readonly type: 'heard'; readonly bytes: Uint8Array }
  /** What became of a command; without a fault it was obeyed. */
  | { readonly type: 'answer'; readonly id: number; readonly fault?: Fault }
) &
  OfStation;

/** What happens while stored games are fetched from a board. */
export type StoredGamesEvent =
  | { readonly type: 'opened'; readonly atMs: number }
  | { readonly type: 'bytes'; readonly atMs: number; readonly bytes: Uint8Array }
  /** The game that was told last is written durably: it may be deleted from the board. */
  | { readonly type: 'kept'; readonly atMs: number }
  /** No more is wanted; nothing is deleted. */
  | { readonly type: 'enough'; readonly atMs: number };

/** What the fetching of stored games does; nothing follows `done`. */
export type StoredGamesOutput =
  | { readonly type: 'write'; readonly bytes: Uint8Array }
  | { readonly type: 'count'; readonly count: number }
  /** A whole game, as bytes that `createDecoder` reads as if they had been said live. Goes on when it is `kept`. */
  | { readonly type: 'game'; readonly bytes: Uint8Array; readonly positions: number }
  | { readonly type: 'failed'; readonly fault: Fault }
  | { readonly type: 'done' };

/** What a person or a clock does to a simulated board; times as everywhere. */
export type SimulatorEvent =
  /** Bytes from the host. */
  | { readonly type: 'bytes'; readonly atMs: number; readonly bytes: Uint8Array }
  /** A piece is lifted from (`cell` 0) or put on a square, true coordinates, a1 = 0. */
  | ({
      readonly type: 'square';
      readonly atMs: number;
      readonly square: number;
      readonly cell: number;
    } & OfStation)
  /** The clock is set (ms per colour) and stopped, or runs for a side. */
  | ({
      readonly type: 'clock';
      readonly atMs: number;
      readonly whiteMs: number;
      readonly blackMs: number;
      readonly running: 'white' | 'black' | undefined;
    } & OfStation)
  /** Somebody switches a board off or on. */
  | ({ readonly type: 'power'; readonly atMs: number; readonly on: boolean } & OfStation);

/** Bytes a simulated board sends to the host. */
export type SimulatorOutput = { readonly type: 'write'; readonly bytes: Uint8Array };

/** Options every simulator understands; makers add their own fault knobs. */
export interface SimulatorOptions {
  readonly serialNumber?: string;
  /** FEN placement that stands on the board when it is switched on. */
  readonly placement?: string;
  readonly rotated?: boolean;
  /** It is asked in vain what happened while nobody heard it. */
  readonly keepsNoLog?: boolean;
}

/** Something a person may set for a kind of board, such as a key. */
export interface BoardSetting {
  /** Lower case with hyphens: "developer-key". */
  readonly name: string;
  readonly pattern: RegExp;
  /** For people. */
  readonly what: string;
}

/** Settings by their names. */
export type BoardSettings = Readonly<Record<string, string>>;

/** A kind of board: data and pure functions, so that it runs over any link, a capture and a simulator alike. */
export interface BoardDefinition {
  /** Word used on the command line and in captures: "dgt". */
  readonly id: string;
  readonly name: string;
  readonly models: readonly string[];
  readonly profile: BoardProfile;
  readonly capabilities: {
    /** The board itself answers a number by which it is known anywhere; else its address or its USB device names it. */
    readonly serialNumber: boolean;
    readonly clock: boolean;
    readonly leds: boolean;
    readonly battery: boolean;
    readonly storedGames: boolean;
  };
  /** Models (`BoardIdentity.model`) with lights, of a kind that has none in general. */
  readonly litModels?: readonly string[];
  /** Each chunk is one message, as the link's packets are: a link that joins or splits them cannot carry it. */
  readonly packets?: boolean;
  readonly serial?: SerialOptions;
  /** USB identities of its serial port. */
  readonly usb: readonly UsbIdentity[];
  readonly hid?: HidLink;
  readonly bluetooth?: BluetoothLink;
  createDecoder(): Decoder;
  /** Fetches games the board has stored; a link of its own, on which nothing is recorded. */
  createStoredGames?(): Machine<StoredGamesEvent, StoredGamesOutput>;
  /** What a person may set for this kind of board; never anything that is shipped. */
  readonly settings?: readonly BoardSetting[];
  createSession(settings?: BoardSettings): Machine<SessionEvent, SessionOutput>;
  createSimulator(options: SimulatorOptions): Machine<SimulatorEvent, SimulatorOutput>;
  /** Several boards share a link; absent where a link is one board. */
  readonly line?: {
    /** Simulates all boards of a line; events without a station are about the first. */
    createSimulator(boards: readonly SimulatorOptions[]): Machine<SimulatorEvent, SimulatorOutput>;
    /** The address under which a board with these options is found. */
    stationOf(board: SimulatorOptions): string;
  };
}
