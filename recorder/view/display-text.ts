/** Text on a terminal: what it takes, and cut to what there is. */

// Ranges that terminals draw two cells wide: East Asian scripts and pictographs.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /[\p{M}\p{Cf}]/u;

/** Text from outside without anything that could move a cursor, change a colour or turn the writing direction. */
export const plainText = (text: string): string =>
  text
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .replace(/[\p{Cc}\p{Cs}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '');

const widthOf = (char: string): number => (NO_WIDTH.test(char) ? 0 : WIDE.test(char) ? 2 : 1);

/** How many cells a plain text takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const char of text) width += widthOf(char);
  return width;
}

/** Cuts a plain text to at most `width` cells, with an ellipsis where something is missing. */
export function cutText(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width <= 0) return '';
  let cut = '';
  let used = 0;
  for (const char of text) {
    if (used + widthOf(char) > width - 1) break;
    cut += char;
    used += widthOf(char);
  }
  return `${cut}…`;
}

/** Cuts a plain text from its beginning, so that its end stays. */
export function cutStart(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width <= 0) return '';
  let cut = '';
  let used = 0;
  for (const char of [...text].reverse()) {
    if (used + widthOf(char) > width - 1) break;
    cut = char + cut;
    used += widthOf(char);
  }
  return `…${cut}`;
}

/** Fills a plain text with blanks to exactly `width` cells. */
export const padText = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));
