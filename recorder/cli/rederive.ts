import { rederiveSitting } from '../rederive.ts';
import { openStore, openStoreReader, type Store, type StoreReader } from '../store/store.ts';
import { plainText } from '../view/display-text.ts';
import { parseOptions, REDERIVE } from './arguments.ts';
import type { Io } from './io.ts';

/**
 * Derives all games again from the raw input and reports what differs from what is stored; with `--apply` that is
 * accepted. Status 1 when something differs and was not accepted.
 */
export async function runRederive(options: unknown, io: Io): Promise<number> {
  const { db, board, apply, json } = parseOptions(REDERIVE, options);
  const writer: Store | undefined = apply ? openStore(db, { wallMs: () => Date.now() }) : undefined;
  const store: StoreReader = writer ?? openStoreReader(db);
  let games = 0;
  let differing = 0;
  try {
    for (const sitting of store.sittings()) {
      if (board !== undefined && sitting.board !== board) continue;
      const again = rederiveSitting(store, sitting);
      if (again === undefined) {
        io.err.write(
          `BOARD_UNKNOWN: ${plainText(sitting.board)} is a "${plainText(sitting.kind)}": left as it is\n`,
        );
        continue;
      }
      games += again.records.length;
      for (const { game, about, stored, derived } of again.differences) {
        if (json) {
          io.out.write(`${JSON.stringify({ board: sitting.board, game, about, stored, derived })}\n`);
        } else
          io.out.write(`${plainText(`${sitting.board} game ${game}, ${about}: ${stored} -> ${derived}`)}\n`);
      }
      for (const { id, game } of again.unheard) {
        const text = `decision ${id} is about game ${game} of ${sitting.board}, which was not there at its time`;
        io.err.write(`${plainText(text)}\n`);
      }
      if (again.differences.length === 0) continue;
      differing += new Set(again.differences.map(({ game }) => game)).size;
      writer?.replaceGames(sitting.id, again.events, again.entered);
    }
  } finally {
    store.close();
  }
  const verdict =
    differing === 0 ? 'all as stored' : `${differing} differ${apply ? ', accepted' : '; --apply accepts'}`;
  if (!json) io.out.write(`${games} games derived again: ${verdict}\n`);
  else
    io.out.write(
      `${JSON.stringify({ type: 'summary', games, differing, applied: apply && differing > 0 })}\n`,
    );
  return differing > 0 && !apply ? 1 : 0;
}
