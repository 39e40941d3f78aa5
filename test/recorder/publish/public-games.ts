import type { GameResult } from '../../../core/game-event.ts';
import { GameTimesKeeper } from '../../../recorder/game-times.ts';
import type { PublicEvent, PublicGame, RecordedGame } from '../../../recorder/publish/public-event.ts';
import { playedGame } from '../pgn/played-game.ts';

export const STARTED_WALL_MS = Date.UTC(2026, 0, 2, 12);

/** A pairing of a round. */
export const pairing = (round: number, board: number, more: Partial<PublicGame> = {}): PublicGame => ({
  token: `token${round}x${board}`,
  round,
  board,
  tags: { Event: 'Open', Site: 'Minsk', White: `White${board}, Anna Maria`, Black: `Black${board}, Ben` },
  ...more,
});

export const eventOf = (games: readonly PublicGame[], more: Partial<PublicEvent> = {}): PublicEvent => ({
  id: 'open',
  name: 'Open',
  rounds: 2,
  games,
  ...more,
});

/** A game in which a move is made each second, completed half a second later and certain at once. */
export function recorded(
  token: string,
  moves: readonly string[],
  options: { result?: GameResult; board?: string; clocks?: readonly (number | undefined)[] } = {},
): RecordedGame {
  const { board = 'dgt-12345', ...game } = options;
  const record = playedGame(moves, game);
  const times = new GameTimesKeeper();
  for (const [i, { madeAtMs }] of record.plies.entries()) times.ply(i + 1, true, madeAtMs);
  const last = record.plies.at(-1);
  if (game.result !== undefined) times.result(true, last?.completedAtMs ?? last?.madeAtMs ?? 0);
  return { token, games: [1], board, startedWallMs: STARTED_WALL_MS, record, times };
}
