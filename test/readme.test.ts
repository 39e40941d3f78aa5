import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BOARDS } from '../boards/registry.ts';
import { FAULTS } from '../core/board-error.ts';

const readme = readFileSync('README.md', 'utf8');
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

describe('the README', () => {
  it.each(Object.entries(FAULTS))('explains %s as the program does', (code, { meaning, cure }) => {
    expect(readme).toContain(`| \`${code}\` | ${meaning} | ${cure} |`);
  });

  it('explains no code that does not exist', () => {
    const explained = [...readme.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]!);
    expect(explained.filter((code) => !Object.hasOwn(FAULTS, code))).toEqual([]);
  });

  it('names only scripts that exist', () => {
    const named = [...readme.matchAll(/npm run ([a-z:]+)/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(manifest.scripts).toHaveProperty(name);
  });

  it('says of every kind of board how it is connected', () => {
    for (const board of BOARDS) expect(readme).toContain(`${board.id}=`);
  });
});
