/**
 * Legal sequences between two placements: what may have been played while nobody looked (a lost link, a lost update,
 * several plies in one scan). Iterative deepening on a board that is changed in place; the budget is counted in moves tried, so
 * that the answer is the same on every machine.
 */
import {
  type Cell,
  cellOf,
  EMPTY,
  OCCUPIED,
  type Placement,
  type Role,
  roleOfCell,
  sideOfCell,
} from '../placement.ts';
import type { Move, Position } from '../position.ts';
import { CASTLING, fromOf, kindOf, MOST_MOVES, type PackedMove, SearchBoard, toOf } from '../search-board.ts';
import { fileOf, rankOf, type Square } from '../square.ts';
import { isOnLastRank } from './cost.ts';
import { isExcused, type Stale, shows } from './match.ts';

/** The shortest sequences found, all of one length. */
export interface GapResult {
  readonly lines: readonly (readonly Move[])[];
  /** Number of plies of each line; 0 when the placements agree already. */
  readonly plies: number;
  /** True when not every sequence of that length was tried: the budget ran out, or there are too many. */
  readonly cut: boolean;
}

const MAX_LINES = 64;

/**
 * Searches the shortest legal sequences from `position` to what `board` shows, at least `minPlies` and at most `maxPlies` long, with at
 * most `budget` moves tried. Returns undefined when there is none within these bounds, or the position has not one king a side.
 */
export function searchGap(
  board: Placement,
  position: Position,
  stale: Stale,
  maxPlies: number,
  budget: number,
  minPlies = 0,
): GapResult | undefined {
  const from = SearchBoard.fromPosition(position);
  if (from === undefined) return undefined;
  const search = new GapSearch(from, board, stale, budget);
  if (minPlies === 0 && shows(board, position.cells, stale)) return { lines: [[]], plies: 0, cut: false };
  for (let plies = Math.max(1, minPlies); plies <= maxPlies; plies++) {
    const { lines, cut } = search.find(plies);
    if (lines.length > 0) return { lines: unpack(lines, position, from), plies, cut };
    if (cut) return undefined;
  }
  return undefined;
}

/** What a side's pieces still have to reach. */
interface Need {
  /** Squares, and how many moves that takes at least: by side. */
  readonly squares: [white: number, black: number];
  readonly moves: [white: number, black: number];
  /** Squares on which something stands of which the sensor does not tell what. */
  vague: number;
  /** The kinds of pieces that must still come: bit n for cell n. */
  kinds: number;
}

/** What a search keeps for the moment at which so many plies are left. */
interface Level {
  readonly moves: Int32Array;
  readonly need: Need;
  /** Positions from which no plies lead to the board. */
  readonly dead: Set<number>;
}

const createLevel = (): Level => ({
  moves: new Int32Array(MOST_MOVES),
  need: { squares: [0, 0], moves: [0, 0], vague: 0, kinds: 0 },
  dead: new Set(),
});

class GapSearch {
  readonly #at: SearchBoard;
  readonly #board: Placement;
  readonly #stale: Stale;
  readonly #budget: number;
  /** How many pieces of each kind the board shows, where it tells them all. */
  readonly #shown: Uint8Array | undefined;
  /** Castling brings two pieces home at once, the king from further than a step. */
  readonly #saved: number;
  #tried = 0;
  #cut = false;
  #lines: PackedMove[][] = [];
  readonly #line: PackedMove[] = [];
  readonly #levels: Level[] = [];

  constructor(at: SearchBoard, board: Placement, stale: Stale, budget: number) {
    this.#at = at;
    this.#board = board;
    this.#stale = stale;
    this.#budget = budget;
    this.#saved = at.chess960 ? 6 : 2;
    const isVague = stale.size > 0 || board.some((cell) => cell >= OCCUPIED);
    if (isVague) return;
    this.#shown = new Uint8Array(OCCUPIED);
    for (const cell of board) this.#shown[cell]!++;
  }

  /** All sequences of exactly so many plies, as far as the budget goes. */
  find(plies: number): { readonly lines: readonly (readonly PackedMove[])[]; readonly cut: boolean } {
    while (this.#levels.length <= plies) this.#levels.push(createLevel());
    const need = this.#need(plies);
    if (!this.#isTooFar(need, plies)) this.#descend(plies, need);
    return { lines: this.#lines, cut: this.#cut };
  }

  /** Tries all moves that may be the first of `depth` plies to the board; true when one of them is. */
  #descend(depth: number, need: Need): boolean {
    const at = this.#at;
    const board = this.#board;
    const { turn } = at;
    const spare = ((depth + 1) >> 1) - this.#leastMoves(need, turn);
    // With no move to spare, each must be one of a piece that has to come, and lead there if all are one move away.
    const isKnown = need.vague === 0;
    const isNext = isKnown && spare === 0 && need.squares[turn] === need.moves[turn];
    const useful = !isKnown || spare > 1 ? -1 : spare === 0 ? need.kinds : need.kinds | this.#going();
    const { moves } = this.#levels[depth]!;
    const count = at.generate(moves);
    const checked = at.isCheck();
    let isFound = false;
    for (let i = 0; i < count && !this.#cut; i++) {
      const move = moves[i]!;
      const isCastling = kindOf(move) === CASTLING;
      if (!isCastling && ((useful >> at.cells[fromOf(move)]!) & 1) === 0) continue;
      if (++this.#tried > this.#budget || this.#lines.length >= MAX_LINES) {
        this.#cut = true;
        break;
      }
      if (!at.tryMake(move, checked)) continue;
      const to = toOf(move);
      if (!isNext || isCastling || board[to] === at.cells[to]) {
        this.#line.push(move);
        if (this.#goOn(depth - 1)) isFound = true;
        this.#line.pop();
      }
      at.unmake(move);
    }
    return isFound;
  }

  /** After a move: whether `depth` more lead to the board. */
  #goOn(depth: number): boolean {
    if (depth === 0) {
      if (!shows(this.#board, this.#at.cells, this.#stale)) return false;
      this.#lines.push([...this.#line]);
      return true;
    }
    const at = this.#at;
    const need = this.#need(depth);
    if (this.#isTooFar(need, depth)) return false;
    const { dead } = this.#levels[depth]!;
    // 53 bits of the hash: enough for the some ten thousand positions of a search.
    const key = (at.hashLow >>> 0) * 0x200000 + (at.hashHigh & 0x1fffff);
    if (dead.has(key)) return false;
    const isFound = this.#descend(depth, need);
    if (!isFound && !this.#cut) dead.add(key);
    return isFound;
  }

  /** Kinds of which there are more than the board shows: they may be taken, wherever they go. */
  #going(): number {
    if (this.#shown === undefined) return -1;
    let kinds = 0;
    for (let cell = 1; cell <= 12; cell++)
      if (this.#at.counts[cell]! > this.#shown[cell]!) kinds |= 1 << cell;
    return kinds;
  }

  #leastMoves({ squares, moves }: Need, side: 0 | 1): number {
    const mayCastle = squares[side] >= 2 && ((this.#at.castling >> (2 * side)) & 3) !== 0;
    return moves[side] - (mayCastle ? this.#saved : 0);
  }

  /** Whether so many plies are too few to bring what must come. */
  #isTooFar(need: Need, depth: number): boolean {
    if (need.squares[0] + need.squares[1] + need.vague > depth + 2) return true;
    const { turn } = this.#at;
    const own = (depth + 1) >> 1;
    const other = depth >> 1;
    return this.#leastMoves(need, turn) > own || this.#leastMoves(need, turn === 0 ? 1 : 0) > other;
  }

  /** What must still come before the board is reached, for the moment at which `depth` plies are left. */
  #need(depth: number): Need {
    const { need } = this.#levels[depth]!;
    need.squares[0] = need.squares[1] = need.moves[0] = need.moves[1] = 0;
    need.vague = need.kinds = 0;
    const board = this.#board;
    const { cells } = this.#at;
    for (let square = 0; square < 64; square++) {
      const seen = board[square]!;
      if (seen === EMPTY || seen === cells[square]) continue;
      if (seen >= OCCUPIED || this.#stale.size > 0) {
        if (isExcused(board, square, cells[square]!, this.#stale)) continue;
      }
      const side = sideOfCell(seen);
      need.kinds |= 1 << seen;
      // A pawn may be promoted to it.
      if (side !== undefined && isOnLastRank(square, side)) need.kinds |= 1 << cellOf(side, 'pawn');
      if (side === undefined) need.vague++;
      else {
        const index = side === 'white' ? 0 : 1;
        need.squares[index]++;
        need.moves[index] += movesTo(square, seen, board, cells);
      }
    }
    return need;
  }
}

/** The moves of lines, as the rules of `position` have them; lines share what they begin with. */
function unpack(
  lines: readonly (readonly PackedMove[])[],
  position: Position,
  board: SearchBoard,
): readonly (readonly Move[])[] {
  const known = new Map<string, { readonly move: Move; readonly position: Position }>();
  return lines.map((line) => {
    const moves: Move[] = [];
    let at = position;
    let path = '';
    for (const packed of line) {
      path += ` ${packed}`;
      let next = known.get(path);
      if (next === undefined) {
        // The search makes no move that the rules do not know (test/core/search-board.test.ts).
        const move = at.parseUci(board.uci(packed))!;
        next = { move, position: at.play(move) };
        known.set(path, next);
      }
      moves.push(next.move);
      at = next.position;
    }
    return moves;
  });
}

/** The least number of moves after which such a piece stands on a square: one that is not where it is to stay, or a pawn. */
function movesTo(to: Square, cell: Cell, board: Placement, cells: Placement): number {
  const role = roleOfCell(cell)!;
  const side = sideOfCell(cell)!;
  // A pawn that goes may be promoted.
  const pawn = role !== 'king' && role !== 'pawn' && isOnLastRank(to, side) ? cellOf(side, 'pawn') : EMPTY;
  let least = OUT_OF_REACH;
  for (let from = 0; from < 64; from++) {
    const stands = cells[from]!;
    if (stands === EMPTY) continue;
    if (stands === pawn) least = 1;
    if (stands !== cell) continue;
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
