import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { list } from 'tar';
import { describe, expect, it } from 'vitest';
import { makeRoundArchive } from '../../../recorder/archive/round-archive.ts';
import { backupDatabase, checkDatabaseCopy } from '../../../recorder/store/backup.ts';
import { openStore, openStoreReader } from '../../../recorder/store/store.ts';
import { openTournamentStore } from '../../../recorder/store/tournament-store.ts';
import { codeOf } from '../../kit/code-of.ts';
import { runCommand } from '../cli/test-io.ts';
import { RECORDED_WALL_MS, recordGames } from '../recorded-store.ts';
import { rederiveFile } from '../rederive-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const MOVES = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5'];

/** A database with a pairing, a game of it, and a table where nobody has begun. */
function recorded(): string {
  const file = join(temporaryFolder(), 'games.sqlite');
  const tournament = openTournamentStore(file);
  const at = (key: string, board: number, white: string, black: string) =>
    [
      { type: 'player-added', key: white, facts: { section: '', name: white } },
      { type: 'player-added', key: black, facts: { section: '', name: black } },
      {
        type: 'pairing-added',
        key,
        facts: {
          section: '',
          round: 3,
          leg: 1,
          board,
          place: board,
          white: { key: white },
          black: { key: black },
        },
      },
    ] as const;
  tournament.apply(
    [
      ...at('p', 1, 'Anand', 'Bird'),
      ...at('q', 2, 'Cox', 'Dahl'),
      { type: 'assigned', pairing: { key: 'p' }, eboard: 'dgt-1', takesGames: false },
      { type: 'result', pairing: { key: 'q' }, source: 'desk', score: '0-1', forfeit: true },
    ],
    { by: 'test', wallMs: RECORDED_WALL_MS },
  );
  tournament.close();
  recordGames(file, [MOVES]);
  return file;
}

describe('backup', () => {
  it('copies what is committed while a recorder has the database, and the copy goes on being recorded into', () => {
    const file = recorded();
    const recorder = openStore(file, { wallMs: () => RECORDED_WALL_MS });
    const copy = join(temporaryFolder(), 'deep', 'copy.sqlite');
    const report = backupDatabase(file, copy);
    recorder.close();
    expect(report).toMatchObject({ games: 1, plies: MOVES.length });
    expect(report.inputs).toBeGreaterThan(10);
    const [before, after] = [file, copy].map((name) => {
      const reader = openStoreReader(name);
      const games = reader.games();
      reader.close();
      return games;
    });
    expect(after).toEqual(before);
    // Restored: a recorder takes it up, and derives the same games from it.
    openStore(copy, { wallMs: () => RECORDED_WALL_MS + 1000 }).close();
    expect(rederiveFile(copy).flat()).toEqual([]);
  });

  it('finds damage in a copy, and keeps the copy before when there is nothing to copy', () => {
    const file = recorded();
    const copy = join(temporaryFolder(), 'copy.sqlite');
    backupDatabase(file, copy);
    const good = readFileSync(copy);
    expect(codeOf(() => backupDatabase(join(temporaryFolder(), 'none'), copy))).toBe('FILE_UNREADABLE');
    expect(readFileSync(copy).equals(good)).toBe(true);
    truncateSync(copy, Math.floor(good.length / 2));
    expect(codeOf(() => checkDatabaseCopy(copy))).toBe('STORE_CORRUPT');
    const page = Buffer.from(good);
    page.fill(0x55, 4096 * 3 + 8, 4096 * 3 + 400);
    writeFileSync(copy, page);
    expect(codeOf(() => checkDatabaseCopy(copy))).toBe('STORE_CORRUPT');
  });

  it('is a command, with what was found in the copy', async () => {
    const file = recorded();
    const copy = join(temporaryFolder(), 'copy.sqlite');
    const made = await runCommand('backup', copy, '--db', file, '--json');
    expect([made.status, JSON.parse(made.out)]).toMatchObject([0, { file: copy, games: 1 }]);
    expect((await runCommand('backup', copy, '--check')).status).toBe(0);
    writeFileSync(copy, 'no database');
    expect(await runCommand('backup', copy, '--check')).toMatchObject({ status: 1, err: /^STORE_CORRUPT/ });
  });
});

describe('the archive of a round', () => {
  it('holds a database that can be opened, the PGN of all tables, the tournament and captures', async () => {
    const file = recorded();
    const folder = temporaryFolder();
    const captures = join(temporaryFolder());
    writeFileSync(join(captures, 'dgt-1.ndjson'), '{"jadoube":1}\n');
    const out = join(folder, 'round-3.tar.gz');
    const archive = await makeRoundArchive({ db: file, out, round: 3, captureDir: captures });
    expect(archive).toMatchObject({ tables: 2, database: { games: 1 } });
    const found: string[] = [];
    await list({ file: out, onReadEntry: ({ path }) => found.push(path) });
    expect(found.sort()).toEqual([
      'captures/',
      'captures/dgt-1.ndjson',
      'jadoube.sqlite',
      'round-3/',
      'round-3/games.pgn',
      'tournament.json',
    ]);
    const command = await runCommand('archive', join(folder, 'again.tar.gz'), '--db', file, '--round', '3');
    expect(command.status).toBe(0);
  });

  it('writes tables with a game and tables without, results of the desk included', async () => {
    const file = recorded();
    const out = join(temporaryFolder(), 'round.pgn');
    expect((await runCommand('event', 'publish', out, '--db', file, '--round', '3')).status).toBe(0);
    const text = readFileSync(out, 'utf8');
    expect(text).toContain('[White "Anand"]');
    expect(text).toContain('1. e4 e5 2. Nf3 Nc6');
    expect(text).toMatch(/\[White "Cox"\]\n\[Black "Dahl"\]\n\[Result "0-1"\]/);
    expect(text.match(/\[GameId "/g)).toHaveLength(2);
  });
});
