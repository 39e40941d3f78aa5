/** What is proved from where the pieces can get. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CAGING, CLEARING, HelpmateSearch } from '../../../../core/laws/unwinnable/helpmate.ts';
import { lacksMaterial } from '../../../../core/laws/unwinnable/material.ts';
import { lacksMatingSquares } from '../../../../core/laws/unwinnable/regions.ts';
import { SearchBoard, type SideIndex } from '../../../../core/search-board.ts';
import { anyPosition, at, CLOSED, WALLED_CAGE } from './placements.ts';

const boardOf = (fen: string): SearchBoard => SearchBoard.fromPosition(at(fen))!;

describe('lacksMatingSquares', () => {
  it.each<[string, boolean, boolean]>([
    ['8/2k5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 b - -', true, true],
    ['1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - -', true, true],
    ['4kb2/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4KB2 w - -', true, true],
    ['8/8/3k4/8/8/3K4/4R3/8 w - -', false, true],
    [`${CLOSED} w - -`, true, true],
    // The only way through is a capture in passing: nothing is proved.
    [`${CLOSED} w - d6`, false, false],
    [`${WALLED_CAGE} b - -`, true, true],
  ])('in %s says %s for White, %s for Black', (fen, white, black) => {
    expect([lacksMatingSquares(boardOf(fen), 0), lacksMatingSquares(boardOf(fen), 1)]).toEqual([
      white,
      black,
    ]);
  });

  it('sees a rook castled out of its cage', () => {
    const board = SearchBoard.fromPosition(at(`${WALLED_CAGE} b K -`, 'chess960'))!;
    expect(lacksMatingSquares(board, 0)).toBe(false);
  });

  it('says nothing of a side that finds a mate', () => {
    let proved = 0;
    fc.assert(
      fc.property(anyPosition, fc.constantFrom<SideIndex>(0, 1), (position, winner) => {
        const board = SearchBoard.fromPosition(position)!;
        if (!lacksMaterial(board, winner) && !lacksMatingSquares(board, winner)) return;
        proved++;
        for (const weights of [CLEARING, CAGING]) {
          expect(new HelpmateSearch(board, winner, weights, false).run(1000).line).toBeUndefined();
        }
      }),
      { numRuns: 1700, seed: 5 },
    );
    expect(proved).toBeGreaterThan(40);
  });
});
