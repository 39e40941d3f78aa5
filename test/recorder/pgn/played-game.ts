import type { GameResult, PlyState, Variant } from '../../../core/game-event.ts';
import { createGameRecord, type GameRecord } from '../../../core/game-record.ts';
import { Position, START_FEN } from '../../../core/position.ts';

/** A record as it would have been derived from a game in which these moves were played. */
export function playedGame(
  moves: readonly string[],
  options: {
    start?: string;
    variant?: Variant;
    result?: GameResult;
    clocks?: readonly (number | undefined)[];
    states?: readonly PlyState[];
  } = {},
): GameRecord {
  const variant = options.variant ?? 'standard';
  const start = options.start ?? START_FEN;
  const record = createGameRecord({
    type: 'gameStarted',
    atMs: 0,
    game: 1,
    variant,
    start,
    orientation: 'normal',
  });
  const first = Position.fromFen(start, variant);
  if (!first.ok) throw new Error(first.fault.message);
  let position = first.value;
  moves.forEach((text, i) => {
    const state = options.states?.[i] ?? 'settled';
    const clockMs = options.clocks?.[i];
    const times = {
      madeAtMs: i * 1000,
      completedAtMs: i * 1000 + 500,
      ...(clockMs !== undefined && { clockMs }),
    };
    const move = position.parseSan(text) ?? position.parseUci(text);
    if (move === undefined) {
      record.plies.push({ san: text, uci: text.slice(1), state, ...times });
      return;
    }
    const san = position.san(move);
    const uci = position.uci(move);
    position = position.play(move);
    record.plies.push({ san, uci, state, ...times });
  });
  record.result = options.result ?? '*';
  record.ended = record.result !== '*';
  return record;
}
