import { DISTANCE, KING_TARGETS, KNIGHT_TARGETS, LINES, PAWN_TARGETS, RAYS } from '../../geometry.ts';
import { EMPTY } from '../../placement.ts';
import {
  BISHOP,
  KING,
  KNIGHT,
  PAWN,
  QUEEN,
  ROOK,
  roleOf,
  type SearchBoard,
  type SideIndex,
} from '../../search-board.ts';
import type { Square } from '../../square.ts';

/** How a promoted pawn moves at most: as a queen and as a knight. */
const PROMOTED = 7;

/** A piece that stands on the board, or what a pawn on it may become. */
interface Mover {
  readonly side: SideIndex;
  readonly role: number;
  readonly home: Square;
  /** 1 for every square it may ever stand on. */
  readonly reach: Uint8Array;
  /** The squares of `reach`, in the order in which they were found. */
  readonly found: Square[];
  /** What a pawn becomes. */
  readonly promoted?: Mover;
}

/**
 * Where every piece may ever go, whoever moves and however often, taken too large rather than too small, as the least
 * set of squares that is closed under what may happen:
 *
 * - a square can be *vacated* when it is empty, its first occupant may go elsewhere, or an enemy piece may reach it;
 * - a piece goes from a square it may stand on to one that can be vacated or holds an enemy at first, over squares that
 *   can be vacated; a pawn captures where an enemy piece may stand (or passes: en passant);
 * - a king enters no square that a piece attacks which can never leave its own, along a line on which nothing can ever
 *   stand.
 *
 * The first move of a game that broke out of these sets would have to be allowed by what happened before it, which did
 * not: so none does.
 */
class Regions {
  readonly movers: Mover[] = [];
  readonly kings: [Mover, Mover];
  /** 1 for squares that can be vacated. */
  readonly vacated = new Uint8Array(64);
  /** Who stands on a square at first. */
  readonly occupants: (Mover | undefined)[] = new Array(64);
  /** 1 for squares on which a piece of a side, kings apart, may stand: index `side * 64 + square`. */
  readonly targets = new Uint8Array(128);
  /** 1 for squares on which a side may capture: index `side * 64 + square`. */
  readonly captures = new Uint8Array(128);
  /** 1 for squares on which anything may stand. */
  readonly entered = new Uint8Array(64);
  #changed = false;
  /** Whether pieces roam so freely that nothing will follow; then the sets are not complete. */
  isOpen = false;
  readonly #winner: SideIndex;

  constructor(board: SearchBoard, winner: SideIndex) {
    this.#winner = winner;
    const kings: Mover[] = [];
    for (let square = 0; square < 64; square++) {
      const cell = board.cells[square]!;
      if (cell === EMPTY) {
        this.vacated[square] = 1;
        continue;
      }
      const side = cell > 6 ? 1 : 0;
      const role = roleOf(cell);
      const born = (as: number): Mover => ({
        side,
        role: as,
        home: square,
        reach: new Uint8Array(64),
        found: [],
      });
      const promoted = role === PAWN ? born(PROMOTED) : undefined;
      const mover: Mover = promoted === undefined ? born(role) : { ...born(role), promoted };
      this.movers.push(mover);
      if (promoted !== undefined) this.movers.push(promoted);
      if (role === KING) kings[side] = mover;
      this.occupants[square] = mover;
      this.#enter(mover, square);
    }
    this.kings = [kings[0]!, kings[1]!];
    for (let right = 0; right < 4; right++) {
      if ((board.castling >> right) & 1) {
        const rook = board.rookOf(right);
        const base = rook & 56;
        this.#enter(this.kings[(right >> 1) as SideIndex], base + (right & 1 ? 6 : 2));
        this.#enter(this.occupants[rook]!, base + (right & 1 ? 5 : 3));
      }
    }
    if (board.enPassant >= 0) {
      const victim = board.enPassant + (board.turn === 0 ? -8 : 8);
      this.#vacate(victim);
      this.captures[board.turn * 64 + victim] = 1;
      this.targets[(1 - board.turn) * 64 + board.enPassant] = 1;
    }
    do {
      this.#changed = false;
      for (const mover of this.movers) {
        for (let i = 0; i < mover.found.length; i++) this.#spread(mover, mover.found[i]!);
        if (this.isOpen) return;
      }
    } while (this.#changed);
  }

  #vacate(square: Square): void {
    if (this.vacated[square] === 0) {
      this.vacated[square] = 1;
      this.#changed = true;
    }
  }

  #enter(mover: Mover, square: Square): void {
    if (mover.reach[square] === 1) return;
    mover.reach[square] = 1;
    mover.found.push(square);
    if (
      mover.side === this.#winner &&
      mover.found.length > 40 &&
      (mover.role === PROMOTED || mover.role === QUEEN)
    )
      this.isOpen = true;
    this.#changed = true;
    if (mover.role !== KING) this.targets[mover.side * 64 + square] = 1;
    if (square !== mover.home) {
      this.entered[square] = 1;
      if (mover.role !== PAWN) {
        this.captures[mover.side * 64 + square] = 1;
        this.captures[mover.side * 64 + mover.home] = 1;
      }
      this.#vacate(mover.home);
      // An enemy that stood there is captured.
      if (this.occupants[square] !== undefined) this.#vacate(square);
    } else this.entered[square] = 1;
  }

  /** Whether a piece of a side may come to stand on a square. */
  #admits(side: SideIndex, square: Square): boolean {
    if (this.vacated[square] === 1) return true;
    const occupant = this.occupants[square]!;
    return occupant.side !== side && occupant.role !== KING;
  }

  #spread(mover: Mover, from: Square): void {
    const { side, role } = mover;
    if (role === PAWN) {
      this.#spreadPawn(mover, from);
      return;
    }
    if (role === KING) {
      for (const to of KING_TARGETS[from]!) {
        if (mover.reach[to] === 0 && this.#admits(side, to) && !this.#isBarred(side, to))
          this.#enter(mover, to);
      }
      return;
    }
    if (role === KNIGHT || role === PROMOTED) {
      for (const to of KNIGHT_TARGETS[from]!) if (this.#admits(side, to)) this.#enter(mover, to);
      if (role === KNIGHT) return;
    }
    const last = role === ROOK ? 4 : 8;
    for (let direction = role === BISHOP ? 4 : 0; direction < last; direction++) {
      for (const to of RAYS[from * 8 + direction]!) {
        const passes = this.vacated[to] === 1;
        if (passes || this.#admits(side, to)) this.#enter(mover, to);
        if (!passes) break;
      }
    }
  }

  #spreadPawn(mover: Mover, from: Square): void {
    const { side } = mover;
    const forward = side === 0 ? 8 : -8;
    const to = from + forward;
    if (this.vacated[to] === 1 && this.#mayPush(mover, to)) {
      this.#enterPawn(mover, to);
      const second = to + forward;
      if (from >> 3 === (side === 0 ? 1 : 6) && this.vacated[second] === 1 && this.#mayPush(mover, second)) {
        this.#enterPawn(mover, second);
      }
    }
    for (const target of PAWN_TARGETS[side * 64 + from]!) {
      if (this.targets[(1 - side) * 64 + target] === 1) {
        this.captures[side * 64 + target] = 1;
        this.#enterPawn(mover, target);
      }
    }
  }

  /**
   * Pawns of one file do not pass each other: where an enemy pawn stood ahead a pawn gets only when that pawn may be
   * captured or capture, and an own one stays ahead.
   */
  #mayPush(mover: Mover, to: Square): boolean {
    const { side, home } = mover;
    if (((home ^ to) & 7) !== 0) return true;
    const forward = side === 0 ? 8 : -8;
    for (let square = home + forward; square >= 8 && square < 56; square += forward) {
      const other = this.occupants[square];
      if (other === undefined || other.role !== PAWN || this.#mayLeaveFile(other)) continue;
      if (other.side !== side) {
        if ((to - square) * forward >= 0) return false;
      } else if (other.found.every((at) => (to - at) * forward >= 0)) return false;
    }
    return true;
  }

  #mayLeaveFile({ side, home, found, promoted }: Mover): boolean {
    if (promoted!.found.length > 0) return true;
    const enemy = (1 - side) * 64;
    return found.some((square) => ((square ^ home) & 7) !== 0 || this.captures[enemy + square] === 1);
  }

  #enterPawn(mover: Mover, to: Square): void {
    if (to >= 8 && to < 56) {
      this.#enter(mover, to);
      return;
    }
    this.#vacate(mover.home);
    this.entered[to] = 1;
    this.#enter(mover.promoted!, to);
  }

  /** Whether a piece that never leaves its square keeps the king of a side from another. */
  #isBarred(side: SideIndex, square: Square): boolean {
    for (const { side: by, role, home } of this.movers) {
      if (by === side || home === square || this.vacated[home] === 1 || role === PROMOTED) continue;
      if (role === PAWN) {
        if (PAWN_TARGETS[by * 64 + home]!.includes(square)) return true;
      } else if (role === KNIGHT) {
        if (KNIGHT_TARGETS[home]!.includes(square)) return true;
      } else if (role === KING) {
        if (DISTANCE[home * 64 + square] === 1) return true;
      } else {
        const line = LINES[home * 64 + square]!;
        if (line === 0 || (role === BISHOP && line <= 4) || (role === ROOK && line > 4)) continue;
        for (const between of RAYS[home * 8 + line - 1]!) {
          if (between === square) return true;
          if (this.entered[between] === 1) break;
        }
      }
    }
    return false;
  }

  /** 1 for squares that a piece of a side, its king apart, may ever attack. */
  attacks(side: SideIndex): Uint8Array {
    const attacked = new Uint8Array(64);
    // The king that runs along a line is attacked through the square it leaves.
    const royal = this.kings[(1 - side) as SideIndex].home;
    for (const { side: by, role, found } of this.movers) {
      if (by !== side || role === KING) continue;
      for (const from of found) {
        if (role === PAWN) {
          for (const to of PAWN_TARGETS[side * 64 + from]!) attacked[to] = 1;
          continue;
        }
        if (role === KNIGHT || role === PROMOTED) {
          for (const to of KNIGHT_TARGETS[from]!) attacked[to] = 1;
          if (role === KNIGHT) continue;
        }
        const last = role === ROOK ? 4 : 8;
        for (let direction = role === BISHOP ? 4 : 0; direction < last; direction++) {
          for (const to of RAYS[from * 8 + direction]!) {
            attacked[to] = 1;
            if (this.vacated[to] === 0 && to !== royal) break;
          }
        }
      }
    }
    return attacked;
  }
}

/**
 * Whether a side can never mate because the pieces cannot get where a mate would need them: no square that the other king
 * may ever stand on can be in check with each square around it either attacked or taken by an own piece of that king, a
 * different one for each. A proof; false says nothing.
 */
export function lacksMatingSquares(board: SearchBoard, winner: SideIndex): boolean {
  const regions = new Regions(board, winner);
  if (regions.isOpen) return false;
  const loser = (1 - winner) as SideIndex;
  const attacked = regions.attacks(winner);
  const blockers = regions.movers.filter(({ side, role }) => side === loser && role !== KING);
  const winnerKing = regions.kings[winner].found;
  for (const mated of regions.kings[loser].found) {
    if (attacked[mated] === 0) continue;
    const open: Square[] = [];
    for (const square of KING_TARGETS[mated]!) {
      // An own piece that never leaves takes the square for good.
      const occupant = regions.occupants[square];
      const isTaken = regions.vacated[square] === 0 && occupant!.side === loser;
      if (attacked[square] === 0 && !isTaken) open.push(square);
    }
    if (open.length === 0) return false;
    for (const king of winnerKing) {
      if (DISTANCE[king * 64 + mated]! < 2) continue;
      const left = open.filter((square) => DISTANCE[king * 64 + square] !== 1);
      if (canTake(blockers, left)) return false;
    }
  }
  return true;
}

/** Whether different pieces may stand on all the squares (a matching, found by augmenting paths). */
function canTake(blockers: readonly Mover[], squares: readonly Square[]): boolean {
  if (squares.length > blockers.length) return false;
  const takes = new Map<Square, Square>();
  const place = (square: Square, tried: Set<Square>): boolean => {
    for (const { home, reach } of blockers) {
      // A pawn and what it becomes are one piece: named by the square it comes from.
      if (reach[square] === 0 || tried.has(home)) continue;
      tried.add(home);
      const other = takes.get(home);
      if (other === undefined || place(other, tried)) {
        takes.set(home, square);
        return true;
      }
    }
    return false;
  };
  return squares.every((square) => place(square, new Set()));
}
