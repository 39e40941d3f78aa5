/** How long to wait before trying again: doubling from `firstMs` to `maxMs`. */
export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** For a board that was there or was named: a cable that is put back is noticed at once, and for ever. */
export const RECONNECT_BACKOFF: BackoffOptions = { firstMs: 250, maxMs: 5_000 };

/** For a port that may be no board at all: another's device is not to be written to every few seconds. */
export const PROBE_BACKOFF: BackoffOptions = { firstMs: 1_000, maxMs: 30_000 };

/** The wait in ms before the next attempt after `failures` (1, 2, ...) attempts in a row have failed. */
export function backoffMs(failures: number, options: BackoffOptions = RECONNECT_BACKOFF): number {
  const doublings = Math.min(Math.max(failures - 1, 0), 30);
  return Math.min(options.firstMs * 2 ** doublings, options.maxMs);
}
