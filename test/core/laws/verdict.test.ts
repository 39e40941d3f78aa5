/** Results that hang on who can still mate, when that could not be said at once and is found out later. */
import { describe, expect, it } from 'vitest';
import { makeRecords } from '../../../core/game-record.ts';
import type { Ruling } from '../../../core/laws/decision.ts';
import type { MateVerdict } from '../../../core/laws/endings.ts';
import type { TableEvent } from '../../../core/laws/with-laws.ts';
import { runThrough } from '../../../core/machine.ts';
import { createJudgedGames, type LawsNews } from '../../../recorder/derive.ts';
import { readEvents } from '../table-of-games.ts';

const START = '4k3/8/8/8/8/8/P7/4K3 w - - 0 1';
const AFTER = '4k3/8/8/8/8/P7/8/4K3 b - - 0 1';

/** White plays a3, then this is entered, then found out. */
function judged(rulings: readonly Ruling[], white: MateVerdict, black: MateVerdict, fen = AFTER) {
  const events: TableEvent[] = [...readEvents('-a2 ~300 +a3=P ~500 CW')];
  const decided = rulings.map(
    (ruling, i): TableEvent => ({
      type: 'decision',
      atMs: 9000 + i,
      by: 'A. Arbiter',
      ruling,
    }),
  );
  const news: LawsNews[] = [];
  const machine = createJudgedGames(
    { start: START, profile: { sensing: 'identity', scanMs: 0 } },
    { canMate: () => 'undecided' },
    (_, item) => news.push(item),
  );
  const verdict: TableEvent = { type: 'verdict', atMs: 12_000, ply: 1, fen, white, black };
  const record = makeRecords(runThrough(machine, [...events, ...decided, verdict], 20_000))[0]!;
  const proposed = record.flags.flatMap(({ code, detail, ply }) =>
    code.startsWith('RESULT_PROPOSED') ? [`${code} ${ply} ${detail}`] : [],
  );
  const questions = news.flatMap((item) => (item.type === 'question' ? [`${item.ply} ${item.fen}`] : []));
  return { record, proposed, questions };
}

const FALLEN: Ruling = { type: 'flag-registered', side: 'white' };
const RESIGNED: Ruling = { type: 'result', score: '0-1', termination: 'resignation' };
const enter = (ply: number): Ruling => ({ type: 'enter', kind: 'two-hands', side: 'white', ply });

describe('a verdict that comes later', () => {
  it('6.9: makes a draw of a flag that was registered, and says that the result has changed', () => {
    const { record, questions } = judged([FALLEN], 'winnable', 'unwinnable');
    expect(questions).toEqual([`1 ${AFTER}`]);
    expect(record).toMatchObject({ result: '1/2-1/2', reason: 'flag-fall' });
    expect(record.flags.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['RESULT(0-1)', 'RESULT_CHANGED']),
    );
  });

  it('6.9: leaves it lost where the opponent can mate, or nobody can say', () => {
    expect(judged([FALLEN], 'winnable', 'winnable').record).toMatchObject({ result: '0-1', ended: true });
    expect(judged([FALLEN], 'undecided', 'undecided').record).toMatchObject({ result: '0-1' });
  });

  it('about another position changes nothing', () => {
    expect(judged([FALLEN], 'winnable', 'unwinnable', START).record).toMatchObject({ result: '0-1' });
  });

  it('5.1.2: proposes a draw after a resignation, which stands until the arbiter decides', () => {
    const { record, proposed } = judged([RESIGNED], 'winnable', 'unwinnable');
    expect(record).toMatchObject({ result: '0-1', reason: 'resignation' });
    expect(proposed).toEqual(['RESULT_PROPOSED(1/2-1/2) 1 resignation, unwinnable']);
    expect(judged([RESIGNED], 'winnable', 'winnable').proposed).toEqual([]);
  });

  it('7.5.5: proposes a draw for the second illegal move', () => {
    const { proposed } = judged([enter(1), enter(2)], 'winnable', 'unwinnable');
    expect(proposed).toEqual([
      'RESULT_PROPOSED(0-1) 2 illegal-moves, undecided',
      'RESULT_PROPOSED(1/2-1/2) 2 illegal-moves, unwinnable',
    ]);
  });

  it('5.2.2: ends a game whose position was dead', () => {
    expect(judged([], 'unwinnable', 'unwinnable').record).toMatchObject({
      result: '1/2-1/2',
      reason: 'dead-position',
    });
  });
});
