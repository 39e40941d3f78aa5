import { lastValueFrom, of, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import type { DocumentPlace } from '../../../recorder/publish/documents.ts';
import { deliver } from '../../../recorder/publish/documents.ts';
import { createSftpPlace } from '../../../recorder/publish/sftp-place.ts';
import { startSftp } from './sftp-stand-in.ts';

const closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close();
});

async function start(options: { renamesOver?: boolean } = {}) {
  const server = await startSftp({ password: 'secret', ...options });
  closes.push(server.close);
  const place = (more: { password?: string; hostKey?: string } = {}): DocumentPlace => {
    const { password = 'secret', ...rest } = more;
    const made = createSftpPlace({
      host: '127.0.0.1',
      port: server.port,
      user: 'club',
      dir: 'live',
      secrets: () => ({ password }),
      ...rest,
    });
    closes.push(() => made.close?.());
    return made;
  };
  return { ...server, place };
}

const put = (place: DocumentPlace, name: string, text: string) => place.put(name, text) as Promise<void>;

describe('a folder on an SFTP server', () => {
  it.each([{ renamesOver: true }, { renamesOver: false }])(
    'holds whole files, under another name until they are whole (%o)',
    async (options) => {
      const { files, shown, place } = await start(options);
      const there = place();
      await put(there, 'round-1/games.pgn', 'old');
      await put(there, 'round-1/games.pgn', 'new ♞'.repeat(20_000));
      expect([...files.keys()]).toEqual(['/home/live/round-1/games.pgn']);
      expect(files.get('/home/live/round-1/games.pgn')!.toString()).toBe('new ♞'.repeat(20_000));
      expect(new Set(shown.filter((path) => path.endsWith('.pgn')))).toEqual(
        new Set(['/home/live/round-1/games.pgn']),
      );
      expect(shown.filter((path) => path.endsWith('.part')).length).toBeGreaterThan(1);
      await there.remove('round-1/games.pgn');
      await there.remove('round-1/games.pgn');
      expect(files.size).toBe(0);
    },
  );

  it('is written to again after the server was away', async () => {
    const { files, drop, trouble, place } = await start();
    const there = place();
    await put(there, 'a.pgn', '1');
    drop();
    trouble.left = Number.POSITIVE_INFINITY;
    const told = await lastValueFrom(
      of({ name: 'a.pgn', text: () => '2' }).pipe(
        (source) => deliver(there, { retryMs: 1 })(source),
        toArray(),
      ),
    ).catch(() => []);
    // The source has completed: a place that refuses is given up, and said.
    expect(told.at(-1)).toMatchObject({ type: 'fault', lost: true });
    trouble.left = 0;
    await put(there, 'a.pgn', '3');
    // What was idle for long is no fault of anybody.
    drop();
    await put(there, 'b.pgn', '4');
    expect(files.get('/home/live/a.pgn')!.toString()).toBe('3');
  });

  it('refuses a wrong password and another server with codes that hold no secret', async () => {
    const { place, hostKey } = await start();
    const wrong = put(place({ password: 'wrongSecret' }), 'a', 'x');
    await expect(wrong).rejects.toMatchObject({ code: 'UPLOAD_FAILED' });
    expect(String(await wrong.catch((error: unknown) => error))).not.toContain('wrongSecret');
    const other = put(place({ hostKey: 'SHA256:AAAA' }), 'a', 'x');
    await expect(other).rejects.toMatchObject({ code: 'UPLOAD_HOST_KEY', context: { found: hostKey } });
    await put(place({ hostKey }), 'a', 'x');
  });
});
