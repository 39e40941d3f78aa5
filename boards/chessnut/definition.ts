import type { BluetoothLink, BoardDefinition, HidLink } from '../definition.ts';
import { ChessnutDecoder } from './codec.ts';
import { type ChessnutModel, createChessnutSession } from './session.ts';
import { createChessnutSimulator } from './simulator.ts';
import { createChessnutStoredGames } from './stored-games.ts';

const uuid = (short: string): string => `1b7e${short}-2877-41c3-b46e-cf057c562023`;

/** A position has 38 bytes, and a part of one says nothing. */
const LEAST_NOTIFICATION = 38;

const hid = (product: RegExp, why: string): HidLink => ({
  // The vendor id is the maker's own.
  usb: [{ vendorId: '2d80', product, certain: true, why }],
  usagePage: 0xff00,
  reportId: 'first-byte',
  reportLength: 63,
  gapMs: 200,
});

const bluetooth = (...names: readonly RegExp[]): BluetoothLink => ({
  names,
  lowEnergy: {
    services: [uuid('8261'), uuid('8271'), uuid('8281')],
    notify: [uuid('8262'), uuid('8273'), uuid('8283')],
    write: uuid('8272'),
    withResponse: false,
    greatestWrite: 64,
    leastNotification: LEAST_NOTIFICATION,
  },
});

const AIR: ChessnutModel = { battery: 'BATTERY', lamps: true, attempts: 6 };
/** It says nothing while its pieces drive. */
const MOVE: ChessnutModel = { battery: 'MOVE_BATTERY', lamps: false, attempts: 30 };

/** Chessnut boards that tell which piece stands where, over USB (HID) and Bluetooth Low Energy. */
export const chessnut: BoardDefinition = {
  id: 'chessnut',
  name: 'Chessnut board',
  models: ['Chessnut Air', 'Chessnut Air+', 'Chessnut Pro', 'Chessnut Go'],
  profile: { sensing: 'identity', scanMs: 200 },
  capabilities: { serialNumber: false, clock: false, leds: true, battery: true, storedGames: true },
  usb: [],
  hid: hid(/^(?!.*\bMove\b)/i, 'a Chessnut board'),
  bluetooth: bluetooth(/^Chessnut\b(?!.*\bMove\b)/i, /^Smart Chess$/i),
  createDecoder: () => new ChessnutDecoder(),
  createSession: () => createChessnutSession(AIR),
  createStoredGames: createChessnutStoredGames,
  createSimulator: createChessnutSimulator,
};

const { createStoredGames: _, ...readLikeOthers } = chessnut;

/** The Chessnut Move, which is read like the others; its motors are left alone. */
export const chessnutMove: BoardDefinition = {
  ...readLikeOthers,
  id: 'chessnut-move',
  name: 'Chessnut Move',
  models: ['Chessnut Move'],
  capabilities: { ...chessnut.capabilities, leds: false, storedGames: false },
  hid: hid(/\bMove\b/i, 'a Chessnut Move'),
  bluetooth: bluetooth(/^Chessnut Move\b/i),
  createSession: () => createChessnutSession(MOVE),
  createSimulator: (options) => createChessnutSimulator({ move: true, ...options }),
};
