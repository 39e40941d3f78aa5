/** One game that was played on several electronic boards, one after the other. */
import type { GameRecord } from '../../core/game-record.ts';
import { Position } from '../../core/position.ts';
import { playRecorded } from '../../core/recorded-ply.ts';
import type { GameTimes } from '../game-times.ts';
import type { StoredGame, StoreReader } from '../store/store.ts';
import { gamesThatCount, type Pairing } from './tournament.ts';

/** A record with the times from which on its parts were known. */
export interface TimedRecord {
  readonly record: GameRecord;
  readonly times: GameTimes;
}

/** A position without its counters: who sets one up by hand does not know them. */
const placeOf = (fen: string): string => fen.split(' ').slice(0, 4).join(' ');

/** After how many plies of a record a position stands; the last time it does. */
function pliesTo(record: GameRecord, fen: string): number | undefined {
  const start = Position.fromFen(record.start, record.variant);
  const goal = Position.fromFen(fen, record.variant);
  if (!start.ok || !goal.ok) return undefined;
  const wanted = placeOf(goal.value.fen());
  let position = start.value;
  let found = placeOf(position.fen()) === wanted ? 0 : undefined;
  for (const [i, ply] of record.plies.entries()) {
    const played = playRecorded(position, ply.san, ply.uci);
    if (played === undefined) break;
    position = played.after;
    if (placeOf(position.fen()) === wanted) found = i + 1;
  }
  return found;
}

const isCertain = ({ state }: GameRecord['plies'][number]): boolean =>
  state === 'confirmed' || state === 'settled';

/**
 * Joins parts of a game: what follows goes on behind the ply after which it begins. Plies of the part before that are behind that ply were
 * not played on; where the position does not occur any more (a correction), it goes on behind the last certain ply.
 */
export function joinGames(parts: readonly [TimedRecord, ...TimedRecord[]]): TimedRecord {
  const [first, ...others] = parts;
  return others.reduce<TimedRecord>((before, next) => {
    const certain = before.record.plies.findIndex((ply) => ply === undefined || !isCertain(ply));
    const kept =
      pliesTo(before.record, next.record.start) ?? (certain < 0 ? before.record.plies.length : certain);
    const shift = <At extends { readonly ply: number }>(about: At): At => ({
      ...about,
      ply: about.ply + kept,
    });
    return {
      record: {
        ...next.record,
        game: before.record.game,
        start: before.record.start,
        startedAtMs: before.record.startedAtMs,
        plies: [...before.record.plies.slice(0, kept), ...next.record.plies],
        flags: [...before.record.flags.filter(({ ply }) => ply <= kept), ...next.record.flags.map(shift)],
      },
      times: {
        certainSinceMs: [
          ...Array.from({ length: kept }, (_, i) => before.times.certainSinceMs[i]),
          ...next.times.certainSinceMs,
        ],
        resultSinceMs: next.times.resultSinceMs,
      },
    };
  }, first);
}

/** The recorded game of a pairing, joined from its parts, with what belongs to it; undefined when none was recorded. */
export function readPairedGame(
  store: Pick<StoreReader, 'games' | 'times'>,
  pairing: Pairing,
): (TimedRecord & Pick<StoredGame, 'board' | 'startedWallMs' | 'tags'>) | undefined {
  const parts = gamesThatCount(pairing).flatMap(({ game }) =>
    store.games({ id: game }).map((stored) => ({ stored, times: store.times(game) })),
  );
  const [first, ...others] = parts.map(
    ({ stored, times }): TimedRecord => ({ record: stored.record, times }),
  );
  if (first === undefined) return undefined;
  const { startedWallMs, tags } = parts[0]!.stored;
  return { ...joinGames([first, ...others]), board: parts.at(-1)!.stored.board, startedWallMs, tags };
}
