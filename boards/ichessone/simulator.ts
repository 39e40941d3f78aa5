/** The board's side, written from the frames of PROTOCOL.md and from nothing of our codec. */
import type { Machine } from '../../core/machine.ts';
import type { SimulatorEvent, SimulatorOptions, SimulatorOutput } from '../definition.ts';
import { createSimulatedBoard, type Device } from '../device/simulated-board.ts';

/** P N B R Q K p n b r q k as the document numbers them, in the order of our cells. */
const CODES = [0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xa, 0xb, 0xc];
const WORDS = ['CPIRQ', 'CPOFF', 'RP', 'RB', 'EL'];
const LIGHTS_LENGTH = 16;
const ANSWER_MS = 30;

/** Switches a simulated iChessOne on. */
export const createIChessOneSimulator = (
  options: SimulatorOptions = {},
): Machine<SimulatorEvent, SimulatorOutput> =>
  createSimulatedBoard(() => {
    let reports = false;
    let input = '';
    const sayPosition = (device: Device): void => {
      const bytes = [0x3d, 0x70];
      for (const rank of [7, 6, 5, 4, 3, 2, 1, 0])
        for (const file of [0, 2, 4, 6]) {
          const [first, second] = [device.cells[rank * 8 + file]!, device.cells[rank * 8 + file + 1]!];
          bytes.push(CODES[first]! * 16 + CODES[second]!);
        }
      device.send(bytes, ANSWER_MS);
    };
    const obey = (word: string, device: Device): void => {
      if (word === 'CPIRQ' || word === 'CPOFF') reports = word === 'CPIRQ';
      if (word === 'RP') sayPosition(device);
      if (word === 'RB') device.send([0x3d, 0x62, 0x01, 0x64], ANSWER_MS);
    };
    return {
      scanMs: 100,
      take(bytes, device) {
        for (const byte of bytes) {
          input += String.fromCharCode(byte);
          while (input !== '' && !WORDS.some((word) => word.startsWith(input) || input.startsWith(word)))
            input = input.slice(1);
          const word = WORDS.find((candidate) => input.startsWith(candidate));
          if (word === undefined || (word === 'EL' && input.length < LIGHTS_LENGTH)) continue;
          obey(word, device);
          input = '';
        }
      },
      scanned(_, device) {
        if (reports) sayPosition(device);
      },
    };
  }, options);
