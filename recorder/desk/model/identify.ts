import type { HallRow } from './hall-row.ts';

const countKings = (placement: string): number => (placement.match(/k/gi) ?? []).length;

/** Boards on which a king stood when somebody began to look, and is lifted now; `before`: FEN placements as sensed then. */
export const kingsLifted = (
  before: ReadonlyMap<string, string>,
  rows: readonly Pick<HallRow, 'board' | 'sensed'>[],
): string[] =>
  rows
    .filter(({ board, sensed = '' }) => countKings(sensed) < countKings(before.get(board) ?? ''))
    .map(({ board }) => board);
