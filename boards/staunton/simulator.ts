/** The board's side, written from the reports of PROTOCOL.md and from nothing of our codec. */
import type { Machine } from '../../core/machine.ts';
import type { SimulatorEvent, SimulatorOptions, SimulatorOutput } from '../definition.ts';
import { createSimulatedBoard, type Device } from '../device/simulated-board.ts';

export interface StauntonSimulatorOptions extends SimulatorOptions {
  /** Hexadecimal text in pieces of twenty bytes, as over Bluetooth. */
  readonly bluetooth?: boolean;
}

/** By our cells: nothing, P N B R Q K, p n b r q k. */
const CODES = [0x0, 0x6, 0x4, 0x5, 0x3, 0x2, 0x1, 0xc, 0xa, 0xb, 0x9, 0x8, 0x7];
const REPORT_MS = 500;
const PACKET = 20;

/** Switches a simulated House of Staunton board on. */
export const createStauntonSimulator = (
  options: StauntonSimulatorOptions = {},
): Machine<SimulatorEvent, SimulatorOutput> =>
  createSimulatedBoard(() => {
    const report = (bytes: readonly number[], device: Device): void => {
      const all = [...bytes, ...Array<number>(32 - bytes.length).fill(0)];
      if (options.bluetooth !== true) {
        device.send([0, ...all]);
        return;
      }
      const text = `${all.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('')},`;
      for (let at = 0; at < text.length; at += PACKET)
        device.send([...text.slice(at, at + PACKET)].map((letter) => letter.charCodeAt(0)));
    };
    const sayBoard = (device: Device): void => {
      const bytes: number[] = [];
      for (let square = 0; square < 64; square += 2)
        bytes.push(CODES[device.cells[square]!]! + 16 * CODES[device.cells[square + 1]!]!);
      report(bytes, device);
    };
    return {
      scanMs: 100,
      everyMs: REPORT_MS,
      take() {},
      scanned: (_, device) => sayBoard(device),
      due: sayBoard,
      clock({ whiteMs, blackMs, running, lever }, device) {
        const parts = (ms: number): number[] => {
          const seconds = Math.floor(ms / 1000);
          return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
        };
        const times = device.rotated ? [blackMs, whiteMs] : [whiteMs, blackMs];
        const bytes = times.flatMap(parts);
        const right = (lever === 'black') !== device.rotated ? 64 : 0;
        bytes[5]! += right + (running === undefined ? 0 : 128);
        report([0xff, 0xca, ...bytes], device);
      },
    };
  }, options);
