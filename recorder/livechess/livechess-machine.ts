/**
 * The program that clients of LiveChess talk to, as one machine: boards and messages of clients in, messages to clients
 * out (livechess.md 1.2 to 1.9, and OEBSP, 1.11). It knows no sockets.
 */
import type { BoardCommand, BoardDefinition } from '../../boards/definition.ts';
import type { Orientation } from '../../core/game-event.ts';
import type { Machine, Step, Tick } from '../../core/machine.ts';
import type { Square } from '../../core/square.ts';
import { makeLinkAddress } from '../../driver/address.ts';
import type { BoardId, FleetStatus } from '../../driver/roster.ts';
import type { RecorderUpdate } from '../recorder.ts';
import { Eboard, type EboardJson, inOrder } from './eboard.ts';
import { createMoveReader, type MoveReader } from './move-reader.ts';

/** The two protocols that share the port, by their paths. */
export const PATHS = { livechess: '/api/v1.0', oebsp: '/oebsp' } as const;
export type ClientProtocol = keyof typeof PATHS;

export type LivechessEvent =
  | {
      readonly type: 'connected';
      readonly atMs: number;
      readonly client: number;
      readonly protocol: ClientProtocol;
    }
  | { readonly type: 'message'; readonly atMs: number; readonly client: number; readonly text: string }
  | { readonly type: 'gone'; readonly atMs: number; readonly client: number }
  | { readonly type: 'update'; readonly atMs: number; readonly update: RecorderUpdate }
  /** A board that was recorded lately: how it lay then. It may be away. */
  | {
      readonly type: 'known';
      readonly atMs: number;
      readonly board: BoardId;
      readonly kind: string;
      readonly orientation: Orientation;
    }
  /** What is said of boards at the desk: by their ids. */
  | { readonly type: 'comments'; readonly atMs: number; readonly comments: ReadonlyMap<BoardId, string> };

export type LivechessOutput =
  | { readonly type: 'send'; readonly client: number; readonly text: string }
  | { readonly type: 'close'; readonly client: number; readonly code: number; readonly reason: string }
  | { readonly type: 'command'; readonly board: BoardId; readonly command: BoardCommand };

export interface LivechessMachine extends Machine<LivechessEvent, LivechessOutput> {
  /** All boards, as `eboards` lists them. */
  eboards(): EboardJson[];
}

/** One subscription of a client to a board. */
interface Feed {
  readonly id: unknown;
  readonly board: Eboard;
  moves: MoveReader | undefined;
  /** What was sent last, to send only what is another. */
  sentBoard: string | null | undefined;
  sentClock: string | undefined;
}

interface Client {
  readonly protocol: ClientProtocol;
  /** By id and type of id: 1 and "1" are two feeds. */
  readonly feeds: Map<string, Feed>;
  /** OEBSP: serial numbers of boards it wants to hear of, and the last board told of each. */
  readonly watched: Map<string, string | null>;
  heardAtMs: number;
}

/** OEBSP: a client that says nothing for so long is gone; looked at so often (livechess.md 1.11), ms. */
const SILENCE_MS = 30_000;
const LOOK_MS = 10_000;
/** Squares that change within this are one position: a piece that is slid crosses many, and is lifted and put on few. */
const TOGETHER_MS = 60;
/** More feeds than any hall has boards. */
const MOST_FEEDS = 1000;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const keyOf = (id: unknown): string => JSON.stringify(id) ?? '';

/**
 * Creates the machine. `wallMsAt` turns its times into ms since 1970; `definitionOf` knows what a kind of board can do.
 */
export function createLivechessMachine(
  wallMsAt: (atMs: number) => number,
  definitionOf: (kind: string) => Pick<BoardDefinition, 'profile' | 'capabilities'> | undefined,
): LivechessMachine {
  const boards = new Map<BoardId, Eboard>();
  const clients = new Map<number, Client>();
  /** Boards whose position is yet to be told, and when. */
  const untold = new Map<Eboard, number>();
  let comments: ReadonlyMap<BoardId, string> = new Map();
  let outputs: LivechessOutput[] = [];
  let nowMs = 0;

  const send = (client: number, message: unknown): void => {
    outputs.push({ type: 'send', client, text: JSON.stringify(message) });
  };
  const reply = (client: number, response: string, id: unknown, param: unknown): void =>
    send(client, { response, id, param, time: wallMsAt(nowMs) });

  const boardOf = (id: BoardId, kind: string): Eboard => {
    let board = boards.get(id);
    if (board === undefined) {
      board = new Eboard(id, kind);
      board.hasLights = definitionOf(kind)?.capabilities.leds === true;
      board.comment = comments.get(id);
      boards.set(id, board);
    }
    return board;
  };
  /** Of two boards of one number the one that answers. */
  const bySerial = (serialnr: unknown): Eboard | undefined =>
    typeof serialnr === 'string' || typeof serialnr === 'number'
      ? inOrder(boards.values()).find((board) => board.serialnr === String(serialnr) || board.id === serialnr)
      : undefined;

  /** Tells a feed what is another; `whole`: everything, as after `subscribe`. */
  const tell = (
    client: number,
    feed: Feed,
    what: { whole?: boolean; moves?: boolean; setup?: boolean },
  ): void => {
    const { board, moves } = feed;
    const clock = JSON.stringify(board.clock);
    const placement = board.boardBy(moves?.position);
    const isNewBoard = feed.sentBoard !== placement;
    const isNewClock = feed.sentClock !== clock;
    if (what.whole !== true && what.moves !== true && !isNewBoard && !isNewClock) return;
    const param = {
      serialnr: board.serialnr,
      flipped: board.flipped,
      // With moves the board as well: some readers ignore a message without one (1.9, note 8).
      ...((what.whole || what.moves || isNewBoard) && { board: placement }),
      ...((what.whole || isNewClock) && { clock: board.clock }),
      ...(what.moves && moves !== undefined && { start: moves.start, san: moves.san }),
      ...(what.moves && !what.setup && moves !== undefined && { match: moves.matches(board.placement) }),
    };
    feed.sentBoard = placement;
    feed.sentClock = clock;
    reply(client, 'feed', feed.id, param);
  };

  const subscribe = (client: number, state: Client, id: unknown, param: unknown) => {
    const wish = isObject(param) ? param : {};
    const inner = isObject(wish.param) ? wish.param : {};
    const feedId = wish.id ?? id;
    const board = bySerial(inner.serialnr ?? wish.serialnr);
    if (wish.feed !== 'eboardevent')
      return reply(client, 'error', id, { message: `there is no feed "${String(wish.feed)}"` });
    if (board === undefined)
      return reply(client, 'error', id, {
        message: `there is no board "${String(inner.serialnr ?? wish.serialnr ?? '')}"`,
      });
    if (state.feeds.size >= MOST_FEEDS && !state.feeds.has(keyOf(feedId)))
      return reply(client, 'error', id, { message: 'too many feeds' });
    const feed: Feed = { id: feedId, board, moves: undefined, sentBoard: undefined, sentClock: undefined };
    state.feeds.set(keyOf(feedId), feed);
    reply(client, 'call', id, null);
    tell(client, feed, { whole: true });
  };

  const setup = (client: number, id: unknown, feed: Feed, param: unknown) => {
    const fen = isObject(param) ? param.fen : undefined;
    if (typeof fen !== 'string' || fen.length > 200)
      return reply(client, 'error', id, { message: 'setup needs {"fen": "..."}' });
    const { board } = feed;
    const made = createMoveReader(fen, definitionOf(board.kind)?.profile, nowMs, board.placement);
    if (!made.ok) return reply(client, 'error', id, { message: made.fault.message });
    feed.moves = made.value;
    reply(client, 'call', id, null);
    tell(client, feed, { moves: true, setup: true });
  };

  /** The board lies the other way round, for everybody: how it lies is a fact of the board. */
  const flip = (client: number, id: unknown, { board }: Feed, param: unknown) => {
    const wish = isObject(param) ? param.flip : undefined;
    if (wish !== undefined && typeof wish !== 'boolean')
      return reply(client, 'error', id, { message: 'flip needs {"flip": true} or {"flip": false}' });
    board.flip(wish ?? !board.flipped);
    reply(client, 'call', id, null);
    turned(board);
  };

  /** Everything a reader knew of a board is turned: moves are read anew from their position. */
  const turned = (board: Eboard): void => {
    for (const [client, { feeds }] of clients) {
      for (const feed of feeds.values()) {
        if (feed.board !== board) continue;
        const { moves } = feed;
        if (moves !== undefined && moves.san.length === 0) {
          const made = createMoveReader(
            moves.start,
            definitionOf(board.kind)?.profile,
            nowMs,
            board.placement,
          );
          if (made.ok) feed.moves = made.value;
        }
        tell(client, feed, { whole: true });
      }
    }
    tellWatchers(board);
  };

  const callFeed = (client: number, state: Client, id: unknown, param: unknown) => {
    const wish = isObject(param) ? param : {};
    const feed = state.feeds.get(keyOf(wish.id));
    if (feed === undefined)
      return reply(client, 'error', id, { message: `there is no feed ${keyOf(wish.id)}` });
    switch (wish.method) {
      case 'setup':
        return setup(client, id, feed, wish.param);
      case 'flip':
        return flip(client, id, feed, wish.param);
      case 'unsubscribe':
        return unsubscribe(client, state, id, wish.id);
      default:
        return reply(client, 'error', id, { message: `a feed has no method "${String(wish.method)}"` });
    }
  };

  const unsubscribe = (client: number, state: Client, id: unknown, feedId: unknown) => {
    if (state.feeds.delete(keyOf(feedId))) reply(client, 'call', id, null);
    else reply(client, 'error', id, { message: `there is no feed ${keyOf(feedId)}` });
  };

  const hearLivechess = (client: number, state: Client, message: Json) => {
    const { id = null, param } = message;
    switch (message.call) {
      case 'eboards':
        return reply(client, 'call', id, eboards());
      case 'subscribe':
        return subscribe(client, state, id, param);
      case 'unsubscribe':
        return unsubscribe(client, state, id, isObject(param) ? param.id : param);
      case 'call':
        return callFeed(client, state, id, param);
      default:
        return reply(client, 'error', id, { message: `there is no call "${String(message.call)}"` });
    }
  };

  const eboards = (): EboardJson[] => inOrder(boards.values()).map((board) => board.toJson());

  const serials = (message: Json): string[] =>
    Array.isArray(message.serialNumbers)
      ? message.serialNumbers.filter((serial) => typeof serial === 'string').slice(0, MOST_FEEDS)
      : [];

  const hearOebsp = (client: number, state: Client, message: Json) => {
    switch (message.type) {
      case 'ping':
        return send(client, { type: 'pong' });
      case 'identify':
        return send(client, { type: 'identification', protocol: { name: 'OEBSP', revision: 1 } });
      case 'listBoards':
        return send(client, {
          type: 'boardList',
          boards: inOrder(boards.values()).map((board) => ({
            serialNumber: board.serialnr,
            fen: board.board ?? '8/8/8/8/8/8/8/8',
            features: { lightCorners: false, lightSquares: board.hasLights },
          })),
        });
      case 'subscribeToBoards':
        for (const serial of serials(message)) {
          const board = bySerial(serial);
          const text = board === undefined ? `no board ${serial}` : `subscribed to board ${serial}`;
          send(client, { type: 'info', message: text });
          if (board === undefined) continue;
          state.watched.set(serial, null);
          tellWatcher(client, state, board);
        }
        return;
      case 'unsubscribeFromBoards':
        for (const serial of serials(message)) state.watched.delete(serial);
        return;
      case 'lightSquares':
        return light(client, message);
      default:
        return send(client, { type: 'info', message: `unknown message "${String(message.type)}"` });
    }
  };

  /** Lit squares by x + 8 y, y = 0 at the top: the eighth rank. */
  const light = (client: number, message: Json) => {
    const board = bySerial(message.serialNumber);
    if (board === undefined || !board.hasLights)
      return send(client, { type: 'info', message: `board ${String(message.serialNumber)} has no lights` });
    const squares: Square[] = [];
    for (const square of Array.isArray(message.squares) ? message.squares.slice(0, 64) : []) {
      if (!isObject(square) || square.lit !== true) continue;
      const { x, y } = square;
      if (!isPlace(x) || !isPlace(y)) continue;
      const seen = (7 - y) * 8 + x;
      squares.push(board.flipped ? 63 - seen : seen);
    }
    outputs.push({ type: 'command', board: board.id, command: { type: 'leds', squares } });
  };

  const tellWatcher = (client: number, state: Client, board: Eboard): void => {
    const fen = board.board;
    if (!state.watched.has(board.serialnr) || fen === null || state.watched.get(board.serialnr) === fen)
      return;
    state.watched.set(board.serialnr, fen);
    send(client, { type: 'boardUpdate', serialNumber: board.serialnr, fen });
  };
  const tellWatchers = (board: Eboard): void => {
    for (const [client, state] of clients) tellWatcher(client, state, board);
  };

  /** Tells what is another on a board. */
  const tellFeeds = (board: Eboard): void => {
    untold.delete(board);
    for (const [client, { feeds }] of clients) {
      for (const feed of feeds.values()) if (feed.board === board) tell(client, feed, {});
    }
    tellWatchers(board);
  };

  const meetFleet = (status: FleetStatus): void => {
    for (const { board: id, definition, identity, link, state } of status.boards) {
      const board = boardOf(id, definition.id);
      board.identity = { ...board.identity, ...identity };
      board.state = state === 'up' ? 'ACTIVE' : 'NOTRESPONDING';
      board.source = state === 'up' ? sourceOf(makeLinkAddress(link)) : undefined;
    }
  };

  const hear = (update: RecorderUpdate) => {
    switch (update.type) {
      case 'fleet':
        return meetFleet(update.status);
      case 'board': {
        const board = boardOf(update.board, update.kind);
        if (update.update.type === 'identity')
          board.identity = { ...board.identity, ...update.update.identity };
        return;
      }
      case 'sensed': {
        const board = boardOf(update.board, update.kind);
        const { event } = update;
        const seen = board.sense(event);
        if (seen === undefined) return;
        if (!untold.has(board)) untold.set(board, nowMs + TOGETHER_MS);
        for (const [client, { feeds }] of clients) {
          for (const feed of feeds.values()) {
            if (feed.board === board && feed.moves?.take(seen, board.placement) === true)
              tell(client, feed, { moves: true });
          }
        }
        return;
      }
      case 'game': {
        const board = boards.get(update.board);
        if (board === undefined) return;
        const wasFlipped = board.flipped;
        board.follow(update.record);
        for (const event of update.events) board.conclude(event, wallMsAt(event.atMs));
        if (board.flipped !== wasFlipped) turned(board);
        else if (update.events.some(({ type }) => type === 'clock')) tellFeeds(board);
        // What stands on a board that knows occupancy only is known by the game.
        else if (!untold.has(board)) tellFeeds(board);
        return;
      }
      default:
        return;
    }
  };

  const listen = ({ client, text }: Extract<LivechessEvent, { type: 'message' }>): void => {
    const state = clients.get(client);
    if (state === undefined) return;
    state.heardAtMs = nowMs;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      message = undefined;
    }
    if (state.protocol === 'livechess') {
      if (isObject(message)) hearLivechess(client, state, message);
      else reply(client, 'error', null, { message: 'a message is one JSON object' });
    } else if (isObject(message)) hearOebsp(client, state, message);
    else send(client, { type: 'info', message: 'a message is one JSON object' });
  };

  /** Moves that have rested long enough, and clients that have fallen silent. */
  const look = (): void => {
    for (const [board, dueMs] of untold) if (dueMs <= nowMs) tellFeeds(board);
    for (const [client, state] of clients) {
      if (state.protocol === 'oebsp' && nowMs - state.heardAtMs >= SILENCE_MS) {
        clients.delete(client);
        outputs.push({ type: 'close', client, code: 1000, reason: 'Server timeout' });
        continue;
      }
      for (const feed of state.feeds.values()) {
        if (feed.moves?.advance(nowMs) === true) tell(client, feed, { moves: true });
      }
    }
  };

  const wakeAt = (): number | undefined => {
    let atMs = Math.min(Number.POSITIVE_INFINITY, ...untold.values());
    for (const { protocol, heardAtMs, feeds } of clients.values()) {
      if (protocol === 'oebsp') {
        const silentMs = nowMs - heardAtMs;
        atMs = Math.min(
          atMs,
          heardAtMs + Math.max(SILENCE_MS, LOOK_MS * (Math.floor(silentMs / LOOK_MS) + 1)),
        );
      }
      for (const { moves } of feeds.values()) atMs = Math.min(atMs, moves?.wakeAtMs ?? atMs);
    }
    return Number.isFinite(atMs) ? atMs : undefined;
  };

  const step = (event: LivechessEvent | Tick): Step<LivechessOutput> => {
    nowMs = event.atMs;
    outputs = [];
    switch (event.type) {
      case 'tick':
        look();
        break;
      case 'connected': {
        const { client, protocol } = event;
        clients.set(client, { protocol, feeds: new Map(), watched: new Map(), heardAtMs: nowMs });
        break;
      }
      case 'message':
        listen(event);
        break;
      case 'gone':
        clients.delete(event.client);
        break;
      case 'update':
        hear(event.update);
        break;
      case 'known':
        if (!boards.has(event.board)) boardOf(event.board, event.kind).orient(event.orientation);
        break;
      case 'comments':
        comments = event.comments;
        for (const board of boards.values()) board.comment = comments.get(board.id);
        break;
    }
    const wakeAtMs = wakeAt();
    return wakeAtMs === undefined ? { outputs } : { outputs, wakeAtMs };
  };

  return { step, eboards };
}

const isPlace = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 7;

/** The port as LiveChess names it: `COM3`, `ttyACM0`. */
const sourceOf = (address: string): string => address.replace(/^serial:/, '').replace(/^\/dev\//, '');
