/**
 * How games end (LAWS, section 5): what each ending is by the Laws, which of several stands, and what it is in PGN. The
 * termination is a fact of its own beside the result: what nobody saw is not written.
 */
import { type GameResult, type ResultReason, TOKENLESS_SCORES, type TokenlessScore } from '../game-event.ts';
import type { Position } from '../position.ts';
import { opponent, type Side } from '../square.ts';
import { canMateAtOnce, type Winnability } from './unwinnable/winnability.ts';

/** Points of a finished game, White's first; results that PGN has no token for included. */
export const SCORES = ['1-0', '0-1', '1/2-1/2', ...TOKENLESS_SCORES, '*'] as const;
export type Score = (typeof SCORES)[number];

/** Whether PGN has no token for these points. */
export const isTokenless = (score: Score): score is TokenlessScore =>
  (TOKENLESS_SCORES as readonly Score[]).includes(score);

/** Who makes an ending one: it happens by itself, it is proposed to the arbiter, or a person signals or enters it. */
export type EndedBy = 'itself' | 'proposal' | 'entry';

/** A value of PGN's Termination tag. */
export type PgnTermination = 'normal' | 'time forfeit' | 'rules infraction' | 'adjudication' | 'abandoned';

interface EndingFacts {
  readonly article: string;
  readonly by: EndedBy;
  /** What PGN's Termination tag says; undefined when it would say more than was seen. */
  readonly pgn: PgnTermination | undefined;
}

/** Every way in which a game ends. */
export const ENDINGS = {
  checkmate: { article: '5.1.1', by: 'itself', pgn: 'normal' },
  stalemate: { article: '5.2.1', by: 'itself', pgn: 'normal' },
  'dead-position': { article: '5.2.2', by: 'itself', pgn: 'normal' },
  fivefold: { article: '9.6.1', by: 'itself', pgn: 'normal' },
  'seventy-five': { article: '9.6.2', by: 'itself', pgn: 'normal' },
  resignation: { article: '5.1.2', by: 'entry', pgn: 'normal' },
  agreement: { article: '9.1', by: 'entry', pgn: 'normal' },
  threefold: { article: '9.2', by: 'entry', pgn: 'normal' },
  fifty: { article: '9.3', by: 'entry', pgn: 'normal' },
  'flag-fall': { article: '6.9', by: 'proposal', pgn: 'time forfeit' },
  'illegal-moves': { article: '7.5.5', by: 'proposal', pgn: 'rules infraction' },
  'illegal-position': { article: 'A.5.4', by: 'proposal', pgn: 'rules infraction' },
  default: { article: '6.7', by: 'proposal', pgn: undefined },
  arbiter: { article: '12.9', by: 'entry', pgn: 'adjudication' },
  // The players have shown a result and not how they came to it.
  kings: { article: '', by: 'entry', pgn: undefined },
  unknown: { article: '', by: 'entry', pgn: undefined },
} as const satisfies Record<string, EndingFacts>;

export type Termination = keyof typeof ENDINGS;

/** How a game has ended by the reason in its record. */
export const terminationOf = (reason: ResultReason): Termination =>
  reason === 'pieces' ? 'unknown' : reason;

/** An ending that was seen, proposed or entered. */
export interface EndingSeen {
  readonly termination: Termination;
  readonly score: Score;
  /** Number of the last ply before it. */
  readonly ply: number;
  /** When the position stood, or the flag was registered (6.8: seen by the arbiter or validly claimed). */
  readonly atMs: number;
}

/** Of two endings of one moment the first of these stands. */
const PRECEDENCE: readonly Termination[] = [
  'checkmate',
  'stalemate',
  'dead-position',
  'fivefold',
  'seventy-five',
  'flag-fall',
];
const rankOf = (termination: Termination): number => {
  const rank = PRECEDENCE.indexOf(termination);
  return rank < 0 ? PRECEDENCE.length : rank;
};

/**
 * The ending that stands: what ends a game by itself on an earlier ply or, at the same ply, what comes first in precedence (mate
 * before the fifth repetition and the 75th move); against what people register or enter the earlier moment counts, and a
 * mate, stalemate or dead position made before a flag was registered stands whatever the clock showed (6.8, 5.1.1).
 */
export function decideEnding(seen: readonly EndingSeen[]): EndingSeen | undefined {
  const byItself = (ending: EndingSeen): boolean => ENDINGS[ending.termination].by === 'itself';
  return [...seen].sort((a, b) => {
    if (byItself(a) && byItself(b)) return a.ply - b.ply || rankOf(a.termination) - rankOf(b.termination);
    return a.atMs - b.atMs || rankOf(a.termination) - rankOf(b.termination);
  })[0];
}

/** Whether a side can still mate by some series of legal moves: proved either way, or not decided. */
export type MateVerdict = Winnability;
export type CanMate = (position: Position, side: Side) => MateVerdict;

export const winFor = (side: Side): Score => (side === 'white' ? '1-0' : '0-1');
const DRAW: Score = '1/2-1/2';

/** What a player loses by: a loss, or a draw if the opponent cannot mate (5.1.2, 6.9, 7.5.5). */
export interface LossProposal {
  readonly loser: Side;
  /** The result to propose; a win of the opponent while nothing else is proved. */
  readonly score: Score;
  /** Whether the opponent can mate: the result hangs on it. */
  readonly verdict: MateVerdict;
}

/** A player has resigned, lost on time, or made a second illegal move: a loss, or a draw if the opponent cannot mate. */
export function proposeLoss(position: Position, loser: Side, canMate: CanMate = canMateAtOnce): LossProposal {
  const winner = opponent(loser);
  const verdict = canMate(position, winner);
  return { loser, score: verdict === 'unwinnable' ? DRAW : winFor(winner), verdict };
}

/** Why a draw may not be agreed now (9.1.1); undefined when it may. `firstMove`: event rules forbid it before that move. */
export function agreementBarred(plies: number, firstMove = 1): 'no-moves' | 'too-early' | undefined {
  if (plies < 2) return 'no-moves';
  return plies < 2 * firstMove ? 'too-early' : undefined;
}

/** A result and its reason as PGN has them. */
export interface PgnOutcome {
  readonly result: GameResult;
  /** Tags beside Result: Termination where it was seen, Score where PGN has no token for the result. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Writes an outcome for PGN: a result without token becomes `*` with its points in a tag of their own. */
export function makePgnOutcome(score: Score, termination: Termination): PgnOutcome {
  const pgn: string | undefined = ENDINGS[termination].pgn;
  const tags: Record<string, string> = {};
  if (isTokenless(score)) tags.Score = score;
  if (score === '*') tags.Termination = 'unterminated';
  else if (pgn !== undefined) tags.Termination = pgn;
  return { result: isTokenless(score) ? '*' : score, tags };
}
