/** Positions on which results hang, and of which nobody could say at once who can still mate in them (5.1.2, 5.2.2, 6.9, 7.5.5). */

import type { WinnabilityAnswer } from '../../core/laws/unwinnable/winnability.ts';
import { SIDES, type Side } from '../../core/square.ts';
import type { LawsNews } from '../derive.ts';
import type { Entry, EntryContent } from '../entry.ts';

/** Who signs what a search has found out. */
export const SEARCHER = 'jadoube';

/** A position to be searched. `game`: number of the game at its board. */
export interface OpenQuestion {
  readonly game: number;
  readonly ply: number;
  readonly fen: string;
}

/** The questions that derivation asks and no entry has answered, each position once. */
export function openQuestions(
  news: Iterable<{ readonly game: number; readonly news: LawsNews }>,
  entries: readonly Entry[],
): OpenQuestion[] {
  const keyOf = (game: number, fen: string): string => `${game} ${fen}`;
  const known = new Set(
    entries.flatMap(({ game, what }) => (what.type === 'verdict' ? [keyOf(game, what.fen)] : [])),
  );
  const open: OpenQuestion[] = [];
  for (const { game, news: item } of news) {
    if (item.type !== 'question' || known.has(keyOf(game, item.fen))) continue;
    known.add(keyOf(game, item.fen));
    open.push({ game, ply: item.ply, fen: item.fen });
  }
  return open;
}

/** Searches for both sides and gives what is to be entered. */
export async function answerQuestion(
  { ply, fen }: OpenQuestion,
  ask: (fen: string, side: Side) => Promise<WinnabilityAnswer> | WinnabilityAnswer,
): Promise<Extract<EntryContent, { type: 'verdict' }>> {
  const [white, black] = await Promise.all(SIDES.map(async (side) => (await ask(fen, side)).verdict));
  return { type: 'verdict', ply, fen, white: white!, black: black! };
}
