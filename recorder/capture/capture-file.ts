import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { BoardError } from '../../core/board-error.ts';
import type { RawInput } from '../raw-input.ts';
import { type CaptureHeader, makeCaptureEntry, makeCaptureHeader } from '../replay/capture.ts';

const captureError = (dir: string, cause: unknown): BoardError =>
  new BoardError(
    'CAPTURE_DIR_UNWRITABLE',
    { file: dir, detail: cause instanceof Error ? cause.message : String(cause) },
    cause,
  );

/** A capture that is being written: what passes over the link of one board, a line each, in the system's hands at once. */
export interface CaptureFile {
  readonly path: string;
  /** Appends what has passed; the first failure is returned, once, and ends the file. */
  write(input: RawInput): BoardError | undefined;
  close(): void;
}

/** Begins a capture of a board in a folder, under a name that is not taken. Throws a `BoardError` when it cannot. */
export function createCaptureFile(
  dir: string,
  board: string,
  header: Pick<CaptureHeader, 'fen' | 'variant'> & { readonly board: string; readonly startedAt: string },
): CaptureFile {
  const stamp = header.startedAt.replace(/\.\d+/, '').replace(/[^0-9TZ]/g, '');
  const name = `${board.replace(/[^A-Za-z0-9._@-]+/g, '-')}-${stamp}`;
  let path = join(dir, `${name}.ndjson`);
  let handle: number | undefined;
  try {
    mkdirSync(dir, { recursive: true });
    for (let number = 2; handle === undefined; number++) {
      try {
        handle = openSync(path, 'wx');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || number > 999) throw error;
        path = join(dir, `${name}-${number}.ndjson`);
      }
    }
    writeSync(handle, makeCaptureHeader(header));
  } catch (error) {
    if (handle !== undefined) closeSync(handle);
    throw captureError(dir, error);
  }
  return {
    path,
    write(input) {
      if (handle === undefined) return undefined;
      try {
        writeSync(handle, makeCaptureEntry(input));
        return undefined;
      } catch (error) {
        this.close();
        return captureError(dir, error);
      }
    },
    close() {
      if (handle === undefined) return;
      const open = handle;
      handle = undefined;
      try {
        closeSync(open);
      } catch {
        // What was written is with the system already.
      }
    },
  };
}
