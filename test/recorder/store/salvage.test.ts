import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRecorderStore, type Repaired } from '../../../recorder/open-recorder-store.ts';
import { publishPgn } from '../../../recorder/publish/published-pgn.ts';
import { openStore, openStoreReader, type StoreReader } from '../../../recorder/store/store.ts';
import { codeOf } from '../../kit/code-of.ts';
import { recordGames } from '../recorded-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const PAGE = 4096;
const GAMES = [
  ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Bxc6', 'dxc6', 'O-O', 'f6', 'd4', 'exd4'],
  ['d4', 'd5', 'c4', 'dxc4', 'e4', 'e5', 'Nf3', 'exd4', 'Bxc4'],
];
const wallMs = (): number => Date.UTC(2026, 5, 1);

const pgnOf = (store: Pick<StoreReader, 'games'>): string[] =>
  store.games().map((game) => publishPgn(game.record, game));

/** A database with two games and nothing beside it, what it holds as PGN, and how many rows of input. */
function recorded() {
  const file = join(temporaryFolder(), 'games.sqlite');
  recordGames(file, GAMES);
  const store = openStoreReader(file);
  const pgn = pgnOf(store);
  store.close();
  return { file, pgn, pages: readFileSync(file).length / PAGE };
}

/** A copy of a database with one page full of something else. */
function damage(file: string, page: number, byte: number): string {
  const copy = join(temporaryFolder(), 'games.sqlite');
  copyFileSync(file, copy);
  const bytes = readFileSync(copy);
  bytes.fill(byte, page * PAGE, (page + 1) * PAGE);
  writeFileSync(copy, bytes);
  return copy;
}

describe('a damaged database', () => {
  it('is put aside, and what can be read goes on in a new one, wherever the damage is', () => {
    const { file, pgn, pages } = recorded();
    let whole = 0;
    let tried = 0;
    // Every page would do; every eighth is enough of each kind.
    for (let page = 1; page < pages; page += 8) {
      tried++;
      const copy = damage(file, page, tried % 2 === 0 ? 0x00 : 0xff);
      const before = readFileSync(copy);
      const told: Repaired[] = [];
      const store = openRecorderStore(copy, { wallMs }, (repaired) => told.push(repaired));
      const games = pgnOf(store);
      if (told.length > 0) expect(readFileSync(told[0]!.damaged)).toEqual(before);
      // Nothing that is kept is another game than was played.
      for (const text of games) {
        const id = /\[GameId "(.*)"\]/.exec(text)?.[1] ?? '';
        const original = pgn.find((one) => one.includes(`[GameId "${id}"]`));
        if (original === undefined) continue;
        const moves = text
          .slice(text.indexOf('\n\n'))
          .replace(/\{[^}]*\}|\*|1-0|0-1|1\/2-1\/2/g, '')
          .trim();
        const all = original
          .slice(original.indexOf('\n\n'))
          .replace(/\{[^}]*\}|\*|1-0|0-1|1\/2-1\/2/g, '')
          .trim();
        expect(all.startsWith(moves)).toBe(true);
      }
      if (JSON.stringify(games) === JSON.stringify(pgn)) whole++;
      store.close();
    }
    expect(whole).toBeGreaterThan(tried / 2);
  });

  it('is not opened by who does not repair it, and stays as it is', () => {
    const { file, pages } = recorded();
    const damaged = Array.from({ length: pages - 1 }, (_, i) => damage(file, i + 1, 0xff)).find(
      (copy) => codeOf(() => openStore(copy, { wallMs }).close()) === 'STORE_DAMAGED',
    );
    expect(damaged).toBeDefined();
    expect(readdirSync(join(damaged!, '..')).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  it('of another program is never put aside', () => {
    const file = join(temporaryFolder(), 'notes.txt');
    writeFileSync(
      file,
      'not a database at all, and long enough to have a head of a hundred bytes '.repeat(3),
    );
    expect(codeOf(() => openRecorderStore(file, { wallMs }, () => {}))).toBe('STORE_CORRUPT');
    expect(existsSync(file)).toBe(true);
  });
});
