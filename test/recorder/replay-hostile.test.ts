import { execFileSync } from 'node:child_process';
import { mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLog } from '../../recorder/cli/log.ts';
import { openStoreReader } from '../../recorder/store/store.ts';
import { makeFile, replay } from './replay-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

const HEAD = '{"jadoube":1,"board":"dgt","startedAt":"x"}\n';

describe('files that nobody means well with', () => {
  it('reads a line of many megabytes of digits', async () => {
    const file = makeFile('long.ndjson', `${HEAD}{"t":0,"rx":"${'8e00050c01'.repeat(600_000)}"}\n`);
    const { status, err } = await replay([file]);
    expect([status, err]).toEqual([0, '']);
  });

  it.each(['8e0', '8e 0 05', 'zz', '8e\n0'])('refuses %j as bytes', async (hex) => {
    const file = makeFile('odd.ndjson', `${HEAD}${JSON.stringify({ t: 0, rx: hex })}\n`);
    const { status, err } = await replay([file]);
    expect([status, err.split(':')[0]]).toEqual([2, 'CAPTURE_SYNTAX']);
  });

  it('refuses a file that is larger than it can hold, without reading it', async () => {
    const file = makeFile('large.trace', '');
    truncateSync(file, 600 * 1024 * 1024);
    const { status, err } = await replay([file]);
    expect([status, err.split(':')[0]]).toEqual([2, 'FILE_TOO_LARGE']);
  });

  it('does not wait for a pipe', async ({ skip }) => {
    if (process.platform === 'win32') return skip('no named pipes in the file system here');
    const pipe = join(temporaryFolder(), 'pipe.trace');
    execFileSync('mkfifo', [pipe]);
    const { status, err } = await replay([pipe]);
    expect([status, err.split(':')[0]]).toEqual([2, 'FILE_UNREADABLE']);
  });

  it('shows nothing that could move a cursor, whatever the words and names hold', async () => {
    const evil = '\u001b[31mred\u001b]0;title\u0007';
    const folder = mkdtempSync(join(temporaryFolder(), 'x'));
    const named = join(folder, 'a\nb\u001b[2J.trace');
    writeFileSync(named, `ev: ${evil}\n`);
    const files = [
      named,
      makeFile('fen.trace', `fen: ${evil}\nev: -e2\n`),
      makeFile('line.ndjson', `${HEAD}${evil}\n{"t":1,"rx":""}\n`),
      makeFile('board.ndjson', JSON.stringify({ jadoube: 1, board: evil, startedAt: 'x' })),
    ];
    for (const file of files) {
      const { status, err } = await replay([file]);
      expect(status).toBe(2);
      expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
    }
    expect((await replay([named])).err.trimEnd().split('\n')).toHaveLength(2);
  });
});

describe('places that cannot be used', () => {
  it('names a log that cannot be written', async () => {
    const folder = temporaryFolder();
    await expect(openLog(folder)).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' });
    await expect(openLog(join(makeFile('plain', ''), 'log'))).rejects.toMatchObject({
      code: 'FILE_UNWRITABLE',
    });
  });

  it('names a database with nothing in it', () => {
    const file = makeFile('empty.sqlite', '');
    expect(() => openStoreReader(file)).toThrow(expect.objectContaining({ code: 'FILE_UNREADABLE' }));
  });
});
