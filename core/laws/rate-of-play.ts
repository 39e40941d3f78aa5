/** Standard, rapid and blitz (appendices A and B), and what depends on it. */
import { type TimeControl, type TimeControls, timeForMoves } from './time-control.ts';

export const RATES_OF_PLAY = ['standard', 'rapid', 'blitz'] as const;
export type RateOfPlay = (typeof RATES_OF_PLAY)[number];

/** Moves by which a rate of play is told (A.1, B.1). */
export const RATED_MOVES = 60;
const MINUTE_MS = 60_000;

/** The rate of a time for 60 moves: blitz up to 10 minutes, standard from an hour on, rapid between (A.1, B.1). */
export const rateOfTime = (timeMs: number): RateOfPlay =>
  timeMs <= 10 * MINUTE_MS ? 'blitz' : timeMs < 60 * MINUTE_MS ? 'rapid' : 'standard';

/** The rate of a time control by what 60 moves get (A.1, B.1); undefined without a time for the moves. */
export function rateOf(control: TimeControl): RateOfPlay | undefined {
  const timeMs = timeForMoves(control, RATED_MOVES);
  return timeMs === undefined ? undefined : rateOfTime(timeMs);
}

/**
 * The rate of a game whose players may have different times: the slower of the two, since a game is blitz or rapid only when
 * it is so for each player (A.1, B.1); undefined when neither has one.
 */
export function rateOfGame({ white, black }: TimeControls): RateOfPlay | undefined {
  const rates = [rateOf(white), rateOf(black)];
  return RATES_OF_PLAY.find((rate) => rates.includes(rate));
}

/** The time the opponent is given for a first irregularity (7.5.5) and for a wrong claim (9.5.3), ms. */
export const penaltyTimeMs = (rate: RateOfPlay): number => (rate === 'standard' ? 2 : 1) * MINUTE_MS;

/** How closely a game is watched: by the competition rules, or as A.5 has it when there are too few arbiters. */
export const REGIMES = ['full', 'limited'] as const;
export type Regime = (typeof REGIMES)[number];

/**
 * Whether the competition rules may apply (A.3, B.3): always in standard play; in rapid with at most three games an
 * arbiter, in blitz with one, and every game recorded by the arbiter or electronically.
 */
export const mayBeFull = (rate: RateOfPlay, gamesPerArbiter: number, isRecorded: boolean): boolean =>
  rate === 'standard' || (isRecorded && gamesPerArbiter <= (rate === 'rapid' ? 3 : 1));

/** Less than this left, and the player need not write (8.4), unless each move gets at least `WRITING_BONUS_MS`. */
export const WRITING_MS = 5 * MINUTE_MS;
export const WRITING_BONUS_MS = 30_000;

/** Whether a player has to write the moves with so much time left in the period (8.4); never in rapid and blitz (A.2, B.2). */
export const mustWrite = (timeMs: number, bonusMs: number, rate: RateOfPlay): boolean =>
  rate === 'standard' && (timeMs >= WRITING_MS || bonusMs >= WRITING_BONUS_MS);
