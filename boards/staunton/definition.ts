import type { BoardDefinition } from '../definition.ts';
import { StauntonDecoder } from './codec.ts';
import { createStauntonSession } from './session.ts';
import { createStauntonSimulator } from './simulator.ts';

/** Sensory boards of the House of Staunton, which know their pieces and have a clock. */
export const staunton: BoardDefinition = {
  id: 'house-of-staunton',
  name: 'House of Staunton Sensory',
  models: ['Sensory'],
  profile: { sensing: 'identity', scanMs: 200 },
  capabilities: { serialNumber: false, clock: true, leds: true, battery: false, storedGames: false },
  packets: true,
  usb: [],
  hid: {
    usb: [
      {
        vendorId: '0925',
        certain: false,
        why: 'a vendor number that several makers of devices use, the House of Staunton among them',
      },
    ],
    usagePage: 0xff00,
    reportId: 0,
    reportLength: 32,
    gapMs: 20,
  },
  bluetooth: {
    names: [/^HOSBoard/],
    lowEnergy: {
      services: ['ffe0'],
      notify: ['ffe1'],
      write: 'ffe1',
      withResponse: false,
      greatestWrite: 20,
      gapMs: 2500,
    },
  },
  createDecoder: () => new StauntonDecoder(),
  createSession: createStauntonSession,
  createSimulator: (options) => createStauntonSimulator(options),
};
