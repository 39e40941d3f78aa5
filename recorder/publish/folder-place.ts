import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObservableInput } from 'rxjs';
import { BoardError } from '../../core/board-error.ts';
import { replaceFile } from './atomic-file.ts';
import type { DocumentPlace } from './documents.ts';

/** After a restart most files are as they should be: whoever watches the folder is not disturbed. */
async function replaceChanged(path: string, text: string): Promise<void> {
  const old = await readFile(path, 'utf8').catch(() => undefined);
  if (old !== text) await replaceFile(path, text);
}

/** A folder of this machine: every file is replaced as a whole, under its name there is the old text or the new one. */
export const createFolderPlace = (
  dir: string,
  replace: (path: string, text: string) => ObservableInput<unknown> = replaceChanged,
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
    try {
      await rm(join(dir, name), { force: true });
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      throw new BoardError('PGN_DIR_UNWRITABLE', { file: dir, detail }, error);
    }
  },
});
