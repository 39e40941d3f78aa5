import { findBoard } from '../boards/registry.ts';
import type { GameEvent } from '../core/game-event.ts';
import { type GameRecord, makeRecords } from '../core/game-record.ts';
import { compareRecords, type Difference } from './compare-records.ts';
import { createDerivation, type DeriveOptions, deriveEvents } from './derive.ts';
import type { StoredSitting, StoreReader } from './store/store.ts';

/** The games of one sitting, derived again. */
export interface Rederivation {
  readonly sitting: StoredSitting;
  readonly events: readonly GameEvent[];
  readonly records: readonly GameRecord[];
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
 * Derives the games of a sitting again from its raw input, by the same code that ran live; undefined when its kind of
 * board is not known to this program.
 */
export function rederiveSitting(
  store: StoreReader,
  sitting: StoredSitting,
  definitionOf: SittingDefinition = registered,
): Rederivation | undefined {
  const definition = definitionOf(sitting.kind);
  if (definition === undefined) return undefined;
  const machine = createDerivation({ definition, ...sitting.options });
  const events = [...deriveEvents(machine, store.inputs(sitting.id), sitting.seenToMs)];
  const records = makeRecords(events);
  const stored = store.games({ sittingId: sitting.id }).map((game) => game.record);
  return { sitting, events, records, differences: compareRecords(stored, records) };
}
