import { describe, expect, it } from 'vitest';
import type { Flag, Severity } from '../../core/flag.ts';
import type { PlyRecord, PlyState } from '../../core/game-event.ts';
import { judgeGames } from './judge-hall.ts';

const A = 'e4 e5 Nf3 Nc6'.split(' ');
const B = 'd4 d5 c4 e6'.split(' ');
const flag = (code: string, severity: Severity): Flag => ({ code, severity, ply: 1, atMs: 0 });
const record = (sans: readonly string[], flags: Flag[] = [], state: PlyState = 'settled') => ({
  plies: sans.map((san): PlyRecord => ({ san, uci: '', state, madeAtMs: 0 })),
  flags,
});
const verdicts = (...given: Parameters<typeof judgeGames>) =>
  judgeGames(...given).map(({ verdict }) => verdict);

describe('the games of a board that was recorded', () => {
  it('are as played when all plies are', () => {
    expect(verdicts([A, B], [record(A), record(B), record([])], 2)).toEqual(['as played', 'as played']);
  });

  it('are wrong when the last plies are missing and only the result is unknown', () => {
    const short = record(A.slice(0, 3), [flag('RESULT_UNKNOWN', 'warning'), flag('LINK_LOST', 'warning')]);
    expect(verdicts([A, B], [short, record(B)], 2)).toEqual(['wrong', 'as played']);
  });

  it('are doubted when a flag or a ply says so', () => {
    expect(verdicts([A], [record(A.slice(0, 3), [flag('AMBIGUOUS(2)', 'warning')])], 1)).toEqual(['doubted']);
    expect(verdicts([A], [record(A.slice(0, 3), [], 'ambiguous')], 1)).toEqual(['doubted']);
    expect(verdicts([A], [record(A.slice(0, 3), [flag('DISPLACED', 'notice')])], 1)).toEqual(['wrong']);
  });

  it('have run together when one has no record though the pieces were seen to be set up', () => {
    expect(verdicts([A, B], [record([...A, ...B], [flag('ILLEGAL', 'alarm')])], 2)).toEqual([
      'doubted',
      'run together',
    ]);
  });

  it('are nobody’s fault when nothing could tell that one had ended', () => {
    expect(verdicts([A, B], [record(B)], 1)).toEqual(['unseen', 'as played']);
  });
});
