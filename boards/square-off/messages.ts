/** The protocol as data (PROTOCOL.md, section 2): number, `#`, data, `*`, both ways. */
export const MESSAGES = [
  { id: 0, name: 'SQUARE' },
  { id: 14, name: 'NEW_GAME' },
  { id: 30, name: 'OCCUPANCY' },
  { id: 22, name: 'BATTERY' },
  { id: 4, name: 'BATTERY' },
] as const;

/** What the host sends. Texts about the game (27) and what was only seen in sniffing (26) are not sent. */
export const COMMANDS = [
  { text: '14#1*', answer: 'NEW_GAME' },
  { text: '30#R*', answer: 'OCCUPANCY' },
] as const;

export type CommandText = (typeof COMMANDS)[number]['text'];

export const END = '*'.charCodeAt(0);
export const LONGEST_MESSAGE = 120;
