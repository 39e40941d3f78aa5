import { findBoard } from '../boards/registry.ts';
import { compareRecords, type Difference } from './compare-records.ts';
import type { DeriveOptions } from './derive.ts';
import { type DerivedSitting, deriveSitting } from './derive-sitting.ts';
import type { StoredSitting, StoreReader } from './store/store.ts';

/** The games of one sitting, derived again. */
export interface Rederivation extends DerivedSitting {
  readonly sitting: StoredSitting;
  /** How they differ from what is stored. */
  readonly differences: readonly Difference[];
}

/** Finds the kind of board of a sitting; undefined when this program does not know it. */
export type SittingDefinition = (kind: string) => DeriveOptions['definition'] | undefined;

const registered: SittingDefinition = (kind) => {
  const board = findBoard(kind);
  return board.ok ? board.value : undefined;
};

/**
 * Derives the games of a sitting again from its raw input and entries, by the same code that ran live; undefined when its kind of
 * board is not known to this program.
 */
export function rederiveSitting(
  store: StoreReader,
  sitting: StoredSitting,
  definitionOf: SittingDefinition = registered,
): Rederivation | undefined {
  const definition = definitionOf(sitting.kind);
  if (definition === undefined) return undefined;
  const derived = deriveSitting(store, sitting, { definition });
  const stored = store.games({ sittingId: sitting.id }).map((game) => game.record);
  return { ...derived, sitting, differences: compareRecords(stored, derived.records) };
}
