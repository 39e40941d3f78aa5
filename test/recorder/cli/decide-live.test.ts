import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { dgt } from '../../../boards/dgt/definition.ts';
import { EMPTY } from '../../../core/placement.ts';
import { Position } from '../../../core/position.ts';
import { playRecorded } from '../../../core/recorded-ply.ts';
import { makeLinkAddress } from '../../../driver/address.ts';
import { createSystemClock } from '../../../driver/clock.ts';
import { createLoopbackDevice } from '../../../driver/loopback-device.ts';
import { runJadoube } from '../../../recorder/cli/main.ts';
import { parsePgn } from '../../../recorder/pgn/reader.ts';
import { openStoreReader } from '../../../recorder/store/store.ts';
import { createSimulatedBoard } from '../../kit/simulated-board.ts';
import { rederiveFile } from '../rederive-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createTestIo, runCommand } from './test-io.ts';

/** Runs `decide` as a program of its own. */
function decideElsewhere(...argv: readonly string[]): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['recorder/cli/jadoube.js', 'decide', ...argv, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.once('close', (status) => {
      if (status === 0) resolve(JSON.parse(out) as Record<string, unknown>);
      else reject(new Error(`decide ended with ${status}: ${err}`));
    });
  });
}

describe('decide beside a running recorder', () => {
  it('is taken up while the game is recorded, undone again, and the game goes on', async () => {
    const board = createSimulatedBoard(dgt, { serialNumber: '12345' }, createSystemClock());
    const device = await createLoopbackDevice();
    board.attach(device);
    const folder = temporaryFolder();
    const [db, pgn] = [join(folder, 'games.sqlite'), join(folder, 'pgn')];
    const test = createTestIo();
    const running = runJadoube(
      ['record', '--board', `dgt=${makeLinkAddress(device.address)}`, '--db', db, '--pgn', pgn],
      test.io,
    );
    let position = Position.initial();
    const makeMove = (san: string): void => {
      const move = position.parseSan(san)!;
      const changes = [...move.changes].sort((a, b) => Number(a.after !== EMPTY) - Number(b.after !== EMPTY));
      for (const { square, after } of changes) board.square(square, after);
      position = position.play(move);
    };
    const play = async (san: string): Promise<void> => {
      makeMove(san);
      await test.line('"type":"ply"', `"san":"${san}"`);
    };
    const by = ['--db', db, '--by', 'A. Arbiter'];
    const decide = async (...argv: readonly string[]): Promise<void> => {
      expect(await runCommand('decide', ...argv)).toMatchObject({ status: 0, err: '' });
    };
    await test.line('"NEW_GAME"');
    await play('e4');
    await play('e5');

    const result = await decideElsewhere('1', 'result', '1-0', '--termination', 'resignation', ...by);
    // The database belongs to the recorder; what was stored is its to take up.
    expect(result).toMatchObject({ id: 1, honoured: false });
    await test.line('"type":"rederived"', '"id":1', '"result":"1-0"', '"reason":"resignation"');

    // The game is over for the machine that goes on, too.
    makeMove('Nf3');
    await test.line('"POSTGAME"');

    // What was played meanwhile is there when the result never was.
    await decide('1', 'undo', '1', ...by);
    await test.line('"type":"rederived"', '"id":1', '"san":"Nf3"', '"result":"*"', '"ended":false');
    await play('Nc6');
    const reader = openStoreReader(db);
    expect(reader.games({ id: 1 })[0]!.record.plies.map(({ san }) => san)).toEqual([
      'e4',
      'e5',
      'Nf3',
      'Nc6',
    ]);
    reader.close();

    await decide('1', 'result', '0-1', '--termination', 'agreement', ...by);
    await test.line('"type":"rederived"', '"result":"0-1"', '"reason":"agreement"');
    // What is entered last is taken up at the end, whether or not a look came between.
    await decide('1', 'enter', 'two-hands', '--ply', '3', ...by);
    test.interrupt();
    expect(await running).toBe(0);
    board.switchOff();
    await device.close();

    const [game] = parsePgn(readFileSync(join(pgn, 'games.pgn'), 'utf8'));
    expect(game!.result).toBe('0-1');
    const after = openStoreReader(db);
    expect(after.behind()).toEqual([]);
    after.close();
    expect(rederiveFile(db)).toEqual([[]]);
    expect((await runCommand('rederive', '--db', db)).status).toBe(0);
    const { out } = await runCommand('decisions', '1', '--db', db, '--json');
    expect(out.split('\n').filter((line) => line.includes('"decision"'))).toHaveLength(3);
  }, 60_000);
});

describe('a result that hangs on who can still mate', () => {
  it('is searched off the way of the board, stored, and derived again with what was found out', async () => {
    const start = '4kb2/1p6/2p1p1p1/PpPpPpP1/1P1P1P1P/7b/8/3BK3 w - - 0 1';
    const position = Position.fromFen(start);
    if (!position.ok) throw new Error(position.fault.message);
    const board = createSimulatedBoard(dgt, { serialNumber: '12345' }, createSystemClock());
    for (let square = 0; square < 64; square++) board.square(square, position.value.cells[square]!);
    const device = await createLoopbackDevice();
    board.attach(device);
    const db = join(temporaryFolder(), 'games.sqlite');
    const test = createTestIo();
    const address = `dgt=${makeLinkAddress(device.address)}`;
    const running = runJadoube(
      ['record', '--board', address, '--db', db, '--no-pgn', '--fen', start],
      test.io,
    );
    await test.line('"NEW_GAME"');
    const flag = ['decide', '1', 'flag-registered', '--side', 'white', '--by', 'A. Arbiter', '--db', db];
    expect(await runCommand(...flag)).toMatchObject({ status: 0, err: '' });
    await test.line('"type":"rederived"', '"result":"0-1"', '"reason":"flag-fall"');
    const reader = openStoreReader(db);
    const verdicts = (): unknown[] =>
      reader.entered(1).entries.flatMap(({ what, by }) => (what.type === 'verdict' ? [{ ...what, by }] : []));
    await expect
      .poll(verdicts, { timeout: 30_000 })
      .toMatchObject([{ fen: start, black: 'winnable', by: 'jadoube' }]);
    test.interrupt();
    expect(await running).toBe(0);
    board.switchOff();
    await device.close();
    expect(reader.behind()).toEqual([]);
    reader.close();
    expect(rederiveFile(db)).toEqual([[]]);
  }, 60_000);
});

describe('record with the rules of the event', () => {
  it.each([
    [['--time-control', 'fast'], 'TIME_CONTROL_SYNTAX'],
    [['--time-control', '300,'], 'TIME_CONTROL_SYNTAX'],
    [['--supervision', 'none'], 'ARGUMENT_INVALID'],
    [['--rate', 'bullet'], 'ARGUMENT_INVALID'],
  ])('refuses %j with %s and status 2', async (argv, code) => {
    const { status, out, err } = await runCommand('record', ...argv);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(new RegExp(`^${code}: `));
  });

  it('keeps them with the sitting, so that the Laws go by them', async () => {
    const board = createSimulatedBoard(dgt, { serialNumber: '12345' }, createSystemClock());
    const device = await createLoopbackDevice();
    board.attach(device);
    const db = join(temporaryFolder(), 'games.sqlite');
    const test = createTestIo();
    const address = `dgt=${makeLinkAddress(device.address)}`;
    const rules = ['--time-control', '180+2,60', '--supervision', 'limited'];
    const running = runJadoube(['record', '--board', address, '--db', db, '--no-pgn', ...rules], test.io);
    await test.line('"NEW_GAME"');
    test.interrupt();
    expect(await running).toBe(0);
    board.switchOff();
    await device.close();
    const reader = openStoreReader(db);
    expect(reader.sittings().map(({ options }) => options.rules)).toEqual([
      { white: '180+2', black: '60', regime: 'limited' },
    ]);
    reader.close();
  });
});

describe('rules that are set beside a running recorder', () => {
  it('change what the Laws say of the game that goes on, and of what happens next', async () => {
    const board = createSimulatedBoard(dgt, { serialNumber: '12345' }, createSystemClock());
    const device = await createLoopbackDevice();
    board.attach(device);
    const db = join(temporaryFolder(), 'games.sqlite');
    const test = createTestIo();
    const address = `dgt=${makeLinkAddress(device.address)}`;
    const running = runJadoube(['record', '--board', address, '--db', db, '--no-pgn'], test.io);
    let position = Position.initial();
    /** `!e1e3` is made although it is illegal: where no clock is, it is a ply when it has been answered. */
    const play = async (san: string, ply?: number): Promise<void> => {
      const { after } = playRecorded(position, san)!;
      const changed = [...after.cells.keys()].filter(
        (square) => after.cells[square] !== position.cells[square],
      );
      for (const square of changed.sort(
        (a, b) => Number(after.cells[a] !== 0) - Number(after.cells[b] !== 0),
      ))
        board.square(square, after.cells[square]!);
      position = after;
      if (ply === undefined) await test.line('"type":"ply"', `"san":"${san}"`);
      else await test.line('"type":"flag"', '"ILLEGAL"', `"ply":${ply}`);
    };
    const stateOf = async (ply: number): Promise<unknown> => {
      const { out } = await runCommand('decisions', '1', '--db', db, '--json');
      const lines = out.split('\n').filter((line) => line.includes('"irregularity"'));
      return lines.map((line) => JSON.parse(line)).find((line) => line.kind === 'illegal' && line.ply === ply)
        ?.state;
    };
    const setRules = async (...argv: readonly string[]): Promise<void> => {
      const set = await runCommand('rules', '1', ...argv, '--db', db, '--by', 'A. Arbiter', '--json');
      expect([set.status, set.err]).toEqual([0, '']);
      expect(JSON.parse(set.out)).toMatchObject({ honoured: false });
    };
    await test.line('"NEW_GAME"');
    await play('e4');
    await play('e5');
    await play('!e1e3', 3);
    await play('Nc6');
    await play('a3');
    await vi.waitFor(async () => expect(await stateOf(3)).toBe('seen'), 30_000);

    // Answered: under limited supervision nobody can act on it any more (A.5.2).
    await setRules('--supervision', 'limited');
    await test.line('"type":"rederived"', '"ILLEGAL_STANDS"', '"!e1e3"');
    expect(await stateOf(3)).toBe('stands');
    // What happens from now on is judged by the same rules, by the machine that goes on.
    await play('!c6d3', 6);
    await play('a4');
    await play('Rb8');
    await test.line('"type":"flag"', '"ILLEGAL_STANDS"', '"ply":6');
    expect(await stateOf(6)).toBe('stands');

    await setRules('--supervision', 'full');
    await vi.waitFor(
      async () => expect([await stateOf(3), await stateOf(6)]).toEqual(['seen', 'seen']),
      30_000,
    );
    await play('b3');
    test.interrupt();
    expect(await running).toBe(0);
    board.switchOff();
    await device.close();
    const after = openStoreReader(db);
    expect(after.games({ id: 1 })[0]!.record.plies.map(({ san }) => san)).toEqual([
      'e4',
      'e5',
      '!e1e3',
      'Nc6',
      'a3',
      '!c6d3',
      'a4',
      'Rb8',
      'b3',
    ]);
    expect(after.behind()).toEqual([]);
    after.close();
    expect(rederiveFile(db)).toEqual([[]]);
  }, 120_000);

  it('count for the game that is recorded, without waiting for its end', async () => {
    const board = createSimulatedBoard(dgt, { serialNumber: '12345' }, createSystemClock());
    const device = await createLoopbackDevice();
    board.attach(device);
    const db = join(temporaryFolder(), 'games.sqlite');
    const test = createTestIo();
    const address = `dgt=${makeLinkAddress(device.address)}`;
    const running = runJadoube(['record', '--board', address, '--db', db, '--no-pgn'], test.io);
    await test.line('"NEW_GAME"');
    board.square(12, EMPTY);
    board.square(28, Position.initial().cells[12]!);
    await test.line('"type":"ply"', '"san":"e4"');
    const set = await runCommand('rules', '1', '--supervision', 'limited', '--db', db, '--by', 'A', '--json');
    expect(JSON.parse(set.out)).toMatchObject({ honoured: false, rules: { regime: 'limited' } });
    const reader = openStoreReader(db);
    // Only a derivation under these rules takes the sitting off this list.
    await vi.waitFor(() => expect(reader.behind()).toEqual([]), 30_000);
    expect(reader.sittings()[0]!.options.rules).toEqual({ regime: 'limited' });
    reader.close();
    test.interrupt();
    expect(await running).toBe(0);
    board.switchOff();
    await device.close();
    expect(rederiveFile(db)).toEqual([[]]);
  }, 60_000);
});
