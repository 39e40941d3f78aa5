import { NORDIC_UART } from '../conversation/nordic-uart.ts';
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
      ...NORDIC_UART,
      greatestWrite: 20,
    },
  },
  createDecoder: () => new IChessOneDecoder(),
  createSession: createIChessOneSession,
  createSimulator: (options) => createIChessOneSimulator(options),
};
