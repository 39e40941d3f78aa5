/** Random legal games and the people who play them, for property tests. */
import fc from 'fast-check';
import type { HandGame } from '../../../boards/hand/people.ts';
import { NOISE_LEVELS, PROFILES } from '../../../boards/hand/profiles.ts';
import { createRandom, isChance, pick } from '../../../boards/hand/random.ts';
import type { GameResult, Variant } from '../../../core/game-event.ts';
import { Position, START_FEN } from '../../../core/position.ts';

/** Start positions that make special moves likely: castling, promotion, en passant, Chess960, Black to move. */
export const STARTS: readonly { readonly start: string; readonly variant: Variant }[] = [
  { start: START_FEN, variant: 'standard' },
  { start: 'r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1', variant: 'standard' },
  { start: '8/PPPk4/8/8/8/8/4Kppp/8 b - - 0 1', variant: 'standard' },
  { start: '4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1', variant: 'standard' },
  { start: 'rkbbqnnr/pppppppp/8/8/8/8/PPPPPPPP/RKBBQNNR w HAha - 0 1', variant: 'chess960' },
  { start: '1rk4r/pp4pp/8/8/8/8/PP4PP/1RK4R w HBhb - 0 1', variant: 'chess960' },
];

/** Plays legal moves of chance, captures and castling somewhat more often than chance would. */
export function randomGame(seed: number, plies: number, startIndex = 0): HandGame {
  const random = createRandom(seed);
  const { start, variant } = STARTS[startIndex % STARTS.length]!;
  const from = Position.fromFen(start, variant);
  if (!from.ok) throw new Error(from.fault.message);
  let position = from.value;
  const moves: string[] = [];
  while (moves.length < plies && position.hasMoves() && !position.isInsufficientMaterial()) {
    const all = position.moves();
    const lively = all.filter((m) => m.captured !== undefined || m.castling !== undefined);
    const move = pick(random, lively.length > 0 && isChance(random, 0.3) ? lively : all)!;
    moves.push(position.uci(move));
    position = position.play(move);
  }
  const results: readonly GameResult[] = ['1-0', '0-1', '1/2-1/2', '*'];
  return { variant, start, moves, result: pick(random, results)! };
}

/** A random game, up to 60 plies from any of the starts. */
export const randomGames = (): fc.Arbitrary<HandGame> =>
  fc
    .record({
      seed: fc.nat(),
      plies: fc.integer({ min: 1, max: 60 }),
      start: fc.nat({ max: STARTS.length - 1 }),
    })
    .map(({ seed, plies, start }) => randomGame(seed, plies, start));

export const anyProfile = () => fc.constantFrom(...PROFILES);
export const anyNoise = () => fc.constantFrom(...NOISE_LEVELS);
