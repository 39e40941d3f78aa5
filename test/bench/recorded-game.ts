import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBoard } from '../../boards/registry.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { timeByClock } from '../../recorder/replay/untimed.ts';

/** The recorded game's events, timed by its clock, and its moves. */
export function readRecordedGame(folder: string): { events: SensorEvent[]; moves: string[] } {
  const board = findBoard('dgt');
  if (!board.ok) throw new Error(board.fault.message);
  const bytes = readFileSync(join(folder, 'game-1.bin'));
  const decoded = board.value.createDecoder().decode(bytes, 0);
  const moves = readFileSync(join(folder, 'game-1.uci.txt'), 'utf8').match(/[a-h][1-8][a-h][1-8][nbrq]?/g);
  return {
    events: timeByClock(decoded.flatMap((d) => (d.type === 'sensor' ? [d.event] : []))),
    moves: [...(moves ?? [])],
  };
}
