import { isIP } from 'node:net';
import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { BoardError, cureOf, type FaultCode, type FaultContext, meaningOf } from '../../core/board-error.ts';

/** What is answered when a request fails: the same three fields everywhere. */
export interface ErrorBody {
  readonly error: { readonly code: FaultCode; readonly message: string; readonly cure: string };
}

export interface AppOptions {
  /**
   * Names under which this server is asked besides IP addresses and `localhost`; `any` for what the world may read
   * anyway. A page of another site that has its own name pointed here is refused: its requests carry that name.
   */
  readonly hosts?: readonly string[] | 'any';
  /** Who may read answers from a page of another site: origins (`https://lichess.org`), or `any`; nobody when absent. */
  readonly origins?: readonly string[] | 'any';
  /** Longest body that is read, bytes. */
  readonly bodyLimit?: number;
  /** Requests that one address may make in a minute; 0 for any number. */
  readonly requestsPerMinute?: number;
}

export const APP_DEFAULTS = { bodyLimit: 64 * 1024, requestsPerMinute: 1200 } as const;

/** Longest time a request may take to arrive, and an idle connection is kept, ms. */
const REQUEST_MS = 10_000;
const IDLE_MS = 65_000;
const CHECK_MS = 2000;
/** Connections there may be at once: boards, files and the database need descriptors too. */
const MOST_CONNECTIONS = 1000;

const NO_SNIFFING = ['X-Content-Type-Options', 'nosniff'] as const;

const STATUS: Partial<Record<FaultCode, number>> = {
  REQUEST_INVALID: 400,
  REQUEST_SIGN_IN: 401,
  SIGN_IN_WRONG: 401,
  REQUEST_FORBIDDEN: 403,
  REQUEST_NOT_FOUND: 404,
  REQUEST_STALE: 409,
  TOURNAMENT_CHANGED: 409,
  REQUEST_TOO_LARGE: 413,
  REQUEST_HOST: 421,
  REQUEST_TOO_OFTEN: 429,
  GAME_UNKNOWN: 404,
  STORE_FULL: 503,
  STORE_READONLY: 503,
  STORE_DISK: 503,
  STORE_LOCKED: 503,
  STORE_CORRUPT: 503,
  SERVER_FAULT: 500,
};

/** The HTTP status of a coded failure; 422 for what was understood and cannot be done. */
export const statusOfCode = (code: FaultCode): number => STATUS[code] ?? 422;

/** The body that tells of a coded failure. */
export const makeErrorBody = (code: FaultCode, context: FaultContext = {}): ErrorBody => ({
  error: { code, message: meaningOf(code, context), cure: cureOf(code, context) },
});

/** Answers a request with a coded failure. */
export const sendFault = (reply: FastifyReply, code: FaultCode, context: FaultContext = {}): FastifyReply =>
  reply
    .header(...NO_SNIFFING)
    .code(statusOfCode(code))
    .send(makeErrorBody(code, context));

/**
 * Whether a Host header may be answered: an address or `localhost` always (no name of the world leads there), other
 * names when they are known.
 */
export function isKnownHost(header: string | undefined, hosts: AppOptions['hosts'] = []): boolean {
  if (hosts === 'any') return true;
  if (header === undefined) return false;
  const name = header.replace(/:\d+$/, '').toLowerCase();
  if (name === 'localhost' || isIP(name) === 4) return true;
  if (name.startsWith('[') && name.endsWith(']')) return isIP(name.slice(1, -1)) === 6;
  return hosts.some((host) => host.toLowerCase() === name);
}

/** Whether an Origin header belongs to a list; a request without one comes from no page. */
export const isKnownOrigin = (origin: string | undefined, origins: AppOptions['origins'] = []): boolean =>
  origins === 'any' ||
  origin === undefined ||
  origins.some((known) => known.toLowerCase() === origin.toLowerCase());

/** What makes a failure of Fastify or of a handler a coded one. */
function codedFailure(error: FastifyError | BoardError): { code: FaultCode; context: FaultContext } {
  if (error instanceof BoardError) return error;
  const status = error.statusCode ?? 500;
  if (status === 413) return { code: 'REQUEST_TOO_LARGE', context: {} };
  if (status === 429) return { code: 'REQUEST_TOO_OFTEN', context: {} };
  if (status === 404) return { code: 'REQUEST_NOT_FOUND', context: { path: '' } };
  if (status >= 400 && status < 500) return { code: 'REQUEST_INVALID', context: { why: error.message } };
  return { code: 'SERVER_FAULT', context: {} };
}

/**
 * Creates a web application with the manners all of ours have: bounded requests, failures told as `ErrorBody` with a code,
 * no sniffing, no other site's pages unless they are listed. `failed` hears of mistakes of ours (status 500), which are not
 * told to the asker. Routes are added by the caller; `serveApp$` listens.
 */
export async function createApp(
  options: AppOptions = {},
  failed: (error: unknown) => void = () => {},
): Promise<FastifyInstance> {
  const { bodyLimit, requestsPerMinute } = { ...APP_DEFAULTS, ...options };
  const { hosts, origins } = options;
  const app = fastify({
    bodyLimit,
    logger: false,
    requestTimeout: REQUEST_MS,
    // Who sends a byte now and then is looked for so often; else it could stay for half a minute more.
    http: { connectionsCheckingInterval: CHECK_MS, headersTimeout: REQUEST_MS },
    keepAliveTimeout: IDLE_MS,
    // Streams of events and web sockets never end by themselves.
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
    // A path that cannot be decoded is a fault like any other.
    frameworkErrors: (error, _request, reply) => {
      const { code, context } = codedFailure(error);
      // biome-ignore lint/suspicious/noExplicitAny: the type of a reply before its route is known has no name.
      sendFault(reply as any, code, context);
    },
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      const body = JSON.stringify(makeErrorBody('REQUEST_INVALID', { why: 'it is no HTTP' }));
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      );
    },
  });
  app.server.maxConnections = MOST_CONNECTIONS;
  app.addHook('onRequest', async (request, reply) => {
    reply.header(...NO_SNIFFING);
    reply.header('Referrer-Policy', 'no-referrer');
    if (!isKnownHost(request.headers.host, hosts))
      return sendFault(reply, 'REQUEST_HOST', { host: request.headers.host ?? '' });
  });
  if (origins !== undefined) {
    await app.register(cors, {
      origin: origins === 'any' ? '*' : [...origins],
      methods: ['GET', 'HEAD'],
      maxAge: 86_400,
    });
  }
  if (requestsPerMinute > 0) {
    await app.register(rateLimit, {
      max: requestsPerMinute,
      timeWindow: 60_000,
      errorResponseBuilder: () => new BoardError('REQUEST_TOO_OFTEN'),
    });
  }
  app.setNotFoundHandler((request, reply) =>
    sendFault(reply, 'REQUEST_NOT_FOUND', { path: pathOf(request.url) }),
  );
  app.setErrorHandler<FastifyError | BoardError>((error, _request, reply) => {
    const { code, context } = codedFailure(error);
    if (code === 'SERVER_FAULT') failed(error);
    return sendFault(reply, code, context);
  });
  return app;
}

/** A path as it may be said again: short, printable. */
const pathOf = (url: string): string => (url.split('?')[0] ?? '').replace(/[^\x21-\x7e]/g, '').slice(0, 120);
