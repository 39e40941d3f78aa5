import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../driver/clock.ts';
import { recordGames } from '../recorder/recorded-store.ts';
import { temporaryFolder } from '../recorder/temporary-folder.ts';
import { endPrograms, isFault, startProgram } from './program.ts';
import { allOver, allUp, expectRightGames, gamesOf, settle } from './round.ts';
import { closeTables, SHORT, seatTable } from './table.ts';
import { lasting, reach } from './wait.ts';

const isRoot = process.getuid?.() === 0;
const mounted: string[] = [];

/** Makes a small file system of its own at a folder; only root may. */
function mountSmall(folder: string, options: string): boolean {
  mkdirSync(folder, { recursive: true });
  const isDone = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0;
  if (isDone) mounted.push(folder);
  return isDone;
}

function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder]);
  mounted.splice(mounted.indexOf(folder), 1);
}

afterEach(async () => {
  await endPrograms();
  await closeTables();
  for (const folder of [...mounted]) unmount(folder);
});

/** Leaves no byte of room in a file system, also not what others have freed meanwhile. */
function fill(folder: string, round: number): () => void {
  const files: string[] = [];
  for (let piece = 0; ; piece++) {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail === 0) break;
    const file = join(folder, `rubbish-${round}-${piece}`);
    files.push(file);
    try {
      writeFileSync(file, Buffer.alloc(bavail * bsize, 1));
    } catch {
      // Somebody else took a part of it.
    }
  }
  return () => {
    for (const file of files) rmSync(file, { force: true });
  };
}

describe('the place where games are kept', () => {
  it('is locked by another program for seconds, twice; it is said, and nothing is missing', async () => {
    const tables = [await seatTable(21, SHORT)];
    const place = settle(
      temporaryFolder(),
      tables.map((table) => table.place),
    );
    const program = startProgram(['serve', '--config', place.config]);
    await allUp(program, tables);
    const playing = tables[0]!.play();
    const other = new Sqlite(place.db, { timeout: 5000 });
    for (const [round, from] of [0.2, 0.6].entries()) {
      await reach(() => tables[0]!.done() >= from, 'play');
      other.exec('BEGIN EXCLUSIVE');
      await reach(
        () => program.said.filter(isFault('STORE_LOCKED')).length > round,
        'that the database is locked',
      );
      await lasting(createSystemClock(), 3000);
      other.exec('COMMIT');
    }
    other.close();
    await playing;
    await allOver(place.db, tables);
    expect(await program.end()).toBe(0);
    expectRightGames(place, tables, program.said);
  });

  it('is full, free, and full again; it is said each time, and nothing is missing', async ({ skip }) => {
    const folder = join(temporaryFolder(), 'small');
    skip(!mountSmall(folder, 'size=8m'), 'a small disk can be made by root only');
    const tables = [await seatTable(22, SHORT)];
    const place = settle(
      folder,
      tables.map((table) => table.place),
    );
    const program = startProgram(['serve', '--config', place.config]);
    await allUp(program, tables);
    const playing = tables[0]!.play();
    for (const [round, from] of [0.15, 0.6].entries()) {
      await reach(() => tables[0]!.done() >= from, 'play');
      const empty = fill(folder, round);
      await reach(() => program.said.filter(isFault('STORE_FULL')).length > round, 'that the disk is full');
      await lasting(createSystemClock(), 2000);
      empty();
    }
    await playing;
    await allOver(place.db, tables);
    expect(await program.end()).toBe(0);
    expectRightGames(place, tables, program.said);
  });

  it('is a folder that cannot be written: refused at the start with a code', async ({ skip }) => {
    const folder = temporaryFolder();
    const readOnly = join(folder, 'read-only');
    if (isRoot) skip(!mountSmall(readOnly, 'size=1m,ro'), 'no file system can be mounted here');
    else {
      mkdirSync(readOnly);
      chmodSync(readOnly, 0o555);
    }
    const place = settle(folder, []);
    const program = startProgram(['serve', '--config', place.config, '--db', join(readOnly, 'g.sqlite')]);
    await reach(() => program.errors() !== '', 'why it does not start');
    expect(await program.end()).not.toBe(0);
    expect(program.errors()).toMatch(/^STORE_READONLY: /);
  });

  it('has a folder for PGN that becomes read-only in the middle of a game, and is whole at the end', async ({
    skip,
  }) => {
    const tables = [await seatTable(23, SHORT)];
    const place = settle(
      temporaryFolder(),
      tables.map((table) => table.place),
    );
    mkdirSync(place.pgn);
    const program = startProgram(['serve', '--config', place.config]);
    await allUp(program, tables);
    const playing = tables[0]!.play();
    await reach(() => tables[0]!.done() >= 0.3, 'play');
    if (isRoot) skip(!mountSmall(place.pgn, 'size=1m,ro'), 'no file system can be mounted here');
    else chmodSync(place.pgn, 0o555);
    await program.until(isFault('PGN_DIR_UNWRITABLE'), 'that games cannot be written');
    await reach(() => tables[0]!.done() >= 0.6, 'play');
    if (isRoot) unmount(place.pgn);
    else chmodSync(place.pgn, 0o755);
    await playing;
    await allOver(place.db, tables);
    expect(await program.end()).toBe(0);
    expectRightGames(place, tables, program.said);
  });

  it('has a damaged page at the start: said, put aside, and the round goes on', async () => {
    const tables = [await seatTable(24, SHORT)];
    const place = settle(
      temporaryFolder(),
      tables.map((table) => table.place),
    );
    const line = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Bxc6', 'dxc6', 'O-O', 'f6', 'd4', 'exd4'];
    recordGames(place.db, [line, line]);
    const before = gamesOf(place.db);
    const bytes = readFileSync(place.db);
    const PAGE = 4096;
    // The pages of the input stand in the middle and behind; the head stays, so that it is known whose file it is.
    bytes.fill(0xff, bytes.length - 2 * PAGE, bytes.length - PAGE);
    bytes.fill(
      0xff,
      PAGE * Math.floor(bytes.length / PAGE / 2),
      PAGE * (Math.floor(bytes.length / PAGE / 2) + 1),
    );
    writeFileSync(place.db, bytes);
    const program = startProgram(['serve', '--config', place.config]);
    const told = await program.until(isFault('STORE_DAMAGED'), 'that the database is damaged');
    expect(told.lost).toBe(false);
    const words = await program.until(
      ({ type, text }) => type === 'message' && /aside/.test(text ?? ''),
      'where it is',
    );
    const aside = /as it is: (.*)/.exec(words.text ?? '')?.[1] ?? '';
    expect(readFileSync(aside)).toEqual(bytes);
    await allUp(program, tables);
    await tables[0]!.play();
    await allOver(place.db, tables);
    expect(await program.end()).toBe(0);
    expectRightGames(place, tables, program.said, {
      isOurs: (game) => before.every(({ board }) => board !== game.board),
    });
  });
});
