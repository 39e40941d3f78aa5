import { BoardError } from '../../core/board-error.ts';

/** Languages in which arbiters are spoken to. */
export const LANGUAGES = ['en', 'ru', 'be'] as const;
export type Language = (typeof LANGUAGES)[number];

const isLanguage = (text: string): text is Language => (LANGUAGES as readonly string[]).includes(text);

/** The language of a locale such as `be_BY.UTF-8`, `ru-RU` or `en`; undefined when it is none of ours. */
export function languageOfLocale(locale: string): Language | undefined {
  const [name = ''] = locale.toLowerCase().split(/[_.@-]/);
  return isLanguage(name) ? name : undefined;
}

/** Variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The language of messages by the environment: the first of LC_ALL, LC_MESSAGES and LANG that is set decides (POSIX); else English. */
export function languageOfEnvironment({ LC_ALL, LC_MESSAGES, LANG }: Environment): Language {
  const locale = [LC_ALL, LC_MESSAGES, LANG].find((value) => value !== undefined && value !== '');
  return locale === undefined ? 'en' : (languageOfLocale(locale) ?? 'en');
}

/** The language that was asked for, else that of the environment; LANGUAGE_UNKNOWN for one that is not spoken here. */
export function chooseLanguage(asked: string | undefined, environment: Environment): Language {
  if (asked === undefined) return languageOfEnvironment(environment);
  const language = languageOfLocale(asked);
  if (language !== undefined) return language;
  throw new BoardError('LANGUAGE_UNKNOWN', { language: asked, known: LANGUAGES.join(', ') });
}
