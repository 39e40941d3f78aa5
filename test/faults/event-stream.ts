/** The server of an event and the halls that reach it, gone after each test. */
import { join } from 'node:path';
import { publishPgn } from '../../recorder/publish/published-pgn.ts';
import type { StoredGame } from '../../recorder/store/store.ts';
import { type NatsServer, startNatsServer } from '../recorder/relay/nats-server.ts';
import { type Hall, makeHall } from './network.ts';
import { endPrograms } from './program.ts';
import { closeTables } from './table.ts';

const servers: NatsServer[] = [];
const halls: Hall[] = [];

/** Starts the server in a folder, once more where one has ended. */
export async function serveEvent(folder: string, port: number, host?: string): Promise<NatsServer> {
  const server = await startNatsServer(join(folder, 'js'), port, host);
  servers.push(server);
  return server;
}

/** A network namespace of its own; undefined where this is not allowed. */
export function openHall(index?: number): Hall | undefined {
  const hall = makeHall(index);
  if (hall !== undefined) halls.push(hall);
  return hall;
}

/** Ends programs, tables, servers and halls, in this order. */
export async function endEvent(): Promise<void> {
  await endPrograms();
  await closeTables();
  for (const server of servers.splice(0)) await server.stop('SIGKILL');
  for (const hall of halls.splice(0)) hall.remove();
}

/** A game as PGN, but for the tag that names it in the world: each store gives its own. */
export const pgnWithoutName = (game: StoredGame): string =>
  publishPgn(game.record, game).replace(/\[GameId .*\n/, '');
