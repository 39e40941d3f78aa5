import { BoardError } from '../../core/board-error.ts';

/** The code of the `BoardError` that a call throws; 'no error' when it throws none, any other error goes on. */
export function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof BoardError) return error.code;
    throw error;
  }
  return 'no error';
}
