import type { Language } from '../../language/language.ts';
import { BELARUSIAN_DESK } from './belarusian.ts';
import { type DeskKey, type DeskTexts, ENGLISH_DESK } from './english.ts';
import { RUSSIAN_DESK } from './russian.ts';

/** What the page says, by language. */
export const DESK_TEXTS: Readonly<Record<Language, DeskTexts>> = {
  en: ENGLISH_DESK,
  ru: RUSSIAN_DESK,
  be: BELARUSIAN_DESK,
};

/** A text of the page with its values in place; a place without a value stays as it is. */
export const deskText = (
  language: Language,
  key: DeskKey,
  values: Readonly<Record<string, string | number>> = {},
): string =>
  DESK_TEXTS[language][key].replace(/\{([a-z]+)\}/g, (place, name: string) => String(values[name] ?? place));
