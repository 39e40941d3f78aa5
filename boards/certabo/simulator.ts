/** The board's side, written from PROTOCOL.md: lines of numbers, again and again, with the noise that real ones have. */
import type { Machine } from '../../core/machine.ts';
import type { SimulatorEvent, SimulatorOptions, SimulatorOutput } from '../definition.ts';
import { createSimulatedBoard, type Device } from '../device/simulated-board.ts';

export interface CertaboSimulatorOptions extends SimulatorOptions {
  /** Only occupancy: eight numbers a line. */
  readonly occupancy?: boolean;
  /** Every so many lines a square without a piece shows a tag that nobody has, and one with a piece shows none; 0: never. */
  readonly noiseEvery?: number;
}

const TAG_LINE_MS = 620;
const RANK_LINE_MS = 200;
const NOISE_EVERY = 7;

/** Switches a simulated Certabo or Tabutronic board on. */
export const createCertaboSimulator = (
  options: CertaboSimulatorOptions = {},
): Machine<SimulatorEvent, SimulatorOutput> =>
  options.occupancy === true ? createRanks(options) : createTags(options);

const send = (device: Device, text: string): void =>
  device.send([...text].map((letter) => letter.charCodeAt(0)));

/** Lights come as eight bytes; the answer is a line with one letter. */
const acknowledgeLights = () => {
  let got = 0;
  return (bytes: Uint8Array, device: Device): void => {
    got += bytes.length;
    if (got >= 8) send(device, 'L\r\n');
    got %= 8;
  };
};

function createRanks(options: SimulatorOptions): Machine<SimulatorEvent, SimulatorOutput> {
  return createSimulatedBoard(
    () => ({
      scanMs: 50,
      everyMs: RANK_LINE_MS,
      take: acknowledgeLights(),
      due(device) {
        const ranks: number[] = [];
        for (let rank = 7; rank >= 0; rank--) {
          let bits = '';
          for (let file = 0; file < 8; file++) bits += device.cells[rank * 8 + file] === 0 ? '0' : '1';
          ranks.push(Number.parseInt(bits, 2));
        }
        send(device, `:${ranks.join(' ')} \r\n`);
      },
    }),
    options,
  );
}

function createTags(options: CertaboSimulatorOptions): Machine<SimulatorEvent, SimulatorOutput> {
  const noiseEvery = options.noiseEvery ?? NOISE_EVERY;
  // Pieces outlive the program in the board: a piece that is put down again carries the tag it was lifted with.
  const beside = new Map<number, string[]>();
  let made = 0;
  const makeTag = (): string => {
    made++;
    return `${18 + (made % 200)} ${46 + ((made * 37) % 200)} 57 ${(made * 91) % 250} ${(made * 13) % 256}`;
  };
  const standing: string[] = Array.from({ length: 64 }, () => '');
  const kinds: number[] = Array.from({ length: 64 }, () => 0);
  const settle = (cells: readonly number[]): void => {
    const changed = [...cells.keys()].filter((square) => cells[square] !== kinds[square]);
    for (const square of changed) {
      const kind = kinds[square]!;
      if (kind !== 0) beside.set(kind, [...(beside.get(kind) ?? []), standing[square]!]);
    }
    for (const square of changed) {
      const kind = cells[square]!;
      kinds[square] = kind;
      standing[square] = kind === 0 ? '' : (beside.get(kind)?.pop() ?? makeTag());
    }
  };
  return createSimulatedBoard(() => {
    let lines = 0;
    return {
      scanMs: 100,
      everyMs: TAG_LINE_MS,
      take: acknowledgeLights(),
      due(device) {
        settle(device.cells);
        lines++;
        const shown = [...standing];
        if (noiseEvery > 0 && lines % noiseEvery === 0) {
          const square = (lines * 29) % 64;
          shown[square] = shown[square] === '' ? `${lines % 256} 3 1 4 1` : '';
        }
        const groups: string[] = [];
        for (let rank = 7; rank >= 0; rank--)
          for (let file = 0; file < 8; file++) groups.push(shown[rank * 8 + file] || '0 0 0 0 0');
        // Bytes of nothing stand between the lines, and now and then a line end in the middle of one.
        const text = groups.join(' ');
        const stray = lines % 5 === 0 ? text.replace(' ', ' \n') : text;
        send(device, `\0:${stray} \r\n`);
      },
    };
  }, options);
}
