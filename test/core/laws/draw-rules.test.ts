import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  automaticDraw,
  type ClaimCheck,
  checkClaim,
  countHalfmoves,
  countRepetitions,
  isClaimable,
  parseIntended,
} from '../../../core/laws/draw-rules.ts';
import type { GameLine } from '../../../core/laws/game-line.ts';
import { START_FEN } from '../../../core/position.ts';
import { at, walkPlies, writeLine } from './written-game.ts';

const SHUFFLE = 'Nf3 Nf6 Ng1 Ng8';
const twice = `${SHUFFLE} ${SHUFFLE}`;
/** Rook and pawns each, far apart: a long walk without progress. */
const QUIET = '4k2r/p6p/8/8/8/8/P6P/R3K3 w - - 0 1';
const walk = (plies: number, fen = QUIET): string[] => walkPlies(at(fen), plies);

const claim = (line: GameLine, text?: string, touched = false): ClaimCheck => {
  const move = text === undefined ? undefined : parseIntended(line, text);
  if (text !== undefined && move === undefined) throw new Error(`${text} is not legal`);
  return checkClaim(line, { touched, ...(move !== undefined && { move }) });
};
const verdicts = (check: ClaimCheck): string => check.answers.map((a) => `${a.rule} ${a.verdict}`).join(', ');

describe('9.2: a position that comes again', () => {
  it('9.2.2: counts the start, and occurrences that are not consecutive', () => {
    expect(countRepetitions(writeLine(twice))).toEqual({ atLeast: 3, recorded: 3, plies: [0, 4, 8] });
    expect(countRepetitions(writeLine('Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8'))).toMatchObject({ recorded: 3 });
    expect(countRepetitions(writeLine(''))).toEqual({ atLeast: 1, recorded: 1, plies: [0] });
  });

  it('9.2.3: the side to move belongs to the position', () => {
    // The same placement with the other side to move: the rook loses a move.
    const line = writeLine('Rh2 Ke7 Rh1 Ke8 Rh3 Ke7 Rh2 Ke8 Rh1', '4k3/8/8/8/8/8/8/4K2R w - - 0 1');
    expect(countRepetitions(line).recorded).toBe(1);
  });

  it('9.2.3: an en passant right counts only where the capture is really legal (D1-1)', () => {
    // After e2-e4 the pawn on d4 may capture; when the position comes again it may not.
    const legal = writeLine(
      'e4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1',
      'rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
    );
    expect(countRepetitions(legal)).toMatchObject({ atLeast: 2, recorded: 2, plies: [5, 9] });
    expect(verdicts(claim(legal))).toBe('threefold wrong, fifty wrong');
    // The capturing pawn is pinned against its king: the capture was never legal, so it is the same position.
    const pinned = writeLine('e4 Kh6 Kg1 Kh5 Kh1 Kh6 Kg1 Kh5 Kh1', '8/8/8/7k/3p4/8/4P3/7K w - - 0 1');
    expect(countRepetitions(pinned).recorded).toBe(2);
    const rank = writeLine('e4 Kg4 Kg1 Kh4 Kh1 Kg4 Kg1 Kh4 Kh1', '8/8/8/8/R2p3k/8/4P3/7K w - - 0 1');
    expect(countRepetitions(rank)).toMatchObject({ recorded: 3, plies: [1, 5, 9] });
  });

  it('9.2.3: castling rights count, also while castling is prevented', () => {
    const lost = writeLine('Rg1 Ng6 Rh1 Nh8 Rg1 Ng6 Rh1 Nh8', '4k2n/8/8/8/8/8/8/4K2R w K - 0 1');
    expect(countRepetitions(lost)).toMatchObject({ recorded: 2, plies: [4, 8] });
    // In check all the while the right remains, so it is the same position three times.
    const kept = writeLine('Ng1 Kd7 Nf3 Ke8 Ng1 Kd7 Nf3 Ke8', '4k3/8/8/8/8/5N2/8/4K2R w K - 0 1');
    expect(countRepetitions(kept)).toMatchObject({ recorded: 3 });
  });

  it('9.2.1: a written move is looked at as if it had been played', () => {
    const line = writeLine(`${SHUFFLE} Nf3 Nf6 Ng1`);
    const written = claim(line, 'Ng8');
    expect(written.answers[0]).toMatchObject({
      article: '9.2.1',
      verdict: 'correct',
      atLeast: 3,
      plies: [0, 4, 8],
    });
    expect(written.claimant).toBe('black');
    expect(claim(line, 'f6g8').answers[0].verdict).toBe('correct');
    expect(claim(line, 'Nd5').answers[0]).toMatchObject({ verdict: 'wrong', atLeast: 1, plies: [8] });
    expect(claim(line).answers[0]).toMatchObject({ article: '9.2.2', verdict: 'wrong', atLeast: 2 });
  });
});

describe('9.3: moves without pawn move or capture', () => {
  it('9.3: 99 half-moves and a quiet written move can be claimed, a capture or pawn move not (D1-3)', () => {
    const line = writeLine(walk(99), QUIET);
    expect(countHalfmoves(line)).toEqual({ atLeast: 99, recorded: 99 });
    const quiet = line.position
      .moves()
      .find((m) => m.captured === undefined && line.position.cells[m.from] === 12)!;
    expect(checkClaim(line, { move: quiet }).answers[1]).toMatchObject({
      article: '9.3.1',
      verdict: 'correct',
      atLeast: 100,
      plies: [1, 100],
    });
    const pawn = line.position.moves().find((m) => line.position.cells[m.from] === 7)!;
    expect(checkClaim(line, { move: pawn }).answers[1]).toMatchObject({
      verdict: 'wrong',
      atLeast: 0,
      plies: [],
    });
    expect(claim(line).answers[1]).toMatchObject({ article: '9.3.2', verdict: 'wrong', atLeast: 99 });
    const capture = writeLine('Rxh8+', '4k2r/8/8/8/8/8/8/4K2R w - - 98 90');
    expect(countHalfmoves(capture).recorded).toBe(0);
  });

  it('9.3.2: the count of the start position goes on, and a capture ends it', () => {
    const fen = '4k2r/8/8/8/8/8/8/4K2R w - - 98 90';
    expect(claim(writeLine('Rh2 Rh7', fen)).answers[1]).toMatchObject({ verdict: 'correct', atLeast: 100 });
    expect(claim(writeLine('Rh2', fen), 'Rxh2').answers[1]).toMatchObject({ verdict: 'wrong', atLeast: 0 });
    expect(claim(writeLine('Rh2', fen), 'Rg8').answers[1]).toMatchObject({
      verdict: 'correct',
      atLeast: 100,
    });
  });

  it('an illegal move that stands is a move like any other, its capture too', () => {
    const fen = '4k2r/8/8/8/8/8/8/4K2R w - - 10 90';
    expect(countHalfmoves(writeLine('!h1g3 Rh7', fen)).recorded).toBe(12);
    expect(countHalfmoves(writeLine('!e1h8', fen)).recorded).toBe(0);
  });
});

describe('plies in doubt', () => {
  it('9.3: goes on through plies nobody saw when pawns and pieces prove them quiet', () => {
    const moves = walk(60).map((san, i) => (i === 20 || i === 21 ? `~${san}` : san));
    expect(countHalfmoves(writeLine(moves, QUIET))).toEqual({ atLeast: 60, recorded: 60 });
  });

  it('9.3: begins anew behind plies nobody saw of which one was a pawn move', () => {
    // Whether the pawn move was the first or the second cannot be known from the two pictures.
    const line = writeLine('~a3 ~Ke7 Rb1 Kd7', QUIET);
    expect(countHalfmoves(line)).toEqual({ atLeast: 2, recorded: 3 });
  });

  it('9.3: takes the least of what a ply may have been', () => {
    const fen = '4k3/8/8/8/8/8/8/R3K2r w - - 90 90';
    // Either the king stepped aside or it never was in check: Ke2 quiet, Kd2 quiet.
    expect(countHalfmoves(writeLine('Ke2|Kd2', fen))).toEqual({ atLeast: 91, recorded: 91 });
    const capture = writeLine('Ke2|Kxf2', '4k3/8/8/8/8/8/5p2/4K3 w - - 90 90');
    expect(countHalfmoves(capture)).toEqual({ atLeast: 0, recorded: 91 });
    expect(capture.plies).toHaveLength(1);
  });

  it('9.2: an occurrence between two pictures is possible, not certain', () => {
    const line = writeLine('Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 ~Ng1 ~Ng8 ~Nf3 ~Nf6 Ng1 Ng8');
    const count = countRepetitions(line);
    expect(count).toEqual({ atLeast: 3, recorded: 4, plies: [0, 4, 8, 12] });
    const position = writeLine('Nf3 Nf6 Ng1 Ng8 ~Nf3 ~Nf6 ~Ng1 ~Ng8');
    expect(countRepetitions(position)).toEqual({ atLeast: 3, recorded: 3, plies: [0, 4, 8] });
    const open = writeLine('Nf3 Nf6 ~Ng1 ~Ng8 ~Nf3 Nf6 Ng1 Ng8');
    expect(claim(open).answers[0]).toMatchObject({ verdict: 'undecided', atLeast: 2, recorded: 3 });
    expect(isClaimable(claim(open))).toBe(false);
    expect(claim(open).doubtful).toEqual([3, 4, 5]);
  });

  it('9.2: a position counts in every way in which the game may have gone', () => {
    const line = writeLine('Nf3|Nh3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8');
    expect(countRepetitions(line)).toEqual({ atLeast: 3, recorded: 3, plies: [0, 4, 8] });
    const knight = writeLine('Nf3|Nh3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3');
    expect(countRepetitions(knight)).toEqual({ atLeast: 2, recorded: 3, plies: [1, 5, 9] });
  });

  it('says that the last ply may still be replaced', () => {
    expect(claim(writeLine('Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8?')).isProvisional).toBe(true);
    expect(claim(writeLine(twice)).isProvisional).toBe(false);
  });
});

describe('9.4: a claim after touching a piece', () => {
  it('9.4: is barred for this move, whatever the count', () => {
    const line = writeLine(twice);
    expect(isClaimable(claim(line))).toBe(true);
    const touched = claim(line, undefined, true);
    expect(touched.answers[0].verdict).toBe('correct');
    expect([touched.isForfeited, isClaimable(touched)]).toEqual([true, false]);
  });

  it('5.1.1: there is nothing to claim once the game has ended on the board', () => {
    const check = claim(writeLine('f3 e5 g4 Qh4#'));
    expect([check.ended, isClaimable(check)]).toEqual(['checkmate', false]);
  });
});

describe('9.6: draws by themselves', () => {
  it('9.6.1: the fifth occurrence ends the game, the fourth does not', () => {
    expect(automaticDraw(writeLine([twice, SHUFFLE].join(' ')))).toBeUndefined();
    expect(automaticDraw(writeLine([twice, twice].join(' ')))).toMatchObject({
      type: 'fivefold',
      article: '9.6.1',
      atLeast: 5,
    });
  });

  it('9.6.1: a fifth occurrence that is not certain ends nothing', () => {
    const moves = `${twice} ${SHUFFLE} Nf3 Nf6 Ng1 Ng8`.split(' ');
    moves[2] = '~Ng1';
    moves[3] = '~Ng8';
    moves[4] = '~Nf3';
    const line = writeLine(moves);
    expect(countRepetitions(line)).toMatchObject({ atLeast: 4, recorded: 5 });
    expect(automaticDraw(line)).toBeUndefined();
  });

  it('9.6.2: 150 half-moves end the game, 149 do not', () => {
    const fen = '4k2r/8/8/8/8/8/8/4K2R w - - 148 90';
    expect(automaticDraw(writeLine('Rh2', fen))).toBeUndefined();
    expect(automaticDraw(writeLine('Rh2 Rh7', fen))).toMatchObject({ type: 'seventy-five', atLeast: 150 });
  });

  it('9.6.2: mate on the last of the 75 moves wins (E217)', () => {
    const fen = '6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 90';
    const line = writeLine('Ra8#', fen);
    expect(countHalfmoves(line).recorded).toBe(150);
    expect(automaticDraw(line)).toBeUndefined();
    expect(automaticDraw(writeLine('Ra7', fen))).toMatchObject({ type: 'seventy-five' });
  });
});

const file = '../shared/cases/repetition.json';
describe.skipIf(!existsSync(file))('cases of repetition', () => {
  const cases = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as {
        id: string;
        fen: string;
        moves: string[];
        count: number;
      }[])
    : [];
  it.each(cases.map((c) => [c.id, c] as const))('9.2.2: %s', (_id, { fen, moves, count }) => {
    expect(countRepetitions(writeLine(moves, fen))).toMatchObject({ atLeast: count, recorded: count });
  });
});

describe('a line that changes', () => {
  it('is played again from the ply that was replaced, and forgets what was withdrawn', () => {
    const line = writeLine(twice);
    const [first] = writeLine('Nh3').plies;
    line.put(1, first!.record);
    // Ng1 is still legal from h3, so all the rest stands.
    expect([line.plies.length, line.brokenAt]).toEqual([8, undefined]);
    expect(countRepetitions(line).recorded).toBe(3);
    line.put(1, { ...first!.record, san: 'e4', uci: 'e2e4' });
    expect([line.plies.length, line.brokenAt]).toEqual([2, 3]);
    line.put(1, first!.record);
    expect([line.plies.length, line.brokenAt]).toEqual([8, undefined]);
    line.withdraw(3);
    expect(line.plies).toHaveLength(2);
    line.withdraw(1);
    expect(line.position.fen()).toBe(START_FEN);
  });
});
