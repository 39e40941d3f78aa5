import { describe, expect, it } from 'vitest';
import { FLAG_WORDS, type Flag, type FlagWord, type Severity } from '../../../core/flag.ts';
import type { Ruling } from '../../../core/laws/decision.ts';
import type { MateVerdict } from '../../../core/laws/endings.ts';
import {
  type IrregularityFinding,
  IrregularityLog,
  type IrregularityOptions,
  restartOrGoOn,
  restorePoint,
} from '../../../core/laws/irregularity.ts';
import { IRREGULARITIES, type IrregularityKind } from '../../../core/laws/irregularity-kind.ts';
import { proposePenalty, wrongClaimTimeMs } from '../../../core/laws/penalty-ladder.ts';
import type { RateOfPlay } from '../../../core/laws/rate-of-play.ts';
import { parsePlacement } from '../../../core/placement.ts';
import type { Side } from '../../../core/square.ts';
import { at, writeLine, writePlies } from './written-game.ts';

const flag = (word: FlagWord, ply: number, severity: Severity = FLAG_WORDS[word][0]): Flag => ({
  code: word,
  severity,
  ply,
  atMs: ply * 1000,
});
const CLOCKS = { whiteMs: 60_000, blackMs: 50_000 };
const MOVES = 'e4 e5 Nf3 Nc6 Bb5 a6';

function logOf(moves: string | readonly string[], options: IrregularityOptions = {}, fen?: string) {
  const line = fen === undefined ? writeLine(moves) : writeLine(moves, fen);
  return { line, log: new IrregularityLog(line, options) };
}
const kinds = (found: readonly IrregularityFinding[]): string[] =>
  found.map((f) =>
    f.type === 'draw-a54' ? f.type : `${f.type} ${f.irregularity.kind} ${f.irregularity.state}`,
  );
const ruling = (
  type: 'confirm' | 'dismiss' | 'enter',
  kind: IrregularityKind,
  side: Side,
  ply: number,
): Ruling => ({
  type,
  kind,
  side,
  ply,
});

describe('irregularities', () => {
  it.each<[string, FlagWord, IrregularityKind, string, Side | undefined]>([
    ['7.5.1: an illegal move', 'ILLEGAL', 'illegal', '7.5.1', 'white'],
    [
      '7.5.2: a pawn left on the last rank at the press',
      'PROMO_INCOMPLETE',
      'promotion-incomplete',
      '7.5.2',
      'white',
    ],
    [
      '7.5.3: the clock pressed without a move',
      'PRESSED_WITHOUT_MOVE',
      'pressed-without-move',
      '7.5.3',
      'white',
    ],
    ['7.2.1: a wrong start', 'WRONG_START', 'wrong-start', '7.2.1', undefined],
    ['7.2.2: a turned board', 'ROTATED_180', 'board-turned', '7.2.2', undefined],
    ['7.3: colours reversed', 'COLOURS_REVERSED', 'colours-reversed', '7.3', undefined],
    ['7.4: pieces displaced', 'DISPLACED', 'displaced', '7.4', undefined],
    ['7.5: the other side has moved', 'OUT_OF_TURN', 'out-of-turn', '7.5', 'black'],
    ['4.3: touch-move', 'TOUCH_MOVE', 'touch-move', '4.3', 'white'],
    ['4.4.2: the rook first', 'ROOK_TOUCHED_FIRST', 'rook-first', '4.4.2', 'white'],
  ])('%s', (_title, word, kind, article, side) => {
    const { log } = logOf('e4 e5');
    const [found] = log.takeFlag(flag(word, 3), CLOCKS);
    expect(found).toMatchObject({
      type: 'irregularity',
      irregularity: { kind, article, ply: 3, state: 'seen' },
    });
    expect(log.list[0]!.side).toBe(side);
    expect(log.list[0]!.clocks).toEqual(CLOCKS);
    // The position before it, with both clocks then.
    expect(log.list[0]!.before.fen()).toBe(writeLine('e4 e5').position.fen());
  });

  it('every flag of an irregularity carries the article of its kind', () => {
    for (const facts of Object.values(IRREGULARITIES))
      if (
        facts.word !== undefined &&
        facts.article.startsWith('7.5') &&
        facts.word !== 'CASTLING_INCOMPLETE' &&
        facts.word !== 'EP_VICTIM_LEFT'
      )
        expect(FLAG_WORDS[facts.word][1]).toBe(facts.article);
  });

  it('4.7: an illegal move that is not completed can still be put right, and then nothing is left of it', () => {
    const { line, log } = logOf('e4 e5');
    const [found] = log.takeFlag(flag('ILLEGAL', 3, 'notice'), CLOCKS);
    expect(found).toMatchObject({ irregularity: { isCompleted: false } });
    line.withdraw(3);
    expect(kinds(log.takeWithdrawn(3, 9000))).toEqual(['irregularity illegal corrected']);
    // Once more, and pressed this time.
    expect(kinds(log.takeFlag(flag('ILLEGAL', 3), CLOCKS))).toEqual(['irregularity illegal seen']);
    expect(log.list).toMatchObject([{ isCompleted: true, state: 'seen' }]);
    expect(kinds(log.takeWithdrawn(3, 9500))).toEqual([]);
  });

  it('7.5.1: is told once, however often the flag comes', () => {
    const { log } = logOf('e4 e5');
    log.takeFlag(flag('ILLEGAL', 3), CLOCKS);
    expect(log.takeFlag(flag('ILLEGAL', 3), CLOCKS)).toEqual([]);
    expect(log.list).toHaveLength(1);
  });

  it('is no irregularity: a piece that the side not to move lifted and put back, a blunder, a late press', () => {
    const { log } = logOf('e4 e5');
    expect(log.takeFlag(flag('OUT_OF_TURN', 3, 'info'), CLOCKS)).toEqual([]);
    expect(log.takeFlag(flag('MOVED_BEFORE_PRESS', 3), CLOCKS)).toEqual([]);
    expect(log.takeFlag(flag('TOUCH', 3), CLOCKS)).toEqual([]);
  });

  it('7.6: one that is found later goes back to the position before it, or to the last certain one', () => {
    const { line, log } = logOf(MOVES);
    const found = log.takeFlag(flag('ILLEGAL', 3), CLOCKS);
    expect(found[1]).toMatchObject({ type: 'found-later', plies: 3 });
    expect(restorePoint(line, 3)).toMatchObject({ ply: 2, isExact: true });
    const doubt = writeLine('e4 Nf6|Nh6 Nf3 Nc6 Bb5 a6');
    expect(restorePoint(doubt, 5)).toMatchObject({ ply: 1, isExact: false });
    expect(restorePoint(doubt, 2)).toMatchObject({ ply: 1, isExact: true });
    expect(restorePoint(doubt, 5).position.fen()).toBe(doubt.positionBefore(2).fen());
  });
});

describe('7.5.5: the penalty ladder', () => {
  const position = at('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
  const says = (verdict: MateVerdict) => () => verdict;

  it.each<[RateOfPlay, number]>([
    ['standard', 120_000],
    ['rapid', 60_000],
    ['blitz', 60_000],
  ])('7.5.5: the first gives the opponent time, in %s play', (rate, time) => {
    expect(proposePenalty('white', 0, position, rate)).toEqual({
      type: 'time',
      count: 1,
      to: 'black',
      ms: time,
      article: '7.5.5',
    });
    expect(wrongClaimTimeMs(rate)).toBe(time);
  });

  it.each<[string, MateVerdict, string]>([
    ['7.5.5: the second loses', 'winnable', '0-1'],
    ['7.5.5: or draws when the opponent cannot mate', 'unwinnable', '1/2-1/2'],
    ['7.5.5: while that is not decided the verdict says so', 'undecided', '0-1'],
  ])('%s', (_title, verdict, score) => {
    expect(proposePenalty('white', 1, position, 'standard', says(verdict))).toMatchObject({
      type: 'loss',
      count: 2,
      loser: 'white',
      score,
      verdict,
    });
  });

  it('7.5.5: asks of the position before the irregularity whether the opponent can mate', () => {
    const asked: string[] = [];
    const { log } = logOf('e4 e5', {
      canMate: (p, side) => {
        asked.push(`${side} ${p.fullmoves}`);
        return 'winnable';
      },
    });
    log.takeRuling(ruling('enter', 'two-hands', 'white', 1), 'A', 0, CLOCKS);
    log.takeFlag(flag('ILLEGAL', 3), CLOCKS);
    expect(asked).toEqual(['black 2']);
  });

  it('7.5.5: counts over 7.5.1 to 7.5.4 together, per player, and only what was confirmed', () => {
    const { log } = logOf(MOVES, { rate: 'rapid' });
    log.takeFlag(flag('PRESSED_WITHOUT_MOVE', 1), CLOCKS);
    log.takeFlag(flag('ILLEGAL', 3), CLOCKS);
    expect([log.countOf('white'), log.countOf('black')]).toEqual([0, 0]);
    expect(log.list.map((i) => i.penalty?.type)).toEqual(['time', 'time']);
    log.takeRuling(ruling('confirm', 'pressed-without-move', 'white', 1), 'A. Arbiter', 9000, CLOCKS);
    expect([log.countOf('white'), log.countOf('black')]).toEqual([1, 0]);
    expect(log.list[0]).toMatchObject({
      state: 'confirmed',
      by: 'A. Arbiter',
      penalty: { type: 'time', ms: 60_000 },
    });
    const [second] = log.takeRuling(ruling('confirm', 'illegal', 'white', 3), 'A. Arbiter', 9500, CLOCKS);
    expect(second).toMatchObject({ irregularity: { penalty: { type: 'loss', count: 2, score: '0-1' } } });
    log.takeFlag(flag('PROMO_INCOMPLETE', 4), CLOCKS);
    expect(log.list.at(-1)).toMatchObject({ side: 'black', penalty: { type: 'time' } });
  });

  it('7.5.4: two hands are entered, and count', () => {
    const { log } = logOf(MOVES);
    const found = log.takeRuling(ruling('enter', 'two-hands', 'black', 4), 'A', 9000, CLOCKS);
    expect(found.at(-1)).toMatchObject({
      type: 'irregularity',
      irregularity: { article: '7.5.4', state: 'confirmed', penalty: { type: 'time', to: 'white' } },
    });
    expect(log.countOf('black')).toBe(1);
  });

  it('6.2.3: pressing with the other hand is entered, and does not count', () => {
    const { log } = logOf(MOVES);
    log.takeRuling(ruling('enter', 'other-hand', 'white', 5), 'A', 9000, CLOCKS);
    expect(log.list).toMatchObject([{ article: '6.2.3', state: 'confirmed', penalty: undefined }]);
    expect(log.countOf('white')).toBe(0);
  });

  it('7.4: displaced pieces are never counted as an illegal move', () => {
    const { log } = logOf(MOVES);
    log.takeFlag(flag('DISPLACED', 3), CLOCKS);
    log.takeRuling({ type: 'confirm', kind: 'displaced', ply: 3 }, 'A', 9000, CLOCKS);
    expect(log.list).toMatchObject([{ state: 'confirmed', penalty: undefined }]);
    expect(log.countOf('white') + log.countOf('black')).toBe(0);
  });

  it('a dismissed one does not count, a decision can be changed, and the same decision twice is one', () => {
    const { log } = logOf(MOVES);
    log.takeFlag(flag('ILLEGAL', 3), CLOCKS);
    const confirm = ruling('confirm', 'illegal', 'white', 3);
    log.takeRuling(confirm, 'A', 9000, CLOCKS);
    expect(log.takeRuling(confirm, 'A', 9001, CLOCKS)).toEqual([]);
    expect(log.countOf('white')).toBe(1);
    log.takeRuling(ruling('dismiss', 'illegal', 'white', 3), 'B', 9002, CLOCKS);
    expect([log.countOf('white'), log.list[0]!.state, log.list[0]!.by]).toEqual([0, 'dismissed', 'B']);
    expect(log.takeRuling(ruling('dismiss', 'illegal', 'black', 4), 'B', 9003, CLOCKS)).toEqual([]);
  });
});

describe('limited supervision', () => {
  const ILLEGAL_THEN_ANSWER = ['e4', 'e5', '!f1f5', 'Nc6'];

  it('A.5.2: an illegal move stands once the opponent has made the next move, pressed or not', () => {
    const { line, log } = logOf(ILLEGAL_THEN_ANSWER.slice(0, 3), { regime: 'limited' });
    expect(kinds(log.takeFlag(flag('ILLEGAL', 3), CLOCKS))).toEqual(['irregularity illegal seen']);
    const answer = writePlies(line.position, ['Nc6'])[0]!;
    line.put(4, { ...answer, state: 'provisional' });
    expect(kinds(log.takePly(4, 8000, false))).toEqual([]);
    const { completedAtMs: _, ...unpressed } = answer;
    line.put(4, unpressed);
    expect(kinds(log.takePly(4, 9000, true))).toEqual(['stands illegal stands']);
    expect(log.list[0]!.penalty).toBeUndefined();
    expect(kinds(log.takePly(4, 9500, true))).toEqual([]);
  });

  it('A.5.2: also when it is recognised by the answer only', () => {
    const { log } = logOf(ILLEGAL_THEN_ANSWER, { regime: 'limited' });
    expect(kinds(log.takeFlag(flag('ILLEGAL', 3), CLOCKS))).toEqual([
      'irregularity illegal seen',
      'stands illegal stands',
    ]);
  });

  it('A.5.2: not when the arbiter confirmed it in time, nor under full supervision', () => {
    const { line, log } = logOf(ILLEGAL_THEN_ANSWER.slice(0, 3), { regime: 'limited' });
    log.takeFlag(flag('ILLEGAL', 3), CLOCKS);
    log.takeRuling(ruling('confirm', 'illegal', 'white', 3), 'A', 7000, CLOCKS);
    line.put(4, writePlies(line.position, ['Nc6'])[0]!);
    expect(log.takePly(4, 9000, true)).toEqual([]);
    const full = logOf(ILLEGAL_THEN_ANSWER);
    expect(kinds(full.log.takeFlag(flag('ILLEGAL', 3), CLOCKS))).toEqual(['irregularity illegal seen']);
  });

  it('A.5.4: both kings in check, and still so after the next completed move', () => {
    // White leaves his king in check and gives check himself.
    const fen = '3rk3/p7/8/8/8/8/5Q2/3K4 w - - 0 1';
    const still = logOf(['!f2e2', '!a7a6'], { regime: 'limited' }, fen);
    expect(kinds(still.log.takePly(1, 1000, true))).toEqual([]);
    expect(kinds(still.log.takePly(2, 2000, false))).toEqual([]);
    expect(kinds(still.log.takePly(2, 2000, true))).toEqual(['draw-a54']);
    expect(kinds(still.log.takePly(2, 2500, true))).toEqual([]);
    // The king goes out of check: play goes on.
    const legal = logOf(['!f2e2', 'Kf8'], { regime: 'limited' }, fen);
    expect(kinds(legal.log.takePly(2, 2000, true))).toEqual([]);
    const full = logOf(['!f2e2', '!a7a6'], {}, fen);
    expect(kinds(full.log.takePly(2, 2000, true))).toEqual([]);
  });

  it('A.5.4: a pawn left on the last rank, and still there after the next completed move', () => {
    const fen = '8/P3k3/8/8/8/8/8/4K3 w - - 0 1';
    const { log } = logOf(['!a7a8', 'Kd7'], { regime: 'limited' }, fen);
    expect(kinds(log.takePly(2, 2000, true))).toEqual(['draw-a54']);
    // Recorded as a queen, and the sensors still show the pawn.
    const seen = logOf(['a8=Q', 'Kd7'], { regime: 'limited' }, fen);
    const [pawn, queen] = ['P7', 'Q7'].map((rank) => parsePlacement(`${rank}/3k4/8/8/8/8/8/4K3`)!);
    expect(kinds(seen.log.takePly(2, 2000, true, pawn))).toEqual([]);
    seen.log.takeFlag(flag('PROMO_INCOMPLETE', 1), CLOCKS);
    expect(kinds(seen.log.takePly(2, 2000, true, queen))).toEqual([]);
    expect(kinds(seen.log.takePly(2, 2000, true, pawn))).toEqual(['draw-a54']);
  });

  it('A.5.1, 7.2.1, 7.3: begin anew or go on, by ten moves each', () => {
    expect(restartOrGoOn('wrong-start', 'full', 60)).toBe('restart');
    expect(restartOrGoOn('wrong-start', 'limited', 19)).toBe('restart');
    expect(restartOrGoOn('wrong-start', 'limited', 20)).toBe('goes-on');
    expect(restartOrGoOn('colours-reversed', 'full', 19)).toBe('restart');
    expect(restartOrGoOn('colours-reversed', 'full', 20)).toBe('goes-on');
  });
});
