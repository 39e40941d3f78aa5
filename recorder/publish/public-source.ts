/** The event as publication takes it, made of the tournament and the games in the store. */
import { isTokenless } from '../../core/laws/endings.ts';
import type { Clock } from '../../driver/clock.ts';
import type { StoredGame, StoreReader } from '../store/store.ts';
import { makeGameTags } from '../tournament/game-tags.ts';
import { joinGames } from '../tournament/join-games.ts';
import {
  gamesThatCount,
  type Pairing,
  type Player,
  pgnResult,
  standingResult,
  type Tournament,
} from '../tournament/tournament.ts';
import type { PublicEvent, PublicGame, PublicPlayer, RecordedGame } from './public-event.ts';

/** The games of one section, with those that are recorded. */
export interface PublicSection {
  /** '' where there is one only. */
  readonly section: string;
  readonly event: PublicEvent;
  readonly recorded: readonly RecordedGame[];
}

/** Without a tournament, games that began less long ago belong together, ms. */
const RECENT_MS = 12 * 3_600_000;

export interface PublicSource {
  /** How everything stands; games that have not changed since are not read again. */
  sections(tournament: Tournament): PublicSection[];
  /** A game is another one: it is read again when it is asked for. */
  changed(game: number): void;
}

const playerOf = (player: Player | undefined): PublicPlayer => ({
  ...(player?.federation !== undefined && { federation: player.federation }),
  ...(player?.sex !== undefined && { gender: /^[fw]/i.test(player.sex) ? 'w' : 'm' }),
});

/** A name for a folder, of letters, digits and dashes; empty for an empty one. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');

/**
 * The place of each pairing of a round: the number of its table, or the next free one where it has none or another has the same.
 */
export function placePairings(pairings: readonly Pairing[]): Map<number, number> {
  const places = new Map<number, number>();
  const taken = new Set<number>();
  for (const { id, board } of pairings) {
    if (board === undefined || board < 1 || taken.has(board)) continue;
    taken.add(board);
    places.set(id, board);
  }
  let next = 1;
  for (const { id } of pairings) {
    if (places.has(id)) continue;
    while (taken.has(next)) next++;
    taken.add(next);
    places.set(id, next);
  }
  return places;
}

/** The record of a game that may have been played on several electronic boards. */
function joinParts(parts: readonly RecordedGame[]): RecordedGame | undefined {
  const [first, ...others] = parts;
  if (first === undefined) return undefined;
  const games = parts.flatMap((part) => part.games);
  return { ...first, ...joinGames([first, ...others]), games, board: parts.at(-1)!.board };
}

/** Creates the source of a store. `title` and `site` name the event where the tournament does not. */
export function createPublicSource(
  store: StoreReader,
  clock: Pick<Clock, 'wallMs' | 'monotonicMs'>,
): PublicSource {
  const cache = new Map<number, RecordedGame>();
  const beganMs = clock.wallMs();
  const moments = new Map<number, number>();
  /** When that was; found once, so that a clock that is set later makes nothing older than it is. */
  const atMsOf = (wallMs: number): number => {
    const known = moments.get(wallMs);
    if (known !== undefined) return known;
    const atMs = clock.monotonicMs() - Math.max(0, clock.wallMs() - wallMs);
    moments.set(wallMs, atMs);
    return atMs;
  };

  const read = (id: number, stored?: StoredGame): RecordedGame | undefined => {
    const known = cache.get(id);
    if (known !== undefined) return known;
    const game = stored ?? store.games({ id })[0];
    if (game === undefined) return undefined;
    const { token, board, startedWallMs, record } = game;
    const recorded = { token, games: [id], board, startedWallMs, record, times: store.times(id) };
    cache.set(id, recorded);
    return recorded;
  };

  /** What an arbiter or the pairing program has said of the result outweighs the record. */
  const withResult = (recorded: RecordedGame, pairing: Pairing): RecordedGame => {
    const standing = standingResult(pairing);
    if (standing === undefined || (standing.source !== 'desk' && standing.source !== 'file')) return recorded;
    const { record, times } = recorded;
    const score = isTokenless(standing.score) ? standing.score : undefined;
    if (record.result === pgnResult(standing) && record.score === score) return recorded;
    const sinceMs = standing.wallMs === undefined ? times.resultSinceMs : atMsOf(standing.wallMs);
    return {
      ...recorded,
      record: {
        ...record,
        result: pgnResult(standing),
        score,
        reason: standing.termination ?? 'unknown',
        ended: true,
      },
      times: { ...times, resultSinceMs: sinceMs ?? clock.monotonicMs() },
    };
  };

  const made = new Map<
    string,
    { parts: readonly RecordedGame[]; standing: string; recorded: RecordedGame | undefined }
  >();
  /** The record of a pairing: the same object while nothing of it has changed. */
  const recordOf = (pairing: Pairing): RecordedGame | undefined => {
    const { token } = pairing;
    const parts = gamesThatCount(pairing).flatMap(({ game }) => read(game) ?? []);
    const standing = JSON.stringify(standingResult(pairing)) ?? '';
    const known = made.get(token);
    if (
      known?.standing === standing &&
      known.parts.length === parts.length &&
      parts.every((part, i) => part === known.parts[i])
    )
      return known.recorded;
    const joined = joinParts(parts);
    const recorded = joined === undefined ? undefined : withResult({ ...joined, token }, pairing);
    made.set(token, { parts, standing, recorded });
    return recorded;
  };

  const gameOf = (
    tournament: Tournament,
    pairing: Pairing,
    board: number,
  ): { game: PublicGame; recorded: RecordedGame | undefined } => {
    const { round, section, token, white, black } = pairing;
    const date = tournament.rounds.find((one) => one.number === round && one.section === section)?.date;
    const standing = standingResult(pairing);
    const recorded = recordOf(pairing);
    const game: PublicGame = {
      token,
      round,
      board,
      tags: makeGameTags(tournament.event, pairing, date),
      white: playerOf(white),
      black: playerOf(black),
      ...(standing !== undefined && {
        result: pgnResult(standing),
        ...(isTokenless(standing.score) && { score: standing.score }),
        ...(standing.wallMs !== undefined && { resultSinceMs: atMsOf(standing.wallMs) }),
      }),
    };
    return { game, recorded };
  };

  const sectionOf = (tournament: Tournament, section: string): PublicSection => {
    const { event, rounds } = tournament;
    const own = tournament.pairings.filter((pairing) => pairing.section === section && !pairing.withdrawn);
    const games: PublicGame[] = [];
    const recorded: RecordedGame[] = [];
    for (const round of new Set(own.map((pairing) => pairing.round))) {
      // Who plays nobody has no game.
      const pairings = own.filter((pairing) => pairing.round === round && pairing.black !== undefined);
      const places = placePairings(pairings);
      for (const pairing of pairings) {
        const one = gameOf(tournament, pairing, places.get(pairing.id)!);
        games.push(one.game);
        if (one.recorded !== undefined) recorded.push(one.recorded);
      }
    }
    const name = [event.name ?? '', section].filter((part) => part !== '').join(' ');
    const dates = rounds.flatMap((round) =>
      round.section === section && round.date !== undefined ? [[round.number, round.date] as const] : [],
    );
    return {
      section,
      event: {
        id: slugOf(name) || 'event',
        name,
        ...(event.site !== undefined && { location: event.site }),
        ...(event.timeControl !== undefined && { timeControl: event.timeControl }),
        rounds: event.rounds ?? 0,
        dates: Object.fromEntries(dates),
        games,
      },
      recorded,
    };
  };

  /** Games of nobody's tournament: one round, each under its number in the database, which never changes. */
  const casual = (tournament: Tournament): PublicSection => {
    const { name, site, timeControl } = tournament.event;
    const stored = store.games({ sinceWallMs: beganMs - RECENT_MS });
    const recorded = stored.flatMap((game) => read(game.id, game) ?? []);
    const games = stored.map(
      ({ id, token, tags }): PublicGame => ({
        token,
        round: 1,
        board: id,
        tags: {
          ...(name !== undefined && { Event: name }),
          ...(site !== undefined && { Site: site }),
          ...(timeControl !== undefined && { TimeControl: timeControl }),
          ...tags,
        },
      }),
    );
    return {
      section: '',
      event: { id: slugOf(name ?? '') || 'games', name: name ?? 'Games', rounds: 1, games },
      recorded,
    };
  };

  return {
    changed: (game) => void cache.delete(game),
    sections(tournament) {
      const sections = new Set(
        tournament.pairings.filter(({ withdrawn }) => !withdrawn).map(({ section }) => section),
      );
      return sections.size === 0
        ? [casual(tournament)]
        : [...sections].map((section) => sectionOf(tournament, section));
    },
  };
}
