/**
 * The protocol as data: every command (host to board) and every message (board to host) of single-board mode, and
 * the bus commands a board may meet. Facts with their confidence: `PROTOCOL.md`, sections 3 and 4.
 */

/** A message of the board. Total lengths count the three header bytes; no lengths = any. */
interface MessageFacts {
  readonly name: string;
  /** First byte of the message, bit 7 set. */
  readonly id: number;
  /** Total lengths a good message may have; absent when it varies or is not known for certain. */
  readonly lengths?: readonly number[];
}

export const MESSAGES = [
  // 103 is the dump of a 10x10 draughts board.
  { name: 'BOARD_DUMP', id: 0x86, lengths: [67, 103] },
  { name: 'BWTIME', id: 0x8d, lengths: [10] },
  { name: 'FIELD_UPDATE', id: 0x8e, lengths: [5] },
  { name: 'EE_MOVES', id: 0x8f },
  // Boards without a bus send one byte instead of two.
  { name: 'BUSADRES', id: 0x90, lengths: [5, 4] },
  // 12: the oldest boards add a space and a version.
  { name: 'SERIALNR', id: 0x91, lengths: [8, 12] },
  { name: 'TRADEMARK', id: 0x92 },
  { name: 'VERSION', id: 0x93, lengths: [5] },
  { name: 'BOARD_DUMP_50B', id: 0x94, lengths: [53] },
  { name: 'BOARD_DUMP_50W', id: 0x95, lengths: [53] },
  { name: 'HARDWARE_VERSION', id: 0x96, lengths: [5] },
  { name: 'BATTERY_STATUS', id: 0xa0, lengths: [12] },
  { name: 'LONG_SERIALNR', id: 0xa2, lengths: [13] },
  { name: 'I2C_CLOCK', id: 0xa3 },
  { name: 'LOCK_STATE', id: 0xa4 },
  { name: 'DEVKEY_STATE', id: 0xa5 },
] as const satisfies readonly MessageFacts[];

export type MessageName = (typeof MESSAGES)[number]['name'];

/** A command of the host. */
interface CommandFacts {
  readonly name: string;
  readonly id: number;
  /** The message that answers it; absent when nothing does. */
  readonly answer?: MessageName;
  /** `size`: the byte after the id counts the bytes that follow it. Absent: the id is the whole command. */
  readonly data?: 'size';
  /** Why no encoder will ever write it. */
  readonly never?: string;
}

export const COMMANDS = [
  { name: 'SBI_CLOCK', id: 0x2b, data: 'size', answer: 'BWTIME' },
  { name: 'I2C_CLOCK_MESSAGE', id: 0x2c, data: 'size' },
  { name: 'RESET', id: 0x40 },
  { name: 'SEND_CLK', id: 0x41, answer: 'BWTIME' },
  { name: 'SEND_BRD', id: 0x42, answer: 'BOARD_DUMP' },
  { name: 'SEND_UPDATE', id: 0x43 },
  { name: 'SEND_UPDATE_BRD', id: 0x44 },
  { name: 'RETURN_SERIALNR', id: 0x45, answer: 'SERIALNR' },
  { name: 'RETURN_BUSADRES', id: 0x46, answer: 'BUSADRES' },
  { name: 'SEND_TRADEMARK', id: 0x47, answer: 'TRADEMARK' },
  { name: 'SEND_HARDWARE_VERSION', id: 0x48, answer: 'HARDWARE_VERSION' },
  { name: 'SEND_EE_MOVES', id: 0x49, answer: 'EE_MOVES' },
  { name: 'TO_BUSMODE', id: 0x4a },
  { name: 'SEND_UPDATE_NICE', id: 0x4b },
  { name: 'SEND_BATTERY_STATUS', id: 0x4c, answer: 'BATTERY_STATUS' },
  { name: 'SEND_VERSION', id: 0x4d, answer: 'VERSION' },
  { name: 'STARTBOOTLOADER', id: 0x4e, never: 'the board leaves its program and waits for new firmware' },
  { name: 'SEND_BRD_50B', id: 0x50, answer: 'BOARD_DUMP_50B' },
  {
    name: 'SCAN_50B',
    id: 0x51,
    never: 'a chess board stays blind on its light squares, even after power-up',
  },
  { name: 'SEND_BRD_50W', id: 0x52, answer: 'BOARD_DUMP_50W' },
  { name: 'SCAN_50W', id: 0x53, never: 'a chess board stays blind on its dark squares, even after power-up' },
  { name: 'SCAN_100', id: 0x54 },
  { name: 'RETURN_LONG_SERIALNR', id: 0x55, answer: 'LONG_SERIALNR' },
  { name: 'SEND_I2C_CLOCK', id: 0x56, answer: 'I2C_CLOCK' },
  { name: 'UPDATE_I2C', id: 0x57 },
  { name: 'UPDATE_I2C_NICE', id: 0x58 },
  { name: 'SEND_LOCK_STATE', id: 0x59, answer: 'LOCK_STATE' },
  { name: 'SEND_DEVKEY_STATE', id: 0x5a, answer: 'DEVKEY_STATE' },
  { name: 'SET_LEDS', id: 0x60, data: 'size' },
  { name: 'DEVELOPER_KEY', id: 0x63, data: 'size' },
] as const satisfies readonly CommandFacts[];

export type Command = (typeof COMMANDS)[number];
export type CommandName = Command['name'];

/** Commands that are one byte and may be sent to any board. */
export type PlainCommandName = Exclude<
  Command,
  { readonly never: string } | { readonly data: 'size' }
>['name'];

/**
 * Commands of bus mode (`cmd addrHi addrLo checksum`) and the id of their reply. `never`: why no encoder will write it.
 */
export const BUS_COMMANDS = [
  { name: 'BUS_SEND_CLK', id: 0x81, reply: 0x84 },
  { name: 'BUS_SEND_BRD', id: 0x82, reply: 0x83 },
  { name: 'BUS_SEND_CHANGES', id: 0x83, reply: 0x85 },
  { name: 'BUS_REPEAT_CHANGES', id: 0x84, reply: 0x85 },
  { name: 'BUS_SET_START_GAME', id: 0x85, reply: 0x88 },
  { name: 'BUS_SEND_FROM_START', id: 0x86, reply: 0x86 },
  { name: 'BUS_PING', id: 0x87, reply: 0x87 },
  {
    name: 'BUS_END_BUSMODE',
    id: 0x88,
    reply: undefined,
    never: 'all boards of the line would answer single commands at once',
  },
  {
    name: 'BUS_RESET',
    id: 0x89,
    reply: undefined,
    never: 'the board is deaf for seconds and forgets its game',
  },
  { name: 'BUS_IGNORE_NEXT_PING', id: 0x8a, reply: 0x87 },
  { name: 'BUS_SEND_VERSION', id: 0x8b, reply: 0x89 },
  // Answered by the replies to 83, 81 and 82, in this order.
  { name: 'BUS_SEND_ALL', id: 0x8d, reply: undefined },
] as const;

export type BusCommandName = Exclude<(typeof BUS_COMMANDS)[number], { readonly never: string }>['name'];

/** Replies of bus mode (`type lenHi lenLo addrHi addrLo data checksum`); total lengths, absent: any. */
export const BUS_REPLIES = [
  { name: 'BUS_BRD', id: 0x83, lengths: [70] },
  { name: 'BUS_CLK', id: 0x84, lengths: [13] },
  { name: 'BUS_CHANGES', id: 0x85 },
  { name: 'BUS_FROM_START', id: 0x86 },
  { name: 'BUS_PING', id: 0x87, lengths: [6] },
  { name: 'BUS_START_GAME', id: 0x88, lengths: [6] },
  // 6: before firmware 1.2.
  { name: 'BUS_VERSION', id: 0x89, lengths: [8, 6] },
  // Newer boards send every other answer to 83 under this id, so that a lost one is noticed.
  { name: 'BUS_CHANGES', id: 0x8b },
  { name: 'BUS_HARDWARE_VERSION', id: 0x8c },
  { name: 'BUS_SERIALNR', id: 0xb0 },
  { name: 'BUS_I2C_CLOCK', id: 0xb1 },
  { name: 'BUS_STATS', id: 0xb2 },
  { name: 'BUS_CONFIG', id: 0xb3 },
  { name: 'BUS_TRADEMARK', id: 0xb4 },
  { name: 'BUS_BATTERY', id: 0xb5 },
] as const satisfies readonly { name: string; id: number; lengths?: readonly number[] }[];

export type BusReplyName = (typeof BUS_REPLIES)[number]['name'];

/** Content of one square on the wire, by code 0..15; D, E, F are the pieces that announce a result. */
export const PIECE_CODES = [
  'empty',
  'P',
  'R',
  'N',
  'B',
  'K',
  'Q',
  'p',
  'r',
  'n',
  'b',
  'k',
  'q',
  'draw',
  'white wins',
  'black wins',
] as const;
