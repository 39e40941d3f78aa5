import { DISTANCE, KING_TARGETS, KNIGHT_TARGETS, LINES, PAWN_TARGETS, RAYS } from './geometry.ts';
import { EMPTY, parsePlacement } from './placement.ts';
import type { Position } from './position.ts';
import { makeSquare, type Square } from './square.ts';

/** 0 = white, 1 = black: an index into tables. */
export type SideIndex = 0 | 1;

export const PAWN = 1;
export const KNIGHT = 2;
export const BISHOP = 3;
export const ROOK = 4;
export const QUEEN = 5;
export const KING = 6;

/** A cell is a role 1..6, and 6 more for black (as in `placement.ts`). */
export const roleOf = (cell: number): number => (cell > 6 ? cell - 6 : cell);

/**
 * A move in one number: from, to << 6, promotion (role, 0 = none) << 12, kind << 15. Castling goes from the king's square to
 * the rook's.
 */
export type PackedMove = number;

export const NORMAL = 0;
export const CASTLING = 1;
export const EN_PASSANT = 2;
export const DOUBLE_STEP = 3;

export const fromOf = (move: PackedMove): Square => move & 63;
export const toOf = (move: PackedMove): Square => (move >> 6) & 63;
export const promotionOf = (move: PackedMove): number => (move >> 12) & 7;
export const kindOf = (move: PackedMove): number => move >> 15;

/** More moves than any position has. */
export const MOST_MOVES = 512;

/** Numbers in a saved position. */
export const PACKED_LENGTH = 9;

const LAST_RANK = [7, 0];

/**
 * Numbers without a pattern, always the same: a position's hash is the exclusive or of those of its features. Index
 * `cell * 64 + square`; then 16 for castling rights, 8 for the file of an en passant square, and one for the turn.
 */
const FEATURES = 13 * 64 + 16 + 8 + 1;
const CASTLING_FEATURE = 13 * 64;
const EN_PASSANT_FEATURE = CASTLING_FEATURE + 16;
const TURN_FEATURE = EN_PASSANT_FEATURE + 8;
const scramble = (seed: number): Int32Array => {
  const numbers = new Int32Array(FEATURES);
  let state = seed;
  for (let i = 0; i < FEATURES; i++) {
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    numbers[i] = z ^ (z >>> 16);
  }
  return numbers;
};
const HASH_LOW = scramble(0x243f6a88);
const HASH_HIGH = scramble(0x13198a2e);

/**
 * A position that is changed in place, for searches that look at hundreds of thousands: moves are made and taken back.
 * Standard chess and Chess960. No king is ever captured.
 */
export class SearchBoard {
  readonly cells: Uint8Array = new Uint8Array(64);
  readonly kings: [Square, Square] = [0, 0];
  /** How many pieces stand in each cell value. */
  readonly counts: Uint8Array = new Uint8Array(13);
  turn: SideIndex = 0;
  /** Castling rights as bits: 1 << (2 * side + wing), wing 0 towards the a-file. */
  castling = 0;
  /** Where a pawn may capture in passing and a pawn stands that could; -1 when there is none. */
  enPassant = -1;
  hashLow = 0;
  hashHigh = 0;
  /** Whether castling is written as king takes rook. */
  readonly chess960: boolean;
  /** Squares of the castling rooks, by right. */
  readonly #rooks = new Int8Array(4);
  #history = new Int32Array(6 * 64);
  #depth = 0;

  private constructor(chess960: boolean) {
    this.chess960 = chess960;
  }

  /**
   * Takes over a position; undefined when it has not exactly one king a side, or a pawn stands on the first or last rank
   * (positions that were reached illegally): the laws say nothing of legal moves from there.
   */
  static fromPosition(position: Position): SearchBoard | undefined {
    const board = new SearchBoard(position.variant === 'chess960');
    const [placement, , , enPassant] = position.fen().split(' ');
    const cells = parsePlacement(placement!.replaceAll('~', ''));
    if (cells === undefined) return undefined;
    for (let square = 0; square < 64; square++) {
      const cell = cells[square]!;
      if (cell === EMPTY) continue;
      board.#put(square, cell);
      const role = roleOf(cell);
      if (role === KING) board.kings[cell > 6 ? 1 : 0] = square;
      if (role === PAWN && (square < 8 || square >= 56)) return undefined;
    }
    if (board.counts[KING] !== 1 || board.counts[KING + 6] !== 1) return undefined;
    for (const side of ['white', 'black'] as const) {
      const index = side === 'white' ? 0 : 1;
      for (const rook of position.castlingRooks(side)) {
        const right = 2 * index + (rook > board.kings[index] ? 1 : 0);
        board.castling |= 1 << right;
        board.#rooks[right] = rook;
      }
    }
    board.#mix(CASTLING_FEATURE + board.castling);
    if (position.turn === 'black') {
      board.turn = 1;
      board.#mix(TURN_FEATURE);
    }
    if (enPassant !== undefined && enPassant.length === 2) {
      board.enPassant = enPassant.charCodeAt(0) - 97 + 8 * (enPassant.charCodeAt(1) - 49);
      board.#mix(EN_PASSANT_FEATURE + (board.enPassant & 7));
    }
    return board;
  }

  /** Where the rook of a castling right (its bit number) stands. */
  rookOf(right: number): Square {
    return this.#rooks[right]!;
  }

  #mix(feature: number): void {
    this.hashLow ^= HASH_LOW[feature]!;
    this.hashHigh ^= HASH_HIGH[feature]!;
  }

  #put(square: Square, cell: number): void {
    this.cells[square] = cell;
    this.counts[cell]!++;
    const feature = cell * 64 + square;
    this.hashLow ^= HASH_LOW[feature]!;
    this.hashHigh ^= HASH_HIGH[feature]!;
  }

  #take(square: Square): void {
    const cell = this.cells[square]!;
    this.cells[square] = EMPTY;
    this.counts[cell]!--;
    const feature = cell * 64 + square;
    this.hashLow ^= HASH_LOW[feature]!;
    this.hashHigh ^= HASH_HIGH[feature]!;
  }

  /** Whether a side attacks a square. */
  isAttacked(square: Square, by: SideIndex): boolean {
    const cells = this.cells;
    const base = by === 0 ? 0 : 6;
    const pawns = PAWN_TARGETS[(1 - by) * 64 + square]!;
    for (let i = 0; i < pawns.length; i++) if (cells[pawns[i]!] === base + PAWN) return true;
    if (DISTANCE[square * 64 + this.kings[by]] === 1) return true;
    if (this.counts[base + KNIGHT] !== 0) {
      const leaps = KNIGHT_TARGETS[square]!;
      for (let i = 0; i < leaps.length; i++) if (cells[leaps[i]!] === base + KNIGHT) return true;
    }
    const queens = this.counts[base + QUEEN]!;
    if (queens + this.counts[base + ROOK]! !== 0) {
      for (let direction = 0; direction < 4; direction++) {
        const cell = this.#firstAlong(square, direction);
        if (cell === base + ROOK || cell === base + QUEEN) return true;
      }
    }
    if (queens + this.counts[base + BISHOP]! !== 0) {
      for (let direction = 4; direction < 8; direction++) {
        const cell = this.#firstAlong(square, direction);
        if (cell === base + BISHOP || cell === base + QUEEN) return true;
      }
    }
    return false;
  }

  #firstAlong(square: Square, direction: number): number {
    const ray = RAYS[square * 8 + direction]!;
    const cells = this.cells;
    for (let i = 0; i < ray.length; i++) {
      const cell = cells[ray[i]!]!;
      if (cell !== EMPTY) return cell;
    }
    return EMPTY;
  }

  /** Whether the side to move is in check. */
  isCheck(): boolean {
    return this.isAttacked(this.kings[this.turn], (1 - this.turn) as SideIndex);
  }

  /** Writes the moves of the side to move that leave its king out of account into a list; returns how many. */
  generate(moves: Int32Array): number {
    const { cells, turn } = this;
    const low = turn === 0 ? 1 : 7;
    const enemyKing = turn === 0 ? KING + 6 : KING;
    let n = 0;
    for (let from = 0; from < 64; from++) {
      const role = cells[from]! - low + 1;
      if (role < PAWN || role > KING) continue;
      if (role === PAWN) {
        n = this.#generatePawn(from, moves, n);
        continue;
      }
      if (role === KNIGHT || role === KING) {
        const targets = (role === KNIGHT ? KNIGHT_TARGETS : KING_TARGETS)[from]!;
        for (let i = 0; i < targets.length; i++) {
          const to = targets[i]!;
          const cell = cells[to]!;
          if (cell === EMPTY || ((cell < low || cell > low + 5) && cell !== enemyKing)) {
            moves[n++] = from | (to << 6);
          }
        }
        continue;
      }
      const last = role === ROOK ? 4 : 8;
      for (let direction = role === BISHOP ? 4 : 0; direction < last; direction++) {
        const ray = RAYS[from * 8 + direction]!;
        for (let i = 0; i < ray.length; i++) {
          const to = ray[i]!;
          const cell = cells[to]!;
          if (cell === EMPTY) {
            moves[n++] = from | (to << 6);
            continue;
          }
          if ((cell < low || cell > low + 5) && cell !== enemyKing) moves[n++] = from | (to << 6);
          break;
        }
      }
    }
    if ((this.castling >> (2 * turn)) & 3) n = this.#generateCastling(moves, n);
    return n;
  }

  #generatePawn(from: Square, moves: Int32Array, count: number): number {
    const { cells, turn } = this;
    let n = count;
    const forward = turn === 0 ? 8 : -8;
    const enemy = turn === 0 ? 7 : 1;
    const to = from + forward;
    const promotes = to >> 3 === LAST_RANK[turn];
    if (cells[to] === EMPTY) {
      if (promotes) {
        for (let role = QUEEN; role >= KNIGHT; role--) moves[n++] = from | (to << 6) | (role << 12);
      } else {
        moves[n++] = from | (to << 6);
        if (from >> 3 === (turn === 0 ? 1 : 6) && cells[to + forward] === EMPTY) {
          moves[n++] = from | ((to + forward) << 6) | (DOUBLE_STEP << 15);
        }
      }
    }
    const targets = PAWN_TARGETS[turn * 64 + from]!;
    for (let i = 0; i < targets.length; i++) {
      const target = targets[i]!;
      const cell = cells[target]!;
      if (cell >= enemy && cell < enemy + 5) {
        if (promotes) {
          for (let role = QUEEN; role >= KNIGHT; role--) moves[n++] = from | (target << 6) | (role << 12);
        } else moves[n++] = from | (target << 6);
      } else if (target === this.enPassant) moves[n++] = from | (target << 6) | (EN_PASSANT << 15);
    }
    return n;
  }

  /** Castling, whole: the king passes no attacked square (3.8.2.2), nothing stands between. */
  #generateCastling(moves: Int32Array, count: number): number {
    const { cells, turn } = this;
    const king = this.kings[turn];
    const enemy = (1 - turn) as SideIndex;
    let n = count;
    for (let wing = 0; wing < 2; wing++) {
      const right = 2 * turn + wing;
      if (((this.castling >> right) & 1) === 0) continue;
      const rook = this.#rooks[right]!;
      const base = king & 56;
      const kingTo = base + (wing === 0 ? 2 : 6);
      const rookTo = base + (wing === 0 ? 3 : 5);
      const from = Math.min(king, rook, kingTo, rookTo);
      const last = Math.max(king, rook, kingTo, rookTo);
      let free = true;
      for (let square = from; square <= last && free; square++) {
        if (cells[square] !== EMPTY && square !== king && square !== rook) {
          // Only what king and rook pass or enter must be free.
          const ofKing = square >= Math.min(king, kingTo) && square <= Math.max(king, kingTo);
          const ofRook = square >= Math.min(rook, rookTo) && square <= Math.max(rook, rookTo);
          if (ofKing || ofRook) free = false;
        }
      }
      for (let square = Math.min(king, kingTo); square <= Math.max(king, kingTo) && free; square++) {
        if (this.isAttacked(square, enemy)) free = false;
      }
      if (free) moves[n++] = king | (rook << 6) | (CASTLING << 15);
    }
    return n;
  }

  /**
   * Makes a move that `generate` gave if it leaves the own king unattacked; else changes nothing and returns false.
   * `checked` says whether the side to move is in check.
   */
  tryMake(move: PackedMove, checked: boolean): boolean {
    const { turn } = this;
    const from = move & 63;
    const king = this.kings[turn];
    this.make(move);
    if (
      (checked || from === king || kindOf(move) === EN_PASSANT || LINES[king * 64 + from] !== 0) &&
      this.isAttacked(this.kings[turn], this.turn)
    ) {
      this.unmake(move);
      return false;
    }
    return true;
  }

  /** Makes a move, legal or not. */
  make(move: PackedMove): void {
    const { cells, turn } = this;
    const from = move & 63;
    const to = (move >> 6) & 63;
    const kind = move >> 15;
    const moved = cells[from]!;
    const history = this.#history;
    const at = this.#depth * 6;
    history[at] = kind === CASTLING ? EMPTY : cells[to]!;
    history[at + 1] = this.castling;
    history[at + 2] = this.enPassant;
    history[at + 3] = this.hashLow;
    history[at + 4] = this.hashHigh;
    history[at + 5] = moved;
    if (++this.#depth * 6 === history.length) {
      this.#history = new Int32Array(history.length * 2);
      this.#history.set(history);
    }
    if (this.enPassant >= 0) {
      this.#mix(EN_PASSANT_FEATURE + (this.enPassant & 7));
      this.enPassant = -1;
    }
    if (this.castling !== 0) this.#dropRights(from, to);
    if (kind === CASTLING) {
      const base = from & 56;
      const rook = cells[to]!;
      this.#take(from);
      this.#take(to);
      this.#put(base + (to > from ? 6 : 2), moved);
      this.#put(base + (to > from ? 5 : 3), rook);
      this.kings[turn] = base + (to > from ? 6 : 2);
    } else {
      if (cells[to] !== EMPTY) this.#take(to);
      this.#take(from);
      const promotion = (move >> 12) & 7;
      this.#put(to, promotion === 0 ? moved : promotion + 6 * turn);
      if (moved === KING + 6 * turn) this.kings[turn] = to;
      else if (kind === EN_PASSANT) this.#take((from & 56) | (to & 7));
      else if (kind === DOUBLE_STEP) {
        // A right that nobody could use would make equal positions different.
        const pawn = turn === 0 ? PAWN + 6 : PAWN;
        if (((to & 7) > 0 && cells[to - 1] === pawn) || ((to & 7) < 7 && cells[to + 1] === pawn)) {
          this.enPassant = (from + to) >> 1;
          this.#mix(EN_PASSANT_FEATURE + (to & 7));
        }
      }
    }
    this.turn = (1 - turn) as SideIndex;
    this.#mix(TURN_FEATURE);
  }

  #dropRights(from: Square, to: Square): void {
    let left = this.castling;
    if (from === this.kings[this.turn]) left &= this.turn === 0 ? 12 : 3;
    for (let right = 0; right < 4; right++) {
      if ((left >> right) & 1 && (this.#rooks[right] === from || this.#rooks[right] === to))
        left &= ~(1 << right);
    }
    if (left !== this.castling) {
      this.#mix(CASTLING_FEATURE + this.castling);
      this.#mix(CASTLING_FEATURE + left);
      this.castling = left;
    }
  }

  /** Takes the last move back. */
  unmake(move: PackedMove): void {
    const { cells, counts } = this;
    const from = move & 63;
    const to = (move >> 6) & 63;
    const kind = move >> 15;
    this.#depth--;
    const history = this.#history;
    const at = this.#depth * 6;
    const turn = (1 - this.turn) as SideIndex;
    const moved = history[at + 5]!;
    if (kind === CASTLING) {
      const base = from & 56;
      cells[base + (to > from ? 6 : 2)] = EMPTY;
      cells[base + (to > from ? 5 : 3)] = EMPTY;
      cells[from] = moved;
      cells[to] = ROOK + 6 * turn;
      this.kings[turn] = from;
    } else {
      const captured = history[at]!;
      counts[cells[to]!]!--;
      counts[moved]!++;
      cells[to] = captured;
      cells[from] = moved;
      if (captured !== EMPTY) counts[captured]!++;
      if (moved === KING + 6 * turn) this.kings[turn] = from;
      else if (kind === EN_PASSANT) {
        const pawn = turn === 0 ? PAWN + 6 : PAWN;
        cells[(from & 56) | (to & 7)] = pawn;
        counts[pawn]!++;
      }
    }
    this.turn = turn;
    this.castling = history[at + 1]!;
    this.enPassant = history[at + 2]!;
    this.hashLow = history[at + 3]!;
    this.hashHigh = history[at + 4]!;
  }

  /** How many moves can be taken back. */
  get depth(): number {
    return this.#depth;
  }

  /** Writes the whole position as PACKED_LENGTH numbers that are the same for no other (given the castling rooks). */
  save(list: Int32Array, at: number): void {
    const cells = this.cells;
    for (let rank = 0; rank < 8; rank++) {
      const a = rank * 8;
      list[at + rank] =
        cells[a]! |
        (cells[a + 1]! << 4) |
        (cells[a + 2]! << 8) |
        (cells[a + 3]! << 12) |
        (cells[a + 4]! << 16) |
        (cells[a + 5]! << 20) |
        (cells[a + 6]! << 24) |
        (cells[a + 7]! << 28);
    }
    list[at + 8] = this.turn | (this.castling << 1) | ((this.enPassant + 1) << 5);
  }

  /** Takes over a position that was saved, and its hash; no move before it can be taken back. */
  load(list: Int32Array, at: number, hashLow: number, hashHigh: number): void {
    const { cells, counts, kings } = this;
    counts.fill(0);
    for (let square = 0; square < 64; square++) {
      const cell = (list[at + (square >> 3)]! >>> ((square & 7) * 4)) & 15;
      cells[square] = cell;
      counts[cell]!++;
      if (cell === KING) kings[0] = square;
      else if (cell === KING + 6) kings[1] = square;
    }
    counts[EMPTY] = 0;
    const state = list[at + 8]!;
    this.turn = (state & 1) as SideIndex;
    this.castling = (state >> 1) & 15;
    this.enPassant = (state >> 5) - 1;
    this.hashLow = hashLow;
    this.hashHigh = hashHigh;
    this.#depth = 0;
  }

  /** Whether the side to move has a legal move; `moves` is where it may write. */
  hasLegalMove(moves: Int32Array, checked: boolean): boolean {
    const n = this.generate(moves);
    for (let i = 0; i < n; i++) {
      if (this.tryMake(moves[i]!, checked)) {
        this.unmake(moves[i]!);
        return true;
      }
    }
    return false;
  }

  /** UCI of a move that `generate` gave. */
  uci(move: PackedMove): string {
    const from = fromOf(move);
    let to = toOf(move);
    if (kindOf(move) === CASTLING && !this.chess960) to = (from & 56) + (to > from ? 6 : 2);
    return makeSquare(from) + makeSquare(to) + ['', '', 'n', 'b', 'r', 'q'][promotionOf(move)];
  }
}
