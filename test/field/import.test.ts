import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readImport } from '../../recorder/import/read-file.ts';
import { planImport } from '../../recorder/tournament/plan-import.ts';
import type { Tournament } from '../../recorder/tournament/tournament.ts';

const DATA = process.env.JADOUBE_DATA ?? join(import.meta.dirname, '../../../shared/data');
const FILES = ['pgn', 'pgn-syntax'].flatMap((folder) => {
  const path = join(DATA, folder);
  return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [];
});
const NOTHING: Tournament = { revision: 0, event: {}, rounds: [], players: [], pairings: [] };

describe.skipIf(FILES.length === 0)('pairings out of PGN from the field', () => {
  it.each(FILES)('reads %s, and names the line of what cannot be read', (file) => {
    const text = readFileSync(file);
    const lines = text.toString('latin1').split('\n').length;
    const read = readImport(text, file);
    const tagged = text.toString('latin1').match(/^\s*\[White\s+"(?![?"\s])/gm)?.length ?? 0;
    if (tagged > 0) expect(read.pairings.length).toBeGreaterThan(0);
    for (const { code, line } of read.warnings) {
      expect(code).toMatch(/^(PGN|IMPORT)_[A-Z_]+$/);
      expect(line).toBeGreaterThan(0);
      expect(line).toBeLessThanOrEqual(lines + 1);
    }
    const { changes } = planImport(NOTHING, read);
    expect(changes.filter(({ type }) => type === 'pairing-added')).toHaveLength(read.pairings.length);
  });
});
