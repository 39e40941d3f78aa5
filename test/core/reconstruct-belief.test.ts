import { describe, expect, it } from 'vitest';
import type { GameEvent } from '../../core/game-event.ts';
import { makeRecords } from '../../core/game-record.ts';
import { MachineDriver } from '../../core/machine.ts';
import { createReconstructor } from '../../core/reconstructor.ts';
import type { ClockFace, SensorEvent } from '../../core/sensor-event.ts';
import { optionsOf, outputsOf, readEvents } from './table-of-games.ts';

/** States of all plies after the events of a text, `waitMs` later. */
function beliefs(text: string, waitMs = 0, fen = 'start'): string {
  const driver = new MachineDriver<SensorEvent, GameEvent>(createReconstructor(optionsOf(fen)));
  const outputs: GameEvent[] = [];
  const events = readEvents(text);
  for (const event of events) driver.feed(event, outputs);
  driver.advance(events.at(-1)!.atMs + waitMs, outputs);
  return makeRecords(outputs)[0]!
    .plies.map((ply) => `${ply.san} ${ply.state}`)
    .join(', ');
}

describe('belief in a ply', () => {
  it('begins when the placement of a legal move stands', () => {
    expect(beliefs('-e2')).toBe('');
    expect(beliefs('-e2 +e4=P')).toBe('e4 provisional');
  });

  it('is firm when the mover presses', () => {
    expect(beliefs('-e2 +e4=P CW')).toBe('e4 confirmed');
  });

  it('is firm when the opponent replies', () => {
    expect(beliefs('-e2 +e4=P -e7')).toBe('e4 provisional');
    expect(beliefs('-e2 +e4=P -e7 +e5=p')).toBe('e4 confirmed, e5 provisional');
  });

  it('is firm after a long rest, and not before', () => {
    expect(beliefs('-e2 +e4=P', 3000)).toBe('e4 provisional');
    expect(beliefs('-e2 +e4=P', 15_000)).toBe('e4 confirmed');
  });

  it('waits longer for a king that steps onto a centre square', () => {
    const fen = '8/8/2k5/8/8/5P2/5K2/8 b - - 0 1';
    expect(beliefs('-c6 +d5=k', 12_000, fen)).toBe('Kd5 provisional');
    expect(beliefs('-c6 +d5=k', 16_000, fen)).toBe('Kd5 confirmed');
    expect(beliefs('-c6 +d5=k CB', 100, fen)).toBe('Kd5 confirmed');
  });

  it('is settled two confirmed plies later', () => {
    expect(beliefs('-e2 +e4=P CW -e7 +e5=p CB')).toBe('e4 confirmed, e5 confirmed');
    expect(beliefs('-e2 +e4=P CW -e7 +e5=p CB -g1 +f3=N')).toBe(
      'e4 confirmed, e5 confirmed, Nf3 provisional',
    );
    expect(beliefs('-e2 +e4=P CW -e7 +e5=p CB -g1 +f3=N CW')).toBe('e4 settled, e5 confirmed, Nf3 confirmed');
  });

  it('is firm without a press when the move ends the game', () => {
    const fools = '-f2 +f3=P CW -e7 +e5=p CB -g2 +g4=P CW -d8 +h4=q';
    expect(beliefs(fools, 1000)).toBe('f3 settled, e5 settled, g4 confirmed, Qh4# confirmed');
  });

  it('waits for the sensors when they lag behind the press', () => {
    const driver = new MachineDriver<SensorEvent, GameEvent>(
      createReconstructor({ profile: { sensing: 'identity', scanMs: 250 } }),
    );
    const outputs: GameEvent[] = [];
    for (const event of readEvents('-e2 +e3=P CW ~100 -e3 +e4=P')) driver.feed(event, outputs);
    driver.advance(5000, outputs);
    const [record] = makeRecords(outputs);
    expect(record?.plies.map((ply) => `${ply.san} ${ply.state}`)).toEqual(['e4 confirmed']);
    expect(record?.flags.filter((flag) => flag.severity === 'warning' || flag.severity === 'alarm')).toEqual(
      [],
    );
  });
});

/** A table with a clock: squares from a text, and what the clock shows after each press in seconds. */
function atClock(
  steps: readonly (string | readonly [left: number, right: number, running: ClockFace | undefined])[],
) {
  const events: SensorEvent[] = [];
  let atMs = 0;
  for (const step of steps) {
    atMs += 1000;
    if (typeof step === 'string') {
      for (const event of readEvents(step)) events.push({ ...event, atMs: atMs + event.atMs });
      atMs = events.at(-1)!.atMs;
    } else {
      const [left, right, running] = step;
      const face = (seconds: number) => ({ timeMs: seconds * 1000, flag: false });
      events.push({
        type: 'clock',
        atMs,
        reading: { left: face(left), right: face(right), running, lever: running ?? 'left', connected: true },
      });
    }
  }
  return events;
}

describe('the clock of a ply', () => {
  const start = optionsOf('start');

  it('is what the mover has left at the press', () => {
    const events = atClock([
      [300, 300, 'left'],
      '-e2 +e4=P',
      [297, 300, 'right'],
      '-e7 +e5=p',
      [297, 290, 'left'],
    ]);
    const [record] = makeRecords(outputsOf(events, start));
    expect(record?.plies.map((ply) => [ply.san, ply.clockMs])).toEqual([
      ['e4', 297_000],
      ['e5', 290_000],
    ]);
    expect(record?.plies[0]?.madeAtMs).toBeLessThan(record!.plies[0]!.completedAtMs!);
    expect(record?.plies[0]?.completedAtMs).toBe(events[3]!.atMs);
    expect([record?.whiteMs, record?.blackMs]).toEqual([297_000, 290_000]);
  });

  it('is learnt to be seen from the other side: who stops after the first move is White', () => {
    const events = atClock([
      [300, 300, 'right'],
      '-e2 +e4=P',
      [300, 297, 'left'],
      '-e7 +e5=p',
      [290, 297, 'right'],
    ]);
    const [record] = makeRecords(outputsOf(events, start));
    expect(record?.plies.map((ply) => [ply.san, ply.clockMs])).toEqual([
      ['e4', 297_000],
      ['e5', 290_000],
    ]);
    expect(record?.flags.filter((flag) => flag.severity === 'warning' || flag.severity === 'alarm')).toEqual(
      [],
    );
  });

  it('belongs to Black when Black begins', () => {
    const black = optionsOf('8/pk6/8/8/8/8/6KP/8 b - - 0 31');
    const events = atClock([
      [300, 300, 'right'],
      '-a7 +a5=p',
      [300, 280, 'left'],
      '-h2 +h4=P',
      [270, 280, 'right'],
    ]);
    expect(makeRecords(outputsOf(events, black))[0]?.plies.map((ply) => [ply.san, ply.clockMs])).toEqual([
      ['a5', 280_000],
      ['h4', 270_000],
    ]);
  });

  it('turns with the board', () => {
    const turned = 'D=RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr';
    const events = atClock([
      turned,
      [300, 300, 'right'],
      '-d7 +d5=P',
      [300, 297, 'left'],
      '-d2 +d4=p',
      [290, 297, 'right'],
    ]);
    expect(makeRecords(outputsOf(events, start))[0]?.plies.map((ply) => [ply.san, ply.clockMs])).toEqual([
      ['e4', 297_000],
      ['e5', 290_000],
    ]);
  });

  it('is set while it is stopped, and that is no press', () => {
    const events = atClock([
      [300, 300, 'left'],
      '-e2 +e4=P',
      [297, 300, 'right'],
      [297, 300, undefined],
      [420, 300, undefined],
      [420, 300, undefined],
      [420, 300, 'right'],
      '-e7 +e5=p',
      [420, 280, 'left'],
    ]);
    const [record] = makeRecords(outputsOf(events, start));
    expect(record?.plies.map((ply) => [ply.san, ply.clockMs])).toEqual([
      ['e4', 297_000],
      ['e5', 280_000],
    ]);
    expect(record?.flags.map((flag) => flag.code)).not.toContain('PRESSED_WITHOUT_MOVE');
  });

  it('is not there when there is no clock', () => {
    const [record] = makeRecords(outputsOf(readEvents('-e2 +e4=P -e7 +e5=p'), start));
    expect(record?.plies.map((ply) => ply.clockMs)).toEqual([undefined, undefined]);
    expect([record?.whiteMs, record?.blackMs]).toEqual([undefined, undefined]);
  });

  it('is the reading at the press of a promotion, not at the arrival of the pawn', () => {
    const promotion = optionsOf('8/P6k/8/8/8/8/8/K7 w - - 0 1');
    const events = atClock([
      [300, 300, 'left'],
      '-a7 +a8=P',
      [295, 300, 'left'],
      '-a8 +a8=Q',
      [288, 300, 'right'],
    ]);
    const [record] = makeRecords(outputsOf(events, promotion));
    const queen = events.find((event) => event.type === 'square' && event.cell === 5);
    expect(record?.plies[0]).toMatchObject({ san: 'a8=Q', clockMs: 288_000, madeAtMs: queen!.atMs });
    expect(record?.plies[0]?.completedAtMs).toBe(events.at(-1)!.atMs);
  });
});
