import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BoardError } from '../../core/board-error.ts';

/** What a file is called while it is being written: no reader of the folder takes it for a game. */
export const temporaryName = (path: string): string => `${path}.part`;

/**
 * Replaces a file so that whoever opens it finds the old text or the new one, whole, also after the power is cut: written
 * beside under another name, flushed, renamed. Rejects with PGN_DIR_UNWRITABLE.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  const part = temporaryName(path);
  try {
    await mkdir(folder, { recursive: true });
    // Made anew: a link that somebody has put there under this name would lead to a file of theirs, or of ours.
    await rm(part, { force: true });
    const file = await open(part, 'wx');
    try {
      await file.writeFile(text, 'utf8');
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    const detail = error instanceof Error ? error.message : String(error);
    throw new BoardError('PGN_DIR_UNWRITABLE', { file: folder, detail }, error);
  }
  // The rename itself is on disk when the folder is; some systems cannot flush one.
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // As durable as this system allows.
  }
}
