import { describe, expect, it } from 'vitest';
import { createGameRecord } from '../../../core/game-record.ts';
import {
  agreementBarred,
  decideEnding,
  ENDINGS,
  type EndingSeen,
  type MateVerdict,
  makePgnOutcome,
  proposeLoss,
  SCORES,
  type Termination,
} from '../../../core/laws/endings.ts';
import { START_FEN } from '../../../core/position.ts';
import type { Side } from '../../../core/square.ts';
import { parsePgn } from '../../../recorder/pgn/reader.ts';
import { makePgn } from '../../../recorder/pgn/writer.ts';
import { at } from './written-game.ts';

const ending = (termination: Termination, ply: number, atMs: number): EndingSeen => ({
  termination,
  score: '1/2-1/2',
  ply,
  atMs,
});
const stands = (...seen: EndingSeen[]): string | undefined => {
  const forwards = decideEnding(seen)?.termination;
  expect(decideEnding([...seen].reverse())?.termination).toBe(forwards);
  return forwards;
};

describe('the ending that stands', () => {
  it.each<[string, EndingSeen[], Termination | undefined]>([
    ['none while nothing was seen', [], undefined],
    [
      '5.1.1: mate before a flag that was registered later',
      [ending('checkmate', 40, 1000), ending('flag-fall', 40, 1500)],
      'checkmate',
    ],
    [
      '6.8: a flag registered before the mate was made',
      [ending('checkmate', 40, 1000), ending('flag-fall', 39, 900)],
      'flag-fall',
    ],
    [
      '5.2.1: stalemate before a flag',
      [ending('flag-fall', 40, 1001), ending('stalemate', 40, 1000)],
      'stalemate',
    ],
    [
      '9.6.2: mate on the last of the 75 moves',
      [ending('seventy-five', 150, 1000), ending('checkmate', 150, 1000)],
      'checkmate',
    ],
    [
      '9.6.1: mate before the fifth repetition at the same ply',
      [ending('fivefold', 90, 1000), ending('checkmate', 90, 1000)],
      'checkmate',
    ],
    [
      '5.2.2: a dead position ends the game when it arises',
      [ending('dead-position', 80, 1000), ending('flag-fall', 83, 3000)],
      'dead-position',
    ],
    [
      '5.2.2: and before what comes on later plies',
      [ending('dead-position', 80, 1000), ending('stalemate', 82, 2000)],
      'dead-position',
    ],
    [
      '5.1.2: a resignation after mate changes nothing',
      [ending('resignation', 40, 2000), ending('checkmate', 40, 1000)],
      'checkmate',
    ],
    [
      '6.8: a mate and a flag at the same moment',
      [ending('flag-fall', 40, 1000), ending('checkmate', 40, 1000)],
      'checkmate',
    ],
  ])('%s', (_title, seen, expected) => {
    expect(stands(...seen)).toBe(expected);
  });

  it('has the articles of the Laws', () => {
    const articles = Object.fromEntries(
      Object.entries(ENDINGS).map(([name, { article }]) => [name, article]),
    );
    expect(articles).toMatchObject({
      checkmate: '5.1.1',
      stalemate: '5.2.1',
      'dead-position': '5.2.2',
      resignation: '5.1.2',
      'flag-fall': '6.9',
      fivefold: '9.6.1',
      'seventy-five': '9.6.2',
      threefold: '9.2',
      fifty: '9.3',
      default: '6.7',
    });
  });
});

describe('a loss, or a draw', () => {
  const says = (verdict: MateVerdict) => () => verdict;
  const position = at('8/8/3rk3/8/8/2K5/8/8 b - - 0 1');

  it.each<[string, MateVerdict, string]>([
    ['6.9, 5.1.2: is a loss when the opponent can mate', 'winnable', '1-0'],
    ['6.9, 5.1.2: is a draw when the opponent cannot', 'unwinnable', '1/2-1/2'],
    ['6.9: is proposed as a loss while nothing is proved, and says so', 'undecided', '1-0'],
  ])('%s', (_title, verdict, score) => {
    expect(proposeLoss(position, 'black', says(verdict))).toEqual({ loser: 'black', score, verdict });
  });

  it('asks whether the opponent can mate, not the one who lost', () => {
    const asked: string[] = [];
    proposeLoss(position, 'white', (_, side) => {
      asked.push(side);
      return 'winnable';
    });
    expect(asked).toEqual(['black']);
  });

  // The one whose flag falls, and the score that is proposed when nobody else is asked.
  it.each<[string, string, Side, string, string]>([
    [
      'D1-5: rook against rook, a mate is possible',
      '4k2r/8/8/8/8/8/8/R3K3 w - -',
      'black',
      '1-0',
      'winnable',
    ],
    ['D1-9: a knight against a rook', '4k2r/8/8/8/8/8/8/1N2K3 w - -', 'black', '1-0', 'winnable'],
    ['E214a: a lone king cannot mate', '8/8/3rk3/8/8/2K5/8/8 w - -', 'black', '1/2-1/2', 'unwinnable'],
    [
      'E214c: a bishop against bishop and pawn',
      '8/5k2/3b4/4p3/8/2B5/4K3/8 w - -',
      'black',
      '1-0',
      'winnable',
    ],
    ['E215a: the only move takes the rook', '6Rk/8/7K/8/8/8/8/8 b - -', 'black', '1/2-1/2', 'unwinnable'],
    ['D1-7: bishops of one colour', '4kb2/8/8/8/8/8/8/2B1K3 w - -', 'white', '1/2-1/2', 'unwinnable'],
  ])('6.9: %s', (_title, fen, loser, score, verdict) => {
    expect(proposeLoss(at(`${fen} 0 1`), loser)).toEqual({ loser, score, verdict });
  });

  it('9.1.1: a draw needs a move by each, and what the rules of the event ask', () => {
    expect([agreementBarred(0), agreementBarred(1), agreementBarred(2)]).toEqual([
      'no-moves',
      'no-moves',
      undefined,
    ]);
    expect([agreementBarred(59, 30), agreementBarred(60, 30)]).toEqual(['too-early', undefined]);
  });
});

describe('a result in PGN', () => {
  it.each([
    ['1-0', 'checkmate', '1-0', { Termination: 'normal' }],
    ['0-1', 'flag-fall', '0-1', { Termination: 'time forfeit' }],
    ['1-0', 'illegal-moves', '1-0', { Termination: 'rules infraction' }],
    // Two kings in the centre tell the result and no reason: none is made up.
    ['1-0', 'kings', '1-0', {}],
    ['0-1', 'unknown', '0-1', {}],
    ['*', 'unknown', '*', { Termination: 'unterminated' }],
    ['0-0', 'arbiter', '*', { Score: '0-0', Termination: 'adjudication' }],
    ['1/2-0', 'default', '*', { Score: '1/2-0' }],
  ] as const)('%s by %s', (score, termination, result, tags) => {
    expect(makePgnOutcome(score, termination)).toEqual({ result, tags });
  });

  it('is read back from a file for every score, with its tag where PGN has no token', () => {
    for (const score of SCORES) {
      const { result, tags } = makePgnOutcome(score, 'arbiter');
      const record = createGameRecord({
        type: 'gameStarted',
        atMs: 0,
        game: 1,
        variant: 'standard',
        start: START_FEN,
        orientation: 'normal',
      });
      record.result = result;
      const [game] = parsePgn(makePgn(record, tags));
      expect(game!.result).toBe(result);
      expect(game!.tags.get('Score') ?? game!.result).toBe(score);
    }
  });
});
