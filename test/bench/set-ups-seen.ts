/** How often a recorder could see that the pieces of a board were set up anew: from the raw input alone, with nothing of what it concluded. */
import type { BoardDefinition } from '../../boards/definition.ts';
import { type Cell, differingSquares } from '../../core/placement.ts';
import { Position } from '../../core/position.ts';
import type { StoreReader } from '../../recorder/store/store.ts';

/** More squares than four plies change: a board that comes back from there was set up. */
const FAR = 16;

/** Counts the times that a board of the store showed the start position after it had been far from it, over all its sittings. */
export function countSetUpsSeen(
  store: StoreReader,
  board: string,
  definition: Pick<BoardDefinition, 'createDecoder'>,
): number {
  const start = Position.initial().cells;
  const shown = start.slice();
  let [isFar, count] = [false, 0];
  const look = (): void => {
    const { length } = differingSquares(shown, start);
    if (length === 0 && isFar) count++;
    isFar = length > FAR || (isFar && length > 0);
  };
  const show = (square: number, cell: Cell): void => {
    shown[square] = cell;
    look();
  };
  for (const sitting of store.sittings().filter((one) => one.board === board)) {
    let decoder = definition.createDecoder();
    for (const input of store.inputs(sitting.id)) {
      if (input.type === 'link') decoder = decoder.reopen?.() ?? definition.createDecoder();
      if (input.type !== 'rx') continue;
      for (const decoded of decoder.decode(input.bytes, input.atMs)) {
        if (decoded.type !== 'sensor') continue;
        const { event } = decoded;
        if (event.type === 'square') show(event.square, event.cell);
        else if (event.type === 'recalled') {
          for (const one of event.events) if (one.type === 'square') show(one.square, one.cell);
        } else if (event.type === 'dump') {
          shown.set(event.placement);
          look();
        }
      }
    }
  }
  return count;
}
