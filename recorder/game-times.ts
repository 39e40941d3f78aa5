import type { GameEvent } from '../core/game-event.ts';
import { isCertain } from './pgn/written-plies.ts';

/** Since when what a game shows has been known, monotonic ms of its sitting: what a delay counts from. */
export interface GameTimes {
  /** By ply (first = 0): since when it has been certain without a break, whichever move it was; undefined while it is not. */
  readonly certainSinceMs: readonly (number | undefined)[];
  /** Since when there has been a result without a break, whichever it was. */
  readonly resultSinceMs: number | undefined;
}

/** Times that are kept up to date. */
export class GameTimesKeeper implements GameTimes {
  readonly certainSinceMs: (number | undefined)[] = [];
  resultSinceMs: number | undefined;

  /** Ply `number` (1-based) is certain from now on, or is not. */
  ply(number: number, certain: boolean, atMs: number): void {
    const index = number - 1;
    if (!certain) this.certainSinceMs[index] = undefined;
    else this.certainSinceMs[index] ??= atMs;
  }

  /** All plies from `number` (1-based) on are gone. */
  withdrawn(number: number): void {
    this.certainSinceMs.length = Math.min(this.certainSinceMs.length, number - 1);
  }

  result(isThere: boolean, atMs: number): void {
    if (!isThere) this.resultSinceMs = undefined;
    else this.resultSinceMs ??= atMs;
  }

  take(event: GameEvent): void {
    switch (event.type) {
      case 'ply':
        this.ply(event.number, isCertain(event.ply.state), event.atMs);
        break;
      case 'withdrawn':
        this.withdrawn(event.number);
        break;
      case 'result':
        this.result(event.result !== '*' || event.score !== undefined, event.atMs);
        break;
      default:
        break;
    }
  }
}
