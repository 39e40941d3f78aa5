/** What there is to be said, whatever the language: every language has a catalogue of this shape, and nothing falls back to another. */
import type { FlagWord, Severity } from '../../core/flag.ts';
import type { PenaltyMeasure, Ruling } from '../../core/laws/decision.ts';
import type { ClaimAnswer, ClaimVerdict } from '../../core/laws/draw-rules.ts';
import type { Termination } from '../../core/laws/endings.ts';
import type { IrregularityState } from '../../core/laws/irregularity.ts';
import type { IrregularityKind } from '../../core/laws/irregularity-kind.ts';
import type { Role } from '../../core/placement.ts';
import type { Side } from '../../core/square.ts';
import type { EnglishTexts } from './english-texts.ts';

/** Short names and what they mean. A `{word}` in any text stands for a value. */
export interface NamedText {
  /** For a list or a narrow column. */
  readonly name: string;
  /** One sentence, without article and full stop. */
  readonly tells: string;
}

/** A side in the cases in which sentences need it. */
export interface SideText {
  /** As a heading. */
  readonly title: string;
  /** Inside a sentence: who plays. */
  readonly name: string;
  /** Of whom. */
  readonly genitive: string;
  /** To whom. */
  readonly dative: string;
}

/** What is counted. */
export const COUNTED = [
  'board',
  'game',
  'ply',
  'half-move',
  'minute',
  'flag',
  'uncertain',
  'time',
  'nothing-to-report',
] as const;
export type Counted = (typeof COUNTED)[number];

/** Forms by the plural rules of the language, `{n}` where the number stands; `other` is never used by whole numbers in Slavic languages. */
export type CountForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** How a ply that is not simply certain is told on paper. */
export const PLY_MARKS = ['inferred', 'ambiguous', 'illegal', 'amended', 'provisional', 'unwritten'] as const;
export type PlyMark = (typeof PLY_MARKS)[number];

/** States of a board in the live table. */
export const LIVE_STATES = [
  'connecting',
  'link lost',
  'playing',
  'moving',
  'in doubt',
  'ready',
  'waiting',
] as const;
export type LiveState = (typeof LIVE_STATES)[number];

export type TextKey = keyof EnglishTexts;

/** Everything that is said in one language. */
export interface Catalogue {
  /** The language in its own words. */
  readonly endonym: string;
  readonly flags: Readonly<Record<FlagWord, NamedText>>;
  readonly severities: Readonly<Record<Severity, string>>;
  readonly sides: Readonly<Record<Side, SideText>>;
  /** Name and the letter by which it is written. */
  readonly pieces: Readonly<Record<Role, { readonly name: string; readonly letter: string }>>;
  readonly irregularities: Readonly<Record<IrregularityKind, string>>;
  readonly irregularityStates: Readonly<Record<IrregularityState, string>>;
  /** How games end; `short` for a narrow column. */
  readonly terminations: Readonly<Record<Termination, { readonly name: string; readonly short: string }>>;
  readonly rulings: Readonly<Record<Ruling['type'], string>>;
  readonly penaltyMeasures: Readonly<Record<PenaltyMeasure, string>>;
  readonly claimRules: Readonly<Record<ClaimAnswer['rule'], string>>;
  readonly claimVerdicts: Readonly<Record<ClaimVerdict, string>>;
  readonly plyMarks: Readonly<Record<PlyMark, string>>;
  readonly liveStates: Readonly<Record<LiveState, string>>;
  readonly counts: Readonly<Record<Counted, CountForms>>;
  readonly texts: Readonly<Record<TextKey, string>>;
}
