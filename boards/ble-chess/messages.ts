/** The open protocol for self-built Bluetooth boards as data (PROTOCOL.md): a packet is a command in words. */
export const MESSAGES = [
  { word: 'state', name: 'STATE' },
  { word: 'sync', name: 'SYNC' },
  { word: 'unsync', name: 'UNSYNC' },
  { word: 'ok', name: 'OK' },
  { word: 'nok', name: 'NOK' },
  { word: 'move', name: 'MOVE' },
  { word: 'err', name: 'ERROR' },
  { word: 'msg', name: 'TEXT' },
] as const;

/** What the host sends. A round is never begun: a board that is in none tells every change and waits for nobody. */
export const COMMANDS = ['feature get_state', 'get_state'] as const;
export type CommandText = (typeof COMMANDS)[number];
