/** What became of one table in the machine; exactly one of the three. */
export interface Played {
  /** The whole game was played: what a recorder must have made of it. */
  readonly sans?: readonly string[];
  readonly result?: string;
  /** The recorder did not do its part. */
  readonly failed?: string;
  /** The device could not be made at all, and the recorder was never asked. */
  readonly unavailable?: string;
}
