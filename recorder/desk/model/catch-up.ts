/** Finds what may have been played from the recorded position to what stands on the board: for the desk to choose from. */
import { differingSquares, type Placement } from '../../../core/placement.ts';
import type { Position } from '../../../core/position.ts';

/** Longest line that is looked for, plies. */
const MOST_PLIES = 4;
/** Positions that are looked at; a person waits. */
const MOST_POSITIONS = 60_000;
const MOST_LINES = 12;
/** A ply changes no more squares than these (castling). */
const SQUARES_OF_A_PLY = 4;

export interface CatchUpLines {
  /** SAN, the shortest lines only. */
  readonly lines: readonly (readonly string[])[];
  readonly isCut: boolean;
}

/** The shortest legal lines after which the board would look as it is sensed; none when it looks so already. */
export function findCatchUps(from: Position, sensed: Placement): CatchUpLines {
  let looked = 0;
  let isCut = false;
  const lines: string[][] = [];
  const search = (position: Position, left: number, line: readonly string[]): void => {
    if (lines.length >= MOST_LINES || isCut) return;
    const differing = differingSquares(sensed, position.cells).length;
    if (left === 0) {
      if (differing === 0) lines.push([...line]);
      return;
    }
    if (differing > SQUARES_OF_A_PLY * left) return;
    for (const move of position.moves()) {
      if (++looked > MOST_POSITIONS) {
        isCut = true;
        return;
      }
      search(position.play(move), left - 1, [...line, position.san(move)]);
    }
  };
  if (differingSquares(sensed, from.cells).length === 0) return { lines: [], isCut: false };
  for (let plies = 1; plies <= MOST_PLIES && lines.length === 0 && !isCut; plies++) search(from, plies, []);
  return { lines, isCut };
}
