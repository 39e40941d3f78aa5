import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BLACK_KING,
  cellOf,
  cellsAgree,
  differingSquares,
  EMPTY,
  emptyPlacement,
  makeCell,
  makePlacement,
  makeSquares,
  OCCUPIED,
  parseCell,
  parsePlacement,
  placementsAgree,
  ROLES,
  roleOfCell,
  sideOfCell,
  turnPlacement,
  UNKNOWN,
  WHITE_KING,
} from '../../core/placement.ts';
import { fileOf, makeSquare, opponent, parseSquare, rankOf, SIDES, turnSquare } from '../../core/square.ts';

const INITIAL = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
const cell = () => fc.integer({ min: 0, max: 14 });
const placement = (max = 13) =>
  fc
    .array(fc.integer({ min: 0, max }), { minLength: 64, maxLength: 64 })
    .map((cells) => Uint8Array.from(cells));

describe('squares', () => {
  it('are numbered from a1 along the rank', () => {
    expect(['a1', 'h1', 'a2', 'e4', 'h8'].map(parseSquare)).toEqual([0, 7, 8, 28, 63]);
  });

  it('are read as they are written', () => {
    for (let square = 0; square < 64; square++) {
      expect(parseSquare(makeSquare(square))).toBe(square);
      expect(fileOf(square) + 8 * rankOf(square)).toBe(square);
      expect(turnSquare(turnSquare(square))).toBe(square);
    }
    expect(turnSquare(parseSquare('e2')!)).toBe(parseSquare('d7'));
  });

  it.each(['', 'e', 'e44', 'i1', 'a0', 'a9', 'E4', ' e4', '4e', 'é4'])('are not read from %j', (text) => {
    expect(parseSquare(text)).toBeUndefined();
  });

  it('belong to two sides', () => {
    expect(SIDES.map(opponent)).toEqual(['black', 'white']);
  });
});

describe('cells', () => {
  it('hold each piece of each side once', () => {
    const cells = SIDES.flatMap((side) => ROLES.map((role) => cellOf(side, role)));
    expect(cells).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(cells.map((c) => [sideOfCell(c), roleOfCell(c)])).toEqual(
      SIDES.flatMap((side) => ROLES.map((role) => [side, role])),
    );
    expect(cells.map(makeCell).join('')).toBe('PNBRQKpnbrqk');
    expect([WHITE_KING, BLACK_KING].map(makeCell).join('')).toBe('Kk');
  });

  it.each([EMPTY, OCCUPIED, UNKNOWN])('without a known piece (%i) have neither side nor role', (c) => {
    expect([sideOfCell(c), roleOfCell(c)]).toEqual([undefined, undefined]);
  });

  it('are read from the letters of FEN and the question mark alone', () => {
    for (const letter of 'PNBRQKpnbrqk?') expect(makeCell(parseCell(letter)!)).toBe(letter);
    for (const text of ['', '.', '*', 'x', 'PP', '1', ' ']) expect(parseCell(text)).toBeUndefined();
  });

  it('agree with what is meant when they show it, or show any piece unidentified, or know nothing', () => {
    fc.assert(
      fc.property(cell(), fc.integer({ min: 0, max: 12 }), (seen, meant) => {
        const agrees = seen === meant || seen === UNKNOWN || (seen === OCCUPIED && meant !== EMPTY);
        expect(cellsAgree(seen, meant)).toBe(agrees);
      }),
    );
  });
});

describe('placements', () => {
  it('are read from the field of a FEN, or from a whole one', () => {
    const initial = parsePlacement(INITIAL)!;
    expect(initial[parseSquare('e1')!]).toBe(cellOf('white', 'king'));
    expect(initial[parseSquare('d8')!]).toBe(cellOf('black', 'queen'));
    expect(initial.filter((c) => c !== EMPTY)).toHaveLength(32);
    expect(parsePlacement(`${INITIAL} w KQkq - 0 1`)).toEqual(initial);
  });

  it('are read as they are written, whatever stands where', () => {
    fc.assert(
      fc.property(placement(), (cells) => {
        expect(parsePlacement(makePlacement(cells))).toEqual(cells);
      }),
    );
  });

  it('write a square without knowledge as an unidentified piece', () => {
    const cells = emptyPlacement();
    cells[0] = UNKNOWN;
    expect(makePlacement(cells)).toBe('8/8/8/8/8/8/8/?7');
  });

  it.each([
    '',
    '8/8/8/8/8/8/8',
    '8/8/8/8/8/8/8/8/8',
    '9/8/8/8/8/8/8/8',
    '7/8/8/8/8/8/8/8',
    'ppppppppp/8/8/8/8/8/8/8',
    'x7/8/8/8/8/8/8/8',
    '44p/8/8/8/8/8/8/8',
    '0p7/8/8/8/8/8/8/8',
    'nonsense',
  ])('are not read from %j', (text) => {
    expect(parsePlacement(text)).toBeUndefined();
  });

  it('are not read from chance, and nothing throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 90 }), (text) => {
        const read = parsePlacement(text);
        expect(read === undefined || read.length === 64).toBe(true);
      }),
    );
  });

  it('turn by 180 degrees and back', () => {
    fc.assert(
      fc.property(placement(14), (cells) => {
        const turned = turnPlacement(cells);
        for (let square = 0; square < 64; square++) expect(turned[turnSquare(square)]).toBe(cells[square]);
        expect(turnPlacement(turned)).toEqual(cells);
      }),
    );
    expect(makePlacement(turnPlacement(parsePlacement('8/8/8/8/8/8/8/4K3')!))).toBe('3K4/8/8/8/8/8/8/8');
  });

  it('differ on the squares whose cells do not agree, and agree when there is none', () => {
    fc.assert(
      fc.property(placement(14), placement(12), (seen, meant) => {
        const squares = differingSquares(seen, meant);
        for (let square = 0; square < 64; square++)
          expect(squares.includes(square)).toBe(!cellsAgree(seen[square]!, meant[square]!));
        expect(placementsAgree(seen, meant)).toBe(squares.length === 0);
      }),
      { numRuns: 50 },
    );
    const occupied = parsePlacement(INITIAL)!.map((c) => (c === EMPTY ? EMPTY : OCCUPIED));
    expect(placementsAgree(occupied, parsePlacement(INITIAL)!)).toBe(true);
    expect(placementsAgree(parsePlacement(INITIAL)!, parsePlacement(INITIAL)!)).toBe(true);
    expect(makeSquares(differingSquares(emptyPlacement(), parsePlacement('8/8/8/3k4/8/8/8/K7')!))).toBe(
      'a1, d5',
    );
  });
});
