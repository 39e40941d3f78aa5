import { describe, expect, it } from 'vitest';
import { type PlayedGame, playPeople } from '../../boards/hand/people.ts';
import { scanGame } from '../../boards/hand/scan.ts';
import type { GameEvent, PlyRecord } from '../../core/game-event.ts';
import { makeRecords } from '../../core/game-record.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { loseEachUpdate } from './lose-updates.ts';
import { type Derived, derive, scoreGame } from './score.ts';
import { createFirstLegal, createQuietMatcher } from './simple-strategies.ts';

const MOVES = ['e4', 'd5', 'exd5', 'Qxd5', 'Nc3', 'Qa5', 'Nf3', 'Nf6', 'Be2', 'Bg4', 'O-O', 'Nc6'];

/** Hands that never slide, never overlap and lift every victim: what even a simple recorder understands. */
const played = ((): PlayedGame => {
  const habits = { slide: 0, ghost: 0, overlap: 0, replyBeforePress: 0, gesture: 0 };
  const game = playPeople(
    { moves: MOVES, result: '1-0' },
    { seed: 3, profile: 'rapid', noise: 'none', clock: true, habits, afterGame: 'nothing' },
  );
  if (!game.ok) throw new Error(game.fault.message);
  return game.value;
})();
const events = scanGame(played, { seed: 3, noise: 'none', sensing: 'identity', scanMs: 20 }).events;

const started: GameEvent = {
  type: 'gameStarted',
  atMs: 0,
  game: 1,
  variant: 'standard',
  start: played.start,
  orientation: 'normal',
};
const flag = (code: string, severity: 'notice' | 'warning', ply: number): GameEvent => ({
  type: 'flag',
  atMs: 0,
  flag: { code, severity, ply, atMs: 0 },
});

/** A run that reports the truth, apart from what `change` does to it. */
function run(change: (plies: PlyRecord[]) => GameEvent[] = () => []): Derived {
  const plies: PlyRecord[] = played.plies.map(({ san, uci, releasedAtMs }) => ({
    san,
    uci,
    state: 'settled',
    madeAtMs: releasedAtMs,
  }));
  const more = change(plies);
  const outputs: GameEvent[] = [
    started,
    ...plies.map((ply, i): GameEvent => ({ type: 'ply', atMs: ply.madeAtMs + 700, number: i + 1, ply })),
    ...more,
  ];
  return { outputs, records: makeRecords(outputs) };
}

const score = (derived: Derived, truth: Partial<PlayedGame> = {}) =>
  scoreGame({ ...played, ...truth }, [], derived);

describe('the score of a game', () => {
  it('is full for the truth, with the time each ply took to be confirmed', () => {
    const full = score(run());
    expect(full).toMatchObject({
      pliesRight: MOVES.length,
      isExact: true,
      isDeclared: false,
      wrongConfirmed: 0,
      everWrong: 0,
      isResultRight: true,
    });
    expect(full.confirmMs).toEqual(MOVES.map(() => 700));
  });

  it('counts a confirmed ply that was not played, and not one that is declared ambiguous', () => {
    const other = { san: 'Nh3', uci: 'g1h3' };
    const wrong = run((plies) => {
      plies[6] = { ...plies[6]!, ...other };
      return [];
    });
    expect(score(wrong)).toMatchObject({
      isExact: false,
      isDeclared: false,
      wrongConfirmed: 1,
      everWrong: 1,
    });
    const honest = run((plies) => {
      plies[6] = { ...plies[6]!, ...other, state: 'ambiguous' };
      return [];
    });
    expect(score(honest)).toMatchObject({
      isExact: false,
      isDeclared: true,
      wrongConfirmed: 0,
      everWrong: 0,
    });
  });

  it('remembers a wrong ply that was confirmed and then corrected, unless people withdrew it themselves', () => {
    const wrong: PlyRecord = { san: 'Nh3', uci: 'g1h3', state: 'confirmed', madeAtMs: 0 };
    const corrected = run((plies) => [
      { type: 'ply', atMs: 0, number: 7, ply: wrong },
      { type: 'ply', atMs: 0, number: 7, ply: plies[6]!, amended: true },
    ]);
    expect(score(corrected)).toMatchObject({ isExact: true, wrongConfirmed: 0, everWrong: 1 });
    const withdrawn = { withdrawn: [{ number: 7, uci: 'g1h3' }] };
    expect(score(corrected, withdrawn)).toMatchObject({ isExact: true, everWrong: 0 });
  });

  it('calls an alarm false unless it is true about there', () => {
    const alarmed = run(() => [flag('DISPLACED', 'warning', 5), flag('TAKEBACK', 'notice', 5)]);
    expect(score(alarmed).falseAlarms.map((f) => f.code)).toEqual(['DISPLACED']);
    const near = { flags: [{ word: 'DISPLACED' as const, ply: 4, must: false }] };
    expect(score(alarmed, near).falseAlarms).toEqual([]);
    const far = { flags: [{ word: 'DISPLACED' as const, ply: 10, must: false }] };
    expect(score(alarmed, far).falseAlarms).toHaveLength(1);
    expect(score(run(() => [flag('AMBIGUOUS(2)', 'warning', 5)])).falseAlarms).toEqual([]);
  });

  it('misses an illegal move that nobody told', () => {
    const truth = { flags: [{ word: 'ILLEGAL' as const, ply: 5, must: true }] };
    expect(score(run(), truth)).toMatchObject({ illegalTrue: 1, illegalMissed: 1 });
    expect(
      score(
        run(() => [flag('ILLEGAL', 'warning', 5)]),
        truth,
      ),
    ).toMatchObject({ illegalMissed: 0 });
  });

  it('takes an illegal move for right only when it is marked as one', () => {
    const illegal = played.plies.map((ply, i) => (i === 11 ? { ...ply, san: `!${ply.uci}` } : ply));
    expect(score(run(), { plies: illegal })).toMatchObject({ pliesRight: 11, wrongConfirmed: 1 });
  });
});

describe('the simple strategies', () => {
  it.each([
    ['first legal position', createFirstLegal],
    ['quiet of 300 ms', createQuietMatcher],
  ] as const)('understand a game of plain hands: %s', (_, create) => {
    const result = score(derive(create(), events));
    expect(result).toMatchObject({ isExact: true, wrongConfirmed: 0 });
  });

  it('lock up when a square is missed for good', () => {
    const deaf = events.filter(
      (event) => !(event.type === 'square' && event.square === 28 && event.cell === 1),
    );
    expect(deaf.length).toBe(events.length - 1);
    expect(score(derive(createFirstLegal(), deaf)).pliesRight).toBe(0);
  });
});

describe('losing each update in turn', () => {
  it('counts every ply of every run once', () => {
    const moves = played.plies.map((ply) => ply.uci);
    const squares = events.filter((event: SensorEvent) => event.type === 'square').length;
    const counts = loseEachUpdate(events, moves, () => createFirstLegal(), false);
    expect(counts.runs).toBe(squares);
    const { right, declared, wrong, missing } = counts;
    expect(right + declared + wrong + missing).toBe(squares * moves.length);
    expect(counts.costly.length).toBeGreaterThan(0);
  });

  it('costs less with the dumps a session asks for', () => {
    const moves = played.plies.map((ply) => ply.uci);
    const without = loseEachUpdate(events, moves, () => createQuietMatcher(), false);
    const withDumps = loseEachUpdate(events, moves, () => createQuietMatcher(), true);
    expect(withDumps.right).toBeGreaterThan(without.right);
  });

  it('counts runs in which the recorder throws', () => {
    const throwing = () => ({
      step: () => {
        throw new Error('broken');
      },
    });
    const counts = loseEachUpdate(events, ['e2e4'], throwing, false);
    expect(counts).toMatchObject({ right: 0, thrown: counts.runs, missing: counts.runs });
  });
});
