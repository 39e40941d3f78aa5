/**
 * The operator's word on what was played: the only thing that outweighs what sensors told. It is an event among the others, so
 * that a game derived again honours it.
 */
export interface Correction {
  readonly type: 'correction';
  readonly atMs: number;
  /** Whoever says so, as they sign. */
  readonly by: string;
  /** 1-based number of the first ply that is corrected. */
  readonly from: number;
  /** What was played from there on, UCI (`!e1g1` for a move that was really played although it is illegal). */
  readonly plies: readonly string[];
  /**
   * How many plies of the record these take the place of; those after them stay as far as they can be played then. All of
   * them when absent: the game goes on after the last of these.
   */
  readonly replaces?: number;
}
