/** What somebody has chosen on this machine; it stays here. */
import { signal } from '@preact/signals';
import { LANGUAGES, type Language, languageOfLocale } from '../../language/language.ts';
import { type HallOrder, ORDERS } from '../model/desk-state.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** What was kept under a name; undefined when there is nothing, or when nothing may be kept. */
function read(name: string): string | undefined {
  try {
    return localStorage.getItem(`jadoube-${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`jadoube-${name}`, value);
  } catch {
    // A browser that keeps nothing asks again the next time.
  }
}

const oneOf = <T extends string>(values: readonly T[], value: string | undefined): T | undefined =>
  values.find((known) => known === value);

export const language = signal<Language>(
  oneOf(LANGUAGES, read('language')) ?? languageOfLocale(navigator.language) ?? 'en',
);
export const theme = signal<Theme>(oneOf(THEMES, read('theme')) ?? 'auto');
export const order = signal<HallOrder>(oneOf(ORDERS, read('order')) ?? 'table');
export const hasSound = signal(read('sound') === 'yes');
/** How decisions are signed where there are no accounts. */
export const signature = signal(read('signature') ?? '');

export function choose(name: 'language', value: Language): void;
export function choose(name: 'theme', value: Theme): void;
export function choose(name: 'order', value: HallOrder): void;
export function choose(name: 'sound', value: boolean): void;
export function choose(name: 'signature', value: string): void;
export function choose(name: string, value: string | boolean): void {
  keep(name, value === true ? 'yes' : value === false ? 'no' : value);
  if (name === 'language') language.value = value as Language;
  if (name === 'theme') theme.value = value as Theme;
  if (name === 'order') order.value = value as HallOrder;
  if (name === 'sound') hasSound.value = value === true;
  if (name === 'signature') signature.value = value as string;
}
