/** Positions of real games in which a flag fell. */
import { describe, expect, it } from 'vitest';
import { askWinnability } from '../../core/laws/unwinnable/winnability.ts';
import { SIDES } from '../../core/square.ts';
import { isMatingLine } from '../core/laws/unwinnable/placements.ts';
import { hasUnwinnableFiles, readTimeouts } from './unwinnable-file.ts';

describe.skipIf(!hasUnwinnableFiles)('positions in which a flag fell', () => {
  it('are all decided for both sides, and every line leads to mate', () => {
    const timeouts = readTimeouts();
    expect(timeouts).toHaveLength(15_000);
    const bad: string[] = [];
    let lines = 0;
    for (const { fen, position } of timeouts) {
      for (const side of SIDES) {
        const { verdict, line } = askWinnability(position, side);
        if (verdict === 'undecided') bad.push(`${fen}: ${side}`);
        if (line === undefined) continue;
        lines++;
        if (!isMatingLine(position, line, side)) bad.push(`${fen}: ${side} ${line}`);
      }
    }
    expect(bad).toEqual([]);
    expect(lines).toBeGreaterThan(29_000);
  }, 1_800_000);
});
