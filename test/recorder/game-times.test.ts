import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dgt } from '../../boards/dgt/definition.ts';
import { deriveSitting } from '../../recorder/derive-sitting.ts';
import { GameTimesKeeper } from '../../recorder/game-times.ts';
import { openStoreReader } from '../../recorder/store/store.ts';
import { recordGames } from './recorded-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe('the times of a game', () => {
  it('are read from the store as its events told them', () => {
    const file = join(temporaryFolder(), 'games.sqlite');
    recordGames(file, [
      ['e4', 'e5', 'Qh5', 'Nc6', 'Bc4', 'Nf6', 'Qxf7#'],
      ['d4', 'd5'],
    ]);
    const reader = openStoreReader(file);
    const { events } = deriveSitting(reader, reader.sittings()[0]!, { definition: dgt });
    const told = new GameTimesKeeper();
    const next = events.findLastIndex((event) => event.type === 'gameStarted');
    for (const event of events.slice(0, next)) told.take(event);
    const game = reader.games()[0]!;
    const times = reader.times(game.id);
    expect(times).toEqual(told);
    expect(game.record.plies).toHaveLength(7);
    game.record.plies.forEach(({ madeAtMs }, i) => {
      expect(times.certainSinceMs[i]).toBeGreaterThanOrEqual(madeAtMs);
    });
    expect(times.resultSinceMs).toBeGreaterThanOrEqual(game.record.plies[6]!.madeAtMs);
    reader.close();
  });

  it('go on through an amendment, and begin anew after a withdrawal', () => {
    const times = new GameTimesKeeper();
    times.ply(1, true, 10);
    times.ply(2, false, 20);
    times.ply(2, true, 30);
    times.ply(2, true, 40);
    expect(times.certainSinceMs).toEqual([10, 30]);
    times.withdrawn(2);
    times.ply(2, true, 50);
    expect(times.certainSinceMs).toEqual([10, 50]);
    times.ply(2, false, 60);
    expect(times.certainSinceMs).toEqual([10, undefined]);
    times.result(true, 70);
    times.result(true, 80);
    expect(times.resultSinceMs).toBe(70);
    times.result(false, 90);
    expect(times.resultSinceMs).toBeUndefined();
  });
});
