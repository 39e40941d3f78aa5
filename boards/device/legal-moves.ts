import { differingSquares, type Placement, parsePlacement, placementsAgree } from '../../core/placement.ts';
import { type Move, Position } from '../../core/position.ts';

const START = parsePlacement('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR')!;
/** A move in the air differs on fewer squares than two moves that are done. */
const TWO_MOVES = 3;

/** A move that has led to what stands on the board, and the position it was made in. */
export interface FollowedMove {
  readonly move: Move;
  readonly before: Position;
}

/** What a board that is a chess computer makes of hands: it knows the position of its game and tells legal moves only. */
export class GameFollower {
  position = Position.initial();
  /** 1-based number of the ply that comes next. */
  ply = 1;
  #before: Position | undefined;

  /**
   * Looks at what stands on the board: the last move that has led there, `start` when pieces were set up anew. A piece
   * that goes on from where it only rested has made another move than the one told.
   */
  look(cells: readonly number[]): FollowedMove | 'start' | undefined {
    const seen = Uint8Array.from(cells);
    const last = this.position;
    if (placementsAgree(seen, last.cells)) return undefined;
    const once = findMove(last, seen);
    if (once !== undefined) return this.#play(last, once, 1);
    const rested = this.#before && findMove(this.#before, seen);
    if (rested !== undefined) return this.#play(this.#before!, rested, 0);
    if (placementsAgree(seen, START)) {
      this.position = Position.initial();
      this.#before = undefined;
      this.ply = 1;
      return 'start';
    }
    for (const from of [last, this.#before]) {
      if (from === undefined || differingSquares(seen, from.cells).length < TWO_MOVES) continue;
      for (const first of from.moves()) {
        const between = from.play(first);
        const second = findMove(between, seen);
        if (second !== undefined) return this.#play(between, second, from === last ? 2 : 1);
      }
    }
    return undefined;
  }

  #play(before: Position, move: Move, plies: number): FollowedMove {
    this.position = before.play(move);
    this.#before = before;
    this.ply += plies;
    return { move, before };
  }
}

const findMove = (position: Position, seen: Placement): Move | undefined =>
  position.moves().find((move) => placementsAgree(seen, position.play(move).cells));
