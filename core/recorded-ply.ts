/** What a record says of a ply, played. */
import { EMPTY, roleOfCell, sideOfCell } from './placement.ts';
import type { Change, Move, Position } from './position.ts';
import { parseSquare, type Square } from './square.ts';

/** What a ply does to a position, legal or not; undefined when its squares cannot be read. */
export interface Played {
  readonly after: Position;
  readonly move: Move | undefined;
  readonly from: Square;
  readonly to: Square;
  readonly changes: readonly Change[];
  /** A pawn was moved or a piece captured: the count of 9.3 begins anew. */
  readonly zeroes: boolean;
}

/**
 * Plays what a record says: SAN or UCI of a legal move, or `!d5e3` for one that stands although illegal (an illegal
 * castling is written as the king's step, the rook having gone along). Undefined when it says nothing that can be played.
 */
export function playRecorded(position: Position, san: string, uci?: string): Played | undefined {
  if (san.startsWith('!')) return playUnlawful(position, san.slice(1));
  const move = (uci === undefined ? undefined : position.parseUci(uci)) ?? position.parseSan(san);
  if (move === undefined) return undefined;
  const zeroes = move.captured !== undefined || roleOfCell(position.cells[move.from]!) === 'pawn';
  const { from, to, changes } = move;
  return { after: position.play(move), move, from, to, changes, zeroes };
}

function playUnlawful(position: Position, text: string): Played | undefined {
  const from = parseSquare(text.slice(0, 2));
  const to = parseSquare(text.slice(2, 4));
  if (from === undefined || to === undefined || from === to) return undefined;
  const moved = position.cells[from]!;
  if (moved === EMPTY) return undefined;
  const target = position.cells[to]!;
  const changes: Change[] = [
    { square: to, before: target, after: moved },
    { square: from, before: moved, after: EMPTY },
    ...rookGoingAlong(position, from, to),
  ];
  const zeroes = target !== EMPTY || roleOfCell(moved) === 'pawn';
  return { after: position.playIllegal(changes), move: undefined, from, to, changes, zeroes };
}

/** The rook of an illegal castling: the king went two squares along its own rank towards a rook at the edge. */
function rookGoingAlong(position: Position, from: Square, to: Square): Change[] {
  const king = position.cells[from]!;
  if (roleOfCell(king) !== 'king' || from >> 3 !== to >> 3 || Math.abs(to - from) !== 2) return [];
  const corner = (from & 56) + (to > from ? 7 : 0);
  const rook = position.cells[corner]!;
  if (roleOfCell(rook) !== 'rook' || sideOfCell(rook) !== sideOfCell(king)) return [];
  const beside = (from + to) / 2;
  return [
    { square: beside, before: position.cells[beside]!, after: rook },
    { square: corner, before: rook, after: EMPTY },
  ];
}
