/**
 * What one step of a machine gives: its outputs, and when it wants to be woken if nothing happens before.
 * `wakeAtMs` is on the same monotonic scale as the events' `atMs`.
 */
export interface Step<O> {
  readonly outputs: readonly O[];
  readonly wakeAtMs?: number;
}

/**
 * Time has passed and nothing else happened; `atMs` is exactly the wake-up time that was asked for, or later where a
 * machine that is never replayed was woken late.
 */
export interface Tick {
  readonly type: 'tick';
  readonly atMs: number;
}

/**
 * A deterministic machine: given what it knows and this event, then. It owns its state, knows no clock, no
 * randomness and no input or output of its own: the same events give the same outputs, always.
 */
export interface Machine<E extends { readonly atMs: number }, O> {
  step(event: E | Tick): Step<O>;
}

/**
 * Feeds one event to a machine, with the ticks that were due before it. Whoever owns the real timer (driver) or
 * none at all (replay) goes through here, so that live and replayed runs see exactly the same ticks.
 */
export class MachineDriver<E extends { readonly atMs: number }, O> {
  readonly machine: Machine<E, O>;
  #wakeAtMs: number | undefined;

  constructor(machine: Machine<E, O>) {
    this.machine = machine;
  }

  /** When the machine wants to be woken; undefined when it waits for events only. */
  get wakeAtMs(): number | undefined {
    return this.#wakeAtMs;
  }

  /** Steps the machine through every tick due at or before `atMs` and adds what comes out to `outputs`. */
  advance(atMs: number, outputs: O[] = []): O[] {
    while (this.#wakeAtMs !== undefined && this.#wakeAtMs <= atMs) {
      const due = this.#wakeAtMs;
      const step = this.machine.step({ type: 'tick', atMs: due });
      outputs.push(...step.outputs);
      // A machine that asks for a time that is not later waits for events only: it cannot spin.
      this.#wakeAtMs = step.wakeAtMs !== undefined && step.wakeAtMs > due ? step.wakeAtMs : undefined;
    }
    return outputs;
  }

  /** Steps the machine through the ticks due up to the event's own time, then the event. */
  feed(event: E, outputs: O[] = []): O[] {
    this.advance(event.atMs, outputs);
    const step = this.machine.step(event);
    outputs.push(...step.outputs);
    this.#wakeAtMs = step.wakeAtMs;
    return outputs;
  }
}

/** Everything a machine says to these events, in order, up to and including what is due at `untilMs`. */
export function* runThrough<E extends { readonly atMs: number }, O>(
  machine: Machine<E, O>,
  events: Iterable<E>,
  untilMs: number,
): Generator<O> {
  const driver = new MachineDriver(machine);
  for (const event of events) yield* driver.feed(event);
  yield* driver.advance(untilMs);
}
