import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../driver/clock.ts';
import { openStoreReader } from '../../recorder/store/store.ts';
import { temporaryFolder } from '../recorder/temporary-folder.ts';
import { makeWallClock, reachInside } from './inside.ts';
import { endPrograms, isFault, type Program, type Said, startProgram } from './program.ts';
import {
  allOver,
  allUp,
  expectDerivedAgain,
  expectRightGames,
  expectSameGames,
  gamesOf,
  type Place,
  settle,
  tokensOf,
} from './round.ts';
import { closeTables, LONG, layCable, SHORT, seatTable, type Table } from './table.ts';
import { lasting, reach } from './wait.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const STALL_MS = 4200;

afterEach(async () => {
  await endPrograms();
  await closeTables();
});

const count = (program: Program, code: string): number => program.said.filter(isFault(code)).length;
const played = (tables: readonly Table[], part: number): Promise<void> =>
  reach(() => tables.every((table) => table.done() >= part), `play, ${part}`);

/** The input of every board is stored in the order in which it came, and no clock time of a game has jumped by more than the game took. */
function expectOrder(place: Place): void {
  const reader = openStoreReader(place.db);
  try {
    for (const { id } of reader.sittings()) {
      const times = [...reader.inputs(id)].map(({ atMs }) => atMs);
      expect(times.length).toBeGreaterThan(0);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.at(-1)! - times[0]!).toBeLessThan(10 * MINUTE_MS);
    }
  } finally {
    reader.close();
  }
  for (const { record } of gamesOf(place.db))
    for (const side of [0, 1]) {
      const clocks = record.plies.filter((_, i) => i % 2 === side).flatMap(({ clockMs }) => clockMs ?? []);
      expect(clocks.length).toBeGreaterThan(3);
      expect(Math.max(...clocks) - Math.min(...clocks)).toBeLessThan(5 * MINUTE_MS);
    }
}

describe('the time of the computer', () => {
  it('is set by an hour, forwards and back, in the middle of games and over a restart: said, and no game, time or order hangs on it', async ({
    skip,
  }) => {
    const folder = temporaryFolder();
    const wall = makeWallClock(folder);
    if (wall === undefined) return skip('a wall clock that can be set needs a C compiler');
    const tables = await Promise.all([seatTable(61, LONG), seatTable(62, SHORT)]);
    const place = settle(
      folder,
      tables.map((table) => table.place),
    );
    const serve = () => startProgram(['serve', '--config', place.config], { env: wall.env });
    let program = serve();
    await allUp(program, tables);
    const playing = Promise.all(tables.map((table) => table.play()));
    const steps = [HOUR_MS, 0, -HOUR_MS];
    for (const [step, ms] of steps.entries()) {
      await played([tables[0]!], 0.15 * (step + 1));
      wall.set(ms);
      await reach(() => count(program, 'CLOCK_STEPPED') > step, 'that the clock was set');
    }
    const words = program.said.filter(isFault('CLOCK_STEPPED')).map(({ message }) => message ?? '');
    for (const [i, direction] of ['forwards', 'back', 'back'].entries())
      expect(words[i]).toMatch(new RegExp(`set ${direction} by 3(600|599|601) seconds`));
    // The program is started again while the clock stands an hour before what it has stored last.
    for (const table of tables) table.pause();
    await lasting(createSystemClock(), 500);
    const said: Said[] = [...program.said];
    const tokens = tokensOf(place.db);
    expect(await program.end('SIGKILL')).toBe('SIGKILL');
    wall.set(-2 * HOUR_MS);
    program = serve();
    await allUp(program, tables);
    for (const table of tables) table.resume();
    await playing;
    await allOver(place.db, tables);
    expect(await program.end()).toBe(0);
    expectSameGames(expectRightGames(place, tables, [...said, ...program.said]), tokens);
    expectOrder(place);
    expectDerivedAgain(place);
  });

  it('stands still: the computer sleeps for a minute while people play on, and one link is dead when it wakes', async ({
    skip,
  }) => {
    const folder = temporaryFolder();
    const wall = makeWallClock(folder);
    if (wall === undefined) return skip('a wall clock that can be set needs a C compiler');
    const tables = await Promise.all([seatTable(63, LONG), seatTable(64, LONG)]);
    const cable = await layCable(tables[1]!);
    const place = settle(folder, [tables[0]!.place, cable.place]);
    const program = startProgram(['serve', '--config', place.config], { env: wall.env });
    await allUp(program, tables);
    const playing = Promise.all(tables.map((table) => table.play()));
    await played(tables, 0.3);
    // Of the minute the program's own clock counts nothing (CLOCK_MONOTONIC stands while a machine sleeps): this much is real.
    program.signal('SIGSTOP');
    cable.cut();
    // Longer than a board keeps to itself what is played while nobody listens; people think meanwhile.
    await lasting(createSystemClock(), 3000);
    for (const table of tables) table.pause();
    await lasting(createSystemClock(), 8000);
    wall.set(MINUTE_MS);
    program.signal('SIGCONT');
    await program.until(isFault('HOST_STALLED'), 'that it stood still');
    await program.until(isFault('CLOCK_STEPPED'), 'that the computer slept');
    await program.until(
      (line) => line.board === tables[1]!.board && line.link === 'lost',
      'that a link is lost',
    );
    await reach(
      () => program.said.filter((line) => line.board === tables[1]!.board && line.link === 'up').length > 1,
      'that board again',
    );
    for (const table of tables) table.resume();
    await playing;
    await allOver(place.db, tables);
    expect(await program.end()).toBe(0);
    expectRightGames(place, tables, program.said, { mayDoubt: true });
    expectDerivedAgain(place);
    await cable.close();
  });

  it('does not reach the program: its event loop is held for seconds, twice, and it is said', async () => {
    const folder = temporaryFolder();
    const inside = reachInside(folder);
    const tables = await Promise.all([seatTable(65, LONG), seatTable(66, SHORT)]);
    const place = settle(
      folder,
      tables.map((table) => table.place),
    );
    const program = startProgram(['serve', '--config', place.config], { env: inside.env });
    await allUp(program, tables);
    const playing = Promise.all(tables.map((table) => table.play()));
    for (const [round, part] of [0.2, 0.6].entries()) {
      await played([tables[0]!], part);
      inside.stall(program, STALL_MS);
      await reach(() => count(program, 'HOST_STALLED') > round, 'that it stood still');
    }
    await playing;
    await allOver(place.db, tables);
    expect(await program.end()).toBe(0);
    expectRightGames(place, tables, program.said, { mayDoubt: true });
    expectDerivedAgain(place);
  });
});

it('is a wall clock of the program alone that the tests set', ({ skip }) => {
  const wall = makeWallClock(temporaryFolder());
  if (wall === undefined) return skip('a wall clock that can be set needs a C compiler');
  const clocks = (): number[] => {
    const { stdout } = spawnSync(
      process.execPath,
      ['-p', 'JSON.stringify([Date.now(), Math.round(performance.now())])'],
      { env: { ...process.env, ...wall.env }, encoding: 'utf8' },
    );
    return JSON.parse(stdout) as number[];
  };
  wall.set(-HOUR_MS);
  const [wallMs = 0, monotonicMs = 0] = clocks();
  expect(Math.abs(createSystemClock().wallMs() - HOUR_MS - wallMs)).toBeLessThan(MINUTE_MS);
  expect(monotonicMs).toBeLessThan(MINUTE_MS);
});
