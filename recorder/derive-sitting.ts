import type { GameEvent } from '../core/game-event.ts';
import { type GameRecord, makeRecords } from '../core/game-record.ts';
import { type Machine, MachineDriver } from '../core/machine.ts';
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

/** A derivation of a stored sitting that is under way: in pieces, so that a recorder can do something else between them. */
export interface SittingDeriver {
  /** Takes the next piece of the stored input; false when there is no more at present. */
  advance(): boolean;
  /** Takes all that is left, up to where the store ends now. */
  finish(): DerivedSitting;
}

/** Begins to derive a stored sitting, honouring everything that has been entered by now. */
export function createSittingDeriver(
  store: StoreReader,
  sitting: StoredSitting,
  options: Omit<SittingDeriveOptions, 'entries'>,
): SittingDeriver {
  // Rules that are set meanwhile are not those of the sitting as it was read: they are heard the next time.
  const { rulesId } = sitting;
  const entered: Entered = { ...store.entered(sitting.id), ...(rulesId !== undefined && { rulesId }) };
  const { entries } = entered;
  const machine = createSittingDerivation(sitting.options, { ...options, entries });
  const driver = new MachineDriver(machine);
  let after = 0;
  const events: GameEvent[] = [];
  const news: Extract<DeriveOutput, { type: 'law' }>[] = [];
  const unheard: Entry[] = [];
  let isUp = false;

  const hear = (outputs: readonly DeriveOutput[]): void => {
    for (const output of outputs) {
      if (output.type === 'event') events.push(output.event);
      else if (output.type === 'law') news.push(output);
      else if (output.type === 'unheard') unheard.push(output.entry);
    }
  };
  const advance = (): boolean => {
    const page = store.inputPage(sitting.id, after);
    after = page.after;
    for (const input of page.inputs) {
      if (input.type === 'link') isUp = input.link === 'up';
      hear(driver.feed(input));
    }
    return page.inputs.length > 0;
  };

  return {
    advance,
    finish() {
      while (advance());
      const { seenToMs } = store.sittings().find(({ id }) => id === sitting.id) ?? sitting;
      hear(driver.advance(Math.max(seenToMs, ...entries.map(({ atMs }) => atMs))));
      return { machine, events, records: makeRecords(events), news, entered, unheard, isUp };
    },
  };
}

/** Derives a stored sitting to where the store ends, honouring everything that was entered. */
export const deriveSitting = (
  store: StoreReader,
  sitting: StoredSitting,
  options: Omit<SittingDeriveOptions, 'entries'>,
): DerivedSitting => createSittingDeriver(store, sitting, options).finish();
