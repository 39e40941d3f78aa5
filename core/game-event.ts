import type { Flag } from './flag.ts';
import type { Placement } from './placement.ts';
import type { Side } from './square.ts';

export const VARIANTS = ['standard', 'chess960'] as const;
export type Variant = (typeof VARIANTS)[number];

export const RESULTS = ['1-0', '0-1', '1/2-1/2', '*'] as const;
export type GameResult = (typeof RESULTS)[number];

/**
 * How far a ply is believed. `ambiguous`: its place in the list is certain, which move it was is not (best
 * candidate stored). Only confirmed and settled plies are published.
 */
export const PLY_STATES = ['provisional', 'ambiguous', 'confirmed', 'settled'] as const;
export type PlyState = (typeof PLY_STATES)[number];

/** One ply of a game. */
export interface PlyRecord {
  /** SAN; for a move that stands although illegal `!` + from + to. */
  readonly san: string;
  /** UCI; castling as the king's step in standard chess, king takes own rook in Chess960. */
  readonly uci: string;
  readonly state: PlyState;
  /** When the placement of the move stood and the hand had left (4.7). */
  readonly madeAtMs: number;
  /** When the clock was pressed, or the opponent's reply completed it (6.2.1); absent while open. */
  readonly completedAtMs?: number;
  /** The mover's clock at completion, milliseconds; absent without a clock. */
  readonly clockMs?: number;
  /** Other plies that fit as well, SAN; for the operator. */
  readonly candidates?: readonly string[];
  /** True when no events of its own were seen for the ply (gap, lost update). */
  readonly inferred?: boolean;
}

export type Orientation = 'normal' | 'rotated';

/** Points that PGN has no token for, White's first: both have lost, or one got half a point and the other none. */
export const TOKENLESS_SCORES = ['0-0', '1/2-0', '0-1/2'] as const;
export type TokenlessScore = (typeof TOKENLESS_SCORES)[number];

/**
 * Why a result stands. `kings`: signalled on the board; up to `seventy-five` reached on it or by what had been played
 * before (9.6); the others are an arbiter's decision (`laws/endings.ts`), which may also name what the board did not see.
 */
export const RESULT_REASONS = [
  'kings',
  'checkmate',
  'stalemate',
  'dead-position',
  'pieces',
  'fivefold',
  'seventy-five',
  'resignation',
  'agreement',
  'threefold',
  'fifty',
  'flag-fall',
  'illegal-moves',
  'illegal-position',
  'default',
  'arbiter',
  'unknown',
] as const;
export type ResultReason = (typeof RESULT_REASONS)[number];

/** What the reconstructor concludes, in order. Applying them to a `GameRecord` gives the game (`game-record.ts`). */
export type GameEvent =
  | {
      readonly type: 'gameStarted';
      readonly atMs: number;
      /** 1-based number of the game on this board. */
      readonly game: number;
      readonly variant: Variant;
      /** FEN of the start position. */
      readonly start: string;
      readonly orientation: Orientation;
    }
  /** Ply number `number` (1-based) is now this; a number one past the end appends. */
  | {
      readonly type: 'ply';
      readonly atMs: number;
      readonly number: number;
      readonly ply: PlyRecord;
      /** True when a ply that had been confirmed is now another move. */
      readonly amended?: boolean;
    }
  /** All plies from `number` on are gone. */
  | { readonly type: 'withdrawn'; readonly atMs: number; readonly number: number }
  | { readonly type: 'flag'; readonly atMs: number; readonly flag: Flag }
  | {
      readonly type: 'result';
      readonly atMs: number;
      readonly result: GameResult;
      readonly reason: ResultReason;
      /** Present where PGN has no token for the points; `result` is `*` then. */
      readonly score?: TokenlessScore;
    }
  | { readonly type: 'gameEnded'; readonly atMs: number; readonly result: GameResult }
  /** The board as sensed, in true coordinates, at rest or in doubt; sent when `inSync` or the differing squares at rest change. */
  | { readonly type: 'board'; readonly atMs: number; readonly placement: Placement; readonly inSync: boolean }
  | { readonly type: 'orientation'; readonly atMs: number; readonly orientation: Orientation }
  /** Times by colour, after every reading of a connected clock. */
  | {
      readonly type: 'clock';
      readonly atMs: number;
      readonly whiteMs: number;
      readonly blackMs: number;
      readonly running: Side | undefined;
    };
