import { describe, expect, it } from 'vitest';
import { checkTouchMove, type Handling, obligationOf, type Touch } from '../../../core/laws/touch-move.ts';
import type { Role } from '../../../core/placement.ts';
import { sideOfCell } from '../../../core/placement.ts';
import type { Position } from '../../../core/position.ts';
import { makeSquare, parseSquare } from '../../../core/square.ts';
import { at } from './written-game.ts';

/**
 * Touches in words, in order: `e4` lifted (a second after the one before), `e4~` put back after a second, `e4~100` put back
 * after 100 ms, `+d5` lifted 100 ms after the one before, `?d5~` not certain that the mover did it, `e4xx` off and on
 * again and again, `e1>g1` released there for good.
 */
function handling(position: Position, text: string, promotions?: Role[]): Handling {
  const touches: Touch[] = [];
  const rests: { from: number; to: number; restedMs: number }[] = [];
  let atMs = 0;
  for (const word of text.split(' ').filter((w) => w !== '')) {
    const released = /^([a-h][1-8])>([a-h][1-8])$/.exec(word);
    if (released !== null) {
      rests.push({ from: parseSquare(released[1]!)!, to: parseSquare(released[2]!)!, restedMs: 5000 });
      continue;
    }
    const match = /^([+?]?)([a-h][1-8])(~\d*)?(xx)?$/.exec(word);
    if (match === null) throw new Error(`${word} is no touch`);
    const [, mark, name, back, flicker] = match;
    atMs += mark === '+' ? 100 : 1000;
    const square = parseSquare(name!)!;
    const side = sideOfCell(position.cells[square]!);
    if (side === undefined) throw new Error(`nothing stands on ${name}`);
    touches.push({
      square,
      side,
      atMs,
      ...(back !== undefined && { durationMs: Number(back.slice(1) || 1000) }),
      ...(flicker !== undefined && { durationMs: 1000, returns: 5 }),
      ...(mark === '?' && { byMover: false }),
    });
  }
  return { touches, rests, ...(promotions !== undefined && { promotions }) };
}

const obligation = (fen: string, text: string): string => {
  const position = at(fen);
  const { article, type, square, moves } = obligationOf(position, handling(position, text));
  const sans = moves.map((m) => position.san(m)).sort();
  const which = type === 'free' ? '' : ` ${makeSquare(square!)}: ${sans.join(' ')}`;
  return `${article} ${type}${which}`;
};

const fault = (fen: string, text: string, san: string, promotions?: Role[]): string => {
  const position = at(fen);
  const move = position.parseSan(san);
  if (move === undefined) throw new Error(`${san} is not legal`);
  const { fault: found } = checkTouchMove(position, handling(position, text, promotions), move);
  return found === undefined ? 'honoured' : `${found.type} ${found.article} ${makeSquare(found.square)}`;
};

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
/** White: Ke1, Nf3, Bc4, e4; black: pawns e5 and d5, either can be taken. */
const CAPTURES = '4k3/8/8/3pp3/2B1P3/5N2/8/4K3 w - - 0 1';
const CASTLING = 'r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1';
/** The rook on f8 attacks f1: no castling short. */
const NO_SHORT = '4kr2/8/8/8/8/8/PPPPP1PP/R3K2R w KQ - 0 1';

describe('what touches oblige to', () => {
  it.each([
    ['4.5: nothing touched obliges to nothing', START, '', '4.5 free'],
    ['4.3.1: the piece that was touched', START, 'b1~', '4.3.1 move b1: Na3 Nc3'],
    ['4.3.1: the first touched', START, 'b1~ g1~', '4.3.1 move b1: Na3 Nc3'],
    ['4.3.1: the first touched that can be moved', START, 'a1~ c1~ g1~', '4.3.1 move g1: Nf3 Nh3'],
    ['4.5: pieces that cannot move', START, 'a1~ c1~ e1~', '4.5 free'],
    ['4.3.1: pieces lifted at once have no order', START, 'b1~ +g1~', '4.3.1 move b1: Na3 Nc3 Nf3 Nh3'],
    ['4.2: a nudge is no touch', START, 'b1~100', '4.5 free'],
    ['4.2: a sensor that flickers is no hand', START, 'b1xx', '4.5 free'],
    ['4.3.2: the first touched that can be captured', CAPTURES, 'e8~ e5~ d5~', '4.3.2 capture e5: Nxe5'],
    ['4.3.2: any piece may capture it', CAPTURES, 'd5~', '4.3.2 capture d5: Bxd5 exd5'],
    ['4.5: an opponent piece that cannot be captured', START, 'e7~', '4.5 free'],
    ['4.2: a piece its owner may have adjusted', CAPTURES, '?e5~', '4.5 free'],
    ['4.3.3: the capture of the one with the other', CAPTURES, 'd5~ e4~', '4.3.3 capture d5: exd5'],
    [
      '4.3.3: or the first touched that can be moved',
      CAPTURES,
      'f3~ d5~',
      '4.3.3 move f3: Nd2 Nd4 Ng1 Ng5 Nh2 Nh4 Nxe5',
    ],
    ['4.3.3: or the first that can be captured', CAPTURES, 'e5~ c4~', '4.3.3 capture e5: Nxe5'],
    [
      '4.3.3: the own piece is first where the order is unclear',
      CAPTURES,
      'e5~ +c4~',
      '4.3.3 move c4: Ba2 Ba6 Bb3 Bb5+ Bd3 Be2 Bf1 Bxd5',
    ],
    ['4.4.1: king and rook', CASTLING, 'e1~ h1~', '4.4.1 castle h1: O-O'],
    ['4.4.1: king and rook at once', CASTLING, 'a1~ +e1~', '4.4.1 castle a1: O-O-O'],
    ['4.4.2: the rook first', CASTLING, 'h1~ e1~', '4.4.2 move h1: Rf1 Rg1'],
    ['4.4.3: king touched for a castling that is illegal', NO_SHORT, 'e1~ h1~', '4.4.3 move e1: Kd1 O-O-O'],
    ['4.4.3: king without a legal move', 'r3k2r/8/8/8/8/8/3PPP2/R2QKR2 w - - 0 1', 'e1~ f1~', '4.4.3 free'],
    ['4.7.2: king released two squares towards the rook', CASTLING, 'e1 e1>g1', '4.7.2 castle h1: O-O'],
    [
      '4.7.3: pawn released on the last rank',
      '1r5k/P7/8/8/8/8/8/K7 w - - 0 1',
      'a7 a7>a8',
      '4.7.3 move a7: a8=B a8=N a8=Q a8=R',
    ],
  ])('%s', (_title, fen, text, expected) => {
    expect(obligation(fen, text)).toBe(expected);
  });
});

describe('a move that was made', () => {
  it.each([
    ['4.3.1: of the touched piece', START, 'b1', 'Nc3', 'honoured'],
    ['4.3.1: of another piece', START, 'b1~ g1', 'Nf3', 'touch-move 4.3.1 b1'],
    ['4.3.1: of another piece when the first could not move', START, 'c1~ g1', 'Nf3', 'honoured'],
    ['4.2: after a nudge', START, 'b1~200 g1', 'Nf3', 'honoured'],
    ['4.3.2: another than the touched piece is captured', CAPTURES, 'e5~ e4', 'exd5', 'touch-move 4.3.3 e5'],
    ['4.3.3: a capture is two touches that agree', CAPTURES, 'd5 e4', 'exd5', 'honoured'],
    ['4.3.3: own piece, then another victim than the first', CAPTURES, 'e4 d5', 'exd5', 'honoured'],
    ['4.3.3: no capture where one was owed', CAPTURES, 'e4~ d5~ f3', 'Nd2', 'touch-move 4.3.3 d5'],
    ['4.4.1: castling', CASTLING, 'e1 h1', 'O-O', 'honoured'],
    ['4.4.1: a king move where castling was owed', CASTLING, 'e1~ h1~ e1', 'Kf1', 'touch-move 4.4.1 h1'],
    ['4.3.1: castling is a move of the king', CASTLING, 'e1~ e1 h1', 'O-O', 'honoured'],
    ['4.4.2: castling with the rook first', CASTLING, 'h1 e1', 'O-O', 'rook-first 4.4.2 h1'],
    ['4.4.2: with the rook at the same moment', CASTLING, 'h1 +e1', 'O-O', 'honoured'],
    ['4.4.2: the rook stays where it went', CASTLING, 'h1', 'Rg1', 'honoured'],
    [
      '4.4.2: the other rook first does not bar this side',
      CASTLING,
      'a1~ e1 h1',
      'O-O',
      'touch-move 4.4.2 a1',
    ],
    ['4.4.3: castling on the other side', NO_SHORT, 'e1~ h1~ e1', 'O-O-O', 'honoured'],
    ['4.4.3: a move of another piece', NO_SHORT, 'e1~ h1~ a2', 'a3', 'touch-move 4.4.3 e1'],
    [
      '4.7.2: another move after the king went two squares',
      CASTLING,
      'e1 e1>g1',
      'Kf1',
      'touch-move 4.7.2 h1',
    ],
  ])('%s', (_title, fen, text, san, expected) => {
    expect(fault(fen, text, san)).toBe(expected);
  });

  const PROMOTION = '1r5k/P7/8/8/8/8/8/K7 w - - 0 1';
  it.each<[string, Role[], string, string]>([
    ['4.4.4: the piece that touched the square', ['queen'], 'a8=Q', 'honoured'],
    [
      '4.4.4: another than the one that touched it first',
      ['queen', 'knight'],
      'a8=N',
      'promotion-changed 4.4.4 a8',
    ],
    ['4.4.4: back to the first', ['queen', 'knight', 'queen'], 'a8=Q', 'honoured'],
  ])('%s', (_title, choices, san, expected) => {
    expect(fault(PROMOTION, 'a7', san, choices)).toBe(expected);
  });

  it('4.7.3: a pawn released on the last rank goes to no other square', () => {
    expect(fault(PROMOTION, 'a7 a7>a8', 'axb8=Q')).toBe('touch-move 4.7.3 a7');
  });

  it('4.3.1: a pawn released on the last rank does not make up for a piece touched before it', () => {
    expect(fault(PROMOTION, 'a1 a7 a7>a8', 'a8=Q')).toBe('touch-move 4.3.1 a1');
  });

  it('names the legal moves that would have honoured the touch', () => {
    const position = at(START);
    const move = position.parseSan('Nf3')!;
    const { fault: found } = checkTouchMove(position, handling(position, 'b1~ g1'), move);
    expect(found!.moves.map((m) => position.san(m)).sort()).toEqual(['Na3', 'Nc3']);
  });
});
