/**
 * Time controls, read and written as PGN's TimeControl tag has them: `40/7200+30:1800+30`, `300`, `*180`, `?`, `-`.
 *
 * PGN has no form for the delay modes of clocks. They are read and written here as `2700d5` (delay: the time begins to
 * run five seconds late) and `2700b5` (Bronstein: what was used is given back, up to five seconds); in a PGN file only
 * the time itself is written, because `2700+5` would say what is not so.
 */
import { fail, ok, type Result } from '../result.ts';
import type { Side } from '../square.ts';

/** How a clock helps on each move: time added (Fischer), time that does not run yet, time given back (Bronstein). */
export const BONUS_MODES = ['increment', 'delay', 'bronstein'] as const;
export type BonusMode = (typeof BONUS_MODES)[number];

/** A part of the game: so many moves in a time, or all that are left. */
export interface Period {
  /** Moves to be made in it; undefined for all that are left. */
  readonly moves: number | undefined;
  readonly baseMs: number;
  /** What each move gets in the period's mode, 0 for nothing. */
  readonly bonusMs: number;
  readonly mode: BonusMode;
}

/** `unknown`: nobody said; `none`: played without; `sandclock`: what one side uses the other gains. */
export type TimeControl =
  | { readonly type: 'unknown' }
  | { readonly type: 'none' }
  | { readonly type: 'sandclock'; readonly baseMs: number }
  /** At least one; all but the last have a number of moves, a last one that has it comes again and again. */
  | { readonly type: 'periods'; readonly periods: readonly Period[] };

/** The time controls of both players; they differ in play-offs. */
export type TimeControls = Readonly<Record<Side, TimeControl>>;

const FIELD = /^(?:(\d{1,3})\/)?(\d{1,7})(?:([+db])(\d{1,5}))?$/;
const MODES: Readonly<Record<string, BonusMode>> = { '+': 'increment', d: 'delay', b: 'bronstein' };
const LETTERS: Readonly<Record<BonusMode, string>> = { increment: '+', delay: 'd', bronstein: 'b' };

/** Reads a TimeControl; fails with TIME_CONTROL_SYNTAX, naming the part that cannot be read. */
export function parseTimeControl(text: string): Result<TimeControl> {
  const trimmed = text.trim();
  if (trimmed === '?' || trimmed === '') return ok({ type: 'unknown' });
  if (trimmed === '-') return ok({ type: 'none' });
  const sand = /^\*(\d{1,7})$/.exec(trimmed);
  if (sand !== null && Number(sand[1]) > 0) return ok({ type: 'sandclock', baseMs: Number(sand[1]) * 1000 });
  const fields = trimmed.split(':');
  const periods: Period[] = [];
  for (const [i, field] of fields.entries()) {
    const match = FIELD.exec(field);
    if (match === null) return fail('TIME_CONTROL_SYNTAX', `"${field}" is no period of a time control`);
    const [, moves, base, mode = '+', bonus = '0'] = match;
    const period: Period = {
      moves: moves === undefined ? undefined : Number(moves),
      baseMs: Number(base) * 1000,
      bonusMs: Number(bonus) * 1000,
      mode: MODES[mode]!,
    };
    if (period.moves === 0) return fail('TIME_CONTROL_SYNTAX', `"${field}" is a period of no moves`);
    if (period.moves === undefined && i < fields.length - 1)
      return fail('TIME_CONTROL_SYNTAX', `"${field}" never ends, so nothing can follow it`);
    if (period.baseMs + period.bonusMs === 0)
      return fail('TIME_CONTROL_SYNTAX', `"${field}" gives no time at all`);
    periods.push(period);
  }
  return ok({ type: 'periods', periods });
}

/** Writes a time control as `parseTimeControl` reads it. */
export const makeTimeControl = (control: TimeControl): string => write(control, true);

/** Writes a time control for a PGN file: a delay, for which PGN has no form, is left out. */
export const makePgnTimeControl = (control: TimeControl): string => write(control, false);

function write(control: TimeControl, withDelay: boolean): string {
  switch (control.type) {
    case 'unknown':
      return '?';
    case 'none':
      return '-';
    case 'sandclock':
      return `*${control.baseMs / 1000}`;
    case 'periods':
      return control.periods.map((period) => writePeriod(period, withDelay)).join(':');
  }
}

function writePeriod({ moves, baseMs, bonusMs, mode }: Period, withDelay: boolean): string {
  const head = moves === undefined ? '' : `${moves}/`;
  const isWritten = bonusMs > 0 && (withDelay || mode === 'increment');
  return `${head}${baseMs / 1000}${isWritten ? `${LETTERS[mode]}${bonusMs / 1000}` : ''}`;
}

/** Where a player stands in a time control. */
export interface PeriodPlace {
  /** 0-based; grows on where the last period comes again. */
  readonly index: number;
  readonly period: Period;
  /** Moves still to be made before the next period; undefined in the last one. */
  readonly movesLeft: number | undefined;
}

/** The period in which a player has to make the next move, after so many own moves; undefined without periods. */
export function periodAt(control: TimeControl, movesMade: number): PeriodPlace | undefined {
  if (control.type !== 'periods') return undefined;
  const { periods } = control;
  let left = movesMade;
  for (let index = 0; ; index++) {
    const period = periods[Math.min(index, periods.length - 1)]!;
    if (period.moves === undefined) return { index, period, movesLeft: undefined };
    if (left < period.moves) return { index, period, movesLeft: period.moves - left };
    left -= period.moves;
  }
}

/** The time a player is given for the first `moves` moves, bonuses included; undefined without periods or a sand clock. */
export function timeForMoves(control: TimeControl, moves: number): number | undefined {
  if (control.type === 'sandclock') return control.baseMs;
  if (control.type !== 'periods') return undefined;
  let timeMs = 0;
  let left = moves;
  for (let made = 0; left > 0; ) {
    const { period, movesLeft } = periodAt(control, made)!;
    const here = Math.min(left, movesLeft ?? left);
    timeMs += period.baseMs + here * period.bonusMs;
    made += here;
    left -= here;
  }
  return timeMs;
}
