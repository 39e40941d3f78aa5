/** What passes between the desk's server and its page, as JSON: times are wall clock ms, texts are codes. */
import type { Severity } from '../../../core/flag.ts';
import type {
  GameResult,
  Orientation,
  PlyRecord,
  ResultReason,
  TokenlessScore,
  Variant,
} from '../../../core/game-event.ts';
import type { IrregularityState } from '../../../core/laws/irregularity.ts';
import type { IrregularityRef } from '../../../core/laws/irregularity-kind.ts';
import type { Penalty } from '../../../core/laws/penalty-ladder.ts';
import type { ClockFace } from '../../../core/sensor-event.ts';
import type { Square } from '../../../core/square.ts';
import type { LinkState } from '../../../driver/connection.ts';
import type { EntryContent } from '../../entry.ts';
import type { Attention, HallRow, RowChange } from './hall-row.ts';

/** From the least to the most: a viewer looks, an operator corrects the record, an arbiter decides. */
export const ROLES = ['viewer', 'operator', 'arbiter'] as const;
export type DeskRole = (typeof ROLES)[number];

/** Whether a role has the rights of another. */
export const hasRights = (role: DeskRole, needed: DeskRole): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(needed);

const BY_OPERATORS: readonly EntryContent['type'][] = [
  'correction',
  'acknowledge',
  'draw-offer',
  'draw-declined',
  'hold',
  'release',
];

/** Who may enter something of this kind, and take it back. */
export const roleFor = ({ type }: Pick<EntryContent, 'type'>): DeskRole =>
  BY_OPERATORS.includes(type) ? 'operator' : 'arbiter';

/** Who is asking. */
export interface SessionInfo {
  /** Absent when nobody is signed in. */
  readonly name?: string;
  readonly role?: DeskRole;
  /** There are no accounts: whoever reaches the desk decides, and signs with a name of their own. */
  readonly isOpen: boolean;
}

/** Everything, for a page that has just come or has slept. */
export interface LiveSnapshot {
  /** Rises with every message; those that follow count on from here. */
  readonly seq: number;
  /** Another start of the server has another one: what was seen before means nothing. */
  readonly boot: string;
  readonly nowMs: number;
  /** How many times faster than life the clocks run. */
  readonly speed: number;
  readonly rows: readonly HallRow[];
  readonly notices: readonly Notice[];
}

/** What has changed since the message before. */
export interface LiveChanges {
  readonly seq: number;
  readonly nowMs: number;
  readonly rows?: readonly RowChange[];
  readonly notices?: readonly Notice[];
}

/** Something the recorder or an output cannot do. */
export interface Notice {
  readonly code: string;
  readonly message: string;
  readonly cure: string;
  readonly atMs: number;
}

/** A ply as the game page shows it; its times are wall clock ms. */
export type DeskPly = PlyRecord;

export interface DeskFlag {
  readonly code: string;
  readonly severity: Severity;
  readonly ply: number;
  readonly atMs: number;
  readonly detail?: string;
}

export interface DeskEntry {
  readonly id: number;
  readonly atMs: number;
  readonly by: string;
  readonly what: EntryContent;
  readonly undone?: { readonly by: string; readonly atMs: number };
}

export interface DeskIrregularity extends IrregularityRef {
  readonly article: string;
  readonly atMs: number;
  readonly isCompleted: boolean;
  readonly state: IrregularityState;
  readonly by?: string;
  readonly penalty?: Penalty;
  /** FEN of the position to which the game goes back. */
  readonly before: string;
  readonly clocks?: { readonly whiteMs: number; readonly blackMs: number };
}

/** A game with everything that is known of it. */
export interface GameDetails {
  readonly game: number;
  readonly board: string;
  readonly revision: number;
  readonly lastEntry: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly start: string;
  readonly variant: Variant;
  readonly startedAtMs: number;
  readonly plies: readonly DeskPly[];
  readonly flags: readonly DeskFlag[];
  readonly entries: readonly DeskEntry[];
  readonly irregularities: readonly DeskIrregularity[];
  readonly attention: readonly Attention[];
  readonly result: GameResult;
  readonly score?: TokenlessScore;
  readonly reason?: ResultReason;
  readonly ended: boolean;
  readonly inSync: boolean;
  readonly orientation: Orientation;
  /** FEN placement as sensed. */
  readonly sensed: string;
  readonly whiteMs?: number;
  readonly blackMs?: number;
}

/** What somebody had seen of a game when they decided: if it has changed since, they are asked again. */
export interface Seen {
  /** `lastEntry` of what they saw. */
  readonly lastEntry: number;
  /** For a correction: SAN of all plies up to the last it replaces. */
  readonly plies?: readonly string[];
}

/** Body of a request to enter something. */
export interface EnterRequest {
  readonly what: EntryContent;
  readonly seen: Seen;
  /** Who signs; only where there are no accounts. */
  readonly by?: string;
}

export interface UndoRequest {
  readonly undoes: number;
  readonly seen: Seen;
  readonly by?: string;
}

/** What comes of an entry. */
export interface Consequences {
  /** The entry; absent while it is only foreseen. */
  readonly id?: number;
  /** With it another decision has lost its ground: why. */
  readonly falls?: string;
  readonly differences: readonly string[];
  readonly irregularities: readonly DeskIrregularity[];
  readonly proposals: readonly { readonly score: string; readonly termination: string }[];
  /** The game as it is then. */
  readonly after?: { readonly sans: readonly string[]; readonly result: string };
}

/** One thing that came from the board. */
export type TimelineEvent =
  | { readonly atMs: number; readonly type: 'square'; readonly square: Square; readonly cell: number }
  /** FEN placement. */
  | { readonly atMs: number; readonly type: 'dump'; readonly placement: string }
  /** What runs has changed; faces of the clock as seen from its front. */
  | {
      readonly atMs: number;
      readonly type: 'lever';
      readonly running?: ClockFace;
      readonly leftMs: number;
      readonly rightMs: number;
    }
  | { readonly atMs: number; readonly type: 'link'; readonly link: 'up' | 'lost' }
  | { readonly atMs: number; readonly type: 'discarded'; readonly count: number; readonly code: string };

/** What came from the board while a game was played, in order. */
export interface Timeline {
  readonly game: number;
  /** FEN placement before the first of the events. */
  readonly placement: string;
  readonly events: readonly TimelineEvent[];
  /** There was more than is told: the oldest are left out. */
  readonly isCut: boolean;
}

/** Lines that lead from the record to what stands on the board, SAN; the shortest first. */
export interface CatchUps {
  readonly lines: readonly (readonly string[])[];
  /** The search has ended before everything was tried. */
  readonly isCut: boolean;
}

/** One board as the setup page shows it. */
export interface BoardHealth {
  readonly board: string;
  readonly kind: string;
  readonly kindName: string;
  readonly address: string;
  readonly link: LinkState;
  readonly fault?: { readonly code: string; readonly message: string; readonly cure?: string };
  readonly serialNumber?: string;
  readonly firmware?: string;
  readonly model?: string;
  readonly clock?: string;
  readonly batteryPercent?: number;
  /** Messages of the board in the last minute. */
  readonly messagesPerMinute: number;
  /** Pieces of bytes that belonged to no message, since the start. */
  readonly discarded: number;
  /** Times the link was lost since the start. */
  readonly losses: number;
}

export interface PortHealth {
  readonly port: string;
  readonly address: string;
  readonly state: string;
  readonly board?: string;
  readonly fault?: { readonly code: string; readonly message: string };
}
