import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStoreReader } from '../../../recorder/store/store.ts';
import { recordGames } from '../recorded-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runCommand } from './test-io.ts';

describe('hold', () => {
  it('withholds a game, a board or all, once, signed, and lets each go by itself', async () => {
    const db = join(temporaryFolder(), 'games.sqlite');
    recordGames(db, [['e4', 'e5']]);
    const hold = (...words: string[]) => runCommand('hold', ...words, '--db', db, '--by', 'Ann');
    const scopes = () => {
      const reader = openStoreReader(db);
      const found = reader.holds().map(({ scope }) => scope);
      reader.close();
      return found;
    };
    for (const words of [['--game', '1'], ['--board', 'dgt-1'], ['--all']]) {
      expect((await hold(...words)).status).toBe(0);
      expect((await hold(...words)).status).toBe(0);
    }
    expect(scopes()).toEqual([{ type: 'game', game: 1 }, { type: 'board', board: 'dgt-1' }, { type: 'all' }]);
    expect((await hold()).out.split('\n').filter((line) => line.includes('Ann'))).toHaveLength(3);
    await hold('release', '--board', 'dgt-1');
    expect(scopes()).toEqual([{ type: 'game', game: 1 }, { type: 'all' }]);
  });

  it.each([
    [['--game', '9'], 'GAME_UNKNOWN'],
    [['--game', 'x'], 'ARGUMENT_INVALID'],
    [['--game', '1', '--all'], 'ARGUMENT_INVALID'],
    [['release'], 'ARGUMENT_INVALID'],
    [['dance'], 'ARGUMENT_INVALID'],
  ])('refuses %j with %s and changes nothing', async (words, code) => {
    const db = join(temporaryFolder(), 'games.sqlite');
    recordGames(db, [['e4', 'e5']]);
    const { status, err } = await runCommand('hold', ...words, '--db', db, '--by', 'Ann');
    expect([status, err.split(':')[0]]).toEqual([2, code]);
    const reader = openStoreReader(db);
    expect(reader.holds()).toEqual([]);
    reader.close();
  });
});
