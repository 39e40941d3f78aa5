/** What became of one table in the machine; exactly one of the three. */
export interface Played {
  /** The whole game was played: what a recorder must have made of it. */
  readonly sans?: readonly string[];
  readonly result?: string;
  /** How late an idle timer in the machine was meanwhile, ms (99th percentile). */
  readonly lateMs?: number;
  /** The recorder did not do its part. */
  readonly failed?: string;
  /** The device could not be made at all, and the recorder was never asked. */
  readonly unavailable?: string;
}

/** Timers later than this: neither hands nor answers come when they should, and nothing can be judged, ms. An idle host has tens. */
export const BUSY_MS = 400;
