import type { SimulatorOptions } from '../definition.ts';
import type { CommandName } from './messages.ts';

/** Boards the simulator can be, by what they answer (PROTOCOL.md, section 9). */
export const DGT_PRESETS = ['usb-xl', 'bluetooth-3000', 'revelation-2', 'pegasus'] as const;
export type DgtPreset = (typeof DGT_PRESETS)[number];

/** How the clock answers a command. */
export const CLOCK_ANSWERS = ['accepted', 'refused', 'lost', 'none', 'then-zeros'] as const;
export type ClockAnswer = (typeof CLOCK_ANSWERS)[number];

/** When a lift is reported: at once, together with the next place, or after it; at the latest after a second. */
export const LIFT_REPORTS = ['at-once', 'with-next-place', 'after-next-place'] as const;
export type LiftReport = (typeof LIFT_REPORTS)[number];

/** What may go wrong, each seen with real boards. Ordinals count from 1; times are ms since the board was switched on. */
export interface DgtFaults {
  /** Bytes below 80 before the first message. */
  readonly garbageAtStart?: readonly number[];
  /** After every so many messages some bytes below 80 follow. */
  readonly garbageEvery?: number;
  /** Every so many messages one loses its last byte. */
  readonly truncateEvery?: number;
  /** The board writes in pieces of at most so many bytes. */
  readonly chunkBytes?: number;
  /** The link hands over what it has only every so many ms. */
  readonly mergeMs?: number;
  /** Square changes that are never reported. */
  readonly dropUpdates?: readonly number[];
  /** Direct answers that are lost on the way. */
  readonly dropAnswers?: readonly number[];
  /** Commands that this board never answers. */
  readonly ignores?: readonly CommandName[];
  readonly lifts?: LiftReport;
  /** A piece placed in line with where it was lifted is seen on the squares between. */
  readonly slides?: boolean;
  /** A badly placed piece: its square (a1 = 0) goes off and on. */
  readonly flicker?: { readonly square: number; readonly everyMs: number };
  /** Dumps show the board as it was when they were asked for and arrive this much later. */
  readonly lateDumpMs?: number;
  readonly clockAnswer?: ClockAnswer;
  /** For a second after a clock command the answer to "send clock" repeats its acknowledgement. */
  readonly repeatAck?: boolean;
  /** Every so many clock messages one holds digits no clock can show. */
  readonly impossibleClockEvery?: number;
  /** Exchanges the two bits of the clock status on which sources disagree. */
  readonly swapTurnBits?: boolean;
  /** The whole stored log arrives unasked. */
  readonly unaskedLogAtMs?: number;
  /** The board hears and says nothing from here ... */
  readonly silentFromMs?: number;
  /** ... to here; absent: for ever. */
  readonly silentUntilMs?: number;
  /** Power fails and comes back: the board forgets its mode. */
  readonly powerCycleAtMs?: number;
}

/** Everything a simulated DGT board can be told. */
export interface DgtSimulatorOptions extends SimulatorOptions {
  readonly preset?: DgtPreset;
  /** Text of the board's answer to "send trademark". */
  readonly trademark?: string;
  /** Time of one scan of all squares, ms; 0 reports each change at once. */
  readonly scanMs?: number;
  /** Speed of the line; absent: no time passes on it. */
  readonly baudRate?: number;
  /** No clock is connected, or it is (the usual case); a Pegasus never has one. */
  readonly clock?: boolean;
  /** The clock shows that time is added per move. */
  readonly timePerMove?: boolean;
  readonly clockBatteryLow?: boolean;
  /** Answers pings to all boards of a line at a moment that looks random, by this number; absent: at once. */
  readonly pingSeed?: number;
  /** Newer boards: every other answer to "send changes" has another id. */
  readonly alternatesChanges?: boolean;
  /** Time from a clock command to its acknowledgement, ms. */
  readonly ackMs?: number;
  readonly faults?: DgtFaults;
}

/** What a preset answers to the questions of identity; absent: silence. */
export interface PresetFacts {
  readonly version: readonly [number, number];
  readonly hardware?: readonly [number, number];
  readonly longSerial?: string;
  readonly battery?: readonly number[];
  /** Version byte of the clock; absent: it cannot have one. */
  readonly clockVersion?: number;
  /** The bus address is answered in one byte, 0. */
  readonly shortBusAddress?: boolean;
  /** Only sees that something stands on a square. */
  readonly occupancyOnly?: boolean;
  /** Has a light on every square. */
  readonly lights?: boolean;
  /** Answers the questions about lock and developer key. */
  readonly states?: boolean;
}

export const PRESETS: Readonly<Record<DgtPreset, PresetFacts>> = {
  'usb-xl': { version: [1, 8], clockVersion: 0x1e },
  'bluetooth-3000': {
    version: [3, 10],
    hardware: [1, 0],
    longSerial: '3250010001',
    battery: [0x58, 0x7f, 0x7f, 0x01, 0x1e, 0x00, 0x02, 0x05, 0x02],
    clockVersion: 0x20,
    states: true,
  },
  'revelation-2': {
    version: [3, 25],
    longSerial: '3.25001000',
    lights: true,
    battery: [0x64, 0x7f, 0x7f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00],
    clockVersion: 0x20,
  },
  pegasus: {
    version: [1, 0],
    hardware: [1, 0],
    longSerial: 'P000000001',
    battery: [0x58, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02],
    shortBusAddress: true,
    occupancyOnly: true,
    states: true,
  },
};
