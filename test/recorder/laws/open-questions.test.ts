import { describe, expect, it } from 'vitest';
import type { LawsNews } from '../../../recorder/derive.ts';
import type { Entry } from '../../../recorder/entry.ts';
import { answerQuestion, openQuestions } from '../../../recorder/laws/open-questions.ts';

const FEN = '4kb2/1p6/2p1p1p1/PpPpPpP1/1P1P1P1P/7b/8/3BK3 w - - 0 1';
const asked = (game: number, fen = FEN): { game: number; news: LawsNews } => ({
  game,
  news: { type: 'question', atMs: 0, ply: 3, fen },
});
const verdict = (game: number): Entry => ({
  id: 1,
  game,
  atMs: 5,
  wallMs: 5,
  by: 'jadoube',
  what: { type: 'verdict', ply: 3, fen: FEN, white: 'undecided', black: 'winnable' },
});

describe('open questions', () => {
  it('are each position once', () => {
    expect(openQuestions([asked(1), asked(1), asked(2)], [])).toEqual([
      { game: 1, ply: 3, fen: FEN },
      { game: 2, ply: 3, fen: FEN },
    ]);
  });

  it('are none when a search has answered, even that it cannot say', () => {
    expect(openQuestions([asked(1)], [verdict(1)])).toEqual([]);
    expect(openQuestions([asked(2)], [verdict(1)])).toHaveLength(1);
  });

  it('are answered for both sides', async () => {
    const answer = await answerQuestion({ game: 1, ply: 3, fen: FEN }, async (_, side) => ({
      verdict: side === 'white' ? 'unwinnable' : 'winnable',
      nodes: 1,
    }));
    expect(answer).toEqual({ type: 'verdict', ply: 3, fen: FEN, white: 'unwinnable', black: 'winnable' });
  });
});
