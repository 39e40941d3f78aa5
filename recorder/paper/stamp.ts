import type { Language } from '../language/language.ts';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', ru: 'ru-RU', be: 'be-BY' };

/** A day in the local time of this machine: "30 Nov 2026" in the language. */
export const makeDay = (wallMs: number, language: Language): string =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium' }).format(wallMs);

/** A time of day in the local time of this machine, `hh:mm:ss`. */
export const makeTimeOfDay = (wallMs: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }).format(wallMs);
