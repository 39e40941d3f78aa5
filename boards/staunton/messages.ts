/** The protocol as data (PROTOCOL.md). Every report over USB is 33 bytes, a zero first; over Bluetooth the rest as hexadecimal text. */
export const REPORT_LENGTH = 33;
export const BOARD_LENGTH = 32;
/** A report that begins with these (after the zero) is about the clock. */
export const CLOCK_HEAD = [0xff, 0xca] as const;
export const CLOCK_LENGTH = 8;

/** Piece codes 1 to C: K Q R N B P, then the same for Black. */
export const PIECES = '.KQRNBPkqrnbp';

/** What the host may send: one byte at a time. The clock's commands (174 to 181) are never sent. */
export const LIGHTS_OFF = 186;
export const FIRST_LIGHT = 100;
