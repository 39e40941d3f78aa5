import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { parsePgn } from '../../../recorder/pgn/reader.ts';
import { openStore } from '../../../recorder/store/store.ts';
import { recordGames } from '../recorded-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runCommand } from './test-io.ts';

const MATE = ['f3', 'e5', 'g4', 'Qh4#'];
const OPEN = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6'];

function recordedFile(): string {
  const file = join(temporaryFolder(), 'games.sqlite');
  recordGames(file, [MATE, OPEN], { White: 'Anna \x1b[31m"A"', Black: 'Ben' });
  return file;
}

const jsonLines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('arguments', () => {
  it.each([
    [['fly'], 'ARGUMENT_INVALID'],
    [[], 'ARGUMENT_INVALID'],
    [['record', '--wings'], 'ARGUMENT_INVALID'],
    [['record', '--db'], 'ARGUMENT_INVALID'],
    [['record', '--board', 'ttyUSB0'], 'LINK_ADDRESS'],
    [['record', '--board', 'ouija=serial:/dev/ttyUSB0'], 'BOARD_UNKNOWN'],
    [['record', '--variant', 'suicide'], 'ARGUMENT_INVALID'],
    [['record', '--fen', 'e4'], 'ARGUMENT_INVALID'],
    [['record', 'extra'], 'ARGUMENT_INVALID'],
    [['export', '--game', 'one'], 'ARGUMENT_INVALID'],
    [['demo', '--speed', 'fast'], 'ARGUMENT_INVALID'],
    [['games', '--db', ''], 'ARGUMENT_INVALID'],
    [['replay'], 'ARGUMENT_INVALID'],
  ])('refuses %j in one line, with status 2', async (argv, code) => {
    const { status, out, err } = await runCommand(...argv);
    expect(status).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(new RegExp(`^${code}: .+\n$`));
  });

  it('helps on standard output, with status 0', async () => {
    for (const argv of [['--help'], ['help'], ['help', 'record'], ['record', '--help']]) {
      const { status, out, err } = await runCommand(...argv);
      expect([status, err]).toEqual([0, '']);
      expect(out).toContain('Usage: jadoube');
    }
  });
});

describe('--version', () => {
  it('prints the version of the package, and nothing else', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await runCommand('--version')).toEqual({ status: 0, out: `${version}\n`, err: '' });
  });
});

describe('boards', () => {
  it('lists the kinds of board, for people and for programs', async () => {
    expect((await runCommand('boards', '--kinds')).out).toMatch(/^dgt: /m);
    const { status, out } = await runCommand('boards', '--kinds', '--json');
    expect(status).toBe(0);
    expect(jsonLines(out)).toContainEqual(expect.objectContaining({ id: 'dgt', clock: true }));
  });

  it('lists what is plugged in, or says that nothing is', async () => {
    const { status, out } = await runCommand('boards');
    expect(status).toBe(0);
    expect(out).not.toBe('');
    for (const found of jsonLines((await runCommand('boards', '--json')).out)) {
      expect(found).toMatchObject({
        link: expect.any(String),
        verdict: expect.any(String),
        why: expect.any(String),
      });
    }
  });
});

describe('games and export', () => {
  it('lists games without letting a name take over the terminal', async () => {
    const file = recordedFile();
    const { status, out } = await runCommand('games', '--db', file);
    expect(status).toBe(0);
    expect(out).not.toContain('\x1b');
    expect(out.split('\n')).toHaveLength(4);
    const list = jsonLines((await runCommand('games', '--db', file, '--json')).out);
    expect(list).toMatchObject([
      { game: 1, plies: 4, result: '0-1', reason: 'checkmate', ended: true, black: 'Ben' },
      { game: 2, plies: 6, result: '*', ended: false },
    ]);
    expect(jsonLines((await runCommand('games', '--db', file, '--json', '--board', 'dgt-2')).out)).toEqual(
      [],
    );
  });

  it('writes games as PGN: all, one, with open plies, to a file', async () => {
    const file = recordedFile();
    const plies = async (...argv: string[]): Promise<number[]> => {
      const { status, out } = await runCommand('export', '--db', file, ...argv);
      expect(status).toBe(0);
      return parsePgn(out).map((game) => game.plies.length);
    };
    const [first, certain] = await plies();
    expect(first).toBe(4);
    expect(certain).toBeLessThanOrEqual(6);
    expect(await plies('--all')).toEqual([4, 6]);
    expect(await plies('--game', '2', '--game', '1', '--all')).toEqual([6, 4]);
    const path = join(temporaryFolder(), 'out.pgn');
    const { status } = await runCommand('export', '--db', file, '--out', path);
    expect(status).toBe(0);
    expect(parsePgn(readFileSync(path))).toHaveLength(2);
  });

  it('says what is missing', async () => {
    const file = recordedFile();
    expect(await runCommand('export', '--db', file, '--game', '99')).toMatchObject({ status: 2, out: '' });
    const none = join(temporaryFolder(), 'none.sqlite');
    for (const command of ['games', 'export', 'rederive']) {
      const { status, err } = await runCommand(command, '--db', none);
      expect(status).toBe(1);
      expect(err).toMatch(/^FILE_UNREADABLE: .*\n {2}\S/);
    }
    expect(existsSync(none)).toBe(false);
    const { status, err } = await runCommand('export', '--db', file, '--out', join(file, 'out.pgn'));
    expect(status).toBe(1);
    expect(err).toMatch(/^FILE_UNWRITABLE: /);
  });

  it('refuses the database of a newer program', async () => {
    const file = recordedFile();
    const db = new Sqlite(file);
    db.pragma('user_version = 99');
    db.close();
    for (const command of ['games', 'rederive', 'record']) {
      const { status, err } = await runCommand(command, '--db', file);
      expect(status).toBe(1);
      expect(err).toMatch(/^STORE_NEWER_SCHEMA: /);
    }
  });
});

describe('rederive', () => {
  const tamper = (file: string): void => {
    const db = new Sqlite(file);
    db.exec("UPDATE plies SET san = 'Nh3' WHERE game_id = 2 AND number = 3");
    db.close();
  };

  it('finds nothing in what was recorded', async () => {
    const { status, out } = await runCommand('rederive', '--db', recordedFile(), '--json');
    expect(status).toBe(0);
    expect(jsonLines(out)).toEqual([{ type: 'summary', games: 2, differing: 0, applied: false }]);
  });

  it('reports a difference, and accepts it only when told to', async () => {
    const file = recordedFile();
    tamper(file);
    for (let time = 0; time < 2; time++) {
      const { status, out } = await runCommand('rederive', '--db', file, '--json');
      expect(status).toBe(1);
      expect(jsonLines(out)[0]).toEqual({
        board: 'dgt-1',
        game: 2,
        about: 'ply 3',
        stored: 'Nh3',
        derived: 'Nf3',
      });
    }
    expect((await runCommand('rederive', '--db', file, '--board', 'dgt-2')).status).toBe(0);
    expect(await runCommand('rederive', '--db', file, '--apply')).toMatchObject({ status: 0, err: '' });
    expect((await runCommand('rederive', '--db', file)).status).toBe(0);
    const [, game] = parsePgn((await runCommand('export', '--db', file, '--all')).out);
    expect(game!.plies.map((ply) => ply.san)).toEqual(OPEN);
    expect(game!.tags.get('Black')).toBe('Ben');
  });

  it('changes nothing under a recorder that is at work', async () => {
    const file = recordedFile();
    tamper(file);
    const store = openStore(file, { wallMs: Date.now });
    const { status, err } = await runCommand('rederive', '--db', file, '--apply');
    store.close();
    expect(status).toBe(1);
    expect(err).toMatch(/^STORE_LOCKED: /);
    expect((await runCommand('rederive', '--db', file)).status).toBe(1);
  });
});

describe('replay', () => {
  it('passes files and options on, and the status back', async () => {
    const path = join(temporaryFolder(), 'x.bin');
    writeFileSync(path, Uint8Array.of(0x8e, 0, 5, 52, 0, 0x8e, 0, 5, 36, 1));
    const { status, out } = await runCommand('replay', '--json', '--board', 'dgt', path);
    expect(status).toBe(0);
    expect(jsonLines(out)).toMatchObject([{ file: path, game: 1 }]);
    expect((await runCommand('replay', `${path}.not`)).status).toBe(2);
  });
});
