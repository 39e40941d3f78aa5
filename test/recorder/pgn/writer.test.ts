import { Chess } from 'chess.js';
import { parsePgn as parseOpsPgn, startingPosition } from 'chessops/pgn';
import { parseSan } from 'chessops/san';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Position, START_FEN } from '../../../core/position.ts';
import { parsePgn } from '../../../recorder/pgn/reader.ts';
import { cleanText, joinPgn, makePgn, makeTag, makeTagName } from '../../../recorder/pgn/writer.ts';
import { playedGame } from './played-game.ts';

const moveText = (pgn: string): string => pgn.split('\n\n')[1]!.trimEnd();
const tagNames = (pgn: string): string[] => [...pgn.matchAll(/^\[(\w+) "/gm)].map((match) => match[1]!);

/** A legal game of at most `length` plies, chosen by numbers. */
function randomMoves(
  choices: readonly number[],
  start = START_FEN,
  variant: 'standard' | 'chess960' = 'standard',
) {
  const first = Position.fromFen(start, variant);
  if (!first.ok) throw new Error(first.fault.code);
  let position = first.value;
  const sans: string[] = [];
  for (const choice of choices) {
    const moves = position.moves();
    if (moves.length === 0) break;
    const move = moves[choice % moves.length]!;
    sans.push(position.san(move));
    position = position.play(move);
  }
  return sans;
}

const choices = fc.array(fc.nat(10_000), { maxLength: 160 });
const clock = fc.option(fc.integer({ min: 0, max: 40_000_000 }), { nil: undefined });

describe('tags', () => {
  it('writes the seven-tag roster in its order, then the others in ASCII order', () => {
    const pgn = makePgn(playedGame(['e4']), {
      WhiteElo: '2000',
      Black: 'B',
      White: 'A',
      Board: '10',
      ECO: 'B00',
      Result: '1-0',
      Date: '2025-03-04',
      Round: '1.10',
      blackTitle: 'FM',
    });
    expect(tagNames(pgn)).toEqual([
      ...['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result'],
      ...['BlackTitle', 'Board', 'ECO', 'WhiteElo'],
    ]);
    expect(pgn).toContain('[Date "2025.03.04"]');
    // The result of the record counts, not a header that was typed.
    expect(pgn).toContain('[Result "*"]');
  });

  it('writes question marks for what is not known', () => {
    expect(makePgn(playedGame([]))).toBe(
      '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "?"]\n[Black "?"]\n[Result "*"]\n\n*\n',
    );
  });

  it('doubles backslashes and escapes quotes', () => {
    expect(makeTag('White', 'Engine \\level 6\\')).toBe('[White "Engine \\\\level 6\\\\"]');
    expect(makeTag('Event', 'the "Open"')).toBe('[Event "the \\"Open\\""]');
  });

  it('never writes a tag name that readers stumble over', () => {
    expect(makeTagName('Board No:')).toBe('BoardNo');
    expect(makeTagName('white_team 1')).toBe('Whiteteam');
    expect(makeTagName('1_')).toBeUndefined();
    expect(tagNames(makePgn(playedGame([]), { '12': 'x', 'a-b': 'y', AB: 'z' }))).toContain('Ab');
  });

  it('keeps a tag line within 255 characters and never cuts inside an escape', () => {
    const line = makeTag('Event', '"'.repeat(300));
    expect(line.length).toBeLessThanOrEqual(255);
    expect(parsePgn(`${line}\n\n*`)[0]!.tags.get('Event')).toMatch(/^"+$/);
    expect(makeTag('Event', '♟'.repeat(300)).length).toBe(255);
  });

  it('brings any header text back, on one line and without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (value) => {
        const pgn = makePgn(playedGame(['e4', 'e5']), { Event: value, White: value, Annotator: value });
        expect(pgn).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
        const ours = parsePgn(pgn)[0]!;
        const clean = cleanText(value);
        expect(ours.tags.get('Event')).toBe(clean === '' ? '?' : clean);
        expect(ours.tags.get('Annotator')).toBe(clean === '' ? undefined : clean);
        expect(ours.faults).toEqual([]);
        const theirs = parseOpsPgn(pgn);
        expect(theirs).toHaveLength(1);
        expect(theirs[0]!.headers.get('White')).toBe(clean === '' ? '?' : clean);
        // UTF-8 there and back changes nothing.
        expect(new TextDecoder().decode(new TextEncoder().encode(pgn))).toBe(pgn);
      }),
      { numRuns: 300 },
    );
  });

  it('writes FEN and SetUp for another start, and Chess960 by name', () => {
    const fen = '4k3/8/8/8/8/8/4P3/4K3 b - - 0 30';
    const pgn = makePgn(playedGame(['Kd7', 'e4', 'Kd6'], { start: fen }), { FEN: 'typed', Variant: 'typed' });
    expect(pgn).toContain(`[FEN "${fen}"]\n[SetUp "1"]\n\n30... Kd7 31. e4 Kd6 *\n`);
    expect(pgn).not.toContain('typed');
    const start960 = 'bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1';
    const pgn960 = makePgn(playedGame(['O-O', 'e5'], { start: start960, variant: 'chess960' }));
    expect(pgn960).toContain(`[FEN "${start960}"]\n[SetUp "1"]\n[Variant "Chess960"]\n\n1. O-O e5 *\n`);
    const again = parsePgn(pgn960)[0]!;
    expect(again.plies.map((ply) => ply.uci)).toEqual(['f1g1', 'e7e5']);
  });
});

describe('move text', () => {
  it('numbers White plies, and Black ones only after a comment', () => {
    expect(moveText(makePgn(playedGame(['e4', 'd5', 'exd5'])))).toBe('1. e4 d5 2. exd5 *');
    expect(moveText(makePgn(playedGame(['e4', 'd5'], { clocks: [5_463_000, 900] })))).toBe(
      '1. e4 {[%clk 1:31:03]} 1... d5 {[%clk 0:00:00]} *',
    );
    expect(moveText(makePgn(playedGame(['e4'], { clocks: [900] }), {}, { tenths: true }))).toBe(
      '1. e4 {[%clk 0:00:00.9]} *',
    );
  });

  it('writes the time each move took when it is asked for, from the second ply on', () => {
    const record = playedGame(['e4', 'd5', 'exd5'], { clocks: [60_000, undefined, 58_000] });
    expect(moveText(makePgn(record, {}, { spent: true })).replaceAll('\n', ' ')).toBe(
      '1. e4 {[%clk 0:01:00]} 1... d5 {[%emt 0:00:01]} 2. exd5 {[%clk 0:00:58] [%emt 0:00:01]} *',
    );
    expect(moveText(makePgn(record))).toBe('1. e4 {[%clk 0:01:00]} 1... d5 2. exd5 {[%clk 0:00:58]} *');
    const read = parsePgn(makePgn(record, {}, { spent: true }))[0]!;
    expect(read.plies.map(({ clockMs, spentMs }) => [clockMs, spentMs])).toEqual([
      [60_000, undefined],
      [undefined, 1000],
      [58_000, 1000],
    ]);
  });

  it('writes no clock on a ply that is not completed', () => {
    const record = playedGame(['e4'], { clocks: [60_000] });
    const { completedAtMs: _, ...open } = record.plies[0]!;
    record.plies[0] = open;
    expect(moveText(makePgn(record))).toBe('1. e4 *');
  });

  it('stops before a ply that is not certain, unless everything is asked for', () => {
    const record = playedGame(['e4', 'd5', 'exd5'], { states: ['settled', 'ambiguous', 'confirmed'] });
    expect(moveText(makePgn(record))).toBe('1. e4 *');
    expect(moveText(makePgn(record, {}, { all: true }))).toBe('1. e4 d5 2. exd5 *');
    const open = playedGame(['e4', 'd5'], { states: ['confirmed', 'provisional'] });
    expect(moveText(makePgn(open))).toBe('1. e4 *');
  });

  it('never lets an illegal move stand: it is told in a comment and the text is cut', () => {
    const record = playedGame(['e4', 'e5', '!d1d7', 'Nc6'], { result: '0-1' });
    const pgn = makePgn(record, { White: 'A', Black: 'B' });
    expect(moveText(pgn)).toBe('1. e4 e5 {illegal move d1d7 stands: see the record} 0-1');
    expect(parsePgn(pgn)[0]!.faults).toEqual([]);
    const chess = new Chess();
    chess.loadPgn(pgn);
    expect(chess.history()).toEqual(['e4', 'e5']);
  });

  it('cuts where a record says what cannot be played, rather than write it', () => {
    const record = playedGame(['e4', 'e5', 'Nf3']);
    record.plies[1] = { ...record.plies[1]!, san: 'Qxz9 {', uci: 'e2e4' };
    expect(moveText(makePgn(record))).toBe('1. e4 {move not written: see the record} *');
    record.plies.length = 0;
    record.plies[1] = playedGame(['e4']).plies[0]!;
    expect(moveText(makePgn(record))).toBe('*');
  });

  it.each(['1-0', '0-1', '1/2-1/2', '*'] as const)('ends with the result %s in tag and text', (result) => {
    const pgn = makePgn(playedGame(['e4'], { result }));
    expect(pgn).toContain(`[Result "${result}"]`);
    expect(pgn.endsWith(` ${result}\n`)).toBe(true);
  });

  it('puts one empty line between the games of a file', () => {
    const file = joinPgn([makePgn(playedGame(['e4'])), makePgn(playedGame(['d4'], { result: '1-0' }))]);
    expect(file.match(/\n\n\[Event/g)).toHaveLength(1);
    expect(file).not.toContain('\n\n\n');
    expect(parsePgn(file).map((game) => game.plies[0]!.san)).toEqual(['e4', 'd4']);
  });
});

describe('round trips', () => {
  it('comes back the same from our reader, from chessops and from chess.js', () => {
    fc.assert(
      fc.property(
        choices,
        fc.array(clock, { minLength: 160, maxLength: 160 }),
        fc.boolean(),
        (numbers, clocks, tenths) => {
          const sans = randomMoves(numbers);
          const record = playedGame(sans, { clocks, result: '1/2-1/2' });
          const pgn = makePgn(record, { White: 'A', Black: 'B' }, { tenths });

          for (const line of pgn.split('\n\n')[1]!.trimEnd().split('\n')) {
            expect(line.length).toBeLessThan(80);
            expect(line).toMatch(/^[^%[\s].*\S$|^\S$/);
            expect((line.match(/\[/g) ?? []).length).toBe((line.match(/\]/g) ?? []).length);
          }
          expect(pgn).not.toMatch(/[\t\r]/);

          const ours = parsePgn(pgn)[0]!;
          expect(ours.faults).toEqual([]);
          expect(ours.plies.map((ply) => ply.san)).toEqual(sans);
          const step = tenths ? 100 : 1000;
          expect(ours.plies.map((ply) => ply.clockMs)).toEqual(
            sans.map((_, i) => (clocks[i] === undefined ? undefined : clocks[i] - (clocks[i] % step))),
          );

          const theirs = parseOpsPgn(pgn)[0]!;
          const position = startingPosition(theirs.headers).unwrap();
          const played: string[] = [];
          for (const node of theirs.moves.mainline()) {
            const move = parseSan(position, node.san);
            expect(move).toBeDefined();
            position.play(move!);
            played.push(node.san);
          }
          expect(played).toEqual(sans);

          const chess = new Chess();
          chess.loadPgn(pgn, { strict: true });
          expect(chess.history()).toEqual(sans);
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  it('comes back the same from Chess960 and from Black to move', () => {
    const starts = [
      ['bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1', 'chess960'],
      ['rkr5/8/8/8/8/8/8/RKR1B3 b KQkq - 4 17', 'chess960'],
      ['r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 9', 'standard'],
    ] as const;
    fc.assert(
      fc.property(fc.constantFrom(...starts), choices, ([start, variant], numbers) => {
        const sans = randomMoves(numbers.slice(0, 60), start, variant);
        const ours = parsePgn(makePgn(playedGame(sans, { start, variant })))[0]!;
        expect(ours.faults).toEqual([]);
        expect(ours.plies.map((ply) => ply.san)).toEqual(sans);
      }),
      { numRuns: 60 },
    );
  });
});
