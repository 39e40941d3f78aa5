import { parsePlacement, placementsAgree } from '../../core/placement.ts';
import { type Move, Position } from '../../core/position.ts';

const START = parsePlacement('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR')!;

/** What a board that is a chess computer makes of hands: it knows the position of its game and tells legal moves only. */
export class GameFollower {
  position = Position.initial();
  /** 1-based number of the ply that comes next. */
  ply = 1;

  /** Looks at what stands on the board; the move that has led there, `start` when pieces were set up anew. */
  look(cells: readonly number[]): { readonly move: Move; readonly before: Position } | 'start' | undefined {
    const seen = Uint8Array.from(cells);
    if (placementsAgree(seen, this.position.cells)) return undefined;
    const before = this.position;
    for (const move of before.moves()) {
      const after = before.play(move);
      if (!placementsAgree(seen, after.cells)) continue;
      this.position = after;
      this.ply++;
      return { move, before };
    }
    if (!placementsAgree(seen, START)) return undefined;
    this.position = Position.initial();
    this.ply = 1;
    return 'start';
  }
}
