import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { TournamentChange } from '../tournament/change.ts';
import type { Tournament } from '../tournament/tournament.ts';
import { openForEntering, openForWriting } from './open-database.ts';
import { isRecorderRunning, takeRecorderLock } from './recorder-lock.ts';
import { withStoreErrors } from './store-error.ts';
import { keepToken } from './store-token.ts';
import { createTournamentReader, createTournamentWriter } from './tournament-tables.ts';

/** The tournament of a database; beside a recorder, or alone. */
export interface TournamentStore {
  readonly file: string;
  read(): Tournament;
  /** Text that is another one when the tournament may be: cheap to ask. */
  state(): string;
  /**
   * Makes all changes or none, signed. `seen`: the revision they were made from; throws TOURNAMENT_CHANGED when it is another one
   * by now.
   */
  apply(
    changes: readonly TournamentChange[],
    options: { readonly by: string; readonly wallMs: number; readonly seen?: number },
  ): void;
  close(): void;
}

/**
 * Opens the tournament of a database, which is made or brought up to date when no recorder is writing to it. Throws a
 * `BoardError` with a STORE_ code.
 */
export function openTournamentStore(file: string): TournamentStore {
  withStoreErrors(file, () => mkdirSync(dirname(resolve(file)), { recursive: true }));
  if (!isRecorderRunning(file)) {
    const lock = takeRecorderLock(file);
    try {
      const db = openForWriting(file);
      withStoreErrors(file, () => keepToken(db));
      db.close();
    } finally {
      lock.release();
    }
  }
  const db = openForEntering(file);
  try {
    return withStoreErrors(file, () => {
      const reader = createTournamentReader(db);
      const writer = createTournamentWriter(db, file);
      return {
        file,
        read: () => withStoreErrors(file, () => reader.read()),
        state: () => withStoreErrors(file, () => reader.state()),
        apply: (changes, { by, wallMs, seen }) =>
          withStoreErrors(file, () => writer.apply(changes, by, wallMs, seen)),
        close: () => db.close(),
      };
    });
  } catch (error) {
    db.close();
    throw error;
  }
}
