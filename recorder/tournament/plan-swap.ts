/** A table gets another electronic board in mid-game. */
import type { GameRecord } from '../../core/game-record.ts';
import { Position } from '../../core/position.ts';
import { playRecorded } from '../../core/recorded-ply.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import type { Continuation, TournamentChange } from './change.ts';
import { gamesThatCount, isFinished, type Pairing, type Tournament } from './tournament.ts';

/** The position in which a game stands, by what is certain of it. */
function standOf(record: GameRecord): string | undefined {
  const start = Position.fromFen(record.start, record.variant);
  if (!start.ok) return undefined;
  let position = start.value;
  for (const ply of record.plies) {
    if (ply.state !== 'confirmed' && ply.state !== 'settled') break;
    const played = playRecorded(position, ply.san);
    if (played === undefined) return undefined;
    position = played.after;
  }
  return position.fen();
}

/**
 * Plans that the game of a pairing goes on at another electronic board, from the position that is certain. Where that board stands at a
 * table with a running game, the two tables exchange theirs. Fails when there is nothing to exchange.
 */
export function planSwap(
  tournament: Tournament,
  pairing: Pairing,
  eboard: string,
  recordOf: (game: number) => GameRecord | undefined,
): Result<TournamentChange[]> {
  if (pairing.eboard === eboard) return fail('ARGUMENT_INVALID', `${eboard} stands at this table already`);
  if (isFinished(pairing)) return fail('ARGUMENT_INVALID', 'the game at this table is over');
  const other = tournament.pairings.find((one) => one.eboard === eboard);
  const goesOn = (one: Pairing): { goesOn?: Continuation } => {
    const game = gamesThatCount(one).at(-1)?.game;
    const record = game === undefined ? undefined : recordOf(game);
    if (game === undefined || record === undefined || record.ended || record.plies.length === 0) return {};
    const start = standOf(record);
    return start === undefined ? {} : { goesOn: { game, start } };
  };
  const changes: TournamentChange[] = [
    { type: 'assigned', pairing: { id: pairing.id }, eboard, takesGames: false, ...goesOn(pairing) },
  ];
  if (other !== undefined && pairing.eboard !== undefined && !isFinished(other))
    changes.push({
      type: 'assigned',
      pairing: { id: other.id },
      eboard: pairing.eboard,
      takesGames: false,
      ...goesOn(other),
    });
  return ok(changes);
}
