import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Variant } from '../../core/game-event.ts';
import { EMPTY, makePlacement, placementsAgree } from '../../core/placement.ts';
import { type Move, Position, placementOfFen, START_FEN } from '../../core/position.ts';
import { makeSquare, parseSquare } from '../../core/square.ts';
import { randomGames } from '../sim/hand/random-game.ts';

function at(fen: string, variant: Variant = 'standard'): Position {
  const position = Position.fromFen(fen, variant);
  if (!position.ok) throw new Error(position.fault.message);
  return position.value;
}

const play = (position: Position, ...sans: string[]): Position =>
  sans.reduce((reached, san) => {
    const move = reached.parseSan(san);
    if (move === undefined) throw new Error(`${san} is not legal`);
    return reached.play(move);
  }, position);

const square = (name: string): number => parseSquare(name)!;
const changesOf = (move: Move | undefined): string[] =>
  (move?.changes ?? []).map((c) => `${makeSquare(c.square)} ${c.before} ${c.after}`);

describe('FEN', () => {
  it.each([
    START_FEN,
    'r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 17',
    'rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3',
    '8/8/8/8/8/4k3/4p3/4K2R w - - 0 1',
  ])('%s is written as it was read', (fen) => {
    expect(at(fen).fen()).toBe(fen);
  });

  it.each([
    ['nonsense', 'FEN_SYNTAX'],
    ['', 'FEN_SYNTAX'],
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1', 'FEN_SYNTAX'],
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1', 'FEN_SYNTAX'],
    ['8/8/8/8/8/8/8/8 w - - 0 1', 'FEN_ILLEGAL'],
    ['8/8/8/8/8/8/8/K7 w - - 0 1', 'FEN_ILLEGAL'],
    ['kk6/8/8/8/8/8/8/K7 w - - 0 1', 'FEN_ILLEGAL'],
    ['k7/8/8/8/8/8/8/KP6 w - - 0 1', 'FEN_ILLEGAL'],
    ['kK6/8/8/8/8/8/8/8 w - - 0 1', 'FEN_ILLEGAL'],
    ['k7/8/8/8/8/8/8/K6r b - - 0 1', 'FEN_ILLEGAL'],
    [`${'k'.repeat(8)}/`.repeat(7).concat('kkkkkkkk w - - 0 1'), 'FEN_ILLEGAL'],
  ])('%j is refused as %s', (fen, code) => {
    for (const variant of ['standard', 'chess960'] as const)
      expect(Position.fromFen(fen, variant)).toMatchObject({ ok: false, fault: { code } });
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), fc.constantFrom('standard', 'chess960'), (text, variant) => {
        const read = Position.fromFen(text, variant as Variant);
        if (!read.ok) expect(read.fault.code).toMatch(/^FEN_/);
      }),
    );
  });

  it('tells the placement alone as well', () => {
    expect(makePlacement(placementOfFen(START_FEN)!)).toBe(START_FEN.split(' ')[0]);
    expect(placementOfFen('nonsense')).toBeUndefined();
  });

  it('drops a castling right without king or rook at home in standard chess', () => {
    expect(at('4k3/8/8/8/8/8/8/3K3R w K - 0 1').fen()).toBe('4k3/8/8/8/8/8/8/3K3R w - - 0 1');
    expect(at('4k3/8/8/8/8/8/8/4K1R1 w K - 0 1').fen()).toBe('4k3/8/8/8/8/8/8/4K1R1 w - - 0 1');
    expect(at('4k3/8/8/8/8/8/8/3K3R w K - 0 1', 'chess960').fen()).toBe('4k3/8/8/8/8/8/8/3K3R w K - 0 1');
  });

  it('reads every style of castling letters in Chess960 and writes the outer rook by K or Q', () => {
    const rooks = 'k7/8/8/8/8/8/8/1K2R1R1';
    expect(at(`${rooks} w E - 0 1`, 'chess960').castlingRooks('white')).toEqual([square('e1')]);
    expect(at(`${rooks} w G - 0 1`, 'chess960').castlingRooks('white')).toEqual([square('g1')]);
    expect(at(`${rooks} w K - 0 1`, 'chess960').castlingRooks('white')).toEqual([square('g1')]);
    expect(at(`${rooks} w E - 0 1`, 'chess960').fen()).toBe(`${rooks} w E - 0 1`);
    expect(at(`${rooks} w G - 0 1`, 'chess960').fen()).toBe(`${rooks} w K - 0 1`);
    expect(at('nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1', 'chess960').fen()).toBe(
      'nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1',
    );
  });

  it('counts half-moves and moves', () => {
    const reached = play(Position.initial(), 'Nf3', 'Nf6', 'Ng1', 'Ng8');
    expect([reached.halfmoves, reached.fullmoves]).toEqual([4, 3]);
    expect(play(reached, 'e4').halfmoves).toBe(0);
  });
});

describe('moves', () => {
  it('are twenty at the start, from the pieces that have them', () => {
    const start = Position.initial();
    expect(start.moves()).toHaveLength(20);
    expect(
      start
        .movesFrom(square('g1'))
        .map((m) => makeSquare(m.to))
        .sort(),
    ).toEqual(['f3', 'h3']);
    expect(start.movesFrom(square('a1'))).toEqual([]);
    expect(start.movesFrom(square('e7'))).toEqual([]);
    expect(start.movesFrom(square('e4'))).toEqual([]);
  });

  it('list every square that differs afterwards, the arrival first', () => {
    expect(changesOf(Position.initial().parseSan('e4'))).toEqual(['e4 0 1', 'e2 1 0']);
    const capture = at('4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1').parseSan('exd5');
    expect(changesOf(capture)).toEqual(['d5 7 1', 'e4 1 0']);
    expect(capture?.captured).toEqual({ square: square('d5'), cell: 7 });
  });

  it('name the pawn that is captured in passing', () => {
    const move = at('rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3').parseSan('exd6');
    expect(move?.captured).toEqual({ square: square('d5'), cell: 7 });
    expect(changesOf(move)).toEqual(['d6 0 1', 'e5 1 0', 'd5 7 0']);
  });

  it('are four for each pawn that promotes', () => {
    const position = at('1r5k/P7/8/8/8/8/8/K7 w - - 0 1');
    expect(
      position
        .movesFrom(square('a7'))
        .map((m) => position.uci(m))
        .sort(),
    ).toEqual(['a7a8b', 'a7a8n', 'a7a8q', 'a7a8r', 'a7b8b', 'a7b8n', 'a7b8q', 'a7b8r']);
    expect(changesOf(position.parseSan('axb8=N'))).toEqual(['b8 10 2', 'a7 1 0']);
  });

  it('are castling with king and rook, in either notation', () => {
    const position = at('r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1');
    const short = position.parseSan('O-O')!;
    expect([makeSquare(short.from), makeSquare(short.to)]).toEqual(['e1', 'g1']);
    expect(short.castling).toEqual({ rookFrom: square('h1'), rookTo: square('f1') });
    expect(changesOf(short).sort()).toEqual(['e1 6 0', 'f1 0 4', 'g1 0 6', 'h1 4 0']);
    expect(position.parseUci('e1h1')).toEqual(short);
    expect(position.parseUci('e1g1')).toEqual(short);
    expect(position.uci(short)).toBe('e1g1');
    expect(makePlacement(position.play(short).cells)).toBe('r3k2r/8/8/8/8/8/8/R4RK1');
  });

  it.each([
    [
      'king and rook change places',
      '4k3/8/8/8/8/8/8/5KR1 w G - 0 1',
      'O-O',
      'f1g1',
      ['f1 6 4', 'g1 4 6'],
      '4k3/8/8/8/8/8/8/5RK1',
    ],
    [
      'the king stays',
      '4k3/8/8/8/8/8/8/6KR w H - 0 1',
      'O-O',
      'g1h1',
      ['f1 0 4', 'h1 4 0'],
      '4k3/8/8/8/8/8/8/5RK1',
    ],
    [
      'the rook stays',
      '4k3/8/8/8/8/8/8/4KR2 w F - 0 1',
      'O-O',
      'e1f1',
      ['e1 6 0', 'g1 0 6'],
      '4k3/8/8/8/8/8/8/5RK1',
    ],
    [
      "the king goes to the rook's square",
      '4k3/8/8/8/8/8/8/2R1K3 w C - 0 1',
      'O-O-O',
      'e1c1',
      ['c1 4 6', 'd1 0 4', 'e1 6 0'],
      '4k3/8/8/8/8/8/8/2KR4',
    ],
    [
      "the rook goes to the king's square",
      '4k3/8/8/8/8/8/8/R2K4 w A - 0 1',
      'O-O-O',
      'd1a1',
      ['a1 4 0', 'c1 0 6', 'd1 6 4'],
      '4k3/8/8/8/8/8/8/2KR4',
    ],
    [
      'both stand beside each other in the corner',
      '4k3/8/8/8/8/8/8/RK6 w A - 0 1',
      'O-O-O',
      'b1a1',
      ['a1 4 0', 'b1 6 0', 'c1 0 6', 'd1 0 4'],
      '4k3/8/8/8/8/8/8/2KR4',
    ],
  ])('castle in Chess960 when %s', (_, fen, san, uci, changes, after) => {
    const position = at(fen, 'chess960');
    const move = position.parseSan(san)!;
    expect(position.san(move)).toMatch(san);
    expect(position.uci(move)).toBe(uci);
    expect(position.parseUci(uci)).toEqual(move);
    expect(changesOf(move).sort()).toEqual(changes);
    expect(makePlacement(position.play(move).cells)).toBe(after);
  });

  it('tell a king step of one square in Chess960 from castling', () => {
    const position = at('4k3/8/8/8/8/8/8/5K1R w H - 0 1', 'chess960');
    expect(position.parseUci('f1g1')?.castling).toBeUndefined();
    expect(position.parseUci('f1h1')?.castling).toBeDefined();
    expect(position.san(position.parseUci('f1g1')!)).toBe('Kg1');
  });

  it("read queen's side castling as king takes rook and as king step, and write it by the variant", () => {
    const fen = 'r3k3/8/8/8/8/8/8/4K3 b q - 0 1';
    for (const uci of ['e8a8', 'e8c8']) {
      expect(at(fen).san(at(fen).parseUci(uci)!)).toBe('O-O-O');
      expect(at(fen).uci(at(fen).parseUci(uci)!)).toBe('e8c8');
      expect(at(fen, 'chess960').uci(at(fen, 'chess960').parseUci('e8a8')!)).toBe('e8a8');
    }
  });

  it.each(['', 'e2', 'e2e4q', 'e2e5', 'e7e5', 'e2e4 ', 'i2i4', '0000', 'E2E4', 'e1g1', 'e1h1'])(
    'are not read from the UCI %j at the start',
    (uci) => {
      expect(Position.initial().parseUci(uci)).toBeUndefined();
    },
  );

  it.each(['', 'e5', 'Nd4', 'O-O', 'exd5', 'Ke2', 'e9', '--', 'Z0'])(
    'are not read from the SAN %j at the start',
    (san) => {
      expect(Position.initial().parseSan(san)).toBeUndefined();
    },
  );

  it('are not read from an ambiguous SAN', () => {
    const position = at('4k3/8/8/8/8/2N1N3/8/4K3 w - - 0 1');
    expect(position.parseSan('Nd5')).toBeUndefined();
    expect(position.san(position.parseSan('Ncd5')!)).toBe('Ncd5');
  });

  it('need no letter to tell them apart when one piece is pinned', () => {
    const position = at('4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1');
    expect(position.san(position.parseSan('Nge2')!)).toBe('Ne2');
  });

  it('make what stands on the board what their changes say, and SAN and UCI lead back to them', () => {
    fc.assert(
      fc.property(randomGames(), (game) => {
        let position = at(game.start!, game.variant!);
        for (const uci of game.moves) {
          for (const move of position.moves()) {
            const cells = position.cells.slice();
            for (const change of move.changes) {
              expect(cells[change.square]).toBe(change.before);
              expect(change.after).not.toBe(change.before);
              cells[change.square] = change.after;
            }
            const next = position.play(move);
            expect(makePlacement(next.cells)).toBe(makePlacement(cells));
            expect(next.fen().split(' ')[0]).toBe(makePlacement(cells));
            expect(next.turn).not.toBe(position.turn);
            expect(position.parseUci(position.uci(move))).toBe(move);
            expect(position.parseSan(position.san(move))).toBe(move);
          }
          position = position.play(position.parseUci(uci)!);
        }
        expect(at(position.fen(), position.variant).moves()).toHaveLength(position.moves().length);
      }),
      { numRuns: 12 },
    );
  });

  it('leave the position they were played from as it was', () => {
    const position = Position.initial();
    position.play(position.parseSan('e4')!);
    position.playIllegal([{ square: square('e4'), before: EMPTY, after: 1 }]);
    position.passTurn();
    expect(position.fen()).toBe(START_FEN);
    expect(position.cells[square('e4')]).toBe(EMPTY);
    expect(position.moves()).toHaveLength(20);
  });
});

describe('the ends of games', () => {
  it.each([
    ['7k/5Q2/6K1/8/8/8/8/8 b - - 0 1', { check: false, mate: false, stale: true, moves: false }],
    ['7k/6Q1/6K1/8/8/8/8/8 b - - 0 1', { check: true, mate: true, stale: false, moves: false }],
    ['7k/8/6K1/8/8/8/8/7R b - - 0 1', { check: true, mate: false, stale: false, moves: true }],
    [START_FEN, { check: false, mate: false, stale: false, moves: true }],
  ])('%s', (fen, expected) => {
    const position = at(fen);
    expect({
      check: position.isCheck(),
      mate: position.isCheckmate(),
      stale: position.isStalemate(),
      moves: position.hasMoves(),
    }).toEqual(expected);
  });

  it('are near when no side has the pieces for a mate', () => {
    expect(at('4k3/8/8/8/8/8/8/4K3 w - - 0 1').isInsufficientMaterial()).toBe(true);
    expect(at('4k3/8/8/8/8/8/8/3BK3 w - - 0 1').isInsufficientMaterial()).toBe(true);
    expect(at('4k3/8/8/8/8/8/8/3RK3 w - - 0 1').isInsufficientMaterial()).toBe(false);
  });
});

describe('a move that is not legal', () => {
  const changes = (position: Position, from: string, to: string) => [
    { square: square(to), before: position.cells[square(to)]!, after: position.cells[square(from)]! },
    { square: square(from), before: position.cells[square(from)]!, after: EMPTY },
  ];

  it('gives the other side the move and takes rights and en passant away', () => {
    const position = at('r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 9');
    const after = position.playIllegal(changes(position, 'a1', 'b3'));
    expect(after.fen()).toBe('r3k2r/8/8/3pP3/8/1R6/8/4K2R b Kkq - 1 9');
    expect(position.playIllegal(changes(position, 'e1', 'e3')).fen()).toBe(
      'r3k2r/8/8/3pP3/8/4K3/8/R6R b kq - 1 9',
    );
  });

  it('by Black counts the move, and by a pawn begins the half-move clock anew', () => {
    const position = at('4k3/4p3/8/8/8/8/8/4K3 b - - 7 9');
    expect(position.playIllegal(changes(position, 'e7', 'e4')).fen()).toBe(
      '4k3/8/8/8/4p3/8/8/4K3 w - - 0 10',
    );
  });

  it('that captures takes the rights of a captured rook', () => {
    const position = at('r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9');
    const after = position.playIllegal(changes(position, 'a1', 'h8'));
    expect(after.fen()).toMatch(/^r3k2R\/8\/8\/8\/8\/8\/8\/4K2R b Kq - /);
  });

  it('may leave a king in check or missing, and legality goes on', () => {
    const position = at('4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1');
    const after = position.playIllegal(changes(position, 'c3', 'e4'));
    expect(after.isOpponentInCheck()).toBe(true);
    expect(after.moves().length).toBeGreaterThan(0);
    const taken = position.playIllegal([
      { square: square('e8'), before: 12, after: 2 },
      { square: square('c3'), before: 2, after: EMPTY },
    ]);
    expect(taken.kingOf('black')).toBeUndefined();
    expect([taken.isCheck(), taken.isCheckmate(), taken.isStalemate()]).toEqual([false, false, false]);
    expect(taken.fen()).toContain('4N3/8');
  });
});

describe('the other side to move', () => {
  it('stands on the same squares without en passant', () => {
    const passed = at('rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3').passTurn();
    expect(passed.turn).toBe('black');
    expect(passed.fen().split(' ').slice(0, 4).join(' ')).toBe(
      'rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq -',
    );
  });
});

describe('the identity of a position', () => {
  const key = (fen: string, variant: Variant = 'standard'): string => at(fen, variant).key();

  it('is the same when only the counters differ', () => {
    expect(play(Position.initial(), 'Nf3', 'Nf6', 'Ng1', 'Ng8').key()).toBe(Position.initial().key());
  });

  it('differs by the side to move', () => {
    expect(key('4k3/8/8/8/8/8/8/4K2R w - - 0 1')).not.toBe(key('4k3/8/8/8/8/8/8/4K2R b - - 0 1'));
  });

  it('differs by castling rights, also while castling is prevented for the moment', () => {
    const prevented = '4kr2/8/8/8/8/8/8/4K2R';
    expect(at(`${prevented} w K - 0 1`).parseSan('O-O')).toBeUndefined();
    expect(key(`${prevented} w K - 0 1`)).not.toBe(key(`${prevented} w - - 0 1`));
  });

  it('differs once a rook has moved and come back', () => {
    const start = at('4k3/8/8/8/8/8/8/4K2R w K - 0 1');
    const after = play(start, 'Rh2', 'Ke7', 'Rh1', 'Ke8');
    expect(makePlacement(after.cells)).toBe(makePlacement(start.cells));
    expect(after.key()).not.toBe(start.key());
  });

  it('holds en passant only where a capture is really legal', () => {
    const capture = '4k3/8/8/3pP3/8/8/8/4K3';
    expect(key(`${capture} w - d6 0 1`)).not.toBe(key(`${capture} w - - 0 1`));
    const nobody = '4k3/8/8/3p4/8/8/8/4K3';
    expect(key(`${nobody} w - d6 0 1`)).toBe(key(`${nobody} w - - 0 1`));
    // The capturing pawn is pinned to its king along the rank that both pawns leave.
    const pinned = '8/8/8/K2pP2r/8/8/8/4k3';
    expect(key(`${pinned} w - d6 0 1`)).toBe(key(`${pinned} w - - 0 1`));
    expect(play(at('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'), 'e4').key()).toBe(
      key('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'),
    );
  });

  it('tells which rook may castle in Chess960', () => {
    const rooks = 'k7/8/8/8/8/8/8/1K2R1R1';
    expect(key(`${rooks} w E - 0 1`, 'chess960')).not.toBe(key(`${rooks} w G - 0 1`, 'chess960'));
  });
});

describe('the way of castling', () => {
  it('is told whether castling is legal now or not', () => {
    const position = at('4kr2/8/8/8/8/8/8/4K2R w K - 0 1');
    expect(position.castlingRooks('white')).toEqual([square('h1')]);
    const way = position.castlingChanges('white', square('h1'))!;
    expect([makeSquare(way.kingTo), makeSquare(way.rookTo)]).toEqual(['g1', 'f1']);
    expect(way.changes).toHaveLength(4);
    const cells = position.cells.slice();
    for (const change of way.changes) cells[change.square] = change.after;
    expect(makePlacement(cells)).toBe('4kr2/8/8/8/8/8/8/5RK1');
    expect(placementsAgree(cells, position.cells)).toBe(false);
  });

  it('is not there without a king', () => {
    const position = at('4k3/8/8/8/8/8/8/4K2R w K - 0 1');
    const taken = position.playIllegal([{ square: square('e1'), before: 6, after: EMPTY }]);
    expect(taken.castlingChanges('white', square('h1'))).toBeUndefined();
  });
});
