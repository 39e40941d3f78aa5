/**
 * An event in several halls, with workers that derive for the hub and everything that can die dying: the same bytes of PGN as
 * the same event in one process. `HALL_BOARDS=200 HALLS=4` is the big one (figures in test/bench/HALLS.md).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom, of, Subject } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../driver/clock.ts';
import { record$ } from '../../recorder/recorder.ts';
import { forward$ } from '../../recorder/relay/forward.ts';
import { createHub } from '../../recorder/relay/hub.ts';
import { createMemoryWire } from '../../recorder/relay/memory-wire.ts';
import { openStore } from '../../recorder/store/store.ts';
import { freePort, hasNatsServer } from '../recorder/relay/nats-server.ts';
import { temporaryFolder } from '../recorder/temporary-folder.ts';
import { endEvent, openHall, pgnWithoutName, serveEvent } from './event-stream.ts';
import type { Hall } from './network.ts';
import { isFault, type Program, type Said, startProgram } from './program.ts';
import { allOver, allUp, expectRightGames, gamesOf, type Place, settle } from './round.ts';
import { LONG, SHORT, seatTable, type Table } from './table.ts';
import { lasting, reach } from './wait.ts';

const BOARDS = Number(process.env.HALL_BOARDS ?? 12);
const HALLS = Number(process.env.HALLS ?? 2);
/** People think the longer the more they are: two cores carry them and the programs. */
const THINK_MS = Math.max(400, BOARDS * 50);
const LIMIT_MS = 240_000 + BOARDS * 6000;

afterEach(endEvent);

/** All games of a database as one text, in an order of their own, without the name that each store gives them. */
const pgnOf = (db: string): string =>
  gamesOf(db)
    .sort((a, b) => a.board.localeCompare(b.board) || a.record.game - b.record.game)
    .map(pgnWithoutName)
    .join('\n');

/** The event in one process: what all edges have recorded, through a stream in memory, into one database. Gives its file. */
async function inOneProcess(folder: string, edges: readonly Place[]): Promise<string> {
  const wallMs = (): number => Date.now();
  const wire = createMemoryWire();
  const store = openStore(join(folder, 'one.sqlite'), { wallMs });
  const stop$ = new Subject<void>();
  const hub = createHub({ store, wire });
  const clock = createSystemClock({ originMs: store.originMs(Date.now()) });
  const recording = lastValueFrom(record$({ fleet: hub.heard, store, clock, stop$ }), {
    defaultValue: undefined,
  });
  const spools = edges.map(({ db }) => openStore(db, { wallMs }));
  for (const [i, spool] of spools.entries()) {
    await lastValueFrom(forward$({ edge: `hall-${i + 1}`, store: spool, wire, ending$: of(0) }), {
      defaultValue: undefined,
    });
  }
  stop$.next();
  await recording;
  for (const one of [store, ...spools]) one.close();
  return join(folder, 'one.sqlite');
}

const isPlyAt =
  (boards: readonly string[]) =>
  ({ type, board }: Said): boolean =>
    type === 'ply' && boards.includes(board ?? '');

/** A notice that tells how many partitions a process derives: `derives no boards` or a list. */
const derives =
  (is: (partitions: number) => boolean) =>
  ({ type, service, text }: Said): boolean => {
    const list = /^derives (?:no boards|partitions ([\d, ]+)) of/.exec(text ?? '');
    return type === 'notice' && service === 'worker' && list !== null && is(list[1]?.split(',').length ?? 0);
  };

describe(`an event of ${BOARDS} boards in ${HALLS} halls, with workers`, () => {
  it(
    'gives the PGN of the same event in one process, byte for byte, whoever dies meanwhile',
    async ({ skip }) => {
      skip(!hasNatsServer, 'there is no nats-server on this machine');
      const halls: Hall[] = [];
      for (let i = 0; i < HALLS; i++) {
        const hall = openHall(i);
        if (hall === undefined) return skip('network namespaces can be made by root only');
        halls.push(hall);
      }
      const folder = temporaryFolder();
      const port = await freePort();
      // At all addresses: each hall has its own way to it.
      let server = await serveEvent(folder, port, '0.0.0.0');
      const fromMs = Date.now();
      const seated = await Promise.all(
        Array.from({ length: BOARDS }, (_, i) =>
          seatTable(300 + i, i % 3 === 0 ? LONG : SHORT, halls[i % HALLS]!.boards, undefined, THINK_MS),
        ),
      );
      const tablesOf = (hall: number): Table[] => seated.filter((_, i) => i % HALLS === hall);
      const at = halls.map((hall, i) => {
        mkdirSync(join(folder, `hall-${i + 1}`));
        return settle(
          join(folder, `hall-${i + 1}`),
          tablesOf(i).map(({ place }) => place),
          `[stream]\nserver = "nats://${hall.server}:${port}"\nevent = "faults"\nedge = "hall-${i + 1}"\n`,
        );
      });
      mkdirSync(join(folder, 'hub'));
      const stream = `[stream]\nserver = "nats://127.0.0.1:${port}"\nevent = "faults"\nworkers = true\n`;
      const desk = settle(join(folder, 'hub'), [], stream);
      writeFileSync(join(folder, 'worker.toml'), stream);
      const startEdge = (i: number): Program =>
        startProgram(['edge', '--config', at[i]!.config], { within: halls[i]!.within });
      const startHub = (): Program => startProgram(['hub', '--config', desk.config]);
      const startWorker = (): Program => startProgram(['worker', '--config', join(folder, 'worker.toml')]);
      const atHub = seated.map(({ board }, i) => ({ board: `${board}@hall-${(i % HALLS) + 1}` }));
      const namesOf = (hall: number): string[] =>
        atHub.filter((_, i) => i % HALLS === hall).map(({ board }) => board);

      const edges = halls.map((_, i) => startEdge(i));
      const first = startWorker();
      const second = startWorker();
      let hub = startHub();
      const told: Said[] = [];
      await Promise.all(edges.map((edge, i) => allUp(edge, tablesOf(i))));
      await Promise.all(
        [first, second].map((worker) =>
          worker.until(
            derives((n) => n === 8),
            'its half',
          ),
        ),
      );
      const playing = Promise.all(seated.map((table) => table.play()));
      await hub.until(isPlyAt(namesOf(0)), 'a ply of the first hall');
      await hub.until(isPlyAt(namesOf(1)), 'a ply of the second hall');

      // A worker dies: the other takes over all that was its.
      expect(await first.end('SIGKILL')).toBe('SIGKILL');
      await second.until(
        derives((n) => n === 16),
        'that it has all',
      );

      // The other one sleeps: the hub works itself, until another comes.
      second.signal('SIGSTOP');
      await hub.until(
        derives((n) => n === 16),
        'that it derives by itself',
      );
      const third = startWorker();
      await third.until(
        derives((n) => n === 16),
        'that the third has all',
      );

      // A hall is cut off; meanwhile the hub dies, and the sleeper wakes.
      halls[0]!.link('down');
      await hub.until(isFault('RELAY_SILENT'), 'that a hall is silent');
      expect(await hub.end('SIGKILL')).toBe('SIGKILL');
      told.push(...hub.said);
      second.signal('SIGCONT');
      hub = startHub();
      await second.until(
        derives((n) => n < 16),
        'that it has lost what it had',
      );
      halls[0]!.link('up');

      // The server dies and comes back.
      await server.stop('SIGKILL');
      await hub.until(isFault('RELAY_AWAY'), 'that the server is away');
      await lasting(createSystemClock(), 500);
      server = await serveEvent(folder, port, '0.0.0.0');

      // An edge dies between two moves.
      for (const table of tablesOf(1)) table.pause();
      expect(await edges[1]!.end('SIGKILL')).toBe('SIGKILL');
      edges[1] = startEdge(1);
      await allUp(edges[1], tablesOf(1));
      for (const table of tablesOf(1)) table.resume();

      await playing;
      for (const [i, { db }] of at.entries()) await allOver(db, tablesOf(i));
      await allOver(desk.db, atHub);
      for (const edge of edges) expect(await edge.end()).toBe(0);
      const one = await inOneProcess(folder, at);
      const expected = pgnOf(one);
      await reach(() => pgnOf(desk.db) === expected, 'the last word of the edges', 60_000).catch(() => {});
      expect(await hub.end()).toBe(0);
      told.push(...hub.said);
      for (const worker of [second, third]) expect(await worker.end()).toBe(0);
      const count = expectRightGames(
        desk,
        seated.map((table, i) => ({ ...table, ...atHub[i]! })),
        told,
      ).length;
      expect(Buffer.from(pgnOf(desk.db)).equals(Buffer.from(expected))).toBe(true);
      const plies = seated.reduce((sum, { moves }) => sum + moves.length, 0);
      process.stdout.write(
        `${count} games, ${plies} plies, ${Buffer.byteLength(expected)} bytes of PGN alike; ${Math.round((Date.now() - fromMs) / 1000)} s\n`,
      );
    },
    LIMIT_MS,
  );
});
