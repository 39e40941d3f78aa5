import { mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { ObservableInput } from 'rxjs';
import { BoardError } from '../../core/board-error.ts';
import { replaceFile } from './atomic-file.ts';
import type { DocumentPlace } from './documents.ts';

/** After a restart most files are as they should be: whoever watches the folder is not disturbed. */
async function replaceChanged(path: string, text: string): Promise<void> {
  const old = await readFile(path, 'utf8').catch(() => undefined);
  if (old !== text) await replaceFile(path, text);
}

/**
 * Rejects with PGN_DIR_UNWRITABLE where the folder of a file is not below `dir`: whoever may write there could lead what is written, and what is
 * taken away, elsewhere by a link. `dir` itself may be one.
 */
async function stayInside(dir: string, path: string): Promise<void> {
  const refuse = (cause: unknown): never => {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new BoardError('PGN_DIR_UNWRITABLE', { file: dirname(path), detail }, cause);
  };
  const folder = dirname(resolve(path));
  if (!isBelow(resolve(dir), folder)) refuse('it is not in the folder of the output');
  try {
    await mkdir(dir, { recursive: true });
    let at = folder;
    // What is not there yet is made in what is.
    for (;;) {
      const real = await realpath(at).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (real === undefined) {
        at = dirname(at);
        continue;
      }
      if (isBelow(await realpath(dir), real)) return;
      break;
    }
  } catch (error) {
    refuse(error);
  }
  refuse('a link leads out of the folder of the output');
}

const isBelow = (dir: string, path: string): boolean =>
  path === dir || path.startsWith(dir.endsWith(sep) ? dir : `${dir}${sep}`);

/** A folder of this machine: every file is replaced as a whole, under its name there is the old text or the new one. */
export const createFolderPlace = (
  dir: string,
  replace: (path: string, text: string) => ObservableInput<unknown> = async (path, text) => {
    await stayInside(dir, path);
    await replaceChanged(path, text);
  },
): DocumentPlace => ({
  pathOf: (name) => join(dir, name),
  put: (name, text) => replace(join(dir, name), text),
  read: async (name) => {
    try {
      return await readFile(join(dir, name), 'utf8');
    } catch {
      // What cannot be read is written anew, and that fails with its reason.
      return undefined;
    }
  },
  remove: async (name) => {
    await stayInside(dir, join(dir, name));
    try {
      await rm(join(dir, name), { force: true });
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      throw new BoardError('PGN_DIR_UNWRITABLE', { file: dir, detail }, error);
    }
  },
});
