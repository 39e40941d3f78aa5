/** The desk's routes: who may ask for what, and what is answered. Failures are coded and change nothing. */
import { existsSync } from 'node:fs';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { BoardError, isBoardError } from '../../core/board-error.ts';
import { type EntryContent, readEntryContent } from '../entry.ts';
import { createApp } from '../http/create-app.ts';
import { LANGUAGES, type Language } from '../language/language.ts';
import { createPhrases } from '../language/phrases.ts';
import type { UnwinnableAsker } from '../laws/ask-unwinnable.ts';
import { createPaperSource } from '../paper/paper-source.ts';
import { makeReport } from '../paper/report.ts';
import { makeReportHtml } from '../paper/report-text.ts';
import { makeScoresheet } from '../paper/scoresheet.ts';
import { makeScoresheetHtml } from '../paper/scoresheet-html.ts';
import { makeGameDetails } from './game-details.ts';
import type { Hall } from './hall.ts';
import type { LiveStream } from './live-stream.ts';
import { type DeskRole, hasRights, roleFor, type SessionInfo } from './model/desk-api.ts';
import type { Office } from './office.ts';
import { createSessions, type DeskAccount, type DeskUser } from './sessions.ts';
import { addSetupRoutes, type SetupRouteOptions } from './setup-routes.ts';
import { SIGNER } from './signer.ts';

export interface DeskAppOptions extends SetupRouteOptions {
  readonly hall: Hall;
  readonly live: LiveStream;
  readonly office: Office;
  readonly unwinnable: UnwinnableAsker;
  /** Nobody signs in when there are none: for loopback only. */
  readonly accounts: readonly DeskAccount[];
  /** Names under which the desk is asked besides addresses and `localhost`. */
  readonly hosts?: readonly string[];
  /** Folder of the built page; without it only the interface is there. */
  readonly pageDir: string | undefined;
  /** Hears what was entered, so that the hall shows it at once. */
  readonly entered: (game: number) => void;
  /** Hears of mistakes of ours. */
  readonly failed: (error: unknown) => void;
  /** Requests that one address may make in a minute. */
  readonly requestsPerMinute?: number;
  /** Attempts to sign in from one address in a minute. */
  readonly signInsPerMinute?: number;
}

const COOKIE = 'jadoube-desk';
const SIGN_IN = z.strictObject({ name: SIGNER, password: z.string().min(1).max(200) });
const SEEN = z.strictObject({
  lastEntry: z.int().min(0),
  plies: z.array(z.string().max(12)).max(2000).optional(),
});
const ENTER = z.strictObject({ what: z.unknown(), seen: SEEN, by: SIGNER.optional() });
const UNDO = z.strictObject({ undoes: z.int().min(1), seen: SEEN, by: SIGNER.optional() });
const FORESEE = z.union([z.strictObject({ what: z.unknown() }), z.strictObject({ undoes: z.int().min(1) })]);
const GAME_ID = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const LANGUAGE = z.enum(LANGUAGES).catch('en');

const CONTENT_SECURITY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The pictures of the pieces stand in the style sheet.
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
/** Pages for the printer carry their style in themselves, and no script may run. */
const PAPER_SECURITY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Creates the desk's application; `serveApp$` listens. */
export async function createDeskApp(options: DeskAppOptions): Promise<FastifyInstance> {
  const { accounts, hosts, audit, nowMs } = options;
  const isOpen = accounts.length === 0;
  const sessions = createSessions(accounts, () => performance.now());
  const app = await createApp(
    {
      ...(hosts !== undefined && { hosts }),
      requestsPerMinute: options.requestsPerMinute ?? 1200,
      bodyLimit: 64 * 1024,
    },
    options.failed,
  );
  await app.register(cookie);

  const users = new WeakMap<FastifyRequest, DeskUser>();
  const userOf = (request: FastifyRequest): DeskUser | undefined =>
    isOpen ? { name: '', role: 'arbiter' } : sessions.userOf(request.cookies[COOKIE]);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('Content-Security-Policy', CONTENT_SECURITY);
    reply.header('Cross-Origin-Opener-Policy', 'same-origin');
    reply.header('Cross-Origin-Resource-Policy', 'same-origin');
    reply.header('X-Frame-Options', 'DENY');
    checkOrigin(request);
  });

  /** What a route asks of whoever asks: REQUEST_SIGN_IN without a session, REQUEST_FORBIDDEN without the right. */
  const needs = (role: DeskRole) => async (request: FastifyRequest) => {
    const user = userOf(request);
    if (user === undefined) throw new BoardError('REQUEST_SIGN_IN');
    if (!hasRights(user.role, role)) throw new BoardError('REQUEST_FORBIDDEN', { why: `${role} needed` });
    users.set(request, user);
  };
  const refused = (request: FastifyRequest, error: unknown): void => {
    if (request.method === 'GET' || !isBoardError(error)) return;
    const user = userOf(request);
    audit({
      type: 'refused',
      atMs: nowMs(),
      from: request.ip,
      ...(user !== undefined && user.name !== '' && { by: user.name }),
      what: `${request.method} ${request.routeOptions.url ?? ''} ${error.code}`,
    });
  };
  app.addHook('onError', async (request, _reply, error) => refused(request, error));

  addSessionRoutes(app, options, sessions, isOpen, userOf);

  // Looking.
  const look = { preHandler: needs('viewer') };
  app.get('/api/live', look, (request, reply) => {
    if (options.live.isFull) throw new BoardError('REQUEST_TOO_OFTEN');
    reply.hijack();
    const { raw } = reply;
    for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value as string);
    raw.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    request.raw.socket.setNoDelay(true);
    request.raw.setTimeout(0);
    options.live.attach(raw);
  });
  app.get('/api/snapshot', look, async (_request, reply) => {
    noStore(reply);
    options.live.tell();
    return options.live.snapshot();
  });
  app.get('/api/games', look, async (_request, reply) => {
    noStore(reply);
    return options.reader.games().map(({ id, board, startedWallMs, tags, record }) => ({
      game: id,
      board,
      startedAtMs: startedWallMs,
      tags,
      plies: record.plies.length,
      result: record.score ?? record.result,
      ended: record.ended,
    }));
  });
  app.get('/api/games/:game', look, async (request, reply) => {
    noStore(reply);
    return lookAtGame(gameOf(request), options);
  });
  app.get('/api/games/:game/timeline', look, async (request, reply) => {
    noStore(reply);
    return options.office.ask({ type: 'timeline', game: gameOf(request) });
  });
  app.get('/api/games/:game/catch-ups', look, async (request, reply) => {
    noStore(reply);
    return options.office.ask({ type: 'catch-ups', game: gameOf(request) });
  });
  app.get('/api/winnable', look, async (request) => {
    const asked = z
      .object({ fen: z.string().min(1).max(100), side: z.enum(['white', 'black']) })
      .safeParse(request.query);
    if (!asked.success) throw invalid('fen and side are needed');
    return options.unwinnable.askUnwinnable(asked.data.fen, asked.data.side);
  });
  addPaperRoutes(app, options, look);

  // Deciding.
  const decide = { preHandler: needs('operator') };
  const signerOf = (request: FastifyRequest, by: string | undefined): string => {
    const name = isOpen ? by : users.get(request)?.name;
    if (name === undefined) throw new BoardError('SIGNATURE_MISSING');
    return name;
  };
  const checkRights = (request: FastifyRequest, what: Pick<EntryContent, 'type'>): void => {
    const needed = roleFor(what);
    if (!hasRights(users.get(request)!.role, needed))
      throw new BoardError('REQUEST_FORBIDDEN', { why: `${needed} needed` });
  };
  addSetupRoutes(app, options, { look, decide, signerOf, parse });
  app.post('/api/games/:game/foresee', decide, async (request) => {
    const body = parse(FORESEE, request.body);
    const what = 'undoes' in body ? body : contentOf(body.what);
    return options.office.ask({ type: 'foresee', game: gameOf(request), what });
  });
  app.post('/api/games/:game/entries', decide, async (request) => {
    const game = gameOf(request);
    const { what: said, seen, by } = parse(ENTER, request.body);
    const what = contentOf(said);
    checkRights(request, what);
    const signed = signerOf(request, by);
    const answer = await options.office.ask({
      type: 'enter',
      game,
      by: signed,
      wallMs: nowMs(),
      what,
      seen: seenOf(seen),
    });
    audit({
      type: 'enter',
      atMs: nowMs(),
      from: request.ip,
      by: signed,
      game,
      what: what.type,
      ...(answer.id !== undefined && { entry: answer.id }),
    });
    options.entered(game);
    return answer;
  });
  app.post('/api/games/:game/undo', decide, async (request) => {
    const game = gameOf(request);
    const { undoes, seen, by } = parse(UNDO, request.body);
    const [stored] = options.reader.games({ id: game });
    if (stored === undefined) throw new BoardError('GAME_UNKNOWN', { game, file: '' });
    const entry = options.reader.entered(stored.sittingId).entries.find(({ id }) => id === undoes);
    if (entry === undefined) throw new BoardError('DECISION_UNKNOWN', { id: undoes });
    checkRights(request, entry.what);
    const signed = signerOf(request, by);
    const wallMs = nowMs();
    const answer = await options.office.ask({
      type: 'undo',
      game,
      by: signed,
      wallMs,
      undoes,
      seen: seenOf(seen),
    });
    audit({ type: 'undo', atMs: wallMs, from: request.ip, by: signed, game, entry: undoes });
    options.entered(game);
    return answer;
  });

  if (options.pageDir !== undefined && existsSync(options.pageDir))
    await app.register(fastifyStatic, {
      root: options.pageDir,
      index: 'index.html',
      dotfiles: 'deny',
      // Names of what was built carry a digest of it; the page itself is asked for anew.
      setHeaders: (reply, path) => {
        reply.header(
          'Cache-Control',
          path.includes('assets') ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
  return app;
}

const invalid = (why: string): BoardError => new BoardError('REQUEST_INVALID', { why });
const noStore = (reply: FastifyReply): FastifyReply => reply.header('Cache-Control', 'no-store');

/** What is asked by a page of another site is refused: by what the browser says of it, and by the Origin of writes. */
function checkOrigin({ method, headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isNavigation = headers['sec-fetch-mode'] === 'navigate' && method === 'GET';
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isNavigation)
    throw new BoardError('REQUEST_FORBIDDEN', { why: 'another site asks' });
  const { origin } = headers;
  if (origin === undefined) return;
  let host: string | undefined;
  try {
    host = new URL(origin).host;
  } catch {
    // "null" and the like are nobody's.
  }
  if (host === undefined || host !== headers.host)
    throw new BoardError('REQUEST_FORBIDDEN', { why: 'another site asks' });
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalid(`${issue?.path.join('.') || 'the body'} is not as it must be`);
}

function contentOf(said: unknown): EntryContent {
  const what = readEntryContent(said);
  // What a search has found is nobody's to enter.
  if (what === undefined || what.type === 'verdict')
    throw invalid('what is to be entered is not as it must be');
  return what;
}

const seenOf = ({ lastEntry, plies }: z.infer<typeof SEEN>) =>
  plies === undefined ? { lastEntry } : { lastEntry, plies };

function gameOf(request: FastifyRequest): number {
  const id = GAME_ID.safeParse((request.params as { game?: string }).game);
  if (!id.success) throw invalid('a game has a number');
  return id.data;
}

function lookAtGame(id: number, { hall, reader }: DeskAppOptions) {
  const [stored] = reader.games({ id });
  if (stored === undefined) throw new BoardError('GAME_UNKNOWN', { game: id, file: '' });
  const sitting = reader.sittings().find((known) => known.id === stored.sittingId);
  const { entries } = reader.entered(stored.sittingId);
  const known = hall.game(id);
  const row = hall.rows().find(({ board }) => board === stored.board);
  return makeGameDetails({
    id,
    board: stored.board,
    tags: stored.tags,
    record: stored.record,
    entries: entries.filter(({ game }) => game === stored.record.game),
    revision: known?.revision ?? 0,
    startedWallMs: stored.startedWallMs,
    isLinkUp: row === undefined || row.game !== id || row.link === 'up',
    rules: sitting?.options.rules ?? {},
    wallMsOf: (atMs) => stored.startedWallMs + (atMs - stored.record.startedAtMs),
  });
}

type Sessions = ReturnType<typeof createSessions>;

function addSessionRoutes(
  app: FastifyInstance,
  { audit, nowMs, signInsPerMinute = 10 }: DeskAppOptions,
  sessions: Sessions,
  isOpen: boolean,
  userOf: (request: FastifyRequest) => DeskUser | undefined,
): void {
  const infoOf = (user: DeskUser | undefined): SessionInfo =>
    isOpen ? { role: 'arbiter', isOpen } : { ...user, isOpen };
  const isSecure = (request: FastifyRequest): boolean => request.protocol === 'https';
  app.get('/api/session', async (request, reply) => {
    noStore(reply);
    return infoOf(userOf(request));
  });
  void app.register(async (scope) => {
    await scope.register(rateLimit, {
      max: signInsPerMinute,
      timeWindow: 60_000,
      errorResponseBuilder: () => new BoardError('REQUEST_TOO_OFTEN'),
    });
    scope.post('/api/session', async (request, reply) => {
      const { name, password } = parse(SIGN_IN, request.body);
      const secret = await sessions.signIn(name, password);
      if (secret === undefined) {
        audit({ type: 'sign-in-refused', atMs: nowMs(), from: request.ip, by: name });
        throw new BoardError('SIGN_IN_WRONG');
      }
      audit({ type: 'sign-in', atMs: nowMs(), from: request.ip, by: name });
      noStore(reply);
      reply.setCookie(COOKIE, secret, {
        path: '/',
        httpOnly: true,
        sameSite: 'strict',
        secure: isSecure(request),
      });
      return infoOf(sessions.userOf(secret));
    });
  });
  app.delete('/api/session', async (request, reply) => {
    const user = userOf(request);
    sessions.signOut(request.cookies[COOKIE]);
    if (user !== undefined && user.name !== '')
      audit({ type: 'sign-out', atMs: nowMs(), from: request.ip, by: user.name });
    reply.clearCookie(COOKIE, { path: '/' });
    return infoOf(undefined);
  });
}

function addPaperRoutes(
  app: FastifyInstance,
  { reader, office }: DeskAppOptions,
  look: { preHandler: (request: FastifyRequest) => Promise<void> },
): void {
  const send = (reply: FastifyReply, page: string): FastifyReply =>
    noStore(reply)
      .header('Content-Security-Policy', PAPER_SECURITY)
      .type('text/html; charset=utf-8')
      .send(page);
  const phrasesOf = (request: FastifyRequest) =>
    createPhrases(LANGUAGE.parse((request.query as { lang?: string }).lang) as Language);
  app.get('/papers/scoresheet/:game', look, async (request, reply) => {
    const id = gameOf(request);
    const [stored] = reader.games({ id });
    if (stored === undefined) throw new BoardError('GAME_UNKNOWN', { game: id, file: '' });
    const source = createPaperSource(reader, false);
    const amended = await office.ask({ type: 'amended', game: id });
    const sheet = makeScoresheet(source.gameOf(stored), { ...source.enteredOf(stored), amended });
    return send(reply, makeScoresheetHtml(sheet, phrasesOf(request)));
  });
  app.get('/papers/report', look, async (request, reply) => {
    const { round, event } = request.query as { round?: string; event?: string };
    const source = createPaperSource(reader, false);
    const games = reader
      .games()
      .filter(
        ({ tags }) =>
          (round === undefined || tags.Round === round) && (event === undefined || tags.Event === event),
      );
    const reports = games.flatMap((game) =>
      makeReport([source.gameOf(game)], { enteredOf: () => source.enteredOf(game) }),
    );
    return send(reply, makeReportHtml(reports, phrasesOf(request)));
  });
}
