/** What is said in one language: texts, and flags with their names, explanations, articles and details. */
import { FLAG_WORDS, type Flag, type FlagWord, wordOf } from '../../core/flag.ts';
import { makeFlagDetail } from './flag-detail.ts';
import type { Language } from './language.ts';
import { createWording, type Wording, type WordingOptions } from './wording.ts';

/** A flag as it is told to a person. */
export interface FlagPhrase {
  /** Short name with its value: "ambiguous (2)". */
  readonly name: string;
  readonly tells: string;
  /** "art. 7.5.1"; empty where no article is touched. */
  readonly article: string;
  /** Squares, moves, candidates; empty when there is nothing to add, or no words for it in this language. */
  readonly detail: string;
}

export interface Phrases extends Wording {
  flag(flag: Pick<Flag, 'code' | 'detail'>): FlagPhrase;
}

/** The word of a flag's code, without its value; undefined for one that this program does not know. */
export const flagWordOf = (code: string): FlagWord | undefined => {
  const word = wordOf(code);
  return Object.hasOwn(FLAG_WORDS, word) ? word : undefined;
};

/** Words whose value is said again, and in plain words, by their detail. */
const DETAILED: readonly FlagWord[] = ['TIME_ADDED'];

/** Creates what is said in a language. */
export function createPhrases(language: Language, options: WordingOptions = {}): Phrases {
  const wording = createWording(language, options);
  return {
    ...wording,
    flag: ({ code, detail }) => {
      const word = flagWordOf(code);
      // A database of a newer program may know more words than this one.
      if (word === undefined) return { name: code, tells: '', article: '', detail: '' };
      const { name, tells } = wording.catalogue.flags[word];
      const value = DETAILED.includes(word) ? undefined : /\((.+)\)$/s.exec(code)?.[1];
      return {
        name: value === undefined ? name : word === 'RESULT' ? `${name} ${value}` : `${name} (${value})`,
        tells,
        article: wording.article(FLAG_WORDS[word][1]),
        detail: makeFlagDetail(wording, word, detail),
      };
    },
  };
}
