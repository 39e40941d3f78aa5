import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defer, EMPTY, from, lastValueFrom, map, tap, throwError, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { BoardError } from '../../../core/board-error.ts';
import type { FailedAttempt } from '../../../recorder/attempt.ts';
import { replaceFile, temporaryName } from '../../../recorder/publish/atomic-file.ts';
import type { FileWritten } from '../../../recorder/publish/documents.ts';
import { pgnFiles } from '../../../recorder/publish/pgn-files.ts';
import { runMarbles } from '../../kit/marbles.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** What is told, in a word or two. */
const toCodes = map((update: FileWritten | FailedAttempt): string =>
  update.type === 'fault' ? `${update.fault.code} ${update.lost ? 'lost' : 'again'}` : update.type,
);

const game = (id: number, pgn: string) => ({ id, pgn });

describe('PGN files', () => {
  it('writes a game at once, then at most once a second, always with the newest text', () => {
    runMarbles(({ cold, expectObservable, clock }) => {
      const writes: string[] = [];
      const replace = (path: string, text: string) =>
        defer(() => {
          writes.push(`${clock.monotonicMs()} ${path.replaceAll('\\', '/')} ${text}`);
          return EMPTY;
        });
      const source = cold('a-b-c 1500ms d|', {
        a: game(1, 'a'),
        b: game(1, 'b'),
        c: game(1, 'c'),
        d: game(1, 'd'),
      });
      const files$ = source.pipe(pgnFiles({ dir: 'x', everyMs: 1000, replace }));
      expectObservable(
        files$.pipe(
          tap({
            complete: () =>
              expect(writes).toEqual([
                '0 x/game-1.pgn a',
                '0 x/games.pgn a',
                '1000 x/game-1.pgn c',
                '1000 x/games.pgn c',
                '2000 x/game-1.pgn d',
                '2000 x/games.pgn d',
              ]),
          }),
        ),
      ).toBe('(xy) 996ms (xy) 996ms (xy|)', {
        x: { type: 'written', path: join('x', 'game-1.pgn') },
        y: { type: 'written', path: join('x', 'games.pgn') },
      });
    });
  });

  it('does not write a file whose text is the same', () => {
    runMarbles(({ cold, expectObservable }) => {
      const replace = () => EMPTY;
      const source = cold('a 1999ms a 1999ms |', { a: game(1, 'a') });
      expectObservable(source.pipe(pgnFiles({ dir: 'x', everyMs: 1000, replace }))).toBe('(xy) 3996ms |', {
        x: { type: 'written', path: join('x', 'game-1.pgn') },
        y: { type: 'written', path: join('x', 'games.pgn') },
      });
    });
  });

  it('tells of a folder that refuses, tries again, and gives up only at the end', () => {
    runMarbles(({ cold, expectObservable }) => {
      let refusals = 2;
      const replace = () =>
        defer(() =>
          refusals-- > 0 ? throwError(() => new BoardError('PGN_DIR_UNWRITABLE', { file: 'x' })) : EMPTY,
        );
      const source = cold('a 9s |', { a: game(1, 'a') });
      const files$ = source.pipe(pgnFiles({ dir: 'x', replace }));
      expectObservable(files$.pipe(toCodes)).toBe('(ff) 4996ms (ww) 3997ms |', {
        f: 'PGN_DIR_UNWRITABLE again',
        w: 'written',
      });
    });
    runMarbles(({ cold, expectObservable }) => {
      const replace = () => throwError(() => new BoardError('PGN_DIR_UNWRITABLE', { file: 'x' }));
      const source = cold('a 2s |', { a: game(1, 'a') });
      expectObservable(source.pipe(pgnFiles({ dir: 'x', replace }), toCodes)).toBe('(ff) 1997ms (gg|)', {
        f: 'PGN_DIR_UNWRITABLE again',
        g: 'PGN_DIR_UNWRITABLE lost',
      });
    });
  });

  it('keeps games in the order of their numbers in the combined file', async () => {
    const dir = join(temporaryFolder(), 'new', 'folder');
    const games = [game(10, '[Event "10"]\n\n*\n'), game(2, '[Event "2"]\n\n*\n')];
    await lastValueFrom(from(games).pipe(pgnFiles({ dir, everyMs: 1 }), toArray()));
    expect(readdirSync(dir).sort()).toEqual(['game-10.pgn', 'game-2.pgn', 'games.pgn']);
    expect(readFileSync(join(dir, 'games.pgn'), 'utf8')).toBe('[Event "2"]\n\n*\n\n[Event "10"]\n\n*\n');
  });
});

describe('replacing a file', () => {
  it('leaves the old text or the new one, and nothing else in the folder', async () => {
    const dir = temporaryFolder();
    const path = join(dir, 'games.pgn');
    expect(temporaryName(path)).not.toMatch(/\.pgn$/);
    await replaceFile(path, 'old ♞');
    await replaceFile(path, 'new ♞');
    expect(readFileSync(path, 'utf8')).toBe('new ♞');
    expect(readdirSync(dir)).toEqual(['games.pgn']);
  });

  it('never shows a reader half a file', async () => {
    const path = join(temporaryFolder(), 'games.pgn');
    const texts = Array.from({ length: 20 }, (_, i) => String(i % 10).repeat(50_000));
    await replaceFile(path, texts[0]!);
    let writing = true;
    const writer = (async () => {
      for (const text of texts) await replaceFile(path, text);
      writing = false;
    })();
    let reads = 0;
    while (writing) {
      const text = readFileSync(path, 'utf8');
      expect(text).toHaveLength(50_000);
      expect(text).toBe(text[0]!.repeat(50_000));
      reads++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writer;
    expect(reads).toBeGreaterThan(10);
  });

  it('says with a code when it cannot, and leaves the old text', async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, 'file'), '');
    await expect(replaceFile(join(dir, 'file', 'games.pgn'), 'x')).rejects.toMatchObject({
      code: 'PGN_DIR_UNWRITABLE',
    });
    mkdirSync(join(dir, 'games.pgn'));
    await expect(replaceFile(join(dir, 'games.pgn'), 'x')).rejects.toMatchObject({
      code: 'PGN_DIR_UNWRITABLE',
    });
    expect(existsSync(join(dir, temporaryName('games.pgn')))).toBe(false);
  });
});
