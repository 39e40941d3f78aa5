/** A round: tables, the settings of a recorder beside them, and what must be true when it is over. */
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
    const stand = gamesOf(db).map(
      ({ board, record }) =>
        `${board}: ${record.plies.map(({ san, state, inferred }) => `${san}${state[0]}${inferred === true ? 'i' : ''}`).join(' ')} flags ${JSON.stringify(record.flags)}`,
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

/** One game a table, exactly as played; each in the PGN once; nothing that was told is missing. */
export function expectRightGames(
  place: Place,
  tables: readonly Table[],
  said: readonly Said[],
  isOurs: (game: StoredGame) => boolean = () => true,
): StoredGame[] {
  const games = gamesOf(place.db).filter(isOurs);
  const facts = games.map(({ board, record }) => [
    board,
    record.plies.map(({ san }) => san).join(' '),
    record.result,
    record.plies.filter(({ state }) => state !== 'confirmed' && state !== 'settled').length,
  ]);
  const truth = tables.map(({ board, moves, result }) => [board, moves.join(' '), result, 0]);
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
  expect(published.map(({ plies }) => plies.map(({ san }) => san).join(' ')).sort()).toEqual(
    tables.map(({ moves }) => moves.join(' ')).sort(),
  );
  return games;
}
