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
      services: ['6e400001-b5a3-f393-e0a9-e50e24dcca9e'],
      notify: ['6e400003-b5a3-f393-e0a9-e50e24dcca9e'],
      write: '6e400002-b5a3-f393-e0a9-e50e24dcca9e',
      withResponse: false,
      greatestWrite: 100,
    },
  },
  createDecoder: () => new SquareOffDecoder(),
  createSession: createSquareOffSession,
  createSimulator: (options) => createSquareOffSimulator(options),
};
