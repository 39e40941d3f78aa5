/** Whether a side can still mate by any series of legal moves (LAWS, section 7). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askWinnability } from '../../../../core/laws/unwinnable/winnability.ts';
import { Position } from '../../../../core/position.ts';
import { opponent, SIDES, type Side } from '../../../../core/square.ts';
import { anyPosition, at, CAGE, CLOSED, isMatingLine, mirror } from './placements.ts';

const verdicts = (fen: string, budget?: number) =>
  SIDES.map((side) => askWinnability(at(fen), side, budget).verdict);

describe('askWinnability', () => {
  it.each<[string, string, string, string]>([
    ['a lone king', '8/8/3k4/8/8/3K4/4R3/8 w - -', 'winnable', 'unwinnable'],
    ['one knight against a king', '8/8/3k4/8/8/3K4/4N3/8 w - -', 'unwinnable', 'unwinnable'],
    ['one knight against a queen', '8/8/3k4/3q4/8/3K4/4N3/8 w - -', 'unwinnable', 'winnable'],
    ['one knight against a pawn', '8/8/3k4/3p4/8/3K4/4N3/8 w - -', 'winnable', 'winnable'],
    ['one knight against a rook', '8/8/3k4/3r4/8/3K4/4N3/8 w - -', 'winnable', 'winnable'],
    ['bishops of one colour', '8/8/3k4/3b4/8/3K4/4B3/8 w - -', 'unwinnable', 'unwinnable'],
    ['bishops of both colours', '8/8/3k4/4b3/8/3K4/4B3/8 w - -', 'winnable', 'winnable'],
    ['a bishop against a rook', '8/8/3k4/4r3/8/3K4/4B3/8 w - -', 'unwinnable', 'winnable'],
    ['a wall of pawns', '8/2k5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 b - -', 'unwinnable', 'unwinnable'],
    [
      'pawns that cannot pass each other',
      '1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - -',
      'unwinnable',
      'unwinnable',
    ],
    ['a forced capture that leaves nothing', '8/8/8/8/8/1k6/1n6/K7 w - -', 'unwinnable', 'unwinnable'],
    ['stalemate on the board', '7k/5Q2/6K1/8/8/8/8/8 b - -', 'unwinnable', 'unwinnable'],
    ['mate on the board', '7k/6Q1/6K1/8/8/8/8/8 b - -', 'winnable', 'unwinnable'],
    ['a pawn that only ever stalemates', '6k1/6P1/6K1/6P1/8/8/8/8 w - -', 'winnable', 'unwinnable'],
    ['the initial position', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -', 'winnable', 'winnable'],
  ])('knows %s', (_, fen, white, black) => {
    expect(verdicts(fen)).toEqual([white, black]);
  });

  it('opens a wall by a capture in passing that is the only way through it', () => {
    expect(verdicts(`${CLOSED} w - -`)).toEqual(['unwinnable', 'unwinnable']);
    const passing = at(`${CLOSED} w - d6`);
    expect(passing.fen()).toContain(' d6 ');
    for (const side of SIDES) {
      const { line } = askWinnability(passing, side);
      expect(line![0]).toMatch(/^[ce]5d6$/);
      expect(isMatingLine(passing, line!, side)).toBe(true);
    }
    // The right is gone with the next move.
    const later = passing.play(passing.parseUci('e1e2')!);
    expect(SIDES.map((side) => askWinnability(later, side).verdict)).toEqual(['unwinnable', 'unwinnable']);
  });

  it('castles out of a cage when that is the only move there is', () => {
    expect(verdicts(`${CAGE} w - -`)[0]).toBe('unwinnable');
    const right = at(`${CAGE} w K -`, 'chess960');
    expect(right.moves()).toHaveLength(1);
    const { line } = askWinnability(right, 'white');
    expect(line![0]).toBe('f1g1');
    expect(isMatingLine(right, line!, 'white')).toBe(true);
  });

  it('gives a line for every side that can mate, and spends no more than it may', () => {
    const position = Position.initial();
    for (const side of SIDES) {
      const { line, nodes } = askWinnability(position, side);
      expect(isMatingLine(position, line!, side)).toBe(true);
      expect(nodes).toBeGreaterThan(0);
      const short = askWinnability(position, side, 1);
      expect(short).toMatchObject({ verdict: 'undecided', nodes: 1 });
    }
  });

  it('does not guess where the laws know no legal moves', () => {
    const position = at('4k3/8/8/8/8/8/4P3/4K2R w K -');
    const king = position.cells[60]!;
    const without = position.playIllegal([{ square: 60, before: king, after: 0 }]);
    expect(without.kingOf('black')).toBeUndefined();
    expect(askWinnability(without, 'white').verdict).toBe('undecided');
  });

  it('answers any position that can be set up, always the same, and the same with colours changed over', () => {
    fc.assert(
      fc.property(anyPosition, fc.constantFrom<Side>(...SIDES), (position, side) => {
        const answer = askWinnability(position, side, 5000);
        expect(askWinnability(position, side, 5000)).toEqual(answer);
        if (answer.line !== undefined) expect(isMatingLine(position, answer.line, side)).toBe(true);
        expect(answer.line !== undefined).toBe(answer.verdict === 'winnable');
        const mirrored = askWinnability(mirror(position), opponent(side), 5000);
        const both = new Set([answer.verdict, mirrored.verdict]);
        expect(both.has('winnable') && both.has('unwinnable')).toBe(false);
      }),
      { numRuns: 100, seed: 7 },
    );
  });
});
