import { BoardError } from '../../core/board-error.ts';
import { replaceFile } from '../publish/atomic-file.ts';

/** Writes a file that was named by an option, as a whole; throws FILE_UNWRITABLE. */
export async function writeFile(path: string, text: string): Promise<void> {
  await replaceFile(path, text).catch((error: unknown) => {
    if (!(error instanceof BoardError)) throw error;
    throw new BoardError('FILE_UNWRITABLE', { file: path, detail: String(error.context.detail) }, error);
  });
}
