import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { from, lastValueFrom } from 'rxjs';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFolderPlace } from '../../../recorder/publish/folder-place.ts';
import { temporaryFolder } from '../temporary-folder.ts';

let folder: string;
let dir: string;
let elsewhere: string;
beforeEach(() => {
  folder = temporaryFolder();
  [dir, elsewhere] = [join(folder, 'out'), join(folder, 'elsewhere')];
  mkdirSync(dir);
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'theirs.pgn'), 'theirs');
});

const put = (name: string, text: string): Promise<unknown> =>
  lastValueFrom(from(createFolderPlace(dir).put(name, text)), { defaultValue: undefined });
const remove = async (name: string): Promise<unknown> => createFolderPlace(dir).remove(name);

describe('a folder of games', () => {
  it('gets files and folders, also when it is a link itself', async () => {
    symlinkSync(dir, join(folder, 'link'));
    const place = createFolderPlace(join(folder, 'link'));
    await lastValueFrom(from(place.put('round-1/game-1.pgn', 'one')), { defaultValue: undefined });
    expect(readFileSync(join(dir, 'round-1', 'game-1.pgn'), 'utf8')).toBe('one');
    await place.remove('round-1/game-1.pgn');
    expect(existsSync(join(dir, 'round-1', 'game-1.pgn'))).toBe(false);
  });

  it('does not lead out by dots, neither to write nor to take away', async () => {
    for (const name of ['../elsewhere/theirs.pgn', 'a/../../elsewhere/theirs.pgn', '..'])
      for (const action of [() => put(name, 'ours'), () => remove(name)])
        await expect(action()).rejects.toMatchObject({ code: 'PGN_DIR_UNWRITABLE' });
    expect(readFileSync(join(elsewhere, 'theirs.pgn'), 'utf8')).toBe('theirs');
  });

  it('does not lead out by a link that stands for one of its folders', async () => {
    symlinkSync(elsewhere, join(dir, 'round-1'));
    for (const action of [
      () => put('round-1/theirs.pgn', 'ours'),
      () => put('round-1/deep/x.pgn', 'ours'),
      () => remove('round-1/theirs.pgn'),
    ])
      await expect(action()).rejects.toMatchObject({ code: 'PGN_DIR_UNWRITABLE' });
    expect(readFileSync(join(elsewhere, 'theirs.pgn'), 'utf8')).toBe('theirs');
    expect(existsSync(join(elsewhere, 'deep'))).toBe(false);
  });

  it('replaces a link that stands for a file, or for the file it is made from, and leaves what it leads to', async () => {
    symlinkSync(join(elsewhere, 'theirs.pgn'), join(dir, 'games.pgn'));
    symlinkSync(join(elsewhere, 'theirs.pgn'), join(dir, 'games.pgn.part'));
    await put('games.pgn', 'ours');
    expect(readFileSync(join(elsewhere, 'theirs.pgn'), 'utf8')).toBe('theirs');
    expect(readFileSync(join(dir, 'games.pgn'), 'utf8')).toBe('ours');
    expect(realpathSync(join(dir, 'games.pgn'))).toBe(join(realpathSync(dir), 'games.pgn'));
  });
});
