import { isBoardError } from '../../core/board-error.ts';
import { openRecorderStore, type Repaired } from '../open-recorder-store.ts';
import { openStoreReader } from '../store/store.ts';
import { DB, parseOptions } from './arguments.ts';
import type { Io } from './io.ts';
import { makeRepairText } from './open-for-recording.ts';

/**
 * Looks whether a database is whole; one that is damaged is put aside and everything that can be read of it is written into a new one. Status 1 when
 * something was lost.
 */
export function runRepair(options: unknown, io: Pick<Io, 'out'>): number {
  const { db } = parseOptions(DB, options);
  // A file that is not there is not made.
  try {
    openStoreReader(db).close();
  } catch (error) {
    if (isUnreadable(error)) throw error;
  }
  let repaired: Repaired | undefined;
  openRecorderStore(db, { wallMs: () => Date.now() }, (told) => {
    repaired = told;
  }).close();
  io.out.write(`${repaired === undefined ? `${db} is whole.` : makeRepairText(db, repaired)}\n`);
  return repaired === undefined || Object.keys(repaired.gaps).length === 0 ? 0 : 1;
}

const isUnreadable = (error: unknown): boolean => isBoardError(error, 'FILE_UNREADABLE');
