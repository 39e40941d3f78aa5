/** What passes between server and page for tables, boards and outputs, as JSON. */
import type { BoardHealth, PortHealth } from './desk-api.ts';

/** One table of a round. */
export interface SetupTable {
  /** Number of the pairing. */
  readonly pairing: number;
  readonly section: string;
  readonly round: number;
  readonly table?: number;
  readonly white?: string;
  readonly black?: string;
  /** Key of the electronic board that stands there. */
  readonly eboard?: string;
  /** The result that stands. */
  readonly result?: string;
  /** Number in the store of the game that counts. */
  readonly game?: number;
}

/** The tournament as the setup page shows it: one round of it. */
export interface SetupTournament {
  readonly revision: number;
  readonly name?: string;
  /** The round that is shown; absent without pairings. */
  readonly round?: number;
  readonly rounds: readonly number[];
  readonly tables: readonly SetupTable[];
}

/** What is withheld besides single games. */
export interface SetupHold {
  /** Absent for everything. */
  readonly board?: string;
  readonly sinceMs: number;
  readonly by: string;
}

/** One output. */
export interface SetupOutput {
  readonly name: string;
  readonly type: string;
  readonly isEnabled: boolean;
  readonly delaySeconds: number;
  readonly delayPlies: number;
  readonly sent: number;
  readonly lastSentAtMs?: number;
  readonly lastTarget?: string;
  readonly fault?: {
    readonly code: string;
    readonly message: string;
    readonly cure: string;
    readonly isLost: boolean;
  };
}

export interface Setup {
  readonly boards: readonly BoardHealth[];
  readonly ports: readonly PortHealth[];
  /** Absent where the desk knows of no outputs. */
  readonly outputs?: readonly SetupOutput[];
  readonly holds: readonly SetupHold[];
  /** Absent where there is no tournament to be changed. */
  readonly tournament?: SetupTournament;
  /** Boards that are simulated: their pieces are moved by a button. */
  readonly simulated: readonly string[];
}

/** Kinds of changes of a tournament. */
export const CHANGE_TYPES = [
  'event',
  'round',
  'player-added',
  'player-changed',
  'pairing-added',
  'pairing-changed',
  'pairing-withdrawn',
  'pairing-restored',
  'result',
  'assigned',
  'unassigned',
  'game-chosen',
] as const;

/** One thing that changes, told by what it is about; words are the page's. */
export interface ChangeLine {
  readonly type: (typeof CHANGE_TYPES)[number];
  /** A player, a pairing, a board. */
  readonly about: string;
  readonly was?: string;
  readonly is?: string;
  /** FEN of the position that must be set up on a board before the game goes on there. */
  readonly setUp?: string;
}

/** What is to be put on tables, or what was. */
export interface ChangePreview {
  /** The tournament as it was looked at: sent back when the changes are to be made. */
  readonly revision: number;
  readonly isMade: boolean;
  readonly lines: readonly ChangeLine[];
  readonly warnings: readonly { readonly line?: number; readonly message: string }[];
  /** Of a list of pairings. */
  readonly read?: {
    readonly kind: string;
    readonly encoding: string;
    readonly players: number;
    readonly pairings: number;
  };
}
