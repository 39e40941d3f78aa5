import { describe, expect, it } from 'vitest';
import { EMPTY, OCCUPIED, type Placement, parsePlacement, UNKNOWN } from '../../../core/placement.ts';
import { Position } from '../../../core/position.ts';
import { Eboard, identifyPieces } from '../../../recorder/livechess/eboard.ts';
import { playedGame } from '../pgn/played-game.ts';

const cellsAfter = (...moves: readonly string[]): Placement =>
  moves.reduce((position, san) => position.play(position.parseSan(san)!), Position.initial()).cells;
/** What a board sees that knows only where something stands. */
const bare = (placement: Placement): Placement =>
  placement.map((cell) => (cell === EMPTY ? EMPTY : OCCUPIED));
const [E2, E4, E1, G1, H1, F1, D5, D7] = [12, 28, 4, 6, 7, 5, 35, 51];

function occupancyBoard(...moves: readonly string[]) {
  const board = new Eboard('line-occupancy-7', 'line-occupancy');
  board.sense({ type: 'dump', atMs: 0, placement: bare(cellsAfter(...moves)) });
  const square = (at: number, cell: number): void => {
    board.sense({ type: 'square', atMs: 0, square: at, cell });
  };
  return { board, square };
}

describe('a board that knows only where something stands', () => {
  it('is told with the pieces of its game, on every way between two positions, and never with a question mark', () => {
    const { board, square } = occupancyBoard();
    expect(board.board).toBeNull();
    board.follow(playedGame([]));
    expect(board.board).toBe('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR');
    square(E2, EMPTY);
    expect(board.board).toBe('rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR');
    square(E4, OCCUPIED);
    expect(board.board).toBe('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
    square(D7, EMPTY);
    square(D5, OCCUPIED);
    board.follow(playedGame(['e4', 'd5']));
    expect(board.board).toContain('/3p4/4P3/');
    square(E4, EMPTY);
    square(D5, EMPTY);
    // Two are in the air, and nobody knows which is put down: what was told stands until the move is known.
    const lifted = board.board;
    square(D5, OCCUPIED);
    expect([lifted, board.board].join()).not.toContain('?');
    board.follow(playedGame(['e4', 'd5', 'exd5']));
    expect(board.board).toContain('/3P4/');
  });

  it('waits for a castling to be known', () => {
    const moves = ['e4', 'e5', 'Nf3', 'Nf6', 'Be2', 'Be7'];
    const { board, square } = occupancyBoard(...moves);
    board.follow(playedGame(moves));
    square(E1, EMPTY);
    square(H1, EMPTY);
    const before = board.board;
    square(G1, OCCUPIED);
    square(F1, OCCUPIED);
    expect(board.board).toBe(before);
    board.follow(playedGame([...moves, 'O-O']));
    expect(board.board).toMatch(/RNBQ1RK1$/);
  });

  it('is told by what a client has set up where the record does not fit', () => {
    const { board } = occupancyBoard('d4', 'd5', 'c4');
    expect(board.boardBy(cellsAfter('d4', 'd5', 'c4'))).toBe(
      'rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR',
    );
  });
});

describe('identifyPieces', () => {
  it('takes what identified pieces say as it is, and a square without knowledge as it is meant', () => {
    const odd = parsePlacement('8/8/8/8/8/8/8/K6k')!;
    expect(identifyPieces(odd, undefined)).toBe(odd);
    const blind = cellsAfter('e4').slice();
    blind[E4] = UNKNOWN;
    blind[E2] = UNKNOWN;
    expect(identifyPieces(blind, cellsAfter('e4'))).toEqual(cellsAfter('e4'));
    expect(identifyPieces(blind, undefined)).toBeUndefined();
  });
});
