import type { Chance } from './mutate.ts';

/** Something that is given what comes from outside. */
export interface FuzzTarget {
  readonly name: string;
  /** Valid inputs, of which others are made. */
  readonly seeds: readonly Uint8Array[];
  /** Makes an input by the grammar of the thing, beside those made by damage. */
  readonly generate?: (chance: Chance) => Uint8Array;
  /** Gives it an input; throws or rejects where it does not behave. `chance` decides how: in which chunks, at which time. */
  readonly feed: (input: Uint8Array, chance: Chance) => unknown;
  readonly close?: () => Promise<void>;
}

/** An input at which a target does not behave. */
export interface Finding {
  readonly target: string;
  readonly seed: number;
  readonly input: Uint8Array;
  readonly error: unknown;
}

/** A finding as a line from which it can be played again. */
export const makeFindingText = ({ target, seed, input, error }: Finding): string =>
  `${target}, seed ${seed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n  ${input.length} bytes, base64: ${Buffer.from(input).toString('base64')}`;
