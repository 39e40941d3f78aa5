import { describe, expect, it } from 'vitest';
import { createGameRecord, type GameRecord } from '../../core/game-record.ts';
import { START_FEN } from '../../core/position.ts';
import { checkCorrection } from '../../recorder/correct-record.ts';
import { at, writePlies } from '../core/laws/written-game.ts';

function recordOf(moves: string): GameRecord {
  const record = createGameRecord({
    type: 'gameStarted',
    atMs: 0,
    game: 1,
    variant: 'standard',
    start: START_FEN,
    orientation: 'normal',
  });
  record.plies.push(...writePlies(at(START_FEN), moves.split(' ')));
  return record;
}

const RUY = recordOf('e4 e5 Nf3 Nc6 Bb5 a6');

describe('a correction of a record', () => {
  it('takes SAN and UCI, and keeps what stays legal after it', () => {
    expect(checkCorrection(RUY, 4, ['Nf6'], 1)).toEqual({
      correction: { type: 'correction', from: 4, plies: ['g8f6'], replaces: 1 },
      sans: ['Nf6'],
      kept: 2,
      dropped: 0,
    });
    // Without the king's pawn the bishop does not come out.
    expect(checkCorrection(RUY, 1, ['a2a4'], 1)).toMatchObject({ sans: ['a4'], kept: 3, dropped: 2 });
  });

  it('may say that nothing was played after it, or take the end away', () => {
    expect(checkCorrection(RUY, 4, ['d6'], undefined)).toMatchObject({ kept: 0, dropped: 2 });
    expect(checkCorrection(RUY, 6, [], undefined)).toMatchObject({ sans: [], kept: 0, dropped: 1 });
  });

  it('may put plies in between, or take them out', () => {
    const bishops = recordOf('e4 e5 Bc4 Bc5');
    expect(checkCorrection(bishops, 3, ['Nf3', 'Nc6'], 0)).toMatchObject({ kept: 2, dropped: 0 });
    expect(checkCorrection(RUY, 3, [], 2)).toMatchObject({
      correction: { from: 3, plies: [], replaces: 2 },
      kept: 2,
      dropped: 0,
    });
  });

  it('may add plies, and moves that were played although they are illegal', () => {
    expect(checkCorrection(RUY, 7, ['Ba4', 'Nf6'], 2)).toMatchObject({ kept: 0, dropped: 0 });
    expect(checkCorrection(RUY, 7, ['!e1e3'], 1)).toMatchObject({
      correction: { plies: ['!e1e3'] },
      sans: ['!e1e3'],
    });
  });

  it('names the move that is not legal, and where', () => {
    expect(checkCorrection(RUY, 4, ['Nf6', 'Bb6'], 2)).toEqual({ move: 'Bb6', ply: 5 });
    expect(checkCorrection(RUY, 7, ['!a5a6'], 1)).toEqual({ move: '!a5a6', ply: 7 });
  });
});
