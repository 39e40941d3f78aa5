import { afterEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../driver/clock.ts';
import type { ChangePreview, Setup } from '../../../recorder/desk/model/setup-api.ts';
import { hashPassword } from '../../../recorder/desk/passwords.ts';
import { openTournamentDesk, type TournamentDesk } from '../../../recorder/tournament/tournament-desk.ts';
import { recordGames } from '../recorded-store.ts';
import { type DeskUnderTest, openDeskUnderTest } from './desk-under-test.ts';

const GAME = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6'];
const LIST = [
  '[Event "City Open"]',
  '[Round "1.1"]',
  '[White "Anand, Vera"]',
  '[Black "Bird, Olga"]',
  '',
  '*',
  '',
  '[Event "City Open"]',
  '[Round "1.2"]',
  '[White "Carlsen, Pavel"]',
  '[Black "Ding, Irina"]',
  '',
  '*',
  '',
].join('\n');

let desk: DeskUnderTest | undefined;
let tournament: TournamentDesk | undefined;
afterEach(async () => {
  await desk?.close();
  tournament?.close();
  desk = undefined;
  tournament = undefined;
});

/** A desk over one recorded game of board dgt-1, with the tournament of its database. */
async function openWithTournament(options: Parameters<typeof openDeskUnderTest>[1] = {}) {
  const late: { of?: TournamentDesk } = {};
  const proxy: TournamentDesk = {
    get state$() {
      return late.of!.state$;
    },
    current: () => late.of!.current(),
    apply: (...said) => late.of!.apply(...said),
    close: () => late.of!.close(),
  };
  const at = await openDeskUnderTest([GAME], { tournament: proxy, ...options });
  late.of = openTournamentDesk(at.file, createSystemClock());
  tournament = late.of;
  desk = at;
  return at;
}

const post = async (at: DeskUnderTest, url: string, body: unknown, headers: Record<string, string> = {}) => {
  const reply = await at.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', host: 'localhost', ...headers },
    payload: JSON.stringify(body),
  });
  return { status: reply.statusCode, body: reply.json() as ChangePreview & { error?: { code: string } } };
};
const setupOf = async (at: DeskUnderTest): Promise<Setup> =>
  (await at.app.inject({ url: '/api/setup', headers: { host: 'localhost' } })).json();
const list = (text: string) => ({ file: 'round-1.pgn', data: Buffer.from(text).toString('base64') });

/** Pairings of round 1 are there. */
async function paired(options: Parameters<typeof openDeskUnderTest>[1] = {}) {
  const at = await openWithTournament(options);
  const { revision } = (await post(at, '/api/tournament/import', list(LIST))).body;
  await post(at, '/api/tournament/import', { ...list(LIST), seen: revision, by: 'Irina' });
  return at;
}

describe('a list of pairings at the desk', () => {
  it('is looked at before anything is changed, and then made true, signed', async () => {
    const at = await openWithTournament();
    const look = await post(at, '/api/tournament/import', list(LIST));
    expect(look.body).toMatchObject({ isMade: false, read: { kind: 'pgn', players: 4, pairings: 2 } });
    expect(look.body.lines.filter(({ type }) => type === 'pairing-added').map(({ about }) => about)).toEqual([
      '1.1: Anand, Vera – Bird, Olga',
      '1.2: Carlsen, Pavel – Ding, Irina',
    ]);
    expect((await setupOf(at)).tournament?.tables).toEqual([]);
    const seen = look.body.revision;
    const made = await post(at, '/api/tournament/import', { ...list(LIST), seen, by: 'Irina' });
    expect(made.body.isMade).toBe(true);
    expect((await setupOf(at)).tournament?.tables).toMatchObject([
      { table: 1, white: 'Anand, Vera', black: 'Bird, Olga' },
      { table: 2, white: 'Carlsen, Pavel', black: 'Ding, Irina' },
    ]);
    expect(at.audited).toMatchObject([{ type: 'enter', by: 'Irina', what: 'import' }]);
  });

  it('is not made true when the tournament is another by now', async () => {
    const at = await paired();
    const more = LIST.replace('Bird, Olga', 'Birdie, Olena');
    const { revision } = (await post(at, '/api/tournament/import', list(more))).body;
    const [first] = (await setupOf(at)).tournament!.tables;
    await post(at, '/api/tournament/assign', {
      pairing: first!.pairing,
      eboard: 'dgt-1',
      seen: revision,
      by: 'Pavel',
    });
    const before = await setupOf(at);
    const late = await post(at, '/api/tournament/import', { ...list(more), seen: revision, by: 'Irina' });
    expect([late.status, late.body.error?.code]).toEqual([409, 'TOURNAMENT_CHANGED']);
    expect(await setupOf(at)).toEqual(before);
  });

  it.each([
    ['nothing that is known', list('what is this'), 'IMPORT_KIND'],
    ['no base64', { file: 'x', data: '%%%' }, 'REQUEST_INVALID'],
    ['a list that is too long', { file: 'x', data: 'A'.repeat(3_000_000) }, 'REQUEST_TOO_LARGE'],
    ['a round that is none', { ...list(LIST), round: -1 }, 'REQUEST_INVALID'],
    ['bytes of no text', { file: 'x', data: Buffer.alloc(2000, 0xff).toString('base64') }, 'IMPORT_KIND'],
  ])('is refused with a code and changes nothing: %s', async (_what, body, code) => {
    const at = await paired();
    const before = await setupOf(at);
    expect((await post(at, '/api/tournament/import', { seen: 0, by: 'I', ...body })).body.error?.code).toBe(
      code,
    );
    expect(await setupOf(at)).toEqual(before);
    expect(at.failures).toEqual([]);
  });
});

describe('boards and tables at the desk', () => {
  it('puts a board at a table, at another, and away', async () => {
    const at = await paired();
    const boards = async () => {
      const { tournament: known } = await setupOf(at);
      return { seen: known!.revision, by: known!.tables.map(({ eboard }) => eboard), tables: known!.tables };
    };
    const start = await boards();
    const [one, two] = start.tables.map(({ pairing }) => pairing);
    await post(at, '/api/tournament/assign', { pairing: one, eboard: 'dgt-1', seen: start.seen, by: 'I' });
    const first = await boards();
    expect(first.by).toEqual(['dgt-1', undefined]);
    const moved = await post(at, '/api/tournament/assign', {
      pairing: two,
      eboard: 'dgt-1',
      seen: first.seen,
      by: 'I',
    });
    expect(moved.body.lines).toMatchObject([{ type: 'assigned', is: 'dgt-1' }]);
    const second = await boards();
    expect(second.by).toEqual([undefined, 'dgt-1']);
    await post(at, '/api/tournament/assign', { pairing: two, seen: second.seen, by: 'I' });
    expect((await boards()).by).toEqual([undefined, undefined]);
  });

  it('is refused to whoever had not seen what another has done, and without a signature', async () => {
    const at = await paired();
    const { tournament: known } = await setupOf(at);
    const pairing = known?.tables[0]?.pairing;
    const body = { pairing, eboard: 'dgt-1', seen: known!.revision };
    expect((await post(at, '/api/tournament/assign', body)).body.error?.code).toBe('SIGNATURE_MISSING');
    const stale = await post(at, '/api/tournament/assign', { ...body, seen: known!.revision - 1, by: 'I' });
    expect(stale.body.error?.code).toBe('TOURNAMENT_CHANGED');
    const nobody = await post(at, '/api/tournament/assign', { ...body, pairing: 99, by: 'I' });
    expect(nobody.body.error?.code).toBe('REQUEST_INVALID');
    expect((await setupOf(at)).tournament).toEqual(known);
  });

  it('lets a game go on at another board, after a look at what has to be set up there', async () => {
    const at = await paired();
    const before = (await setupOf(at)).tournament!;
    const pairing = before.tables[0]?.pairing;
    await post(at, '/api/tournament/assign', { pairing, eboard: 'dgt-1', seen: before.revision, by: 'I' });
    // What is recorded on the board from now on is the game of the table.
    recordGames(at.file, [GAME], {}, Date.now());
    expect((await setupOf(at)).tournament?.tables[0]).toMatchObject({ eboard: 'dgt-1', game: 2 });
    const look = await post(at, '/api/tournament/swap', { pairing, eboard: 'dgt-2' });
    const [line] = look.body.lines;
    // Where certainty ends, a ply or two before the last.
    expect(line?.setUp).toMatch(/^r.bqkbnr\/.*/);
    expect((await setupOf(at)).tournament?.tables[0]?.eboard).toBe('dgt-1');
    await post(at, '/api/tournament/swap', { pairing, eboard: 'dgt-2', seen: look.body.revision, by: 'I' });
    expect((await setupOf(at)).tournament?.tables[0]?.eboard).toBe('dgt-2');
    const same = await post(at, '/api/tournament/swap', { pairing, eboard: 'dgt-2' });
    expect(same.body.error?.code).toBe('REQUEST_INVALID');
  });

  it('is for operators: a viewer looks and changes nothing', async () => {
    const at = await paired();
    await at.close();
    tournament?.close();
    const accounts = [{ name: 'vera', role: 'viewer', password: await hashPassword('look') } as const];
    const closed = await openWithTournament({ accounts });
    const reply = await closed.app.inject({
      method: 'POST',
      url: '/api/session',
      headers: { 'content-type': 'application/json', host: 'localhost' },
      payload: JSON.stringify({ name: 'vera', password: 'look' }),
    });
    const cookie = reply.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    for (const [url, body] of [
      ['/api/tournament/import', { ...list(LIST), seen: 0 }],
      ['/api/tournament/assign', { pairing: 1, eboard: 'dgt-1', seen: 0 }],
      ['/api/tournament/assign-all', { round: 1, mode: 'serial', seen: 0 }],
      ['/api/tournament/swap', { pairing: 1, eboard: 'dgt-1', seen: 0 }],
      ['/api/holds', { isHeld: true }],
    ] as const) {
      expect((await post(closed, url, body, { cookie })).body.error?.code).toBe('REQUEST_FORBIDDEN');
      expect((await post(closed, url, body)).body.error?.code).toBe('REQUEST_SIGN_IN');
    }
    expect(closed.reader.holds()).toEqual([]);
    expect(tournament?.current().pairings).toEqual([]);
  });
});

describe('writes at the setup page', () => {
  const WRITES = [
    ['/api/tournament/import', { ...list(LIST), seen: 0, by: 'Irina' }],
    ['/api/tournament/assign', { pairing: 1, eboard: 'dgt-1', seen: 0, by: 'Irina' }],
    ['/api/tournament/assign-all', { round: 1, mode: 'serial', seen: 0, by: 'Irina' }],
    ['/api/tournament/swap', { pairing: 1, eboard: 'dgt-1', seen: 0, by: 'Irina' }],
    ['/api/holds', { isHeld: true, by: 'Irina' }],
  ] as const;

  it.each<[string, Record<string, string>, number, string]>([
    ['of another site', { origin: 'https://evil.example' }, 403, 'REQUEST_FORBIDDEN'],
    ['of nobody', { origin: 'null' }, 403, 'REQUEST_FORBIDDEN'],
    ['that its browser calls cross-site', { 'sec-fetch-site': 'cross-site' }, 403, 'REQUEST_FORBIDDEN'],
    ['under a name that was pointed here', { host: 'evil.example' }, 421, 'REQUEST_HOST'],
    ['as plain text', { 'content-type': 'text/plain' }, 400, 'REQUEST_INVALID'],
  ])('are refused to a page %s, and change nothing', async (_, headers, status, code) => {
    const at = await openWithTournament();
    for (const [url, body] of WRITES) {
      const reply = await post(at, url, body, headers);
      expect([url, reply.status, reply.body.error?.code]).toEqual([url, status, code]);
    }
    expect(at.reader.holds()).toEqual([]);
    expect(tournament?.current().pairings).toEqual([]);
  });

  it('are refused when they are larger than is read, or not what they must be', async () => {
    const at = await openWithTournament();
    for (const [url, body] of WRITES) {
      const large = await post(at, url, { ...body, by: 'x'.repeat(20_000_000) });
      expect([url, large.body.error?.code]).toEqual([url, 'REQUEST_TOO_LARGE']);
      const more = await post(at, url, { ...body, another: 1 });
      expect([url, more.body.error?.code]).toEqual([url, 'REQUEST_INVALID']);
      const injected = await post(at, url, { ...body, by: 'a\r\nSet-Cookie: b' });
      expect([url, injected.body.error?.code]).toEqual([url, 'REQUEST_INVALID']);
    }
    expect(at.reader.holds()).toEqual([]);
    expect(tournament?.current().pairings).toEqual([]);
  });
});

describe('what is withheld from the world', () => {
  it('is marked at each board in the hall, and let go again', async () => {
    const at = await paired();
    expect((await post(at, '/api/holds', { isHeld: true, by: 'Irina' })).status).toBe(200);
    expect(at.hall.rows()[0]?.heldWith).toBe('all');
    expect((await setupOf(at)).holds).toMatchObject([{ by: 'Irina' }]);
    await post(at, '/api/holds', { isHeld: true, board: 'dgt-1', by: 'Irina' });
    await post(at, '/api/holds', { isHeld: false, by: 'Irina' });
    expect(at.hall.rows()[0]?.heldWith).toBe('board');
    await post(at, '/api/holds', { isHeld: false, board: 'dgt-1', by: 'Irina' });
    expect(at.hall.rows()[0]).not.toHaveProperty('heldWith');
  });
});
