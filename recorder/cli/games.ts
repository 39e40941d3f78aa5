import type { Phrases } from '../language/phrases.ts';
import { openStoreReader, type StoredGame } from '../store/store.ts';
import { cutText, padText, plainText } from '../view/display-text.ts';
import { GAMES, parseOptions, phrasesFor } from './arguments.ts';
import type { Io } from './io.ts';

const COLUMNS = ['game', 'board', 'began', 'players', 'plies', 'result', 'doubts'] as const;
const SERIOUS = ['warning', 'alarm'];

/** Lists the games in a database: a line each, or a JSON object a line. */
export async function runGames(options: unknown, io: Io): Promise<number> {
  const { db, board, json, lang } = parseOptions(GAMES, options);
  const phrases = phrasesFor(lang, io);
  const reader = openStoreReader(db);
  try {
    const games = reader.games({ ...(board !== undefined && { board }) });
    if (!json) {
      for (const line of makeGameTable(games, phrases)) io.out.write(`${line}\n`);
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

function makeGameTable(games: readonly StoredGame[], phrases: Phrases): string[] {
  if (games.length === 0) return [phrases.text('games-none')];
  const rows = games.map((game) => {
    const { id, board, startedAt, white, black, plies, result, score, uncertain, flags } = summaryOf(game);
    return [
      String(id),
      board,
      startedAt.slice(0, 16).replace('T', ' '),
      white === undefined && black === undefined ? '' : `${white ?? '?'} - ${black ?? '?'}`,
      String(plies),
      score ?? result,
      uncertain > 0
        ? phrases.count('uncertain', uncertain)
        : flags.length > 0
          ? phrases.count('flag', flags.length)
          : '',
    ].map(plainText);
  });
  const head = COLUMNS.map((column) => phrases.text(`games-${column}`));
  const most = [6, 20, 16, 40, 8, 9, 14];
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
