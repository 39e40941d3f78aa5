import type { BoardDefinition } from '../definition.ts';
import { NovagDecoder } from './codec.ts';
import { createNovagSession } from './session.ts';
import { createNovagSimulator } from './simulator.ts';

/** Novag Citrine and Star Diamond: chess computers with an RS-232 port that tell moves. */
export const novag: BoardDefinition = {
  id: 'novag',
  name: 'Novag Citrine',
  models: ['Citrine', 'Star Diamond'],
  profile: { sensing: 'moves', scanMs: 1500 },
  capabilities: { serialNumber: false, clock: false, leds: false, battery: false, storedGames: false },
  serial: { baudRate: 57_600, dataBits: 8, parity: 'none', stopBits: 1 },
  // A computer in the middle of a game is not to be asked on suspicion: it has to be named.
  usb: [],
  createDecoder: () => new NovagDecoder(),
  createSession: createNovagSession,
  createSimulator: (options) => createNovagSimulator(options),
};
