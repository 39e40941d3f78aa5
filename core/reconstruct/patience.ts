/** How soon readings are given up. */
export interface Patience {
  /** Those that cost this much more than the best. */
  readonly prune: number;
  readonly readings: number;
  /** Those of which moves that were not seen whole are thought of. */
  readonly guessing: number;
  /** Those that differ in a ply that far back and cost more, and somewhat more. */
  readonly longDecidedPlies: number;
  readonly decidedPlies: number;
  /** Those that differ in the last ply when it is agreed, and when it was pressed. */
  readonly decided: number;
  readonly decidedByPress: number;
  /** A line that keeps costing so much is not the game. */
  readonly bankrupt: number;
}
export const USUAL: Patience = {
  prune: 6,
  readings: 24,
  guessing: 8,
  longDecidedPlies: 12,
  decidedPlies: 4,
  decided: 2,
  decidedByPress: 1,
  bankrupt: 7,
};
/** When it is known that something went wrong. */
export const PATIENT: Patience = {
  prune: 14,
  readings: 48,
  guessing: 16,
  longDecidedPlies: 30,
  decidedPlies: 16,
  decided: 8,
  decidedByPress: 6,
  bankrupt: Number.POSITIVE_INFINITY,
};
