import { BoardError, type FaultCode } from '../../core/board-error.ts';

const CODES: readonly (readonly [prefix: string, code: FaultCode])[] = [
  ['SQLITE_BUSY', 'STORE_LOCKED'],
  ['SQLITE_LOCKED', 'STORE_LOCKED'],
  ['SQLITE_FULL', 'STORE_FULL'],
  ['SQLITE_READONLY', 'STORE_READONLY'],
  ['SQLITE_CANTOPEN', 'STORE_READONLY'],
  ['SQLITE_PERM', 'STORE_READONLY'],
  ['SQLITE_AUTH', 'STORE_READONLY'],
  ['SQLITE_CORRUPT', 'STORE_CORRUPT'],
  ['SQLITE_NOTADB', 'STORE_CORRUPT'],
  ['SQLITE_IOERR', 'STORE_DISK'],
  ['SQLITE_NOMEM', 'STORE_DISK'],
  ['ENOSPC', 'STORE_FULL'],
  ['EDQUOT', 'STORE_FULL'],
  ['EACCES', 'STORE_READONLY'],
  ['EPERM', 'STORE_READONLY'],
  ['EROFS', 'STORE_READONLY'],
  ['ENOTDIR', 'STORE_READONLY'],
  ['EEXIST', 'STORE_READONLY'],
  ['EISDIR', 'STORE_READONLY'],
  ['ENOENT', 'STORE_READONLY'],
  ['EIO', 'STORE_DISK'],
];

/** Gives a failure of the database or its file a code and says which file; a mistake of ours goes through as it is. */
export function storeError(error: unknown, file: string): unknown {
  if (error instanceof BoardError || !(error instanceof Error)) return error;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return error;
  const entry = CODES.find(([prefix]) => code.startsWith(prefix));
  return entry === undefined ? error : new BoardError(entry[1], { file, detail: error.message }, error);
}

/** Runs something against a database file; what the file is to blame for is thrown as a `BoardError`. */
export function withStoreErrors<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw storeError(error, file);
  }
}
