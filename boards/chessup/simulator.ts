/** The board's side, written from PROTOCOL.md and from nothing of our codec: it follows its game and tells moves. */
import type { Machine } from '../../core/machine.ts';
import type { SimulatorEvent, SimulatorOptions, SimulatorOutput } from '../definition.ts';
import { GameFollower } from '../device/legal-moves.ts';
import { createSimulatedBoard, type Device } from '../device/simulated-board.ts';

/** By our cells: nothing, P N B R Q K, p n b r q k. */
const CODES = [0x40, 0x00, 0x02, 0x03, 0x01, 0x04, 0x05, 0x08, 0x0a, 0x0b, 0x09, 0x0c, 0x0d];
const ANSWER_MS = 40;

/** Switches a simulated ChessUp on. Its pieces stand as its game has them, so it is never turned. */
export const createChessUpSimulator = (
  options: SimulatorOptions = {},
): Machine<SimulatorEvent, SimulatorOutput> =>
  createSimulatedBoard(() => {
    const game = new GameFollower();
    const sayPosition = (device: Device): void => {
      const { position } = game;
      const turn = position.turn === 'white' ? 0 : 1;
      device.send(
        [0x67, ...[...position.cells].map((cell) => CODES[cell]!), turn, 1, 1, 1, 1, 0x40, 0, 1],
        ANSWER_MS,
      );
    };
    return {
      scanMs: 100,
      take(bytes, device) {
        if (bytes[0] === 0x67) sayPosition(device);
      },
      scanned(_, device) {
        const seen = game.look(device.cells);
        if (seen === undefined || seen === 'start') return;
        const { from, to } = seen.move;
        device.send([0xa3, 0x35, from % 8, Math.floor(from / 8), to % 8, Math.floor(to / 8)]);
      },
    };
  }, options);
