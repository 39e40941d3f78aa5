import {
  DISTANCE,
  isLight,
  KING_TARGETS,
  KNIGHT_MOVES,
  KNIGHT_TARGETS,
  LINES,
  PAWN_TARGETS,
} from '../../geometry.ts';
import { EMPTY } from '../../placement.ts';
import {
  BISHOP,
  CASTLING,
  KING,
  KNIGHT,
  MOST_MOVES,
  PACKED_LENGTH,
  PAWN,
  type PackedMove,
  QUEEN,
  ROOK,
  type SearchBoard,
  type SideIndex,
} from '../../search-board.ts';
import { lacksMaterial } from './material.ts';
import { lacksMatingSquares } from './regions.ts';

export interface HelpmateOutcome {
  /** A mating line; undefined when there is none, or none was found. */
  readonly line?: readonly PackedMove[];
  /** Whether everything was looked at: without a line there is none. */
  readonly exhausted: boolean;
  /** Positions that were reached by a move. */
  readonly nodes: number;
}

/** Priorities of the queue: the lowest is looked at first. */
const PRIORITIES = 512;

const longer = (list: Int32Array, times = 4): Int32Array<ArrayBuffer> => {
  const grown = new Int32Array(list.length * times);
  grown.set(list);
  return grown;
};

/** Moves that wait to be made, in the order of their priority. */
class Queue {
  /** The last entry of each priority, and the one before an entry; 0 for none. */
  readonly #first = new Int32Array(PRIORITIES);
  #next = new Int32Array(1024);
  #node = new Int32Array(1024);
  #move = new Int32Array(1024);
  #count = 1;
  #lowest = PRIORITIES;
  /** The move that `pop` took. */
  move: PackedMove = 0;

  push(node: number, move: PackedMove, priority: number): void {
    const entry = this.#count++;
    if (entry === this.#next.length) {
      this.#next = longer(this.#next);
      this.#node = longer(this.#node);
      this.#move = longer(this.#move);
    }
    const at = priority < 0 ? 0 : priority < PRIORITIES ? priority : PRIORITIES - 1;
    this.#next[entry] = this.#first[at]!;
    this.#node[entry] = node;
    this.#move[entry] = move;
    this.#first[at] = entry;
    if (at < this.#lowest) this.#lowest = at;
  }

  /** Takes the move that came last of those with the lowest priority; returns its node, -1 when none is left. */
  pop(): number {
    for (; this.#lowest < PRIORITIES; this.#lowest++) {
      const entry = this.#first[this.#lowest]!;
      if (entry === 0) continue;
      this.#first[this.#lowest] = this.#next[entry]!;
      this.move = this.#move[entry]!;
      return this.#node[entry]!;
    }
    return -1;
  }
}

/** Positions that were reached, each once. Node 0 is where the search begins. */
class Memory {
  count = 0;
  parent = new Int32Array(256);
  move = new Int32Array(256);
  low = new Int32Array(256);
  high = new Int32Array(256);
  depth = new Int32Array(256);
  /** The positions themselves, PACKED_LENGTH numbers each. */
  positions = new Int32Array(256 * PACKED_LENGTH);
  /** Node + 1 by hash; 0 is free. */
  #table = new Int32Array(1024);

  /**
   * Adds the position on a board unless it is known; returns its node or -1. Whole positions are compared, not hashes: a
   * proof by exhaustion must not hang on two hashes being different.
   */
  add(board: SearchBoard, parent: number, move: PackedMove): number {
    const { hashLow, hashHigh } = board;
    const node = this.count;
    if (node === this.parent.length) this.#grow();
    const at = node * PACKED_LENGTH;
    board.save(this.positions, at);
    const mask = this.#table.length - 1;
    let slot = hashLow & mask;
    for (let entry = this.#table[slot]!; entry !== 0; entry = this.#table[slot]!) {
      if (this.low[entry - 1] === hashLow && this.#isSame(at, (entry - 1) * PACKED_LENGTH)) return -1;
      slot = (slot + 1) & mask;
    }
    this.count++;
    this.#table[slot] = node + 1;
    this.low[node] = hashLow;
    this.high[node] = hashHigh;
    this.parent[node] = parent;
    this.move[node] = move;
    this.depth[node] = parent < 0 ? 0 : this.depth[parent]! + 1;
    if (this.count * 2 > this.#table.length) this.#rehash();
    return node;
  }

  #isSame(a: number, b: number): boolean {
    const { positions } = this;
    for (let i = 0; i < PACKED_LENGTH; i++) if (positions[a + i] !== positions[b + i]) return false;
    return true;
  }

  #grow(): void {
    const times = this.count < 50_000 ? 4 : 2;
    this.parent = longer(this.parent, times);
    this.move = longer(this.move, times);
    this.low = longer(this.low, times);
    this.high = longer(this.high, times);
    this.depth = longer(this.depth, times);
    this.positions = longer(this.positions, times);
  }

  #rehash(): void {
    const table = new Int32Array(this.#table.length * 4);
    const mask = table.length - 1;
    for (let node = 0; node < this.count; node++) {
      let slot = this.low[node]! & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = node + 1;
    }
    this.#table = table;
  }
}

const CORNERS = [0, 7, 56, 63] as const;
/** 1 for the light ones. */
const CORNER_COLOURS = CORNERS.map((corner) => (isLight(corner) ? 1 : 0));
/** For each corner the squares beside it along the rank and along the file, one of which an own piece blocks ... */
const BLOCKS = [1, 8, 6, 15, 57, 48, 62, 55] as const;
/** ... and for each of those the two squares from which a king guards the other and the one between. */
const GUARDS = [16, 17, 2, 10, 23, 22, 5, 13, 40, 41, 58, 50, 47, 46, 61, 53] as const;

/** For each corner the two squares from which a knight gives check there. */
const CHECKS = [10, 17, 13, 22, 50, 41, 53, 46] as const;

/** What the estimate of the way to mate counts, and how much: one set of weights finds what another misses. */
export interface Weights {
  /** A step of a king on its way to the corner. */
  readonly king: number;
  /** A step of a pawn that has to promote. */
  readonly force: number;
  /** A piece of the side to be mated that can still interfere. */
  readonly piece: number;
  readonly pawn: number;
  /** Eighths for a ply of the line. */
  readonly depth: number;
  /** A square to which the king to be mated could go. */
  readonly flight: number;
  /** Whether blocked pawns shall be freed and promote, and not wait for a mate by the piece beside them. */
  readonly opens: boolean;
}

/** Everything is captured and the king that is left is shut in: finds most mates at once. */
export const STRIPPING: Weights = { king: 1, force: 4, piece: 6, pawn: 3, depth: 0, flight: 1, opens: true };
/** The same with more care for the squares about the king, and for pawns as much as for pieces. */
export const SHUTTING: Weights = { king: 1, force: 5, piece: 5, pawn: 4, depth: 0, flight: 2, opens: true };
/** Pieces are captured first, then kings walk: long lines, found without looking about. */
export const CLEARING: Weights = { king: 2, force: 4, piece: 3, pawn: 1, depth: 0, flight: 0, opens: false };
/** Shorter lines, with most pieces where they are. */
export const DIRECT: Weights = { king: 2, force: 4, piece: 1, pawn: 0, depth: 4, flight: 0, opens: false };
/** The king is shut in among its own pieces, which nobody takes. */
export const CAGING: Weights = { king: 1, force: 2, piece: -1, pawn: -1, depth: 2, flight: 3, opens: false };

/** The way of a piece that cannot get there. */
const NO_WAY = 40;
/** What it costs when the side to be mated captures. */
const LOSS = 6;
/** How many moves are taken from one queue before the other has its turn: changing over costs the way between nodes. */
const TURN = 64;

export class HelpmateSearch {
  readonly #board: SearchBoard;
  readonly #winner: SideIndex;
  readonly #memory = new Memory();
  readonly #moves = new Int32Array(MOST_MOVES);
  readonly #nearest = new Uint8Array(BLOCKS.length);
  readonly #next = new Uint8Array(BLOCKS.length);
  readonly #nearestFrom = new Uint8Array(BLOCKS.length);
  readonly #queue = new Queue();
  readonly #wide: Queue | undefined;
  #at = 0;
  nodes = 0;
  readonly #weights: Weights;
  /** Colour of the squares on which a lone bishop goes, 1 = light; 2 where there is none. */
  #bishopColour = 2;
  /** Where a lone knight stands; -1 where there is none. */
  #knight = -1;
  #tries = 0;
  #hits = 0;
  #turn = 0;

  constructor(board: SearchBoard, winner: SideIndex, weights: Weights, thorough: boolean) {
    this.#weights = weights;
    this.#board = board;
    this.#winner = winner;
    if (thorough) this.#wide = new Queue();
    this.#memory.add(board, -1, 0);
    this.#expand(0);
  }

  /** Searches until `budget` nodes were spent; the board stands afterwards as it stood before. */
  run(budget: number): HelpmateOutcome {
    const outcome = this.#search(budget);
    this.#goTo(0);
    return outcome;
  }

  #search(budget: number): HelpmateOutcome {
    const board = this.#board;
    const memory = this.#memory;
    while (this.nodes < budget) {
      const wide = ++this.#turn % (8 * TURN) >= 7 * TURN ? this.#wide : undefined;
      let queue = wide ?? this.#queue;
      let node = queue.pop();
      if (node < 0) {
        queue = this.#queue;
        node = queue.pop();
        if (node < 0) return { exhausted: true, nodes: this.nodes };
      }
      const move = queue.move;
      this.#goTo(node);
      const captures = board.cells[(move >> 6) & 63]! !== EMPTY && move >> 15 !== CASTLING;
      const moved = board.cells[move & 63]!;
      if (!board.tryMake(move, true)) continue;
      this.nodes++;
      const child = memory.add(board, node, move);
      if (child < 0) {
        board.unmake(move);
        continue;
      }
      this.#at = child;
      const irreversible = captures || moved === PAWN || moved === PAWN + 6 || node === 0;
      if ((captures && lacksMaterial(board, this.#winner)) || (irreversible && this.#cannotMate())) continue;
      const checked = board.isCheck();
      const replies = this.#expand(child);
      if (checked && board.turn !== this.#winner && !this.#hasReply(replies)) {
        const line: PackedMove[] = [];
        for (let at = child; at > 0; at = memory.parent[at]!) line.push(memory.move[at]!);
        return { line: line.reverse(), exhausted: false, nodes: this.nodes };
      }
    }
    return { exhausted: false, nodes: this.nodes };
  }

  #hasReply(n: number): boolean {
    const board = this.#board;
    for (let i = 0; i < n; i++) {
      const move = this.#moves[i]!;
      if (board.tryMake(move, true)) {
        board.unmake(move);
        return true;
      }
    }
    return false;
  }

  #cannotMate(): boolean {
    if (this.#wide === undefined || (this.#tries >= 16 && this.#hits * 4 < this.#tries)) return false;
    this.#tries++;
    this.nodes += 20;
    const hit = lacksMatingSquares(this.#board, this.#winner);
    if (hit) this.#hits++;
    return hit;
  }

  /** Changes the board from the node where it stands to another. */
  #goTo(node: number): void {
    const at = this.#at;
    if (at === node) return;
    const memory = this.#memory;
    const board = this.#board;
    if (memory.parent[at] === node && board.depth > 0) board.unmake(memory.move[at]!);
    else board.load(memory.positions, node * PACKED_LENGTH, memory.low[node]!, memory.high[node]!);
    this.#at = node;
  }

  /** For each block square the nearest piece that may stand there, where it comes from, and the next nearest. */
  #findBlockers(): void {
    const { cells, counts } = this.#board;
    const winner = this.#winner;
    const own = winner === 0 ? 0 : 6;
    const other = 6 - own;
    const table = 2 * winner + (counts[own + BISHOP] === 0 ? 0 : 1);
    const nearest = this.#nearest.fill(NO_WAY);
    const next = this.#next.fill(NO_WAY);
    const nearestFrom = this.#nearestFrom;
    for (let square = 0; square < 64; square++) {
      const role = cells[square]! - other;
      if (role < PAWN || role >= KING) continue;
      const at = wayIndex(table, role, square);
      for (let i = 0; i < BLOCKS.length; i++) {
        const way = BLOCK_WAYS[at + i]!;
        if (way < nearest[i]!) {
          next[i] = nearest[i]!;
          nearest[i] = way;
          nearestFrom[i] = square;
        } else if (way < next[i]!) next[i] = way;
      }
    }
  }

  /**
   * Way of all to a mate by one knight or bishop: the king in a corner (of the bishop's colour), an own piece on one square
   * beside it, the other king where it guards the other. `ways`: those of the piece that came from `from` and stands
   * elsewhere now, an index into BLOCK_WAYS; both -1 when none has moved.
   */
  #loneWay(mated: number, king: number, from: number, ways: number): number {
    const nearest = this.#nearest;
    const bishopColour = this.#bishopColour;
    const knight = this.#knight * 64;
    let best = 200;
    for (let i = 0; i < BLOCKS.length; i++) {
      if (CORNER_COLOURS[i >> 1] === 1 - bishopColour) continue;
      let near = nearest[i]!;
      if (ways >= 0) {
        if (this.#nearestFrom[i] === from) near = this.#next[i]!;
        if (BLOCK_WAYS[ways + i]! < near) near = BLOCK_WAYS[ways + i]!;
      }
      const corner = CORNERS[i >> 1]!;
      const guard = Math.min(
        DISTANCE[king * 64 + GUARDS[2 * i]!]!,
        DISTANCE[king * 64 + GUARDS[2 * i + 1]!]!,
      );
      // The king that guards too early keeps the other one out of the corner.
      const leaps =
        knight < 0
          ? 0
          : Math.min(KNIGHT_MOVES[knight + CHECKS[i & 6]!]!, KNIGHT_MOVES[knight + CHECKS[(i & 6) + 1]!]!);
      const way =
        near + leaps + 3 * DISTANCE[mated * 64 + corner]! + 2 * (guard < 2 && mated !== corner ? 2 : guard);
      if (way < best) best = way;
    }
    return best;
  }

  /** Number of squares to which the king that is to be mated could go. */
  #flights(): number {
    const board = this.#board;
    const loser = (1 - this.#winner) as SideIndex;
    const king = board.kings[loser];
    const cell = board.cells[king]!;
    const around = KING_TARGETS[king]!;
    let flights = 0;
    // It does not hide behind itself.
    board.cells[king] = EMPTY;
    for (let i = 0; i < around.length; i++) {
      const there = board.cells[around[i]!]!;
      if ((there === EMPTY || there > 6 !== cell > 6) && !board.isAttacked(around[i]!, this.#winner))
        flights++;
    }
    board.cells[king] = cell;
    return flights;
  }

  /** Puts all moves of the position on the board into the queues; returns how many, in `#moves`. */
  #expand(node: number): number {
    const board = this.#board;
    const winner = this.#winner;
    const {
      king: perStep,
      force: perForce,
      piece: perPiece,
      pawn: perPawn,
      depth: perPly,
      flight: perFlight,
      opens,
    } = this.#weights;
    const { cells, counts } = board;
    const moves = this.#moves;
    const n = board.generate(moves);
    const ofWinner = board.turn === winner;
    const own = winner === 0 ? 0 : 6;
    const other = 6 - own;
    const mated = board.kings[(1 - winner) as SideIndex];
    const king = board.kings[winner];
    const heavy = counts[own + QUEEN]! + counts[own + ROOK]!;
    const knights = counts[own + KNIGHT]!;
    const bishops = counts[own + BISHOP]!;
    const pawns = counts[own + PAWN]!;
    // What it takes to have a piece that mates with the king alone.
    let force = 0;
    let runner = -1;
    /** Pawns with no enemy pawn right before them. */
    let free = 0;
    if (heavy === 0) {
      force = 9;
      if (pawns !== 0) {
        const forward = winner === 0 ? 8 : -8;
        for (let square = 8; square < 56; square++) {
          if (cells[square] !== own + PAWN) continue;
          let left = winner === 0 ? 7 - (square >> 3) : square >> 3;
          for (let ahead = square + forward; ahead >= 0 && ahead < 64; ahead += forward) {
            if (cells[ahead] !== EMPTY) left++;
          }
          if (cells[square + forward] !== other + PAWN) free++;
          if (left < force) {
            force = left;
            runner = square;
          }
        }
      } else if (knights + bishops >= 2) force = 3;
    }
    const minors = heavy === 0 && pawns === 0;
    const single =
      heavy === 0 &&
      (opens ? pawns : free) === 0 &&
      (knights === 0 ? isOneColour(cells, own + BISHOP) : knights + bishops === 1);
    let colour = 2;
    if (minors && bishops > 0) colour = isLight(cells.indexOf(own + BISHOP)) ? 1 : 0;
    const toCorner = KING_WAYS[colour]!;
    const kings = toCorner[mated * 64 + king]!;
    // Against a lone bishop queens and rooks step between.
    let material = 3 * (counts[other + QUEEN]! + (bishops > 0 ? counts[other + ROOK]! : 0));
    if (!single) {
      material =
        perPiece *
          (counts[other + KNIGHT]! +
            counts[other + BISHOP]! +
            counts[other + ROOK]! +
            counts[other + QUEEN]!) +
        perPawn * counts[other + PAWN]!;
    }
    let reach = 0;
    if (minors && !single) {
      for (let square = 0; square < 64; square++) {
        const cell = cells[square]!;
        if (cell === own + KNIGHT) reach += Math.max(0, DISTANCE[square * 64 + mated]! - 2);
      }
    }
    let lone = 0;
    const waysTable = 2 * winner + (bishops > 0 ? 1 : 0);
    if (single) {
      this.#bishopColour = bishops === 0 ? 2 : isLight(cells.indexOf(own + BISHOP)) ? 1 : 0;
      this.#knight = knights === 0 ? -1 : cells.indexOf(own + KNIGHT);
      this.#findBlockers();
      lone = this.#loneWay(mated, king, -1, -1);
    }
    const now =
      (single ? lone : perStep * kings + perForce * force) +
      material +
      reach +
      (perFlight === 0 ? 0 : perFlight * this.#flights()) +
      40;
    const depth = this.#memory.depth[node]!;
    const queue = this.#queue;
    const wide = this.#wide;
    for (let i = 0; i < n; i++) {
      const move = moves[i]!;
      const from = move & 63;
      const to = (move >> 6) & 63;
      const moved = cells[from]!;
      const target = move >> 15 === CASTLING ? EMPTY : cells[to]!;
      let p = now;
      if (ofWinner) {
        if (single) p -= target === other + QUEEN || (bishops > 0 && target === other + ROOK) ? 3 : 0;
        else if (target !== EMPTY) p -= target === other + PAWN ? perPawn : perPiece;
        if (moved === own + KING) {
          p += single
            ? this.#loneWay(mated, to, -1, -1) - lone
            : perStep * (toCorner[mated * 64 + to]! - kings);
        } else {
          const promotion = (move >> 12) & 7;
          if (from === runner || promotion >= ROOK) {
            p -=
              promotion === QUEEN || promotion === ROOK ? perForce * force : promotion === 0 ? perForce : 0;
          }
          const role = promotion !== 0 ? promotion : moved - own;
          if (single && role === KNIGHT) {
            this.#knight = to;
            p += this.#loneWay(mated, king, -1, -1) - lone;
            this.#knight = from;
          } else if (minors && role === KNIGHT) {
            p += Math.max(0, DISTANCE[to * 64 + mated]! - 2) - Math.max(0, DISTANCE[from * 64 + mated]! - 2);
          }
          // A check may be mate: it is seen at once when the time has come.
          if (attacks(role, winner, to, mated)) p -= 2;
        }
      } else {
        if (moved === other + KING) {
          p += single
            ? this.#loneWay(to, king, -1, -1) - lone
            : perStep * (toCorner[to * 64 + king]! - kings);
        } else if (single) {
          const promotion = (move >> 12) & 7;
          const role = promotion === 0 ? moved - other : promotion;
          p += this.#loneWay(mated, king, from, wayIndex(waysTable, role, to)) - lone;
        }
        if (target !== EMPTY) {
          p += LOSS;
          if (heavy === 1 && (target === own + QUEEN || target === own + ROOK)) p += perForce * 6;
          if (to === runner) p += perForce * 3;
        }
      }
      queue.push(node, move, p + ((perPly * depth) >> 3));
      wide?.push(node, move, depth);
    }
    return n;
  }
}

/** Whether there is a bishop and all there are go on squares of one colour. */
function isOneColour(cells: Uint8Array, bishop: number): boolean {
  let colours = 0;
  for (let square = cells.indexOf(bishop); square >= 0; square = cells.indexOf(bishop, square + 1)) {
    colours |= isLight(square) ? 1 : 2;
  }
  return colours === 1 || colours === 2;
}

/** Twice the moves of a piece other than a pawn on an empty board. */
function pieceWay(role: number, from: number, to: number): number {
  if (from === to) return 0;
  if (role === KNIGHT) return 2 * KNIGHT_MOVES[from * 64 + to]!;
  const line = LINES[from * 64 + to]!;
  if (role === ROOK) return line !== 0 && line <= 4 ? 2 : 4;
  if (isLight(from) !== isLight(to)) return NO_WAY;
  return line > 4 ? 2 : 4;
}

/** How far a piece of the side to be mated is from a square which it shall block, twice the moves; pawns may promote first. */
function blockWay(role: number, winner: SideIndex, from: number, to: number, byBishop: boolean): number {
  // A queen takes whatever checks from near, and steps between; a rook does so against a bishop.
  if (role === QUEEN || (role === ROOK && byBishop)) return NO_WAY;
  if (role !== PAWN) return pieceWay(role, from, to);
  const ahead = winner === 0 ? (from >> 3) - (to >> 3) : (to >> 3) - (from >> 3);
  if (((from ^ to) & 7) === 0 && ahead >= 0 && (to >> 3 === 1 || to >> 3 === 6)) return 2 * ahead;
  const last = winner === 0 ? from & 7 : 56 + (from & 7);
  const steps = winner === 0 ? from >> 3 : 7 - (from >> 3);
  const rook = byBishop ? NO_WAY : pieceWay(ROOK, last, to);
  return 2 * steps + Math.min(pieceWay(KNIGHT, last, to), pieceWay(BISHOP, last, to), rook);
}

const wayIndex = (table: number, role: number, square: number): number =>
  ((table * 6 + role) * 64 + square) * BLOCKS.length;

/** `blockWay` of every piece to all of BLOCKS: index `wayIndex`, table `2 * winner` and 1 more against a bishop. */
const BLOCK_WAYS = new Uint8Array(4 * 6 * 64 * BLOCKS.length);
for (let table = 0; table < 4; table++) {
  for (let role = PAWN; role < KING; role++) {
    for (let square = 0; square < 64; square++) {
      for (const [i, block] of BLOCKS.entries()) {
        const winner = (table >> 1) as SideIndex;
        BLOCK_WAYS[wayIndex(table, role, square) + i] = blockWay(
          role,
          winner,
          square,
          block,
          (table & 1) === 1,
        );
      }
    }
  }
}

/**
 * Way of both kings to a mate in the best corner, by the colour that the corner must have (1 = light, 2 = any) and by
 * `mated * 64 + king`.
 */
const KING_WAYS: readonly Uint8Array[] = [0, 1, 2].map((colour) =>
  Uint8Array.from({ length: 64 * 64 }, (_, index) =>
    Math.min(
      ...CORNERS.map(
        (corner, i) =>
          DISTANCE[(index >> 6) * 64 + corner]! +
          Math.max(0, DISTANCE[(index & 63) * 64 + corner]! - 2) +
          (colour === 2 || CORNER_COLOURS[i] === colour ? 0 : 4),
      ),
    ),
  ),
);

/** Whether a piece on one square attacks another on an empty board. */
function attacks(role: number, side: SideIndex, from: number, to: number): boolean {
  if (role === PAWN) return PAWN_TARGETS[side * 64 + from]!.includes(to);
  if (role === KNIGHT) return KNIGHT_TARGETS[from]!.includes(to);
  const line = LINES[from * 64 + to]!;
  return line !== 0 && (role === QUEEN || (role === ROOK ? line <= 4 : role === BISHOP && line > 4));
}
