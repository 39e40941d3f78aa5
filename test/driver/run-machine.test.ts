import { merge, Subject, take, takeUntil, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Machine, Step, Tick } from '../../core/machine.ts';
import { runMachine } from '../../driver/run-machine.ts';
import { type Marbles, runMarbles } from '../kit/marbles.ts';

interface Letter {
  readonly type: 'letter';
  readonly atMs: number;
  readonly letter: string;
}

/**
 * Answers every letter with itself and asks to be woken 5 ms later, when it answers with the time in brackets. "s"
 * asks for nothing more, "t" answers three times, "x" throws, "y" throws when it is woken.
 */
function createEcho(): Machine<Letter, string> {
  let last = '';
  return {
    step(event: Letter | Tick): Step<string> {
      if (event.type === 'tick') {
        if (last === 'y') throw new Error('woken');
        return { outputs: [`(${event.atMs})`] };
      }
      last = event.letter;
      if (last === 'x') throw new Error('told');
      if (last === 's') return { outputs: ['s'] };
      const outputs = last === 't' ? ['1', '2', '3'] : [last];
      return { outputs, wakeAtMs: event.atMs + 5 };
    },
  };
}

/** A machine that counts what it is told, to see whether two subscriptions share it. */
function createCounter(): Machine<Letter, string> {
  let count = 0;
  return { step: () => ({ outputs: [String(++count)] }) };
}

const letters = (marbles: string): Record<string, Letter> => {
  const values: Record<string, Letter> = {};
  // A letter's time is its column; enough for diagrams without groups and time syntax.
  [...marbles].forEach((letter, atMs) => {
    if (/[a-z]/.test(letter)) values[letter] = { type: 'letter', atMs, letter };
  });
  return values;
};

const source = ({ cold }: Marbles, marbles: string) => cold(marbles.trim(), letters(marbles.trim()));
const woken = (...times: number[]) => Object.fromEntries(times.map((t, i) => [String(i), `(${t})`]));

describe('runMachine', () => {
  it('emits what the machine says, wakes it when it asks, and completes with its source', () => {
    runMarbles((m) => {
      const events = source(m, ' --a---------b-------|');
      const expected = '         --a----0----b----1--|';
      const subs = '             ^-------------------!';
      m.expectObservable(events.pipe(runMachine(createEcho, m.clock))).toBe(expected, {
        a: 'a',
        b: 'b',
        ...woken(7, 17),
      });
      m.expectSubscriptions(events.subscriptions).toBe(subs);
    });
  });

  it('completes at once with a source that is empty', () => {
    runMarbles((m) => {
      const events = source(m, '|');
      m.expectObservable(events.pipe(runMachine(createEcho, m.clock))).toBe('|');
      m.expectSubscriptions(events.subscriptions).toBe('(^!)');
    });
  });

  it('stays silent over a source that never emits', () => {
    runMarbles((m) => {
      const events = source(m, '-');
      m.expectObservable(events.pipe(runMachine(createEcho, m.clock))).toBe('-');
      m.expectSubscriptions(events.subscriptions).toBe('^');
    });
  });

  it('passes the error of its source on and forgets the wake-up', () => {
    runMarbles((m) => {
      const events = source(m, ' --a-#');
      const expected = '         --a-#';
      const subs = '             ^---!';
      m.expectObservable(events.pipe(runMachine(createEcho, m.clock))).toBe(expected);
      m.expectSubscriptions(events.subscriptions).toBe(subs);
    });
  });

  it('does not wait for a wake-up when its source completes', () => {
    runMarbles((m) => {
      const events = source(m, ' --a-|');
      m.expectObservable(events.pipe(runMachine(createEcho, m.clock))).toBe('--a-|');
      m.expectSubscriptions(events.subscriptions).toBe('^---!');
    });
  });

  it('ends with the error of a machine that throws, and leaves its source', () => {
    runMarbles((m) => {
      const events = source(m, ' --a-x---b');
      const expected = '         --a-#';
      const subs = '             ^---!';
      m.expectObservable(events.pipe(runMachine(createEcho, m.clock))).toBe(
        expected,
        undefined,
        new Error('told'),
      );
      m.expectSubscriptions(events.subscriptions).toBe(subs);
    });
  });

  it('ends with the error of a machine that throws when it is woken', () => {
    runMarbles((m) => {
      const events = source(m, ' --y-----------');
      const expected = '         --y----#';
      const subs = '             ^------!';
      m.expectObservable(events.pipe(runMachine(createEcho, m.clock))).toBe(
        expected,
        undefined,
        new Error('woken'),
      );
      m.expectSubscriptions(events.subscriptions).toBe(subs);
    });
  });

  it('leaves source and timer when it is unsubscribed from', () => {
    runMarbles((m) => {
      const events = source(m, ' --a-----------');
      const unsub = '            ^----!';
      const expected = '         --a---';
      m.expectObservable(events.pipe(runMachine(createEcho, m.clock)), unsub).toBe(expected);
      m.expectSubscriptions(events.subscriptions).toBe(unsub);
    });
  });

  it('says no more than it is asked for when its reader leaves in the middle of an answer', () => {
    runMarbles((m) => {
      const events = source(m, ' --t-----------');
      const expected = '         --(12|)';
      const subs = '             ^-!';
      m.expectObservable(events.pipe(runMachine(createEcho, m.clock), take(2))).toBe(expected);
      m.expectSubscriptions(events.subscriptions).toBe(subs);
    });
  });

  it('gives every subscription a machine of its own', () => {
    runMarbles((m) => {
      const events = source(m, '  -a-b|');
      const counted = events.pipe(runMachine(createCounter, m.clock));
      m.expectObservable(counted).toBe('         -1-2|');
      m.expectObservable(counted, '  ----------^').toBe('-----------1-2|');
      m.expectSubscriptions(events.subscriptions).toBe(['^---!', '----------^---!']);
    });
  });

  it('moves a wake-up that an event has put off, and drops one that is no longer asked for', () => {
    runMarbles((m) => {
      const events = source(m, ' -a---b---c---s--------|');
      const expected = '         -a---b---c---s--------|';
      m.expectObservable(events.pipe(runMachine(createEcho, m.clock))).toBe(expected);
      m.expectSubscriptions(events.subscriptions).toBe('^---------------------!');
    });
  });

  it('wakes the machine before an event that is due later, in the order of their times', () => {
    runMarbles((m) => {
      // Both come in frame 9, the event with the time 9: the wake-up of 7 belongs before it.
      const late = {
        a: { type: 'letter', atMs: 2, letter: 'a' },
        b: { type: 'letter', atMs: 9, letter: 'b' },
      } as const;
      const events = m.cold<Letter>('---------(ab)---|', late);
      m.expectObservable(events.pipe(runMachine(createEcho, m.clock))).toBe('---------(a0b)1-|', {
        a: 'a',
        b: 'b',
        ...woken(7, 14),
      });
    });
  });

  it('arms a timer again that comes before its time', () => {
    runMarbles((m) => {
      let early = 2;
      const waits: number[] = [];
      const hasty = {
        ...m.clock,
        timer$: (delayMs: number) => {
          waits.push(delayMs);
          return m.clock.timer$(early-- > 0 ? delayMs - 1 : delayMs);
        },
      };
      const events = source(m, '-a----------|');
      m.expectObservable(events.pipe(runMachine(createEcho, hasty))).toBe('-a----0-----|', {
        a: 'a',
        ...woken(6),
      });
      m.flush();
      expect(waits).toEqual([5, 1, 1]);
    });
  });

  it('lets an event wait that arrives while it is still emitting', () => {
    runMarbles(({ clock }) => {
      const told: string[] = [];
      const source$ = new Subject<Letter>();
      const run$ = source$.pipe(
        runMachine(createEcho, clock),
        tap((output) => {
          if (output === '1') source$.next({ type: 'letter', atMs: 1, letter: 'z' });
        }),
      );
      run$.subscribe((output) => told.push(output));
      source$.next({ type: 'letter', atMs: 1, letter: 't' });
      source$.complete();
      expect(told).toEqual(['1', '2', '3', 'z']);
    });
  });

  it('says everything before it completes when its source completes while it is still emitting', () => {
    runMarbles(({ clock }) => {
      const told: string[] = [];
      const source$ = new Subject<Letter>();
      const run$ = source$.pipe(
        runMachine(createEcho, clock),
        tap((output) => {
          if (output === '1') source$.complete();
        }),
      );
      run$.subscribe({ next: (output) => told.push(output), complete: () => told.push('|') });
      source$.next({ type: 'letter', atMs: 1, letter: 't' });
      expect(told).toEqual(['1', '2', '3', '|']);
    });
  });
});

describe('a process that stood still', () => {
  /** Tells what happens and asks to be woken 5 ms later, again and again. */
  const createPulse = (): Machine<Letter, string> => ({
    step: (event) => ({ outputs: [`${event.type} ${event.atMs}`], wakeAtMs: event.atMs + 5 }),
  });
  /** In frame 3 twenty milliseconds go by in which nothing is heard and nothing is woken. */
  const stalling = (m: Marbles) => ({
    ...m.clock,
    monotonicMs: () => m.clock.monotonicMs() + (m.clock.monotonicMs() >= 3 ? 20 : 0),
  });
  const LETTERS = {
    a: { type: 'letter', atMs: 1, letter: 'a' },
    b: { type: 'letter', atMs: 26, letter: 'b' },
  } as const;

  it('makes up for every wake-up, each at the time that was asked for', () => {
    runMarbles((m) => {
      const events = m.cold<Letter>('-a-------|', LETTERS);
      const told: string[] = [];
      events.pipe(runMachine(createPulse, stalling(m))).subscribe((text) => told.push(text));
      m.flush();
      expect(told).toEqual(['letter 1', 'tick 6', 'tick 11', 'tick 16', 'tick 21', 'tick 26']);
    });
  });

  it('wakes a machine that lives now once, and goes on from now', () => {
    runMarbles((m) => {
      const events = m.cold<Letter>('-a------------|', LETTERS);
      const told: string[] = [];
      events.pipe(runMachine(createPulse, stalling(m), { wake: 'now' })).subscribe((text) => told.push(text));
      m.flush();
      expect(told).toEqual(['letter 1', 'tick 26', 'tick 31']);
    });
  });

  it('tells a machine that lives now first what arrived meanwhile', () => {
    runMarbles((m) => {
      // Delivered when the late timer has given the system a turn.
      const b$ = new Subject<Letter>();
      const clock = stalling(m);
      const yielding = {
        ...clock,
        timer$: (delayMs: number) =>
          clock.timer$(delayMs).pipe(tap(() => delayMs === 0 && b$.next(LETTERS.b))),
      };
      const told: string[] = [];
      const events = merge(m.cold<Letter>('-a--------|', LETTERS), b$);
      events
        .pipe(takeUntil(m.cold('----------a')), runMachine(createPulse, yielding, { wake: 'now' }))
        .subscribe((text) => told.push(text));
      m.flush();
      expect(told).toEqual(['letter 1', 'letter 26']);
    });
  });
});
