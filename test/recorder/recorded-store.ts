import { dgt } from '../../boards/dgt/definition.ts';
import { MachineDriver } from '../../core/machine.ts';
import { Position } from '../../core/position.ts';
import { beginSitting } from '../../recorder/sitting.ts';
import { openStore } from '../../recorder/store/store.ts';
import { dumpBytes, moveBytes } from './dgt-bytes.ts';

export const RECORDED_WALL_MS = Date.UTC(2026, 0, 2, 3, 4, 5);

/** A database into which games were recorded from a DGT board, as the recorder would have done it, in no time. */
export function recordGames(
  file: string,
  games: readonly (readonly string[])[],
  tags: Readonly<Record<string, string>> = {},
  wallMs = RECORDED_WALL_MS,
): void {
  const store = openStore(file, { wallMs: () => wallMs });
  let nowMs = store.originMs(wallMs);
  const options = { variant: 'standard', rotated: false } as const;
  const { sitting, machine } = beginSitting(store, {
    board: 'dgt-1',
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
      const move = position.parseSan(san)!;
      for (const bytes of moveBytes(position, move)) {
        nowMs += 400;
        take(bytes);
      }
      nowMs += 5000;
      position = position.play(move);
    }
    store.enqueue({ type: 'tags', sitting, number: i + 1, tags });
  });
  store.close();
}
