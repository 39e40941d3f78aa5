/** Tables of pairings in files that have none: the order in which arbiters publish them (broadcast-pgn-trf 4.2). */
import type { Score } from '../../core/laws/endings.ts';

/** What counts for the order. */
export interface RankedPlayer {
  /** Starting rank: the better the lower. */
  readonly number: number;
  /** Points before the round. */
  readonly points: number;
  readonly team?: number;
  /** Place in the team, from 1. */
  readonly teamBoard?: number;
}

/** Points of a result in a round, by its code in the report. */
export const POINTS: Readonly<Record<string, number>> = {
  '1': 1,
  '+': 1,
  W: 1,
  F: 1,
  U: 1,
  '=': 0.5,
  D: 0.5,
  H: 0.5,
};

/** The result of White by its code and that of Black; undefined when neither says one. */
export function scoreOf(
  white: string,
  black: string,
): { readonly score: Score; readonly forfeit: boolean } | undefined {
  const points = (code: string): number | undefined => {
    if (code === '' || code === '*') return undefined;
    return POINTS[code] ?? 0;
  };
  const [w, b] = [points(white), points(black)];
  if (w === undefined && b === undefined) return undefined;
  const forfeit = /[+-]/.test(white) || /[+-]/.test(black);
  const [first, second] = [w ?? 1 - b!, b ?? 1 - w!];
  const word = (value: number): string => (value === 1 ? '1' : value === 0 ? '0' : '1/2');
  const score = `${word(first)}-${word(second)}`;
  return (['1-0', '0-1', '1/2-1/2', '0-0', '1/2-0', '0-1/2'] as const).some((one) => one === score)
    ? { score: score as Score, forfeit }
    : undefined;
}

/** Sorts pairings as they are published: higher score of the two, sum of scores, better ranked; teams together. */
export function sortTables<Pair extends { readonly white: RankedPlayer; readonly black: RankedPlayer }>(
  pairs: readonly Pair[],
): Pair[] {
  const matches = new Map<string, number>();
  const keyOf = ({ white, black }: Pair): string | undefined =>
    white.team === undefined || black.team === undefined
      ? undefined
      : [white.team, black.team].sort((a, b) => a - b).join(' ');
  for (const pair of pairs) {
    const key = keyOf(pair);
    if (key !== undefined) matches.set(key, (matches.get(key) ?? 0) + pair.white.points + pair.black.points);
  }
  return [...pairs].sort((a, b) => {
    const [first, second] = [keyOf(a), keyOf(b)];
    if (first !== undefined && second !== undefined) {
      if (first !== second)
        return (
          matches.get(second)! - matches.get(first)! || first.localeCompare(second, 'en', { numeric: true })
        );
      return (
        (a.white.teamBoard ?? 0) +
        (a.black.teamBoard ?? 0) -
        (b.white.teamBoard ?? 0) -
        (b.black.teamBoard ?? 0)
      );
    }
    return (
      Math.max(b.white.points, b.black.points) - Math.max(a.white.points, a.black.points) ||
      b.white.points + b.black.points - a.white.points - a.black.points ||
      Math.min(a.white.number, a.black.number) - Math.min(b.white.number, b.black.number)
    );
  });
}
