import { describe, expect, it } from 'vitest';
import { createGameRecord, type GameRecord } from '../../../core/game-record.ts';
import { Position, START_FEN } from '../../../core/position.ts';
import { joinGames, type TimedRecord } from '../../../recorder/tournament/join-games.ts';

function makeRecord(start: string, sans: readonly string[], provisional = 0): TimedRecord {
  const record: GameRecord = createGameRecord({
    type: 'gameStarted',
    atMs: 0,
    game: 1,
    variant: 'standard',
    start,
    orientation: 'normal',
  });
  const from = Position.fromFen(start, 'standard');
  let position = from.ok ? from.value : Position.initial();
  for (const [i, san] of sans.entries()) {
    const move = position.parseSan(san)!;
    record.plies.push({
      san,
      uci: position.uci(move),
      state: i < sans.length - provisional ? 'confirmed' : 'provisional',
      madeAtMs: i,
    });
    position = position.play(move);
  }
  return { record, times: { certainSinceMs: sans.map((_, i) => 100 + i), resultSinceMs: undefined } };
}

const standAfter = (sans: readonly string[]): string => {
  let position = Position.initial();
  for (const san of sans) position = position.play(position.parseSan(san)!);
  return position.fen();
};

describe('joinGames', () => {
  it('goes on behind the ply after which the next part begins, and drops what was not played on', () => {
    const first = makeRecord(START_FEN, ['e4', 'e5', 'Nf3', 'Nc6'], 1);
    const next = makeRecord(standAfter(['e4', 'e5', 'Nf3']), ['d6', 'd4']);
    next.record.result = '1-0';
    next.record.flags.push({ code: 'NEW_GAME', severity: 'info', ply: 1, atMs: 5 });
    const joined = joinGames([first, next]);
    expect(joined.record.plies.map(({ san }) => san)).toEqual(['e4', 'e5', 'Nf3', 'd6', 'd4']);
    expect(joined.record).toMatchObject({ start: START_FEN, result: '1-0', flags: [{ ply: 4 }] });
    expect(joined.times.certainSinceMs).toEqual([100, 101, 102, 100, 101]);
  });

  it('knows the position again when whoever set it up did not know its counters', () => {
    const first = makeRecord(START_FEN, ['e4', 'e5', 'Nf3', 'Nc6']);
    const next = makeRecord(standAfter(['e4', 'e5', 'Nf3']).replace(/ \d+ \d+$/, ' 0 1'), ['d6']);
    expect(joinGames([first, next]).record.plies.map(({ san }) => san)).toEqual(['e4', 'e5', 'Nf3', 'd6']);
  });

  it('goes on behind the last certain ply when the position is not there any more', () => {
    const first = makeRecord(START_FEN, ['d4', 'd5', 'c4'], 1);
    const next = makeRecord(standAfter(['e4', 'e5']), ['Nf3']);
    expect(joinGames([first, next]).record.plies.map(({ san }) => san)).toEqual(['d4', 'd5', 'Nf3']);
  });

  it('joins more than two parts', () => {
    const parts = [
      makeRecord(START_FEN, ['e4']),
      makeRecord(standAfter(['e4']), ['c5']),
      makeRecord(standAfter(['e4', 'c5']), ['Nf3']),
    ] as const;
    expect(joinGames(parts).record.plies.map(({ san }) => san)).toEqual(['e4', 'c5', 'Nf3']);
  });
});
