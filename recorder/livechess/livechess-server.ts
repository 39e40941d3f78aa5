import type { FastifyInstance } from 'fastify';
import {
  defer,
  EMPTY,
  endWith,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  Subject,
  take,
  takeUntil,
} from 'rxjs';
import { type WebSocket, WebSocketServer } from 'ws';
import { findBoard } from '../../boards/registry.ts';
import type { Orientation } from '../../core/game-event.ts';
import type { Clock } from '../../driver/clock.ts';
import type { Fleet } from '../../driver/fleet.ts';
import type { BoardId } from '../../driver/roster.ts';
import { runMachine } from '../../driver/run-machine.ts';
import { createApp, isKnownHost } from '../http/create-app.ts';
import { type Listening, serveApp$ } from '../http/serve-app.ts';
import type { RecorderUpdate } from '../recorder.ts';
import {
  type ClientProtocol,
  createLivechessMachine,
  type LivechessEvent,
  type LivechessMachine,
  type LivechessOutput,
  PATHS,
} from './livechess-machine.ts';
import { prettyJson } from './pretty-json.ts';

export interface LivechessServerOptions {
  /** Loopback when absent. */
  readonly host?: string;
  readonly port: number;
  /** Sites whose pages may connect: `https://lichess.org`, `https://*.tornelo.com`. Programs of this machine always may. */
  readonly origins: readonly string[];
  readonly updates$: Observable<RecorderUpdate>;
  /** Boards of which something is known before they speak. */
  readonly known?: readonly {
    readonly board: BoardId;
    readonly kind: string;
    readonly orientation: Orientation;
  }[];
  /** What is said of boards at the desk. */
  readonly comments$?: Observable<ReadonlyMap<BoardId, string>>;
  readonly fleet: Pick<Fleet, 'command$'>;
  readonly clock: Clock;
}

/** The port that all programs made for LiveChess look at. */
export const LIVECHESS_PORT = 1982;

/** Longest message of a client, bytes; and how far a client may lag behind before it is let go. */
const MESSAGE_BYTES = 64 * 1024;
const LAG_BYTES = 4 * 1024 * 1024;
const MOST_CLIENTS = 256;

/**
 * Whether a page from there may connect. A request without an origin comes from a program; pages of this machine are
 * programs too. A star stands for the names below: `https://*.tornelo.com`.
 */
export function mayConnect(origin: string | undefined, origins: readonly string[]): boolean {
  if (origin === undefined) return true;
  const asked = origin.toLowerCase();
  if (/^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(asked)) return true;
  return origins.some((listed) => {
    const known = listed.toLowerCase().replace(/\/$/, '');
    const [head, tail] = known.split('*', 2) as [string, string?];
    if (tail === undefined) return known === asked;
    const middle = asked.slice(head.length, asked.length - tail.length);
    return (
      asked.length > head.length + tail.length &&
      asked.startsWith(head) &&
      asked.endsWith(tail) &&
      /^[a-z0-9.-]+$/.test(middle)
    );
  });
}

/**
 * Serves programs made for LiveChess while it is subscribed to, and OEBSP beside it; completes after `updates$`. Emits once
 * it listens. Errors as `serveApp$`.
 */
export function livechessServer$(options: LivechessServerOptions): Observable<Listening> {
  return defer(() => {
    const { updates$, comments$ = EMPTY, clock, fleet, origins } = options;
    const offsetMs = clock.wallMs() - clock.monotonicMs();
    const machine = createLivechessMachine(
      (atMs) => Math.round(atMs + offsetMs),
      (kind) => {
        const board = findBoard(kind);
        return board.ok ? board.value : undefined;
      },
    );
    const sockets = new Map<number, WebSocket>();
    const inlet = new Subject<LivechessEvent>();
    const atMs = (): number => clock.monotonicMs();
    const ended$ = updates$.pipe(ignoreElements(), endWith(0), take(1));

    const act = (output: LivechessOutput): Observable<never> => {
      if (output.type === 'command')
        return fleet.command$(output.board, output.command).pipe(ignoreElements()) as Observable<never>;
      const socket = sockets.get(output.client);
      if (output.type === 'close') socket?.close(output.code, output.reason);
      // Who does not read what it has asked for would fill this machine's memory.
      else if (socket !== undefined && socket.bufferedAmount > LAG_BYTES) socket.terminate();
      else socket?.send(output.text);
      return EMPTY;
    };

    const conversation$ = merge(
      from(options.known ?? []).pipe(
        map((known): LivechessEvent => ({ type: 'known', atMs: atMs(), ...known })),
      ),
      inlet,
      updates$.pipe(map((update): LivechessEvent => ({ type: 'update', atMs: atMs(), update }))),
      comments$.pipe(
        takeUntil(ended$),
        map((comments): LivechessEvent => ({ type: 'comments', atMs: atMs(), comments })),
      ),
    ).pipe(
      runMachine<LivechessEvent, LivechessOutput>(() => machine, clock, { wake: 'now' }),
      mergeMap(act),
    );

    const listening$ = serveApp$(
      () => makeApp(machine, origins, sockets, (event) => inlet.next({ ...event, atMs: atMs() })),
      options,
    );
    return merge(conversation$, listening$).pipe(takeUntil(ended$));
  });
}

type Unstamped<E> = E extends unknown ? Omit<E, 'atMs'> : never;

async function makeApp(
  machine: LivechessMachine,
  origins: readonly string[],
  sockets: Map<number, WebSocket>,
  tell: (event: Unstamped<Extract<LivechessEvent, { client: number }>>) => void,
): Promise<FastifyInstance> {
  const app = await createApp({ origins: origins.filter((origin) => !origin.includes('*')) });
  app.get(`${PATHS.livechess}/eboards`, (_request, reply) =>
    reply.type('application/json').send(prettyJson(machine.eboards())),
  );

  const server = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES, perMessageDeflate: false });
  let last = 0;
  const join = (socket: WebSocket, protocol: ClientProtocol): void => {
    const client = ++last;
    sockets.set(client, socket);
    socket.on('message', (data, isBinary) => {
      if (isBinary) socket.close(1003, 'text only');
      else tell({ type: 'message', client, text: String(data) });
    });
    // A frame that breaks the protocol ends its connection and nothing else.
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      sockets.delete(client);
      tell({ type: 'gone', client });
    });
    tell({ type: 'connected', client, protocol });
  };

  app.server.on('upgrade', (request, socket, head) => {
    const refuse = (status: string): void => {
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    };
    socket.on('error', () => socket.destroy());
    const path = (request.url ?? '').split('?')[0]!.replace(/\/$/, '');
    const protocol = (Object.keys(PATHS) as ClientProtocol[]).find((known) => PATHS[known] === path);
    if (!isKnownHost(request.headers.host)) refuse('421 Misdirected Request');
    else if (protocol === undefined) refuse('404 Not Found');
    else if (!mayConnect(request.headers.origin, origins)) refuse('403 Forbidden');
    else if (sockets.size >= MOST_CLIENTS) refuse('503 Service Unavailable');
    else server.handleUpgrade(request, socket, head, (webSocket) => join(webSocket, protocol));
  });
  app.addHook('preClose', async () => {
    for (const socket of sockets.values()) socket.terminate();
    server.close();
  });
  return app;
}
