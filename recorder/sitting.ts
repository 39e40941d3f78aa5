import type { BoardDefinition } from '../boards/definition.ts';
import { type GameRecord, makeRecords } from '../core/game-record.ts';
import type { Machine } from '../core/machine.ts';
import { compareRecords } from './compare-records.ts';
import { createDerivation, type DeriveOptions, type DeriveOutput, deriveEvents } from './derive.ts';
import type { RawInput } from './raw-input.ts';
import type { Sitting, SittingOptions, Store, StoredSitting } from './store/store.ts';

/** A board that has been silent longer than this does not go on with the same game after a restart of the recorder. */
const RESUME_MS = 6 * 3_600_000;

/** A sitting that is being recorded: its place in the store, its machine, and the games so far. */
export interface OpenSitting {
  readonly sitting: Sitting;
  readonly machine: Machine<RawInput, DeriveOutput>;
  /** Games as committed; the recorder goes on from them. */
  readonly records: GameRecord[];
  /** The link was up when the recorder ended: its loss is yet to be told. */
  readonly wasUp: boolean;
}

export interface BeginOptions {
  readonly board: string;
  readonly definition: BoardDefinition;
  readonly sitting: SittingOptions;
  readonly nowMs: number;
  readonly wallMs: number;
  readonly createReconstructor?: DeriveOptions['createReconstructor'];
}

/**
 * Begins to record a board: goes on with its last sitting when that is recent and began alike (the recorder was restarted
 * in the middle of a game), by running all its input through the machine again; else begins a new one.
 */
export function beginSitting(store: Store, options: BeginOptions): OpenSitting {
  const { board, definition, nowMs, wallMs, createReconstructor } = options;
  const machine = createDerivation({
    definition,
    ...options.sitting,
    ...(createReconstructor !== undefined && { createReconstructor }),
  });
  const last = store.sittings().findLast((sitting) => sitting.board === board);
  if (last === undefined || !continues(last, options)) {
    const sitting: Sitting = {
      board,
      kind: definition.id,
      options: options.sitting,
      startedMs: Math.floor(nowMs),
      startedWallMs: Math.floor(wallMs),
      id: undefined,
    };
    return { sitting, machine, records: [], wasUp: false };
  }
  let wasUp = false;
  const inputs = function* (): Generator<RawInput> {
    for (const input of store.inputs(last.id)) {
      if (input.type === 'link') wasUp = input.link === 'up';
      yield input;
    }
  };
  const events = [...deriveEvents(machine, inputs(), last.seenToMs)];
  const records = makeRecords(events);
  // A newer program may conclude otherwise; what goes on must go on from what is stored.
  const stored = store.games({ sittingId: last.id }).map((game) => game.record);
  if (compareRecords(stored, records).length > 0) store.replaceGames(last.id, events);
  return { sitting: last, machine, records, wasUp };
}

function continues(last: StoredSitting, options: BeginOptions): boolean {
  const { start, variant, rotated } = last.options;
  const asked = options.sitting;
  return (
    last.kind === options.definition.id &&
    start === asked.start &&
    variant === asked.variant &&
    rotated === asked.rotated &&
    options.wallMs - last.lastWallMs < RESUME_MS
  );
}
