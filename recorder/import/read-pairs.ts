import type { PlayerFacts } from '../tournament/tournament.ts';
import {
  type Imported,
  type ImportedPairing,
  type ImportWarning,
  lineWarning,
  type ReadOptions,
} from './imported.ts';

/**
 * Reads the pairs of a pairing engine (JaVaFo, bbpPairings): their number, then a line each with the starting ranks of White and Black in
 * the order of the tables, 0 for nobody (broadcast-pgn-trf 4.2). Players are known by their ranks in the section; `options.round`
 * says the round.
 */
export function readPairs(text: string, options: ReadOptions = {}): Imported {
  const section = options.section ?? '';
  const round = options.round ?? 1;
  const warnings: ImportWarning[] = [];
  const places = new Map<number, number>();
  const players: PlayerFacts[] = [];
  const pairings: ImportedPairing[] = [];
  const player = (number: number): number | undefined => {
    if (number === 0) return undefined;
    const at = places.get(number);
    if (at !== undefined) return at;
    places.set(number, players.length);
    // The name is known by the rank; whoever is not there is told of when the plan is made.
    return players.push({ section, name: '', number }) - 1;
  };
  let announced: number | undefined;
  let board = 0;
  for (const [index, row] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const line = index + 1;
    const words = row.trim().split(/\s+/);
    if (row.trim() === '') continue;
    if (announced === undefined && words.length === 1 && /^\d{1,6}$/.test(words[0]!)) {
      announced = Number(words[0]);
      continue;
    }
    if (words.length !== 2 || !words.every((word) => /^\d{1,6}$/.test(word))) {
      warnings.push(lineWarning(line, 'this is no pair of starting ranks'));
      continue;
    }
    const [white, black] = words.map((word) => player(Number(word)));
    if (white === undefined && black === undefined) {
      warnings.push(lineWarning(line, 'nobody plays nobody'));
      continue;
    }
    const isGame = white !== undefined && black !== undefined;
    pairings.push({
      section,
      round,
      ...(isGame && { board: ++board }),
      ...(white !== undefined && { white }),
      ...(black !== undefined && { black }),
      line,
    });
  }
  if (announced !== undefined && announced !== pairings.length)
    warnings.push(lineWarning(1, `${announced} pairs are announced and ${pairings.length} are there`));
  return { kind: 'pairs', event: {}, dates: [], players, pairings, warnings };
}
