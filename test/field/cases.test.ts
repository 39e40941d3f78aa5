import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Position } from '../../core/position.ts';
import { deriveFile } from '../../recorder/replay/derive-file.ts';
import { faultsOf, parseExpectation } from './case-file.ts';

const folder = process.env.JADOUBE_CASES ?? join('..', 'shared', 'cases');
const present = existsSync(folder);
if (!present) console.log(`cases skipped: ${folder} is absent`);

describe.skipIf(!present)('cases of what people, boards and programs do', () => {
  for (const file of present ? readdirSync(folder).filter((name) => name.endsWith('.trace')) : []) {
    it(`${file} comes out as its text says`, () => {
      const bytes = readFileSync(join(folder, file));
      const derived = deriveFile(file, bytes, undefined);
      expect(derived.ok).toBe(true);
      if (derived.ok)
        expect(faultsOf(parseExpectation(bytes.toString('utf8')), derived.value.games)).toEqual([]);
    });
  }

  const repetition = present
    ? (JSON.parse(readFileSync(join(folder, 'repetition.json'), 'utf8')) as {
        id: string;
        fen: string;
        moves: string[];
        count: number;
      }[])
    : [];
  for (const { id, fen, moves, count } of repetition) {
    it(`${id}: the last position has occurred ${count} times`, () => {
      const start = Position.fromFen(fen);
      expect(start.ok).toBe(true);
      if (!start.ok) return;
      let position = start.value;
      const keys = [position.key()];
      for (const san of moves) {
        const move = position.parseSan(san);
        expect(move, san).toBeDefined();
        position = position.play(move!);
        keys.push(position.key());
      }
      expect(keys.filter((key) => key === position.key()).length).toBe(count);
    });
  }
});
