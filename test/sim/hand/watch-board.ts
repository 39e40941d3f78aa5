/** Watches what truly happens on a board, without any sensor. */
import type { HandAction } from '../../../boards/hand/action.ts';
import type { PlayedGame } from '../../../boards/hand/people.ts';
import { EMPTY, type Placement } from '../../../core/placement.ts';

/** The board just after every action up to and including `atMs`. */
export function boardAt(game: PlayedGame, atMs: number): Placement {
  const cells = game.placement.slice();
  for (const action of game.actions) {
    if (action.atMs > atMs) break;
    if (action.type === 'square') cells[action.square] = action.cell;
  }
  return cells;
}

/** What no hands can do: lift from an empty square, set a piece on a piece; the first such action, if any. */
export function findImpossible(game: PlayedGame): HandAction | undefined {
  const cells = game.placement.slice();
  for (const action of game.actions) {
    if (action.type !== 'square') continue;
    if ((action.cell === EMPTY) === (cells[action.square] === EMPTY)) return action;
    cells[action.square] = action.cell;
  }
  return undefined;
}
