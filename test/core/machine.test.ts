import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Machine, MachineDriver, runThrough, type Step, type Tick } from '../../core/machine.ts';

interface Note {
  readonly type: 'note';
  readonly atMs: number;
  /** Wants to be woken this much later, and so often. */
  readonly wakeInMs?: number;
  readonly times?: number;
}

/** Says everything it is told, and wakes itself as it is asked to. */
class Echo implements Machine<Note, string> {
  #every: number | undefined;
  #left = 0;
  #wakeAtMs: number | undefined;

  step(event: Note | Tick): Step<string> {
    if (event.type === 'note') {
      this.#every = event.wakeInMs;
      this.#left = event.times ?? 1;
    } else this.#left--;
    this.#wakeAtMs = this.#every !== undefined && this.#left > 0 ? event.atMs + this.#every : undefined;
    const outputs = [`${event.type} ${event.atMs}`];
    return this.#wakeAtMs === undefined ? { outputs } : { outputs, wakeAtMs: this.#wakeAtMs };
  }
}

describe('a machine that is driven', () => {
  it('is woken once, at the time it asked for, however late that is', () => {
    const driver = new MachineDriver<Note, string>(new Echo());
    expect(driver.feed({ type: 'note', atMs: 100, wakeInMs: 50 })).toEqual(['note 100']);
    expect(driver.wakeAtMs).toBe(150);
    expect(driver.advance(149)).toEqual([]);
    expect(driver.advance(10_000)).toEqual(['tick 150']);
    expect(driver.advance(20_000)).toEqual([]);
    expect(driver.wakeAtMs).toBeUndefined();
  });

  it('sees what was due before an event before it', () => {
    const driver = new MachineDriver<Note, string>(new Echo());
    driver.feed({ type: 'note', atMs: 0, wakeInMs: 10, times: 3 });
    expect(driver.feed({ type: 'note', atMs: 25 })).toEqual(['tick 10', 'tick 20', 'note 25']);
    expect(driver.advance(100)).toEqual([]);
  });

  it('sees a tick that is due just when an event comes before the event', () => {
    const driver = new MachineDriver<Note, string>(new Echo());
    driver.feed({ type: 'note', atMs: 0, wakeInMs: 10 });
    expect(driver.feed({ type: 'note', atMs: 10 })).toEqual(['tick 10', 'note 10']);
  });

  it('is not woken for what an event has made needless', () => {
    const driver = new MachineDriver<Note, string>(new Echo());
    driver.feed({ type: 'note', atMs: 0, wakeInMs: 10 });
    driver.feed({ type: 'note', atMs: 5 });
    expect(driver.advance(Number.POSITIVE_INFINITY)).toEqual([]);
  });

  it('cannot spin by asking for a time that is not later', () => {
    const stuck: Machine<Note, string> = {
      step: (event) => ({ outputs: [event.type], wakeAtMs: event.atMs }),
    };
    const driver = new MachineDriver<Note, string>(stuck);
    expect(driver.feed({ type: 'note', atMs: 5 })).toEqual(['note']);
    expect(driver.advance(1000)).toEqual(['tick']);
  });

  it('says the same however time is cut into pieces, and when nobody looked until the end', () => {
    const note = fc.record({
      type: fc.constant('note' as const),
      atMs: fc.nat(1000),
      wakeInMs: fc.integer({ min: 1, max: 200 }),
      times: fc.nat(5),
    });
    fc.assert(
      fc.property(
        fc.array(note, { maxLength: 12 }),
        fc.array(fc.nat(2500), { maxLength: 30 }),
        (notes, looks) => {
          const events = [...notes].sort((a, b) => a.atMs - b.atMs);
          const late = [...runThrough(new Echo(), events, 5000)];
          const driver = new MachineDriver<Note, string>(new Echo());
          const live: string[] = [];
          const times = [...looks].sort((a, b) => a - b);
          for (const event of events) {
            while (times.length > 0 && times[0]! < event.atMs) driver.advance(times.shift()!, live);
            driver.feed(event, live);
          }
          for (const atMs of times) driver.advance(atMs, live);
          driver.advance(5000, live);
          expect(live).toEqual(late);
        },
      ),
    );
  });
});
