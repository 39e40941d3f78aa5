import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { playPeople } from '../../boards/hand/people.ts';
import { scanGame } from '../../boards/hand/scan.ts';
import type { Correction } from '../../core/correction.ts';
import type { GameEvent } from '../../core/game-event.ts';
import { type GameRecord, makeRecords } from '../../core/game-record.ts';
import { runThrough } from '../../core/machine.ts';
import { emptyPlacement, type Placement } from '../../core/placement.ts';
import { createReconstructor } from '../../core/reconstructor.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { optionsOf, readEvents, sansOf } from './table-of-games.ts';

const LATE_MS = 120_000;

/** The game after these events and words; each word comes when all events before its time have come. */
function gamesOf(
  events: readonly (SensorEvent | Correction)[],
  fen = 'start',
  occupancy = false,
): GameRecord[] {
  const machine = createReconstructor(optionsOf(fen, { occupancy }));
  const untilMs = (events.at(-1)?.atMs ?? 0) + LATE_MS;
  return makeRecords(runThrough<SensorEvent | Correction, GameEvent>(machine, events, untilMs));
}

const say = (atMs: number, from: number, plies: string, replaces?: number): Correction => ({
  type: 'correction',
  atMs,
  by: 'desk',
  from,
  plies: plies === '' ? [] : plies.split(' '),
  ...(replaces !== undefined && { replaces }),
});

const wordsOf = (game: GameRecord): string[] => game.flags.map(({ code }) => code);

const FOUR = '-e2 +e4=P CW ~900 -e7 +e5=p CB ~900 -g1 +f3=N CW ~900 -b8 +c6=n CB';

describe('the operator says what was played', () => {
  const events = readEvents(FOUR);
  const atMs = events.at(-1)!.atMs + 5000;

  it('another move takes the place of one, and what follows stays', () => {
    const [game] = gamesOf([...events, say(atMs, 1, 'e2e3', 1)]);
    expect(sansOf(game!)).toBe('e3 e5 Nf3 Nc6');
    expect(game!.inSync).toBe(false);
  });

  it('amends visibly, and tells nothing of what stays as it was', () => {
    const machine = createReconstructor(optionsOf('start'));
    const outputs = [...runThrough<SensorEvent | Correction, GameEvent>(machine, events, atMs)];
    const { outputs: told } = machine.step(say(atMs, 3, 'g1h3', 1));
    expect(sansOf(makeRecords([...outputs, ...told])[0]!)).toBe('e4 e5 Nh3 Nc6');
    const plies = told.filter((event) => event.type === 'ply');
    expect(plies.map(({ number, ply, amended }) => [number, ply.san, amended === true])).toEqual([
      [3, 'Nh3', true],
    ]);
  });

  it('what follows is cut where it cannot be played any more', () => {
    const [game] = gamesOf([...events, say(atMs, 3, 'd1h5 b8c6 h5f7', 2)]);
    expect(sansOf(game!)).toBe('e4 e5 Qh5 Nc6 Qxf7');
  });

  it('plies are put in between and taken out', () => {
    const [longer] = gamesOf([...events, say(atMs, 3, 'a2a3 a7a6', 0)]);
    expect(sansOf(longer!)).toBe('e4 e5 a3 a6 Nf3 Nc6');
    const [shorter] = gamesOf([...events, say(atMs, 3, '', 2)]);
    expect(sansOf(shorter!)).toBe('e4 e5');
    expect(shorter!.inSync).toBe(false);
  });

  it('a word that agrees with the board resynchronises a lost thread, and the game goes on', () => {
    const lost = readEvents(`${FOUR} ~3000 D=r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQR1K1 ~9000`);
    const at = lost.at(-1)!.atMs + 5000;
    const more = readEvents('-f8 +e7=b CB ~900 -c2 +c3=P CW').map((e) => ({
      ...e,
      atMs: e.atMs + at + 5000,
    }));
    const word = say(at, 5, 'f1b5 a7a6 b5a4 g8f6 e1g1 h7h6 f1e1 h6h5');
    const [before] = gamesOf(lost);
    expect(before!.inSync).toBe(false);
    const [refused] = gamesOf([...lost, say(at, 5, 'f1b5 a7a5 b5c6 e1g8')]);
    expect(wordsOf(refused!)).toContain('CORRECTION_REFUSED');
    expect(sansOf(refused!)).toBe(sansOf(before!));
    const [game] = gamesOf([...lost, { ...word, plies: word.plies.slice(0, 5) }, ...more]);
    expect(sansOf(game!).startsWith('e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O')).toBe(true);
  });

  it('an illegal move that was really played is written as such', () => {
    const [game] = gamesOf([...events, say(atMs, 5, '!e1e3')]);
    expect(sansOf(game!)).toBe('e4 e5 Nf3 Nc6 !e1e3');
  });

  it('one candidate of a ply in doubt is chosen, and the doubt is gone', () => {
    const gap = readEvents(
      '-e2 +e4=P ~900 LINK- ~4000 LINK+ D=rnbqkbnr/ppp2ppp/3p4/4p3/4P3/3P4/PPP2PPP/RNBQKBNR ~4000',
    );
    const [doubt] = gamesOf(gap);
    expect(doubt!.plies.some((ply) => ply.state === 'ambiguous')).toBe(true);
    const at = gap.at(-1)!.atMs + 1;
    const [game] = gamesOf([...gap, say(at, 2, 'd7d6 d2d3 e7e5')]);
    expect(sansOf(game!)).toBe('e4 d6 d3 e5');
    expect(game!.plies.every((ply) => ply.state !== 'ambiguous')).toBe(true);
    expect(game!.inSync).toBe(true);
  });

  it.each([
    ['before the first ply', say(atMs, 0, 'e2e4')],
    ['behind the last', say(atMs, 9, 'e2e4')],
    ['no number', say(atMs, Number.NaN, 'e2e4')],
    ['a piece that is not there', say(atMs, 3, 'a5a6')],
    ['no move at all', say(atMs, 3, 'Zz')],
    ['an empty illegal one', say(atMs, 3, '!')],
    ['a negative count', say(atMs, 3, 'a5a6', -3)],
  ])('%s is refused with a word, and changes nothing', (_, word) => {
    const [game] = gamesOf([...events, word]);
    expect(wordsOf(game!)).toContain('CORRECTION_REFUSED');
    expect(sansOf(game!)).toBe('e4 e5 Nf3 Nc6');
  });

  it('a word before anything was seen is no word', () => {
    expect(gamesOf([say(0, 1, 'e2e4'), ...readEvents('-e2 +e4=P CW')]).map(sansOf)).toEqual(['e4']);
  });

  it('reaches plies that were played long ago', () => {
    const shuffle = Array.from(
      { length: 15 },
      () => '-g1 +f3=N CW ~300 -g8 +f6=n CB ~300 -f3 +g1=N CW ~300 -f6 +g8=n CB ~300',
    );
    const long = readEvents(`-e2 +e4=P CW ~300 -e7 +e5=p CB ~300 ${shuffle.join(' ')}`);
    const [game] = gamesOf([...long, say(long.at(-1)!.atMs + 3000, 1, 'e2e3', 1)]);
    expect(game!.plies).toHaveLength(62);
    expect(game!.plies.slice(0, 3).map(({ san }) => san)).toEqual(['e3', 'e5', 'Nf3']);
  });
});

describe('after a doubt, the placement and the operator’s word', () => {
  it('converge on what was played, whatever was lost, and play goes on from there', () => {
    const opening = 'e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O f6 d4 exd4 Nxd4 c5'.split(' ');
    const ending = 'Ne2 Qxd1 Rxd1 Bd7'.split(' ');
    const anyPlay = fc.record({
      seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      lost: fc.integer({ min: 2, max: 9 }),
      profile: fc.constantFrom<'blitz' | 'club'>('blitz', 'club'),
      sensing: fc.constantFrom<'identity' | 'occupancy'>('identity', 'occupancy'),
    });
    fc.assert(
      fc.property(anyPlay, ({ seed, lost, profile, sensing }) => {
        const all = playPeople(
          { moves: [...opening, ...ending], result: '*' },
          { seed, profile, noise: 'none' },
        );
        if (!all.ok) throw new Error(all.fault.message);
        const { events } = scanGame(all.value, { seed, noise: 'none', sensing, scanMs: 20 });
        const plies = all.value.plies;
        const afterMs = plies[opening.length - 1]!.pressedAtMs ?? plies[opening.length - 1]!.releasedAtMs;
        const cut = events.findIndex((event) => event.atMs > afterMs + 100);
        // Of the opening every so many events is lost; then the board is seen whole, and somebody knows what was played.
        const heard = events.slice(0, cut).filter((_, i) => i === 0 || i % lost !== 0);
        const board = placementAfter(events.slice(0, cut));
        const atMs = events[cut]!.atMs - 1;
        const word: Correction = {
          type: 'correction',
          atMs,
          by: 'desk',
          from: 1,
          plies: plies.slice(0, opening.length).map(({ uci }) => uci),
        };
        const machine = createReconstructor({ profile: { sensing, scanMs: 20 } });
        const stream = [
          ...heard,
          { type: 'dump' as const, atMs, placement: board },
          word,
          ...events.slice(cut),
        ];
        const games = makeRecords(
          runThrough<SensorEvent | Correction, GameEvent>(machine, stream, events.at(-1)!.atMs + LATE_MS),
        );
        const game = games.toSorted((a, b) => b.plies.length - a.plies.length)[0]!;
        expect(game.plies.map(({ uci }) => uci)).toEqual(plies.map(({ uci }) => uci));
      }),
      { numRuns: 15, seed: 7 },
    );
  });
});

function placementAfter(events: readonly SensorEvent[]): Placement {
  let board: Placement = emptyPlacement();
  for (const event of events) {
    if (event.type === 'dump') board = event.placement.slice();
    else if (event.type === 'square') board[event.square] = event.cell;
  }
  return board;
}
