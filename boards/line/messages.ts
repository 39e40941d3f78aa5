/** The line protocol as data: every line of both sides (PROTOCOL.md, sections 2 and 3). */

/** What a board says; `name` is what the decoded message is called. */
export const LINES = [
  { word: 'jadoube', name: 'HELLO', fields: 'version identity|occupancy [key=value ...]' },
  { word: 'board', name: 'BOARD', fields: 'placement' },
  { word: 'square', name: 'SQUARE', fields: 'square piece' },
  { word: 'clock', name: 'CLOCK', fields: 'leftMs rightMs left|right|none [left|right], or none' },
  { word: 'press', name: 'PRESS', fields: 'white|black' },
  { word: 'battery', name: 'BATTERY', fields: 'percent' },
  { word: '#', name: 'COMMENT', fields: 'anything' },
] as const;

export type LineName = (typeof LINES)[number]['name'];

/** What the host says, and the line that answers. */
export const COMMANDS = [
  { word: 'hello', answer: 'HELLO' },
  { word: 'board', answer: 'BOARD' },
  { word: 'lights', answer: undefined },
] as const;

export type CommandWord = (typeof COMMANDS)[number]['word'];

/** The protocol's version; a board that says another is not understood. */
export const VERSION = 1;

/** Longest line, without its end. */
export const LONGEST_LINE = 160;
