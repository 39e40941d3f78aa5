/** Every order in which the squares of one move can change, at any pace, completed in any way: always the same move. */
import { describe, expect, it } from 'vitest';
import { derive, sansOf, wordOf } from './table-of-games.ts';

/** A move, its reply, and what happens on the squares: each list in its order, the lists in any. */
interface Case {
  readonly title: string;
  readonly fen: string;
  readonly san: string;
  readonly reply: readonly [events: string, san: string];
  readonly squares: readonly (readonly string[])[];
  readonly chess960?: true;
}

const make = (
  title: string,
  fen: string,
  san: string,
  reply: Case['reply'],
  squares: Case['squares'],
  chess960?: true,
): Case => ({ title, fen, san, reply, squares, ...(chess960 === true ? { chess960 } : {}) });

const PAWNS = 'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';
const EN_PASSANT = 'rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3';
const CASTLING = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
const PROMOTION = '1r5k/P7/8/8/8/8/7p/K7 w - - 0 1';
const KNIGHT = ['-g8 +f6=n', 'Nf6'] as const;
const KING = ['-e8 +e7=k', 'Ke7'] as const;
const CORNER = ['-h8 +h7=k', 'Kh7'] as const;

const CASES: readonly Case[] = [
  make('a quiet move', PAWNS, 'e5', KNIGHT, [['-e4'], ['+e5=P']]),
  make('a capture', PAWNS, 'exd5', KNIGHT, [['-e4'], ['-d5', '+d5=P']]),
  make(
    'a capture whose victim is held over another square',
    '4k3/8/7n/8/8/8/8/2B1K2R w - - 0 1',
    'Bxh6',
    KING,
    [['-c1'], ['-h6', '+h6=B'], ['+h4=n', '-h4']],
  ),
  make('en passant', EN_PASSANT, 'exd6', KNIGHT, [['-e5'], ['+d6=P'], ['-d5']]),
  make("castling to the king's side", CASTLING, 'O-O', KING, [['-e1'], ['+g1=K'], ['-h1'], ['+f1=R']]),
  make("castling to the queen's side", CASTLING, 'O-O-O', KING, [['-e1'], ['+c1=K'], ['-a1'], ['+d1=R']]),
  make('a promotion', PROMOTION, 'a8=Q', CORNER, [['-a7'], ['+a8=Q']]),
  make('a promotion with the pawn set down first', PROMOTION, 'a8=Q', CORNER, [
    ['-a7'],
    ['+a8=P', '-a8', '+a8=Q'],
  ]),
  make('a promotion by capture', PROMOTION, 'axb8=Q', CORNER, [['-a7'], ['-b8', '+b8=Q']]),
  make('a promotion by capture with the pawn set down first', PROMOTION, 'axb8=Q', CORNER, [
    ['-a7'],
    ['-b8', '+b8=P', '-b8', '+b8=Q'],
  ]),
];

/** Only where sensors tell pieces apart. */
const IDENTITY_CASES: readonly Case[] = [
  ...CASES,
  make('a capture whose square never reads empty', PAWNS, 'exd5', KNIGHT, [['-e4'], ['+d5=P']]),
  make('a promotion to a knight by capture', PROMOTION, 'axb8=N', CORNER, [['-a7'], ['-b8', '+b8=N']]),
  make(
    'castling of king and rook that change places',
    '4k3/8/8/8/8/8/8/5KR1 w G - 0 1',
    'O-O',
    KING,
    [
      ['-f1', '+f1=R'],
      ['-g1', '+g1=K'],
    ],
    true,
  ),
  make(
    'castling of a king that goes one square',
    '4k3/8/8/8/8/8/8/5K1R w H - 0 1',
    'O-O',
    KING,
    [['-f1', '+f1=R'], ['+g1=K'], ['-h1']],
    true,
  ),
];

/** All orders that keep the order within each list. */
function ordersOf(lists: readonly (readonly string[])[]): string[][] {
  if (lists.every((list) => list.length === 0)) return [[]];
  return lists.flatMap((list, i) => {
    const [first, ...rest] = list;
    if (first === undefined) return [];
    return ordersOf(lists.map((other, j) => (j === i ? rest : other))).map((order) => [first, ...order]);
  });
}

const GAPS_MS = [60, 400, 1500];

/** What may be said of an order of castling, or of a piece no sensor knows. */
const isExpected = (word: string, san: string, occupancy: boolean): boolean =>
  (word === 'ROOK_TOUCHED_FIRST' && san.startsWith('O-O')) ||
  (word === 'AMBIGUOUS' && occupancy && san.includes('='));

function faultsOf(
  { fen, san, reply: [reply, replySan], squares, chess960 }: Case,
  occupancy: boolean,
): string[] {
  const faults: string[] = [];
  const endings = [
    [' CW', san],
    [` ${reply}`, `${san} ${replySan}`],
    [` CW ~800 ${reply} CB`, `${san} ${replySan}`],
    [' ~16000', san],
  ] as const;
  for (const order of ordersOf(squares)) {
    for (const gapMs of GAPS_MS) {
      for (const [ending, moves] of endings) {
        const text = order.join(` ~${gapMs} `) + ending;
        const [game] = derive(fen, text, { occupancy, chess960: chess960 === true }).games;
        const loud = game!.flags
          .filter(({ severity }) => severity === 'warning' || severity === 'alarm')
          .map(({ code }) => wordOf(code))
          .filter((word) => !isExpected(word, san, occupancy));
        if (sansOf(game!) !== moves || loud.length > 0 || !game!.inSync)
          faults.push(`${text}: ${sansOf(game!)} ${loud.join(' ')} ${game!.inSync ? '' : 'differs'}`);
      }
    }
  }
  return faults;
}

describe('the squares of a move in every order', () => {
  it.each(IDENTITY_CASES)('$title', (row) => {
    expect(faultsOf(row, false)).toEqual([]);
  });
});

describe('the squares of a move in every order, on boards that know occupancy only', () => {
  it.each(CASES)('$title', (row) => {
    expect(faultsOf(row, true)).toEqual([]);
  });
});
