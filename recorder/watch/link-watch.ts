import { BoardError } from '../../core/board-error.ts';
import type { BoardUpdate } from '../../driver/connection.ts';

/** What is counted is judged so often, ms of the board's own stream. */
export const WINDOW_MS = 10_000;
/** The same is not told of the same board again for so long, ms. */
const AGAIN_MS = 600_000;
/** In a window: more than plugging in and a loose contact bring, and a part of all bytes that no message table explains. */
const NOISE_BYTES = 200;
const NOISE_PART = 0.1;
/** In a window: half of what the fastest line carries; and more changes of squares than the quickest hands and a board set up anew bring. */
const FLOOD_BYTES = 57_600;
const FLOOD_CHANGES = 1000;

interface Counts {
  sinceMs: number;
  bytes: number;
  discarded: number;
  changes: number;
  readonly toldMs: Map<string, number>;
}

/** Tells of boards whose links bring noise or far too much: what a person should look at, while everything is recorded as it comes. */
export interface LinkWatch {
  /** What is to be said of a board (LINK_NOISY, LINK_FLOODED) now that this has come from it; mostly nothing. */
  take(board: string, update: BoardUpdate): BoardError | undefined;
}

/** Creates a watch over the links of all boards; pure but for what it counts. */
export function createLinkWatch(): LinkWatch {
  const byBoard = new Map<string, Counts>();

  const judge = (board: string, counts: Counts, atMs: number): BoardError | undefined => {
    const { bytes, discarded, changes, toldMs } = counts;
    const seconds = WINDOW_MS / 1000;
    const error =
      discarded > NOISE_BYTES && discarded > NOISE_PART * bytes
        ? new BoardError('LINK_NOISY', { board, bytes: discarded, seconds })
        : bytes > FLOOD_BYTES || changes > FLOOD_CHANGES
          ? new BoardError('LINK_FLOODED', { board, bytes, changes, seconds })
          : undefined;
    if (error === undefined || atMs - (toldMs.get(error.code) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS)
      return undefined;
    toldMs.set(error.code, atMs);
    return error;
  };

  return {
    take(board, update) {
      if (update.type === 'sensor' || update.type === 'discarded') {
        const counts = byBoard.get(board);
        if (counts === undefined) return undefined;
        if (update.type === 'discarded') counts.discarded += update.bytes.length;
        else if (update.event.type === 'square') counts.changes++;
        return undefined;
      }
      if (update.type !== 'rx') return undefined;
      const { atMs, bytes } = update;
      let counts = byBoard.get(board);
      if (counts === undefined) {
        counts = { sinceMs: atMs, bytes: 0, discarded: 0, changes: 0, toldMs: new Map() };
        byBoard.set(board, counts);
      }
      let told: BoardError | undefined;
      if (atMs - counts.sinceMs >= WINDOW_MS) {
        // A board that was silent meanwhile has sent what is counted in a window of its own, long ago.
        told = judge(board, counts, atMs);
        Object.assign(counts, { sinceMs: atMs, bytes: 0, discarded: 0, changes: 0 });
      }
      counts.bytes += bytes.length;
      return told;
    },
  };
}
