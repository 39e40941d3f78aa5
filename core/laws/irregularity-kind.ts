/** Which irregularities there are (7.1 to 7.6, 4.3), and what the Laws make of each. */
import type { FlagWord } from '../flag.ts';
import { opponent, type Side } from '../square.ts';

interface KindFacts {
  readonly article: string;
  /** Counts towards the penalties of 7.5.5. */
  readonly counts: boolean;
  /** The flag that tells of it; undefined when no sensor sees it and a person enters it. */
  readonly word: FlagWord | undefined;
  /** Under limited supervision it stands once it is answered (A.5.2). */
  readonly lapses: boolean;
}

/** Kinds of irregularity. */
export const IRREGULARITIES = {
  illegal: { article: '7.5.1', counts: true, word: 'ILLEGAL', lapses: true },
  'castling-incomplete': { article: '7.5.1', counts: true, word: 'CASTLING_INCOMPLETE', lapses: true },
  'en-passant-incomplete': { article: '7.5.1', counts: true, word: 'EP_VICTIM_LEFT', lapses: true },
  'promotion-incomplete': { article: '7.5.2', counts: true, word: 'PROMO_INCOMPLETE', lapses: true },
  'pressed-without-move': { article: '7.5.3', counts: true, word: 'PRESSED_WITHOUT_MOVE', lapses: true },
  'two-hands': { article: '7.5.4', counts: true, word: undefined, lapses: true },
  // A clock offence, and none of 7.5.
  'other-hand': { article: '6.2.3', counts: false, word: undefined, lapses: false },
  'out-of-turn': { article: '7.5', counts: false, word: 'OUT_OF_TURN', lapses: false },
  displaced: { article: '7.4', counts: false, word: 'DISPLACED', lapses: false },
  'wrong-start': { article: '7.2.1', counts: false, word: 'WRONG_START', lapses: false },
  'board-turned': { article: '7.2.2', counts: false, word: 'ROTATED_180', lapses: false },
  'colours-reversed': { article: '7.3', counts: false, word: 'COLOURS_REVERSED', lapses: false },
  'touch-move': { article: '4.3', counts: false, word: 'TOUCH_MOVE', lapses: true },
  'rook-first': { article: '4.4.2', counts: false, word: 'ROOK_TOUCHED_FIRST', lapses: true },
} as const satisfies Record<string, KindFacts>;

export type IrregularityKind = keyof typeof IRREGULARITIES;

/** Kinds that are nobody's move. */
const NOBODYS: readonly IrregularityKind[] = ['displaced', 'wrong-start', 'board-turned', 'colours-reversed'];

/** Whose an irregularity at a ply of `mover` is; undefined where it is nobody's, or nobody saw whose. */
export function doerOf(kind: IrregularityKind, mover: Side): Side | undefined {
  if (NOBODYS.includes(kind)) return undefined;
  return kind === 'out-of-turn' ? opponent(mover) : mover;
}

/** Names an irregularity of a game so that it is found again after a new derivation: what was seen, by whom, at which ply. */
export interface IrregularityRef {
  readonly kind: IrregularityKind;
  /** Absent where it is nobody's, or nobody saw whose. */
  readonly side?: Side;
  readonly ply: number;
}
