import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPgnReader,
  type PgnGame,
  parsePgn,
  parseResult,
  readPgn,
} from '../../../recorder/pgn/reader.ts';

const sans = (game: PgnGame | undefined): string[] => (game?.plies ?? []).map((ply) => ply.san);
const codes = (game: PgnGame | undefined): string[] => (game?.faults ?? []).map((fault) => fault.code);
const only = (text: string | Uint8Array): PgnGame => {
  const games = parsePgn(text);
  expect(games).toHaveLength(1);
  return games[0]!;
};

describe('moves', () => {
  it('reads a plain game', () => {
    const game = only('[Event "A"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n');
    expect(game.tags.get('Event')).toBe('A');
    expect(sans(game)).toEqual(['e4', 'e5', 'Nf3']);
    expect(game.plies.map((ply) => ply.uci)).toEqual(['e2e4', 'e7e5', 'g1f3']);
    expect(game.result).toBe('1-0');
    expect(game.faults).toEqual([]);
  });

  it('reads numbers with and without blanks, dots and line breaks between', () => {
    expect(sans(only('1.d4 d5 2 . c4 2...e6 3.\nNc3 3. ... Nf6 *'))).toEqual([
      'd4',
      'd5',
      'c4',
      'e6',
      'Nc3',
      'Nf6',
    ]);
  });

  it('reads SAN generously and gives it back canonically', () => {
    const fen = 'r3k3/4P3/8/8/5p2/5N2/8/R3K2R w KQ - 0 1';
    const tag = `[FEN "${fen}"]\n\n`;
    expect(sans(only(`${tag}0-0 *`))).toEqual(['O-O']);
    expect(sans(only(`${tag}o-o-o *`))).toEqual(['O-O-O']);
    expect(sans(only(`${tag}Ra8 *`))).toEqual(['Rxa8+']);
    expect(sans(only(`${tag}Rxa8 *`))).toEqual(['Rxa8+']);
    expect(sans(only(`${tag}Nf3g5 *`))).toEqual(['Ng5']);
    expect(sans(only(`${tag}Nf3-g5 *`))).toEqual(['Ng5']);
    expect(sans(only(`${tag}e1g1 *`))).toEqual(['O-O']);
    const promotion = '[FEN "8/4P3/8/8/k7/8/8/4K3 w - - 0 1"]\n\n';
    for (const word of ['e8Q', 'e8=Q', 'e8(Q)', 'e8/Q', 'e7e8q', 'Pe8=Q']) {
      expect(sans(only(`${promotion}${word} *`))).toEqual(['e8=Q+']);
    }
    expect(sans(only('1. e4 d5 2. e:d5 *'))).toEqual(['e4', 'd5', 'exd5']);
    expect(sans(only('1. e4 a6 2. e5 d5 3. exd6 e.p. *'))).toEqual(['e4', 'a6', 'e5', 'd5', 'exd6']);
    expect(sans(only('1. e4 a6 2. e5 d5 3. exd6e.p. *'))).toEqual(['e4', 'a6', 'e5', 'd5', 'exd6']);
  });

  it('refuses SAN that two legal moves fit', () => {
    const game = only('1. Nf3 d5 2. d3 a6 3. Nd2 *');
    expect(sans(game)).toEqual(['Nf3', 'd5', 'd3', 'a6']);
    expect(codes(game)).toContain('PGN_ILLEGAL_MOVE');
  });

  it('attaches a glyph that stands apart from its move', () => {
    const game = only('1. e4 d5 2. exd5 Qxd5 ?! 3. Nc3! $14 Qa5 *');
    expect(sans(game)).toEqual(['e4', 'd5', 'exd5', 'Qxd5', 'Nc3', 'Qa5']);
    expect(game.plies[3]!.nags).toEqual([6]);
    expect(game.plies[4]!.nags).toEqual([1, 14]);
  });

  it('skips variations, however deep, and comments inside them', () => {
    const game = only('1. e4 (1. d4 d5 (1... Nf6 {a ) b} 2. c4) 2. c4 ; x )\n) 1... e5 *');
    expect(sans(game)).toEqual(['e4', 'e5']);
    expect(game.faults).toEqual([]);
    expect(sans(only('1. e4 c5 [1...e5 2.Nf3\n[2.f4 d5] 2...Nc6] 2. c3 *'))).toEqual(['e4', 'c5', 'c3']);
  });

  it('stops at an illegal move and keeps the rest as written', () => {
    const game = only('1. e4 e5 2. Ke4 d6 3. d4 1-0');
    expect(sans(game)).toEqual(['e4', 'e5']);
    expect(game.unread).toEqual(['Ke4', 'd6', 'd4']);
    expect(game.faults).toMatchObject([{ code: 'PGN_ILLEGAL_MOVE', line: 1 }]);
    expect(game.result).toBe('1-0');
  });

  it('stops at a null move', () => {
    const game = only('1. e4 -- 2. d4 *');
    expect(sans(game)).toEqual(['e4']);
    expect(codes(game)).toEqual(['PGN_NULL_MOVE']);
  });

  it('does not read on after a torn word, as the reply would become a move of the wrong side', () => {
    const game = only('1. e4 Nf 2. d4 *');
    expect(sans(game)).toEqual(['e4']);
    expect(codes(game)).toEqual(['PGN_TOKEN']);
  });

  it('reads Chess960 with its castling', () => {
    const fen = 'bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1';
    const game = only(`[Variant "Chess960"]\n[FEN "${fen}"]\n\n1. O-O e5 *`);
    expect(game.variant).toBe('chess960');
    expect(game.plies.map((ply) => ply.uci)).toEqual(['f1g1', 'e7e5']);
  });

  it('says so when it does not know the rules or the start position', () => {
    const other = only('[Variant "Atomic"]\n\n1. e4 *');
    expect(codes(other)).toEqual(['PGN_VARIANT']);
    expect(other.unread).toEqual(['e4']);
    const broken = only('[FEN "nonsense"]\n\n1. e4 *');
    expect(codes(broken)).toEqual(['PGN_FEN']);
    expect(broken.plies).toEqual([]);
  });
});

describe('comments and clocks', () => {
  it('reads comments in odd places without loss', () => {
    const game = only('{intro} 1. e4 {[%clk 0:10:00]} {x} e5 {y} {z} 1-0');
    expect(game.comments).toEqual(['intro']);
    expect(game.plies[0]).toMatchObject({ san: 'e4', clockMs: 600_000, comments: ['x'] });
    expect(game.plies[1]).toMatchObject({ san: 'e5', comments: ['y', 'z'] });
  });

  it('reads a command that is split over a line break', () => {
    const game = only('1. e4 {[%clk\r\n01:30:54]} {[%emt\r\n00:00:05]} e5 { [%clk 1:30:57] ok } *');
    expect(game.plies[0]).toMatchObject({ clockMs: 5_454_000, spentMs: 5_000, comments: [] });
    expect(game.plies[1]).toMatchObject({ clockMs: 5_457_000, comments: ['ok'] });
  });

  it('reads a bare command, a line comment and an escaped line', () => {
    const game = only('1. e4 [%clk 0:01:00] e5 ; d4 is a move of this comment\n% 2. d4\n2. Nf3 *');
    expect(sans(game)).toEqual(['e4', 'e5', 'Nf3']);
    expect(game.plies[0]!.clockMs).toBe(60_000);
    expect(game.plies[1]!.comments).toEqual(['d4 is a move of this comment']);
  });

  it('reports a clock that is none and keeps its text', () => {
    const game = only('1. e4 {[%clk soon]} *');
    expect(codes(game)).toEqual(['PGN_CLOCK']);
    expect(game.plies[0]!.comments).toEqual(['[%clk soon]']);
  });

  it('does not lose the games after a comment that is never closed', () => {
    const games = parsePgn('[White "A"]\n\n1. e4 {oh *\n\n[White "B"]\n\n1. d4 *\n');
    expect(games.map((game) => game.tags.get('White'))).toEqual(['A', 'B']);
    expect(codes(games[0])).toContain('PGN_COMMENT_UNCLOSED');
    expect(sans(games[1])).toEqual(['d4']);
  });
});

describe('tags', () => {
  it('reads escapes, brackets and quotes that were not escaped', () => {
    const game = only(
      '[Event "a \\"b\\" \\\\ c"]\n[Site "x ] y [z"]\n[White "Smith "The King""]\n[Black "Engine \\level 6\\"]\n[TimeControl "90\'+30""]\n\n*',
    );
    expect(Object.fromEntries(game.tags)).toEqual({
      Event: 'a "b" \\ c',
      Site: 'x ] y [z',
      White: 'Smith "The King"',
      Black: 'Engine \\level 6\\',
      TimeControl: '90\'+30"',
    });
    expect(game.faults.map((fault) => [fault.code, fault.line])).toEqual([
      ['PGN_TAG_BROKEN', 3],
      ['PGN_TAG_BROKEN', 4],
      ['PGN_TAG_BROKEN', 5],
    ]);
  });

  it('takes what can be had of a torn tag and goes on', () => {
    const game = only('[Event "Open\n[White Anna]\n[\n[Black "Ben"]\n\n1. e4 *');
    expect(game.tags.get('Event')).toBe('Open');
    expect(game.tags.get('White')).toBe('Anna');
    expect(game.tags.get('Black')).toBe('Ben');
    expect(sans(game)).toEqual(['e4']);
  });

  it('takes the first of two equal tags', () => {
    const game = only('[White "A"]\n[White "B"]\n\n*');
    expect(game.tags.get('White')).toBe('A');
    expect(codes(game)).toEqual(['PGN_TAG_DUPLICATE']);
  });

  it('reads several tags on a line, tags with moves behind them, and names in another case', () => {
    const game = only('[white "A"] [BLACK "B"] 1. e4 *');
    expect(game.tags.get('White')).toBe('A');
    expect(game.tags.get('Black')).toBe('B');
    expect(sans(game)).toEqual(['e4']);
  });

  it('reads UTF-8 with a byte-order mark, and windows-1252', () => {
    expect(only(new TextEncoder().encode('\ufeff[White "Dvořák"]\n\n*')).tags.get('White')).toBe('Dvořák');
    const latin = Uint8Array.from([...'[White "M'].map((c) => c.charCodeAt(0)).concat(0xfc, 0xf8));
    const rest = new TextEncoder().encode('ller"]\n\n*');
    expect(only(Uint8Array.from([...latin, ...rest])).tags.get('White')).toBe('Müøller');
  });

  it.each(['\n', '\r\n', '\r'])('reads lines that end in %j', (end) => {
    const game = only(['[White "A"]', '[Black "B"]', '', '1. e4 e5', '2. d4 *', ''].join(end));
    expect(game.tags.size).toBe(2);
    expect(sans(game)).toEqual(['e4', 'e5', 'd4']);
  });
});

describe('games in a file', () => {
  it('tells games apart by tags, by terminators and by empty bodies', () => {
    const games = parsePgn(
      '[White "A"]\n\n1. e4 1-0\n[White "B"]\n \n[White "C"]\n\n1. d4\n\n[White "D"]\n\n*\n\n1. c4 *',
    );
    expect(games.map((game) => [game.tags.get('White'), sans(game)])).toEqual([
      ['A', ['e4']],
      ['B', []],
      ['C', ['d4']],
      ['D', []],
      [undefined, ['c4']],
    ]);
    expect(games.map((game) => game.line)).toEqual([1, 4, 6, 10, 14]);
    expect(codes(games[2])).toEqual(['PGN_RESULT_MISSING']);
  });

  it.each([
    ['1–0', '1-0'],
    ['0—1', '0-1'],
    ['½–½', '1/2-1/2'],
    ['1/2', '1/2-1/2'],
    ['1:0', '1-0'],
    ['+/-', undefined],
    ['whitewin', '1-0'],
    ['0.5-0.5', '1/2-1/2'],
    ['0-0', undefined],
  ])('reads the result %s', (text, result) => {
    expect(parseResult(text)).toBe(result);
  });

  it('takes the result that says something, and reports two that differ', () => {
    expect(only('[Result "1-0"]\n\n1. e4 *').result).toBe('1-0');
    expect(only('[Result "*"]\n\n1. e4 0-1').result).toBe('0-1');
    const conflict = only('[Result "1-0"]\n\n1. e4 0-1');
    expect(conflict.result).toBe('0-1');
    expect(codes(conflict)).toEqual(['PGN_RESULT_CONFLICT']);
  });

  it('gives the same games whatever the pieces are', () => {
    const text =
      '[White "Ä"]\r\n\r\n1. e4 {[%clk 0:01:00]} e5 1-0\r\n\r\n[White "B"]\r\n\r\n1. d4 (1. c4) *\r\n';
    const bytes = new TextEncoder().encode(text);
    const whole = parsePgn(bytes);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 8 }), (cuts) => {
        const reader = createPgnReader();
        const games: PgnGame[] = [];
        let from = 0;
        for (const cut of [...cuts].sort((a, b) => a - b)) {
          games.push(...reader.push(bytes.subarray(from, cut)));
          from = cut;
        }
        games.push(...reader.push(bytes.subarray(from)), ...reader.end());
        expect(games).toEqual(whole);
      }),
    );
  });

  it('streams: a game is there as soon as the next one begins', async () => {
    async function* pieces() {
      yield '1. e4 1-0\n';
      yield '1. d4 0-1\n';
    }
    const results: string[] = [];
    for await (const game of readPgn(pieces())) results.push(game.result);
    expect(results).toEqual(['1-0', '0-1']);
  });

  it('never throws, whatever it is given', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '[',
        ']',
        '"',
        '{',
        '}',
        '(',
        ')',
        ';',
        '%',
        '\n',
        '\r',
        '\\',
        '1.',
        'e4',
        'O-O',
        '0-0',
        '*',
      ),
      fc.constantFrom(
        '1-0',
        '[%clk 0:0',
        '[Event "x"]',
        '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]',
        '$300',
        '--',
        '\ufeff',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        for (const game of parsePgn(pieces.join(''))) {
          for (const fault of game.faults) expect(fault.line).toBeGreaterThan(0);
        }
      }),
      { numRuns: 500 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void parsePgn(bytes)));
  });

  it('does not mix the tags of a game with those of one before it whose moves are cut off', () => {
    const games = parsePgn('[White "A"]\n[Round "1"]\n\n[Event "B"]\n[White "C"]\n\n1. d4 *\n');
    expect(games.map(({ tags }) => Object.fromEntries(tags))).toEqual([
      { White: 'A', Round: '1' },
      { Event: 'B', White: 'C' },
    ]);
    expect(sans(games[1]!)).toEqual(['d4']);
  });

  it('holds no more of a line without an end than it must', () => {
    const reader = createPgnReader();
    const block = new Uint8Array(1_000_000).fill(32);
    for (let i = 0; i < 6; i++) reader.push(block);
    reader.push('1. e4 *\n');
    const games = reader.end();
    expect(games.flatMap(codes)).toContain('PGN_LINE_TOO_LONG');
  });
});
