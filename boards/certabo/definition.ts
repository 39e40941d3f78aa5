import { NORDIC_UART } from '../conversation/nordic-uart.ts';
import type { BoardDefinition } from '../definition.ts';
import { CertaboDecoder, SentioDecoder } from './codec.ts';
import { createListeningSession } from './session.ts';
import { createCertaboSimulator } from './simulator.ts';

const common = {
  capabilities: { serialNumber: false, clock: false, leds: true, battery: false, storedGames: false },
  serial: { baudRate: 38_400, dataBits: 8, parity: 'none', stopBits: 1, speaksFirst: true },
  usb: [
    {
      vendorId: '10c4',
      productId: 'ea60',
      certain: false,
      why: 'the USB bridge of Certabo and Tabutronic boards, and of thousands of other devices',
    },
  ],
  bluetooth: {
    names: [/^Certabo/],
    lowEnergy: {
      ...NORDIC_UART,
      greatestWrite: 20,
    },
  },
} as const;

/** Boards that read the tags of their pieces, and learn from a start position which is which. */
export const certabo: BoardDefinition = {
  ...common,
  id: 'certabo',
  name: 'Certabo, Tabutronic Cerno',
  models: ['Certabo', 'Tabutronic Cerno', 'Tabutronic Cerno Spectrum'],
  // A line takes 0.6 s; that a square has become empty is believed with the second.
  profile: { sensing: 'identity', scanMs: 650 },
  createDecoder: () => new CertaboDecoder(),
  createSession: () => createListeningSession('board with 320 numbers a line', () => new CertaboDecoder()),
  createSimulator: (options) => createCertaboSimulator(options),
};

/** Boards of the same family that know occupancy only. */
export const sentio: BoardDefinition = {
  ...common,
  id: 'tabutronic',
  name: 'Tabutronic Sentio, Tactum',
  models: ['Tabutronic Sentio', 'Tabutronic Sentio Spectrum', 'Tabutronic Tactum'],
  profile: { sensing: 'occupancy', scanMs: 250 },
  createDecoder: () => new SentioDecoder(),
  createSession: () => createListeningSession('board with 8 numbers a line', () => new SentioDecoder()),
  createSimulator: (options) => createCertaboSimulator({ ...options, occupancy: true }),
};
