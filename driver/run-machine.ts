import { Observable, type OperatorFunction, type Subscription } from 'rxjs';
import { type Machine, MachineDriver } from '../core/machine.ts';
import type { Clock } from './clock.ts';

// A wait that no timer of the system can hold is cut into pieces.
const LONGEST_TIMER_MS = 2 ** 30;

/**
 * Runs a machine over a stream of events and emits its outputs, waking it when it asks for it: the one operator that
 * owns a timer. A new machine and at most one timer exist per subscription. What is still to be woken when the source
 * completes is not waited for. A machine that throws ends the stream with that error.
 */
export const runMachine =
  <E extends { readonly atMs: number }, O>(
    createMachine: () => Machine<E, O>,
    clock: Clock,
  ): OperatorFunction<E, O> =>
  (source) =>
    new Observable<O>((subscriber) => {
      const driver = new MachineDriver(createMachine());
      const pending: E[] = [];
      let timer: Subscription | undefined;
      let armedForMs: number | undefined;
      let busy = false;
      let ending: (() => void) | undefined;

      const disarm = (): void => {
        timer?.unsubscribe();
        timer = undefined;
        armedForMs = undefined;
      };

      const arm = (): void => {
        const { wakeAtMs } = driver;
        if (wakeAtMs === armedForMs) return;
        disarm();
        if (wakeAtMs === undefined) return;
        armedForMs = wakeAtMs;
        const waitMs = Math.min(Math.max(wakeAtMs - clock.monotonicMs(), 0), LONGEST_TIMER_MS);
        timer = clock.timer$(waitMs).subscribe(() => {
          disarm();
          // Never ahead of the clock: a timer that comes a millisecond early is armed again, because an event may
          // still arrive with a time before the one that was asked for.
          run((outputs) => driver.advance(clock.monotonicMs(), outputs));
        });
      };

      const run = (first: (outputs: O[]) => void): void => {
        busy = true;
        for (let step = first; ; ) {
          const outputs: O[] = [];
          try {
            step(outputs);
          } catch (error) {
            disarm();
            subscriber.error(error);
            return;
          }
          for (const output of outputs) subscriber.next(output);
          if (subscriber.closed) return;
          const event = pending.shift();
          if (event === undefined) break;
          step = (outputs) => driver.feed(event, outputs);
        }
        busy = false;
        if (ending === undefined) arm();
        else ending();
      };

      subscriber.add(disarm);
      subscriber.add(
        source.subscribe({
          next: (event) => {
            if (subscriber.closed) return;
            // Emitting may make the source emit again before it returns; such events wait for their turn.
            if (busy) pending.push(event);
            else run((outputs) => driver.feed(event, outputs));
          },
          error: (error) => {
            ending = () => {
              disarm();
              subscriber.error(error);
            };
            if (!busy) ending();
          },
          complete: () => {
            ending = () => {
              disarm();
              subscriber.complete();
            };
            if (!busy) ending();
          },
        }),
      );
    });
