import type { BoardDefinition } from '../definition.ts';
import { LineDecoder } from './codec.ts';
import { createLineSession } from './session.ts';
import { createLineSimulator } from './simulator.ts';

const common = {
  capabilities: { serialNumber: true, clock: true, leds: true, battery: true, storedGames: false },
  serial: { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 },
  // Every microcontroller has another USB identity, and none of them says what is built around it.
  usb: [],
} as const;

/** Self-built boards that know which piece stands where and say so in lines of text. */
export const line: BoardDefinition = {
  ...common,
  id: 'line',
  name: 'Self-built board, line protocol, pieces known',
  models: ['any that speaks the line protocol'],
  profile: { sensing: 'identity', scanMs: 100 },
  createDecoder: () => new LineDecoder('identity'),
  createSession: () => createLineSession('identity'),
  createSimulator: (options) => createLineSimulator(options),
};

/** Self-built boards that know only which squares are taken. */
export const lineOccupancy: BoardDefinition = {
  ...common,
  id: 'line-occupancy',
  name: 'Self-built board, line protocol, occupancy only',
  models: ['any that speaks the line protocol'],
  profile: { sensing: 'occupancy', scanMs: 100 },
  createDecoder: () => new LineDecoder('occupancy'),
  createSession: () => createLineSession('occupancy'),
  createSimulator: (options) => createLineSimulator({ ...options, occupancy: true }),
};
