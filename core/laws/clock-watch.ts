/**
 * What the clock on the table does, reading by reading (articles 6 and 8.4). The readings are the truth; nothing is
 * recomputed from the time control, it only serves to tell an increment or a new period from time that somebody added.
 */
import type { Flag } from '../flag.ts';
import { FLAG_WORDS, type FlagWord } from '../flag.ts';
import type { GameEvent } from '../game-event.ts';
import type { Machine, Step, Tick } from '../machine.ts';
import { opponent, SIDES, type Side } from '../square.ts';
import { mustWrite, type RateOfPlay, rateOfGame } from './rate-of-play.ts';
import { type Period, periodAt, type TimeControls } from './time-control.ts';

/** A reading by colour. What a clock does not tell is absent. */
export interface ClockSeen {
  readonly type: 'clock';
  readonly atMs: number;
  readonly whiteMs: number;
  readonly blackMs: number;
  /** The side whose time runs; undefined while the clock is stopped, paused or being set. */
  readonly running: Side | undefined;
  /** The sides whose time has run out, as the clock says itself. */
  readonly fallen?: Readonly<Record<Side, boolean>>;
}

/** What the watch is told: readings, presses known by colour, the link, and the plies of the game. */
export type ClockWatchEvent =
  | ClockSeen
  /** The board says that no clock is connected. */
  | { readonly type: 'clockGone'; readonly atMs: number }
  /** A press that is known without a reading. */
  | { readonly type: 'press'; readonly atMs: number; readonly side: Side }
  | { readonly type: 'link'; readonly atMs: number; readonly link: 'up' | 'lost' }
  /** Plies that follow in this moment are remembered by the board: their presses were not seen, and do not lack. */
  | { readonly type: 'recalled'; readonly atMs: number }
  | Extract<GameEvent, { type: 'gameStarted' | 'ply' | 'withdrawn' | 'result' | 'gameEnded' }>;

interface At {
  readonly atMs: number;
  /** Number of the last ply then, 0 before the first. */
  readonly ply: number;
}

/** What was seen of the clock. */
export type ClockFinding = At & Found;

type Found =
  | { readonly type: 'time-added'; readonly side: Side; readonly ms: number }
  /** Time that went faster than it can, or was taken away while it stood. */
  | { readonly type: 'jump'; readonly side: Side; readonly fromMs: number; readonly toMs: number }
  /** `index` of the period that begins; `moves` the side has made as recorded. */
  | { readonly type: 'period-change'; readonly side: Side; readonly index: number; readonly moves: number }
  | { readonly type: 'period-early'; readonly side: Side; readonly index: number; readonly moves: number }
  /** `order`: whether it was the first flag; unknown when both were down before either was seen alone. */
  | {
      readonly type: 'flag-fall';
      readonly side: Side;
      readonly order: 'first' | 'second' | 'unknown';
      readonly moves: number;
    }
  | { readonly type: 'clock-lost'; readonly why: 'disconnected' | 'silent' | 'no-presses' }
  /** The lever went there, back and there again within a moment, with no move between. */
  | { readonly type: 'double-press'; readonly side: Side; readonly fromMs: number }
  /** The side need not write any more in this period (8.4). */
  | { readonly type: 'writing-over'; readonly side: Side; readonly timeMs: number };

export interface ClockWatchOptions {
  readonly controls?: TimeControls;
  /** The side that makes the first move of the game. */
  readonly firstMover?: Side;
}

/** How far a reading may be from what it should be: whole seconds on both sides of a message under way. */
const TOLERANCE_MS = 2000;
/** Where no time control is known: a rise at a press up to this may be an increment, from the other on a period. */
const MOST_BONUS_MS = 60_000;
const LEAST_PERIOD_MS = 600_000;
/** Plies may be recognised so much later than the press that follows them. */
const RECOGNISED_MS = 3000;
/** A clock that says for itself when time has run out may show zero for the last second. */
const BELOW_A_SECOND_MS = 1000;
/** After so many readings at most so far apart, a clock is known to tell its time steadily. */
const STEADY_READINGS = 5;
const STEADY_MS = 2500;
const SILENT_MS = 10_000;
/** There, back and there again takes no longer than this, ms. */
const DOUBLE_PRESS_MS = 1500;
/** Sensors may be this far behind a press. */
const SCAN_MS = 1000;
/** So many plies without a press on a clock that was pressed before are a fault of the clock. */
const UNPRESSED_PLIES = 8;

type Times = Record<Side, number>;

/** Creates the machine that watches the clock of one board. */
export const createClockWatch = (options: ClockWatchOptions = {}): ClockWatch => new ClockWatch(options);

export class ClockWatch implements Machine<ClockWatchEvent, ClockFinding> {
  readonly #controls: TimeControls | undefined;
  readonly #rate: RateOfPlay | undefined;
  #firstMover: Side;
  #nowMs = 0;
  #plies = 0;
  #isOver = false;
  #last: ClockSeen | undefined;
  /** The times when the clock was last seen to stop: what somebody sets it to counts when it runs again. */
  #stopped: { readonly times: Times; readonly running: Side | undefined } | undefined;
  #hasRun = false;
  #isGone = false;
  #linkLost = false;
  #recalledMs = Number.NEGATIVE_INFINITY;
  readonly #fallen: Record<Side, boolean> = { white: false, black: false };
  /** Since when a side stands at zero on a clock that has not said that its time has run out. */
  readonly #zeroSinceMs: Record<Side, number | undefined> = { white: undefined, black: undefined };
  readonly #period: Times = { white: 0, black: 0 };
  readonly #writingOver: Record<Side, number | undefined> = { white: undefined, black: undefined };
  #pending: { readonly side: Side; readonly index: number; readonly dueMs: number }[] = [];
  /** Moves as recorded at the last reading. */
  #movesThen: Times = { white: 0, black: 0 };
  readonly presses: Times = { white: 0, black: 0 };
  #lastPresses: { readonly side: Side; readonly atMs: number }[] = [];
  /** Presses there, back and there again, until it is known whether a ply was made between. */
  #doubles: { readonly side: Side; readonly fromMs: number; readonly toMs: number; readonly ply: number }[] =
    [];
  /** When the last plies were made; a ply that is told again comes again. */
  #made: number[] = [];
  #pliesSincePress = 0;
  #noPressTold = false;
  #steady = 0;
  #silentTold = false;
  #out: ClockFinding[] = [];

  constructor({ controls, firstMover = 'white' }: ClockWatchOptions) {
    this.#controls = controls;
    this.#rate = controls === undefined ? undefined : rateOfGame(controls);
    this.#firstMover = firstMover;
  }

  /** Moves made by a side as recorded: the count beside the clock's own. */
  movesOf(side: Side): number {
    return side === this.#firstMover ? Math.ceil(this.#plies / 2) : Math.floor(this.#plies / 2);
  }

  #moverOf(ply: number): Side {
    return ply % 2 === 1 ? this.#firstMover : opponent(this.#firstMover);
  }

  /** The last reading; undefined without a clock. */
  get reading(): ClockSeen | undefined {
    return this.#isGone ? undefined : this.#last;
  }

  step(event: ClockWatchEvent | Tick): Step<ClockFinding> {
    this.#out = [];
    this.#nowMs = event.atMs;
    switch (event.type) {
      case 'clock':
        this.#onReading(event);
        break;
      case 'clockGone':
        this.#onGone();
        break;
      case 'press':
        this.#onPress(event.side);
        break;
      case 'link':
        this.#linkLost = event.link === 'lost';
        this.#steady = 0;
        break;
      case 'recalled':
        this.#recalledMs = event.atMs;
        this.#pliesSincePress = 0;
        break;
      case 'gameStarted':
        this.#onGame(event);
        break;
      case 'ply':
        this.#made = [...this.#made.slice(-31), event.ply.madeAtMs];
        this.#onPly(event.number);
        break;
      case 'withdrawn':
        this.#plies = Math.min(this.#plies, event.number - 1);
        break;
      case 'result':
      case 'gameEnded':
        // Whatever the clock does after the end concerns nobody (E099).
        this.#isOver = true;
        break;
      case 'tick':
        break;
    }
    this.#onTime();
    const wakeAtMs = this.#wakeAtMs();
    return wakeAtMs === undefined ? { outputs: this.#out } : { outputs: this.#out, wakeAtMs };
  }

  #onGame({ start }: Extract<GameEvent, { type: 'gameStarted' }>): void {
    this.#firstMover = start.split(' ')[1] === 'b' ? 'black' : 'white';
    this.#plies = 0;
    this.#isOver = false;
    this.#pending = [];
    this.#movesThen = { white: 0, black: 0 };
    this.#lastPresses = [];
    this.#doubles = [];
    this.#made = [];
    this.#pliesSincePress = 0;
    this.#noPressTold = false;
    this.#hasRun = false;
    this.#stopped = undefined;
    for (const side of SIDES) {
      this.#fallen[side] = false;
      this.#zeroSinceMs[side] = undefined;
      this.#period[side] = 0;
      this.#writingOver[side] = undefined;
      this.presses[side] = 0;
    }
  }

  #onPly(number: number): void {
    if (number <= this.#plies) return;
    if (this.#recalledMs !== this.#nowMs) this.#pliesSincePress += number - this.#plies;
    this.#plies = number;
    const wasPressed = this.presses.white + this.presses.black > 0;
    if (!wasPressed || this.#noPressTold || this.#isOver || this.#pliesSincePress < UNPRESSED_PLIES) return;
    this.#noPressTold = true;
    this.#find({ type: 'clock-lost', why: 'no-presses' });
  }

  #onPress(side: Side): void {
    this.presses[side]++;
    this.#pliesSincePress = 0;
    this.#noPressTold = false;
    this.#lastPresses = [...this.#lastPresses.slice(-2), { side, atMs: this.#nowMs }];
    const [first, second, third] = this.#lastPresses;
    if (first === undefined || second === undefined || third === undefined || this.#isOver) return;
    const isBack = first.side === side && second.side === opponent(side);
    if (!isBack || third.atMs - first.atMs > DOUBLE_PRESS_MS) return;
    this.#doubles.push({ side, fromMs: first.atMs, toMs: third.atMs, ply: this.#plies });
  }

  #onGone(): void {
    if (!this.#isGone && this.#last !== undefined && !this.#isOver)
      this.#find({ type: 'clock-lost', why: 'disconnected' });
    this.#isGone = true;
    this.#steady = 0;
    this.#stopped = undefined;
  }

  // ---------------------------------------------------------------- readings

  #onReading(seen: ClockSeen): void {
    const before = this.#isGone ? undefined : this.#last;
    const wasRunning = before?.running !== undefined;
    this.#isGone = false;
    this.#silentTold = false;
    const apartMs = before === undefined ? Number.POSITIVE_INFINITY : seen.atMs - before.atMs;
    this.#steady = seen.running !== undefined && apartMs <= STEADY_MS ? this.#steady + 1 : 0;
    this.#last = seen;
    const movesBefore = this.#movesThen;
    const [white, black] = [this.movesOf('white'), this.movesOf('black')];
    if (movesBefore.white !== white || movesBefore.black !== black) this.#movesThen = { white, black };
    if (this.#isOver) return;
    if (seen.running === undefined) {
      this.#onStopped(seen, before);
      this.#watchFlags(seen, before);
      return;
    }
    if (before !== undefined && wasRunning) {
      if (before.running !== seen.running) this.#onPress(before.running!);
      for (const side of SIDES) this.#compare(side, before, seen, movesBefore[side]);
    } else if (this.#stopped !== undefined && this.#hasRun) this.#compareAfterStop(seen);
    this.#stopped = undefined;
    this.#hasRun = true;
    this.#watchFlags(seen, before);
    this.#watchWriting(seen);
  }

  #onStopped(seen: ClockSeen, before: ClockSeen | undefined): void {
    if (this.#stopped !== undefined) return;
    const { running } = before ?? seen;
    // The reading that tells of the stop may already tell what somebody set: only what can have run off is believed.
    const times = timesOf(before ?? seen);
    if (before !== undefined && running !== undefined) {
      const ranMs = times[running] - timeOf(seen, running);
      if (ranMs >= 0 && ranMs <= seen.atMs - before.atMs + TOLERANCE_MS)
        times[running] = timeOf(seen, running);
    }
    this.#stopped = { times, running };
  }

  /** The clock runs again: one word for all that was set meanwhile (E157). */
  #compareAfterStop(seen: ClockSeen): void {
    const { times } = this.#stopped!;
    for (const side of SIDES) {
      const ms = timeOf(seen, side) - times[side];
      // The press that starts the clock again may have brought an increment.
      const bonusMs = this.#periodOf(side)?.bonusMs ?? 0;
      if (this.#isPeriod(side, ms, bonusMs)) this.#onPeriod(side);
      else if (ms > TOLERANCE_MS && Math.abs(ms - bonusMs) > TOLERANCE_MS) this.#onAdded(side, ms);
      else if (ms < -TOLERANCE_MS)
        this.#find({ type: 'jump', side, fromMs: times[side], toMs: timeOf(seen, side) });
    }
  }

  /** One side's time in two readings of a running clock. */
  #compare(side: Side, before: ClockSeen, seen: ClockSeen, movesBefore: number): void {
    const fromMs = timeOf(before, side);
    const toMs = timeOf(seen, side);
    const elapsedMs = seen.atMs - before.atMs;
    const pressed = before.running !== seen.running;
    // Readings far apart may hide presses; the plies made meanwhile tell of them.
    const hidden = elapsedMs > STEADY_MS ? this.movesOf(side) - movesBefore : 0;
    const moves = Math.max(hidden, pressed ? 1 : 0);
    const ran = before.running === side || moves > 0;
    const changeMs = toMs - fromMs;
    if (-changeMs > TOLERANCE_MS + (ran || seen.running === side ? elapsedMs : 0)) {
      this.#find({ type: 'jump', side, fromMs, toMs });
      return;
    }
    if (changeMs <= TOLERANCE_MS) return;
    if (this.#controls?.[side].type === 'sandclock' && changeMs <= elapsedMs + TOLERANCE_MS) return;
    const period = this.#periodOf(side);
    const bonusMs = (period?.bonusMs ?? 0) * moves;
    const usedMs = before.running === side ? Math.min(elapsedMs, fromMs) : 0;
    const moreMs = changeMs + usedMs - bonusMs;
    if (changeMs - bonusMs <= TOLERANCE_MS) return;
    if (this.#isPeriod(side, changeMs, bonusMs, usedMs)) {
      // Out of time with moves to make: the new period does not mend it (6.9).
      if (!pressed && before.running === side && fromMs <= elapsedMs && !this.#hasMade(side))
        this.#onFall(side, false);
      this.#onPeriod(side);
    } else if (period === undefined && moves > 0 && moreMs <= MOST_BONUS_MS * moves) return;
    else this.#onAdded(side, moreMs);
  }

  /** Whether time that came is that of the next period. */
  #isPeriod(side: Side, changeMs: number, bonusMs: number, usedMs = 0): boolean {
    const control = this.#controls?.[side];
    if (control?.type !== 'periods') return control?.type !== 'sandclock' && changeMs >= LEAST_PERIOD_MS;
    const next = this.#nextPeriod(side);
    if (next === undefined || next.baseMs === 0) return false;
    const least = next.baseMs - TOLERANCE_MS;
    return changeMs + usedMs >= least && changeMs - bonusMs - next.bonusMs <= next.baseMs + TOLERANCE_MS;
  }

  #onPeriod(side: Side): void {
    const index = ++this.#period[side];
    this.#fallen[side] = false;
    this.#pending.push({ side, index, dueMs: this.#nowMs + RECOGNISED_MS });
  }

  #onAdded(side: Side, ms: number): void {
    this.#fallen[side] = false;
    this.#find({ type: 'time-added', side, ms: Math.round(ms / 1000) * 1000 });
  }

  /** The period of a side by what its clock has done. */
  #periodOf(side: Side): Period | undefined {
    const control = this.#controls?.[side];
    if (control?.type !== 'periods') return undefined;
    return control.periods[Math.min(this.#period[side], control.periods.length - 1)];
  }

  #nextPeriod(side: Side): Period | undefined {
    const control = this.#controls?.[side];
    if (control?.type !== 'periods' || this.#periodOf(side)?.moves === undefined) return undefined;
    return control.periods[Math.min(this.#period[side] + 1, control.periods.length - 1)];
  }

  /** Whether a side has recorded all moves of the period in which its clock is. */
  #hasMade(side: Side, index = this.#period[side]): boolean {
    const control = this.#controls?.[side];
    if (control === undefined) return true;
    const place = periodAt(control, this.movesOf(side));
    return place === undefined || place.index > index;
  }

  // ---------------------------------------------------------------- flags

  #watchFlags(seen: ClockSeen, before: ClockSeen | undefined): void {
    const white = !this.#fallen.white && this.#isDown('white', seen, before);
    const black = !this.#fallen.black && this.#isDown('black', seen, before);
    if (white) this.#onFall('white', black);
    if (black) this.#onFall('black', white);
  }

  #isDown(side: Side, seen: ClockSeen, before: ClockSeen | undefined): boolean {
    if (timeOf(seen, side) > 0) {
      this.#zeroSinceMs[side] = undefined;
      return seen.fallen?.[side] === true && this.#hasRun;
    }
    // Being set through zero, or a clock that is off, is no flag: the side's time must have run.
    const ran = this.#hasRun && (seen.running === side || before?.running === side);
    if (seen.fallen === undefined) return ran;
    if (seen.fallen[side]) return this.#hasRun;
    if (ran && seen.running === side) this.#zeroSinceMs[side] ??= seen.atMs;
    else this.#zeroSinceMs[side] = undefined;
    return false;
  }

  #onFall(side: Side, both: boolean): void {
    const order = both ? 'unknown' : this.#fallen[opponent(side)] ? 'second' : 'first';
    this.#fallen[side] = true;
    this.#zeroSinceMs[side] = undefined;
    this.#find({ type: 'flag-fall', side, order, moves: this.movesOf(side) });
  }

  #watchWriting(seen: ClockSeen): void {
    if (this.#rate === undefined) return;
    for (const side of SIDES) {
      const period = this.#periodOf(side);
      const timeMs = timeOf(seen, side);
      if (period === undefined || this.#writingOver[side] === this.#period[side]) continue;
      const bonusMs = period.mode === 'increment' ? period.bonusMs : 0;
      if (this.#rate !== 'standard' || mustWrite(timeMs, bonusMs, this.#rate)) continue;
      this.#writingOver[side] = this.#period[side];
      this.#find({ type: 'writing-over', side, timeMs });
    }
  }

  // ---------------------------------------------------------------- time

  #onTime(): void {
    if (this.#isOver) {
      this.#pending = [];
      this.#doubles = [];
      return;
    }
    if (this.#pending.length > 0) this.#tellPeriods();
    if (this.#doubles.length > 0) this.#tellDoublePresses();
    for (const side of SIDES) {
      const since = this.#zeroSinceMs[side];
      if (since !== undefined && this.#nowMs >= since + BELOW_A_SECOND_MS && !this.#fallen[side])
        this.#onFall(side, false);
    }
    const silentAtMs = this.#silentAtMs();
    if (silentAtMs !== undefined && this.#nowMs >= silentAtMs) {
      this.#silentTold = true;
      this.#find({ type: 'clock-lost', why: 'silent' });
    }
  }

  /** New periods, once the plies before them have had time to be recognised. */
  #tellPeriods(): void {
    const due = this.#pending.filter(({ dueMs }) => dueMs <= this.#nowMs);
    if (due.length > 0) this.#pending = this.#pending.filter(({ dueMs }) => dueMs > this.#nowMs);
    for (const { side, index } of due) {
      const type = this.#hasMade(side, index - 1) ? 'period-change' : 'period-early';
      // Their own last ply brought it; the opponent may have replied meanwhile.
      const ply = this.#plies - (this.#moverOf(this.#plies) === side ? 0 : 1);
      this.#out.push({
        type,
        side,
        index,
        moves: this.movesOf(side),
        atMs: this.#nowMs,
        ply: Math.max(0, ply),
      });
    }
  }

  #tellDoublePresses(): void {
    const due = this.#doubles.filter(({ toMs }) => toMs + RECOGNISED_MS <= this.#nowMs);
    if (due.length === 0) return;
    this.#doubles = this.#doubles.filter((double) => !due.includes(double));
    for (const { side, fromMs, toMs, ply } of due) {
      // More plies than the one that was pressed for: quick replies, and sensors that tell of them early or late.
      const made = this.#made.filter((atMs) => atMs > fromMs - DOUBLE_PRESS_MS && atMs <= toMs + SCAN_MS);
      if (new Set(made).size > 1) continue;
      this.#out.push({ type: 'double-press', side, fromMs, atMs: toMs, ply });
    }
  }

  /** When a clock that told its time steadily has been silent for too long. */
  #silentAtMs(): number | undefined {
    if (this.#steady < STEADY_READINGS || this.#silentTold || this.#linkLost || this.#isGone || this.#isOver)
      return undefined;
    return this.#last === undefined ? undefined : this.#last.atMs + SILENT_MS;
  }

  #wakeAtMs(): number | undefined {
    let wakeAtMs = this.#silentAtMs() ?? Number.POSITIVE_INFINITY;
    for (const { dueMs } of this.#pending) wakeAtMs = Math.min(wakeAtMs, dueMs);
    for (const { toMs } of this.#doubles) wakeAtMs = Math.min(wakeAtMs, toMs + RECOGNISED_MS);
    if (!this.#isOver)
      for (const side of SIDES) {
        const since = this.#zeroSinceMs[side];
        if (since !== undefined) wakeAtMs = Math.min(wakeAtMs, since + BELOW_A_SECOND_MS);
      }
    return wakeAtMs === Number.POSITIVE_INFINITY ? undefined : wakeAtMs;
  }

  #find(found: Found): void {
    this.#out.push({ ...found, atMs: this.#nowMs, ply: this.#plies });
  }
}

const timesOf = ({ whiteMs, blackMs }: ClockSeen): Times => ({ white: whiteMs, black: blackMs });
const timeOf = (seen: ClockSeen, side: Side): number => (side === 'white' ? seen.whiteMs : seen.blackMs);

const WORDS: Readonly<Record<ClockFinding['type'], FlagWord>> = {
  'time-added': 'TIME_ADDED',
  jump: 'CLOCK_JUMP',
  'period-change': 'PERIOD_CHANGE',
  'period-early': 'PERIOD_EARLY',
  'flag-fall': 'FLAG_FALL',
  'clock-lost': 'CLOCK_LOST',
  'double-press': 'DOUBLE_PRESS',
  'writing-over': 'WRITING_OVER',
};

/** The flag that tells the desk of a finding. */
export function makeClockFlag(finding: ClockFinding): Flag {
  const word = WORDS[finding.type];
  const value = finding.type === 'time-added' ? `(${finding.side},${finding.ms / 1000})` : '';
  return {
    code: `${word}${value}`,
    severity: FLAG_WORDS[word][0],
    ply: finding.ply,
    atMs: finding.atMs,
    detail: detailOf(finding),
  };
}

function detailOf(finding: ClockFinding): string {
  switch (finding.type) {
    case 'time-added':
      return `${finding.side} ${finding.ms / 1000} s`;
    case 'jump':
      return `${finding.side} ${finding.fromMs / 1000} s to ${finding.toMs / 1000} s`;
    case 'period-change':
    case 'period-early':
      return `${finding.side} period ${finding.index + 1}, ${finding.moves} moves recorded`;
    case 'flag-fall':
      return `${finding.side} ${finding.order}, ${finding.moves} moves recorded`;
    case 'clock-lost':
      return finding.why;
    case 'double-press':
      return finding.side;
    case 'writing-over':
      return `${finding.side} ${finding.timeMs / 1000} s`;
  }
}
