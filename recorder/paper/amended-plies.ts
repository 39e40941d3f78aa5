import type { GameEvent } from '../../core/game-event.ts';
import type { GameRecord } from '../../core/game-record.ts';

/**
 * Numbers of the plies of a game that were agreed as another move before, from the events of its board. A ply that the record has
 * otherwise than the events is left out: nothing is known of it.
 */
export function amendedPlies(events: Iterable<GameEvent>, record: GameRecord): number[] {
  const amended = new Map<number, string>();
  let game: number | undefined;
  for (const event of events) {
    if (event.type === 'gameStarted') game = event.game;
    if (game !== record.game) continue;
    if (event.type === 'ply') {
      if (event.amended === true || amended.has(event.number)) amended.set(event.number, event.ply.san);
    } else if (event.type === 'withdrawn')
      for (const number of amended.keys()) if (number >= event.number) amended.delete(number);
  }
  return [...amended]
    .filter(([number, san]) => record.plies[number - 1]?.san === san)
    .map(([number]) => number);
}
