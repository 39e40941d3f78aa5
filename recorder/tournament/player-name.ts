/** Names as different programs write them: with and without accents, in both orders, with initials. */

const SPECIAL: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ё: 'е',
};

/** Words of a name without accents, case and signs, in alphabetical order: equal for `Müller, Änne` and `anne muller`. */
export const foldedWords = (name: string): string[] =>
  name
    .toLowerCase()
    .replace(/[ßæœøłđðþıё]/g, (letter) => SPECIAL[letter]!)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .sort();

/** A name as a key: equal for spellings that are surely the same. */
export const foldName = (name: string): string => foldedWords(name).join(' ');

/** Whether two names can be the same person's: each word of the shorter is one of the longer, or its first letter. */
export function areSimilarNames(a: string, b: string): boolean {
  const [short, long] = [foldedWords(a), foldedWords(b)].sort((x, y) => x.length - y.length) as [
    string[],
    string[],
  ];
  const left = [...long];
  let whole = 0;
  for (const word of short) {
    const at = left.indexOf(word);
    const near =
      at >= 0
        ? at
        : left.findIndex((other) => (word.length === 1 || other.length === 1) && word[0] === other[0]);
    if (near < 0) return false;
    if (at >= 0) whole++;
    left.splice(near, 1);
  }
  // One whole word at least: initials alone are anybody's.
  return whole > 0;
}

/** Whether one name is the other with a slip of the pen: a few letters of many differ. */
export function areNearNames(a: string, b: string): boolean {
  const [x, y] = [foldName(a), foldName(b)];
  const most = Math.max(x.length, y.length);
  return most > 0 && distance(x, y) <= Math.floor(most / 5);
}

/** Letters to be put in, left out or exchanged. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

/** Whether a name stands for nobody: a bye in a list of pairings. */
export const isNobody = (name: string): boolean =>
  /^(bye|-+|\?*|spielfrei|frei|libre|exempt|exempte|riposo|свободен|вольны|wolny|volno|not paired|free)$/i.test(
    name.trim(),
  );
