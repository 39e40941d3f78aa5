import type { Cell } from '../../core/placement.ts';
import type { Side, Square } from '../../core/square.ts';

/** What truly happens at a table, in continuous time; a board sees of it what its sensors catch (`scan.ts`). */
export type HandAction =
  /** A square truly holds this now: `cell` 0 = lifted. */
  | { readonly type: 'square'; readonly atMs: number; readonly square: Square; readonly cell: Cell }
  /** A player presses the clock. */
  | { readonly type: 'press'; readonly atMs: number; readonly side: Side }
  /** What the clock on the table shows and whose time runs from now on (after each press, start and stop). */
  | {
      readonly type: 'clock';
      readonly atMs: number;
      readonly whiteMs: number;
      readonly blackMs: number;
      readonly running: Side | undefined;
    };
