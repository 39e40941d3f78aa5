import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPhrases } from '../../recorder/language/phrases.ts';
import { deriveFile } from '../../recorder/replay/derive-file.ts';

const folder = process.env.JADOUBE_CASES ?? join('..', 'shared', 'cases');
const present = existsSync(folder);
if (!present) console.log(`details of flags skipped: ${folder} is absent`);

describe.skipIf(!present)('details of flags that were really raised', () => {
  it('have words in every language', () => {
    let seen = 0;
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.trace'))) {
      const derived = deriveFile(file, readFileSync(join(folder, file)), undefined);
      if (!derived.ok) continue;
      for (const flag of derived.value.games.flatMap(({ flags }) => flags)) {
        if (flag.detail === undefined) continue;
        seen++;
        for (const language of ['ru', 'be'] as const)
          expect([flag.code, flag.detail, createPhrases(language).flag(flag).detail]).not.toContain('');
      }
    }
    expect(seen).toBeGreaterThan(20);
  });
});
