import type { GameEvent } from '../../core/game-event.ts';
import type { GameRecord } from '../../core/game-record.ts';
import { makePgnOutcome, terminationOf } from '../../core/laws/endings.ts';
import { makePgn, type PgnHeaders, type PgnWriterOptions } from '../pgn/writer.ts';

/** What is known of a game besides its record. */
export interface GameFacts {
  /** Unique in the world, for the whole life of the game. */
  readonly token: string;
  /** Absent before it has begun: then it has no date but that of its tags. */
  readonly startedWallMs?: number;
  readonly tags: PgnHeaders;
}

const localDate = (wallMs: number | undefined): string => {
  if (wallMs === undefined) return '';
  const date = new Date(wallMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}.${two(date.getMonth() + 1)}.${two(date.getDate())}`;
};

/**
 * Writes a stored game as it goes to the world: with the date on which it began and a GameId that stays, by which readers
 * know it again whatever happens to names and boards (broadcast-pgn-trf 1.5). A finished game carries a Termination where
 * the board has shown how it ended, or an arbiter has said.
 */
export const publishPgn = (record: GameRecord, facts: GameFacts, options: PgnWriterOptions = {}): string =>
  makePgn(
    record,
    { Date: localDate(facts.startedWallMs), GameId: facts.token, ...terminationTags(record), ...facts.tags },
    options,
  );

const terminationTags = ({ result, reason, score }: GameRecord): PgnHeaders =>
  reason === undefined ? {} : makePgnOutcome(score ?? result, terminationOf(reason)).tags;

/** Whether a game has anything to show: a ply that is certain, or a result. */
export const isPublishable = (record: GameRecord): boolean =>
  record.result !== '*' ||
  record.score !== undefined ||
  record.plies[0]?.state === 'confirmed' ||
  record.plies[0]?.state === 'settled';

/** Whether an event may change what is published. */
export const changesPgn = (event: GameEvent): boolean =>
  event.type === 'ply' || event.type === 'withdrawn' || event.type === 'result' || event.type === 'gameEnded';
