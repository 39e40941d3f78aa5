/**
 * Legal sequences between two placements: what may have been played while nobody looked (a lost link, a lost update,
 * several plies in one scan). Iterative deepening; the budget is counted in moves played, so that the answer is the
 * same on every machine.
 */
import { type Cell, cellOf, EMPTY, type Placement, type Role, roleOfCell, sideOfCell } from '../placement.ts';
import type { Move, Position } from '../position.ts';
import { fileOf, opponent, rankOf, type Side, type Square } from '../square.ts';
import { isOnLastRank } from './cost.ts';
import { differences, isExcused, type Stale, shows } from './match.ts';

/** The shortest sequences found, all of one length. */
export interface GapResult {
  readonly lines: readonly (readonly Move[])[];
  /** Number of plies of each line; 0 when the placements agree already. */
  readonly plies: number;
  /** True when not every sequence of that length was tried: the budget ran out, or there are too many. */
  readonly cut: boolean;
}

const MAX_LINES = 64;

/** How many squares must still be reached by each side's pieces, and how many moves that takes at least. */
interface Need {
  readonly white: number;
  readonly black: number;
  readonly whiteMoves: number;
  readonly blackMoves: number;
  /** Squares on which something stands of which the sensor does not tell what. */
  readonly any: number;
  /** The kinds of pieces that must still come: bit n for cell n. */
  readonly kinds: number;
}

function needOf(board: Placement, cells: Placement, stale: Stale): Need {
  const need = { white: 0, black: 0, whiteMoves: 0, blackMoves: 0, any: 0, kinds: 0 };
  for (let square = 0; square < 64; square++) {
    const seen = board[square]!;
    if (seen === EMPTY || seen === cells[square] || isExcused(board, square, cells[square]!, stale)) continue;
    const side = sideOfCell(seen);
    need.kinds |= 1 << seen;
    // A pawn may be promoted to it.
    if (side !== undefined && isOnLastRank(square, side)) need.kinds |= 1 << cellOf(side, 'pawn');
    if (side === undefined) need.any++;
    else if (side === 'white') {
      need.white++;
      need.whiteMoves += movesTo(square, seen, board, cells);
    } else {
      need.black++;
      need.blackMoves += movesTo(square, seen, board, cells);
    }
  }
  return need;
}

/** The least number of moves after which such a piece stands on a square: one that is not where it is to stay, or a pawn. */
function movesTo(to: Square, cell: Cell, board: Placement, cells: Placement): number {
  const role = roleOfCell(cell)!;
  let least = OUT_OF_REACH;
  for (let from = 0; from < 64; from++) {
    if (cells[from] !== cell) {
      // A pawn that goes may be promoted.
      const isPawn = roleOfCell(cells[from]!) === 'pawn' && sideOfCell(cells[from]!) === sideOfCell(cell);
      if (isPawn && role !== 'king' && isOnLastRank(to, sideOfCell(cell))) least = 1;
      continue;
    }
    // Where it stays, another must come in its place.
    const moves = leastMoves(role, cell, from, to) + (board[from] === cell ? 1 : 0);
    if (moves < least) least = moves;
  }
  return least;
}

/** The least number of moves of a piece from a square to another, whatever stands between. */
function leastMoves(role: Role, cell: Cell, from: Square, to: Square): number {
  const files = Math.abs(fileOf(from) - fileOf(to));
  const ranks = Math.abs(rankOf(from) - rankOf(to));
  switch (role) {
    case 'king':
      return Math.max(files, ranks);
    case 'rook':
      return files === 0 || ranks === 0 ? 1 : 2;
    case 'queen':
      return files === 0 || ranks === 0 || files === ranks ? 1 : 2;
    case 'bishop':
      return (files + ranks) % 2 !== 0 ? OUT_OF_REACH : files === ranks ? 1 : 2;
    case 'knight':
      return (files === 1 && ranks === 2) || (files === 2 && ranks === 1)
        ? 1
        : (files + ranks) % 2 === 0
          ? 2
          : 3;
    case 'pawn': {
      const isWhite = sideOfCell(cell) === 'white';
      const ahead = (rankOf(to) - rankOf(from)) * (isWhite ? 1 : -1);
      if (ahead < 1 || files > ahead) return OUT_OF_REACH;
      const isHome = rankOf(from) === (isWhite ? 1 : 6);
      return Math.max(1, files, isHome ? ahead - 1 : ahead);
    }
  }
}

const OUT_OF_REACH = 99;

const isNeeded = (move: Move, { cells }: Position, kinds: number): boolean =>
  move.castling !== undefined || ((kinds >> cells[move.from]!) & 1) === 1;

/**
 * Searches the shortest legal sequences from `position` to what `board` shows, at least `minPlies` and at most `maxPlies` long, with at
 * most `budget` moves played. Returns undefined when there is none within these bounds.
 */
export function searchGap(
  board: Placement,
  position: Position,
  stale: Stale,
  maxPlies: number,
  budget: number,
  minPlies = 0,
): GapResult | undefined {
  if (minPlies === 0 && shows(board, position.cells, stale)) return { lines: [[]], plies: 0, cut: false };
  let nodes = 0;
  let cut = false;
  const lines: Move[][] = [];

  /** Castling brings two pieces home at once, the king from further than a step. */
  const most = position.variant === 'chess960' ? 6 : 2;
  const saved = (count: number, at: Position, side: Side): number =>
    count >= 2 && at.castlingRooks(side).length > 0 ? most : 0;

  /** Whether so many plies, the first by `turn`, are too few to bring what must come; `at` tells of castling rights. */
  const isTooFar = (need: Need, turn: Side, at: Position, depth: number): boolean => {
    if (need.white + need.black + need.any > depth + 2) return true;
    const own = (depth + 1) >> 1;
    const [white, black] = turn === 'white' ? [own, depth >> 1] : [depth >> 1, own];
    return (
      (need.whiteMoves > white && need.whiteMoves - saved(need.white, at, 'white') > white) ||
      (need.blackMoves > black && need.blackMoves - saved(need.black, at, 'black') > black)
    );
  };

  const after: Placement = new Uint8Array(64);
  const descend = (at: Position, depth: number, line: Move[], need: Need): void => {
    const { turn } = at;
    const isWhite = turn === 'white';
    const ownMoves = isWhite
      ? need.whiteMoves - saved(need.white, at, 'white')
      : need.blackMoves - saved(need.black, at, 'black');
    // With no move to spare, each must be one of a piece that has to come, and lead there if all are one move away.
    const isTight = ownMoves === (depth + 1) >> 1 && need.any === 0;
    const isNext = isTight && (isWhite ? need.white : need.black) === ownMoves;
    const moves =
      depth === 1
        ? candidatesForLast(board, at, stale)
        : isTight
          ? movesOfNeeded(at, need.kinds)
          : at.moves();
    for (const move of moves) {
      if (isTight && !isNeeded(move, at, need.kinds)) continue;
      if (isNext && !move.changes.some((c) => c.after !== EMPTY && board[c.square] === c.after)) continue;
      if (++nodes > budget || lines.length >= MAX_LINES) {
        cut = true;
        return;
      }
      after.set(at.cells);
      for (const change of move.changes) after[change.square] = change.after;
      if (depth === 1) {
        if (shows(board, after, stale)) lines.push([...line, move]);
        continue;
      }
      // Most moves lead away: that is seen without playing them. Rights that the move loses count as if they were kept.
      const left = needOf(board, after, stale);
      if (isTooFar(left, opponent(turn), at, depth - 1)) continue;
      const next = at.play(move);
      if (isTooFar(left, next.turn, next, depth - 1)) continue;
      descend(next, depth - 1, [...line, move], left);
      if (cut) return;
    }
  };

  const first = needOf(board, position.cells, stale);
  for (let plies = Math.max(1, minPlies); plies <= maxPlies; plies++) {
    if (!isTooFar(first, position.turn, position, plies)) descend(position, plies, [], first);
    if (lines.length > 0) return { lines, plies, cut };
    if (cut) return undefined;
  }
  return undefined;
}

/** Moves of the kinds of pieces that must come, and of the king, who may castle. */
function movesOfNeeded(at: Position, kinds: number): readonly Move[] {
  const moves: Move[] = [];
  const king = at.kingOf(at.turn);
  for (let from = 0; from < 64; from++)
    if (((kinds >> at.cells[from]!) & 1) === 1 || from === king) moves.push(...at.movesFrom(from));
  return moves;
}

/** Moves that can be the last one: they must touch every square that still differs. */
function candidatesForLast(board: Placement, at: Position, stale: Stale): readonly Move[] {
  const differing = differences(board, at.cells, stale);
  if (differing.length === 0 || differing.length > 4) return [];
  const touchesAll = (move: Move): boolean =>
    differing.every((square) => move.changes.some((c) => c.square === square));
  if (differing.length === 1) return at.moves().filter(touchesAll);
  // Only castling and a capture en passant touch more than two squares: else the piece has left one of these.
  const king = at.kingOf(at.turn);
  const moves: Move[] = [];
  for (let from = 0; from < 64; from++) {
    if (differing.includes(from) || from === king || roleOfCell(at.cells[from]!) === 'pawn')
      moves.push(...at.movesFrom(from).filter(touchesAll));
  }
  return moves;
}
