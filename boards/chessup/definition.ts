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
      services: ['6e400001-b5a3-f393-e0a9-e50e24dcca9e'],
      notify: ['6e400003-b5a3-f393-e0a9-e50e24dcca9e'],
      write: '6e400002-b5a3-f393-e0a9-e50e24dcca9e',
      withResponse: false,
      greatestWrite: 200,
    },
  },
  createDecoder: () => new ChessUpDecoder(),
  createSession: createChessUpSession,
  createSimulator: (options) => createChessUpSimulator(options),
};
