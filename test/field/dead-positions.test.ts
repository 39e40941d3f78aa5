/** Dead positions as the Laws look for them after every ply, among odd positions with known answers. */
import { describe, expect, it } from 'vitest';
import { isDeadPosition } from '../../core/laws/unwinnable/dead-position.ts';
import { hasUnwinnableFiles, readLabelled } from './unwinnable-file.ts';

describe.skipIf(!hasUnwinnableFiles)('dead positions among odd ones', () => {
  it('are found for the most part at once, and no other is taken for one', () => {
    const wrong: string[] = [];
    let dead = 0;
    let found = 0;
    for (const { fen, position, canMate } of readLabelled()) {
      const isDead = !canMate!.white && !canMate!.black;
      const answer = isDeadPosition(position);
      if (answer !== undefined && answer !== isDead) wrong.push(fen);
      if (!isDead) continue;
      dead++;
      if (answer === true) found++;
    }
    expect(wrong).toEqual([]);
    expect(found / dead).toBeGreaterThan(0.7);
  });
});
