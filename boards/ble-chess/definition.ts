import type { BoardDefinition } from '../definition.ts';
import { BleChessDecoder } from './codec.ts';
import { createBleChessSession } from './session.ts';
import { createBleChessSimulator } from './simulator.ts';

/** Self-built boards of the open Bluetooth chess protocol that can tell their state. */
export const bleChess: BoardDefinition = {
  id: 'ble-chess',
  name: 'Open Bluetooth chess protocol, occupancy',
  models: ['self-built boards that know the feature get_state'],
  profile: { sensing: 'occupancy', scanMs: 100 },
  capabilities: { serialNumber: false, clock: false, leds: false, battery: false, storedGames: false },
  packets: true,
  usb: [],
  bluetooth: {
    names: [/^OCB$/],
    lowEnergy: {
      services: ['f5351050-b2c9-11ec-a0c0-b3bc53b08d33'],
      notify: ['f535147e-b2c9-11ec-a0c2-8bbd706ec4e6'],
      write: 'f53513ca-b2c9-11ec-a0c1-639b8957db99',
      withResponse: true,
      greatestWrite: 100,
    },
  },
  createDecoder: () => new BleChessDecoder(),
  createSession: createBleChessSession,
  createSimulator: (options) => createBleChessSimulator(options),
};
