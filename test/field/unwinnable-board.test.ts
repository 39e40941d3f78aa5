/** The search's own board against the known numbers of legal sequences. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Variant } from '../../core/game-event.ts';
import { Position } from '../../core/position.ts';
import { MOST_MOVES, SearchBoard } from '../../core/search-board.ts';

const folder = join(process.env.JADOUBE_DATA ?? '../shared/data', 'perft');
const present = existsSync(folder);
if (!present) console.warn(`no field data in ${folder}: the search's board was not compared with it`);

/** A list of moves for each ply. */
const lists = Array.from({ length: 8 }, () => new Int32Array(MOST_MOVES));

function countSequences(board: SearchBoard, plies: number): number {
  const moves = lists[plies]!;
  const n = board.generate(moves);
  const checked = board.isCheck();
  let count = 0;
  for (let i = 0; i < n; i++) {
    if (!board.tryMake(moves[i]!, checked)) continue;
    count += plies <= 1 ? 1 : countSequences(board, plies - 1);
    board.unmake(moves[i]!);
  }
  return count;
}

describe.skipIf(!present)('numbers of legal sequences on the search board', () => {
  it.each<[string, Variant, number, number]>([
    ['random.perft', 'standard', 997, 15_000],
    ['chess960.perft', 'chess960', 960, 15_000],
    ['tricky.perft', 'chess960', 19, 150_000],
  ])('in %s (as %s) are those that are known', (file, variant, positions, budget) => {
    let compared = 0;
    for (const entry of readFileSync(join(folder, file), 'utf8').split(/^epd /m).slice(1)) {
      const fen = `${entry.split('\n')[0]!.trim().split(/\s+/).slice(0, 4).join(' ')} 0 1`;
      const counts = [...entry.matchAll(/^perft \d+ (\d+)/gm)].map((match) => Number(match[1]));
      const plies = Math.max(1, counts.findLastIndex((count) => count <= budget) + 1);
      const position = Position.fromFen(fen, variant);
      if (!position.ok) throw new Error(position.fault.message);
      const board = SearchBoard.fromPosition(position.value)!;
      expect([fen, plies, countSequences(board, plies)]).toEqual([fen, plies, counts[plies - 1]]);
      compared++;
    }
    expect(compared).toBe(positions);
  });
});
