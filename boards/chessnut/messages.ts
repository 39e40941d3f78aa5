/** The protocol as data: every message of either side (PROTOCOL.md, sections 3 and 4). */

/** A message of the board: `[id][length][payload]`. */
interface MessageFacts {
  readonly name: string;
  readonly id: number;
  /** Lengths (the second byte) a good message may have: from, to. */
  readonly lengths: readonly (readonly [from: number, to: number])[];
}

export const MESSAGES = [
  { name: 'POSITION', id: 0x01, lengths: [[0x20, 0x3f]] },
  { name: 'BUTTON', id: 0x0f, lengths: [[1, 1]] },
  { name: 'ACK', id: 0x23, lengths: [[1, 1]] },
  { name: 'FIRMWARE', id: 0x28, lengths: [[2, 0x3e]] },
  { name: 'BATTERY', id: 0x2a, lengths: [[2, 2]] },
  { name: 'STORED_COUNT', id: 0x32, lengths: [[1, 1]] },
  { name: 'STORED_SIZE', id: 0x36, lengths: [[8, 8]] },
  { name: 'STORED_MARK', id: 0x37, lengths: [[1, 1]] },
  { name: 'STORED_CHECK', id: 0x38, lengths: [[4, 4]] },
  // Only a Move says it: battery, what it is, the state of its pieces.
  {
    name: 'MOVE',
    id: 0x41,
    lengths: [
      [3, 3],
      [5, 5],
      [0x89, 0x89],
    ],
  },
] as const satisfies readonly MessageFacts[];

export type MessageName = (typeof MESSAGES)[number]['name'];

/** Everything that is ever said to a board but its lamps. */
export const COMMANDS = {
  /** Report positions, now and from now on. */
  LIVE: [0x21, 0x01, 0x00],
  /** Hand stored games over. */
  UPLOAD: [0x21, 0x01, 0x01],
  BATTERY: [0x29, 0x01, 0x00],
  COUNT_STORED: [0x31, 0x01, 0x00],
  READY_FOR_STORED: [0x33, 0x01, 0x00],
  SEND_NEWEST: [0x34, 0x01, 0x01],
  DELETE_SENT: [0x39, 0x01, 0x00],
  MOVE_BATTERY: [0x41, 0x01, 0x0c],
} as const satisfies Readonly<Record<string, readonly number[]>>;

export type CommandName = keyof typeof COMMANDS;

/** Values of STORED_MARK. */
export const STORED_BEGINS = 0xbe;
export const STORED_ENDS = 0xed;
