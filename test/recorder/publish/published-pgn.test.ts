import { describe, expect, it } from 'vitest';
import type { GameResult, ResultReason } from '../../../core/game-event.ts';
import { createGameRecord } from '../../../core/game-record.ts';
import { START_FEN } from '../../../core/position.ts';
import { parsePgn } from '../../../recorder/pgn/reader.ts';
import { publishPgn } from '../../../recorder/publish/published-pgn.ts';

const published = (result: GameResult, reason: ResultReason | undefined, tags = {}) => {
  const record = createGameRecord({
    type: 'gameStarted',
    atMs: 0,
    game: 1,
    variant: 'standard',
    start: START_FEN,
    orientation: 'normal',
  });
  record.result = result;
  record.reason = reason;
  return parsePgn(publishPgn(record, { token: 't', startedWallMs: 0, tags }))[0]!.tags;
};

describe('the Termination of a published game', () => {
  it('is told where the board has shown how the game ended', () => {
    expect(published('1-0', 'checkmate').get('Termination')).toBe('normal');
    expect(published('1/2-1/2', 'stalemate').get('Termination')).toBe('normal');
  });

  it('is not made up where the players have shown the result only, or nothing', () => {
    expect(published('1-0', 'kings').has('Termination')).toBe(false);
    expect(published('1-0', undefined).has('Termination')).toBe(false);
    expect(published('*', undefined).has('Termination')).toBe(false);
  });

  it('is what people have said of the game, if they have', () => {
    expect(published('1-0', 'kings', { Termination: 'time forfeit' }).get('Termination')).toBe(
      'time forfeit',
    );
  });
});
