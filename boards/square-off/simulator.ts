/** The board's side, written from the texts of PROTOCOL.md and from nothing of our codec. */
import type { Machine } from '../../core/machine.ts';
import type { SimulatorEvent, SimulatorOptions, SimulatorOutput } from '../definition.ts';
import { createSimulatedBoard, type Device } from '../device/simulated-board.ts';

const FILES = 'abcdefgh';
const ANSWER_MS = 40;
/** Nobody tells how often it looks; it tells single squares, so quickly. */
const SCAN_MS = 40;

/** Switches a simulated Square Off Pro on. */
export const createSquareOffSimulator = (
  options: SimulatorOptions = {},
): Machine<SimulatorEvent, SimulatorOutput> =>
  createSimulatedBoard(() => {
    let input = '';
    const say = (device: Device, text: string, delayMs = 0): void =>
      device.send(
        [...text].map((letter) => letter.charCodeAt(0)),
        delayMs,
      );
    const obey = (command: string, device: Device): void => {
      if (command === '14#1') say(device, '14#GO*', ANSWER_MS);
      if (command === '4#') say(device, '22#3.52*', ANSWER_MS);
      if (command !== '30#R') return;
      let digits = '';
      for (let file = 0; file < 8; file++)
        for (let rank = 0; rank < 8; rank++) digits += device.cells[rank * 8 + file] === 0 ? '0' : '1';
      say(device, `30#${digits}*`, ANSWER_MS);
    };
    return {
      scanMs: SCAN_MS,
      take(bytes, device) {
        for (const byte of bytes) {
          const letter = String.fromCharCode(byte);
          if (letter === '*') {
            obey(input, device);
            input = '';
          } else input = (input + letter).slice(-150);
        }
      },
      scanned(changes, device) {
        for (const { square, before, cell } of changes) {
          if ((before === 0) === (cell === 0)) continue;
          say(device, `0#${FILES[square % 8]}${Math.floor(square / 8) + 1}${cell === 0 ? 'u' : 'd'}*`);
        }
      },
    };
  }, options);
