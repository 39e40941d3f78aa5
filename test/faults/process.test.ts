import { afterEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../driver/clock.ts';
import { temporaryFolder } from '../recorder/temporary-folder.ts';
import { endPrograms, type Said, startProgram } from './program.ts';
import { allOver, allUp, expectRightGames, expectSameGames, gamesOf, settle, tokensOf } from './round.ts';
import { closeTables, LONG, SHORT, seatTable } from './table.ts';
import { lasting, reach } from './wait.ts';

const KILLS = 5;
/** After this a board is asked for what it remembers, ms. */
const LONG_MS = 10_500;

afterEach(async () => {
  await endPrograms();
  await closeTables();
});

describe('the process of a recorder', () => {
  it('is killed at random instants of play, and each game goes on as the game it was', async () => {
    const tables = await Promise.all([seatTable(1, LONG), seatTable(2, SHORT), seatTable(3, LONG)]);
    const place = settle(
      temporaryFolder(),
      tables.map((table) => table.place),
    );
    const serve = () => startProgram(['serve', '--config', place.config]);
    let program = serve();
    await allUp(program, tables);
    const playing = Promise.all(tables.map((table) => table.play()));
    const said: Said[] = [];
    let tokens = new Map<string, string>();
    let seed = 20_261_130;
    const instants = Array.from({ length: KILLS }, () => {
      seed = (seed * 48_271) % 0x7fffffff;
      return 0.05 + 0.55 * (seed / 0x7fffffff);
    }).sort();
    for (const [kill, instant] of instants.entries()) {
      await reach(() => tables[0]!.done() >= instant, `the next instant of play, ${instant}`);
      // People wait for the recorder; the last time nobody notices, and the boards' own memory must tell what was played.
      const isNoticed = kill < KILLS - 1;
      if (isNoticed) for (const table of tables) table.pause();
      expect(await program.end('SIGKILL')).toBe('SIGKILL');
      said.push(...program.said);
      expectSameGames(gamesOf(place.db), tokens);
      tokens = new Map([...tokens, ...tokensOf(place.db)]);
      if (!isNoticed) await lasting(createSystemClock(), LONG_MS);
      program = serve();
      await allUp(program, tables);
      for (const table of tables) table.resume();
    }
    await playing;
    await allOver(place.db, tables);
    expect(await program.end()).toBe(0);
    expectSameGames(expectRightGames(place, tables, [...said, ...program.said]), tokens);
    expect(tokens.size).toBeGreaterThan(0);
  });

  it('stands still for seconds and goes on, and nothing that was played meanwhile is missing', async () => {
    const tables = await Promise.all([seatTable(11, LONG), seatTable(12, SHORT)]);
    const place = settle(
      temporaryFolder(),
      tables.map((table) => table.place),
    );
    const program = startProgram(['serve', '--config', place.config]);
    await allUp(program, tables);
    const playing = Promise.all(tables.map((table) => table.play()));
    const clock = createSystemClock();
    for (const seconds of [3, 6]) {
      const plies = (): number => program.said.filter(({ type }) => type === 'ply').length;
      const before = plies();
      await reach(() => plies() > before + 4, 'four plies more');
      program.signal('SIGSTOP');
      await lasting(clock, seconds * 1000);
      program.signal('SIGCONT');
    }
    await playing;
    await allOver(place.db, tables);
    expect(await program.end()).toBe(0);
    expectRightGames(place, tables, program.said);
  });
});
