import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolderPlace } from '../../../recorder/publish/folder-place.ts';
import { keepList, LIST_FILE } from '../../../recorder/publish/kept-list.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A run of a recorder that publishes these documents to a folder; what it has told. */
async function run(
  dir: string,
  names: readonly string[],
  options: { event?: string; isComplete?: boolean } = {},
): Promise<string[]> {
  const told: string[] = [];
  const place = createFolderPlace(dir);
  const listed = keepList(
    { ...place, read: place.read! },
    {
      event: options.event ?? 'aaaa1111',
      names: () => names,
      isComplete: () => options.isComplete ?? true,
      tell: (text) => told.push(text),
    },
  );
  await Promise.all(names.map((name) => listed.put(name, `${name}\n`)));
  return told;
}

const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== LIST_FILE)
    .map(({ name }) => name)
    .sort();
const GAMES = ['round-1/game-1.pgn', 'round-1/game-2.pgn', 'round-1/game-3.pgn', 'round-1/games.pgn'];

describe('files of pairings that are not there any more', () => {
  it('go when the next run begins, and what somebody else has put beside them stays', async () => {
    const dir = temporaryFolder();
    await run(dir, GAMES);
    writeFileSync(join(dir, 'round-1', 'game-7.pgn'), 'not ours');
    writeFileSync(join(dir, 'notes.txt'), 'not ours');
    await run(dir, ['round-1/game-1.pgn', 'round-1/games.pgn']);
    expect(filesIn(dir)).toEqual(['game-1.pgn', 'game-7.pgn', 'games.pgn', 'notes.txt']);
    // What is gone is not ours any more either: whoever puts it there keeps it.
    writeFileSync(join(dir, 'round-1', 'game-3.pgn'), 'not ours');
    await run(dir, ['round-1/game-1.pgn', 'round-1/games.pgn']);
    expect(readFileSync(join(dir, 'round-1', 'game-3.pgn'), 'utf8')).toBe('not ours');
  });

  it('stay where there is no tournament that has lost them, and when they are of another event, which is told', async () => {
    const dir = temporaryFolder();
    await run(dir, GAMES);
    await run(dir, ['round-1/game-9.pgn'], { isComplete: false });
    expect(filesIn(dir)).toHaveLength(5);
    const told = await run(dir, ['round-1/game-1.pgn'], { event: 'bbbb2222' });
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('game-2.pgn');
    expect(filesIn(dir)).toHaveLength(5);
    // From now on the folder is that of the other event: of the first one nothing is known any more.
    expect(await run(dir, ['round-1/game-1.pgn'], { event: 'bbbb2222' })).toEqual([]);
    expect(filesIn(dir)).toHaveLength(5);
  });

  it('are known although the run before was killed at any moment: all are listed before they are there', async () => {
    const dir = temporaryFolder();
    const place = createFolderPlace(dir, async () => {
      throw new Error('killed');
    });
    const real = createFolderPlace(dir);
    const killed = keepList(
      {
        ...place,
        read: real.read!,
        put: (name, text) => (name === LIST_FILE ? real : place).put(name, text),
      },
      { event: 'aaaa1111', names: () => GAMES, isComplete: () => true, tell: () => {} },
    );
    await expect(killed.put(GAMES[0]!, 'x')).rejects.toThrow('killed');
    mkdirSync(join(dir, 'round-1'));
    for (const name of GAMES) writeFileSync(join(dir, name), 'half');
    await run(dir, ['round-1/game-1.pgn']);
    expect(filesIn(dir)).toEqual(['game-1.pgn']);
  });

  it('never lead out of the place, whatever a list says', async () => {
    const dir = temporaryFolder();
    const outside = join(dir, 'outside.pgn');
    writeFileSync(outside, 'not ours');
    const inside = join(dir, 'out');
    mkdirSync(inside);
    const files = ['../outside.pgn', outside, 'round-1/../../outside.pgn', '', '/', 'a/'];
    for (const text of [JSON.stringify({ event: 'aaaa1111', files }), '{', '[]', 'null']) {
      writeFileSync(join(inside, LIST_FILE), text);
      await run(inside, ['round-1/game-1.pgn']);
      expect([existsSync(outside), filesIn(inside)]).toEqual([true, ['game-1.pgn']]);
    }
  });
});
