/** What a recorder makes of a game of which one field update never arrived, for every update in turn. */
import type { GameEvent } from '../../core/game-event.ts';
import type { Machine } from '../../core/machine.ts';
import type { SensorEvent } from '../../core/sensor-event.ts';
import { derive, mainRecord } from './score.ts';

/** Plies over all runs, by what became of them at their own number. */
export interface LossCounts {
  readonly runs: number;
  right: number;
  /** Not right, and the record says that it is not known. */
  declared: number;
  /** Another move stands there, provisionally or confirmed. */
  wrong: number;
  /** Nothing stands there. */
  missing: number;
  /** Plies beyond the end of the game. */
  surplus: number;
  /** Runs in which the recorder threw. */
  thrown: number;
  /** Numbers of the updates (0-based) whose loss cost a ply. */
  readonly costly: number[];
}

/** A quiet of this length is when a live session would ask for a dump, ms. */
const DUMP_AFTER_MS = 2000;

/** The same events without the update at `lost`; with dumps as a live session asks for, whenever the board has been quiet. */
function loseUpdate(events: readonly SensorEvent[], lost: number, withDump: boolean): SensorEvent[] {
  const board = new Uint8Array(64);
  const result: SensorEvent[] = [];
  let changedAtMs: number | undefined;
  for (const [index, event] of events.entries()) {
    if (withDump && changedAtMs !== undefined && event.atMs - changedAtMs > DUMP_AFTER_MS) {
      result.push({ type: 'dump', atMs: changedAtMs + DUMP_AFTER_MS, placement: board.slice() });
      changedAtMs = undefined;
    }
    if (event.type === 'dump') board.set(event.placement);
    if (event.type === 'square') {
      board[event.square] = event.cell;
      changedAtMs = event.atMs;
    }
    if (index !== lost) result.push(event);
  }
  if (withDump && changedAtMs !== undefined) {
    result.push({ type: 'dump', atMs: changedAtMs + DUMP_AFTER_MS, placement: board.slice() });
  }
  return result;
}

/** Loses each square update of a game in turn and compares every ply with the game's moves (UCI). */
export function loseEachUpdate(
  events: readonly SensorEvent[],
  moves: readonly string[],
  createMachine: () => Machine<SensorEvent, GameEvent>,
  withDump: boolean,
): LossCounts {
  const updates = events.flatMap((event, index) => (event.type === 'square' ? [index] : []));
  const counts: LossCounts = {
    runs: updates.length,
    right: 0,
    declared: 0,
    wrong: 0,
    missing: 0,
    surplus: 0,
    thrown: 0,
    costly: [],
  };
  for (const [number, lost] of updates.entries()) {
    let plies: readonly { uci: string; state: string }[] = [];
    let doubtful = new Set<number>();
    try {
      const derived = derive(createMachine(), loseUpdate(events, lost, withDump));
      const record = mainRecord(derived.records);
      plies = record?.plies ?? [];
      doubtful = new Set(
        (record?.plies ?? []).flatMap((ply, i) =>
          ply.state === 'ambiguous' || ply.candidates !== undefined ? [i] : [],
        ),
      );
    } catch {
      counts.thrown += 1;
    }
    let right = 0;
    for (const [i, move] of moves.entries()) {
      if (plies[i]?.uci === move) right += 1;
      else if (plies[i] === undefined) counts.missing += 1;
      else if (doubtful.has(i)) counts.declared += 1;
      else counts.wrong += 1;
    }
    counts.right += right;
    counts.surplus += Math.max(0, plies.length - moves.length);
    if (right < moves.length) counts.costly.push(number);
  }
  return counts;
}
