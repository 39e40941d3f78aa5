import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runJadoube } from '../../../recorder/cli/main.ts';
import { LANGUAGES, type Language } from '../../../recorder/language/language.ts';
import { createPhrases } from '../../../recorder/language/phrases.ts';
import { recordGames } from '../recorded-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createTestIo, runCommand } from './test-io.ts';

const MATE = ['f3', 'e5', 'g4', 'Qh4#'];

function recordedFile(): string {
  const file = join(temporaryFolder(), 'games.sqlite');
  recordGames(file, [MATE], { White: 'Anna', Black: 'Ben' });
  return file;
}

async function runIn(env: Record<string, string>, ...argv: string[]): Promise<string> {
  const test = createTestIo(undefined, env);
  expect([await runJadoube(argv, test.io), test.err]).toEqual([0, '']);
  return test.out;
}

/** A word by which the output of a command is known in a language. */
const SIGNS: Readonly<Record<string, (language: Language) => string>> = {
  games: (language) => createPhrases(language).text('games-players'),
  claim: (language) => createPhrases(language).catalogue.claimRules.threefold,
  scoresheet: (language) => createPhrases(language).text('sheet-title'),
  report: (language) => createPhrases(language).text('report-title'),
  decisions: (language) => createPhrases(language).text('desk-none'),
  decide: (language) => createPhrases(language).catalogue.terminations.resignation.name,
};
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  claim: ['1'],
  scoresheet: ['1'],
  decisions: ['1'],
  decide: ['1', 'result', '1-0', '--termination', 'resignation', '--by', 'A. Arbiter'],
};

describe('--lang', () => {
  it.each(Object.keys(SIGNS))(
    '%s speaks the language that is asked for, else that of the environment',
    async (command) => {
      const argv = [command, ...(ARGUMENTS[command] ?? []), '--db', recordedFile()];
      for (const language of LANGUAGES) {
        const sign = SIGNS[command]!(language);
        expect(await runIn({ LANG: 'de_DE.UTF-8' }, ...argv, '--lang', language)).toContain(sign);
        expect(await runIn({ LC_ALL: `${language}_XX.UTF-8` }, ...argv)).toContain(sign);
      }
      expect(await runIn({ LANG: 'de_DE.UTF-8' }, ...argv)).toContain(SIGNS[command]!('en'));
    },
  );

  it.each([...Object.keys(SIGNS), 'record', 'demo'])(
    '%s names the languages there are for any other',
    async (command) => {
      const argv = [command, ...(ARGUMENTS[command] ?? []), '--lang', 'tlh'];
      const { status, out, err } = await runCommand(...argv);
      expect([status, out]).toEqual([2, '']);
      expect(err).toMatch(/^LANGUAGE_UNKNOWN: /);
      for (const language of LANGUAGES) expect(err).toContain(language);
    },
  );

  it.each(['games', 'claim', 'report'])('%s --json is the same in every language', async (command) => {
    const argv = [command, ...(ARGUMENTS[command] ?? []), '--db', recordedFile(), '--json'];
    const lines = await Promise.all(LANGUAGES.map((language) => runIn({}, ...argv, '--lang', language)));
    expect(new Set(lines).size).toBe(1);
  });
});
