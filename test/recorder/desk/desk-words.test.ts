import { describe, expect, it } from 'vitest';
import { ENGLISH_DESK } from '../../../recorder/desk/words/english.ts';
import { DESK_TEXTS, deskText } from '../../../recorder/desk/words/words.ts';

const placesOf = (text: string): string[] => [...text.matchAll(/\{[^}]*\}/g)].map(([place]) => place).sort();
/** What is written with Latin letters in every language. */
const LATIN = /SAN|UCI|!e1g1|Enter|Esc|\b[hsjkuef]\b|PGN|TRF|JaVaFo|bbpPairings|Vega|CSV|\[\[outputs\]\]/g;

describe('the words of the page', () => {
  it.each(['ru', 'be'] as const)(
    'say in %s what there is to say, with the same places and nothing in English',
    (language) => {
      for (const [key, text] of Object.entries(ENGLISH_DESK)) {
        const own = DESK_TEXTS[language][key as keyof typeof ENGLISH_DESK];
        expect([key, placesOf(own)]).toEqual([key, placesOf(text)]);
        const words = own.replace(/\{[^}]*\}/g, '').replace(LATIN, '');
        expect([key, words]).toEqual([key, expect.not.stringMatching(/[A-Za-z]/)]);
        expect([key, own.trim() === '']).toEqual([key, false]);
      }
    },
  );

  it('are not each other: letters that a language does not have are not in it', () => {
    for (const text of Object.values(DESK_TEXTS.ru)) expect(text).not.toMatch(/[іўІЎ’']/);
    for (const text of Object.values(DESK_TEXTS.be)) expect(text).not.toMatch(/[ищъИЩЪ']/);
    for (const text of Object.values(DESK_TEXTS.be)) {
      expect(text).not.toMatch(/[аеёіоуыэюя] у/i);
      expect(text).not.toMatch(/(^|[^аеёіоуыэюя ] |[^аеёіоуыэюяА ])ў/i);
    }
  });

  it('put values in their places, and a value that is not there leaves its place', () => {
    expect(deskText('en', 'board-n', { name: '<b>' })).toBe('Board <b>');
    expect(deskText('ru', 'timeline-at', { time: '1' })).toBe('1: {what}');
  });
});
