/** Where players need not write their moves any more (8.4), looked up in a recorded game. */
import type { GameRecord } from '../../core/game-record.ts';
import { mustWrite, rateOfGame } from '../../core/laws/rate-of-play.ts';
import { periodAt, type TimeControls } from '../../core/laws/time-control.ts';
import { SIDES, type Side } from '../../core/square.ts';
import { placesOf } from './paper-game.ts';

/** A stretch of a game in which a side need not write. */
export interface FreeFromWriting {
  readonly side: Side;
  /** Number of the first ply of the side that it need not write. */
  readonly ply: number;
  /** Number of the last: the end of the game, or the last ply of the period. */
  readonly lastPly: number;
}

/**
 * All stretches in which a side need not write, in order: as the clock told while it was recorded (`WRITING_OVER`), and
 * by the times at completion where the time controls are known. A new period brings the duty back.
 */
export function freeFromWriting(record: GameRecord, controls: TimeControls | undefined): FreeFromWriting[] {
  const placeOf = placesOf(record);
  const rate = controls === undefined ? undefined : rateOfGame(controls);
  const found: FreeFromWriting[] = [];
  for (const side of SIDES) {
    const told = record.flags.filter(
      ({ code, detail }) => code === 'WRITING_OVER' && detail?.startsWith(side) === true,
    );
    const changes = record.flags.filter(
      ({ code, detail }) => code === 'PERIOD_CHANGE' && detail?.startsWith(side) === true,
    );
    let isFree = false;
    let moves = 0;
    let period: number | undefined;
    for (const [index, ply] of record.plies.entries()) {
      const number = index + 1;
      if (placeOf(number).side !== side) continue;
      const place = controls === undefined ? undefined : periodAt(controls[side], moves);
      moves++;
      const isNewPeriod =
        (place !== undefined && period !== undefined && place.index !== period) ||
        changes.some((flag) => flag.ply === number - 1 || flag.ply === number - 2);
      if (isNewPeriod) isFree = false;
      period = place?.index;
      const bonusMs = place?.period.mode === 'increment' ? place.period.bonusMs : 0;
      const isLow =
        rate === 'standard' &&
        place !== undefined &&
        ply.clockMs !== undefined &&
        !mustWrite(ply.clockMs, bonusMs, rate);
      const isTold = told.some((flag) => flag.ply === number - 1 || flag.ply === number - 2);
      if (isFree || isLow || isTold) {
        const last = isFree ? found.pop()! : undefined;
        isFree = true;
        found.push({ side, ply: last?.ply ?? number, lastPly: number });
      }
    }
  }
  return found.sort((a, b) => a.ply - b.ply);
}
