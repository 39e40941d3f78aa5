import { createHash } from 'node:crypto';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { sendFault } from '../http/create-app.ts';
import { PAGE_SCRIPT } from './public-pages.ts';

/** Where the documents of an output are read from. */
export interface PublishedSite {
  /** Path under which they are, `/live`; '' for the root. */
  readonly path: string;
  /** The newest text of a document; undefined when there is none of that name. */
  readonly text: (name: string) => string | undefined;
}

const typeOf = (name: string): string =>
  name.endsWith('.html')
    ? 'text/html; charset=utf-8'
    : name.endsWith('.json')
      ? 'application/json; charset=utf-8'
      : 'application/x-chess-pgn; charset=utf-8';

/** The digest by which a browser knows the script of the pages; no other runs. */
const SCRIPT_DIGEST = createHash('sha256').update(PAGE_SCRIPT).digest('base64');

/** Pages have their style in themselves, and only their own script runs; only a board that is made for it stands in pages of others. */
const pageSecurity = (name: string): string =>
  `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${SCRIPT_DIGEST}'; connect-src 'self'; ` +
  "base-uri 'none'; form-action 'none'; " +
  `frame-ancestors ${/(^|\/)embed-[^/]+$/.test(name) ? '*' : "'none'"}`;

/**
 * Adds the documents of an output to an application: under their names (`/live/round-1/game-2.json`, `/live/round-1/games.pgn`), and
 * under the paths of LiveChessCloud, for viewers whose address can be changed: `/live/get/<any id>/...` and
 * `/live/meta/<any id>` (livechess.md 4.1). Pages of all sites may read them. A reader that asks with If-None-Match is told when
 * nothing has changed. Pages for people are documents too; the address of a folder leads to its page.
 */
export async function mountSite(app: FastifyInstance, { path, text }: PublishedSite): Promise<void> {
  const prefix = path.replace(/\/+$/, '');
  await app.register(
    async (site) => {
      await site.register(cors, {
        origin: '*',
        methods: ['GET', 'HEAD'],
        exposedHeaders: ['ETag'],
        maxAge: 86_400,
      });
      site.get<{ Params: { id: string } }>('/meta/:id', async (request) => ({
        host: `${request.host}${prefix}`,
        format: '1',
      }));
      if (prefix !== '') site.get('', (_request, reply) => reply.redirect(`${prefix}/`));
      const serve = (name: string, ifNoneMatch: string | undefined) => {
        const found = text(name);
        if (found === undefined) return undefined;
        const tag = `"${hashOf(found)}"`;
        return { found, tag, isKnown: ifNoneMatch?.split(/\s*,\s*/).includes(tag) === true };
      };
      for (const route of ['/get/:id/*', '/*'])
        site.get<{ Params: { '*': string } }>(route, (request, reply) => {
          const asked = request.params['*'];
          const name = /(^|\/)$/.test(asked) && route === '/*' ? `${asked}index.html` : asked;
          const answer = serve(name, request.headers['if-none-match']);
          if (answer === undefined && route === '/*' && text(`${asked}/index.html`) !== undefined)
            return reply.redirect(`${prefix}/${encodeURI(asked)}/`);
          if (answer === undefined)
            return sendFault(reply, 'REQUEST_NOT_FOUND', { path: `${prefix}/${name.slice(0, 100)}` });
          reply.header('ETag', answer.tag).header('Cache-Control', 'no-cache');
          if (name.endsWith('.html')) reply.header('Content-Security-Policy', pageSecurity(name));
          if (answer.isKnown) return reply.code(304).send();
          return reply.type(typeOf(name)).send(answer.found);
        });
    },
    { prefix },
  );
}

/** A short name for a text, by which a reader tells it from the next. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);
