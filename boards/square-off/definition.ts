import { NORDIC_UART } from '../conversation/nordic-uart.ts';
import type { BoardDefinition } from '../definition.ts';
import { SquareOffDecoder } from './codec.ts';
import { createSquareOffSession } from './session.ts';
import { createSquareOffSimulator } from './simulator.ts';

/** The Square Off Pro, which knows occupancy. */
export const squareOffPro: BoardDefinition = {
  id: 'square-off-pro',
  name: 'Square Off Pro',
  models: ['Square Off Pro'],
  profile: { sensing: 'occupancy', scanMs: 100 },
  capabilities: { serialNumber: false, clock: false, leds: true, battery: false, storedGames: false },
  usb: [],
  bluetooth: {
    names: [/^square ?off pro/i],
    lowEnergy: {
      ...NORDIC_UART,
      greatestWrite: 100,
    },
  },
  createDecoder: () => new SquareOffDecoder(),
  createSession: createSquareOffSession,
  createSimulator: (options) => createSquareOffSimulator(options),
};
