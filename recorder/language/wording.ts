/** Texts of one language with their values in place: counts, moves, articles. */
import type { Side } from '../../core/square.ts';
import { BELARUSIAN } from './belarusian.ts';
import type { Catalogue, Counted, TextKey } from './catalogue.ts';
import { ENGLISH } from './english.ts';
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
const fill = (text: string, values: Values = {}): string =>
  text.replace(/\{([a-zA-Z]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for {${name}} in "${text}"`);
    return String(value);
  });

export interface Wording {
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
  side(side: Side): Catalogue['sides'][Side];
}

export interface WordingOptions {
  /** Moves in English SAN, whatever the language. */
  readonly san?: boolean;
}

/** Appendices A and B of the FIDE Laws are articles 13 and 14 of the Russian rules: A.5.4 is 13.5.4. */
function russianNumber(article: string): string | undefined {
  const match = /^([AB])\.([45].*)$/.exec(article);
  if (match === null) return undefined;
  return `${match[1] === 'A' ? '13' : '14'}.${match[2]}`;
}

const LETTERS = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' } as const;

/** Creates the wording of a language. */
export function createWording(language: Language, { san: isSan = false }: WordingOptions = {}): Wording {
  const catalogue = CATALOGUES[language];
  const plurals = new Intl.PluralRules(language);
  return {
    language,
    catalogue,
    text: (key, values) => fill(catalogue.texts[key], values),
    fill,
    count: (what, n) => {
      const forms = catalogue.counts[what];
      return fill((forms[plurals.select(n)] ?? forms.other)!, { n });
    },
    move: (san) => {
      if (san.startsWith('!')) return `${san.slice(1, 3)}-${san.slice(3)}`;
      if (isSan) return san;
      if (san.startsWith('O-O')) return language === 'en' ? san : san.replaceAll('O', '0');
      return san.replace(
        /[KQRBN]/g,
        (letter) => catalogue.pieces[LETTERS[letter as keyof typeof LETTERS]].letter,
      );
    },
    article: (number) => {
      if (number === '') return '';
      const own = language === 'ru' ? russianNumber(number) : undefined;
      return fill(catalogue.texts.article, { article: own === undefined ? number : `${number} (RU ${own})` });
    },
    side: (side) => catalogue.sides[side],
  };
}
