import { EMPTY, type Placement } from '../../core/placement.ts';
import type { Square } from '../../core/square.ts';
import type { Decoded } from '../definition.ts';

/** A picture that has not changed is told again after this time, so that whoever has missed a change can see it. */
const REPEAT_MS = 5000;

/**
 * Makes changes of squares of a board that tells its whole picture again and again: the first is a dump, later ones
 * say which squares differ (lifts first: within one picture nothing has an order), and from time to time the whole
 * is told once more. Squares are the board's own, a1 = 0.
 */
export class Picture {
  #known: Placement | undefined;
  #dumpAtMs = 0;

  /** What the board was last seen to hold; undefined before the first picture. */
  get placement(): Placement | undefined {
    return this.#known;
  }

  /** Takes the whole board as it is now. */
  take(placement: Placement, atMs: number): Decoded[] {
    const before = this.#known;
    if (before === undefined) return this.dump(placement, atMs);
    const changed: Square[] = [];
    for (let square = 0; square < 64; square++) {
      if (before[square] !== placement[square]) changed.push(square);
    }
    if (changed.length === 0 && atMs - this.#dumpAtMs >= REPEAT_MS) return this.dump(placement, atMs);
    const lifts = changed.filter((square) => placement[square] === EMPTY);
    const others = changed.filter((square) => placement[square] !== EMPTY);
    return [...lifts, ...others].flatMap((square) => this.set(square, placement[square]!, atMs));
  }

  /** Takes one square as it is now; of a board whose whole picture is not known yet, too. */
  set(square: Square, cell: number, atMs: number): Decoded[] {
    if (this.#known !== undefined) this.#known[square] = cell;
    return [{ type: 'sensor', event: { type: 'square', atMs, square, cell } }];
  }

  /** Tells the whole board. */
  dump(placement: Placement, atMs: number): Decoded[] {
    this.#known = placement.slice();
    this.#dumpAtMs = atMs;
    return [{ type: 'sensor', event: { type: 'dump', atMs, placement: placement.slice() } }];
  }
}
