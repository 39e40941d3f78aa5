import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HandAction } from '../../boards/hand/action.ts';
import { type PlayedGame, playPeople } from '../../boards/hand/people.ts';
import { scanGame } from '../../boards/hand/scan.ts';
import { EMPTY, makePlacement, OCCUPIED, type Placement } from '../../core/placement.ts';
import { Position } from '../../core/position.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { parseSquare } from '../../core/square.ts';
import { anyNoise, anyProfile, randomGame, randomGames } from '../sim/hand/random-game.ts';
import { boardAt } from '../sim/hand/watch-board.ts';

const square = (name: string): number => parseSquare(name)!;

/** A table at which exactly this happens. */
const table = (actions: readonly HandAction[]): PlayedGame => ({
  variant: 'standard',
  start: Position.initial().fen(),
  placement: Position.initial().cells,
  hasClock: actions.some((a) => a.type === 'clock'),
  actions,
  plies: [],
  withdrawn: [],
  result: '*',
  flags: [],
  endAtMs: actions.at(-1)?.atMs ?? 0,
});

const STEADY = { seed: 1, noise: 'none', sensing: 'identity' } as const;
const changes = (events: readonly SensorEvent[]) => events.filter((event) => event.type === 'square');

/** The board as whoever hears these events sees it at the end. */
function heard(events: readonly SensorEvent[]): Placement {
  const cells = new Uint8Array(64);
  for (const event of events) {
    if (event.type === 'square') cells[event.square] = event.cell;
    if (event.type === 'dump') cells.set(event.placement);
  }
  return cells;
}

const play = (seed: number, options: Partial<Parameters<typeof playPeople>[1]> = {}): PlayedGame => {
  const played = playPeople(randomGame(seed, 60), { seed, profile: 'blitz', noise: 'none', ...options });
  if (!played.ok) throw new Error(played.fault.message);
  return played.value;
};

describe('a scanning board', () => {
  it('sees a piece taken and replaced within one scan go from piece to piece', () => {
    const e4 = square('e4');
    const game = table([
      { type: 'square', atMs: 1000, square: e4, cell: 1 },
      { type: 'square', atMs: 2000, square: e4, cell: EMPTY },
      { type: 'square', atMs: 2001, square: e4, cell: 8 },
    ]);
    // Whichever the phase, one millisecond fits between two looks on all but one of 250 boards.
    const seen = [1, 2, 3].map((seed) => changes(scanGame(game, { ...STEADY, seed, scanMs: 250 }).events));
    for (const events of seen) expect(events.map((e) => e.cell)).toEqual([1, 8]);
  });

  it('reports changes of one scan in the order of the squares, a8 first, whichever happened first', () => {
    const game = table([
      { type: 'square', atMs: 1000, square: square('e2'), cell: EMPTY },
      { type: 'square', atMs: 1001, square: square('e4'), cell: 1 },
    ]);
    const orders = Array.from({ length: 20 }, (_, seed) =>
      changes(scanGame(game, { ...STEADY, seed, scanMs: 250 }).events)
        .map((e) => e.square)
        .join(),
    );
    // Usually the look passes e4 before e2, although e2 was emptied first; now and then it starts between them.
    const upward = `${square('e4')},${square('e2')}`;
    expect(orders.filter((order) => order === upward).length).toBeGreaterThan(10);
  });

  it('misses what is shorter than a scan unless it happens to look', () => {
    const game = table([
      { type: 'square', atMs: 1000, square: square('d2'), cell: EMPTY },
      { type: 'square', atMs: 1050, square: square('d2'), cell: 1 },
    ]);
    const seen = Array.from(
      { length: 200 },
      (_, seed) => changes(scanGame(game, { ...STEADY, seed, scanMs: 250 }).events).length,
    );
    const share = seen.filter((n) => n === 2).length / seen.length;
    expect(seen.every((n) => n === 0 || n === 2)).toBe(true);
    expect(share).toBeGreaterThan(0.1);
    expect(share).toBeLessThan(0.3);
  });

  it('never reports a value twice, and ends with what truly stands there', () => {
    fc.assert(
      fc.property(randomGames(), anyProfile(), fc.nat(), (game, profile, seed) => {
        const played = playPeople(game, { seed, profile, noise: 'none' });
        if (!played.ok) throw new Error(played.fault.message);
        const { events } = scanGame(played.value, { ...STEADY, seed });
        const now = played.value.placement.slice();
        const repeated = changes(events).filter((event) => {
          const before = now[event.square];
          now[event.square] = event.cell;
          return before === event.cell;
        });
        expect(repeated).toEqual([]);
        expect(makePlacement(heard(events))).toBe(
          makePlacement(boardAt(played.value, Number.POSITIVE_INFINITY)),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('delivers events in order of time whatever the noise', () => {
    fc.assert(
      fc.property(randomGames(), anyProfile(), anyNoise(), fc.nat(), (game, profile, noise, seed) => {
        const played = playPeople(game, { seed, profile, noise });
        if (!played.ok) throw new Error(played.fault.message);
        const { events } = scanGame(played.value, { seed, noise, sensing: 'identity', idleDumpMs: 4000 });
        expect(events.filter((event, i) => i > 0 && event.atMs < events[i - 1]!.atMs)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('knows only that squares are taken when it senses occupancy', () => {
    const { events } = scanGame(play(2), { ...STEADY, sensing: 'occupancy', idleDumpMs: 4000 });
    const cells = events.flatMap((e) =>
      e.type === 'square' ? [e.cell] : e.type === 'dump' ? [...e.placement] : [],
    );
    expect(new Set(cells)).toEqual(new Set([EMPTY, OCCUPIED]));
  });

  it('says nothing while the link is gone and shows the whole board when it is back', () => {
    const game = play(3);
    const { events, faults } = scanGame(game, {
      ...STEADY,
      faults: { linkGaps: 1, linkGapMs: [8000, 8000] },
    });
    const gap = faults.find((fault) => fault.type === 'linkGap')!;
    const inside = events.filter((e) => e.atMs > gap.atMs && e.atMs < gap.untilMs);
    expect(inside).toEqual([]);
    const after = events.filter((e) => e.atMs >= gap.untilMs);
    expect(after[0]).toMatchObject({ type: 'link', link: 'up' });
    expect(after[1]).toMatchObject({ type: 'dump' });
    expect(makePlacement(heard(events))).toBe(makePlacement(boardAt(game, Number.POSITIVE_INFINITY)));
  });

  it('loses single updates for good until a dump tells them', () => {
    const game = play(4);
    const lossy = scanGame(game, { ...STEADY, faults: { lostUpdate: 0.05 } });
    const whole = scanGame(game, { ...STEADY });
    const lost = lossy.faults.filter((fault) => fault.type === 'lostUpdate').length;
    expect(lost).toBeGreaterThan(0);
    expect(changes(lossy.events).length).toBe(changes(whole.events).length - lost);
    const asked = scanGame(game, { ...STEADY, faults: { lostUpdate: 0.05 }, idleDumpMs: 2000 });
    expect(makePlacement(heard(asked.events))).toBe(makePlacement(boardAt(game, Number.POSITIVE_INFINITY)));
  });

  it('shows only whole pictures, one a period, when that is all it is asked for', () => {
    const game = play(7, { clock: false });
    const { events } = scanGame(game, { ...STEADY, dumpsOnlyMs: 500 });
    expect(events.every((event) => event.type === 'dump')).toBe(true);
    expect(events.map((event) => event.atMs)).toEqual(events.map((_, i) => i * 500));
    for (const event of events.slice(1)) {
      if (event.type !== 'dump') continue;
      // A square shows what truly stood there at some time within the last scan.
      const before = boardAt(game, event.atMs - 251);
      const now = boardAt(game, event.atMs);
      const changed = new Set(
        game.actions.flatMap((a) =>
          a.type === 'square' && a.atMs > event.atMs - 251 && a.atMs <= event.atMs ? [a.square] : [],
        ),
      );
      const impossible = [...event.placement.keys()].filter((s) => {
        const possible = changed.has(s) ? [before[s], now[s], EMPTY, ...game.placement] : [now[s]];
        return !possible.includes(event.placement[s]);
      });
      expect(impossible).toEqual([]);
    }
    expect(makePlacement(heard(events))).toBe(makePlacement(boardAt(game, Number.POSITIVE_INFINITY)));
  });

  it('turns squares and clock faces on a board that is turned', () => {
    const game = play(5, { clock: true });
    const straight = changes(scanGame(game, STEADY).events);
    const turned = scanGame(game, { ...STEADY, rotated: true }).events;
    expect(changes(turned).map((e) => e.square)).toEqual(straight.map((e) => 63 - e.square));
    const running = turned.find((e) => e.type === 'clock' && e.reading.running !== undefined);
    expect(running).toMatchObject({ reading: { running: 'right', lever: 'right' } });
  });

  it('reads a running clock every second and at once at every press', () => {
    const game = play(6, { clock: true });
    const { events } = scanGame(game, STEADY);
    const times = new Set(events.flatMap((e) => (e.type === 'clock' ? [e.atMs] : [])));
    for (const action of game.actions) if (action.type === 'clock') expect(times.has(action.atMs)).toBe(true);
    const sorted = [...times].sort((a, b) => a - b);
    for (let i = 2; i < sorted.length; i++) expect(sorted[i]! - sorted[i - 1]!).toBeLessThanOrEqual(1000);
  });

  it('gives the proportions of recorded blitz: two of three captures without a lift, few squares in passing', () => {
    let captures = 0;
    let overwritten = 0;
    let placed = 0;
    let plies = 0;
    let extra = 0;
    for (let seed = 0; seed < 60; seed++) {
      const game = play(seed, { noise: 'real', habits: { gesture: 0 }, afterGame: 'nothing' });
      const now = game.placement.slice();
      for (const event of changes(scanGame(game, { ...STEADY, seed, noise: 'real' }).events)) {
        if (event.cell !== EMPTY) placed += 1;
        if (event.cell !== EMPTY && now[event.square] !== EMPTY) overwritten += 1;
        now[event.square] = event.cell;
      }
      captures += game.plies.filter((ply) => ply.san.includes('x')).length;
      plies += game.plies.length;
      extra += game.plies.filter((ply) => /O-O|=/.test(ply.san)).length;
    }
    expect(overwritten / captures).toBeGreaterThan(0.5);
    expect(overwritten / captures).toBeLessThan(0.8);
    const passing = (placed - plies - extra) / plies;
    expect(passing).toBeGreaterThan(0.04);
    expect(passing).toBeLessThan(0.2);
  });
});
