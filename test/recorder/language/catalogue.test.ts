import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../../../recorder/language/language.ts';
import { CATALOGUES } from '../../../recorder/language/wording.ts';

const NOT_ENGLISH = LANGUAGES.filter((language) => language !== 'en');

/** All texts of a catalogue by the way to them; forms of counts are looked at apart. */
function textsOf(language: Language): Map<string, string> {
  const texts = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'string') texts.set(path, value);
    else for (const [key, inner] of Object.entries(value as object)) walk(inner, `${path}/${key}`);
  };
  const { counts: _, ...rest } = CATALOGUES[language];
  walk(rest, '');
  return texts;
}

/** Every text, the forms of counts included. */
const everyText = (language: Language): string[] => [
  ...textsOf(language).values(),
  ...Object.values(CATALOGUES[language].counts).flatMap((forms) => Object.values(forms)),
];

const placesOf = (text: string): string[] => [...text.matchAll(/\{[^}]*\}/g)].map(([place]) => place).sort();

describe('message catalogues', () => {
  it.each(NOT_ENGLISH)('say in %s what there is to say in English, with the same places', (language) => {
    const english = textsOf('en');
    const own = textsOf(language);
    expect([...own.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [key, text] of english) {
      expect([key, placesOf(own.get(key)!)]).toEqual([key, placesOf(text)]);
      expect([key, own.get(key) === '']).toEqual([key, text === '']);
    }
  });

  it.each(NOT_ENGLISH)('fall back to English nowhere in %s', (language) => {
    for (const [key, text] of textsOf(language)) {
      const words = text.replace(/\{[^}]*\}/g, '').replace(/\b(UTC|[AB]\.\d)\b/g, '');
      expect([key, words]).toEqual([key, expect.not.stringMatching(/[A-Za-z]/)]);
    }
  });

  it('are not each other: letters that a language does not have are not in it', () => {
    for (const text of everyText('ru')) expect(text).not.toMatch(/[іўІЎ’']/);
    for (const text of everyText('be')) expect(text).not.toMatch(/[ищъИЩЪ']/);
  });

  it('write ў in Belarusian after vowels, and only there', () => {
    for (const text of everyText('be')) {
      expect(text).not.toMatch(/[аеёіоуыэюя] у/i);
      expect(text).not.toMatch(/(^|[^аеёіоуыэюя ] |[^аеёіоуыэюяА ])ў/i);
    }
  });

  it.each(LANGUAGES)('have in %s a form for every number that is counted', (language) => {
    const plurals = new Intl.PluralRules(language);
    const needed = new Set(Array.from({ length: 200 }, (_, n) => plurals.select(n)));
    for (const [counted, forms] of Object.entries(CATALOGUES[language].counts)) {
      for (const category of needed) {
        expect([counted, category, placesOf(forms[category] ?? '')]).toEqual([counted, category, ['{n}']]);
      }
    }
  });

  it.each(LANGUAGES)('name every piece in %s by a letter of its own', (language) => {
    const letters = Object.values(CATALOGUES[language].pieces).map(({ letter }) => letter);
    expect(new Set(letters).size).toBe(6);
    expect(CATALOGUES[language].pieces.pawn.letter).toBe('');
  });
});
