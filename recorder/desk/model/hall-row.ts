/** One board as the hall shows it: what the server tells and the page draws. Texts are codes; words are the page's. */
import type { Severity } from '../../../core/flag.ts';
import type { GameResult, Orientation, ResultReason, TokenlessScore } from '../../../core/game-event.ts';
import type { Side, Square } from '../../../core/square.ts';
import type { LinkState } from '../../../driver/connection.ts';
import type { EntryContent } from '../../entry.ts';

/** How a game stands, in one word. */
export const GAME_STATES = ['waiting', 'ready', 'playing', 'moving', 'doubt', 'ended'] as const;
export type GameState = (typeof GAME_STATES)[number];

/** What can be done about something that needs attention. */
export const RESOLUTIONS = [
  'accept',
  'replace',
  'cut',
  'resynchronise',
  'confirm',
  'dismiss',
  'acknowledge',
  'register',
  'decide-result',
  'claim',
  'open',
] as const;
export type ResolutionName = (typeof RESOLUTIONS)[number];

export interface Resolution {
  readonly name: ResolutionName;
  /** What is entered at once; absent where somebody has to look or choose first. */
  readonly what?: EntryContent;
  /** The moves this stores, SAN. */
  readonly moves?: readonly string[];
}

/** Something that somebody should look at. */
export interface Attention {
  /** The same for as long as it is the same thing. */
  readonly key: string;
  /** Number of the game in the store; absent for what is about the board alone. */
  readonly game?: number;
  /** A flag with its value (`AMBIGUOUS(2)`), or the code of a fault. */
  readonly code: string;
  readonly severity: Severity;
  readonly ply: number;
  /** Wall clock, ms. */
  readonly sinceMs: number;
  /** Article it touches; empty where none does. */
  readonly article: string;
  readonly detail?: string;
  /** The first is what most would do. */
  readonly resolutions: readonly Resolution[];
}

/** All there is to say of a board; what is not known is absent. */
export interface HallRow {
  readonly board: string;
  /** Kind of board: "dgt". */
  readonly kind: string;
  readonly link: LinkState;
  /** Since when the link is as it is; wall clock, ms. */
  readonly linkSinceMs: number;
  /** Why the link is not up: code of a fault. */
  readonly fault?: string;
  readonly batteryPercent?: number;
  /** Number of the game in the store. */
  readonly game?: number;
  /** Changes with everything that is recorded of the game. */
  readonly revision?: number;
  /** Last entry about the game; 0 before the first. */
  readonly lastEntry?: number;
  readonly event?: string;
  readonly round?: string;
  readonly table?: string;
  readonly white?: string;
  readonly black?: string;
  /** FEN placement after the last recorded ply. */
  readonly recorded?: string;
  /** FEN placement as sensed, "?" for what is not known. */
  readonly sensed?: string;
  readonly differing?: readonly Square[];
  readonly turn?: Side;
  readonly plies?: number;
  readonly lastSan?: string;
  /** Move number and dots before `lastSan`: "12...". */
  readonly lastNumber?: string;
  readonly lastUci?: string;
  readonly state: GameState;
  readonly result?: GameResult;
  readonly score?: TokenlessScore;
  readonly reason?: ResultReason;
  readonly orientation?: Orientation;
  /** The game is withheld from the world by itself. */
  readonly isHeld?: boolean;
  /** It is withheld with all games of its board, or with everything. */
  readonly heldWith?: 'board' | 'all';
  readonly areClocksStopped?: boolean;
  readonly whiteMs?: number;
  readonly blackMs?: number;
  readonly running?: Side;
  /** When the clocks showed that; wall clock, ms. */
  readonly clockAtMs?: number;
  readonly attention: readonly Attention[];
}

/** What is new of a row: fields that have another value, and fields that have none any more. */
export interface RowChange {
  readonly board: string;
  readonly set?: Partial<HallRow>;
  readonly unset?: readonly (keyof HallRow)[];
}

/** What has changed from one state of a row to the next; undefined when nothing has. */
export function changeOf(before: HallRow, after: HallRow): RowChange | undefined {
  const set: Record<string, unknown> = {};
  const unset: (keyof HallRow)[] = [];
  for (const name of Object.keys(before) as (keyof HallRow)[])
    if (after[name] === undefined) unset.push(name);
  for (const name of Object.keys(after) as (keyof HallRow)[]) {
    const value = after[name];
    if (value !== undefined && !isSame(value, before[name])) set[name] = value;
  }
  const isChanged = Object.keys(set).length > 0;
  if (!isChanged && unset.length === 0) return undefined;
  return {
    board: after.board,
    ...(isChanged && { set }),
    ...(unset.length > 0 && { unset }),
  };
}

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** The row after a change. */
export function applyChange(row: HallRow, { set, unset = [] }: RowChange): HallRow {
  const after: Record<string, unknown> = { ...row, ...set };
  for (const name of unset) delete after[name];
  return after as unknown as HallRow;
}
