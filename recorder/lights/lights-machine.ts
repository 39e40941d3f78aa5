import type { Machine, Step, Tick } from '../../core/machine.ts';
import type { Square } from '../../core/square.ts';

/** A board on which nothing has moved for this long is at rest, ms. */
export const REST_MS = 4000;

export type LightsEvent =
  /** Somebody wants lights, or wants them no longer. */
  | { readonly type: 'switched'; readonly atMs: number; readonly on: boolean }
  /** Something has changed on a square. */
  | { readonly type: 'moved'; readonly atMs: number }
  /** These squares (the board's own) are not as the record has them. */
  | { readonly type: 'differing'; readonly atMs: number; readonly squares: readonly Square[] }
  /** The board is there again, and dark. */
  | { readonly type: 'up'; readonly atMs: number };

/** Exactly these squares are to be lit. */
export interface LightsOutput {
  readonly type: 'light';
  readonly squares: readonly Square[];
}

/**
 * The lights of one board: on the squares that differ from the record, only while it is at rest and lights are wanted; out when it
 * moves, agrees, or they are wanted no longer. Nothing is ever told a board whose lights are as they should be.
 */
export function createLights(): Machine<LightsEvent, LightsOutput> {
  let on = false;
  let movedAtMs = Number.NEGATIVE_INFINITY;
  let differing: readonly Square[] = [];
  let lit: readonly Square[] = [];

  return {
    step(event: LightsEvent | Tick): Step<LightsOutput> {
      if (event.type === 'switched') on = event.on;
      if (event.type === 'moved') movedAtMs = event.atMs;
      if (event.type === 'differing') differing = event.squares;
      if (event.type === 'up') lit = [];
      const restAtMs = movedAtMs + REST_MS;
      const isResting = event.atMs >= restAtMs;
      const wanted = on && isResting ? differing : [];
      const outputs: LightsOutput[] = [];
      if (wanted.join() !== lit.join()) {
        lit = wanted;
        outputs.push({ type: 'light', squares: wanted });
      }
      return isResting || !on ? { outputs } : { outputs, wakeAtMs: restAtMs };
    },
  };
}
