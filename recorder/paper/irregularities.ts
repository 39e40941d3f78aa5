import type { GameRecord } from '../../core/game-record.ts';
import type { Decision } from '../../core/laws/decision.ts';
import type { CanMate } from '../../core/laws/endings.ts';
import { lineOf } from '../../core/laws/game-line.ts';
import { type ClocksThen, type Irregularity, IrregularityLog } from '../../core/laws/irregularity.ts';
import type { RateOfPlay, Regime } from '../../core/laws/rate-of-play.ts';
import { askWinnability } from '../../core/laws/unwinnable/winnability.ts';
import { placesOf } from './paper-game.ts';

export interface LookBack {
  readonly decisions?: readonly Decision[];
  readonly regime?: Regime | undefined;
  readonly rate?: RateOfPlay | undefined;
}

/**
 * The irregularities of a recorded game, from its flags and from what arbiters have decided, in the order of time. One that was not
 * completed and that a legal ply has replaced was put right (7.5.1).
 */
export function irregularitiesOf(
  record: GameRecord,
  { decisions = [], regime, rate }: LookBack = {},
): readonly Irregularity[] {
  const line = lineOf(record.start, record.variant, record.plies);
  const log = new IrregularityLog(line, {
    canMate,
    rate,
    ...(regime !== undefined && { regime }),
  });
  const steps = [
    ...record.flags.map((flag) => ({
      atMs: flag.atMs,
      take: () => log.takeFlag(flag, clocksAt(record, flag.atMs)),
    })),
    ...decisions.map(({ ruling, by, atMs }) => ({
      atMs,
      take: () => log.takeRuling(ruling, by, atMs, clocksAt(record, atMs)),
    })),
  ].sort((a, b) => a.atMs - b.atMs);
  for (const { take } of steps) take();
  return log.list.map((irregularity) => {
    const { state, isCompleted, ply } = irregularity;
    const stands = record.plies[ply - 1];
    const isRight = state === 'seen' && !isCompleted && stands !== undefined && !stands.san.startsWith('!');
    return isRight ? { ...irregularity, state: 'corrected', penalty: undefined } : irregularity;
  });
}

/** Nobody waits for a board here: what is not decided so is hardly ever decided. */
const MATE_BUDGET = 200_000;
const canMate: CanMate = (position, side) => askWinnability(position, side, MATE_BUDGET).verdict;

/** Both clocks as they stood when each was last pressed before a time; undefined before both were. */
function clocksAt(record: GameRecord, atMs: number): ClocksThen | undefined {
  const placeOf = placesOf(record);
  const last: { white?: number; black?: number } = {};
  for (const [index, { clockMs, completedAtMs }] of record.plies.entries()) {
    if (clockMs === undefined || completedAtMs === undefined || completedAtMs > atMs) continue;
    last[placeOf(index + 1).side] = clockMs;
  }
  const { white, black } = last;
  return white === undefined || black === undefined ? undefined : { whiteMs: white, blackMs: black };
}
