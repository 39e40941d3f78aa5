import type { PlyRecord, PlyState } from '../../core/game-event.ts';
import type { GameRecord } from '../../core/game-record.ts';
import { Position } from '../../core/position.ts';
import type { Side } from '../../core/square.ts';

/** A ply as every reader can play it. */
export interface WrittenPly {
  readonly ply: PlyRecord;
  /** Checked and spelt anew from the position in which it was played. */
  readonly san: string;
  readonly side: Side;
  /** Number of the move as it stands before the dot. */
  readonly moveNumber: number;
  /** Time from the completion of the ply before to that of this one; undefined where one of them is not known. */
  readonly spentMs: number | undefined;
}

/** Why the text of a game stops before the last ply of its record. */
export type TextStop =
  | { readonly type: 'illegal'; readonly squares: string }
  /** A hole, or something that cannot be played. */
  | { readonly type: 'unplayable' };

export interface WrittenPlies {
  readonly plies: readonly WrittenPly[];
  /** Absent when all that may be shown is written. */
  readonly stop?: TextStop;
}

/** Whether a ply may be shown to the world. */
export const isCertain = (state: PlyState): boolean => state === 'confirmed' || state === 'settled';

/**
 * The plies of a record that may be written: up to the first that is not certain (unless `all`), and up to a move that
 * is not legal where it stands, by which many readers refuse the whole game (broadcast-pgn-trf 1.4).
 */
export function writtenPlies(record: GameRecord, all = false): WrittenPlies {
  const plies: WrittenPly[] = [];
  const start = Position.fromFen(record.start, record.variant);
  let position = start.ok ? start.value : undefined;
  let beforeMs: number | undefined;
  for (const ply of record.plies) {
    // A record that was filled with a gap has holes.
    if (ply === undefined) break;
    if (!all && !isCertain(ply.state)) break;
    if (ply.san.startsWith('!'))
      return { plies, stop: { type: 'illegal', squares: ply.san.slice(1).replace(/[^a-h1-8nbrq]/g, '') } };
    const move = position?.parseUci(ply.uci) ?? position?.parseSan(ply.san);
    if (position === undefined || move === undefined) return { plies, stop: { type: 'unplayable' } };
    const { completedAtMs } = ply;
    const spentMs =
      completedAtMs === undefined || beforeMs === undefined ? undefined : completedAtMs - beforeMs;
    beforeMs = completedAtMs;
    plies.push({
      ply,
      san: position.san(move),
      side: position.turn,
      moveNumber: position.fullmoves,
      spentMs,
    });
    position = position.play(move);
  }
  return { plies };
}
