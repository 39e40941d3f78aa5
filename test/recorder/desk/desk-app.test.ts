import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../../../recorder/desk/passwords.ts';
import type { DeskAccount } from '../../../recorder/desk/sessions.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type DeskUnderTest, openDeskUnderTest, stateOf } from './desk-under-test.ts';

const GAME = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6'];
const JSON_TYPE = { 'content-type': 'application/json' };
const DRAW_OFFER = { type: 'draw-offer', side: 'white', ply: 5 };

let accounts: DeskAccount[] = [];
beforeAll(async () => {
  accounts = [
    { name: 'vera', role: 'viewer', password: await hashPassword('look') },
    { name: 'oleg', role: 'operator', password: await hashPassword('mend') },
    { role: 'arbiter', password: await hashPassword('judge') },
  ];
});

let desk: DeskUnderTest | undefined;
afterEach(async () => {
  await desk?.close();
  desk = undefined;
});

const post = (at: DeskUnderTest, url: string, body: unknown, headers: Record<string, string> = {}) =>
  at.app.inject({
    method: 'POST',
    url,
    headers: { ...JSON_TYPE, host: 'localhost', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** The cookie of somebody who has signed in. */
async function signIn(at: DeskUnderTest, name: string, password: string): Promise<Record<string, string>> {
  const reply = await post(at, '/api/session', { name, password });
  const [cookie] = reply.cookies;
  return cookie === undefined ? {} : { cookie: `${cookie.name}=${cookie.value}` };
}

describe('the desk without accounts', () => {
  it('stores what is decided, with who signed, and shows it', async () => {
    desk = await openDeskUnderTest([GAME]);
    const reply = await post(desk, '/api/games/1/entries', {
      what: { type: 'result', score: '1-0', termination: 'resignation' },
      seen: { lastEntry: 0 },
      by: 'Irina',
    });
    expect(reply.statusCode).toBe(200);
    const details = (await desk.app.inject({ url: '/api/games/1', headers: { host: 'localhost' } })).json();
    expect(details.entries).toMatchObject([{ by: 'Irina', what: { type: 'result', score: '1-0' } }]);
    expect(details.lastEntry).toBe(reply.json().id);
    expect(desk.audited).toMatchObject([{ type: 'enter', by: 'Irina', game: 1, what: 'result' }]);
  });

  it('asks for a signature', async () => {
    desk = await openDeskUnderTest([GAME]);
    const before = stateOf(desk);
    const reply = await post(desk, '/api/games/1/entries', { what: DRAW_OFFER, seen: { lastEntry: 0 } });
    expect(reply.json().error.code).toBe('SIGNATURE_MISSING');
    expect(stateOf(desk)).toBe(before);
  });

  it('tells what would come of a correction, and stores nothing', async () => {
    desk = await openDeskUnderTest([GAME]);
    const before = stateOf(desk);
    const what = { type: 'correction', from: 4, plies: ['g8f6'], replaces: 1 };
    const reply = await post(desk, '/api/games/1/foresee', { what });
    expect(reply.statusCode).toBe(200);
    expect(reply.json().differences.length).toBeGreaterThan(0);
    expect(stateOf(desk)).toBe(before);
  });

  it('refuses a decision of somebody who had not seen the last one, and takes it after a new look', async () => {
    desk = await openDeskUnderTest([GAME]);
    const first = await post(desk, '/api/games/1/entries', {
      what: DRAW_OFFER,
      seen: { lastEntry: 0 },
      by: 'Irina',
    });
    const what = { type: 'draw-declined', ply: 5 };
    const stale = await post(desk, '/api/games/1/entries', { what, seen: { lastEntry: 0 }, by: 'Pavel' });
    expect([stale.statusCode, stale.json().error.code]).toEqual([409, 'REQUEST_STALE']);
    const seen = { lastEntry: first.json().id };
    expect((await post(desk, '/api/games/1/entries', { what, seen, by: 'Pavel' })).statusCode).toBe(200);
  });

  it('refuses a correction of plies that are others by now', async () => {
    desk = await openDeskUnderTest([GAME]);
    const what = { type: 'correction', from: 4, plies: ['g8f6'], replaces: 1 };
    const seen = { lastEntry: 0, plies: ['e4', 'e5', 'Nf3', 'd6'] };
    const reply = await post(desk, '/api/games/1/entries', { what, seen, by: 'Irina' });
    expect(reply.json().error.code).toBe('REQUEST_STALE');
    const now = { lastEntry: 0, plies: ['e4', 'e5', 'Nf3', 'Nc6'] };
    const again = await post(desk, '/api/games/1/entries', { what, seen: now, by: 'Irina' });
    expect(again.statusCode).toBe(200);
  });

  it('takes a decision back, once', async () => {
    desk = await openDeskUnderTest([GAME]);
    const { id } = (
      await post(desk, '/api/games/1/entries', { what: DRAW_OFFER, seen: { lastEntry: 0 }, by: 'Irina' })
    ).json();
    const undo = await post(desk, '/api/games/1/undo', { undoes: id, seen: { lastEntry: id }, by: 'Pavel' });
    expect(undo.statusCode).toBe(200);
    const { lastEntry } = (
      await desk.app.inject({ url: '/api/games/1', headers: { host: 'localhost' } })
    ).json();
    const again = await post(desk, '/api/games/1/undo', { undoes: id, seen: { lastEntry }, by: 'Pavel' });
    expect(again.json().error.code).toBe('DECISION_UNKNOWN');
  });

  it.each<[string, unknown, string]>([
    ['an unknown kind', { what: { type: 'bribe' }, seen: { lastEntry: 0 }, by: 'I' }, 'REQUEST_INVALID'],
    [
      'a field too many',
      { what: { ...DRAW_OFFER, x: 1 }, seen: { lastEntry: 0 }, by: 'I' },
      'REQUEST_INVALID',
    ],
    ['nothing that was seen', { what: DRAW_OFFER, by: 'I' }, 'REQUEST_INVALID'],
    ['a list', [], 'REQUEST_INVALID'],
    ['half a document', '{"what":', 'REQUEST_INVALID'],
    ['a polluted prototype', '{"__proto__":{"by":"I"},"what":{},"seen":{"lastEntry":0}}', 'REQUEST_INVALID'],
    ['too much', { what: DRAW_OFFER, seen: { lastEntry: 0 }, by: 'x'.repeat(70_000) }, 'REQUEST_TOO_LARGE'],
    [
      'a name with control characters',
      { what: DRAW_OFFER, seen: { lastEntry: 0 }, by: 'a\r\nSet-Cookie: b' },
      'REQUEST_INVALID',
    ],
    [
      'a ply that is not there',
      { what: { type: 'draw-offer', side: 'white', ply: 99 }, seen: { lastEntry: 0 }, by: 'I' },
      'PLY_UNKNOWN',
    ],
    [
      'an illegal move',
      {
        what: { type: 'correction', from: 1, plies: ['e2e5'], replaces: 1 },
        seen: { lastEntry: 0 },
        by: 'I',
      },
      'MOVE_ILLEGAL',
    ],
  ])('refuses %s with a code, and changes nothing', async (_, body, code) => {
    desk = await openDeskUnderTest([GAME]);
    const before = stateOf(desk);
    const reply = await post(desk, '/api/games/1/entries', body);
    expect(reply.json().error.code).toBe(code);
    expect(stateOf(desk)).toBe(before);
    expect(desk.failures).toEqual([]);
  });

  it.each<[string, Record<string, string>, number, string]>([
    ['of another site', { origin: 'https://evil.example' }, 403, 'REQUEST_FORBIDDEN'],
    ['of the same name at another port', { origin: 'http://localhost:81' }, 403, 'REQUEST_FORBIDDEN'],
    ['of nobody', { origin: 'null' }, 403, 'REQUEST_FORBIDDEN'],
    ['that its browser calls cross-site', { 'sec-fetch-site': 'cross-site' }, 403, 'REQUEST_FORBIDDEN'],
    ['under a name that was pointed here', { host: 'evil.example' }, 421, 'REQUEST_HOST'],
    ['as a form', { 'content-type': 'application/x-www-form-urlencoded' }, 400, 'REQUEST_INVALID'],
    ['as plain text', { 'content-type': 'text/plain' }, 400, 'REQUEST_INVALID'],
  ])('refuses writes by a page %s', async (_, headers, status, code) => {
    desk = await openDeskUnderTest([GAME]);
    const before = stateOf(desk);
    const body = { what: DRAW_OFFER, seen: { lastEntry: 0 }, by: 'Irina' };
    for (const url of ['/api/games/1/entries', '/api/games/1/undo', '/api/games/1/foresee', '/api/session']) {
      const reply = await post(desk, url, body, headers);
      expect([url, reply.statusCode, reply.json().error.code]).toEqual([url, status, code]);
    }
    expect(stateOf(desk)).toBe(before);
  });

  it('refuses the stream of the hall to a page of another site', async () => {
    desk = await openDeskUnderTest([GAME]);
    const reply = await desk.app.inject({
      url: '/api/live',
      headers: { host: 'localhost', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    });
    expect(reply.json().error.code).toBe('REQUEST_FORBIDDEN');
  });

  it.each(['/api/games/0', '/api/games/x', '/api/games/1e9', '/api/games/999', '/api/games/-1'])(
    'answers %s with a code',
    async (url) => {
      desk = await openDeskUnderTest([GAME]);
      const reply = await desk.app.inject({ url, headers: { host: 'localhost' } });
      expect(['REQUEST_INVALID', 'GAME_UNKNOWN']).toContain(reply.json().error.code);
    },
  );

  it('writes markup in names as text, on paper as well', async () => {
    const evil = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>';
    desk = await openDeskUnderTest([GAME], {}, { White: evil, Black: 'Boris', Event: evil });
    for (const url of ['/papers/scoresheet/1?lang=ru', '/papers/report?lang=be']) {
      const reply = await desk.app.inject({ url, headers: { host: 'localhost' } });
      expect(reply.statusCode).toBe(200);
      expect(reply.body).not.toMatch(/<script|<img/);
      expect(reply.body).toContain('&lt;script&gt;');
      expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
    }
    const api = await desk.app.inject({ url: '/api/games/1', headers: { host: 'localhost' } });
    expect(api.headers['content-type']).toContain('application/json');
    expect(api.headers['x-content-type-options']).toBe('nosniff');
    expect(api.json().tags.White).toBe(evil);
  });

  it('serves the page and nothing beside it', async () => {
    const folder = temporaryFolder();
    const pageDir = join(folder, 'desk');
    mkdirSync(pageDir);
    writeFileSync(join(pageDir, 'index.html'), '<!doctype html>');
    writeFileSync(join(folder, 'secret.txt'), 'hush');
    writeFileSync(join(pageDir, '.hidden'), 'hush');
    desk = await openDeskUnderTest([GAME], { pageDir });
    const page = await desk.app.inject({ url: '/', headers: { host: 'localhost' } });
    expect([page.statusCode, page.body]).toEqual([200, '<!doctype html>']);
    expect(page.headers['content-security-policy']).toMatch(/script-src 'self'; style-src 'self'/);
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    for (const url of [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/..%5csecret.txt',
      '/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
      '/.hidden',
      '/index.html%00.txt',
      '//etc/passwd',
    ]) {
      const reply = await desk.app.inject({ url, headers: { host: 'localhost' } });
      expect([url, reply.body.includes('hush') || reply.body.includes('root:')]).toEqual([url, false]);
      expect([url, reply.statusCode >= 400]).toEqual([url, true]);
    }
  });
});

describe('the desk with accounts', () => {
  it('tells nothing to who has not signed in', async () => {
    desk = await openDeskUnderTest([GAME], { accounts });
    const before = stateOf(desk);
    for (const url of [
      '/api/live',
      '/api/snapshot',
      '/api/setup',
      '/api/games',
      '/api/games/1',
      '/api/games/1/timeline',
      '/api/games/1/catch-ups',
      '/api/winnable?fen=x&side=white',
      '/papers/scoresheet/1',
      '/papers/report',
    ]) {
      const reply = await desk.app.inject({ url, headers: { host: 'localhost' } });
      expect([url, reply.statusCode, reply.json().error.code]).toEqual([url, 401, 'REQUEST_SIGN_IN']);
    }
    for (const url of ['/api/games/1/entries', '/api/games/1/undo', '/api/games/1/foresee']) {
      const reply = await post(desk, url, { what: DRAW_OFFER, seen: { lastEntry: 0 }, by: 'I' });
      expect([url, reply.json().error.code]).toEqual([url, 'REQUEST_SIGN_IN']);
    }
    expect(stateOf(desk)).toBe(before);
  });

  it('lets a viewer look, an operator correct and an arbiter decide, each under the name of the account', async () => {
    desk = await openDeskUnderTest([GAME], { accounts });
    const viewer = await signIn(desk, 'vera', 'look');
    const operator = await signIn(desk, 'oleg', 'mend');
    const arbiter = await signIn(desk, 'Nina', 'judge');
    const result = { type: 'result', score: '1-0', termination: 'resignation' };
    const enter = async (who: Record<string, string>, what: unknown, lastEntry: number) =>
      (
        await post(desk!, '/api/games/1/entries', { what, seen: { lastEntry }, by: 'somebody else' }, who)
      ).json();
    expect((await enter(viewer, DRAW_OFFER, 0)).error.code).toBe('REQUEST_FORBIDDEN');
    expect((await enter(operator, result, 0)).error.code).toBe('REQUEST_FORBIDDEN');
    const { id } = await enter(operator, DRAW_OFFER, 0);
    const decided = await enter(arbiter, result, id);
    expect(decided.id).toBeGreaterThan(id);
    const undo = await post(
      desk,
      '/api/games/1/undo',
      { undoes: decided.id, seen: { lastEntry: decided.id } },
      operator,
    );
    expect(undo.json().error.code).toBe('REQUEST_FORBIDDEN');
    const details = (
      await desk.app.inject({ url: '/api/games/1', headers: { host: 'localhost', ...viewer } })
    ).json();
    expect(details.entries.map(({ by }: { by: string }) => by)).toEqual(['oleg', 'Nina']);
  });

  it('keeps the session in a cookie that no script and no other site can use, and ends it', async () => {
    desk = await openDeskUnderTest([GAME], { accounts });
    const reply = await post(desk, '/api/session', { name: 'vera', password: 'look' });
    expect(reply.cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/' }]);
    const cookie = { cookie: `${reply.cookies[0]!.name}=${reply.cookies[0]!.value}`, host: 'localhost' };
    expect((await desk.app.inject({ url: '/api/snapshot', headers: cookie })).statusCode).toBe(200);
    await desk.app.inject({ method: 'DELETE', url: '/api/session', headers: cookie });
    expect((await desk.app.inject({ url: '/api/snapshot', headers: cookie })).statusCode).toBe(401);
  });

  it.each([
    ['vera', 'mend'],
    ['nobody', 'look'],
    ['vera', 'LOOK'],
  ])('refuses %s with the password %s, and says so in the audit', async (name, password) => {
    desk = await openDeskUnderTest([GAME], { accounts });
    const reply = await post(desk, '/api/session', { name, password });
    expect([reply.statusCode, reply.json().error.code, reply.cookies]).toEqual([401, 'SIGN_IN_WRONG', []]);
    expect(desk.audited.some(({ type, by }) => type === 'sign-in-refused' && by === name)).toBe(true);
  });

  it('lets nobody guess passwords at will', async () => {
    desk = await openDeskUnderTest([GAME], { accounts, signInsPerMinute: 3 });
    const codes: string[] = [];
    for (let i = 0; i < 5; i++)
      codes.push((await post(desk, '/api/session', { name: 'vera', password: `x${i}` })).json().error.code);
    expect(codes.slice(0, 3)).toEqual(['SIGN_IN_WRONG', 'SIGN_IN_WRONG', 'SIGN_IN_WRONG']);
    expect(codes.slice(3)).toEqual(['REQUEST_TOO_OFTEN', 'REQUEST_TOO_OFTEN']);
  });

  it.each(['', 'x', 'a'.repeat(500), '%00', '../../x', '"; Path=/'])(
    'takes %j for no session',
    async (value) => {
      desk = await openDeskUnderTest([GAME], { accounts });
      const reply = await desk.app.inject({
        url: '/api/snapshot',
        headers: { host: 'localhost', cookie: `jadoube-desk=${value}` },
      });
      expect(reply.statusCode).toBe(401);
    },
  );
});
