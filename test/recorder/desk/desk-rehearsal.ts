import { Subject } from 'rxjs';
import { runDeskDemo } from '../../../recorder/demo/desk-demo.ts';
import { publishPgn } from '../../../recorder/publish/published-pgn.ts';
import { openStoreReader } from '../../../recorder/store/store.ts';

/** The demo of the desk, running. */
export interface Rehearsal {
  readonly url: string;
  readonly file: string;
  /**
   * What of each table is recorded now: tags that a person gives, moves and result. By table, later games by table and their number:
   * "8", "8.2".
   */
  games(): Map<string, RehearsedGame>;
  stop(): Promise<void>;
}

export interface RehearsedGame {
  readonly id: number;
  readonly white: string;
  readonly sans: string;
  readonly result: string;
  readonly pgn: string;
}

/** Number of the board of table 1; those of other tables follow. */
export const FIRST_BOARD = 20_101;
const TABLES = 12;

/** Starts the demo of the desk and waits until its desk is open. */
export async function rehearse(pageDir: string, speed: number, dir: string): Promise<Rehearsal> {
  const stop = new Subject<void>();
  let running: Promise<number> | undefined;
  const { url, file } = await new Promise<{ url: string; file: string }>((resolve, reject) => {
    running = runDeskDemo(
      { pageDir, speed, port: 0, dir, stop$: stop },
      { show: () => {}, done: () => {}, say: () => {} },
      (address, db) => resolve({ url: address, file: db }),
    );
    running.catch(reject);
  });
  return {
    url,
    file,
    games() {
      const reader = openStoreReader(file);
      try {
        const games = new Map<string, RehearsedGame>();
        for (const { id, tags, record, board, startedWallMs, token } of reader.games()) {
          const table = Number(board.replace(/^dgt-/, '')) - FIRST_BOARD + 1;
          // A spare board has no table.
          if (table > TABLES) continue;
          let [name, number] = [String(table), 1];
          while (games.has(name)) name = `${table}.${++number}`;
          games.set(name, {
            id,
            white: tags.White ?? '',
            sans: record.plies.map(({ san }) => san).join(' '),
            result: record.score ?? record.result,
            pgn: publishPgn(record, { tags, startedWallMs, token }),
          });
        }
        return games;
      } finally {
        reader.close();
      }
    },
    stop: async () => {
      stop.next();
      await running;
    },
  };
}
