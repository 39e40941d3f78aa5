/** The protocol as data (PROTOCOL.md): a packet is a message, its first byte says which. */
export const MESSAGES = [
  { id: 0x67, name: 'POSITION', least: 65 },
  { id: 0xa3, name: 'MOVE', least: 6 },
  { id: 0x97, name: 'PROMOTION', least: 2 },
  { id: 0xb8, name: 'TOUCHED', least: 2 },
  { id: 0xbb, name: 'RELEASED', least: 2 },
  { id: 0x22, name: 'MOVE_ACK', least: 1 },
  { id: 0x23, name: 'PROMOTION_ACK', least: 1 },
  { id: 0x24, name: 'SETTINGS_ACK', least: 1 },
  { id: 0xb1, name: 'FEN_ACK', least: 1 },
  { id: 0xb2, name: 'INFORMATION', least: 1 },
  { id: 0x26, name: 'ERROR', least: 1 },
] as const;

/** What the host sends. A position (66) is never loaded: its layout differs by firmware, and a wrong one starts an update. */
export const COMMANDS = [
  { id: 0x67, name: 'ASK_POSITION', answer: 'POSITION' },
  { id: 0x21, name: 'ACKNOWLEDGE' },
] as const;

export type CommandName = (typeof COMMANDS)[number]['name'];

/** Piece codes 0 to 5: P R N B Q K, plus 8 for Black. */
export const PIECES = 'PRNBQK';
export const NOTHING = 0x40;
