import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createOfficeHere } from '../../../recorder/desk/ask-office.ts';
import type { AuditEvent } from '../../../recorder/desk/audit.ts';
import { BoardHealthWatch } from '../../../recorder/desk/board-health.ts';
import { createDeskApp, type DeskAppOptions } from '../../../recorder/desk/desk-app.ts';
import { Hall } from '../../../recorder/desk/hall.ts';
import { LiveStream } from '../../../recorder/desk/live-stream.ts';
import { openStoreReader, type StoreReader } from '../../../recorder/store/store.ts';
import { RECORDED_WALL_MS, recordGames } from '../recorded-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A desk over a database of recorded games, asked without a port. */
export interface DeskUnderTest {
  readonly app: FastifyInstance;
  readonly file: string;
  readonly hall: Hall;
  readonly live: LiveStream;
  readonly reader: StoreReader;
  readonly audited: AuditEvent[];
  readonly failures: unknown[];
  close(): Promise<void>;
}

export const NOW_MS = RECORDED_WALL_MS + 3_600_000;

/** Everything that can differ after a request that was refused. */
export const stateOf = ({ reader }: DeskUnderTest): string =>
  JSON.stringify([reader.games(), reader.sittings().map(({ id }) => reader.entered(id))]);

export async function openDeskUnderTest(
  games: readonly (readonly string[])[],
  options: Partial<DeskAppOptions> = {},
  tags: Readonly<Record<string, string>> = { White: 'Anna', Black: 'Boris' },
): Promise<DeskUnderTest> {
  const file = join(temporaryFolder(), 'games.sqlite');
  recordGames(file, games, tags);
  const reader = openStoreReader(file);
  const hall = new Hall({ nowMs: () => NOW_MS, wallMsOf: (atMs) => RECORDED_WALL_MS + atMs });
  const entriesOf = (sittingId: number, number: number) =>
    reader.entered(sittingId).entries.filter(({ game }) => game === number);
  hall.load(reader.games(), ({ sittingId, record }) => entriesOf(sittingId, record.game));
  const live = new LiveStream({ hall, boot: 'boot', nowMs: () => NOW_MS, speed: 1 });
  const audited: AuditEvent[] = [];
  const failures: unknown[] = [];
  const app = await createDeskApp({
    hall,
    live,
    health: new BoardHealthWatch(() => 0),
    office: createOfficeHere(file),
    reader,
    unwinnable: {
      askUnwinnable: async () => ({ verdict: 'undecided', nodes: 0 }),
      close: async () => {},
    },
    accounts: [],
    pageDir: undefined,
    nowMs: () => NOW_MS,
    audit: (event) => audited.push(event),
    entered: (id) => {
      const [game] = reader.games({ id });
      if (game !== undefined) hall.enter(id, entriesOf(game.sittingId, game.record.game));
    },
    changed: () => hall.setHolds(reader.holds()),
    failed: (error) => failures.push(error),
    ...options,
  });
  return {
    app,
    file,
    hall,
    live,
    reader,
    audited,
    failures,
    close: async () => {
      live.close();
      await app.close();
      reader.close();
    },
  };
}
