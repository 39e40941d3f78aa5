/** What the page says, in the language that was chosen; whoever uses it is drawn again when that changes. */
import { computed } from '@preact/signals';
import { createPhrases } from '../../language/phrases.ts';
import type { DeskKey } from '../words/english.ts';
import { deskText } from '../words/words.ts';
import { language } from './settings.ts';

export const phrases = computed(() => createPhrases(language.value));

/** A text of the page. */
export const say = (key: DeskKey, values?: Readonly<Record<string, string | number>>): string =>
  deskText(language.value, key, values);

/** SAN with the piece letters of the language. */
export const sayMove = (san: string): string => phrases.value.move(san);
export const sayMoves = (sans: readonly string[]): string =>
  sans.length === 0 ? '—' : sans.map(sayMove).join(' ');

/** A wall clock time of day. */
export const sayTime = (wallMs: number): string =>
  new Date(wallMs).toLocaleTimeString(language.value, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });

/** How long something has lasted: `0:42`, `12:05`, `1:02:03`. */
export function sayDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (n: number): string => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A clock as the one on the table shows it: below twenty seconds with tenths. */
export function sayClock(ms: number | undefined): string {
  if (ms === undefined) return '–:––';
  const text = sayDuration(ms);
  return ms < 20_000 ? `${text}.${Math.floor(ms / 100) % 10}` : text;
}
