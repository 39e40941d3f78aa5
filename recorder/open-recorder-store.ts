import { isBoardError } from '../core/board-error.ts';
import { rederiveSitting } from './rederive.ts';
import { isOurs } from './store/migrate.ts';
import { type Salvage, salvageDatabase } from './store/salvage.ts';
import { openStore, type Store, type StoreOptions } from './store/store.ts';

/** A database that was repaired on the way. */
export interface Repaired extends Salvage {
  /** Games that were derived again because something of them was missing. */
  readonly rederived: number;
}

/**
 * Opens a database for recording, as `openStore`; one that is damaged is put aside, and everything that can be read of it goes on in a new
 * file: a round does not wait. `tell` hears of it. Games whose input is whole are derived again where they were damaged.
 */
export function openRecorderStore(
  file: string,
  options: StoreOptions,
  tell: (repaired: Repaired) => void,
): Store {
  try {
    return openStore(file, options);
  } catch (error) {
    const isDamaged =
      isBoardError(error, 'STORE_DAMAGED') || (isBoardError(error, 'STORE_CORRUPT') && isOurs(file));
    if (!isDamaged) throw error;
    const salvage = salvageDatabase(file, options.wallMs());
    const store = openStore(file, options);
    tell({ ...salvage, rederived: restoreGames(store, salvage) });
    return store;
  }
}

/** Derives again what is damaged of the games whose input is whole; gives their number. */
function restoreGames(store: Store, { incomplete }: Salvage): number {
  let count = 0;
  for (const sitting of store.sittings()) {
    if (incomplete.includes(sitting.id)) continue;
    const again = rederiveSitting(store, sitting);
    if (again === undefined || again.differences.length === 0) continue;
    store.replaceGames(sitting.id, again.events, again.entered);
    count += new Set(again.differences.map(({ game }) => game)).size;
  }
  return count;
}
