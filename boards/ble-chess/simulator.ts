/** The board's side, written from PROTOCOL.md and from nothing of our codec. */
import type { Machine } from '../../core/machine.ts';
import type { SimulatorEvent, SimulatorOptions, SimulatorOutput } from '../definition.ts';
import { createSimulatedBoard, type Device } from '../device/simulated-board.ts';

/** Switches a simulated self-built Bluetooth board on: it knows occupancy. */
export const createBleChessSimulator = (
  options: SimulatorOptions = {},
): Machine<SimulatorEvent, SimulatorOutput> =>
  createSimulatedBoard(() => {
    let canTell = false;
    const say = (device: Device, text: string): void =>
      device.send([...text].map((letter) => letter.charCodeAt(0)));
    const sayState = (device: Device): void => {
      const ranks = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) => {
        let row = '';
        for (let file = 0; file < 8; file++) row += device.cells[rank * 8 + file] === 0 ? '1' : '?';
        return row.replace(/1+/g, (gap) => String(gap.length));
      });
      say(device, `state ${ranks.join('/')}`);
    };
    return {
      scanMs: 50,
      take(bytes, device) {
        const command = String.fromCharCode(...bytes);
        if (command.startsWith('feature ')) {
          canTell ||= command === 'feature get_state';
          say(device, command === 'feature get_state' ? 'ok' : 'nok');
        } else if (command === 'get_state' && canTell) sayState(device);
      },
      scanned(_, device) {
        if (canTell) sayState(device);
      },
    };
  }, options);
