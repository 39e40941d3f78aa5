/**
 * How often the clock was pressed while nobody heard it. Time that passes takes from one of the two times shown, and only the
 * increment that a press adds gives something back: both times together, and what has passed, tell how many presses there were.
 */
import type { TableClock } from '../table.ts';

/** Presses since the link was lost: no fewer and no more than these. */
export interface UnheardPresses {
  readonly least: number;
  readonly most: number;
}

/** Presses that were heard before what they add is believed, and how many are kept. */
const HEARD_LEAST = 8;
const HEARD_KEPT = 24;
/** Clocks show whole seconds: two times, each before and after, are wrong by less than this together, ms. */
const SHOWN_MS = 2000;
/** Increments are whole seconds; what is further from one than this, or was another one before, is none, ms. */
const NEAR_MS = 300;
/** More in one press than any increment: a time period has ended, or the arbiter has set the clock. */
const SET_MS = 60_500;

export class PressCount {
  /** What both times were and what has passed of them, at each of the last presses. */
  #heard: number[] = [];
  #wholeMs: number | undefined;
  #last: { readonly clock: TableClock; readonly atMs: number } | undefined;
  #ranMs = 0;
  #incrementMs: number | undefined;
  /** Nothing was heard since the last reading. */
  #isUnheard = false;

  /** Whether presses that nobody hears can be counted afterwards. */
  get counts(): boolean {
    return this.#incrementMs !== undefined && this.#last?.clock.running !== undefined;
  }

  /** The link is lost: the next reading comes after presses that nobody heard. */
  lose(): void {
    this.#isUnheard = true;
    this.#heard = [];
  }

  /** A new game, or a clock that is gone. */
  reset(): void {
    this.#heard = [];
    this.#last = undefined;
    this.#wholeMs = undefined;
    this.#incrementMs = undefined;
    this.#isUnheard = false;
  }

  /** Takes a reading; `isPress` when it is told because of a press. Returns the presses since the last one where none were heard. */
  note(clock: TableClock, atMs: number, isPress: boolean): UnheardPresses | undefined {
    const last = this.#last;
    const before = this.#wholeMs;
    if (last?.clock.running !== undefined) this.#ranMs += atMs - last.atMs;
    const wholeMs = clock.whiteMs + clock.blackMs + this.#ranMs;
    this.#last = { clock, atMs };
    this.#wholeMs = wholeMs;
    if (last === undefined || before === undefined) return undefined;
    if (this.#isUnheard) {
      this.#isUnheard = false;
      return this.#count(wholeMs - before, last.clock, clock);
    }
    if (wholeMs < before - SHOWN_MS || wholeMs > before + SET_MS) this.#heard = [];
    if (isPress) this.#learn(wholeMs);
    return undefined;
  }

  #learn(wholeMs: number): void {
    const heard = this.#heard;
    heard.push(wholeMs);
    if (heard.length > HEARD_KEPT) heard.shift();
    const presses = heard.length - 1;
    if (presses < HEARD_LEAST) return;
    const each = (wholeMs - heard[0]!) / presses;
    const half = presses >> 1;
    const later = (wholeMs - heard[half]!) / (presses - half);
    const incrementMs = Math.round(each / 1000) * 1000;
    const isSteady = Math.abs(later - incrementMs) < 2 * NEAR_MS;
    const isOne = incrementMs > 0 && Math.abs(each - incrementMs) < NEAR_MS && isSteady;
    this.#incrementMs = isOne ? incrementMs : undefined;
  }

  #count(addedMs: number, before: TableClock, after: TableClock): UnheardPresses | undefined {
    const incrementMs = this.#incrementMs;
    if (incrementMs === undefined || before.running === undefined || after.running === undefined)
      return undefined;
    let least = Math.max(0, Math.ceil((addedMs - SHOWN_MS) / incrementMs));
    let most = Math.floor((addedMs + SHOWN_MS) / incrementMs);
    // Each press gives the time to the other side.
    const isOdd = before.running !== after.running;
    if ((least % 2 === 1) !== isOdd) least++;
    if ((most % 2 === 1) !== isOdd) most--;
    return most < least ? undefined : { least, most };
  }
}
