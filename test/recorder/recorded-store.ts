import { dgt } from '../../boards/dgt/definition.ts';
import { MachineDriver } from '../../core/machine.ts';
import { type Change, Position } from '../../core/position.ts';
import { playRecorded } from '../../core/recorded-ply.ts';
import type { EventRules } from '../../recorder/event-rules.ts';
import { beginSitting } from '../../recorder/sitting.ts';
import { openStore } from '../../recorder/store/store.ts';
import { dumpBytes, moveBytes } from './dgt-bytes.ts';

export const RECORDED_WALL_MS = Date.UTC(2026, 0, 2, 3, 4, 5);

/**
 * A database into which games were recorded from a DGT board, as the recorder would have done it, in no time. `!e2e5` is a move
 * that is made although it is illegal.
 */
export function recordGames(
  file: string,
  games: readonly (readonly string[])[],
  tags: Readonly<Record<string, string>> = {},
  wallMs = RECORDED_WALL_MS,
  rules?: EventRules,
  board = 'dgt-1',
): void {
  const store = openStore(file, { wallMs: () => wallMs });
  let nowMs = store.originMs(wallMs);
  const options = { variant: 'standard', rotated: false, ...(rules !== undefined && { rules }) } as const;
  const { sitting, machine } = beginSitting(store, {
    board,
    definition: dgt,
    sitting: options,
    nowMs,
    wallMs,
  });
  const driver = new MachineDriver(machine);
  const take = (bytes: Uint8Array): void => {
    for (const output of driver.feed({ type: 'rx', atMs: nowMs, bytes })) {
      const at = { sitting, wallMs: wallMs + nowMs };
      if (output.type === 'input') store.enqueue({ type: 'input', input: output.input, ...at });
      if (output.type === 'event') store.enqueue({ type: 'event', event: output.event, ...at });
    }
  };
  games.forEach((moves, i) => {
    let position = Position.initial();
    nowMs += 600_000;
    take(dumpBytes(position.cells));
    // One picture may be older than the events before it; the same once more is news.
    nowMs += 5000;
    take(dumpBytes(position.cells));
    for (const san of moves) {
      const { after } = playRecorded(position, san)!;
      for (const bytes of moveBytes(position, { changes: changesBetween(position, after) })) {
        nowMs += 400;
        take(bytes);
      }
      nowMs += 5000;
      position = after;
      // A row of its own, as the recorder would have made it.
      store.commit();
    }
    store.enqueue({ type: 'tags', sitting, number: i + 1, tags });
  });
  store.close();
}

const changesBetween = (before: Position, after: Position): Change[] =>
  Array.from(before.cells, (cell, square) => ({ square, before: cell, after: after.cells[square]! })).filter(
    (change) => change.before !== change.after,
  );
