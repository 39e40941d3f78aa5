import { lastValueFrom, of, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { type DocumentPlace, deliver } from '../../../recorder/publish/documents.ts';
import { createFtpsPlace } from '../../../recorder/publish/ftps-place.ts';
import { makeCertificate } from '../../kit/certificate.ts';
import { startFtps } from './ftps-stand-in.ts';

const closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close();
});

async function start(options: { renamesOver?: boolean; hasTls?: boolean } = {}) {
  const server = await startFtps({ password: 'secret', ...options });
  closes.push(server.close);
  const place = (more: { password?: string; certificate?: string } = {}): DocumentPlace => {
    const { password = 'secret', certificate = server.certificate } = more;
    const made = createFtpsPlace({
      host: '127.0.0.1',
      port: server.port,
      user: 'club',
      dir: 'live',
      secrets: () => ({ password }),
      certificate: () => certificate,
    });
    closes.push(() => made.close?.());
    return made;
  };
  return { ...server, place };
}

const put = (place: DocumentPlace, name: string, text: string) => place.put(name, text) as Promise<void>;

describe('a folder on an FTP server with TLS', () => {
  it.each([{ renamesOver: true }, { renamesOver: false }])(
    'holds whole files, under another name until they are whole (%o)',
    async (options) => {
      const { files, shown, inClear, place } = await start(options);
      const there = place();
      await put(there, 'round-1/games.pgn', 'old');
      await put(there, 'round-1/games.pgn', 'new ♞\r\n'.repeat(20_000));
      await put(there, 'tournament.json', '{}');
      expect([...files.keys()].sort()).toEqual([
        '/home/live/round-1/games.pgn',
        '/home/live/tournament.json',
      ]);
      expect(files.get('/home/live/round-1/games.pgn')!.toString()).toBe('new ♞\r\n'.repeat(20_000));
      // Each name that readers look at was there with whole texts only: it appears by a rename.
      expect(shown.filter((path) => path === '/home/live/round-1/games.pgn')).toHaveLength(2);
      expect(shown.filter((path) => path.endsWith('games.pgn.part')).length).toBeGreaterThan(2);
      expect(inClear).toEqual(['AUTH TLS']);
      expect(await there.read!('round-1/games.pgn')).toBe('new ♞\r\n'.repeat(20_000));
      expect(await there.read!('round-9/games.pgn')).toBeUndefined();
      await there.remove('round-1/games.pgn');
      await there.remove('round-1/games.pgn');
      await there.remove('round-9/games.pgn');
      expect([...files.keys()]).toEqual(['/home/live/tournament.json']);
    },
  );

  it('is written to again when the server has ended an idle conversation, and nobody is troubled', async () => {
    const { files, commands, drop, place } = await start();
    const there = place();
    await put(there, 'a.pgn', '1');
    drop();
    await put(there, 'a.pgn', '2');
    expect(files.get('/home/live/a.pgn')!.toString()).toBe('2');
    expect(commands.filter((word) => word === 'USER')).toHaveLength(2);
  });

  it('says what the server has refused, and tries again', async () => {
    const { files, trouble, place } = await start();
    const there = place();
    trouble.left = 1;
    const told = await lastValueFrom(
      of({ name: 'a.pgn', text: () => '1' }).pipe(deliver(there, { retryMs: 1 }), toArray()),
    );
    // The source has completed: a place that refuses is given up, and said.
    expect(told).toMatchObject([{ type: 'fault', lost: true, fault: { code: 'UPLOAD_FAILED' } }]);
    expect(files.has('/home/live/a.pgn')).toBe(false);
    await put(there, 'a.pgn', '2');
    expect(files.get('/home/live/a.pgn')!.toString()).toBe('2');
  });

  it('tells no secret to a server that is another one, or has no TLS, or refuses it', async () => {
    const { place } = await start();
    const wrong = put(place({ password: 'wrongSecret' }), 'a', 'x');
    await expect(wrong).rejects.toMatchObject({ code: 'UPLOAD_FAILED' });
    expect(String(await wrong.catch((error: unknown) => error))).not.toContain('wrongSecret');
    const stranger = await start();
    const other = put(stranger.place({ certificate: makeCertificate().certificate }), 'a', 'x');
    await expect(other).rejects.toMatchObject({ code: 'UPLOAD_FAILED' });
    expect(stranger.commands).toEqual(['AUTH']);
    expect(stranger.inClear).toEqual(['AUTH TLS']);
    const open = await start({ hasTls: false });
    await expect(put(open.place(), 'a', 'x')).rejects.toMatchObject({ code: 'UPLOAD_FAILED' });
    expect(open.inClear.join(' ')).not.toMatch(/USER|PASS|secret/);
  });
});
