/** The board's side, written from the frames of PROTOCOL.md and from nothing of our codec. */
import type { Machine } from '../../core/machine.ts';
import type { SimulatorEvent, SimulatorOptions, SimulatorOutput } from '../definition.ts';
import { createSimulatedBoard, type Device } from '../device/simulated-board.ts';

export interface MillenniumSimulatorOptions extends SimulatorOptions {
  /** Four digits; 0103 is a King Performance. */
  readonly version?: string;
  /** Parity bits are wrong, as eONE boards send them. */
  readonly wrongParity?: boolean;
  /** What it answers when asked who it is; older boards do not. */
  readonly identity?: string;
  /** Settings are written without an answer, as a King Performance does it. */
  readonly silentSettings?: boolean;
}

const LETTERS = '.PNBRQKpnbrqk';
const SCAN_MS = 41;
const ANSWER_MS = 15;

/** The lengths of the host's commands, checksum included. */
const COMMAND_LENGTHS: Readonly<Record<string, number>> = {
  V: 3,
  S: 3,
  X: 3,
  T: 3,
  G: 3,
  R: 5,
  I: 5,
  W: 7,
  L: 167,
};

/** Switches a simulated ChessLink board on. */
export const createMillenniumSimulator = (
  options: MillenniumSimulatorOptions = {},
): Machine<SimulatorEvent, SimulatorOutput> =>
  createSimulatedBoard(() => {
    const settings = new Map([
      [0, '00'],
      [1, '14'],
      [2, '00'],
      [3, '05'],
      [4, '0E'],
    ]);
    let input = '';
    const odd = (code: number): number => {
      const isEven = [...code.toString(2)].filter((digit) => digit === '1').length % 2 === 0;
      return isEven !== (options.wrongParity === true) ? code + 128 : code;
    };
    const xor = (codes: readonly number[]): string =>
      codes
        .reduce((sum, code) => sum ^ code, 0)
        .toString(16)
        .toUpperCase()
        .padStart(2, '0');
    const say = (device: Device, text: string): void => {
      const codes = [...text].map((letter) => letter.charCodeAt(0));
      const sum = [...xor(codes)].map((letter) => letter.charCodeAt(0));
      device.send([...codes, ...sum].map(odd), ANSWER_MS);
    };
    const sayPosition = (device: Device): void => {
      let text = 's';
      for (const rank of [0, 1, 2, 3, 4, 5, 6, 7])
        for (const file of [7, 6, 5, 4, 3, 2, 1, 0]) text += LETTERS[device.cells[rank * 8 + file]!] ?? '.';
      say(device, text);
    };
    const obey = (command: string, device: Device): void => {
      const fields = command.slice(1, -2);
      const address = Number.parseInt(fields.slice(0, 2), 16);
      switch (command[0]) {
        case 'V':
          say(device, `v${options.version ?? '0103'}`);
          break;
        case 'I':
          if (options.identity !== undefined) say(device, `i${options.identity}`);
          break;
        case 'S':
          sayPosition(device);
          break;
        case 'X':
          say(device, 'x');
          break;
        case 'L':
          say(device, 'l');
          break;
        case 'W':
          settings.set(address, fields.slice(2));
          if (options.silentSettings !== true) say(device, `w${fields}`);
          break;
        case 'R':
          say(device, `r${fields}${settings.get(address) ?? '00'}`);
          break;
      }
    };
    return {
      scanMs: SCAN_MS,
      everyMs: SCAN_MS * 8,
      take(bytes, device) {
        for (const byte of bytes) {
          const letter = String.fromCharCode(byte & 127);
          if (input === '' && COMMAND_LENGTHS[letter] === undefined) continue;
          input += letter;
          if (input.length < COMMAND_LENGTHS[input[0]!]!) continue;
          const codes = [...input.slice(0, -2)].map((character) => character.charCodeAt(0));
          // A host may count over bytes with or without parity.
          if ([xor(codes), xor(codes.map(odd))].includes(input.slice(-2))) obey(input, device);
          input = '';
        }
      },
      scanned(_, device) {
        if (Number.parseInt(settings.get(2)!, 16) >= 3) sayPosition(device);
      },
      due(device) {
        if (settings.get(2) === '00') sayPosition(device);
      },
    };
  }, options);
