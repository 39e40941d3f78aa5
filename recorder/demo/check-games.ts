/** Compares what was recorded with what was played. */
import type { GameRecord } from '../../core/game-record.ts';
import type { DemoTable } from './tables.ts';

/** Something that differs, for people; empty when the recorder got everything right. */
export function findDifferences(table: DemoTable, record: GameRecord | undefined): string[] {
  const name = `table ${table.number}, ${table.game.name}`;
  if (record === undefined) return [`${name}: no game was recorded`];
  const differences: string[] = [];
  const { plies, result } = table.played;
  for (let i = 0; i < Math.max(plies.length, record.plies.length); i++) {
    const played = plies[i]?.san ?? 'nothing';
    const recorded = record.plies[i]?.san ?? 'nothing';
    if (played === recorded) continue;
    differences.push(`${name}: ply ${i + 1} was ${played}, recorded is ${recorded}`);
    break;
  }
  if (record.result !== result) {
    differences.push(`${name}: the result was ${result}, recorded is ${record.result}`);
  }
  const expected = table.rotated ? 'rotated' : 'normal';
  if (record.orientation !== expected) differences.push(`${name}: the board lay ${expected}`);
  return differences;
}
