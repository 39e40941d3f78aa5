import { join } from 'node:path';
import { firstValueFrom, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../driver/clock.ts';
import { desk$ } from '../../../recorder/desk/desk.ts';
import { hashPassword } from '../../../recorder/desk/passwords.ts';
import type { RecorderUpdate } from '../../../recorder/recorder.ts';
import { listen } from '../http/listen.ts';
import { recordGames } from '../recorded-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Reads server-sent events of one viewer, one after the other, signs of life left out. */
async function watch(
  url: string,
): Promise<{ next(): Promise<[event: string, data: unknown]>; close(): void }> {
  const abort = new AbortController();
  const response = await fetch(`${url}/api/live`, { signal: abort.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const frame = text.slice(0, end);
          text = text.slice(end + 2);
          const event = /^event: (.*)$/m.exec(frame)?.[1] ?? '';
          if (event !== 'beat') return [event, JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? 'null')];
        }
        const { value, done } = await reader.read();
        if (done) throw new Error('the stream has ended');
        text += value;
      }
    },
    close: () => abort.abort(),
  };
}

function open(options: { host?: string } = {}) {
  const file = join(temporaryFolder(), 'games.sqlite');
  const clock = createSystemClock();
  recordGames(file, [['e4', 'e5', 'Nf3']], { White: 'Anna' }, clock.wallMs());
  const updates = new Subject<RecorderUpdate>();
  return {
    updates,
    desk: desk$({ updates$: updates, file, clock, port: 0, pageDir: undefined, ...options }),
  };
}

describe('the desk beside a recorder', () => {
  it('tells a viewer everything first, then what changes and what is decided', async () => {
    const { updates, desk } = open();
    const server = await listen(desk);
    const viewer = await watch(server.url);
    expect(await viewer.next()).toMatchObject([
      'snapshot',
      { rows: [{ board: 'dgt-1', white: 'Anna', lastSan: 'Nf3', lastEntry: 0 }] },
    ]);
    updates.next({
      type: 'board',
      board: 'dgt-1',
      kind: 'dgt',
      update: { type: 'link', atMs: 1, link: 'up' },
    });
    expect(await viewer.next()).toMatchObject([
      'changes',
      { rows: [{ board: 'dgt-1', set: { link: 'up' } }] },
    ]);
    // By the thread, as in real life.
    const answer = await fetch(`${server.url}/api/games/1/entries`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ what: { type: 'hold' }, seen: { lastEntry: 0 }, by: 'Olga' }),
    });
    const { id } = (await answer.json()) as { id: number };
    expect(await viewer.next()).toMatchObject([
      'changes',
      { rows: [{ board: 'dgt-1', set: { isHeld: true, lastEntry: id } }] },
    ]);
    const refused = await fetch(`${server.url}/api/games/99/timeline`);
    expect(((await refused.json()) as { error: { code: string } }).error.code).toBe('GAME_UNKNOWN');
    const timeline = (await (await fetch(`${server.url}/api/games/1/timeline`)).json()) as {
      events: readonly { type: string; square?: number }[];
    };
    expect(timeline.events.filter(({ type }) => type === 'square').map(({ square }) => square)).toEqual([
      12, 28, 52, 36, 6, 21,
    ]);
    viewer.close();
    server.stop();
  });

  it('is not opened to other machines without a password', async () => {
    const { desk } = open({ host: '0.0.0.0' });
    await expect(firstValueFrom(desk)).rejects.toMatchObject({ code: 'DESK_PASSWORD_MISSING' });
  });

  it('is opened to other machines with one, and asks for it', async () => {
    const { updates } = open();
    const file = join(temporaryFolder(), 'games.sqlite');
    recordGames(file, [['e4']]);
    const server = await listen(
      desk$({
        updates$: updates,
        file,
        clock: createSystemClock(),
        host: '0.0.0.0',
        port: 0,
        pageDir: undefined,
        accounts: [{ role: 'viewer', password: await hashPassword('x') }],
      }),
    );
    expect((await fetch(`http://127.0.0.1:${server.port}/api/snapshot`)).status).toBe(401);
    server.stop();
  });
});
