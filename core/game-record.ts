import type { Flag } from './flag.ts';
import type {
  GameEvent,
  GameResult,
  Orientation,
  PlyRecord,
  ResultReason,
  TokenlessScore,
  Variant,
} from './game-event.ts';
import { emptyPlacement, type Placement } from './placement.ts';
import { START_FEN } from './position.ts';

/** A game as derived so far. */
export interface GameRecord {
  /** 1-based number of the game on its board. */
  readonly game: number;
  readonly variant: Variant;
  /** FEN of the start position. */
  readonly start: string;
  readonly startedAtMs: number;
  plies: PlyRecord[];
  flags: Flag[];
  result: GameResult;
  reason: ResultReason | undefined;
  /** Points that PGN has no token for; `result` is `*` then. */
  score: TokenlessScore | undefined;
  ended: boolean;
  orientation: Orientation;
  /** The board as last sensed, true coordinates. */
  placement: Placement;
  /** Whether board and record agreed at the end of what was seen. */
  inSync: boolean;
  whiteMs: number | undefined;
  blackMs: number | undefined;
}

/** Begins a record from the event that opens a game. */
export const createGameRecord = (event: Extract<GameEvent, { type: 'gameStarted' }>): GameRecord => ({
  game: event.game,
  variant: event.variant,
  start: event.start,
  startedAtMs: event.atMs,
  plies: [],
  flags: [],
  result: '*',
  reason: undefined,
  score: undefined,
  ended: false,
  orientation: event.orientation,
  placement: emptyPlacement(),
  inSync: true,
  whiteMs: undefined,
  blackMs: undefined,
});

/** The record of a game from the initial position that nobody has begun. */
export const createEmptyRecord = (): GameRecord =>
  createGameRecord({
    type: 'gameStarted',
    atMs: 0,
    game: 1,
    variant: 'standard',
    start: START_FEN,
    orientation: 'normal',
  });

/** Applies one event (other than `gameStarted`) to a record, in place. */
export function applyGameEvent(record: GameRecord, event: GameEvent): void {
  switch (event.type) {
    case 'gameStarted':
      break;
    case 'ply':
      record.plies[event.number - 1] = event.ply;
      break;
    case 'withdrawn':
      record.plies.length = Math.min(record.plies.length, event.number - 1);
      break;
    case 'flag':
      record.flags.push(event.flag);
      break;
    case 'result':
      record.result = event.result;
      record.reason = event.reason;
      record.score = event.score;
      break;
    case 'gameEnded':
      record.ended = true;
      break;
    case 'board':
      record.placement = event.placement;
      record.inSync = event.inSync;
      break;
    case 'orientation':
      record.orientation = event.orientation;
      break;
    case 'clock':
      record.whiteMs = event.whiteMs;
      record.blackMs = event.blackMs;
      break;
  }
}

/** Applies one event to the games of a board, in place: `gameStarted` begins one, all others go to the last. */
export function applyToRecords(records: GameRecord[], event: GameEvent): void {
  if (event.type === 'gameStarted') records.push(createGameRecord(event));
  else if (records.length > 0) applyGameEvent(records[records.length - 1]!, event);
}

/** The games of a board that its events make, in order. */
export function makeRecords(events: Iterable<GameEvent>): GameRecord[] {
  const records: GameRecord[] = [];
  for (const event of events) applyToRecords(records, event);
  return records;
}
