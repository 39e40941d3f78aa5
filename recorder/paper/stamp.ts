import type { Language } from '../language/language.ts';
import { makeShortTime } from '../language/short-time.ts';

const DAYS: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  en: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }),
  ru: new Intl.DateTimeFormat('ru-RU', { day: '2-digit', month: '2-digit', year: 'numeric' }),
  be: new Intl.DateTimeFormat('be-BY', { day: '2-digit', month: '2-digit', year: 'numeric' }),
};
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** A day in the local time of this machine, as the language writes it. */
export const makeDay = (wallMs: number, language: Language): string => DAYS[language].format(wallMs);

/** The day of a PGN Date tag as the language writes it; the tag itself where it is no whole date. */
export function makeTagDay(tag: string, language: Language): string {
  const match = /^(\d{4})\.(\d{2})\.(\d{2})$/.exec(tag);
  if (match === null) return tag;
  return makeDay(new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3])).getTime(), language);
}

/** A time of day in the local time of this machine, `hh:mm:ss`. */
export const makeTimeOfDay = (wallMs: number): string => TIME.format(wallMs);

/** Time used for a move, in whole seconds as a clock shows it: `0:07`, `1:02:03`. */
export const makeUsedTime = (ms: number): string => makeShortTime(Math.floor(ms / 1000) * 1000);
