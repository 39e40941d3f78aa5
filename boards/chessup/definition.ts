import { NORDIC_UART } from '../conversation/nordic-uart.ts';
import type { BoardDefinition } from '../definition.ts';
import { ChessUpDecoder } from './codec.ts';
import { createChessUpSession } from './session.ts';
import { createChessUpSimulator } from './simulator.ts';

/** ChessUp boards, which follow the game themselves and tell its moves. */
export const chessUp: BoardDefinition = {
  id: 'chessup',
  name: 'ChessUp',
  models: ['ChessUp', 'ChessUp 2'],
  profile: { sensing: 'moves', scanMs: 1000 },
  capabilities: { serialNumber: false, clock: false, leds: false, battery: false, storedGames: false },
  packets: true,
  usb: [],
  bluetooth: {
    names: [/^ChessUp/],
    lowEnergy: {
      ...NORDIC_UART,
      greatestWrite: 200,
    },
  },
  createDecoder: () => new ChessUpDecoder(),
  createSession: createChessUpSession,
  createSimulator: (options) => createChessUpSimulator(options),
};
