import { map, Subject, type Subscription } from 'rxjs';
import type { BoardDefinition, SimulatorEvent, SimulatorOptions } from '../../boards/definition.ts';
import type { Clock } from '../../driver/clock.ts';
import { runMachine } from '../../driver/run-machine.ts';
import type { DeviceEnd } from '../../driver/transport.ts';

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
  let device: DeviceEnd | undefined;
  let hearing: Subscription | undefined;
  const running = hand
    .pipe(runMachine(() => definition.createSimulator(options), clock))
    .subscribe((output) => device?.write(output.bytes));
  const detach = (): void => {
    hearing?.unsubscribe();
    hearing = undefined;
    device = undefined;
  };
  const now = () => clock.monotonicMs();
  // The first event is the moment at which the board is switched on.
  hand.next({ type: 'bytes', atMs: now(), bytes: new Uint8Array(0) });
  return {
    square: (square, cell) => hand.next({ type: 'square', atMs: now(), square, cell }),
    clock: (whiteMs, blackMs, run) =>
      hand.next({ type: 'clock', atMs: now(), whiteMs, blackMs, running: run }),
    attach: (next) => {
      detach();
      device = next;
      hearing = next.bytes$
        .pipe(map((bytes): SimulatorEvent => ({ type: 'bytes', atMs: now(), bytes })))
        .subscribe((event) => hand.next(event));
    },
    detach,
    switchOff: () => {
      detach();
      running.unsubscribe();
    },
  };
}
