/** The computer's side, written from the listings of PROTOCOL.md and from nothing of our codec. */
import type { Machine } from '../../core/machine.ts';
import { makeCell } from '../../core/placement.ts';
import { makeSquare } from '../../core/square.ts';
import type { SimulatorEvent, SimulatorOptions, SimulatorOutput } from '../definition.ts';
import { GameFollower } from '../device/legal-moves.ts';
import { createSimulatedBoard, type Device } from '../device/simulated-board.ts';

const ANSWER_MS = 60;

/** Switches a simulated Citrine on, in referee mode: people play both sides. */
export const createNovagSimulator = (
  options: SimulatorOptions = {},
): Machine<SimulatorEvent, SimulatorOutput> =>
  createSimulatedBoard(() => {
    const game = new GameFollower();
    let tellsMoves = false;
    let input = '';
    const say = (device: Device, text: string, delayMs = 0): void =>
      device.send(
        [...`${text}\r\n`].map((letter) => letter.charCodeAt(0)),
        delayMs,
      );
    const sayPosition = (device: Device): void => {
      say(device, 'Position Board', ANSWER_MS);
      say(device, '.  aa bb cc dd ee ff gg hh', ANSWER_MS);
      for (let rank = 7; rank >= 0; rank--) {
        let row = `.${rank + 1}`;
        for (let file = 0; file < 8; file++) {
          const cell = game.position.cells[rank * 8 + file]!;
          const letter = makeCell(cell);
          const empty = (file + rank) % 2 === 0 ? '::' : '  ';
          row += ` ${cell === 0 ? empty : cell < 7 ? `W${letter}` : `b${letter}`}`;
        }
        say(device, `${row} ${rank + 1}`, ANSWER_MS);
      }
    };
    const obey = (command: string, device: Device): void => {
      if (command === 'I') say(device, 'ID. UCBII V1.09', ANSWER_MS);
      if (command === 'P') sayPosition(device);
      if (command === 'X ON') {
        tellsMoves = true;
        say(device, 'Xmit On', ANSWER_MS);
      }
    };
    return {
      scanMs: 100,
      take(bytes, device) {
        for (const byte of bytes) {
          if (byte === 13 || byte === 10) {
            obey(input.trim().toUpperCase(), device);
            input = '';
          } else input = (input + String.fromCharCode(byte)).slice(-80);
        }
      },
      scanned(_, device) {
        const number = Math.ceil(game.ply / 2);
        const comma = game.ply % 2 === 0 ? ', ' : '  ';
        const seen = game.look(device.cells);
        if (seen === 'start') say(device, 'New Game');
        if (seen === undefined || seen === 'start' || !tellsMoves) return;
        const { from, to } = seen.move;
        const taken = seen.before.cells[to] === 0 ? '-' : 'x';
        say(device, `M   ${number}${comma} ${makeSquare(from)}${taken}${makeSquare(to)}`);
      },
    };
  }, options);
