import type { GameEvent } from '../core/game-event.ts';
import { type GameRecord, makeRecords } from '../core/game-record.ts';
import { type Machine, runThrough } from '../core/machine.ts';
import { createDerivation, type DeriveOptions, type DeriveOutput } from './derive.ts';
import type { Entry } from './entry.ts';
import { lawsOptionsOf } from './event-rules.ts';
import type { RawInput } from './raw-input.ts';
import type { Entered } from './store/entry-tables.ts';
import type { SittingOptions, StoredSitting, StoreReader } from './store/store.ts';

/** A sitting as derived from the store: raw input, entries and rules. */
export interface DerivedSitting {
  /** Stands where the store ends: what comes next goes on from there. */
  readonly machine: Machine<RawInput, DeriveOutput>;
  readonly events: readonly GameEvent[];
  readonly records: GameRecord[];
  /** What the Laws had to say besides flags, in order. */
  readonly news: readonly Extract<DeriveOutput, { type: 'law' }>[];
  /** What was entered, all of it. */
  readonly entered: Entered;
  /** Entries of which nothing has come: their game was not there at their time. */
  readonly unheard: readonly Entry[];
  /** The link was up at the end. */
  readonly isUp: boolean;
}

/** What a derivation needs to know besides the board and its input. */
export type SittingDeriveOptions = Pick<DeriveOptions, 'definition' | 'createReconstructor' | 'entries'>;

/** Creates the machine of a sitting. */
export function createSittingDerivation(
  { rules, ...begun }: SittingOptions,
  options: SittingDeriveOptions,
): Machine<RawInput, DeriveOutput> {
  return createDerivation({
    ...options,
    ...begun,
    ...(rules !== undefined && { laws: lawsOptionsOf(rules) }),
  });
}

/** Derives a stored sitting to where the store ends, honouring everything that was entered. */
export function deriveSitting(
  store: StoreReader,
  sitting: StoredSitting,
  options: Omit<SittingDeriveOptions, 'entries'>,
): DerivedSitting {
  const entered = store.entered(sitting.id);
  const { entries } = entered;
  const machine = createSittingDerivation(sitting.options, { ...options, entries });
  let isUp = false;
  const inputs = function* (): Generator<RawInput> {
    for (const input of store.inputs(sitting.id)) {
      if (input.type === 'link') isUp = input.link === 'up';
      yield input;
    }
  };
  const untilMs = Math.max(sitting.seenToMs, ...entries.map(({ atMs }) => atMs));
  const events: GameEvent[] = [];
  const news: Extract<DeriveOutput, { type: 'law' }>[] = [];
  const unheard: Entry[] = [];
  for (const output of runThrough(machine, inputs(), untilMs)) {
    if (output.type === 'event') events.push(output.event);
    else if (output.type === 'law') news.push(output);
    else if (output.type === 'unheard') unheard.push(output.entry);
  }
  return { machine, events, records: makeRecords(events), news, entered, unheard, isUp };
}
