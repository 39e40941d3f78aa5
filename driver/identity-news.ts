import type { BoardIdentity } from '../boards/definition.ts';

/** What an answer adds to what is known of a board, or changes of it; undefined when that is nothing. */
export function identityNews(known: BoardIdentity, said: BoardIdentity): BoardIdentity | undefined {
  const news = Object.entries(said).filter(([name, value]) => known[name as keyof BoardIdentity] !== value);
  return news.length === 0 ? undefined : (Object.fromEntries(news) as BoardIdentity);
}
