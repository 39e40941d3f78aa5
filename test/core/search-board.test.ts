/** The board of the search against the rules library: moves, making and taking back. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Position } from '../../core/position.ts';
import { MOST_MOVES, PACKED_LENGTH, SearchBoard } from '../../core/search-board.ts';
import { at } from './laws/unwinnable/placements.ts';

const boardOf = (position: Position): SearchBoard => {
  const board = SearchBoard.fromPosition(position);
  if (board === undefined) throw new Error('no board');
  return board;
};

/** UCI of the legal moves, in order. */
function legalMoves(board: SearchBoard): string[] {
  const list = new Int32Array(MOST_MOVES);
  const n = board.generate(list);
  const checked = board.isCheck();
  const legal: string[] = [];
  for (const move of list.subarray(0, n)) {
    if (!board.tryMake(move, checked)) continue;
    board.unmake(move);
    legal.push(board.uci(move));
  }
  return legal.sort();
}

const ucis = (position: Position): string[] =>
  position
    .moves()
    .map((move) => position.uci(move))
    .sort();

describe('SearchBoard', () => {
  it.each([
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -',
    'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -',
    'r3k2r/8/8/8/8/8/6p1/R3K2R w KQkq -',
    '8/8/8/K2pP2r/8/8/8/4k3 w - d6',
    '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -',
    'n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -',
  ])('finds the legal moves of %s', (fen) => {
    expect(legalMoves(boardOf(at(fen)))).toEqual(ucis(at(fen)));
  });

  it('goes along with any game, and back as it came', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 120 }), (choices) => {
        let position = Position.initial();
        const board = boardOf(position);
        const other = boardOf(position);
        const list = new Int32Array(MOST_MOVES);
        const made: number[] = [];
        const before: [number, number, string][] = [];
        for (const choice of choices) {
          const legal = ucis(position);
          if (legal.length === 0) break;
          expect(legalMoves(board)).toEqual(legal);
          const uci = legal[choice % legal.length]!;
          const move = list.subarray(0, board.generate(list)).find((m) => board.uci(m) === uci)!;
          before.push([board.hashLow, board.hashHigh, board.cells.join()]);
          made.push(move);
          board.make(move);
          position = position.play(position.parseUci(uci)!);
          expect([...board.cells]).toEqual([...position.cells]);
          expect(board.isCheck()).toBe(position.isCheck());
          const fresh = boardOf(position);
          const saved = new Int32Array(PACKED_LENGTH + 1);
          board.save(saved, 1);
          other.load(saved, 1, board.hashLow, board.hashHigh);
          expect([other.kings, other.counts, other.cells]).toEqual([board.kings, board.counts, board.cells]);
          expect([other.turn, other.castling, other.enPassant]).toEqual([
            board.turn,
            board.castling,
            board.enPassant,
          ]);
          expect(legalMoves(other)).toEqual(ucis(position));
          expect(other.depth).toBe(0);
          // A right to capture in passing that is not legal is kept by the one and dropped by the other.
          if (board.enPassant === fresh.enPassant) {
            expect([board.hashLow, board.hashHigh]).toEqual([fresh.hashLow, fresh.hashHigh]);
          }
        }
        for (const move of made.reverse()) {
          board.unmake(move);
          expect([board.hashLow, board.hashHigh, board.cells.join()]).toEqual(before.pop());
        }
      }),
      { numRuns: 40, seed: 3 },
    );
  });
});
