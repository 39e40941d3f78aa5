import type { BoardDefinition } from '../definition.ts';
import { BusDecoder } from './bus-codec.ts';
import { createDgtBusSession } from './bus-session.ts';
import { DgtDecoder } from './codec.ts';
import { createDgtSession } from './session.ts';
import { createDgtSimulator } from './simulator.ts';
import { createDgtBusSimulator, stationOf } from './simulator-bus.ts';

/** DGT electronic boards that tell which piece stands where, and the Revelation II, over USB, Bluetooth or a serial line. */
export const dgt: BoardDefinition = {
  id: 'dgt',
  name: 'DGT e-board',
  models: ['DGT USB e-board', 'DGT Bluetooth e-board', 'DGT Smart Board', 'Revelation II'],
  profile: { sensing: 'identity', scanMs: 250 },
  capabilities: { serialNumber: true, clock: true, leds: false, battery: true, storedGames: true },
  litModels: ['Revelation II'],
  serial: { baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 1 },
  usb: [
    {
      vendorId: '0403',
      productId: '6001',
      certain: false,
      why: 'the USB bridge of many DGT boards, and of thousands of other devices',
    },
    {
      vendorId: '045b',
      productId: '8111',
      certain: false,
      why: 'reported for newer DGT boards; the vendor makes chips for others too',
    },
  ],
  bluetooth: { names: [/^DGT_BT_\d{5}$/, /^PCS-REVII-\d+$/], classic: true },
  createDecoder: () => new DgtDecoder(),
  createSession: createDgtSession,
  createSimulator: createDgtSimulator,
};

/**
 * DGT boards on a serial line that several of them share. Never found by itself: single commands would make all of them answer at
 * once, and bus commands mean nothing to anything else; so it is named.
 */
export const dgtBus: BoardDefinition = {
  id: 'dgt-bus',
  name: 'DGT e-boards on one serial line (bus)',
  models: ['DGT serial e-board'],
  profile: dgt.profile,
  capabilities: { ...dgt.capabilities, battery: false, leds: false, storedGames: true },
  serial: dgt.serial!,
  usb: [],
  createDecoder: () => new BusDecoder(),
  createSession: createDgtBusSession,
  createSimulator: (options) => createDgtBusSimulator([options]),
  line: { createSimulator: (boards) => createDgtBusSimulator(boards), stationOf },
};
