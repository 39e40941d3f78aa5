import { describe, expect, it } from 'vitest';
import type { GameEvent } from '../../../core/game-event.ts';
import { START_FEN } from '../../../core/position.ts';
import { amendedPlies } from '../../../recorder/paper/amended-plies.ts';
import { playedGame } from '../pgn/played-game.ts';

const begin = (game: number): GameEvent => ({
  type: 'gameStarted',
  atMs: 0,
  game,
  variant: 'standard',
  start: START_FEN,
  orientation: 'normal',
});
const ply = (number: number, san: string, amended?: true): GameEvent => ({
  type: 'ply',
  atMs: 0,
  number,
  ply: { san, uci: 'a1a1', state: 'settled', madeAtMs: 0 },
  ...(amended && { amended }),
});

describe('amended plies', () => {
  const record = playedGame(['e4', 'e5', 'Nf3']);

  it('are those that were agreed as another move before', () => {
    const events = [begin(1), ply(1, 'd4'), ply(1, 'e4', true), ply(1, 'e4'), ply(2, 'e5'), ply(3, 'Nf3')];
    expect(amendedPlies(events, record)).toEqual([1]);
  });

  it('are not those that were taken back, of another game, or otherwise in the record', () => {
    expect(
      amendedPlies(
        [begin(1), ply(1, 'e4', true), { type: 'withdrawn', atMs: 0, number: 1 }, ply(1, 'e4')],
        record,
      ),
    ).toEqual([]);
    expect(amendedPlies([begin(1), begin(2), ply(1, 'e4', true)], record)).toEqual([]);
    expect(amendedPlies([begin(1), ply(1, 'c4', true)], record)).toEqual([]);
  });
});
