import { expect, test } from 'vitest';
import { BOARDS, findBoard } from '../../boards/registry.ts';

test('finds every board by its own id', () => {
  for (const board of BOARDS) expect(findBoard(board.id)).toEqual({ ok: true, value: board });
  expect(new Set(BOARDS.map((board) => board.id)).size).toBe(BOARDS.length);
});

test('names the known boards when asked for one that is not there', () => {
  const found = findBoard('ouija');
  expect(found.ok).toBe(false);
  if (found.ok) return;
  expect(found.fault.code).toBe('BOARD_UNKNOWN');
  for (const board of BOARDS) expect(found.fault.message).toContain(board.id);
});
