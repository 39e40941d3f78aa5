/** Games as the documents of LiveChessCloud tell them (livechess.md 3.4 and 4). */
import type { GameRecord } from '../../core/game-record.ts';
import type { PgnHeaders } from '../pgn/writer.ts';
import { writtenPlies } from '../pgn/written-plies.ts';
import type { PublicEvent, PublicPlayer } from './public-event.ts';
import { isOver } from './release.ts';
import { type ShownGame, shownRecord, wallMsOf } from './shown-game.ts';

/** The clock of a board as LiveChess tells it (livechess.md 1.5): seconds, who runs, and when that was read. */
export interface ClockJson {
  readonly white: number;
  readonly black: number;
  /** True while White's time runs, false while Black's does, null while neither does. */
  readonly run: boolean | null;
  /** When this was so, ms since 1970. */
  readonly time: number;
}

/** `game-M.json` (4.4). */
export interface GameJson {
  readonly live: boolean;
  readonly serialNr: string | null;
  readonly firstMove: number | null;
  readonly chess960: number;
  readonly result: 'WHITEWIN' | 'BLACKWIN' | 'DRAW' | null;
  readonly comment: string | null;
  readonly clock: ClockJson | null;
  readonly moves: readonly string[];
}

export interface PlayerJson {
  readonly fname: string | null;
  readonly mname: string | null;
  readonly lname: string | null;
  readonly title: string | null;
  readonly federation: string | null;
  readonly gender: string | null;
  readonly fideid: number | null;
}

/** `round-N/index.json` (4.3). */
export interface RoundJson {
  readonly date: string | null;
  readonly pairings: readonly {
    readonly white: PlayerJson | null;
    readonly black: PlayerJson | null;
    readonly result: string;
    readonly live: boolean;
  }[];
}

/** `tournament.json` (4.2). */
export interface TournamentJson {
  readonly id: string;
  readonly name: string;
  readonly location: string | null;
  readonly country: string | null;
  readonly website: string | null;
  readonly rules: 'STANDARD';
  readonly chess960: 'STANDARD' | 'ANY';
  readonly timecontrol: string | null;
  readonly rounds: readonly { readonly count: number; readonly live: number }[];
  readonly eboards: readonly string[];
}

const RESULTS = { '1-0': 'WHITEWIN', '0-1': 'BLACKWIN', '1/2-1/2': 'DRAW', '*': null } as const;

/** Number of the standard start position, which LiveChess writes for ordinary chess too. */
const STANDARD_NUMBER = 518;
/** Pairs of squares among five for the knights, in the order of Scharnagl's numbers. */
const KNIGHT_PAIRS = ['01', '02', '03', '04', '12', '13', '14', '23', '24', '34'];

/** Number of a Chess960 start position by its FEN, 0 to 959; that of the standard one when it is none. */
export function chess960Number(fen: string): number {
  const rank = (fen.split(' ')[0] ?? '').split('/').at(-1) ?? '';
  if (!/^[KQRBN]{8}$/.test(rank)) return STANDARD_NUMBER;
  const bishops = [0, 1, 2, 3, 4, 5, 6, 7].filter((file) => rank[file] === 'B');
  const light = bishops.find((file) => file % 2 === 1);
  const dark = bishops.find((file) => file % 2 === 0);
  const others = rank.replaceAll('B', '');
  const queen = others.indexOf('Q');
  const five = others.replace('Q', '');
  const knights = KNIGHT_PAIRS.indexOf(`${five.indexOf('N')}${five.lastIndexOf('N')}`);
  if (light === undefined || dark === undefined || queen < 0 || knights < 0) return STANDARD_NUMBER;
  return (light - 1) / 2 + 4 * (dark / 2) + 16 * queen + 96 * knights;
}

/** A serial number as LiveChess names boards by it: the digits that the board gives. */
export const serialOf = (board: string): string => board.replace(/^[a-z0-9]+-/, '');

const isLive = (shown: ShownGame): boolean => shown.release !== undefined && !isOver(shown.release.record);

/** Writes a game as `game-M.json`. */
export function makeGameJson(shown: ShownGame, delayMs: number): GameJson {
  const { recorded, release } = shown;
  const record = shownRecord(shown);
  const first = record.plies[0];
  return {
    live: isLive(shown),
    serialNr: recorded === undefined ? null : serialOf(recorded.board),
    firstMove:
      recorded === undefined || first === undefined ? null : wallMsOf(recorded, first.madeAtMs) + delayMs,
    chess960: record.variant === 'chess960' ? chess960Number(record.start) : STANDARD_NUMBER,
    result: RESULTS[record.result],
    comment: record.score ?? null,
    clock: recorded === undefined || release === undefined || isOver(record) ? null : makeClockJson(shown),
    moves: makeMoves(record),
  };
}

const seconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000));

/** The clock after the last ply that is shown, at the moment at which it could be: a delay shifts both alike. */
function makeClockJson({ recorded, release }: ShownGame): ClockJson | null {
  const { record, clockAtMs } = release!;
  const times = { white: undefined as number | undefined, black: undefined as number | undefined };
  const { plies } = writtenPlies(record);
  for (const { side, ply } of plies) {
    if (ply.clockMs !== undefined && ply.completedAtMs !== undefined) times[side] = ply.clockMs;
  }
  const { white, black } = times;
  if (white === undefined || black === undefined || clockAtMs === undefined) return null;
  // Without a press after the last ply nobody can say whose time runs.
  const last = plies.at(-1)!;
  const run = last.ply.completedAtMs === undefined ? null : last.side === 'black';
  return { white: seconds(white), black: seconds(black), run, time: wallMsOf(recorded!, clockAtMs) };
}

/** Moves in the grammar of 4.4: `SAN`, `SAN clk`, `SAN clk+emt`, `SAN +emt`, seconds. */
function makeMoves(record: GameRecord): string[] {
  return writtenPlies(record).plies.map(({ ply, san, spentMs }) => {
    const { completedAtMs, clockMs } = ply;
    const clk = clockMs === undefined || completedAtMs === undefined ? '' : String(seconds(clockMs));
    const emt = spentMs === undefined ? '' : `+${seconds(spentMs)}`;
    return clk === '' && emt === '' ? san : `${san} ${clk}${emt}`;
  });
}

/** Writes one player; null when nobody is known. */
export function makePlayerJson(
  tags: PgnHeaders,
  side: 'White' | 'Black',
  player: PublicPlayer = {},
): PlayerJson | null {
  const name = tags[side]?.trim() ?? '';
  if (name === '' || name === '?') return null;
  const [last, rest] = name.split(/,\s*/, 2) as [string, string?];
  const [fname, ...middle] = (rest ?? '').split(/\s+/);
  const fideId = Number(tags[`${side}FideId`]);
  const title = tags[`${side}Title`];
  return {
    fname: fname === '' || fname === undefined ? null : fname,
    mname: middle.length === 0 ? null : middle.join(' '),
    lname: last,
    title: title === undefined || title === '' || title === '-' ? null : title,
    federation: player.federation ?? null,
    gender: player.gender === undefined ? null : player.gender === 'm' ? 'MALE' : 'FEMALE',
    fideid: Number.isInteger(fideId) && fideId > 0 ? fideId : null,
  };
}

/** Writes the games of a round, in the order of their boards. */
export const makeRoundJson = (games: readonly ShownGame[], date?: string): RoundJson => ({
  date: date ?? null,
  pairings: games.map((shown) => ({
    white: makePlayerJson(shown.game.tags, 'White', shown.game.white),
    black: makePlayerJson(shown.game.tags, 'Black', shown.game.black),
    result: shownRecord(shown).result,
    live: isLive(shown),
  })),
});

/** Writes the event with the games of all rounds. */
export function makeTournamentJson(event: PublicEvent, games: readonly ShownGame[]): TournamentJson {
  const count = Math.max(event.rounds, ...games.map(({ game }) => game.round), 0);
  const rounds = Array.from({ length: count }, (_, i) => games.filter(({ game }) => game.round === i + 1));
  const isFree = games.some(({ recorded }) => recorded?.record.variant === 'chess960');
  const boards = games.flatMap(({ recorded }) => (recorded === undefined ? [] : [serialOf(recorded.board)]));
  return {
    id: event.id,
    name: event.name,
    location: event.location ?? null,
    country: event.country ?? null,
    website: event.website ?? null,
    rules: 'STANDARD',
    chess960: isFree ? 'ANY' : 'STANDARD',
    timecontrol: event.timeControl ?? null,
    rounds: rounds.map((round) => ({ count: round.length, live: round.filter(isLive).length })),
    eboards: [...new Set(boards)].sort(),
  };
}
