/**
 * What of a game may be shown at a time. A function of what is stored and nothing else: after a restart the same is shown
 * as before, and nothing that is younger than the delay.
 */
import type { PlyRecord } from '../../core/game-event.ts';
import type { GameRecord } from '../../core/game-record.ts';
import type { GameTimes } from '../game-times.ts';
import { isCertain } from '../pgn/written-plies.ts';

export interface Delay {
  /** Nothing is shown before it is so old, ms. */
  readonly ms: number;
  /** So many of the last plies are held back until the game is over. */
  readonly plies: number;
}

export const NO_DELAY: Delay = { ms: 0, plies: 0 };

/** A game as it may be shown. */
export interface Release {
  /** The game cut to what may be shown: plies, clock times, result. */
  readonly record: GameRecord;
  /** When the last ply with a clock time that is shown could be shown for the first time, monotonic ms. */
  readonly clockAtMs: number | undefined;
  /** When more of the same record may be shown, if nothing happens before; undefined when all is. */
  readonly nextAtMs: number | undefined;
}

/** Whether a record says how the game ended. */
export const isOver = ({ result, score }: GameRecord): boolean => result !== '*' || score !== undefined;

/**
 * Cuts a game to what may be shown at `nowMs`. The record is the newest one, so what is known by now to be wrong is not
 * shown any more; what is in it may be shown when it is certain and has been so for `delay.ms`. The result is shown
 * together with the last ply, never before it. With `heldSinceMs` the game stays as it could be shown then.
 */
export function releaseGame(
  record: GameRecord,
  times: GameTimes,
  nowMs: number,
  delay: Delay,
  heldSinceMs?: number,
): Release {
  const untilMs = heldSinceMs === undefined ? nowMs : Math.min(nowMs, heldSinceMs);
  const waits: number[] = [];
  const isDue = (atMs: number): boolean => {
    if (atMs <= untilMs) return true;
    if (heldSinceMs === undefined) waits.push(atMs);
    return false;
  };

  const certain = countCertain(record);
  const known = (index: number): number =>
    Math.max(record.plies[index]!.madeAtMs, times.certainSinceMs[index] ?? record.plies[index]!.madeAtMs);
  // A ply that is on the board and not certain yet: the game may be longer than what can be shown.
  const isSettled = record.ended || !record.plies.some((ply) => ply?.state === 'provisional');
  const overAtMs = isOver(record) && isSettled ? (times.resultSinceMs ?? nowMs) + delay.ms : undefined;
  // A game that is over needs nothing held back; that it is has to be old enough itself.
  const isLifted = overAtMs !== undefined && isDue(overAtMs);
  const heldBack = isLifted ? 0 : delay.plies;
  // With plies held back, a ply comes out when the one that many later is certain.
  const dueAt = (index: number): number => {
    const followed = heldBack > 0 ? known(index + heldBack) : 0;
    return Math.max(known(index) + delay.ms, followed);
  };

  const plies: PlyRecord[] = [];
  let clockAtMs: number | undefined;
  for (let index = 0; index < certain - heldBack; index++) {
    const atMs = dueAt(index);
    if (!isDue(atMs)) break;
    const ply = record.plies[index]!;
    // A press that is younger than the delay: the move is shown, its time is not yet.
    const pressAtMs = Math.max((ply.completedAtMs ?? 0) + delay.ms, atMs);
    if (ply.completedAtMs === undefined || isDue(pressAtMs)) {
      plies.push(ply);
      if (ply.completedAtMs !== undefined && ply.clockMs !== undefined) clockAtMs = pressAtMs;
    } else plies.push(withoutPress(ply));
  }

  const isTold = isLifted && plies.length === certain;
  const shown: GameRecord = {
    ...record,
    plies,
    ...(!isTold && { result: '*', reason: undefined, score: undefined, ended: false }),
  };
  return { record: shown, clockAtMs, nextAtMs: waits.length === 0 ? undefined : Math.min(...waits) };
}

function countCertain({ plies }: GameRecord): number {
  let count = 0;
  while (count < plies.length && plies[count] !== undefined && isCertain(plies[count]!.state)) count++;
  return count;
}

const withoutPress = ({ clockMs: _, completedAtMs: __, ...ply }: PlyRecord): PlyRecord => ply;
