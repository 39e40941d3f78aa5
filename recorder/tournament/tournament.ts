/**
 * A tournament as it stands: event, rounds, players, pairings, and what belongs to a pairing: the electronic board at its table, the
 * games that were recorded there, results by where they come from. A game is known by its pairing, never by its place in a file.
 */
import { isTokenless, type Score, type Termination } from '../../core/laws/endings.ts';

/** What is said of the event; everything may be unknown. */
export interface EventFacts {
  readonly name?: string;
  readonly site?: string;
  readonly federation?: string;
  /** ISO dates, `2026-11-30`; parts that are unknown are missing. */
  readonly startDate?: string;
  readonly endDate?: string;
  readonly arbiter?: string;
  /** In PGN's grammar. */
  readonly timeControl?: string;
  /** Number of rounds. */
  readonly rounds?: number;
}
export const EVENT_FIELDS = [
  'name',
  'site',
  'federation',
  'startDate',
  'endDate',
  'arbiter',
  'timeControl',
  'rounds',
] as const satisfies readonly (keyof EventFacts)[];

/** What is said of a player. */
export interface PlayerFacts {
  /** Group or section; '' where there is one only. */
  readonly section: string;
  /** `Last, First` as it was given. */
  readonly name: string;
  /** Starting rank in the section. */
  readonly number?: number;
  readonly fideId?: number;
  readonly title?: string;
  readonly rating?: number;
  readonly federation?: string;
  readonly team?: string;
  readonly sex?: string;
  readonly birth?: string;
  readonly nationalId?: string;
  readonly nationalRating?: number;
}
export const PLAYER_FIELDS = [
  'section',
  'name',
  'number',
  'fideId',
  'title',
  'rating',
  'federation',
  'team',
  'sex',
  'birth',
  'nationalId',
  'nationalRating',
] as const satisfies readonly (keyof PlayerFacts)[];

export interface Player extends PlayerFacts {
  readonly id: number;
}

export interface Round {
  readonly section: string;
  readonly number: number;
  /** ISO date. */
  readonly date?: string;
}

/** Where a result comes from, the one that outweighs the others first. `file`: what a pairing program exported. */
export const RESULT_SOURCES = ['desk', 'file', 'board', 'clock', 'inference'] as const;
export type ResultSource = (typeof RESULT_SOURCES)[number];

/** A result as one source has it. */
export interface SourcedResult {
  readonly source: ResultSource;
  readonly score: Score;
  /** Somebody did not play. */
  readonly forfeit: boolean;
  readonly termination?: Termination;
  /** When it was said or seen, for people; absent where it is not known. */
  readonly wallMs?: number;
  readonly by?: string;
}

/** A recorded game that was begun at the table of a pairing. */
export interface LinkedGame {
  /** Number of the game in the store. */
  readonly game: number;
  readonly board: string;
  readonly startedWallMs: number;
  readonly plies: number;
  readonly hasResult: boolean;
  /** It goes on where another ended: the table got another electronic board. */
  readonly after?: number;
  /** Somebody at the desk says that this is the game. */
  readonly chosen: boolean;
}

export interface Pairing {
  readonly id: number;
  /** Unique in the world and the same for ever: the GameId tag of its game. */
  readonly token: string;
  readonly section: string;
  readonly round: number;
  /** Which of several games of the same two players in the round. */
  readonly leg: number;
  /** Number of the table; not every source has one. */
  readonly board?: number;
  /** Place among the pairings of the round, where there are no numbers of tables. */
  readonly place: number;
  readonly white?: Player;
  readonly black?: Player;
  /** It is in no list any more; its games stay. */
  readonly withdrawn: boolean;
  /** Key of the electronic board at the table now. */
  readonly eboard?: string;
  /** The electronic board it had last, when it has none now. */
  readonly lastEboard?: string;
  readonly games: readonly LinkedGame[];
  /** What each source says, at most one of each. */
  readonly results: readonly SourcedResult[];
}

export interface Tournament {
  /** Grows with every change that somebody makes. */
  readonly revision: number;
  readonly event: EventFacts;
  readonly rounds: readonly Round[];
  readonly players: readonly Player[];
  /** By section, round, table and place. */
  readonly pairings: readonly Pairing[];
}

/** What is wrong with a pairing and needs somebody. */
export type Conflict =
  /** Sources disagree; what stands is the first. */
  | { readonly type: 'results'; readonly pairing: Pairing; readonly results: readonly SourcedResult[] }
  /** Several games were recorded at its table; the first stands. */
  | { readonly type: 'games'; readonly pairing: Pairing; readonly games: readonly number[] }
  /** It is in no list any more and has a game. */
  | { readonly type: 'withdrawn'; readonly pairing: Pairing };

/** The result that stands: that of the weightiest source which has one; undefined when nobody has. */
export const standingResult = ({ results }: Pick<Pairing, 'results'>): SourcedResult | undefined =>
  RESULT_SOURCES.map((source) => results.find((one) => one.source === source && one.score !== '*')).find(
    (one) => one !== undefined,
  );

/** The token of PGN for a result; `*` for what it has none for. */
export const pgnResult = (result: SourcedResult | undefined): '1-0' | '0-1' | '1/2-1/2' | '*' =>
  result === undefined || isTokenless(result.score) ? '*' : result.score;

/** A game that has so many plies is one that was played. */
const REAL_PLIES = 4;
/** Up to here a game that has no result may have been begun anew (7.2.1, 7.3: before ten moves each). */
const RESTART_PLIES = 20;

/**
 * The recorded games that are the game of a pairing, in their order: the one that counts and those that go on where it was left on
 * another electronic board. What somebody has chosen counts; else the first that was really played, unless it broke off early
 * and a longer one followed. Pieces set up again after the game are no game of the pairing.
 */
export function gamesThatCount({ games }: Pick<Pairing, 'games'>): LinkedGame[] {
  const first =
    games.find(({ chosen }) => chosen) ?? beginning(games.filter(({ after }) => after === undefined));
  if (first === undefined) return [];
  const line = [first];
  for (let next = following(games, first); next !== undefined; next = following(games, line.at(-1)!))
    line.push(next);
  return line;
}

function beginning(games: readonly LinkedGame[]): LinkedGame | undefined {
  let best: LinkedGame | undefined;
  for (const game of games) {
    if (best === undefined || !isReal(best))
      best = game.plies > 0 || best === undefined || best.plies === 0 ? game : best;
    else if (!best.hasResult && best.plies < RESTART_PLIES && game.plies > best.plies) best = game;
  }
  return best;
}

const isReal = ({ plies, hasResult }: LinkedGame): boolean => hasResult || plies >= REAL_PLIES;

const following = (games: readonly LinkedGame[], { game }: LinkedGame): LinkedGame | undefined =>
  games.findLast(({ after }) => after === game);

/** Whether nothing more is expected at the table of a pairing. */
export const isFinished = (pairing: Pairing): boolean => standingResult(pairing) !== undefined;

/** What needs somebody, by pairing. */
export function conflictsOf({ pairings }: Pick<Tournament, 'pairings'>): Conflict[] {
  return pairings.flatMap((pairing): Conflict[] => {
    const conflicts: Conflict[] = [];
    const said = RESULT_SOURCES.flatMap((source) =>
      pairing.results.filter((result) => result.source === source && result.score !== '*'),
    );
    if (new Set(said.map(({ score }) => score)).size > 1)
      conflicts.push({ type: 'results', pairing, results: said });
    const line = gamesThatCount(pairing);
    const others = pairing.games.filter((game) => isReal(game) && !line.includes(game));
    const isDecided = pairing.games.some(({ chosen }) => chosen);
    // A game after one that has a result is no question.
    if (!isDecided && others.length > 0 && line[0]?.hasResult !== true)
      conflicts.push({ type: 'games', pairing, games: [...line, ...others].map(({ game }) => game) });
    if (pairing.withdrawn && line.some(isReal)) conflicts.push({ type: 'withdrawn', pairing });
    return conflicts;
  });
}

/** The order in which pairings are told: by section, round, table, place. */
export const comparePairings = (a: Pairing, b: Pairing): number =>
  a.section.localeCompare(b.section) ||
  a.round - b.round ||
  (a.board ?? Number.MAX_SAFE_INTEGER) - (b.board ?? Number.MAX_SAFE_INTEGER) ||
  a.place - b.place ||
  a.id - b.id;

/** The round that is played: the last one whose tables have electronic boards, else the first that has something to be played. */
export function currentRound(tournament: Tournament, section?: string): number | undefined {
  const own = tournament.pairings.filter(
    (pairing) => !pairing.withdrawn && (section === undefined || pairing.section === section),
  );
  const assigned = own.filter(({ eboard }) => eboard !== undefined).map(({ round }) => round);
  if (assigned.length > 0) return Math.max(...assigned);
  const open = own
    .filter((pairing) => pairing.black !== undefined && !isFinished(pairing))
    .map(({ round }) => round);
  if (open.length > 0) return Math.min(...open);
  return own.length > 0 ? Math.max(...own.map(({ round }) => round)) : undefined;
}
