import type { BoardDefinition } from '../definition.ts';
import { MillenniumDecoder } from './codec.ts';
import { createMillenniumSession } from './session.ts';
import { createMillenniumSimulator } from './simulator.ts';

const common = {
  capabilities: { serialNumber: false, clock: false, leds: true, battery: false, storedGames: false },
  // The line is 7O1; with the parity bit made here, every adapter and pseudo-terminal can carry it.
  serial: { baudRate: 38_400, dataBits: 8, parity: 'none', stopBits: 1 },
  usb: [
    {
      vendorId: '0403',
      productId: '6001',
      certain: false,
      why: 'the USB bridge of ChessLink modules, and of thousands of other devices',
    },
  ],
  bluetooth: {
    names: [/^MILLENNIUM CHESS/],
    classic: true,
    lowEnergy: {
      services: ['49535343-fe7d-4ae5-8fa9-9fafd205e455'],
      notify: ['49535343-1e4d-4bd9-ba61-23c647249616'],
      write: '49535343-8841-43f4-a8d4-ecbe34729bb3',
      withResponse: false,
      greatestWrite: 20,
    },
  },
} as const;

/** Millennium boards with a ChessLink module that know their pieces. */
export const chessLink: BoardDefinition = {
  ...common,
  id: 'chesslink',
  name: 'Millennium ChessLink',
  models: ['Exclusive', 'King Performance', 'Supreme Tournament 55'],
  profile: { sensing: 'identity', scanMs: 100 },
  createDecoder: () => new MillenniumDecoder('identity'),
  createSession: () => createMillenniumSession('identity'),
  createSimulator: (options) => createMillenniumSimulator(options),
};

/** The eONE sends letters of its own tracking; it senses occupancy, and that is what is believed. */
export const eOne: BoardDefinition = {
  ...common,
  id: 'millennium-eone',
  name: 'Millennium eONE',
  models: ['eONE'],
  profile: { sensing: 'occupancy', scanMs: 100 },
  createDecoder: () => new MillenniumDecoder('occupancy'),
  createSession: () => createMillenniumSession('occupancy'),
  createSimulator: (options) =>
    createMillenniumSimulator({
      ...options,
      version: '0200',
      identity: 'e-one 1.0',
      wrongParity: true,
      silentSettings: true,
    }),
};
