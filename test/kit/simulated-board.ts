import { Subject } from 'rxjs';
import type { BoardDefinition, SimulatorEvent, SimulatorOptions } from '../../boards/definition.ts';
import type { Clock } from '../../driver/clock.ts';
import type { DeviceEnd } from '../../driver/transport.ts';
import { runBoard } from '../../recorder/demo/simulated-board.ts';

/** A board that is switched on: its simulator runs behind one end of a link after another. */
export interface SimulatedBoard {
  /** A hand does something; the time is now. */
  square(square: number, cell: number): void;
  clock(whiteMs: number, blackMs: number, running: 'white' | 'black' | undefined): void;
  /** Puts the cable into another end; the board itself goes on running. */
  attach(device: DeviceEnd): void;
  detach(): void;
  switchOff(): void;
}

/** Switches a simulated board on, at the end of no cable yet. */
export function createSimulatedBoard(
  definition: BoardDefinition,
  options: SimulatorOptions,
  clock: Clock,
): SimulatedBoard {
  const hand = new Subject<SimulatorEvent>();
  const cable = new Subject<DeviceEnd | undefined>();
  const running = runBoard(definition, options, hand, cable, clock).subscribe();
  const now = () => clock.monotonicMs();
  // The first event is the moment at which the board is switched on.
  hand.next({ type: 'bytes', atMs: now(), bytes: new Uint8Array(0) });
  return {
    square: (square, cell) => hand.next({ type: 'square', atMs: now(), square, cell }),
    clock: (whiteMs, blackMs, run) =>
      hand.next({ type: 'clock', atMs: now(), whiteMs, blackMs, running: run }),
    attach: (device) => cable.next(device),
    detach: () => cable.next(undefined),
    switchOff: () => running.unsubscribe(),
  };
}
