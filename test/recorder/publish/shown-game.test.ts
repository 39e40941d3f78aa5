import { describe, expect, it } from 'vitest';
import { parsePgn } from '../../../recorder/pgn/reader.ts';
import { makeLichessTags } from '../../../recorder/publish/lichess-tags.ts';
import type { PublicGame, RecordedGame } from '../../../recorder/publish/public-event.ts';
import { type Delay, NO_DELAY, releaseGame } from '../../../recorder/publish/release.ts';
import { makeShownPgn, type ShownGame } from '../../../recorder/publish/shown-game.ts';
import { pairing, recorded } from './public-games.ts';

const MOVES = ['e4', 'e5', 'Nf3'];
const CLOCKS = [5_399_000, 5_398_000, 5_390_000];

const shown = (game: RecordedGame, nowMs: number, delay: Delay = NO_DELAY): ShownGame => ({
  game: pairing(1, 3),
  recorded: game,
  release: releaseGame(game.record, game.times, nowMs, delay),
});

/** Tags of a game that say how it stands. */
const tagsOf = (one: ShownGame, ...more: readonly [points: boolean] | readonly []) => {
  const tags = parsePgn(makeShownPgn(one, makeLichessTags, { points: more[0] === true }))[0]!.tags;
  return [tags.get('Result'), tags.get('WhiteClock'), tags.get('BlackClock')];
};

describe('a game that is shown while it is played', () => {
  it('tells both clocks after its last ply, as late as the ply itself', () => {
    const game = recorded('token1x3', MOVES, { clocks: CLOCKS });
    expect(tagsOf(shown(game, 60_000))).toEqual(['*', '1:29:50', '1:29:58']);
    // Made at 2000 and completed at 2500: neither the move nor its clock is older than the delay yet.
    const delay = { ms: 10_000, plies: 0 };
    expect(tagsOf(shown(game, 11_900, delay))).toEqual(['*', '1:29:59', '1:29:58']);
    expect(tagsOf(shown(game, 12_400, delay))).toEqual(['*', undefined, undefined]);
    expect(tagsOf(shown(game, 12_500, delay))).toEqual(['*', '1:29:50', '1:29:58']);
  });

  it('tells no clock that a reader would give to a ply without one', () => {
    const unpressed = recorded('token1x3', MOVES, { clocks: CLOCKS });
    const last = unpressed.record.plies.at(-1)!;
    const { completedAtMs: _, clockMs: __, ...open } = last;
    unpressed.record.plies[2] = open;
    expect(tagsOf(shown(unpressed, 60_000))).toEqual(['*', undefined, undefined]);
    const gap = recorded('token1x3', MOVES, { clocks: [CLOCKS[0], undefined, CLOCKS[2]] });
    expect(tagsOf(shown(gap, 60_000))).toEqual(['*', undefined, undefined]);
    expect(tagsOf(shown(recorded('token1x3', ['e4'], { clocks: CLOCKS }), 60_000))).toEqual([
      '*',
      undefined,
      undefined,
    ]);
  });

  it('tells them no more when it is over', () => {
    const game = recorded('token1x3', MOVES, { clocks: CLOCKS, result: '1-0' });
    expect(tagsOf(shown(game, 60_000))).toEqual(['1-0', undefined, undefined]);
  });
});

describe('points that PGN has no token for', () => {
  const played = recorded('token1x3', MOVES);
  const decided: RecordedGame = {
    ...played,
    record: { ...played.record, score: '0-0', reason: 'arbiter', ended: true },
    times: { ...played.times, resultSinceMs: 5000 },
  };
  const absent: PublicGame = pairing(1, 3, { result: '*', score: '0-0', resultSinceMs: 0 });

  it.each([
    ['a game', shown(decided, 60_000)],
    ['a pairing whose players did not come', { game: absent }],
  ])('of %s are the Result where readers take them, and a tag of their own elsewhere', (_, one) => {
    expect(tagsOf(one, true)[0]).toBe('0-0');
    const strict = makeShownPgn(one);
    expect(strict).toContain('[Result "*"]');
    expect(strict).toContain('[Score "0-0"]');
    // The text itself ends as all readers know it.
    for (const text of [strict, makeShownPgn(one, undefined, { points: true })])
      expect(text).toMatch(/\*\n$/);
  });
});
