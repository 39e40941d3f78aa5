/** Games written down for tests of the laws: SAN with marks for what was not seen. */
import type { PlyRecord } from '../../../core/game-event.ts';
import { GameLine } from '../../../core/laws/game-line.ts';
import { roleOfCell } from '../../../core/placement.ts';
import { Position, START_FEN } from '../../../core/position.ts';
import { playRecorded } from '../../../core/recorded-ply.ts';

/** A position of a test; one that cannot be read is a mistake of ours. */
export function at(fen: string): Position {
  const position = Position.fromFen(fen);
  if (!position.ok) throw new Error(position.fault.message);
  return position.value;
}

/**
 * Records of moves: `Nf3`, `~Nf3` for one that nobody saw, `Nf3|Nh3` for one of which both fit (the first is stored),
 * `Nf3?` for a provisional one, `!e1e3` for one that stands although illegal.
 */
export function writePlies(start: Position, moves: readonly string[]): PlyRecord[] {
  let position = start;
  return moves.map((text, i) => {
    const inferred = text.startsWith('~');
    const provisional = text.endsWith('?');
    const candidates = text.replace(/^~|\?$/g, '').split('|');
    const san = candidates[0]!;
    const played = playRecorded(position, san);
    if (played === undefined) throw new Error(`${san} cannot be played in ${position.fen()}`);
    const uci = played.move === undefined ? san.slice(1) : position.uci(played.move);
    const written = played.move === undefined ? san : position.san(played.move);
    position = played.after;
    return {
      san: written,
      uci,
      state: provisional ? 'provisional' : candidates.length > 1 ? 'ambiguous' : 'confirmed',
      madeAtMs: (i + 1) * 10_000,
      completedAtMs: (i + 1) * 10_000 + 500,
      ...(candidates.length > 1 && { candidates: [written, ...candidates.slice(1)] }),
      ...(inferred && { inferred }),
    };
  });
}

/** The line of a written game. */
export function writeLine(moves: readonly string[] | string, fen = START_FEN): GameLine {
  const line = new GameLine(fen);
  const list = typeof moves === 'string' ? moves.split(' ').filter((word) => word !== '') : moves;
  for (const [i, ply] of writePlies(at(fen), list).entries()) line.put(i + 1, ply);
  if (line.brokenAt !== undefined) throw new Error(`ply ${line.brokenAt} cannot be played`);
  return line;
}

/** Quiet half-moves from a position: always one to a position that was reached least often before, so none comes a third time. */
export function walkPlies(start: Position, count: number): string[] {
  const moves: string[] = [];
  const visits = new Map([[start.key(), 1]]);
  const visitsOf = (position: Position): number => visits.get(position.key()) ?? 0;
  let position = start;
  for (let ply = 0; ply < count; ply++) {
    let best: { san: string; after: Position } | undefined;
    for (const move of position.moves()) {
      const role = roleOfCell(position.cells[move.from]!);
      if (move.captured !== undefined || role === 'pawn' || move.castling !== undefined) continue;
      const after = position.play(move);
      if (after.isCheck() || after.ending() !== undefined) continue;
      if (best === undefined || visitsOf(after) < visitsOf(best.after))
        best = { san: position.san(move), after };
    }
    if (best === undefined) throw new Error('the walk has come to an end');
    moves.push(best.san);
    position = best.after;
    visits.set(position.key(), visitsOf(position) + 1);
  }
  if (Math.max(...visits.values()) > 2) throw new Error('the walk came to a position three times');
  return moves;
}
