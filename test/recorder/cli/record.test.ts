import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { dgt } from '../../../boards/dgt/definition.ts';
import { createDgtSimulator } from '../../../boards/dgt/simulator.ts';
import { BLACK_PAWN, EMPTY, parseCell, WHITE_PAWN } from '../../../core/placement.ts';
import { makeLinkAddress } from '../../../driver/address.ts';
import { createSystemClock } from '../../../driver/clock.ts';
import { createLoopbackDevice } from '../../../driver/loopback-device.ts';
import { runJadoube } from '../../../recorder/cli/main.ts';
import { openStoreReader } from '../../../recorder/store/store.ts';
import { createSimulatedBoard } from '../../kit/simulated-board.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createTestIo, runCommand } from './test-io.ts';

/** A board behind a TCP port of this machine. */
async function plugBoard() {
  const board = createSimulatedBoard(dgt, { serialNumber: '12345' }, createSystemClock());
  const device = await createLoopbackDevice();
  board.attach(device);
  return {
    board,
    address: `dgt=${makeLinkAddress(device.address)}`,
    playE4: (): void => {
      board.square(12, EMPTY);
      board.square(28, WHITE_PAWN);
    },
    /** The reply, by which the move before it is certain. */
    playE5: (): void => {
      board.square(52, EMPTY);
      board.square(36, BLACK_PAWN);
    },
    unplug: async (): Promise<void> => {
      board.switchOff();
      await device.close();
    },
  };
}

describe('record', () => {
  it('records a named board, tells it in JSON lines, and ends cleanly on Ctrl-C', async () => {
    const { address, playE4, playE5, unplug } = await plugBoard();
    const folder = temporaryFolder();
    const [db, pgn, capture, log] = ['games.sqlite', 'pgn', 'captures', 'log.ndjson'].map((name) =>
      join(folder, name),
    ) as [string, string, string, string];
    const test = createTestIo();
    const options = ['--db', db, '--pgn', pgn, '--capture', capture, '--log', log];
    const running = runJadoube(['record', '--board', address, ...options], test.io);
    await test.line('"dgt-12345"', '"NEW_GAME"');
    playE4();
    await test.line('"type":"ply"', '"e4"');
    playE5();
    await test.line('"type":"ply"', '"e4"', 'confirmed');
    await test.line('"written"', 'games.pgn');
    expect((await runCommand('record', '--board', address, '--db', db)).err).toMatch(/^STORE_LOCKED: /);
    test.interrupt();
    expect(await running).toBe(0);
    await unplug();

    for (const line of test.out.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
    for (const place of [db, pgn, capture]) expect(test.out).toContain(JSON.stringify(place).slice(1, -1));
    expect([test.err, test.exits]).toEqual(['', []]);
    expect(readdirSync(pgn).sort()).toEqual(['game-1.pgn', 'games.pgn']);
    expect(readFileSync(join(pgn, 'games.pgn'), 'utf8')).toContain('1. e4');
    expect(readdirSync(capture)).toHaveLength(1);
    const reader = openStoreReader(db);
    expect(reader.games().map((game) => game.record.plies.map((ply) => ply.san))).toEqual([['e4', 'e5']]);
    expect(reader.runs()[0]!.endedWallMs).toBeDefined();
    reader.close();
    const logged = readFileSync(log, 'utf8').trimEnd().split('\n');
    expect(logged.map((line) => (JSON.parse(line) as { msg: string }).msg)).toContain('link');
  });

  it('draws a table on a terminal and leaves it there', async () => {
    const { address, playE4, unplug } = await plugBoard();
    const folder = temporaryFolder();
    const test = createTestIo({ columns: 100, rows: 20 });
    const running = runJadoube(
      ['record', '--board', address, '--db', join(folder, 'games.sqlite'), '--no-pgn'],
      test.io,
    );
    await test.line('dgt-12345', 'ready');
    playE4();
    await test.line('dgt-12345', '1.(e4)', 'playing');
    test.interrupt();
    expect(await running).toBe(0);
    await unplug();
    expect(test.out).toContain('\x1b[?25h');
    expect(test.out.trimEnd().split('\n').at(-1)).toContain('games.sqlite');
    expect(readdirSync(folder)).not.toContain('games');
  });

  it('lights the squares that differ from the record when it is asked to', async () => {
    const seen = createDgtSimulator({ preset: 'revelation-2' });
    const board = createSimulatedBoard({ ...dgt, createSimulator: () => seen }, {}, createSystemClock());
    const device = await createLoopbackDevice();
    board.attach(device);
    const test = createTestIo();
    const db = join(temporaryFolder(), 'games.sqlite');
    const place = `dgt=${makeLinkAddress(device.address)}`;
    const running = runJadoube(['record', '--lights', '--board', place, '--db', db, '--no-pgn'], test.io);
    await test.line('"NEW_GAME"');
    board.square(56, EMPTY);
    board.square(36, parseCell('r')!);
    await vi.waitFor(() => expect(seen.lit).toEqual([36, 56]), { timeout: 20_000 });
    board.square(36, EMPTY);
    board.square(56, parseCell('r')!);
    await vi.waitFor(() => expect(seen.lit).toEqual([]), { timeout: 20_000 });
    test.interrupt();
    expect(await running).toBe(0);
    board.switchOff();
    await device.close();
  });

  it('ends at once when asked twice', async () => {
    const folder = temporaryFolder();
    const test = createTestIo();
    const address = 'dgt=tcp://127.0.0.1:9';
    const running = runJadoube(
      ['record', '--board', address, '--db', join(folder, 'g.sqlite'), '--no-pgn'],
      test.io,
    );
    await test.line('"port"');
    test.interrupt();
    test.interrupt();
    expect(await running).toBe(0);
    expect(test.exits.length).toBeLessThanOrEqual(1);
  });

  it('runs as a program of its own, and ends cleanly on the signal of Ctrl-C', async () => {
    const { address, playE4, playE5, unplug } = await plugBoard();
    const folder = temporaryFolder();
    const db = join(folder, 'games.sqlite');
    const child = spawn(
      process.execPath,
      ['recorder/cli/jadoube.js', 'record', '--board', address, '--db', db, '--pgn', join(folder, 'pgn')],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const steps: readonly (readonly [after: RegExp, action: () => unknown])[] = [
      [/"NEW_GAME"/, playE4],
      [/"san":"e4"/, playE5],
      [/"san":"e4","uci":"e2e4","state":"confirmed"/, () => child.kill('SIGINT')],
    ];
    let out = '';
    let done = 0;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      while (done < steps.length && steps[done]![0].test(out)) steps[done++]![1]();
    });
    const status = await new Promise((resolve) =>
      child.once('exit', (code, signal) => resolve(signal ?? code)),
    );
    await unplug();
    expect(status).toBe(0);
    expect(readFileSync(join(folder, 'pgn', 'games.pgn'), 'utf8')).toContain('1. e4');
    const reader = openStoreReader(db);
    expect(reader.runs()[0]!.endedWallMs).toBeDefined();
    reader.close();
  });
});
