import { eventOf } from '../entry.ts';
import { lawsOptionsOf } from '../event-rules.ts';
import type { StoredGame, StoredSitting, StoreReader } from '../store/store.ts';
import type { Entered, PaperGame, PaperRules } from './paper-game.ts';

/** Where games on paper come from: a database, and what the command line adds. */
export interface PaperSource {
  sittingOf(stored: StoredGame): StoredSitting | undefined;
  gameOf(stored: StoredGame): PaperGame;
  /** What people have decided and entered of a game; what was undone is left out. */
  enteredOf(stored: StoredGame): Entered;
}

/** Looks games up for paper. `isLimited`: supervision was limited (A.5), whatever was said when they were recorded. */
export function createPaperSource(reader: StoreReader, isLimited: boolean): PaperSource {
  const sittings = new Map(reader.sittings().map((sitting) => [sitting.id, sitting]));
  const rulesOf = (stored: StoredGame): PaperRules => ({
    ...lawsOptionsOf(sittings.get(stored.sittingId)?.options.rules ?? {}),
    ...(isLimited && { regime: 'limited' }),
  });
  return {
    sittingOf: (stored) => sittings.get(stored.sittingId),
    gameOf: (stored) => ({
      id: stored.id,
      board: stored.board,
      startedWallMs: stored.startedWallMs,
      record: stored.record,
      tags: stored.tags,
      rules: rulesOf(stored),
      wallMsOf: (atMs) => reader.wallMsAt(stored.sittingId, atMs),
    }),
    enteredOf(stored) {
      const entries = reader
        .entered(stored.sittingId)
        .entries.filter(({ game, undone }) => game === stored.record.game && undone === undefined)
        .sort((a, b) => a.atMs - b.atMs || a.id - b.id)
        .map((entry) => ({ ...eventOf(entry), enteredWallMs: entry.wallMs }));
      return {
        decisions: entries.filter((entry) => entry.type === 'decision'),
        corrections: entries.filter((entry) => entry.type === 'correction'),
      };
    },
  };
}
