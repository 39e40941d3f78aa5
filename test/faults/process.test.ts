import { afterEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../driver/clock.ts';
import { temporaryFolder } from '../recorder/temporary-folder.ts';
import { endPrograms, startProgram } from './program.ts';
import { allOver, allUp, expectRightGames, settle } from './round.ts';
import { closeTables, LONG, SHORT, seatTable } from './table.ts';
import { lasting, reach } from './wait.ts';

afterEach(async () => {
  await endPrograms();
  await closeTables();
});

describe('the process of a recorder', () => {
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
