/** What arbiters decide and enter: data like any other, with who and when, so that a game derived again honours it. */
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
  | { readonly type: 'result'; readonly score: Score; readonly termination: Termination };

/** A ruling with who and when. */
export interface Decision {
  readonly type: 'decision';
  readonly atMs: number;
  /** Whoever decided, as they sign. */
  readonly by: string;
  readonly ruling: Ruling;
}
