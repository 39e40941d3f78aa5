/** A round: tables, the settings of a recorder beside them, and what must be true when it is over. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parsePgn } from '../../recorder/pgn/reader.ts';
import { openStoreReader, type StoredGame } from '../../recorder/store/store.ts';
import type { Program, Said } from './program.ts';
import type { Table } from './table.ts';
import { reach } from './wait.ts';

export interface Place {
  readonly folder: string;
  readonly config: string;
  readonly db: string;
  readonly pgn: string;
}

/** Writes the settings of a recorder into a folder; only the named boards are looked for, and nothing is listened at. */
export function settle(folder: string, places: readonly string[], more = ''): Place {
  const config = join(folder, 'jadoube.toml');
  writeFileSync(
    config,
    `[recorder]\ndb = "games.sqlite"\npgn = "games"\nlanguage = "en"\n[boards]\nsearch = "none"\nplaces = ${JSON.stringify(places)}\n[http]\nenabled = false\n${more}`,
  );
  return { folder, config, db: join(folder, 'games.sqlite'), pgn: join(folder, 'games') };
}

export const gamesOf = (db: string): StoredGame[] => {
  const reader = openStoreReader(db);
  try {
    return reader.games();
  } finally {
    reader.close();
  }
};

/** Waits until the program hears all these boards. */
export const allUp = (program: Program, tables: readonly Pick<Table, 'board'>[]): Promise<unknown> =>
  Promise.all(
    tables.map(({ board }) =>
      program.until((line) => line.board === board && line.link === 'up', `${board} is up`),
    ),
  );

/** Waits until the database says that the game of each table is over. */
export const allOver = (db: string, tables: readonly Pick<Table, 'board'>[]): Promise<void> =>
  reach(() => {
    const games = gamesOf(db);
    return tables.every(({ board }) =>
      games.some((game) => game.board === board && game.record.result !== '*'),
    );
  }, 'the end of all games').catch((error: unknown) => {
    const stand = gamesOf(db)
      .filter(({ board }) => tables.some((table) => table.board === board))
      .map(
        ({ board, record }) =>
          `${board}: ${record.plies.map(({ san, state, inferred }) => `${san}${state[0]}${inferred === true ? 'i' : ''}`).join(' ')} ${record.result} flags ${[...new Set(record.flags.map(({ code }) => code))].join(' ')}`,
      );
    throw new Error(`the games did not end; they stand like this:\n${stand.join('\n')}`, { cause: error });
  });

/** Which ply of which game was told to be certain, by any of several runs: the last word on each. */
function confirmed(said: readonly Said[]): Map<string, string> {
  const plies = new Map<string, string>();
  for (const { type, id, number, ply } of said) {
    if (type === 'ply' && ply?.state === 'confirmed') plies.set(`${id} ${number}`, ply.san);
  }
  return plies;
}

export interface Truth {
  /** Games of which nothing is said here; default: none. */
  readonly isOurs?: (game: StoredGame) => boolean;
  /**
   * Plies may be in doubt, and publication ends before them: what came in one burst after a stall has one time, and where hands overlapped the
   * order of two plies of a side may be open. What is told is right all the same.
   */
  readonly mayDoubt?: boolean;
}

/** One game a table, exactly as played; each in the PGN once; nothing that was told is missing. */
export function expectRightGames(
  place: Place,
  tables: readonly Table[],
  said: readonly Said[],
  { isOurs = () => true, mayDoubt = false }: Truth = {},
): StoredGame[] {
  const games = gamesOf(place.db).filter(isOurs);
  const doubtsOf = ({ record }: StoredGame): string[] =>
    record.plies.flatMap(({ san, state, candidates = [] }, i) =>
      state === 'confirmed' || state === 'settled'
        ? []
        : [`${i + 1} ${san} ${state}: ${candidates.join(' ')}`],
    );
  const facts = games.map((game) => [
    game.board,
    game.record.plies.map(({ san }) => san).join(' '),
    game.record.result,
    mayDoubt ? [] : doubtsOf(game),
  ]);
  const truth = tables.map(({ board, moves, result }) => [board, moves.join(' '), result, []]);
  expect(facts.sort()).toEqual(truth.sort());
  const told = confirmed(said.filter(({ id }) => games.some((game) => game.id === id)));
  expect(told.size).toBeGreaterThan(0);
  for (const [key, san] of told) {
    const [id, number] = key.split(' ').map(Number);
    const game = games.find((one) => one.id === id);
    expect([key, game?.record.plies[number! - 1]?.san]).toEqual([key, san]);
  }
  const others = gamesOf(place.db).filter((game) => !isOurs(game));
  const published = parsePgn(readFileSync(join(place.pgn, 'games.pgn'))).filter(({ tags }) =>
    others.every(({ token }) => token !== tags.get('GameId')),
  );
  expect(published.map(({ tags }) => tags.get('GameId')).sort()).toEqual(
    games.map(({ token }) => token).sort(),
  );
  for (const { tags, plies } of published) {
    const game = games.find(({ token }) => token === tags.get('GameId'))!;
    const [doubt] = doubtsOf(game);
    const certain = doubt === undefined ? game.record.plies.length : Number.parseInt(doubt, 10) - 1;
    expect(plies.map(({ san }) => san)).toEqual(game.record.plies.slice(0, certain).map(({ san }) => san));
  }
  return games;
}

/** Tokens of the games at the boards, by board. */
export const tokensOf = (db: string): Map<string, string> =>
  new Map(gamesOf(db).map(({ board, token }) => [board, token]));

/** None of the games has another token than its board's had before. */
export function expectSameGames(games: readonly StoredGame[], before: ReadonlyMap<string, string>): void {
  for (const { board, token } of games) expect(before.get(board) ?? token).toBe(token);
}

/** What is stored follows from the bytes that came, and from nothing else: derived again it is the same. */
export function expectDerivedAgain({ db }: Place): void {
  const again = spawnSync(process.execPath, ['recorder/cli/jadoube.js', 'rederive', '--db', db], {
    encoding: 'utf8',
  });
  expect([again.status, again.stderr], again.stdout).toEqual([0, '']);
}
