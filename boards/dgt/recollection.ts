/**
 * What is known of a board over its connections, and what its stored log says has happened since (PROTOCOL.md, section 7).
 * The log holds games of weeks: the place up to which it is known already is found by the position that stood when the board
 * was last heard, and by the changes that had led to it.
 */
import { type Cell, EMPTY, type Placement } from '../../core/placement.ts';
import type { ClockFace, ClockReading, RecalledEvent, SensorEvent } from '../../core/sensor-event.ts';
import type { Square } from '../../core/square.ts';
import type { LogEvent } from './event-log.ts';

/** Changes kept to find one's place: a position comes back, so many changes in the same order do not. */
const HISTORY = 400;
/** Share of the time that passes before a square that changed less than a quarter of a second after another. */
const QUICK_WEIGHT = 0.3;
/** Content of a square that the log has not told yet. */
const UNTOLD = 0xff;
/** Changes that must be the ones heard last where the log does not tell what stands on every square. */
const LEAST_ALIKE = 8;

interface Change {
  readonly square: Square;
  readonly cell: Cell;
}

/** The board as it was last heard. */
export class Recollection {
  #placement: Placement | undefined;
  #history: Change[] = [];
  #reading: ClockReading | undefined;

  /** What stood on the board when it was last heard; undefined before it was seen whole. */
  get placement(): Placement | undefined {
    return this.#placement;
  }

  /** Takes note of something that was heard. */
  note(event: SensorEvent | RecalledEvent): void {
    switch (event.type) {
      case 'dump':
        this.#placement = event.placement.slice();
        break;
      case 'square':
        if (this.#placement !== undefined) this.#placement[event.square] = event.cell;
        this.#history.push({ square: event.square, cell: event.cell });
        if (this.#history.length > 2 * HISTORY) this.#history = this.#history.slice(-HISTORY);
        break;
      case 'clock':
        if (event.reading.connected) this.#reading = event.reading;
        break;
      case 'recalled':
        for (const item of event.events) this.note(item);
        break;
    }
  }

  /** Events that follow at once upon what is known: without what changes nothing, and clock times as readings. */
  follow(log: readonly LogEvent[]): RecalledEvent[] {
    return this.followTimed(log, 0, 0);
  }

  /**
   * The same, each with a moment between two times: the log keeps none, only whether less than a quarter of a second
   * passed from one square to the next.
   */
  followTimed(
    log: readonly LogEvent[],
    fromMs: number,
    toMs: number,
  ): (RecalledEvent & { readonly atMs: number })[] {
    const found: { readonly event: RecalledEvent; readonly weight: number }[] = [];
    for (const entry of log) {
      const event = this.#eventOf(entry);
      if (event === undefined) continue;
      this.note(event);
      found.push({ event, weight: entry.type === 'square' && entry.quick ? QUICK_WEIGHT : 1 });
    }
    const whole = found.slice(1).reduce((sum, { weight }) => sum + weight, QUICK_WEIGHT);
    let left = whole;
    return found.map(({ event }, i) => {
      left -= i === 0 ? 0 : found[i]!.weight;
      return { ...event, atMs: toMs - ((toMs - fromMs) * left) / (whole + QUICK_WEIGHT) };
    });
  }

  /**
   * What a log tells of the time since the board was last heard; undefined when it cannot be told from the log where that
   * time began, or when the board has been without power in it.
   */
  recall(log: readonly LogEvent[]): RecalledEvent[] | undefined {
    const known = this.#findPlace(log);
    if (known === undefined) return undefined;
    const rest = log.slice(known);
    if (rest.some((e) => e.type === 'mark' && (e.mark === 'powerUp' || e.mark === 'watchdog')))
      return undefined;
    return this.follow(rest);
  }

  #eventOf(entry: LogEvent): RecalledEvent | undefined {
    if (entry.type === 'square') {
      const { square, cell } = entry;
      return this.#placement?.[square] === cell ? undefined : { type: 'square', square, cell };
    }
    if (entry.type !== 'time' || this.#reading === undefined) return undefined;
    const runs: ClockFace = entry.face === 'left' ? 'right' : 'left';
    const stopped = { timeMs: entry.timeMs, flag: false };
    return {
      type: 'clock',
      reading: { ...this.#reading, [entry.face]: stopped, running: runs, lever: runs },
    };
  }

  /** How many entries of the log are known already; undefined when no place in it, or more than one, can be meant. */
  #findPlace(log: readonly LogEvent[]): number | undefined {
    const wanted = this.#placement;
    if (wanted === undefined) return undefined;
    const board: Uint8Array = new Uint8Array(64).fill(UNTOLD);
    let untold = 64;
    let wrong = 0;
    const changes: Change[] = [];
    let best: { readonly known: number; readonly score: number } | undefined;
    let isOnlyOne = true;
    const put = (square: Square, cell: Cell): void => {
      if (board[square] === UNTOLD) untold--;
      else if (board[square] !== wanted[square]) wrong--;
      board[square] = cell;
      if (cell !== wanted[square]) wrong++;
    };
    log.forEach((entry, index) => {
      if (entry.type === 'mark') {
        // All pieces are named next; what is not named is empty.
        const isListed = entry.mark === 'powerUp' || entry.mark === 'gameStart';
        for (let square = 0; isListed && square < 64; square++)
          if (entry.mark === 'powerUp' || board[square] === UNTOLD) put(square, EMPTY);
        return;
      }
      // A list of pieces that stand where they stood tells nothing.
      if (entry.type !== 'square' || board[entry.square] === entry.cell) return;
      put(entry.square, entry.cell);
      changes.push(entry);
      if (wrong > 0) return;
      const score = this.#alike(changes);
      if (untold > 0 && score < LEAST_ALIKE) return;
      if (best !== undefined && score < best.score) return;
      isOnlyOne = best === undefined || score > best.score;
      best = { known: index + 1, score };
    });
    return isOnlyOne ? best?.known : undefined;
  }

  /** How many of the last changes are the ones that were heard last. */
  #alike(changes: readonly Change[]): number {
    let count = 0;
    while (count < changes.length && count < this.#history.length) {
      const logged = changes[changes.length - 1 - count]!;
      const heard = this.#history[this.#history.length - 1 - count]!;
      if (logged.square !== heard.square || logged.cell !== heard.cell) break;
      count++;
    }
    return count;
  }
}
