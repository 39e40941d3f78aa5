import type { Correction } from '../core/correction.ts';
import type { GameRecord } from '../core/game-record.ts';
import { lineOf } from '../core/laws/game-line.ts';
import { playRecorded } from '../core/recorded-ply.ts';

/** A correction that can be made of a record, and what follows from it. */
export interface CheckedCorrection {
  readonly correction: Pick<Correction, 'type' | 'from' | 'plies' | 'replaces'>;
  /** What is played at the corrected plies, SAN. */
  readonly sans: readonly string[];
  /** How many plies of the record stay behind them. */
  readonly kept: number;
  /** Plies of the record that stay no longer: their number, of those behind the corrected ones. */
  readonly dropped: number;
}

/** Why a correction cannot be made: the move that is not legal, and the number of the ply it would be. */
export interface CorrectionFault {
  readonly move: string;
  readonly ply: number;
}

/**
 * Checks what an operator says was played from ply `from` on against the record: SAN or UCI of legal moves, or `!e1g1` for
 * one that was played although it is illegal. `from` is at most one past the last ply; `replaces` is how many plies of the
 * record these take the place of, all that follow when undefined.
 */
export function checkCorrection(
  record: GameRecord,
  from: number,
  moves: readonly string[],
  replaces: number | undefined,
): CheckedCorrection | CorrectionFault {
  const line = lineOf(record.start, record.variant, record.plies.slice(0, from - 1));
  let { position } = line;
  // Behind a ply that cannot be played nothing can be checked.
  if (line.brokenAt !== undefined) return { move: record.plies[line.brokenAt - 1]!.san, ply: line.brokenAt };
  const plies: string[] = [];
  const sans: string[] = [];
  for (const [i, text] of moves.entries()) {
    const played = playRecorded(position, text, text);
    if (played === undefined) return { move: text, ply: from + i };
    plies.push(played.move === undefined ? text : position.uci(played.move));
    sans.push(played.move === undefined ? text : position.san(played.move));
    position = played.after;
  }
  const rest = record.plies.slice(from - 1 + (replaces ?? moves.length));
  let kept = 0;
  for (const ply of replaces === undefined ? [] : rest) {
    const played = playRecorded(position, ply.san, ply.uci);
    if (played === undefined) break;
    position = played.after;
    kept++;
  }
  const said = { type: 'correction', from, plies } as const;
  const correction = replaces === undefined ? said : { ...said, replaces };
  return { correction, sans, kept, dropped: rest.length - kept };
}
