import { Observable, type OperatorFunction, type Subscription } from 'rxjs';
import { type Machine, MachineDriver } from '../core/machine.ts';
import type { Clock } from './clock.ts';

// A wait that no timer of the system can hold is cut into pieces.
const LONGEST_TIMER_MS = 2 ** 30;

/** Steps a machine: with every wake-up it has asked for, each at its own time, or as `NowDriver` does. */
type Driver<E extends { readonly atMs: number }, O> = Pick<
  MachineDriver<E, O>,
  'wakeAtMs' | 'feed' | 'advance'
>;

/**
 * Steps a machine that is never replayed. When this process stood still (a slow disk, a busy machine), what is to be
 * woken is woken once, now, and what arrived comes before it: a conversation must not count its own deafness as the
 * other's silence.
 */
class NowDriver<E extends { readonly atMs: number }, O> implements Driver<E, O> {
  readonly #machine: Machine<E, O>;
  wakeAtMs: number | undefined;

  constructor(machine: Machine<E, O>) {
    this.#machine = machine;
  }

  feed(event: E, outputs: O[] = []): O[] {
    const step = this.#machine.step(event);
    this.wakeAtMs = step.wakeAtMs;
    outputs.push(...step.outputs);
    return outputs;
  }

  advance(atMs: number, outputs: O[] = []): O[] {
    if (this.wakeAtMs === undefined || this.wakeAtMs > atMs) return outputs;
    const step = this.#machine.step({ type: 'tick', atMs });
    // A machine that asks for a time that is not later waits for events only: it cannot spin.
    this.wakeAtMs = step.wakeAtMs !== undefined && step.wakeAtMs > atMs ? step.wakeAtMs : undefined;
    outputs.push(...step.outputs);
    return outputs;
  }
}

export interface RunOptions {
  /** `each` wake-up at the time it was asked for, late or not, as a replay will do it; or only once, `now`. */
  readonly wake?: 'each' | 'now';
}

/**
 * Runs a machine over a stream of events and emits its outputs, waking it when it asks for it: the one operator that
 * owns a timer. A new machine and at most one timer exist per subscription. What is still to be woken when the source
 * completes is not waited for. A machine that throws ends the stream with that error.
 */
export const runMachine =
  <E extends { readonly atMs: number }, O>(
    createMachine: () => Machine<E, O>,
    clock: Pick<Clock, 'monotonicMs' | 'timer$'>,
    { wake = 'each' }: RunOptions = {},
  ): OperatorFunction<E, O> =>
  (source) =>
    new Observable<O>((subscriber) => {
      const machine = createMachine();
      const driver: Driver<E, O> = wake === 'now' ? new NowDriver(machine) : new MachineDriver(machine);
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
        wait(
          Math.min(Math.max(wakeAtMs - clock.monotonicMs(), 0), LONGEST_TIMER_MS),
          wakeAtMs,
          wake === 'now',
        );
      };

      const wait = (waitMs: number, dueMs: number, mayYield: boolean): void => {
        timer = clock.timer$(waitMs).subscribe(() => {
          // Late: what the system has for us by now is delivered before a timer without a wait.
          if (mayYield && clock.monotonicMs() > dueMs) {
            wait(0, dueMs, false);
            return;
          }
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
