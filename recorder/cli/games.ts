import { openStoreReader, type StoredGame } from '../store/store.ts';
import { cutText, padText, plainText } from '../view/display-text.ts';
import { GAMES, parseOptions } from './arguments.ts';
import type { Io } from './io.ts';

const SERIOUS = ['warning', 'alarm'];

/** Lists the games in a database: a line each, or a JSON object a line. */
export async function runGames(options: unknown, io: Io): Promise<number> {
  const { db, board, json } = parseOptions(GAMES, options);
  const reader = openStoreReader(db);
  try {
    const games = reader.games({ ...(board !== undefined && { board }) });
    if (!json) {
      for (const line of makeGameTable(games)) io.out.write(`${line}\n`);
    } else for (const game of games) io.out.write(`${JSON.stringify(summaryOf(game))}\n`);
    return 0;
  } finally {
    reader.close();
  }
}

/** What a list says of a game. */
const summaryOf = ({ id, token, board, startedWallMs, record, tags }: StoredGame) => ({
  id,
  token,
  board,
  game: record.game,
  startedAt: new Date(startedWallMs).toISOString(),
  white: tags.White,
  black: tags.Black,
  variant: record.variant,
  plies: record.plies.length,
  result: record.result,
  score: record.score,
  reason: record.reason,
  ended: record.ended,
  uncertain: record.plies.filter(({ state }) => state === 'ambiguous').length,
  flags: record.flags
    .filter(({ severity }) => SERIOUS.includes(severity))
    .map(({ code, ply }) => ({ code, ply })),
});

function makeGameTable(games: readonly StoredGame[]): string[] {
  if (games.length === 0) return ['no games yet'];
  const rows = games.map((game) => {
    const { id, board, startedAt, white, black, plies, result, score, uncertain, flags } = summaryOf(game);
    return [
      String(id),
      board,
      startedAt.slice(0, 16).replace('T', ' '),
      white === undefined && black === undefined ? '' : `${white ?? '?'} - ${black ?? '?'}`,
      String(plies),
      score ?? result,
      uncertain > 0 ? `${uncertain} uncertain` : flags.length > 0 ? `${flags.length} flags` : '',
    ].map(plainText);
  });
  const head = ['Game', 'Board', 'Began (UTC)', 'Players', 'Plies', 'Result', 'Doubts'];
  const most = [6, 20, 16, 40, 5, 7, 14];
  const widths = head.map((title, i) =>
    Math.min(most[i]!, Math.max(title.length, ...rows.map((row) => row[i]!.length))),
  );
  return [head, ...rows].map((row) =>
    row
      .map((text, i) => padText(cutText(text, widths[i]!), widths[i]!))
      .join('  ')
      .trimEnd(),
  );
}
