import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../driver/clock.ts';
import { freePort, hasNatsServer } from '../recorder/relay/nats-server.ts';
import { temporaryFolder } from '../recorder/temporary-folder.ts';
import { endEvent, openHall, pgnWithoutName, serveEvent } from './event-stream.ts';
import { isFault, type Said, startProgram } from './program.ts';
import { allOver, allUp, expectRightGames, gamesOf, type Place, settle } from './round.ts';
import { LONG, SHORT, seatTable } from './table.ts';
import { lasting, reach } from './wait.ts';

afterEach(endEvent);

/** Games as PGN, but for the tag that names each in the world: each store gives its own. */
const pgnOf = ({ db }: Place): string[] => gamesOf(db).map(pgnWithoutName).sort();

/** Settings of one side of the stream, in a folder of its own. */
function side(folder: string, name: string, places: readonly string[], url: string): Place {
  mkdirSync(join(folder, name));
  const edge = name === 'hub' ? '' : `edge = "${name}"\n`;
  return settle(join(folder, name), places, `[stream]\nserver = "${url}"\nevent = "faults"\n${edge}`);
}

describe('an edge and a hub', () => {
  it('are killed in the middle of games, and the server between them: both have the same games in the end', async ({
    skip,
  }) => {
    skip(!hasNatsServer, 'there is no nats-server on this machine');
    const folder = temporaryFolder();
    const port = await freePort();
    let server = await serveEvent(folder, port);
    const tables = await Promise.all([seatTable(51, LONG), seatTable(52, LONG), seatTable(53, SHORT)]);
    const places = tables.map((table) => table.place);
    const at = { edge: side(folder, 'hall-1', places, server.url), hub: side(folder, 'hub', [], server.url) };
    const start = {
      edge: () => startProgram(['edge', '--config', at.edge.config]),
      hub: () => startProgram(['hub', '--config', at.hub.config]),
    };
    const said: Record<'edge' | 'hub', Said[]> = { edge: [], hub: [] };
    let edge = start.edge();
    let hub = start.hub();
    await allUp(edge, tables);
    const playing = Promise.all(tables.map((table) => table.play()));
    const isMoving = (line: Said): boolean => line.type === 'ply';
    await hub.until(isMoving, 'a ply that was played at the edge');

    expect(await hub.end('SIGKILL')).toBe('SIGKILL');
    said.hub.push(...hub.said);
    const without = tables[0]!.done();
    await reach(() => tables[0]!.done() > without + 0.05, 'play without the hub');
    for (const table of tables) table.pause();
    hub = start.hub();
    await hub.until(isMoving, 'what was played without it');
    for (const table of tables) table.resume();

    await server.stop('SIGKILL');
    await Promise.all(
      [edge, hub].map((program) => program.until(isFault('RELAY_AWAY'), 'that the server is away')),
    );
    server = await serveEvent(folder, port);
    const before = hub.said.length;
    await reach(() => hub.said.slice(before).some(isMoving), 'a ply after the server came back');

    for (const table of tables) table.pause();
    expect(await edge.end('SIGKILL')).toBe('SIGKILL');
    said.edge.push(...edge.said);
    edge = start.edge();
    await allUp(edge, tables);
    for (const table of tables) table.resume();

    await playing;
    await allOver(at.edge.db, tables);
    const atHub = tables.map(({ board }) => ({ board: `${board}@hall-1` }));
    await allOver(at.hub.db, atHub);
    expect(await edge.end()).toBe(0);
    await reach(
      () => JSON.stringify(pgnOf(at.hub)) === JSON.stringify(pgnOf(at.edge)),
      'the last word of the edge',
      20_000,
    ).catch(() => {});
    expect(await hub.end()).toBe(0);
    expectRightGames(at.edge, tables, [...said.edge, ...edge.said]);
    expectRightGames(
      at.hub,
      tables.map((table, i) => ({ ...table, ...atHub[i]! })),
      [...said.hub, ...hub.said],
    );
    expect(pgnOf(at.hub)).toEqual(pgnOf(at.edge));
  });

  it('are separated by a cut cable for longer than a silence is: the edge goes on, the hub says so and catches up', async ({
    skip,
  }) => {
    skip(!hasNatsServer, 'there is no nats-server on this machine');
    const hall = openHall();
    if (hall === undefined) return skip('network namespaces can be made by root only');
    const folder = temporaryFolder();
    const server = await serveEvent(folder, await freePort(), hall.server);
    const tables = await Promise.all([seatTable(61, LONG, hall.boards), seatTable(62, LONG, hall.boards)]);
    const at = {
      edge: side(
        folder,
        'hall-2',
        tables.map((table) => table.place),
        server.url,
      ),
      hub: side(folder, 'hub', [], server.url),
    };
    const edge = startProgram(['edge', '--config', at.edge.config], { within: hall.within });
    const hub = startProgram(['hub', '--config', at.hub.config]);
    await allUp(edge, tables);
    const playing = Promise.all(tables.map((table) => table.play()));
    await hub.until(({ type }) => type === 'ply', 'a ply that was played at the edge');
    hall.link('down');
    await hub.until(isFault('RELAY_SILENT'), 'that the edge is silent');
    const plies = (): number => gamesOf(at.edge.db).reduce((sum, { record }) => sum + record.plies.length, 0);
    const before = plies();
    await reach(() => plies() > before + 2, 'that the edge goes on');
    await lasting(createSystemClock(), 1000);
    hall.link('up');
    await playing;
    await allOver(at.edge.db, tables);
    const atHub = tables.map(({ board }) => ({ board: `${board}@hall-2` }));
    await allOver(at.hub.db, atHub);
    expect(await edge.end()).toBe(0);
    await reach(
      () => pgnOf(at.hub).join() === pgnOf(at.edge).join(),
      'the last word of the edge',
      20_000,
    ).catch(() => {});
    expect(await hub.end()).toBe(0);
    expectRightGames(at.edge, tables, edge.said);
    expect(pgnOf(at.hub)).toEqual(pgnOf(at.edge));
  });
});
