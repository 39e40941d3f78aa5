import { createEmptyRecord, type GameRecord } from '../../core/game-record.ts';
import { makeClock } from '../pgn/clock-text.ts';
import type { PgnHeaders, PgnWriterOptions } from '../pgn/writer.ts';
import { writtenPlies } from '../pgn/written-plies.ts';
import type { PublicGame, RecordedGame } from './public-event.ts';
import { publishPgn } from './published-pgn.ts';
import { isOver, type Release } from './release.ts';

/** A game of the event with what may be shown of it at present. */
export interface ShownGame {
  readonly game: PublicGame;
  /** Absent before the game has begun. */
  readonly recorded?: RecordedGame;
  readonly release?: Release;
}

/** A pairing without a game, as a game in which nothing has been played. */
function makeEmptyRecord({ result = '*', score }: PublicGame): GameRecord {
  const record = createEmptyRecord();
  record.result = result;
  record.score = score;
  if (score !== undefined) record.reason = 'unknown';
  return record;
}

/** The record as it may be shown: of a game that has not begun, an empty one. */
export const shownRecord = ({ game, release }: ShownGame): GameRecord =>
  release?.record ?? makeEmptyRecord(game);

/** Wall clock time of a moment of a game; the same whenever it is asked. */
export const wallMsOf = ({ startedWallMs, record }: RecordedGame, atMs: number): number =>
  startedWallMs + (atMs - record.startedAtMs);

/**
 * Both clocks as they stood after the last ply that is shown, for readers that tell a running game by its tags. Nothing where that ply has
 * not been completed: readers give these times to plies without one (broadcast-pgn-trf 1.6), and they would be older.
 */
function clockTags({ release }: ShownGame): PgnHeaders {
  if (release === undefined || isOver(release.record)) return {};
  const { plies, stop } = writtenPlies(release.record);
  const [last, before] = [plies.at(-1), plies.at(-2)];
  if (stop !== undefined || last === undefined || before === undefined) return {};
  const [mine, theirs] = [last, before].map(({ ply }) =>
    ply.completedAtMs === undefined || ply.clockMs === undefined ? undefined : makeClock(ply.clockMs),
  );
  if (mine === undefined || theirs === undefined) return {};
  return last.side === 'white'
    ? { WhiteClock: mine, BlackClock: theirs }
    : { WhiteClock: theirs, BlackClock: mine };
}

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
    tags: dialect({ ...tags, ...place, ...clockTags(shown), GameId: token }),
  };
  return publishPgn(shownRecord(shown), facts, options);
}
