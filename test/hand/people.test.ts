import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HandGame } from '../../boards/hand/people.ts';
import { type PeopleOptions, type PlayedGame, playPeople } from '../../boards/hand/people.ts';
import type { Mishaps } from '../../boards/hand/profiles.ts';
import type { GameResult } from '../../core/game-event.ts';
import { BLACK_KING, EMPTY, makePlacement, WHITE_KING } from '../../core/placement.ts';
import { Position } from '../../core/position.ts';
import { makeSquare } from '../../core/square.ts';
import { anyNoise, anyProfile, randomGame, randomGames } from '../sim/hand/random-game.ts';
import { boardAt, findImpossible } from '../sim/hand/watch-board.ts';

const play = (game: HandGame, options: Partial<PeopleOptions> = {}): PlayedGame => {
  const played = playPeople(game, { seed: 1, profile: 'rapid', noise: 'none', ...options });
  if (!played.ok) throw new Error(played.fault.message);
  return played.value;
};

/** Mishaps one at a time, each so likely that it happens. */
const always = (knob: keyof Mishaps, probability = 1): Partial<Mishaps> => ({ [knob]: probability });

describe('people at a board', () => {
  it('only do with pieces what hands can do, whoever plays and whatever goes wrong', () => {
    fc.assert(
      fc.property(randomGames(), anyProfile(), anyNoise(), fc.nat(), (game, profile, noise, seed) => {
        const played = play(game, { seed, profile, noise });
        expect(findImpossible(played)).toBeUndefined();
        const tooEarly = played.actions.filter((action, i, all) => i > 0 && action.atMs < all[i - 1]!.atMs);
        expect(tooEarly).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('only do what hands can do even when everything that can go wrong does', () => {
    const mishaps: Mishaps = {
      nudge: 0.5,
      adjust: 0.3,
      adjustOutOfTurn: 0.3,
      fumble: 0.5,
      knockOver: 0.2,
      changeOfMind: 0.3,
      hesitation: 0.3,
      forgottenPress: 0.2,
      latePress: 0.2,
      prematurePress: 0.3,
      takeBack: 0.2,
      illegal: 0.1,
      extraPiece: 0.3,
    };
    const habits = { overlap: 0.4, replyBeforePress: 0.3, ghost: 0.5, slide: 0.6, slideStop: 0.5 };
    fc.assert(
      fc.property(randomGames(), anyProfile(), fc.nat(), fc.boolean(), (game, profile, seed, clock) => {
        const played = play(game, { seed, profile, noise: 'harsh', clock, mishaps, habits });
        expect(findImpossible(played)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('leave the position of the game on the board when they press', () => {
    fc.assert(
      fc.property(randomGames(), anyProfile(), fc.nat(), (game, profile, seed) => {
        const played = play(game, {
          seed,
          profile,
          clock: true,
          habits: { replyBeforePress: 0, overlap: 0 },
        });
        const start = Position.fromFen(played.start, played.variant);
        if (!start.ok) throw new Error(start.fault.message);
        let position = start.value;
        for (const ply of played.plies) {
          position = position.play(position.parseUci(ply.uci)!);
          expect(makePlacement(boardAt(played, ply.pressedAtMs!))).toBe(makePlacement(position.cells));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('play exactly the moves that were given when no illegal move stands', () => {
    fc.assert(
      fc.property(randomGames(), anyProfile(), anyNoise(), fc.nat(), (game, profile, noise, seed) => {
        const played = play(game, { seed, profile, noise, mishaps: { illegal: 0 } });
        expect(played.plies.map((ply) => ply.uci)).toEqual(game.moves);
      }),
      { numRuns: 100 },
    );
  });

  it('go on legally from an illegal move that stands, and tell it', () => {
    let standing = 0;
    for (let seed = 0; seed < 40; seed++) {
      const played = play(randomGame(seed, 30), { seed, clock: true, mishaps: always('illegal', 0.08) });
      const start = Position.fromFen(played.start, played.variant);
      if (!start.ok) throw new Error(start.fault.message);
      let position = start.value;
      for (const [i, ply] of played.plies.entries()) {
        const move = position.parseUci(ply.uci);
        if (!ply.san.startsWith('!')) {
          expect(move).toBeDefined();
          position = position.play(move!);
          continue;
        }
        standing += 1;
        expect(move).toBeUndefined();
        expect(played.flags).toContainEqual({ word: 'ILLEGAL', ply: i + 1, must: true });
        const from = ply.uci.slice(0, 2);
        const fromSquare = Array.from({ length: 64 }, (_, s) => s).find((s) => makeSquare(s) === from)!;
        const to = Array.from({ length: 64 }, (_, s) => s).find((s) => makeSquare(s) === ply.uci.slice(2))!;
        const cell = position.cells[fromSquare]!;
        position = position.playIllegal([
          { square: to, before: position.cells[to]!, after: cell },
          { square: fromSquare, before: cell, after: EMPTY },
        ]);
      }
    }
    expect(standing).toBeGreaterThan(10);
  });

  it('do the same again for the same seed, and otherwise for another', () => {
    const game = randomGame(3, 30);
    const first = play(game, { seed: 5, profile: 'children', noise: 'harsh' });
    expect(play(game, { seed: 5, profile: 'children', noise: 'harsh' })).toEqual(first);
    expect(play(game, { seed: 6, profile: 'children', noise: 'harsh' }).actions).not.toEqual(first.actions);
  });

  it('stop at mate and have its result', () => {
    const played = play({ moves: ['f3', 'e5', 'g4', 'Qh4', 'a3'], result: '1-0' });
    expect(played.plies.map((ply) => ply.san)).toEqual(['f3', 'e5', 'g4', 'Qh4#']);
    expect(played.result).toBe('0-1');
  });

  it('refuse a move that is not legal and a start that is no position', () => {
    expect(playPeople({ moves: ['e5'] }, { seed: 1, profile: 'club', noise: 'none' })).toMatchObject({
      fault: { code: 'HAND_MOVE' },
    });
    expect(
      playPeople({ start: 'nonsense', moves: [] }, { seed: 1, profile: 'club', noise: 'none' }),
    ).toMatchObject({ fault: { code: 'HAND_FEN' } });
  });

  it.each<[GameResult, readonly string[]]>([
    ['1-0', ['d5', 'e4']],
    ['0-1', ['d4', 'e5']],
  ])('signal %s with both kings on the squares it is known by', (result, squares) => {
    for (let seed = 0; seed < 30; seed++) {
      const played = play(randomGame(seed, 20, seed), {
        seed,
        profile: 'blitz',
        habits: { gesture: 1 },
        afterGame: 'nothing',
      });
      const signalled = play(
        { ...randomGame(seed, 20), result },
        { seed, habits: { gesture: 1 }, afterGame: 'nothing' },
      );
      expect(findImpossible(played)).toBeUndefined();
      if (signalled.result !== result) continue;
      const board = boardAt(signalled, Number.POSITIVE_INFINITY);
      const kings = [board.indexOf(WHITE_KING), board.indexOf(BLACK_KING)].map(makeSquare).sort();
      expect(kings).toEqual(squares);
    }
  });

  it('signal a draw with the kings on squares of different colour', () => {
    for (let seed = 0; seed < 30; seed++) {
      const game = { ...randomGame(seed, 20), result: '1/2-1/2' as const };
      const played = play(game, { seed, habits: { gesture: 1 }, afterGame: 'nothing' });
      if (played.plies.length < game.moves.length || played.result !== '1/2-1/2') continue;
      const board = boardAt(played, Number.POSITIVE_INFINITY);
      const shade = (s: number): number => ((s & 7) + (s >> 3)) % 2;
      expect(shade(board.indexOf(WHITE_KING))).not.toBe(shade(board.indexOf(BLACK_KING)));
    }
  });

  it('tell no result that nobody could see', () => {
    const played = play({ moves: ['e4', 'e5'], result: '1-0' }, { habits: { gesture: 0 } });
    expect(played.result).toBe('*');
  });

  it.each([
    ['adjust', 'TOUCH_MOVE'],
    ['adjustOutOfTurn', 'OUT_OF_TURN'],
    ['knockOver', 'DISPLACED'],
    ['changeOfMind', 'TOUCH_MOVE'],
    ['prematurePress', 'PRESSED_WITHOUT_MOVE'],
  ] as const)('tell the truth about %s', (knob, word) => {
    const played = play(randomGame(9, 40), { clock: true, mishaps: always(knob) });
    expect(played.flags.some((flag) => flag.word === word)).toBe(true);
    expect(play(randomGame(9, 40), { clock: true, afterGame: 'nothing' }).flags).toEqual([]);
  });

  it('tell what was completed and then taken back', () => {
    const played = play(randomGame(4, 20), { clock: false, mishaps: always('takeBack', 0.5) });
    expect(played.withdrawn.length).toBeGreaterThan(3);
    for (const { number, uci } of played.withdrawn) expect(played.plies[number - 1]?.uci).not.toBe(uci);
  });

  it('never touch the next piece before the hand is back from the clock', () => {
    fc.assert(
      fc.property(randomGames(), fc.nat(), (game, seed) => {
        const habits = { overlap: 0.5, replyBeforePress: 0.5, gesture: 0 };
        const played = play(game, { seed, profile: 'bullet', clock: true, habits, afterGame: 'nothing' });
        for (const [i, ply] of played.plies.entries()) {
          const own = played.plies[i - 2];
          if (own?.pressedAtMs !== undefined) expect(ply.releasedAtMs).toBeGreaterThan(own.pressedAtMs);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('press after the reply when they press late, each for their own move', () => {
    const played = play(randomGame(4, 20), { clock: true, mishaps: always('latePress', 0.4) });
    const late = played.plies.filter((ply, i) => {
      const reply = played.plies[i + 1];
      return reply !== undefined && ply.pressedAtMs !== undefined && ply.pressedAtMs > reply.releasedAtMs;
    });
    expect(late.length).toBeGreaterThan(2);
    const presses = played.actions.filter((a) => a.type === 'press').map((a) => a.side);
    for (let i = 1; i < presses.length; i++) expect(presses[i]).not.toBe(presses[i - 1]);
  });
});
