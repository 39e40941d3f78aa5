import { joinPgn } from '../pgn/writer.ts';
import { publishPgn } from '../publish/published-pgn.ts';
import { openStoreReader } from '../store/store.ts';
import { EXPORT, parseOptions } from './arguments.ts';
import type { Io } from './io.ts';
import { ArgumentError } from './print-fault.ts';
import { writeFile } from './write-file.ts';

/** Writes games of a database as PGN, all or those that are named. */
export async function runExport(options: unknown, io: Io): Promise<number> {
  const { db, board, game: ids, all, tenths, emt, out } = parseOptions(EXPORT, options);
  const reader = openStoreReader(db);
  try {
    const games = reader.games({ ...(board !== undefined && { board }) });
    const missing = ids.find((id) => !games.some((game) => game.id === id));
    if (missing !== undefined) throw new ArgumentError(`there is no game ${missing} in ${db}`);
    const chosen = ids.length === 0 ? games : ids.map((id) => games.find((game) => game.id === id)!);
    const text = joinPgn(chosen.map((game) => publishPgn(game.record, game, { all, tenths, spent: emt })));
    if (out === undefined) io.out.write(text);
    else {
      await writeFile(out, text);
      io.err.write(`${chosen.length} games: ${out}\n`);
    }
    return 0;
  } finally {
    reader.close();
  }
}
