import type { BoardDefinition } from '../definition.ts';
import { IChessOneDecoder } from './codec.ts';
import { createIChessOneSession } from './session.ts';
import { createIChessOneSimulator } from './simulator.ts';

/** The iChessOne, which knows its pieces. */
export const iChessOne: BoardDefinition = {
  id: 'ichessone',
  name: 'iChessOne',
  models: ['iChessOne'],
  profile: { sensing: 'identity', scanMs: 200 },
  capabilities: { serialNumber: false, clock: false, leds: true, battery: true, storedGames: false },
  serial: { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 },
  // Nobody tells its USB identity.
  usb: [],
  bluetooth: {
    names: [/^iChessOne/],
    lowEnergy: {
      services: ['6e400001-b5a3-f393-e0a9-e50e24dcca9e'],
      notify: ['6e400003-b5a3-f393-e0a9-e50e24dcca9e'],
      write: '6e400002-b5a3-f393-e0a9-e50e24dcca9e',
      withResponse: false,
      greatestWrite: 20,
    },
  },
  createDecoder: () => new IChessOneDecoder(),
  createSession: createIChessOneSession,
  createSimulator: (options) => createIChessOneSimulator(options),
};
