import type { BoardDefinition } from '../definition.ts';
import { DgtDecoder } from './codec.ts';
import { createDgtSession } from './session.ts';
import { createDgtSimulator } from './simulator.ts';

/** DGT electronic boards that tell which piece stands where, and the Revelation II, over USB, Bluetooth or a serial line. */
export const dgt: BoardDefinition = {
  id: 'dgt',
  name: 'DGT e-board',
  models: ['DGT USB e-board', 'DGT Bluetooth e-board', 'DGT Smart Board', 'Revelation II'],
  profile: { sensing: 'identity', scanMs: 250 },
  capabilities: { serialNumber: true, clock: true, leds: false, battery: true, storedGames: true },
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
