import { describe, expect, it } from 'vitest';
import { FLAG_WORDS, type FlagWord } from '../../../core/flag.ts';
import { type ClockFinding, makeClockFlag } from '../../../core/laws/clock-watch.ts';
import { LANGUAGES } from '../../../recorder/language/language.ts';
import { createPhrases } from '../../../recorder/language/phrases.ts';

const ru = createPhrases('ru');
const be = createPhrases('be');
const en = createPhrases('en');

describe('phrases', () => {
  it('count by the plural rules of each language', () => {
    const count = (phrases: typeof ru): string[] =>
      [1, 2, 5, 11, 21, 22, 25, 111].map((n) => phrases.count('ply', n).replace(/^\d+ /, ''));
    expect(count(en)).toEqual(['ply', ...Array<string>(7).fill('plies')]);
    expect(count(ru)).toEqual([
      'полуход',
      'полухода',
      'полуходов',
      'полуходов',
      'полуход',
      'полухода',
      'полуходов',
      'полуходов',
    ]);
    expect(count(be)).toEqual([
      'паўход',
      'паўхады',
      'паўхадоў',
      'паўхадоў',
      'паўход',
      'паўхады',
      'паўхадоў',
      'паўхадоў',
    ]);
  });

  it.each([
    ['Nf3', 'Кf3', 'Кf3'],
    ['Kxd2+', 'Крxd2+', 'Крxd2+'],
    ['exd8=Q#', 'exd8=Ф#', 'exd8=Ф#'],
    ['O-O-O', '0-0-0', '0-0-0'],
    ['O-O+', '0-0+', '0-0+'],
    ['Rad1', 'Лad1', 'Лad1'],
    ['bxc3', 'bxc3', 'bxc3'],
    ['Bb5', 'Сb5', 'Сb5'],
    ['!e1g1', 'e1-g1', 'e1-g1'],
  ])('write %s with the letters of the language', (san, russian, belarusian) => {
    expect([ru.move(san), be.move(san)]).toEqual([russian, belarusian]);
    if (!san.startsWith('!'))
      expect([en.move(san), createPhrases('ru', { san: true }).move(san)]).toEqual([san, san]);
  });

  it('give the number of the Russian rules where that differs', () => {
    expect(ru.article('A.5.4')).toContain('13.5.4');
    expect(ru.article('B.4')).toContain('14.4');
    expect(ru.article('7.5.1')).not.toContain('RU');
    expect(be.article('A.5.4')).not.toContain('13.5');
    for (const phrases of [en, ru, be]) expect(phrases.article('')).toBe('');
  });

  it('refuse a text with a value missing', () => {
    expect(() => en.text('claim-after')).toThrow();
  });
});

const FINDINGS: readonly ClockFinding[] = [
  { type: 'time-added', side: 'white', ms: 120_000 },
  { type: 'jump', side: 'black', fromMs: 60_000, toMs: 12_300 },
  { type: 'period-change', side: 'white', index: 1, moves: 40 },
  { type: 'period-early', side: 'black', index: 1, moves: 38 },
  { type: 'flag-fall', side: 'white', order: 'first', moves: 31 },
  { type: 'flag-fall', side: 'black', order: 'second', moves: 31 },
  { type: 'flag-fall', side: 'black', order: 'unknown', moves: 31 },
  { type: 'clock-lost', why: 'disconnected' },
  { type: 'clock-lost', why: 'silent' },
  { type: 'clock-lost', why: 'no-presses' },
  { type: 'double-press', side: 'white', fromMs: 0 },
  { type: 'writing-over', side: 'black', timeMs: 299_000 },
].map((finding) => ({ ...finding, atMs: 0, ply: 3 }) as ClockFinding);

/** Details as the reconstructor and the Laws write them. */
const DETAILS: readonly (readonly [FlagWord, string])[] = [
  ['AMBIGUOUS', 'Nf3; Nh3; O-O-O; exd8=Q#'],
  ['DISPLACED', 'a1, b1'],
  ['ILLEGAL', 'e1g1'],
  ['ILLEGAL_STANDS', 'castling-incomplete'],
  ['CLAIM_OVER', 'touch-move, rook-first'],
  ['IRREGULAR_SINCE', 'illegal'],
  ['UNDERPROMO_NOTICE', 'knight'],
  ['RESULT', 'checkmate'],
  ['RESULT', 'pieces'],
  ['RESULT_CHANGED', '1-0 to 1/2-1/2'],
  ['RESULT_CONFLICT', 'board 1-0, desk 0-1'],
  ['RESULT_CONFLICT', 'board 1-0, drawn by itself'],
  ['RESULT_CONFLICT', 'flag white at 1500 ms, checkmate at 900 ms'],
  ['RESULT_PROPOSED', 'illegal-position'],
  ['RESULT_PROPOSED', 'flag-fall, unwinnable'],
  ['RESULT_PROPOSED', 'resignation, undecided'],
  ['THREEFOLD_CLAIMABLE', 'plies 2, 6, 10'],
  ['FIFTY_CLAIMABLE', '100 half-moves'],
  ['FIVEFOLD', '5'],
  ['DEFAULT_TIME', 'white'],
  ['CORRECTION_REFUSED', 'g8f6 cannot be played as ply 4'],
  ['CORRECTION_REFUSED', 'Nf3 before ply 4 cannot be played again'],
  ['CORRECTION_REFUSED', 'ply 9 does not follow a record of 5 plies'],
  ['POSTGAME', 'its end is proposed here'],
  ...FINDINGS.map((finding) => {
    const { code, detail } = makeClockFlag(finding);
    return [code.replace(/\(.*/, '') as FlagWord, detail!] as const;
  }),
];

describe('flags', () => {
  it.each(LANGUAGES)('have in %s a name, an explanation and the article of the Laws', (language) => {
    const phrases = createPhrases(language);
    for (const [word, [, article]] of Object.entries(FLAG_WORDS)) {
      const told = phrases.flag({ code: word });
      expect([word, told.name !== '', told.tells !== '']).toEqual([word, true, true]);
      expect([word, told.article.includes(article)]).toEqual([word, true]);
      expect([word, told.article === '']).toEqual([word, article === '']);
    }
  });

  it('keep the value of their code', () => {
    expect(ru.flag({ code: 'AMBIGUOUS(4)' }).name).toMatch(/ \(4\)$/);
    expect(ru.flag({ code: 'RESULT(1/2-1/2)' }).name).toMatch(/ 1\/2-1\/2$/);
    expect(ru.flag({ code: 'TIME_ADDED(white,120)', detail: 'white 120 s' })).toMatchObject({
      name: expect.not.stringContaining('white'),
      detail: 'Белые +2:00',
    });
  });

  it.each(DETAILS)('tell the detail of %s %j in every language', (word, detail) => {
    for (const phrases of [en, ru, be]) {
      const told = phrases.flag({ code: word, detail }).detail;
      expect(told).not.toBe('');
      if (phrases !== en) expect(told).not.toMatch(/[A-Zi-wyz]|[a-h]{2}/);
    }
  });

  it('tell a detail in words of nobody knows what in English only', () => {
    const flag = { code: 'DISPLACED', detail: 'something new, on e4' };
    expect(en.flag(flag).detail).toBe(flag.detail);
    expect([ru.flag(flag).detail, be.flag(flag).detail]).toEqual(['', '']);
  });

  it('pass a word of a newer program on as it is', () => {
    expect(be.flag({ code: 'BRAND_NEW(2)' })).toEqual({
      name: 'BRAND_NEW(2)',
      tells: '',
      article: '',
      detail: '',
    });
  });
});
