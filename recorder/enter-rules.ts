/** Sets the rules of the event for games that are recorded already, alone with the database or beside the recorder that writes to it. */
import { BoardError } from '../core/board-error.ts';
import { compareRecords, type Difference } from './compare-records.ts';
import { openAlone, searched } from './enter.ts';
import { type EventRules, RULE_FIELDS } from './event-rules.ts';
import { rederiveSitting } from './rederive.ts';
import {
  type EntryStore,
  openEntryStore,
  type Store,
  type StoredSitting,
  type StoreReader,
} from './store/store.ts';

/** Boards that were heard so long ago are none of this event, ms. */
const EVENT_MS = 12 * 3_600_000;

/** Whose rules are meant: those of the games of a sitting, all of them. */
export type RulesScope =
  | { readonly type: 'game'; readonly game: number }
  /** The games that a board records now. */
  | { readonly type: 'board'; readonly board: string }
  /** Those of all boards that were heard in the last twelve hours. */
  | { readonly type: 'all' };

/** What comes of rules that were set. */
export interface RulesSet {
  readonly sitting: StoredSitting;
  readonly rules: EventRules;
  /** Whether the games in the database honour them already; else the recorder that is running will see to it. */
  readonly isHonoured: boolean;
  /** How the games of the sitting differ from what was stored; empty where a recorder derives. */
  readonly differences: readonly Difference[];
}

/** Sittings that are meant; throws GAME_UNKNOWN, and BOARD_UNKNOWN for a board of which nothing was recorded. */
export function sittingsOf(store: StoreReader, scope: RulesScope, wallMs: number): StoredSitting[] {
  const sittings = store.sittings();
  if (scope.type === 'game') {
    const [game] = store.games({ id: scope.game });
    const sitting = sittings.find(({ id }) => id === game?.sittingId);
    if (sitting === undefined) throw new BoardError('GAME_UNKNOWN', { game: scope.game, file: store.file });
    return [sitting];
  }
  const last = new Map(sittings.map((sitting) => [sitting.board, sitting]));
  if (scope.type === 'board') {
    const sitting = last.get(scope.board);
    if (sitting === undefined)
      throw new BoardError('BOARD_NOT_RECORDED', { board: scope.board, file: store.file });
    return [sitting];
  }
  return [...last.values()].filter(({ lastWallMs }) => lastWallMs >= wallMs - EVENT_MS);
}

/** The right to set rules, for as long as it is open. */
export interface RulesDesk {
  readonly store: EntryStore;
  /** Sets what is said over what counts; with `anew` only what is said counts. */
  set(sitting: StoredSitting, by: string, said: EventRules, anew: boolean): RulesSet;
  close(): void;
}

/** Opens a database to set rules; throws a `BoardError` with a STORE_ code. */
export function openRulesDesk(file: string, wallMs: () => number): RulesDesk {
  const alone = openAlone(file, wallMs);
  const store: EntryStore = alone ?? openEntryStore(file);
  return {
    store,
    set(sitting, by, said, anew) {
      const rules = mergeRules(anew ? {} : sitting.options.rules, said);
      const setMs = wallMs();
      const rulesId = store.setRules(sitting.id, rules, setMs, by);
      const { rules: before, ...begun } = sitting.options;
      const now = { ...sitting, rulesId, options: { ...begun, rules } };
      const differences = alone === undefined ? undefined : deriveAlone(alone, now, setMs);
      return { sitting: now, rules, isHonoured: differences !== undefined, differences: differences ?? [] };
    },
    close: () => store.close(),
  };
}

function mergeRules(before: EventRules = {}, said: EventRules): EventRules {
  const all = { ...before, ...said };
  return Object.fromEntries(
    RULE_FIELDS.flatMap((field) => (all[field] === undefined ? [] : [[field, all[field]]])),
  );
}

/** Derives a sitting under its new rules; undefined when its kind of board is not known to this program. */
function deriveAlone(
  store: Store,
  sitting: StoredSitting,
  wallMs: number,
): readonly Difference[] | undefined {
  const again = rederiveSitting(store, sitting);
  if (again === undefined) return undefined;
  const atMs = Math.max(sitting.seenToMs, ...again.entered.entries.map((entry) => entry.atMs)) + 1;
  const found = searched(store, sitting, again, { atMs, wallMs });
  const before = store.games({ sittingId: sitting.id }).map(({ record }) => record);
  const honours = { ...store.entered(sitting.id), rulesId: sitting.rulesId! };
  store.replaceGames(sitting.id, found.events, honours);
  return compareRecords(before, found.records);
}
