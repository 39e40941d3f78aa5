/** What is said in one language: texts with their values, counts, moves, articles and flags. */
import { FLAG_WORDS, type Flag, type FlagWord } from '../../core/flag.ts';
import type { Side } from '../../core/square.ts';
import { BELARUSIAN } from './belarusian.ts';
import type { Catalogue, Counted, TextKey } from './catalogue.ts';
import { ENGLISH } from './english.ts';
import { makeFlagDetail } from './flag-detail.ts';
import type { Language } from './language.ts';
import { RUSSIAN } from './russian.ts';

/** The catalogue of each language. */
export const CATALOGUES: Readonly<Record<Language, Catalogue>> = {
  en: ENGLISH,
  ru: RUSSIAN,
  be: BELARUSIAN,
};

/** Values of a text by the names of their places. */
export type Values = Readonly<Record<string, string | number>>;

/** Puts values into the places of a text; a place without a value is a mistake of ours. */
export const fillText = (text: string, values: Values = {}): string =>
  text.replace(/\{([a-zA-Z]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for {${name}} in "${text}"`);
    return String(value);
  });

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

export interface Phrases {
  readonly language: Language;
  readonly catalogue: Catalogue;
  text(key: TextKey, values?: Values): string;
  /** A text of the catalogue with its values. */
  fill(text: string, values: Values): string;
  /** "5 plies", by the plural rules of the language. */
  count(what: Counted, n: number): string;
  /** SAN with the piece letters of the language; a move that stands although illegal (`!e1g1`) as squares. */
  move(san: string): string;
  /** An article by its number in the FIDE Laws, with the number of the Russian rules where that differs. */
  article(number: string): string;
  flag(flag: Pick<Flag, 'code' | 'detail'>): FlagPhrase;
  side(side: Side): Catalogue['sides'][Side];
}

/** The word of a flag's code, without its value. */
export const flagWordOf = (code: string): FlagWord | undefined => {
  const word = code.replace(/\(.*$/s, '');
  return Object.hasOwn(FLAG_WORDS, word) ? (word as FlagWord) : undefined;
};

/** Words whose value is said again, and in plain words, by their detail. */
const DETAILED: readonly FlagWord[] = ['TIME_ADDED'];

/** Appendices A and B of the FIDE Laws are articles 13 and 14 of the Russian rules: A.5.4 is 13.5.4. */
function russianNumber(article: string): string | undefined {
  const match = /^([AB])\.([45].*)$/.exec(article);
  if (match === null) return undefined;
  return `${match[1] === 'A' ? '13' : '14'}.${match[2]}`;
}

const LETTERS = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' } as const;

/** Creates what is said in a language. `san: true` leaves moves in English SAN. */
export function createPhrases(language: Language, options: { readonly san?: boolean } = {}): Phrases {
  const catalogue = CATALOGUES[language];
  const plurals = new Intl.PluralRules(language);
  const move = (san: string): string => {
    if (san.startsWith('!')) return `${san.slice(1, 3)}-${san.slice(3)}`;
    if (options.san === true) return san;
    if (san.startsWith('O-O')) return language === 'en' ? san : san.replaceAll('O', '0');
    return san.replace(
      /[KQRBN]/g,
      (letter) => catalogue.pieces[LETTERS[letter as keyof typeof LETTERS]].letter,
    );
  };
  const phrases: Phrases = {
    language,
    catalogue,
    text: (key, values) => fillText(catalogue.texts[key], values),
    fill: fillText,
    count: (what, n) => {
      const forms = catalogue.counts[what];
      return fillText((forms[plurals.select(n)] ?? forms.other)!, { n });
    },
    move,
    article: (number) => {
      if (number === '') return '';
      const own = language === 'ru' ? russianNumber(number) : undefined;
      return fillText(catalogue.texts.article, {
        article: own === undefined ? number : `${number} (RU ${own})`,
      });
    },
    flag: ({ code, detail }) => {
      const word = flagWordOf(code);
      // A database of a newer program may know more words than this one.
      if (word === undefined) return { name: code, tells: '', article: '', detail: '' };
      const { name, tells } = catalogue.flags[word];
      const value = DETAILED.includes(word) ? undefined : /\((.+)\)$/s.exec(code)?.[1];
      return {
        name: value === undefined ? name : word === 'RESULT' ? `${name} ${value}` : `${name} (${value})`,
        tells,
        article: phrases.article(FLAG_WORDS[word][1]),
        detail: makeFlagDetail(phrases, word, detail),
      };
    },
    side: (side) => catalogue.sides[side],
  };
  return phrases;
}
