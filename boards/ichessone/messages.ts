/** The protocol as data (PROTOCOL.md, sections 2 and 3). */

/** Begins every message of the board. No piece code contains it. */
export const EQUALS = 0x3d;

/** What the board sends after it: second byte, length in all. A hardware text has no known length and is not asked for. */
export const MESSAGES = [
  { id: 0x70, name: 'POSITION', length: 34 },
  { id: 0x62, name: 'BATTERY', length: 4 },
] as const;

/** What the host sends, ASCII without an end. */
export const COMMANDS = [
  { text: 'CPIRQ', meaning: 'report at every change' },
  { text: 'RP', answer: 'POSITION' },
  { text: 'RB', answer: 'BATTERY' },
] as const;

export type CommandText = (typeof COMMANDS)[number]['text'];

/** Cells of the piece codes 0 to C: P N B R Q K, then the same for Black; the numbers are those of `core/placement.ts`. */
export const GREATEST_CODE = 0x0c;
