/** The protocol as data (PROTOCOL.md): lines of text. */
export const LINES = [
  { pattern: /^M\s+\d/, name: 'MOVE' },
  { pattern: /^T\s+\d/, name: 'TAKE_BACK' },
  { pattern: /^New Game/i, name: 'NEW_GAME' },
  { pattern: /^ID\b/i, name: 'IDENTITY' },
  { pattern: /^Position/i, name: 'POSITION_HEAD' },
  { pattern: /^(Xmit|Referee|Clock|Level|Game)\b/i, name: 'ANSWER' },
  { pattern: /^\./, name: 'ROW' },
] as const;

/** What the host sends. Moves, new games and modes of play are the players' business: there is no way to encode them. */
export const COMMANDS = [
  { text: 'I', answer: 'IDENTITY' },
  { text: 'X ON', meaning: 'moves made on the board are told' },
  { text: 'P', answer: 'POSITION' },
] as const;

export type CommandText = (typeof COMMANDS)[number]['text'];
export const LONGEST_LINE = 120;
