import { Position } from '../../core/position.ts';
import type { GameTimes } from '../game-times.ts';
import { writtenPlies } from '../pgn/written-plies.ts';
import type { RecordedGame } from './public-event.ts';

/** A position without its counters. */
const placeOf = (fen: string): string => fen.split(' ').slice(0, 4).join(' ');

/**
 * Joins the parts of one game that was played on several electronic boards, each from the position in which the one before was
 * left. A part that does not fit stands for itself: the last one counts.
 */
export function joinGames(parts: readonly RecordedGame[]): RecordedGame | undefined {
  return parts.reduce<RecordedGame | undefined>(
    (joined, part) => (joined === undefined ? part : join(joined, part)),
    undefined,
  );
}

function join(first: RecordedGame, next: RecordedGame): RecordedGame {
  const kept = pliesBefore(first, next.record.start);
  const games = [...first.games, ...next.games];
  if (kept === undefined) return { ...next, games, token: first.token };
  const { record } = first;
  const times: GameTimes = {
    certainSinceMs: [
      ...Array.from({ length: kept }, (_, i) => first.times.certainSinceMs[i]),
      ...next.times.certainSinceMs,
    ],
    resultSinceMs: next.times.resultSinceMs,
  };
  return {
    ...first,
    games,
    board: next.board,
    record: {
      ...next.record,
      game: record.game,
      start: record.start,
      startedAtMs: record.startedAtMs,
      plies: [...record.plies.slice(0, kept), ...next.record.plies],
      flags: [...record.flags, ...next.record.flags],
    },
    times,
  };
}

/** How many plies of a game lead to a position; undefined when none do. The last such place counts. */
function pliesBefore({ record }: RecordedGame, fen: string): number | undefined {
  const start = Position.fromFen(record.start, record.variant);
  const goal = Position.fromFen(fen, record.variant);
  if (!start.ok || !goal.ok) return undefined;
  const wanted = placeOf(goal.value.fen());
  let position = start.value;
  let found = placeOf(position.fen()) === wanted ? 0 : undefined;
  for (const [i, { san }] of writtenPlies(record).plies.entries()) {
    position = position.play(position.parseSan(san)!);
    if (placeOf(position.fen()) === wanted) found = i + 1;
  }
  return found;
}
