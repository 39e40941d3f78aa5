import { describe, expect, it } from 'vitest';
import { createGameRecord, type GameRecord } from '../../../core/game-record.ts';
import { findDifferences } from '../../../recorder/demo/check-games.ts';
import { createDemoTables, type DemoTable } from '../../../recorder/demo/tables.ts';

/** A record that is right in everything. */
function rightRecord(table: DemoTable): GameRecord {
  const record = createGameRecord({
    type: 'gameStarted',
    atMs: 0,
    game: 1,
    variant: 'standard',
    start: table.played.start,
    orientation: table.rotated ? 'rotated' : 'normal',
  });
  record.plies = table.played.plies.map(({ san, uci }) => ({ san, uci, state: 'settled', madeAtMs: 0 }));
  record.result = table.played.result;
  return record;
}

describe('the demo’s comparison', () => {
  const [table, , turned] = createDemoTables(3, 1) as [DemoTable, DemoTable, DemoTable];

  it('finds nothing when everything is right', () => {
    expect(findDifferences(table, rightRecord(table))).toEqual([]);
    expect(findDifferences(turned, rightRecord(turned))).toEqual([]);
  });

  it('finds a missing game, another move, a missing ply, a ply too many, another result and a board lying otherwise', () => {
    const other = rightRecord(table);
    other.plies[4] = { ...other.plies[4]!, san: 'Nh3' };
    const short = rightRecord(table);
    short.plies.pop();
    const long = rightRecord(table);
    long.plies.push(long.plies[0]!);
    const drawn = { ...rightRecord(table), result: '1/2-1/2' as const };
    const lying = { ...rightRecord(turned), orientation: 'normal' as const };
    expect(findDifferences(table, undefined)).toHaveLength(1);
    for (const record of [other, short, long, drawn]) expect(findDifferences(table, record)).toHaveLength(1);
    expect(findDifferences(turned, lying)).toHaveLength(1);
  });
});

describe('the demo’s tables', () => {
  it('play each their own famous game to a result that can be seen', () => {
    const tables = createDemoTables(12, 1);
    for (const { played, game } of tables) {
      expect(played.plies.map((ply) => ply.san).join(' ')).toBe(game.moves);
      expect(played.result).toBe(game.result);
    }
    expect(new Set(tables.map((table) => table.serialNumber)).size).toBe(12);
    expect(new Set(tables.slice(0, 4).map((table) => table.game.name)).size).toBe(4);
    expect(tables.slice(0, 4).map((table) => table.rotated)).toEqual([false, false, true, false]);
  });

  it('are the same for the same seed and others for another', () => {
    expect(createDemoTables(2, 3)).toEqual(createDemoTables(2, 3));
    expect(createDemoTables(2, 4)[0]!.played.actions).not.toEqual(createDemoTables(2, 3)[0]!.played.actions);
  });
});
