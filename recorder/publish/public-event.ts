/** What the world is told of an event besides the moves: the shape in which publication takes it. */
import type { GameResult, TokenlessScore } from '../../core/game-event.ts';
import type { GameRecord } from '../../core/game-record.ts';
import type { GameTimes } from '../game-times.ts';
import type { PgnHeaders } from '../pgn/writer.ts';

/** What a list of players says that no common PGN tag carries. */
export interface PublicPlayer {
  /** Three letters: BLR. */
  readonly federation?: string;
  readonly gender?: 'm' | 'w';
}

/** A game of the event, or a pairing whose game has not begun. */
export interface PublicGame {
  /** The GameId tag: unique in the world and the same for the game's whole life. */
  readonly token: string;
  /** 1-based. */
  readonly round: number;
  /** 1-based place in the round: the number of its file. */
  readonly board: number;
  readonly tags: PgnHeaders;
  readonly white?: PublicPlayer;
  readonly black?: PublicPlayer;
  /** The result where there is no record: entered, or by default. */
  readonly result?: GameResult;
  /** Its points where PGN has no token for them. */
  readonly score?: TokenlessScore;
  /** Since when it is known, monotonic ms of the store. */
  readonly resultSinceMs?: number;
}

/** The record of a game as committed. */
export interface RecordedGame {
  readonly token: string;
  /** Its number in the store; several where it went on at another board. */
  readonly games: readonly number[];
  /** Key of the board it is played on: kind and serial number. */
  readonly board: string;
  readonly startedWallMs: number;
  readonly record: GameRecord;
  readonly times: GameTimes;
}

export interface PublicEvent {
  /** Short name: the `id` of tournament.json. */
  readonly id: string;
  readonly name: string;
  readonly location?: string;
  /** ISO 3166 alpha-2. */
  readonly country?: string;
  readonly website?: string;
  /** In PGN's grammar, or the words of the organiser. */
  readonly timeControl?: string;
  /** Planned rounds; at least as many as there are games of. */
  readonly rounds: number;
  /** Day of each round by its number, YYYY-MM-DD. */
  readonly dates?: Readonly<Record<number, string>>;
  readonly games: readonly PublicGame[];
}

/** What is withheld: one game by its number in the store, all games of one board, or all. */
export type HoldScope =
  | { readonly type: 'all' }
  | { readonly type: 'board'; readonly board: string }
  | { readonly type: 'game'; readonly game: number };

/** From `sinceMs` on nothing more of the games concerned is shown, until the hold is lifted. */
export interface Hold {
  readonly scope: HoldScope;
  /** Monotonic ms of the store. */
  readonly sinceMs: number;
}

/** Since when a game is withheld, or a pairing without one; undefined when it is not. */
export function heldSince(
  holds: readonly Hold[],
  recorded: Pick<RecordedGame, 'board' | 'games'> | undefined,
): number | undefined {
  let sinceMs: number | undefined;
  for (const { scope, sinceMs: since } of holds) {
    const isConcerned =
      scope.type === 'all' ||
      (scope.type === 'board' && scope.board === recorded?.board) ||
      (scope.type === 'game' && recorded?.games.includes(scope.game) === true);
    if (isConcerned) sinceMs = Math.min(sinceMs ?? since, since);
  }
  return sinceMs;
}
