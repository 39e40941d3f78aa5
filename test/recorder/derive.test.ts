import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dgt } from '../../boards/dgt/definition.ts';
import type { GameEvent } from '../../core/game-event.ts';
import type { TableEvent } from '../../core/laws/with-laws.ts';
import { type Machine, MachineDriver, runThrough } from '../../core/machine.ts';
import { createDerivation, type DeriveOptions, deriveEvents } from '../../recorder/derive.ts';
import type { Entry } from '../../recorder/entry.ts';
import type { RawInput } from '../../recorder/raw-input.ts';

/** Says what it hears and when, and asks to be woken 700 ms after each event. */
function createEcho(): Machine<TableEvent, GameEvent> {
  let count = 0;
  const tell = (atMs: number, detail: string): GameEvent => ({
    type: 'flag',
    atMs,
    flag: { code: 'TOUCH', severity: 'info', ply: ++count, atMs, detail },
  });
  return {
    step(event) {
      const detail = event.type === 'link' ? event.link : event.type;
      const outputs = [tell(event.atMs, detail)];
      return event.type === 'tick' ? { outputs } : { outputs, wakeAtMs: event.atMs + 700 };
    },
  };
}

const update = (square: number, code: number): number[] => [0x8e, 0, 5, square, code];
const rx = (atMs: number, ...bytes: number[]): RawInput => ({
  type: 'rx',
  atMs,
  bytes: Uint8Array.from(bytes),
});
const echo = (inputs: readonly RawInput[], untilMs = 0): string[] => {
  const machine = createDerivation({ definition: dgt, createReconstructor: createEcho });
  return [...deriveEvents(machine, inputs, untilMs)].map((event) =>
    event.type === 'flag' ? `${event.atMs} ${event.flag.detail}` : event.type,
  );
};

type Steps = readonly (readonly [waitMs: number, square: number, code: number])[];

/** Live: a timer asks for what is due at its own pace, inputs come in between. */
function runLive(
  machine: ReturnType<typeof createDerivation>,
  steps: Steps,
  every: number,
): { stored: RawInput[]; events: GameEvent[]; untilMs: number } {
  const live = new MachineDriver(machine);
  const stored: RawInput[] = [];
  const events: GameEvent[] = [];
  const take = (outputs: ReturnType<typeof live.feed>): void => {
    for (const output of outputs) {
      if (output.type === 'input') stored.push(output.input);
      if (output.type === 'event') events.push(output.event);
    }
  };
  let nowMs = 0;
  for (const [wait, square, code] of steps) {
    const untilMs = nowMs + wait;
    for (; nowMs < untilMs; nowMs += every) take(live.advance(Math.min(nowMs, untilMs)));
    nowMs = untilMs;
    take(live.feed(rx(nowMs, ...update(square, code))));
  }
  return { stored, events, untilMs: nowMs };
}

describe('derivation', () => {
  it('decodes bytes and passes links on, with ticks between where they are due', () => {
    expect(
      echo(
        [
          { type: 'link', atMs: 0, link: 'up' },
          rx(100, ...update(1, 1), ...update(2, 0)),
          { type: 'tx', atMs: 200, bytes: Uint8Array.of(0x42) },
          rx(2000, ...update(3, 0)),
          { type: 'link', atMs: 2100, link: 'lost' },
        ],
        9000,
      ),
    ).toEqual(['0 up', '100 square', '100 square', '800 tick', '2000 square', '2100 lost', '2800 tick']);
  });

  it('forgets half a message when the link is lost', () => {
    const whole = update(1, 1);
    expect(echo([rx(0, ...whole.slice(0, 3)), rx(1, ...whole.slice(3))])).toEqual(['1 square']);
    expect(
      echo([rx(0, ...whole.slice(0, 3)), { type: 'link', atMs: 1, link: 'lost' }, rx(2, ...whole.slice(3))]),
    ).toEqual(['1 lost']);
  });

  it('gives back every input with the time under which it counts: whole, and never falling', () => {
    const machine = createDerivation({ definition: dgt, createReconstructor: createEcho });
    const driver = new MachineDriver(machine);
    const taken = [rx(10.7, 1), rx(5, 2), rx(11, 3)].flatMap((input) =>
      driver.feed(input).flatMap((output) => (output.type === 'input' ? [output.input.atMs] : [])),
    );
    expect(taken).toEqual([10, 10, 11]);
  });

  it('says how many bytes belonged to no message', () => {
    const driver = new MachineDriver(createDerivation({ definition: dgt, createReconstructor: createEcho }));
    const outputs = driver.feed(rx(0, 1, 2, 3, ...update(1, 1)));
    expect(outputs.filter((output) => output.type === 'discarded')).toMatchObject([{ count: 3 }]);
  });

  it('comes to the same games live, with a timer, and again from what was stored', () => {
    const step = fc.tuple(
      fc.integer({ min: 0, max: 3000 }),
      fc.constantFrom(12, 28, 52, 36, 6, 21),
      fc.constantFrom(0, 1, 7, 2),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 900 }), (steps, every) => {
        const { stored, events, untilMs } = runLive(createDerivation({ definition: dgt }), steps, every);
        const again = createDerivation({ definition: dgt });
        expect([...deriveEvents(again, stored, untilMs)]).toEqual(events);
      }),
      { numRuns: 50 },
    );
  });

  it('hears the Laws, by the rules of the event', () => {
    // An illegal move (king's pawn three squares), answered.
    const inputs = [
      rx(0, ...update(52, 0)),
      rx(500, ...update(28, 1)),
      rx(4000, ...update(12, 0)),
      rx(4500, ...update(20, 7)),
    ];
    const flags = (laws: DeriveOptions['laws']): string[] =>
      [...deriveEvents(createDerivation({ definition: dgt, ...(laws && { laws }) }), inputs, 60_000)].flatMap(
        (event) => (event.type === 'flag' ? [event.flag.code] : []),
      );
    expect(flags(undefined)).toContain('ILLEGAL');
    expect(flags(undefined)).not.toContain('ILLEGAL_STANDS');
    expect(flags({ regime: 'limited' })).toContain('ILLEGAL_STANDS');
  });

  it('wakes what wants to be woken between two whole milliseconds, once and after that moment', () => {
    const heard: string[] = [];
    const machine = createDerivation({
      definition: dgt,
      createReconstructor: () => ({
        step(event) {
          heard.push(`${event.atMs} ${event.type}`);
          return event.type === 'tick' ? { outputs: [] } : { outputs: [], wakeAtMs: event.atMs + 0.5 };
        },
      }),
    });
    expect([...deriveEvents(machine, [rx(7, ...update(1, 1))], Number.POSITIVE_INFINITY)]).toEqual([]);
    expect(heard).toEqual(['7 square', '7.5 tick']);
  });
});

const entry = (id: number, atMs: number, more: Partial<Entry> = {}): Entry => ({
  id,
  atMs,
  wallMs: 0,
  by: 'A. Arbiter',
  game: 1,
  what: { type: 'result', score: '1-0', termination: 'resignation' },
  ...more,
});

describe('derivation with entries', () => {
  /** Begins a game with its first event and says what it hears. */
  const createListener = (): Machine<TableEvent, GameEvent> => {
    const echo = createEcho();
    let isFirst = true;
    return {
      step(event) {
        const step = event.type === 'tick' ? { outputs: [] } : echo.step(event);
        if (!isFirst) return step;
        isFirst = false;
        const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
        const { atMs } = event;
        const started: GameEvent = {
          type: 'gameStarted',
          atMs,
          game: 1,
          variant: 'standard',
          start,
          orientation: 'normal',
        };
        return { ...step, outputs: [started, ...step.outputs] };
      },
    };
  };
  const inputs = [rx(100, ...update(1, 1)), rx(200, ...update(1, 0)), rx(200, ...update(2, 0))];
  const hear = (entries: readonly Entry[]): { heard: string[]; unheard: number[] } => {
    const machine = createDerivation({ definition: dgt, createReconstructor: createListener, entries });
    const heard: string[] = [];
    const unheard: number[] = [];
    for (const output of runThrough(machine, inputs, 1000)) {
      if (output.type === 'unheard') unheard.push(output.entry.id);
      if (output.type === 'event' && output.event.type === 'flag')
        heard.push(`${output.event.atMs} ${output.event.flag.detail}`);
    }
    return { heard, unheard };
  };

  it('hears each at its time, before what else happened in that millisecond, and the last at the end', () => {
    const correction = { type: 'correction', from: 1, plies: [] } as const;
    expect(
      hear([entry(3, 300), entry(2, 200, { what: correction }), entry(1, 200, { what: correction })]),
    ).toEqual({
      heard: ['100 square', '200 correction', '200 correction', '200 square', '200 square', '300 decision'],
      unheard: [],
    });
  });

  it('leaves out what was undone, and says which is about no game that is there', () => {
    const undone = { id: 9, wallMs: 0, by: 'B' };
    expect(hear([entry(1, 150, { undone }), entry(2, 150, { game: 2 }), entry(3, 50)])).toEqual({
      heard: ['100 square', '200 square', '200 square'],
      unheard: [3, 2],
    });
  });

  it('comes to the same games live, with a timer, and again from what was stored', () => {
    const step = fc.tuple(
      fc.integer({ min: 0, max: 3000 }),
      fc.constantFrom(12, 28, 52, 36, 6, 21),
      fc.constantFrom(0, 1, 7, 2),
    );
    const what = fc.constantFrom<Entry['what']>(
      { type: 'result', score: '0-0', termination: 'default' },
      { type: 'result', score: '*', termination: 'arbiter' },
      { type: 'flag-registered', side: 'black' },
      { type: 'enter', kind: 'two-hands', side: 'white', ply: 1 },
      { type: 'draw-offer', side: 'white', ply: 1 },
      { type: 'correction', from: 1, plies: ['e2e4'], replaces: 1 },
    );
    const decision = fc.record({ atMs: fc.integer({ min: 0, max: 40_000 }), what });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.array(decision, { maxLength: 4 }),
        fc.integer({ min: 1, max: 900 }),
        (steps, decisions, every) => {
          const entries = decisions.map(({ atMs, what }, i) => entry(i + 1, atMs, { what }));
          const create = () => createDerivation({ definition: dgt, entries });
          const { stored, events, untilMs } = runLive(create(), steps, every);
          expect([...deriveEvents(create(), stored, untilMs)]).toEqual(events);
        },
      ),
      { numRuns: 100 },
    );
  });
});
