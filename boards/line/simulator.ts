/**
 * A self-built board, written as its builder would write it from the document: it knows nothing of our codec.
 */
import type { Machine } from '../../core/machine.ts';
import type { SimulatorEvent, SimulatorOptions, SimulatorOutput } from '../definition.ts';
import { createSimulatedBoard, type Device, type TableClock } from '../device/simulated-board.ts';

export interface LineSimulatorOptions extends SimulatorOptions {
  readonly occupancy?: boolean;
  /** Every line carries its checksum. */
  readonly checksums?: boolean;
}

const LETTERS = '.PNBRQKpnbrqk';
const FILES = 'abcdefgh';
const SCAN_MS = 50;

/** Switches a simulated self-built board on. */
export const createLineSimulator = (
  options: LineSimulatorOptions = {},
): Machine<SimulatorEvent, SimulatorOutput> =>
  createSimulatedBoard(() => {
    let input = '';
    const say = (device: Device, text: string): void => {
      let sum = 0;
      for (let i = 0; i < text.length; i++) sum ^= text.charCodeAt(i);
      const tail = options.checksums === true ? `*${sum.toString(16).padStart(2, '0')}` : '';
      device.send([...`${text}${tail}\r\n`].map((letter) => letter.charCodeAt(0)));
    };
    const letter = (cell: number): string =>
      cell === 0 ? '.' : options.occupancy === true ? '?' : (LETTERS[cell] ?? '?');
    const sayBoard = (device: Device): void => {
      let text = '';
      for (let rank = 8; rank >= 1; rank--) {
        for (let file = 0; file < 8; file++) text += letter(device.cells[(rank - 1) * 8 + file]!);
        if (rank > 1) text += '/';
      }
      say(device, `board ${text}`);
    };
    const sayClock = ({ whiteMs, blackMs, running, lever }: TableClock, device: Device): void => {
      const face = (side: string | undefined): string =>
        side === undefined ? 'none' : (side === 'white') === device.rotated ? 'right' : 'left';
      const [left, right] = device.rotated ? [blackMs, whiteMs] : [whiteMs, blackMs];
      say(device, `clock ${left} ${right} ${face(running)} ${face(lever)}`);
    };
    const obey = (command: string, device: Device): void => {
      if (command === 'board') sayBoard(device);
      if (command !== 'hello') return;
      const sensing = options.occupancy === true ? 'occupancy' : 'identity';
      say(
        device,
        `jadoube 1 ${sensing} serial=${options.serialNumber ?? '1'} model=Kitchen_board firmware=0.3`,
      );
    };
    return {
      scanMs: SCAN_MS,
      take(bytes, device) {
        for (const byte of bytes) {
          if (byte === 10) {
            obey(input.trim(), device);
            input = '';
          } else input = (input + String.fromCharCode(byte)).slice(-80);
        }
      },
      scanned(changes, device) {
        for (const { square, cell } of changes) {
          say(device, `square ${FILES[square % 8]}${Math.floor(square / 8) + 1} ${letter(cell)}`);
        }
      },
      clock: sayClock,
    };
  }, options);
