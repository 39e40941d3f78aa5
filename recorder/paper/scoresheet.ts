/** A game as both players would have written it, with what only the recorder knows beside: codes and numbers, in no language. */
import { type Flag, wordOf } from '../../core/flag.ts';
import type { GameRecord } from '../../core/game-record.ts';
import type { Score, Termination } from '../../core/laws/endings.ts';
import type { Irregularity } from '../../core/laws/irregularity.ts';
import { IRREGULARITIES } from '../../core/laws/irregularity-kind.ts';
import { periodAt, type TimeControl, type TimeControls } from '../../core/laws/time-control.ts';
import { START_FEN } from '../../core/position.ts';
import type { Side } from '../../core/square.ts';
import type { PlyMark } from '../language/catalogue.ts';
import { irregularitiesOf } from './irregularities.ts';
import {
  controlsOf,
  type Entered,
  type EnteredCorrection,
  type EnteredDecision,
  offersOf,
  outcomeOf,
  type PaperGame,
  placesOf,
  rateOf,
} from './paper-game.ts';
import { type FreeFromWriting, freeFromWriting } from './writing-duty.ts';

export interface SheetPly {
  /** 1-based. */
  readonly number: number;
  /** SAN, `!e1g1` for an illegal move that stands. */
  readonly san: string;
  readonly marks: readonly PlyMark[];
  /** Other moves that fit as well, SAN. */
  readonly candidates: readonly string[];
  /** The mover's clock at completion, ms. */
  readonly clockMs: number | undefined;
  /** Time used for the ply, ms. */
  readonly usedMs: number | undefined;
  /** The mover offered a draw with it. */
  readonly isOffer: boolean;
}

export type SheetMove = { readonly move: number } & Partial<Readonly<Record<Side, SheetPly>>>;

/** Something to be told of a game besides its moves: a flag, an irregularity, or both when the flag told of it. */
export interface Remark {
  readonly ply: number;
  readonly atMs: number;
  readonly flag: Flag | undefined;
  readonly irregularity: Irregularity | undefined;
}

export interface Scoresheet {
  readonly game: PaperGame;
  /** FEN of the start position where it is not the initial one. */
  readonly start: string | undefined;
  readonly moves: readonly SheetMove[];
  /** Where times used come from: the clock, or the times of the presses. */
  readonly used: 'clock' | 'presses' | undefined;
  /** Rapid and blitz: nobody has to write (A.2, B.2). */
  readonly isWritingFree: boolean;
  readonly free: readonly FreeFromWriting[];
  readonly remarks: readonly Remark[];
  readonly decisions: readonly EnteredDecision[];
  readonly corrections: readonly EnteredCorrection[];
  readonly score: Score;
  readonly termination: Termination | undefined;
  readonly isOver: boolean;
}

export interface SheetOptions extends Entered {
  /** Numbers of plies that were recorded as another move before. */
  readonly amended?: readonly number[];
}

/** Flags below a warning that belong on paper all the same. */
const ON_PAPER: readonly string[] = [
  'TIME_ADDED',
  'CLOCK_JUMP',
  'PERIOD_CHANGE',
  'MISSED_PLIES',
  'ILLEGAL_STANDS',
  'OFFER_LAPSED',
  'DEFAULT_TIME',
  'PROMO_ASSUMED',
];

/** Makes the scoresheet of a recorded game. */
export function makeScoresheet(game: PaperGame, options: SheetOptions = {}): Scoresheet {
  const { record, rules } = game;
  const controls = controlsOf(game);
  const rate = rateOf(game);
  const { decisions = [], corrections = [] } = options;
  const free = freeFromWriting(record, controls);
  const irregularities = irregularitiesOf(record, { decisions, rate, regime: rules?.regime });
  return {
    game,
    start: record.start === START_FEN ? undefined : record.start,
    moves: movesOf(record, controls, free, options),
    used: usedBy(record, controls),
    isWritingFree: rate === 'rapid' || rate === 'blitz',
    free,
    remarks: makeRemarks(record, irregularities),
    decisions,
    corrections,
    ...outcomeOf(record, options),
    isOver: record.ended || decisions.some(({ ruling }) => ruling.type === 'result'),
  };
}

function movesOf(
  record: GameRecord,
  controls: TimeControls | undefined,
  free: readonly FreeFromWriting[],
  options: SheetOptions,
): SheetMove[] {
  const placeOf = placesOf(record);
  const offers = offersOf(options);
  const moves: { move: number; white?: SheetPly; black?: SheetPly }[] = [];
  for (const [index, ply] of record.plies.entries()) {
    const number = index + 1;
    const { move, side } = placeOf(number);
    const marks: PlyMark[] = [];
    if (ply.inferred === true) marks.push('inferred');
    if (ply.state === 'ambiguous') marks.push('ambiguous');
    if (ply.san.startsWith('!')) marks.push('illegal');
    if (options.amended?.includes(number) === true) marks.push('amended');
    if (ply.state === 'provisional') marks.push('provisional');
    if (free.some((begin) => begin.ply === number)) marks.push('unwritten');
    if (moves.at(-1)?.move !== move) moves.push({ move });
    moves.at(-1)![side] = {
      number,
      san: ply.san,
      marks,
      candidates: (ply.candidates ?? []).filter((san) => san !== ply.san),
      clockMs: ply.completedAtMs === undefined ? undefined : ply.clockMs,
      usedMs:
        usedBy(record, controls) === 'clock'
          ? usedByClock(record, index, controls![side])
          : usedByPresses(record, index),
      isOffer: offers.some((offer) => offer.ply === number && offer.side === side),
    };
  }
  return moves;
}

function usedBy({ plies }: GameRecord, controls: TimeControls | undefined): Scoresheet['used'] {
  const isTimed = plies.some(({ clockMs }) => clockMs !== undefined);
  if (isTimed && controls?.white.type === 'periods' && controls.black.type === 'periods') return 'clock';
  return plies.some((_, index) => usedByPresses({ plies }, index) !== undefined) ? 'presses' : undefined;
}

/** Readings are whole seconds: a move that took none may seem to have given one back. */
const ROUNDING_MS = 1500;

/**
 * What a clock has lost over one ply, its increment counted back; the first ply of a period may have brought the period's time.
 * Undefined where a reading is missing or the difference is no time that can have been used (an arbiter has set the clock).
 */
function usedByClock({ plies }: GameRecord, index: number, control: TimeControl): number | undefined {
  const moves = Math.floor(index / 2);
  const place = periodAt(control, moves);
  const nowMs = plies[index]!.clockMs;
  if (place === undefined || nowMs === undefined) return undefined;
  const beforeMs = index < 2 ? place.period.baseMs : plies[index - 2]!.clockMs;
  if (beforeMs === undefined) return undefined;
  const bonusMs = place.period.mode === 'increment' ? place.period.bonusMs : 0;
  const usedMs = beforeMs + bonusMs - nowMs;
  // Time of a new period comes with the last move of the old one, or when that has run out.
  const next = periodAt(control, moves + 1)!;
  const before = moves === 0 ? place : periodAt(control, moves - 1)!;
  for (const baseMs of [
    0,
    next.index > place.index ? next.period.baseMs : 0,
    place.index > before.index ? place.period.baseMs : 0,
  ]) {
    if (usedMs + baseMs >= 0) return usedMs + baseMs;
    if (usedMs + baseMs > -ROUNDING_MS) return 0;
  }
  return undefined;
}

/** The time between two completions; undefined where one of them was not seen. */
function usedByPresses({ plies }: Pick<GameRecord, 'plies'>, index: number): number | undefined {
  const [before, ply] = [plies[index - 1], plies[index]];
  if (before?.completedAtMs === undefined || ply?.completedAtMs === undefined) return undefined;
  if (before.inferred === true || ply.inferred === true) return undefined;
  return Math.max(0, ply.completedAtMs - before.completedAtMs);
}

/** What is to be remarked, in the order of time: each irregularity once, with the flag that told of it. */
export function makeRemarks(
  { flags }: Pick<GameRecord, 'flags'>,
  irregularities: readonly Irregularity[],
): Remark[] {
  const told = new Set<Irregularity>();
  const remarks: Remark[] = [];
  for (const flag of flags) {
    const word = wordOf(flag.code);
    const irregularity = irregularities.find(
      (i) => IRREGULARITIES[i.kind].word === word && (i.ply === flag.ply || (i.ply === 1 && flag.ply === 0)),
    );
    if (irregularity !== undefined) {
      if (told.has(irregularity)) continue;
      told.add(irregularity);
    } else if (flag.severity !== 'warning' && flag.severity !== 'alarm' && !ON_PAPER.includes(word)) continue;
    remarks.push({ ply: flag.ply, atMs: flag.atMs, flag, irregularity });
  }
  for (const irregularity of irregularities) {
    if (told.has(irregularity)) continue;
    remarks.push({ ply: irregularity.ply, atMs: irregularity.atMs, flag: undefined, irregularity });
  }
  return remarks.sort((a, b) => a.atMs - b.atMs);
}
