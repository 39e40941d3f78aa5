import { describe, expect, it } from 'vitest';
import type { Variant } from '../../core/game-event.ts';
import { EMPTY, OCCUPIED, parsePlacement } from '../../core/placement.ts';
import { type Move, Position, START_FEN } from '../../core/position.ts';
import { searchGap } from '../../core/reconstruct/gap-search.ts';
import { NO_STALE } from '../../core/reconstruct/match.ts';
import { parseSquare } from '../../core/square.ts';

function at(fen: string, variant: Variant = 'standard'): Position {
  const position = Position.fromFen(fen, variant);
  if (!position.ok) throw new Error(position.fault.message);
  return position.value;
}

const board = (placement: string) => parsePlacement(placement)!;

function sansOf(position: Position, moves: readonly Move[]): string {
  let reached = position;
  return moves
    .map((move) => {
      const san = reached.san(move);
      reached = reached.play(move);
      return san;
    })
    .join(' ');
}

/** Every shortest way, sorted. */
function search(
  fen: string,
  placement: string,
  maxPlies = 4,
  budget = 50_000,
  variant: Variant = 'standard',
): string[] {
  const position = at(fen, variant);
  const found = searchGap(board(placement), position, NO_STALE, maxPlies, budget);
  return (found?.lines ?? []).map((line) => sansOf(position, line)).sort();
}

describe('plies that nobody saw', () => {
  it('are none when the board shows the position', () => {
    const found = searchGap(
      board('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'),
      at(START_FEN),
      NO_STALE,
      4,
      100,
    );
    expect(found).toEqual({ lines: [[]], plies: 0, cut: false });
  });

  it.each([
    ['one', START_FEN, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR', ['e4']],
    ['two', START_FEN, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR', ['e4 e5']],
    [
      'three in two orders',
      START_FEN,
      'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R',
      ['Nf3 e5 e4', 'e4 e5 Nf3'],
    ],
    ['three in one order', START_FEN, 'rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR', ['e4 d5 exd5']],
    ['four in one order', START_FEN, 'rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR', ['e4 d5 exd5 Qxd5']],
    [
      'four in four orders',
      START_FEN,
      'r1bqkb1r/pppppppp/2n2n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R',
      ['Nc3 Nc6 Nf3 Nf6', 'Nc3 Nf6 Nf3 Nc6', 'Nf3 Nc6 Nc3 Nf6', 'Nf3 Nf6 Nc3 Nc6'],
    ],
    [
      'a capture and the recapture',
      'rnbqkb1r/ppp1pppp/5n2/3p2B1/3P4/8/PPP1PPPP/RN1QKBNR w KQkq - 2 3',
      'rnbqkb1r/ppp1pp1p/5p2/3p4/3P4/8/PPP1PPPP/RN1QKBNR',
      ['Bxf6 gxf6'],
    ],
    ['castling of both', 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1', '2kr3r/8/8/8/8/8/8/R4RK1', ['O-O O-O-O']],
    [
      'en passant, or an ordinary capture',
      'rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2',
      'rnbqkbnr/ppp1pppp/3P4/8/8/8/PPPP1PPP/RNBQKBNR',
      ['d5 exd6', 'd6 exd6'],
    ],
    ['a promotion to what stands there', '8/P6k/8/8/8/8/8/K7 w - - 0 1', 'N7/7k/8/8/8/8/8/K7', ['a8=N']],
    [
      'with Black to move',
      'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1',
      'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R',
      ['e5 Nf3'],
    ],
  ])('%s', (_, fen, placement, expected) => {
    expect(search(fen, placement)).toEqual(expected);
  });

  it('may be castling of Chess960', () => {
    expect(search('4k3/8/8/8/8/8/8/5KR1 w G - 0 1', '4k3/8/8/8/8/8/8/5RK1', 1, 1000, 'chess960')).toEqual([
      'O-O',
    ]);
  });

  it('are the same promotions in every piece when a taken one cannot be told', () => {
    expect(search('1r5k/P7/8/8/8/8/8/K7 w - - 0 1', 'r6k/8/8/8/8/8/8/K7')).toEqual([
      'a8=B Rxa8+',
      'a8=N Rxa8+',
      'a8=Q Rxa8+',
      'a8=R Rxa8+',
    ]);
  });

  it('are not looked for beyond the number of plies that is asked for', () => {
    const four = 'rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR';
    expect(searchGap(board(four), at(START_FEN), NO_STALE, 3, 50_000)).toBeUndefined();
    expect(searchGap(board(four), at(START_FEN), NO_STALE, 4, 50_000)?.plies).toBe(4);
  });

  it('are not invented where nothing legal leads', () => {
    for (const placement of [
      'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R',
      'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNBR',
      '8/8/8/8/8/8/8/8',
      `${'kkkkkkkk/'.repeat(7)}kkkkkkkk`,
      'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/PNBQKBNR',
    ])
      expect(searchGap(board(placement), at(START_FEN), NO_STALE, 4, 20_000)).toBeUndefined();
  });

  it('cost no more moves than the budget, and say when it ran out', () => {
    const quiet = 'r1bqkb1r/pppppppp/2n2n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R';
    const whole = searchGap(board(quiet), at(START_FEN), NO_STALE, 4, 50_000);
    expect([whole?.lines.length, whole?.cut]).toEqual([4, false]);
    expect(searchGap(board(quiet), at(START_FEN), NO_STALE, 4, 0)).toBeUndefined();
    const cut = Array.from({ length: 40 }, (_, i) =>
      searchGap(board(quiet), at(START_FEN), NO_STALE, 4, 50 * (i + 1)),
    );
    for (const found of cut) {
      if (found === undefined) continue;
      expect(found.lines.length).toBeLessThanOrEqual(4);
      expect(found.cut || found.lines.length === 4).toBe(true);
    }
    expect(cut.some((found) => found === undefined)).toBe(true);
    expect(cut.some((found) => found?.cut === false)).toBe(true);
  });

  it('are the same each time they are looked for', () => {
    const quiet = board('r1bqkb1r/pppppppp/2n2n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R');
    const lines = () =>
      searchGap(quiet, at(START_FEN), NO_STALE, 4, 50_000)!.lines.map((l) => sansOf(at(START_FEN), l));
    expect(lines()).toEqual(lines());
  });

  it('lead to squares where some piece stands when nobody can tell which', () => {
    const occupied = board('rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR').map((c) =>
      c === EMPTY ? EMPTY : OCCUPIED,
    );
    const found = searchGap(occupied, at(START_FEN), NO_STALE, 2, 5000)!;
    expect(found.lines.map((line) => sansOf(at(START_FEN), line))).toEqual(['e4 e5']);
  });

  it('overlook a square whose difference has an excuse', () => {
    const missing = board('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/1NBQKBNR');
    expect(searchGap(missing, at(START_FEN), NO_STALE, 2, 5000)).toBeUndefined();
    const stale = new Map([[parseSquare('a1')!, EMPTY]]);
    expect(searchGap(missing, at(START_FEN), stale, 2, 5000)?.plies).toBe(1);
  });
});
