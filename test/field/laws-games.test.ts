/** A sample of `npm run bench:laws`: clean hands are accused of nothing, and what is done wrong is found at its ply. */
import { describe, expect, it } from 'vitest';
import { RATES_OF_PLAY } from '../../core/laws/rate-of-play.ts';
import { hasFieldGames, readFieldGames } from '../bench/field-games.ts';
import { findFalseAccusations, judgeIrregular } from '../bench/judge-games.ts';
import { WRONG_KINDS } from '../sim/hand/irregular-hands.ts';

const CLEAN = 6;
const WRONG = 4;

describe.skipIf(!hasFieldGames()).each(RATES_OF_PLAY)('%s play', (rate) => {
  const games = hasFieldGames() ? readFieldGames(400) : [];

  it('with clean hands is accused of nothing', { timeout: 300_000 }, () => {
    for (const [i, game] of games.slice(0, CLEAN).entries())
      expect(findFalseAccusations(game, rate, i + 1), `game ${i}`).toEqual([]);
  });

  it.each(WRONG_KINDS)('with %s is flagged at its ply', { timeout: 300_000 }, (wrong) => {
    let tried = 0;
    for (const [i, game] of games.entries()) {
      if (tried === WRONG) break;
      const verdict = judgeIrregular(game, wrong, rate, i + 1);
      if (verdict === undefined) continue;
      tried++;
      const told = verdict.flags.map(({ code, ply }) => `${code} ${ply}`).join(', ');
      expect(verdict.isFound, `game ${i}: ${verdict.game.word} ${verdict.game.ply} in ${told}`).toBe(true);
      expect(verdict.others, `game ${i}`).toEqual([]);
    }
    expect(tried).toBe(WRONG);
  });
});
