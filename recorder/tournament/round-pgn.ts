import { createEmptyRecord, type GameRecord } from '../../core/game-record.ts';
import { isTokenless } from '../../core/laws/endings.ts';
import { publishPgn } from '../publish/published-pgn.ts';
import type { StoreReader } from '../store/store.ts';
import { makeGameTags } from './game-tags.ts';
import { readPairedGame } from './join-games.ts';
import { type Pairing, pgnResult, standingResult, type Tournament } from './tournament.ts';

/** The game of a table as PGN, with the tags of its pairing and the result that stands; tags only before it has begun. */
function makePairingPgn(
  store: Pick<StoreReader, 'games' | 'times'>,
  tournament: Tournament,
  pairing: Pairing,
): string {
  const played = readPairedGame(store, pairing);
  const date = tournament.rounds.find(
    ({ section, number }) => section === pairing.section && number === pairing.round,
  )?.date;
  const result = standingResult(pairing);
  const record: GameRecord = { ...(played?.record ?? createEmptyRecord()) };
  const score = record.score ?? record.result;
  if (result !== undefined && result.score !== score) {
    record.result = pgnResult(result);
    // How the board saw it end is not how it ended.
    record.score = isTokenless(result.score) ? result.score : undefined;
    record.reason = result.termination ?? (record.score === undefined ? undefined : 'unknown');
  }
  return publishPgn(record, {
    token: pairing.token,
    ...(played !== undefined && { startedWallMs: played.startedWallMs }),
    tags: { ...played?.tags, ...makeGameTags(tournament.event, pairing, date) },
  });
}

/** A game of each table of a round, in the order of the tables. */
export const makeRoundPgn = (
  store: Pick<StoreReader, 'games' | 'times'>,
  tournament: Tournament,
  round: number,
  section?: string,
): { readonly pairing: Pairing; readonly pgn: string }[] =>
  tournament.pairings
    .filter(
      (pairing) =>
        pairing.round === round &&
        (section === undefined || pairing.section === section) &&
        !pairing.withdrawn &&
        pairing.white !== undefined &&
        pairing.black !== undefined,
    )
    .map((pairing) => ({ pairing, pgn: makePairingPgn(store, tournament, pairing) }));
