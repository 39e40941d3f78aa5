/** What arbiters decide and enter: data like any other, with who and when, so that a game derived again honours it. */
import type { FlagWord } from '../flag.ts';
import type { Side } from '../square.ts';
import type { Score, Termination } from './endings.ts';
import type { IrregularityRef } from './irregularity-kind.ts';

/** What was decided or entered. */
export type Ruling =
  /** An irregularity that was seen is one: it counts (7.5.5). */
  | ({ readonly type: 'confirm' } & IrregularityRef)
  /** It is none, or a claim of it came too late. */
  | ({ readonly type: 'dismiss' } & IrregularityRef)
  /** One that no sensor sees (7.5.4, 6.2.3), or that somebody found later; it counts as confirmed. */
  | ({ readonly type: 'enter' } & IrregularityRef)
  /** A draw offer `(=)` of this side, made with this ply (9.1). */
  | { readonly type: 'draw-offer'; readonly side: Side; readonly ply: number }
  /** The opponent has declined an offer. */
  | { readonly type: 'draw-declined'; readonly ply: number }
  /** A flag is registered: the fall was claimed by a player or seen by the arbiter (6.8). */
  | { readonly type: 'flag-registered'; readonly side: Side }
  /** The game has this result, for this reason. */
  | { readonly type: 'result'; readonly score: Score; readonly termination: Termination }
  /** Somebody has looked at what a flag told at this ply, and nothing more need come of it. */
  | { readonly type: 'acknowledge'; readonly word: FlagWord; readonly ply: number }
  /** A penalty of the arbiter's choice (12.9). */
  | { readonly type: 'penalty'; readonly side: Side; readonly measure: PenaltyMeasure; readonly ply: number }
  /** The arbiter has given a player time (7.5.5, 9.5.3, 6.10), ms. */
  | { readonly type: 'time-given'; readonly side: Side; readonly ms: number; readonly ply: number }
  /** The arbiter has stopped both clocks, or let the game go on (6.11). */
  | { readonly type: 'clocks-stopped' | 'clocks-resumed'; readonly ply: number }
  /** Nothing of the game is published beyond what has been, until it is released. */
  | { readonly type: 'hold' | 'release' };

/** Penalties that leave the result alone (12.9.1 to 12.9.4); others are a result or time given. */
export const PENALTY_MEASURES = ['warning', 'time-taken', 'points-taken'] as const;
export type PenaltyMeasure = (typeof PENALTY_MEASURES)[number];

/** A ruling with who and when. */
export interface Decision {
  readonly type: 'decision';
  readonly atMs: number;
  /** Whoever decided, as they sign. */
  readonly by: string;
  readonly ruling: Ruling;
}
