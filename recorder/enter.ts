/** Enters a decision or a correction about a game, alone with the database or beside the recorder that writes to it. */
import { BoardError, isBoardError } from '../core/board-error.ts';
import type { Irregularity } from '../core/laws/irregularity.ts';
import { askWinnability, DEFAULT_BUDGET, type Winnability } from '../core/laws/unwinnable/winnability.ts';
import { Position } from '../core/position.ts';
import type { Side } from '../core/square.ts';
import { compareRecords, type Difference } from './compare-records.ts';
import type { LawsNews } from './derive.ts';
import type { DerivedSitting } from './derive-sitting.ts';
import type { Entry, EntryContent, NewEntry } from './entry.ts';
import { openQuestions, SEARCHER } from './laws/open-questions.ts';
import { rederiveSitting } from './rederive.ts';
import type { Undo } from './store/entry-tables.ts';
import {
  type EntryStore,
  openEntryStore,
  openStore,
  openStoreReader,
  type Store,
  type StoredGame,
  type StoredSitting,
  type StoreReader,
} from './store/store.ts';

/** A game as it stands, with what was entered and what the Laws have to say about it. */
export interface GameAtDesk {
  readonly game: StoredGame;
  readonly sitting: StoredSitting;
  /** What was entered about this game, in the order in which it was. */
  readonly entries: readonly Entry[];
  /** All irregularities, each as it stands now. */
  readonly irregularities: readonly Irregularity[];
  /** Entries of which nothing has come. */
  readonly unheard: readonly Entry[];
  /** The sitting as derived now. */
  readonly derived: DerivedSitting;
}

/** What comes of an entry. */
export interface Foreseen {
  /** With an undo another decision has lost its ground: why nothing comes of that any more. */
  readonly falls?: string;
  /** How the games of the sitting differ from what is stored. */
  readonly differences: readonly Difference[];
  /** What the Laws have to say of the game that they did not say before: irregularities, proposals. */
  readonly news: readonly LawsNews[];
}

/** What came of an entry that was stored. */
export interface Entered extends Foreseen {
  readonly id: number;
  /** Whether the games in the database honour it already; else the recorder that is running will see to it. */
  readonly isHonoured: boolean;
}

/** The right to enter something about the games of a database, for as long as it is open. */
export interface Desk {
  /** Throws GAME_UNKNOWN, and BOARD_UNKNOWN for a game of a kind of board that this program does not know. */
  look(id: number): GameAtDesk;
  /** Throws DECISION_REFUSED, and stores nothing, when nothing would come of it. */
  enter(at: GameAtDesk, by: string, what: EntryContent): Entered;
  /** Takes an entry back; throws DECISION_UNKNOWN when it is none of this game or was undone before. */
  undo(at: GameAtDesk, by: string, id: number): Entered;
  /** What would come of an entry, or of taking one back: nothing is stored. Throws as `enter` and `undo` do. */
  foresee(at: GameAtDesk, what: EntryContent | { readonly undoes: number }): Foreseen;
  close(): void;
}

/** Looks at one game; throws GAME_UNKNOWN or BOARD_UNKNOWN. */
export function lookAtGame(store: StoreReader, id: number): GameAtDesk {
  const [game] = store.games({ id });
  const sitting = store.sittings().find((known) => known.id === game?.sittingId);
  if (game === undefined || sitting === undefined)
    throw new BoardError('GAME_UNKNOWN', { game: id, file: store.file });
  const derived = derive(store, sitting);
  const number = game.record.game;
  return {
    game,
    sitting,
    entries: derived.entered.entries.filter((entry) => entry.game === number),
    irregularities: irregularitiesOf(derived, number),
    unheard: derived.unheard.filter((entry) => entry.game === number),
    derived,
  };
}

function derive(store: StoreReader, sitting: StoredSitting): DerivedSitting {
  const derived = rederiveSitting(store, sitting);
  if (derived === undefined) throw new BoardError('BOARD_UNKNOWN', { board: sitting.kind });
  return derived;
}

const newsOf = ({ news }: DerivedSitting, game: number): LawsNews[] =>
  news.flatMap((item) => (item.game === game ? [item.news] : []));

function irregularitiesOf(derived: DerivedSitting, game: number): Irregularity[] {
  const all = new Map<string, Irregularity>();
  for (const item of newsOf(derived, game)) {
    if (item.type !== 'irregularity') continue;
    const { kind, side, ply } = item.irregularity;
    all.set(`${kind} ${side} ${ply}`, item.irregularity);
  }
  return [...all.values()];
}

/**
 * Opens a database to enter something. Nobody else writing to it, games are derived at once; beside a recorder the entry is
 * written and the recorder derives. Throws a `BoardError` with a STORE_ code.
 */
export function openDesk(file: string, wallMs: () => number): Desk {
  const alone = openAlone(file, wallMs);
  return createDesk(alone ?? openEntryStore(file), wallMs, alone);
}

/** Opens a database to enter something beside the recorder of this very process; never takes the recorder's place. */
export const openDeskBeside = (file: string, wallMs: () => number): Desk =>
  createDesk(openEntryStore(file), wallMs, undefined);

function createDesk(store: EntryStore, wallMs: () => number, alone: Store | undefined): Desk {
  /** Derives with an entry more or less. */
  const derived = (
    { game, sitting, derived: before }: GameAtDesk,
    entries: readonly Entry[],
    isEntry: boolean,
  ): { readonly after: DerivedSitting; readonly foreseen: Foreseen } => {
    const after = derive({ ...store, entered: () => ({ ...before.entered, entries }) }, sitting);
    const number = game.record.game;
    const why = refusalOf(before, after, number);
    // What stood on a decision that is undone may fall with it; that is said, and the undo stands.
    if (why !== undefined && isEntry) throw new BoardError('DECISION_REFUSED', { game: game.id, why });
    const old = new Set(newsOf(before, number).map(tell));
    const stored = store.games({ sittingId: sitting.id }).map(({ record }) => record);
    const foreseen = {
      ...(why !== undefined && { falls: why }),
      differences: compareRecords(stored, after.records),
      news: newsOf(after, number).filter((item) => !old.has(tell(item))),
    };
    return { after, foreseen };
  };

  /** Stores an entry that has been derived from; with the database to ourselves what was derived is stored as well. */
  const keep = (
    { sitting }: GameAtDesk,
    entry: NewEntry | Undo,
    { after, foreseen }: ReturnType<typeof derived>,
  ): Entered => {
    const id = store.enter(sitting.id, entry);
    if (alone === undefined) return { id, isHonoured: false, ...foreseen };
    const found = searched(alone, sitting, after, entry);
    const stored = alone.games({ sittingId: sitting.id }).map(({ record }) => record);
    const { rulesId } = found.entered;
    alone.replaceGames(sitting.id, found.events, {
      ...alone.entered(sitting.id),
      ...(rulesId !== undefined && { rulesId }),
    });
    const told = new Set(newsOf(after, entry.game).map(tell));
    return {
      id,
      isHonoured: true,
      ...foreseen,
      differences: compareRecords(stored, found.records),
      news: [...foreseen.news, ...newsOf(found, entry.game).filter((item) => !told.has(tell(item)))],
    };
  };

  const entryOf = (at: GameAtDesk, by: string, what: EntryContent): NewEntry => ({
    game: at.game.record.game,
    atMs: placeOf(store, at),
    wallMs: wallMs(),
    by,
    what,
  });
  const withEntry = (at: GameAtDesk, entry: NewEntry) =>
    // Of those at its place it is the last.
    derived(at, [...at.derived.entered.entries, { ...entry, id: Number.MAX_SAFE_INTEGER }], true);
  const standingEntry = (at: GameAtDesk, undoes: number): Entry => {
    const entry = at.entries.find(({ id }) => id === undoes);
    if (entry === undefined || entry.undone !== undefined)
      throw new BoardError('DECISION_UNKNOWN', { id: undoes });
    return entry;
  };
  const without = (at: GameAtDesk, undoes: number) =>
    derived(
      at,
      at.derived.entered.entries.filter(({ id }) => id !== undoes),
      false,
    );

  return {
    look: (id) => lookAtGame(store, id),
    enter(at, by, what) {
      const entry = entryOf(at, by, what);
      return keep(at, entry, withEntry(at, entry));
    },
    undo(at, by, undoes) {
      const { game, atMs } = standingEntry(at, undoes);
      return keep(at, { game, atMs, wallMs: wallMs(), by, undoes }, without(at, undoes));
    },
    foresee(at, what) {
      if (!('undoes' in what)) return withEntry(at, entryOf(at, '', what)).foreseen;
      return without(at, standingEntry(at, what.undoes).id).foreseen;
    },
    close: () => store.close(),
  };
}

/** The same, when results that hang on who can mate have been searched: no board waits, and what was found out is entered. */
export function searched(
  store: Store,
  sitting: StoredSitting,
  derived: DerivedSitting,
  { atMs, wallMs }: Pick<NewEntry, 'atMs' | 'wallMs'>,
): DerivedSitting {
  const questions = openQuestions(derived.news, store.entered(sitting.id).entries);
  for (const question of questions) {
    const position = Position.fromFen(question.fen, sitting.options.variant);
    const verdict = (side: Side): Winnability =>
      position.ok ? askWinnability(position.value, side, DEFAULT_BUDGET).verdict : 'undecided';
    const { game, ply, fen } = question;
    const what = { type: 'verdict', ply, fen, white: verdict('white'), black: verdict('black') } as const;
    store.enter(sitting.id, { game, atMs, wallMs, by: SEARCHER, what });
  }
  return questions.length === 0 ? derived : derive(store, sitting);
}

/** Why nothing comes of what is in the second derivation of a game and not in the first; undefined when something does. */
function refusalOf(before: DerivedSitting, after: DerivedSitting, game: number): string | undefined {
  if (after.unheard.length > before.unheard.length) return 'the board was at another game then';
  const refused = ({ records }: DerivedSitting): (string | undefined)[] =>
    records.flatMap((record) =>
      record.game === game
        ? record.flags.flatMap(({ code, detail }) => (code === 'CORRECTION_REFUSED' ? [detail ?? code] : []))
        : [],
    );
  const [was, is] = [refused(before), refused(after)];
  return is.length > was.length ? is.at(-1) : undefined;
}

/** The database to ourselves; undefined when a recorder has it. */
export function openAlone(file: string, wallMs: () => number): Store | undefined {
  // A database is made by recording, not by deciding about games that are not there.
  openStoreReader(file).close();
  try {
    return openStore(file, { wallMs });
  } catch (error) {
    if (isBoardError(error, 'STORE_LOCKED')) return undefined;
    throw error;
  }
}

/**
 * Where among the input an entry about a game stands: behind everything that has come, or, when the board has gone on to another
 * game, just before that began.
 */
function placeOf(store: StoreReader, { game, sitting, entries }: GameAtDesk): number {
  const next = store
    .games({ sittingId: sitting.id })
    .find(({ record }) => record.game === game.record.game + 1);
  if (next !== undefined) return next.record.startedAtMs - 1;
  return Math.max(sitting.seenToMs, ...entries.map(({ atMs }) => atMs)) + 1;
}

/** Text that is equal for equal news. */
const tell = (news: LawsNews): string =>
  JSON.stringify(news, (key, value) => (key === 'before' ? undefined : value));
