import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EventRules } from '../../../recorder/event-rules.ts';
import { parsePgn } from '../../../recorder/pgn/reader.ts';
import { openStore, openStoreReader } from '../../../recorder/store/store.ts';
import { RECORDED_WALL_MS, recordGames } from '../recorded-store.ts';
import { rederiveFile } from '../rederive-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runCommand } from './test-io.ts';

const RUY = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Ba4', 'Nf6'];
/** White's king goes two squares forward; Black answers. */
const ILLEGAL = ['e4', 'e5', '!e1e3', 'Nc6', 'd3', 'd6'];
const LIMITED: EventRules = { regime: 'limited' };

function recordedFile(rules?: EventRules, wallMs = RECORDED_WALL_MS): string {
  const file = join(temporaryFolder(), 'games.sqlite');
  recordGames(file, [RUY, ILLEGAL], {}, wallMs, rules);
  return file;
}

const rules = (file: string, ...argv: string[]) =>
  runCommand('rules', ...argv, '--db', file, '--by', 'A. Arbiter');

function look<T>(file: string, ask: (reader: ReturnType<typeof openStoreReader>) => T): T {
  const reader = openStoreReader(file);
  try {
    return ask(reader);
  } finally {
    reader.close();
  }
}

const words = (file: string, id: number): string[] =>
  look(file, (reader) => reader.games({ id })[0]!.record.flags.map(({ code }) => code.replace(/\(.*/, '')));

describe('rules', () => {
  it('are honoured by the games that were recorded under others, and by every new derivation', async () => {
    const file = recordedFile();
    expect(words(file, 2)).not.toContain('ILLEGAL_STANDS');
    const { status, out, err } = await rules(file, '2', '--supervision', 'limited', '--json');
    expect([status, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ honoured: true, by: 'A. Arbiter', rules: LIMITED });
    expect(words(file, 2)).toContain('ILLEGAL_STANDS');
    expect(rederiveFile(file)).toEqual([[]]);
    expect(look(file, (reader) => reader.behind())).toEqual([]);
  });

  it('are said one by one, forgotten together, and listed with who has set them', async () => {
    const file = recordedFile({ white: '5400+30', black: '5400+30' });
    await rules(file, '1', '--supervision', 'limited');
    await rules(file, '1', '--time-control', '300,180');
    const known = look(file, (reader) => reader.rules(1));
    expect(known.map((one) => one.by)).toEqual([undefined, 'A. Arbiter', 'A. Arbiter']);
    expect(known.at(-1)!.rules).toEqual({ white: '300', black: '180', regime: 'limited' });
    expect((await runCommand('rules', '1', '--db', file)).out).toContain('300,180');
    await rules(file, '1', '--rate', 'blitz', '--reset');
    expect(look(file, (reader) => reader.rules(1).at(-1)!.rules)).toEqual({ rate: 'blitz' });
  });

  it('9.1.1: forbid a draw by agreement before a move, and say so of one that was agreed', async () => {
    const file = recordedFile();
    const agreed = [
      'decide',
      '1',
      'result',
      '1/2-1/2',
      '--termination',
      'agreement',
      '--db',
      file,
      '--by',
      'A',
    ];
    expect((await runCommand(...agreed, '--no-pgn')).status).toBe(0);
    expect(words(file, 1)).not.toContain('DRAW_TOO_EARLY');
    const { out } = await rules(file, '1', '--draw-from', '30', '--no-pgn');
    expect(out).toContain('no draw by agreement before move 30 of each');
    expect(words(file, 1)).toContain('DRAW_TOO_EARLY');
    expect(look(file, (reader) => reader.games({ id: 1 })[0]!.record.result)).toBe('1/2-1/2');
    const report = await runCommand('report', '--db', file, '--game', '1');
    expect(report.out).toContain('9.1.1');
    await rules(file, '1', '--draw-from', '4', '--no-pgn');
    expect(words(file, 1)).not.toContain('DRAW_TOO_EARLY');
    expect(look(file, (reader) => reader.rules(1).at(-1)!.rules)).toEqual({ drawFrom: 4 });
  });

  it('6.7: have a default time', async () => {
    const file = recordedFile();
    const { out } = await rules(file, '1', '--default-minutes', '30', '--no-pgn');
    expect(out).toContain('default time 30 min (6.7)');
    expect(look(file, (reader) => reader.rules(1).at(-1)!.rules)).toEqual({ defaultMinutes: 30 });
    await rules(file, '1', '--draw-from', '30', '--no-pgn');
    expect(look(file, (reader) => reader.rules(1).at(-1)!.rules)).toEqual({
      drawFrom: 30,
      defaultMinutes: 30,
    });
    await rules(file, '1', '--reset', '--no-pgn');
    expect(look(file, (reader) => reader.rules(1).at(-1)!.rules)).toEqual({});
  });

  it('A.3, B.3: tell whether so many arbiters are enough for full supervision of so many boards', async () => {
    const file = join(temporaryFolder(), 'games.sqlite');
    const boards = ['a', 'b', 'c', 'd'];
    for (const board of boards) recordGames(file, [RUY], {}, Date.now() - 3_600_000, undefined, board);
    const ask = async (control: string, arbiters: string): Promise<unknown> => {
      const set = await rules(file, '--all', '--time-control', control, '--arbiters', arbiters, '--json');
      expect([set.status, set.err]).toEqual([0, '']);
      return JSON.parse(set.out.trim().split('\n').at(-1)!);
    };
    expect(await ask('1500', '1')).toMatchObject({ rate: 'rapid', games: 4, arbiters: 1, full: false });
    expect(await ask('1500', '2')).toMatchObject({ rate: 'rapid', full: true });
    expect(await ask('180+2', '3')).toMatchObject({ rate: 'blitz', full: false });
    expect(await ask('180+2', '4')).toMatchObject({ rate: 'blitz', full: true });
    expect(await ask('5400+30', '1')).toMatchObject({ rate: 'standard', full: true });
    const asked = await runCommand('rules', '--all', '--db', file, '--arbiters', '2', '--lang', 'ru');
    expect(asked.out).toContain('полный надзор возможен');
    expect((await runCommand('rules', '--all', '--db', file, '--arbiters', 'many')).status).toBe(2);
  });

  it('of all boards are those of boards that were heard today', async () => {
    const old = recordedFile();
    expect((await rules(old, '--all', '--supervision', 'limited')).status).toBe(0);
    expect(look(old, (reader) => reader.rules(1))).toEqual([]);
    const today = recordedFile(undefined, Date.now() - 7_200_000);
    expect((await rules(today, '--all', '--supervision', 'limited')).status).toBe(0);
    expect(words(today, 2)).toContain('ILLEGAL_STANDS');
  });

  it.each([
    [[], 'ARGUMENT_INVALID'],
    [['1', '--all', '--rate', 'blitz'], 'ARGUMENT_INVALID'],
    [['1', '--rate', 'slow'], 'ARGUMENT_INVALID'],
    [['1', '--draw-from', '0'], 'ARGUMENT_INVALID'],
    [['1', '--default-minutes', '0'], 'ARGUMENT_INVALID'],
    [['1', '--default-minutes', '1441'], 'ARGUMENT_INVALID'],
    [['1', '--time-control', 'fast'], 'TIME_CONTROL_SYNTAX'],
    [['9', '--rate', 'blitz'], 'GAME_UNKNOWN'],
    [['--board', 'dgt-9', '--rate', 'blitz'], 'BOARD_NOT_RECORDED'],
  ])('refuses %j with %s and sets nothing', async (argv, code) => {
    const file = recordedFile();
    const { status, out, err } = await rules(file, ...argv);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(new RegExp(`^${code}: `));
    expect(look(file, (reader) => reader.rules(1))).toEqual([]);
  });
});

describe('PGN files of games that are others without a recorder', () => {
  /** As a recorder has left them, beside a game of another database. */
  async function withFiles(file: string): Promise<string> {
    const dir = join(file, '..', 'pgn');
    mkdirSync(dir);
    for (const id of ['1', '2'])
      await runCommand('export', '--db', file, '--game', id, '--out', join(dir, `game-${id}.pgn`));
    await runCommand('export', '--db', file, '--out', join(dir, 'games.pgn'));
    return dir;
  }
  const result = ['result', '1-0', '--termination', 'resignation', '--by', 'A', '--json'];
  const stranger = '[Event "Elsewhere"]\n[GameId "other-1"]\n\n*\n';

  it('are written anew: its own, and its place among all games', async () => {
    const file = recordedFile();
    const dir = await withFiles(file);
    const all = join(dir, 'games.pgn');
    writeFileSync(all, `${stranger}\n${readFileSync(all, 'utf8')}`);
    const first = readFileSync(join(dir, 'game-1.pgn'), 'utf8');
    const { status, out, err } = await runCommand('decide', '2', ...result, '--db', file, '--pgn', dir);
    expect([status, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ written: [join(dir, 'game-2.pgn'), all] });
    expect(parsePgn(readFileSync(join(dir, 'game-2.pgn'), 'utf8'))[0]!.result).toBe('1-0');
    expect(readFileSync(join(dir, 'game-1.pgn'), 'utf8')).toBe(first);
    expect(parsePgn(readFileSync(all, 'utf8')).map((game) => game.result)).toEqual(['*', '*', '1-0']);
    expect(readFileSync(all, 'utf8').startsWith(stranger)).toBe(true);
  });

  it('are made in a folder that is named, and not where --no-pgn is said', async () => {
    const file = recordedFile();
    const dir = join(file, '..', 'new');
    await runCommand('decide', '1', ...result, '--db', file, '--no-pgn');
    expect(existsSync(dir)).toBe(false);
    await runCommand('decide', '2', ...result, '--db', file, '--pgn', dir);
    expect(parsePgn(readFileSync(join(dir, 'games.pgn'), 'utf8'))).toHaveLength(1);
  });

  it('are left as they are when they are of another database', async () => {
    const file = recordedFile();
    const dir = join(file, '..', 'pgn');
    mkdirSync(dir);
    writeFileSync(join(dir, 'game-2.pgn'), stranger);
    await runCommand('decide', '2', ...result, '--db', file, '--pgn', dir);
    expect(readFileSync(join(dir, 'game-2.pgn'), 'utf8')).toBe(stranger);
    expect(existsSync(join(dir, 'games.pgn'))).toBe(false);
  });

  it('that cannot be written are told of, and the decision is stored', async () => {
    const file = recordedFile();
    const dir = join(file, '..', 'no-folder');
    writeFileSync(dir, 'a file where the folder should be');
    const { status, err } = await runCommand('decide', '2', ...result, '--db', file, '--pgn', dir);
    expect(status).toBe(1);
    expect(err).toMatch(/^PGN_DIR_UNWRITABLE: /);
    expect(look(file, (reader) => reader.games({ id: 2 })[0]!.record.result)).toBe('1-0');
  });
});

describe('rules that an arbiter has set', () => {
  it('stay when the recorder begins again with the settings it had', async () => {
    const { beginSitting } = await import('../../../recorder/sitting.ts');
    const { dgt } = await import('../../../boards/dgt/definition.ts');
    const file = recordedFile({ rate: 'rapid' });
    await rules(file, '2', '--supervision', 'limited');
    const store = openStore(file, { wallMs: () => RECORDED_WALL_MS });
    const begin = (asked: EventRules) =>
      beginSitting(store, {
        board: 'dgt-1',
        definition: dgt,
        sitting: { variant: 'standard', rotated: false, rules: asked },
        nowMs: store.originMs(RECORDED_WALL_MS),
        wallMs: store.sittings()[0]!.lastWallMs,
      }).sitting.options.rules;
    expect(begin({ rate: 'rapid' })).toEqual({ rate: 'rapid', regime: 'limited' });
    // What the settings say anew corrects it.
    expect(begin({ rate: 'blitz' })).toEqual({ rate: 'blitz' });
    store.close();
  });
});
