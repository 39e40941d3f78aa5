import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStoreReader } from '../../../recorder/store/store.ts';
import { recordGames } from '../recorded-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runCommand } from './test-io.ts';

const LIST = (round: number): string =>
  [
    ['Anand, Vera', 'Bird, Olga'],
    ['Cox, Ida', 'Dahl, Una'],
  ]
    .map(
      ([white, black], i) =>
        `[Event "Open"]\n[Site "Minsk"]\n[Round "${round}.${i + 1}"]\n[White "${white}"]\n[Black "${black}"]\n[Result "*"]\n\n*\n`,
    )
    .join('\n');

/** A folder with a database and two rounds as files. */
function prepare() {
  const folder = temporaryFolder();
  const db = join(folder, 'games.sqlite');
  const files = [1, 2].map((round) => {
    const file = join(folder, `round-${round}.pgn`);
    writeFileSync(file, LIST(round));
    return file;
  });
  const event = (...argv: string[]) =>
    runCommand('event', argv[0]!, '--db', db, '--by', 'Novak', ...argv.slice(1));
  return { db, files, event };
}

describe('event', () => {
  it('takes a round from its list to a report of results', async () => {
    const { db, files, event } = prepare();
    expect((await event('init', '--name', 'City Open')).status).toBe(0);
    const preview = await event('import', files[0]!, '--dry-run');
    expect(preview.out).toContain('+ 1.1: Anand, Vera - Bird, Olga');
    expect(JSON.parse((await event('status', '--json')).out).pairings).toEqual([]);
    expect((await event('import', files[0]!)).status).toBe(0);
    expect((await event('import', files[0]!)).out).toContain('nothing changes');
    expect((await event('assign', '1=dgt-1', '2=dgt-2')).status).toBe(0);
    recordGames(db, [['e4', 'e5', 'Nf3', 'Nc6', 'Bb5']], {}, Date.now());
    expect((await event('result', '1', '1/2', '--round', '1')).status).toBe(0);
    const status = await event('status');
    expect(status.out).toMatch(/1 +Anand, Vera - Bird, Olga +dgt-1 +1: 4 plies +1\/2-1\/2 \(desk\)/);
    const reader = openStoreReader(db);
    // What was said first stays: the list does not rename the event.
    expect(reader.games()[0]!.tags).toMatchObject({
      Event: 'City Open',
      Site: 'Minsk',
      White: 'Anand, Vera',
      Round: '1.1',
    });
    reader.close();
  });

  it('remembers the boards from round to round, and leaves those whose game is running', async () => {
    const { db, files, event } = prepare();
    await event('import', ...files);
    await event('assign', '--round', '1', '1=dgt-1', '2=dgt-2');
    recordGames(db, [['e4', 'e5', 'Nf3', 'Nc6']], {}, Date.now());
    const busy = await event('assign', '--round', '2');
    expect([busy.status, busy.out.includes('2.2: Cox, Ida - Dahl, Una: dgt-2')]).toEqual([1, true]);
    expect(busy.err).toContain('dgt-1 stays at 1.1');
    await event('result', '1', '1-0', '--round', '1');
    expect((await event('assign', '--round', '2')).out).toContain('2.1: Anand, Vera - Bird, Olga: dgt-1');
    const { pairings } = JSON.parse((await event('status', '--round', '2', '--json')).out) as {
      pairings: { eboard?: string }[];
    };
    expect(pairings.map(({ eboard }) => eboard)).toEqual(['dgt-1', 'dgt-2']);
  });

  it('assigns by order and by serial number', async () => {
    const { files, event } = prepare();
    await event('import', files[0]!);
    await event('assign', 'dgt-7', 'dgt-5');
    expect((await event('status')).out).toMatch(/Anand.*dgt-7/);
    await event('assign', '--mode', 'serial', 'dgt-70', 'dgt-9');
    expect((await event('status')).out).toMatch(/Anand.*dgt-9\n.*Cox.*dgt-70/);
  });

  it('pairs by hand, re-pairs, and withdraws', async () => {
    const { files, event } = prepare();
    await event('import', files[0]!);
    expect((await event('pair', '3', 'Evans, Ada', 'Fox, Eva', '--round', '1')).out).toContain(
      '+ 1.3: Evans, Ada - Fox, Eva',
    );
    expect((await event('pair', '1', 'Bird, Olga', 'Anand, Vera', '--round', '1')).out).toContain(
      '~ 1.1: Anand, Vera - Bird, Olga -> 1.1: Bird, Olga - Anand, Vera',
    );
    const other = await event('pair', '2', 'Cox, Ida', 'Evans, Ada', '--round', '1');
    expect(other.out.split('\n').filter((line) => line.startsWith('-')).length).toBe(2);
    expect((await event('pair', '1', '--remove', '--round', '1')).out).toContain('- 1.1');
    expect((await event('pair', '1', '--remove', '--round', '1')).status).toBe(2);
  });

  it('names what cannot be read by file and line, and what was asked wrongly', async () => {
    const { db, event } = prepare();
    const file = join(temporaryFolder(), 'x.trf');
    writeFileSync(file, '012 Open\n001 broken\n');
    const read = await event('import', file);
    expect(read.err).toContain(`IMPORT_LINE: ${file}, line 2`);
    for (const [argv, status, code] of [
      [['import', '/nowhere'], 1, 'FILE_UNREADABLE'],
      [['import', db], 1, 'IMPORT_KIND'],
      [['status', '--round', 'x'], 2, 'ARGUMENT_INVALID'],
      [['assign', '1=dgt-1'], 2, 'ARGUMENT_INVALID'],
      [['result', '9', '1-0', '--round', '1'], 2, 'ARGUMENT_INVALID'],
    ] as const) {
      const failed = await event(...argv);
      expect([failed.status, failed.err.split(':')[0]]).toEqual([status, code]);
    }
    expect(readFileSync(file, 'utf8')).toContain('broken');
  });
});
