/** What no list of game events may do, whatever a board sends. */
import type { GameEvent, PlyState } from '../../core/game-event.ts';

/** Faults of form: a number left out, a game ended twice or appended to after its end, time that goes back. */
export function formFaults(outputs: readonly GameEvent[]): string[] {
  const faults: string[] = [];
  let plies: string[] = [];
  let ended = true;
  let game = 0;
  let atMs = Number.NEGATIVE_INFINITY;
  for (const output of outputs) {
    if (output.atMs < atMs) faults.push(`${output.type} at ${output.atMs} after ${atMs}`);
    atMs = output.atMs;
    if (output.type === 'gameStarted') {
      if (output.game !== game + 1) faults.push(`game ${output.game} after game ${game}`);
      if (!ended) faults.push(`game ${game} was not ended before the next`);
      game = output.game;
      plies = [];
      ended = false;
    } else if (game === 0) faults.push(`${output.type} before the first game`);
    if (output.type === 'gameEnded') {
      if (ended) faults.push(`game ${game} ended twice`);
      ended = true;
    }
    if (output.type === 'withdrawn') {
      if (ended) faults.push(`withdrawn from ${output.number} after the end`);
      if (output.number < 1 || output.number > plies.length) faults.push(`withdrawn ${output.number}`);
      plies.length = Math.min(plies.length, output.number - 1);
    }
    if (output.type !== 'ply') continue;
    const { number, ply } = output;
    if (number < 1 || number > plies.length + 1) faults.push(`ply ${number} after ply ${plies.length}`);
    if (ended && plies[number - 1] !== ply.uci) faults.push(`ply ${number} ${ply.san} after the end`);
    plies[number - 1] = ply.uci;
  }
  return faults;
}

/** Faults of belief: a ply that was confirmed becomes another without saying so, or a settled one at all. */
export function beliefFaults(outputs: readonly GameEvent[]): string[] {
  const faults: string[] = [];
  let plies: { uci: string; state: PlyState }[] = [];
  for (const output of outputs) {
    if (output.type === 'gameStarted') plies = [];
    if (output.type === 'withdrawn') plies.length = Math.min(plies.length, output.number - 1);
    if (output.type !== 'ply') continue;
    const { number, ply } = output;
    const before = plies[number - 1];
    if (before !== undefined && before.uci !== ply.uci) {
      if (before.state === 'settled') faults.push(`settled ply ${number} became ${ply.san}`);
      if (before.state !== 'provisional' && output.amended !== true)
        faults.push(`ply ${number} became ${ply.san} silently`);
    }
    plies[number - 1] = { uci: ply.uci, state: ply.state };
  }
  return faults;
}
