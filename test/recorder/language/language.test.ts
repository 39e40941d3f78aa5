import { describe, expect, it } from 'vitest';
import { isBoardError } from '../../../core/board-error.ts';
import {
  chooseLanguage,
  languageOfEnvironment,
  languageOfLocale,
} from '../../../recorder/language/language.ts';

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
  } catch (error) {
    if (isBoardError(error)) return error.code;
  }
  return undefined;
};

describe('the language of messages', () => {
  it.each([
    ['be_BY.UTF-8', 'be'],
    ['be', 'be'],
    ['be@latin', 'be'],
    ['ru-RU', 'ru'],
    ['RU_ru', 'ru'],
    ['en_GB', 'en'],
    ['de_DE.UTF-8', undefined],
    ['C', undefined],
    ['english', undefined],
    ['', undefined],
  ])('of the locale %j is %j', (locale, language) => {
    expect(languageOfLocale(locale)).toBe(language);
  });

  it('is that of the first variable that is set, as POSIX has it', () => {
    expect(languageOfEnvironment({})).toBe('en');
    expect(languageOfEnvironment({ LANG: 'ru_RU.UTF-8' })).toBe('ru');
    expect(languageOfEnvironment({ LANG: 'ru_RU.UTF-8', LC_MESSAGES: 'be_BY.UTF-8' })).toBe('be');
    expect(languageOfEnvironment({ LANG: 'ru_RU.UTF-8', LC_ALL: '', LC_MESSAGES: '' })).toBe('ru');
    expect(languageOfEnvironment({ LANG: 'ru_RU.UTF-8', LC_ALL: 'C' })).toBe('en');
    expect(languageOfEnvironment({ LANG: 'de_DE.UTF-8' })).toBe('en');
  });

  it('is the one that was asked for, whatever the environment says', () => {
    expect(chooseLanguage('be', { LANG: 'ru_RU.UTF-8' })).toBe('be');
    expect(chooseLanguage(undefined, { LANG: 'ru_RU.UTF-8' })).toBe('ru');
    expect(codeOf(() => chooseLanguage('tlh', {}))).toBe('LANGUAGE_UNKNOWN');
    expect(codeOf(() => chooseLanguage('', {}))).toBe('LANGUAGE_UNKNOWN');
  });
});
