import type { Side } from '../../core/square.ts';
import type { SimulatorEvent } from '../definition.ts';

/**
 * What truly happens at a table, in continuous time; a board sees of it what its sensors catch (`scan.ts`). The clock
 * tells what it shows and whose time runs after each press, start and stop.
 */
export type HandAction =
  | Extract<SimulatorEvent, { type: 'square' | 'clock' }>
  /** A player presses the clock. */
  | { readonly type: 'press'; readonly atMs: number; readonly side: Side };
