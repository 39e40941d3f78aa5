import { describe, expect, it } from 'vitest';
import { Position } from '../../../core/position.ts';
import { FAMOUS_GAMES } from '../../../recorder/demo/games.ts';

describe('the famous games', () => {
  it.each(FAMOUS_GAMES.map((game) => [game.name, game] as const))('%s is legal to its end', (_, game) => {
    let position = Position.initial();
    for (const san of game.moves.split(' ')) {
      const move = position.parseSan(san);
      expect(move, `${san} in ${position.fen()}`).toBeDefined();
      // Spelled as we spell it ourselves, so that lists can be compared.
      expect(position.san(move!)).toBe(san);
      position = position.play(move!);
    }
    if (position.isCheckmate()) expect(game.result).toBe(position.turn === 'white' ? '0-1' : '1-0');
    else expect(position.hasMoves()).toBe(true);
  });

  it('end in every way a board can show', () => {
    const results = new Set(FAMOUS_GAMES.map((game) => game.result));
    expect(results).toEqual(new Set(['1-0', '0-1', '1/2-1/2']));
    expect(FAMOUS_GAMES.some((game) => game.moves.endsWith('#'))).toBe(true);
  });
});
