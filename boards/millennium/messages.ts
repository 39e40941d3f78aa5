/** The ChessLink protocol as data (PROTOCOL.md, sections 2 and 5). Lengths count letter, fields and checksum. */

const HEX = '0123456789ABCDEF';
const PIECES = '.PNBRQKpnbrqk';

/** What a board sends: letter, characters between letter and checksum, and which these may be. */
export const MESSAGES = [
  { letter: 'v', name: 'VERSION', fields: 4, characters: HEX },
  { letter: 's', name: 'POSITION', fields: 64, characters: PIECES },
  { letter: 'x', name: 'LIGHTS_OFF_ACK', fields: 0, characters: '' },
  { letter: 'l', name: 'LIGHTS_ACK', fields: 0, characters: '' },
  { letter: 'w', name: 'SETTING_WRITTEN', fields: 4, characters: HEX },
  { letter: 'r', name: 'SETTING', fields: 4, characters: HEX },
] as const;

export type MessageName = (typeof MESSAGES)[number]['name'];

/** What the host sends, fields left out. T (reset) is never sent: the board is away for three seconds and nothing is won. */
export const COMMANDS = [
  { letter: 'V', answer: 'VERSION' },
  { letter: 'S', answer: 'POSITION' },
  { letter: 'X', answer: 'LIGHTS_OFF_ACK' },
  { letter: 'L', answer: 'LIGHTS_ACK' },
  { letter: 'W', answer: 'SETTING_WRITTEN' },
  // Answered by newer boards only, with text of any length.
  { letter: 'I', answer: 'IDENTITY' },
] as const;

export type CommandLetter = (typeof COMMANDS)[number]['letter'];

/** Length of the checksum, two digits. */
export const CHECKSUM_LENGTH = 2;
