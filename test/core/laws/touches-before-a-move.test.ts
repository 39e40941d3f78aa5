/** What hands do before one move that is then made: the log over a position, a text of events, and the ply. */
import { describe, expect, it } from 'vitest';
import { GameLine } from '../../../core/laws/game-line.ts';
import { createTouchLog, type TouchFinding, type TouchLog } from '../../../core/laws/touch-log.ts';
import { isTouch } from '../../../core/laws/touch-move.ts';
import type { Position } from '../../../core/position.ts';
import { makeSquare } from '../../../core/square.ts';
import { readEvents } from '../table-of-games.ts';
import { at } from './written-game.ts';

/** A log that has seen the events. */
function logOf(position: Position, text: string): { log: TouchLog; line: GameLine; atMs: number } {
  const line = new GameLine(position.fen());
  const log = createTouchLog(line, position.cells);
  let atMs = 0;
  for (const event of readEvents(text)) {
    if (event.type !== 'square') throw new Error('only squares are touched');
    atMs = event.atMs;
    log.step(event);
  }
  return { log, line, atMs };
}

const KNIGHT = at('rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3');
const CASTLING = at('r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1');

describe('touches', () => {
  const touches = (position: Position, text: string) =>
    logOf(position, text)
      .log.handlingBefore(1)!
      .touches.filter((touch) => isTouch(touch))
      .map(
        (t) =>
          `${makeSquare(t.square)}${t.side === position.turn ? ' own' : ''}${t.durationMs === undefined ? '' : ' back'}`,
      );

  it('are told in the order of the lifts', () => {
    expect(touches(KNIGHT, '-b1 ~400 +b1=N ~100 -e5 ~400 +e5=p ~100 -f3')).toEqual([
      'b1 own back',
      'e5 back',
      'f3 own',
    ]);
  });

  it('are none when the piece is back within a moment', () => {
    expect(touches(KNIGHT, '-b1 ~240 +b1=N')).toEqual([]);
    expect(touches(KNIGHT, '-b1 ~260 +b1=N')).toEqual(['b1 own back']);
  });

  it('are told once for each piece, here one that is in the air again', () => {
    expect(touches(KNIGHT, '-b1 ~400 +b1=N ~400 -b1')).toEqual(['b1 own']);
  });

  it('count a piece that is put elsewhere and back', () => {
    expect(touches(CASTLING, '-a1 +b1=R ~500 -b1 +a1=R')).toEqual(['a1 own back']);
  });

  it('do not count the squares that a piece goes to', () => {
    expect(touches(KNIGHT, '-f3 +g5=N ~400 -g5 +h4=N')).toEqual(['f3 own']);
  });

  it('do not count what a badly placed piece does by itself', () => {
    expect(touches(KNIGHT, '-b1 ~300 +b1=N ~300 -b1 ~300 +b1=N ~300 -b1 ~300 +b1=N')).toEqual([]);
  });
});

describe('a move that does not honour the first touch', () => {
  const fault = (position: Position, san: string, text: string): string | undefined => {
    const move = position.parseSan(san);
    if (move === undefined) throw new Error(`${san} is not legal`);
    const { log, line, atMs } = logOf(position, text);
    const ply = {
      san,
      uci: position.uci(move),
      state: 'confirmed',
      madeAtMs: atMs,
      completedAtMs: atMs + 500,
    } as const;
    line.put(1, ply);
    const checked: TouchFinding[] = [...log.step({ type: 'ply', atMs: atMs + 500, number: 1, ply }).outputs];
    const found = checked.flatMap((f) => (f.type === 'checked' ? [f.check.fault] : []))[0];
    return found === undefined ? undefined : `${found.type} ${makeSquare(found.square)}`;
  };

  it.each([
    ['nothing else was touched', KNIGHT, 'Nxe5', '-f3 -e5 +e5=N', undefined],
    ['another piece was touched first', KNIGHT, 'd4', '-b1 ~500 +b1=N ~300 -d2 +d4=P', 'touch-move b1'],
    ['another piece was touched after it', KNIGHT, 'd4', '-d2 ~300 -b1 ~500 +b1=N ~300 +d4=P', undefined],
    [
      'another piece that cannot move was touched first',
      KNIGHT,
      'd4',
      '-a1 ~500 +a1=R ~300 -d2 +d4=P',
      undefined,
    ],
    [
      'two were touched, the first cannot move and the second was not moved',
      KNIGHT,
      'd4',
      '-a1 ~500 +a1=R ~300 -b1 ~500 +b1=N ~300 -d2 +d4=P',
      'touch-move b1',
    ],
    ['both were lifted together', KNIGHT, 'd4', '-b1 ~100 -d2 ~500 +b1=N ~100 +d4=P', undefined],
    ['a piece of the other side was touched alone', KNIGHT, 'd4', '-e5 ~500 +e5=p ~300 -d2 +d4=P', undefined],
    [
      'a piece that could be taken was touched with the captor in the hand',
      KNIGHT,
      'Nd4',
      '-f3 ~200 -e5 ~500 +e5=p ~200 +d4=N',
      'touch-move e5',
    ],
    ['it was taken', KNIGHT, 'Nxe5', '-f3 ~200 -e5 ~500 +e5=p ~300 -e5 +e5=N', undefined],
    ['the rook was moved before the king', CASTLING, 'O-O', '-h1 ~600 -e1 +g1=K +f1=R', 'rook-first h1'],
    ['the rook and the king were lifted together', CASTLING, 'O-O', '-h1 ~100 -e1 +g1=K +f1=R', undefined],
    ['the king was moved before the rook', CASTLING, 'O-O', '-e1 +g1=K ~900 -h1 +f1=R', undefined],
    [
      'the rook was touched and another castling played',
      CASTLING,
      'O-O-O',
      '-h1 ~600 +h1=R ~300 -e1 +c1=K -a1 +d1=R',
      'touch-move h1',
    ],
    [
      'the rook was touched, castling is on its side',
      CASTLING,
      'O-O',
      '-h1 ~600 +h1=R ~300 -e1 +g1=K -h1 +f1=R',
      'rook-first h1',
    ],
    ['the king was touched and moves', CASTLING, 'Ke2', '-e1 ~600 +e1=K ~300 -e1 +e2=K', undefined],
  ] as const)('%s', (_, position, san, text, expected) => {
    expect(fault(position, san, text)).toBe(expected);
  });

  const PROMOTION = at('8/P6k/8/8/8/8/8/K7 w - - 0 1');
  it.each([
    ['another piece had touched the square', 'a8=N', '-a7 +a8=Q ~600 -a8 +a8=N', 'promotion-changed a8'],
    ['another piece had touched it for an instant', 'a8=N', '-a7 +a8=Q ~100 +a8=N', undefined],
    ['only the pawn had', 'a8=N', '-a7 +a8=P ~900 -a8 +a8=N', undefined],
    ['the same piece was lifted and put back', 'a8=Q', '-a7 +a8=Q ~600 -a8 ~600 +a8=Q', undefined],
    ['a piece of the other colour had', 'a8=Q', '-a7 +a8=q ~600 -a8 +a8=Q', undefined],
  ] as const)('and a promotion where %s', (_, san, text, expected) => {
    expect(fault(PROMOTION, san, text)).toBe(expected);
  });
});
