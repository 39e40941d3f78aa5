/** What people and files change in a tournament; each change is logged with who and when, and nothing is deleted. */
import type { Score, Termination } from '../../core/laws/endings.ts';
import type { EventFacts, PlayerFacts, ResultSource } from './tournament.ts';

/** A player who is there already, or one who is added by an earlier change of the same list. */
export type PlayerRef = { readonly id: number } | { readonly key: string };
/** The same of a pairing. */
export type PairingRef = PlayerRef;

/** Where a pairing stands and who plays. */
export interface PairingFacts {
  readonly section: string;
  readonly round: number;
  readonly leg: number;
  readonly board?: number;
  readonly place: number;
  readonly white?: PlayerRef;
  readonly black?: PlayerRef;
}

/** The point at which a game goes on at another electronic board. */
export interface Continuation {
  /** Number in the store of the game that goes on. */
  readonly game: number;
  /** FEN of the position from which it does. */
  readonly start: string;
}

export type TournamentChange =
  /** Of the event; a fact that is left out stays. */
  | { readonly type: 'event'; readonly facts: EventFacts }
  | { readonly type: 'round'; readonly section: string; readonly number: number; readonly date: string }
  | { readonly type: 'player-added'; readonly key: string; readonly facts: PlayerFacts }
  /** All that is known of the player from now on. */
  | {
      readonly type: 'player-changed';
      readonly id: number;
      readonly facts: PlayerFacts;
      readonly before: PlayerFacts;
    }
  | { readonly type: 'pairing-added'; readonly key: string; readonly facts: PairingFacts }
  | {
      readonly type: 'pairing-changed';
      readonly id: number;
      readonly facts: PairingFacts;
      readonly before: PairingFacts;
    }
  | { readonly type: 'pairing-withdrawn' | 'pairing-restored'; readonly id: number }
  | {
      readonly type: 'result';
      readonly pairing: PairingRef;
      readonly source: ResultSource;
      /** `*` takes back what this source has said. */
      readonly score: Score;
      readonly forfeit: boolean;
      readonly termination?: Termination;
    }
  /**
   * An electronic board stands at the table of a pairing from now on, and nowhere else. `takesGames`: what was recorded on it since it
   * was last assigned is that of this pairing.
   */
  | {
      readonly type: 'assigned';
      readonly pairing: PairingRef;
      readonly eboard: string;
      readonly takesGames: boolean;
      readonly goesOn?: Continuation;
    }
  | { readonly type: 'unassigned'; readonly eboard: string }
  /** This of the recorded games is the game of the pairing. */
  | { readonly type: 'game-chosen'; readonly pairing: number; readonly game: number };
