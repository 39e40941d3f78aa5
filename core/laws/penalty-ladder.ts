/** Penalties for irregularities (7.5.5): counted per player over 7.5.1 to 7.5.4 together, and only what an arbiter confirmed. */
import type { Position } from '../position.ts';
import { opponent, type Side } from '../square.ts';
import { type CanMate, type LossProposal, proposeLoss } from './endings.ts';
import { penaltyTimeMs, type RateOfPlay } from './rate-of-play.ts';

/** What the Laws provide for an irregularity; proposed, never applied. */
export type Penalty =
  /** The first by this player: time to the opponent. */
  | {
      readonly type: 'time';
      readonly count: 1;
      readonly to: Side;
      readonly ms: number;
      readonly article: '7.5.5';
    }
  /** The second: loss, or a draw if the opponent cannot mate. */
  | ({ readonly type: 'loss'; readonly count: number; readonly article: '7.5.5' } & LossProposal);

/**
 * The penalty for one more irregularity of a player of whom `confirmed` were confirmed before. `position`: the one before the
 * irregularity, to which the game goes back; `rate` undefined counts as standard play.
 */
export function proposePenalty(
  side: Side,
  confirmed: number,
  position: Position,
  rate: RateOfPlay | undefined,
  canMate?: CanMate,
): Penalty {
  if (confirmed === 0)
    return {
      type: 'time',
      count: 1,
      to: opponent(side),
      ms: penaltyTimeMs(rate ?? 'standard'),
      article: '7.5.5',
    };
  return { type: 'loss', count: confirmed + 1, article: '7.5.5', ...proposeLoss(position, side, canMate) };
}

/** The opponent's time for a wrong claim of a draw (9.5.3), ms. */
export const wrongClaimTimeMs = (rate: RateOfPlay | undefined): number => penaltyTimeMs(rate ?? 'standard');
