/**
 * What people enter about a game: an arbiter's rulings, an operator's corrections. Each is kept with who and when, is
 * never changed, and can be undone by a further entry. Games are derived from raw input and entries together.
 */
import { z } from 'zod';
import type { Correction } from '../core/correction.ts';
import { FLAG_WORDS, type FlagWord } from '../core/flag.ts';
import { type Decision, PENALTY_MEASURES, type Ruling } from '../core/laws/decision.ts';
import { ENDINGS, SCORES, type Termination } from '../core/laws/endings.ts';
import { IRREGULARITIES, type IrregularityKind } from '../core/laws/irregularity-kind.ts';
import type { LawsEvent, Verdict } from '../core/laws/laws.ts';
import { WINNABILITIES } from '../core/laws/unwinnable/winnability.ts';
import { SIDES } from '../core/square.ts';

/** What an entry says. */
export type EntryContent =
  | Ruling
  | Pick<Correction, 'type' | 'from' | 'plies' | 'replaces'>
  /** What a search has found out, when nobody could say it at once: entered by the program. */
  | ({ readonly type: 'verdict'; readonly fen: string } & Verdict);

/** An entry before it is stored. */
export interface NewEntry {
  /** 1-based number of the game at its board, within its sitting. */
  readonly game: number;
  /**
   * Its place among the input of its sitting, whole monotonic ms: it is heard before what arrived in that millisecond.
   */
  readonly atMs: number;
  /** When it was entered, for people. */
  readonly wallMs: number;
  /** Whoever entered it, as they sign. */
  readonly by: string;
  readonly what: EntryContent;
}

/** An entry as stored. */
export interface Entry extends NewEntry {
  readonly id: number;
  /** Present when a later entry has undone it: derivation leaves it out. */
  readonly undone?: { readonly id: number; readonly wallMs: number; readonly by: string };
}

const PLY = z.int().min(0).max(100_000);
const REF = {
  kind: z.enum(Object.keys(IRREGULARITIES) as [IrregularityKind, ...IrregularityKind[]]),
  side: z.enum(SIDES).optional(),
  ply: PLY,
};

const CONTENT = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('confirm'), ...REF }),
  z.strictObject({ type: z.literal('dismiss'), ...REF }),
  z.strictObject({ type: z.literal('enter'), ...REF }),
  z.strictObject({ type: z.literal('draw-offer'), side: z.enum(SIDES), ply: PLY }),
  z.strictObject({ type: z.literal('draw-declined'), ply: PLY }),
  z.strictObject({ type: z.literal('flag-registered'), side: z.enum(SIDES) }),
  z.strictObject({
    type: z.literal('result'),
    score: z.enum(SCORES),
    termination: z.enum(Object.keys(ENDINGS) as [Termination, ...Termination[]]),
  }),
  z.strictObject({
    type: z.literal('acknowledge'),
    word: z.enum(Object.keys(FLAG_WORDS) as [FlagWord, ...FlagWord[]]),
    ply: PLY,
  }),
  z.strictObject({
    type: z.literal('penalty'),
    side: z.enum(SIDES),
    measure: z.enum(PENALTY_MEASURES),
    ply: PLY,
  }),
  z.strictObject({
    type: z.literal('time-given'),
    side: z.enum(SIDES),
    ms: z
      .int()
      .min(1000)
      .max(24 * 3_600_000),
    ply: PLY,
  }),
  z.strictObject({ type: z.enum(['clocks-stopped', 'clocks-resumed']), ply: PLY }),
  z.strictObject({ type: z.enum(['hold', 'release']) }),
  z.strictObject({
    type: z.literal('verdict'),
    ply: PLY,
    fen: z.string().max(120),
    white: z.enum(WINNABILITIES),
    black: z.enum(WINNABILITIES),
  }),
  z.strictObject({
    type: z.literal('correction'),
    from: z.int().min(1),
    plies: z.array(z.string().regex(/^(!?[a-h][1-8][a-h][1-8])[qrbn]?$/)),
    replaces: PLY.optional(),
  }),
]);

/** Reads what `makeEntryContent` wrote; undefined when it is nothing of the kind. */
export function parseEntryContent(text: string): EntryContent | undefined {
  try {
    return readEntryContent(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Reads what an entry says from a value that came from outside; undefined when it is nothing of the kind. */
export function readEntryContent(value: unknown): EntryContent | undefined {
  const { data } = CONTENT.safeParse(value);
  // An optional field of zod's may be there and undefined; of ours it is there or not.
  return data === undefined ? undefined : (JSON.parse(JSON.stringify(data)) as EntryContent);
}

/** Writes what an entry says as it is stored. */
export const makeEntryContent = (what: EntryContent): string => JSON.stringify(what);

/** The entry as the event that derivation hears. */
export function eventOf({
  atMs,
  by,
  what,
}: NewEntry): Decision | Correction | Extract<LawsEvent, { type: 'verdict' }> {
  if (what.type === 'verdict') return { ...what, atMs };
  if (what.type !== 'correction') return { type: 'decision', atMs, by, ruling: what };
  return { ...what, atMs, by };
}

/** The entries that derivation hears, in the order in which it does. */
export const inOrder = (entries: readonly Entry[]): Entry[] =>
  entries.filter(({ undone }) => undone === undefined).sort((a, b) => a.atMs - b.atMs || a.id - b.id);
