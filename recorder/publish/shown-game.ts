import type { GameResult } from '../../core/game-event.ts';
import { createGameRecord, type GameRecord } from '../../core/game-record.ts';
import { START_FEN } from '../../core/position.ts';
import type { PgnHeaders, PgnWriterOptions } from '../pgn/writer.ts';
import type { PublicGame, RecordedGame } from './public-event.ts';
import { publishPgn } from './published-pgn.ts';
import type { Release } from './release.ts';

/** A game of the event with what may be shown of it at present. */
export interface ShownGame {
  readonly game: PublicGame;
  /** Absent before the game has begun. */
  readonly recorded?: RecordedGame;
  readonly release?: Release;
}

/** A pairing without a game, as a game in which nothing has been played. */
function makeEmptyRecord(result: GameResult = '*'): GameRecord {
  const record = createGameRecord({
    type: 'gameStarted',
    atMs: 0,
    game: 1,
    variant: 'standard',
    start: START_FEN,
    orientation: 'normal',
  });
  record.result = result;
  return record;
}

/** The record as it may be shown: of a game that has not begun, an empty one. */
export const shownRecord = ({ game, release }: ShownGame): GameRecord =>
  release?.record ?? makeEmptyRecord(game.result);

/** Wall clock time of a moment of a game; the same whenever it is asked. */
export const wallMsOf = ({ startedWallMs, record }: RecordedGame, atMs: number): number =>
  startedWallMs + (atMs - record.startedAtMs);

/**
 * Writes a game, or a pairing, as PGN. Round and Board are its place, so that programs that go by them find it.
 */
export function makeShownPgn(
  shown: ShownGame,
  dialect: (tags: PgnHeaders) => PgnHeaders = (tags) => tags,
  options: PgnWriterOptions = {},
): string {
  const { game, recorded } = shown;
  const { token, round, board, tags } = game;
  const place = { Round: `${round}.${board}`, Board: String(board) };
  const facts = {
    token,
    ...(recorded !== undefined && { startedWallMs: recorded.startedWallMs }),
    tags: dialect({ ...tags, ...place, GameId: token }),
  };
  return publishPgn(shownRecord(shown), facts, options);
}
