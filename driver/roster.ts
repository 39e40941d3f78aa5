import type { BoardCommand, BoardDefinition, BoardIdentity } from '../boards/definition.ts';
import { BoardError } from '../core/board-error.ts';
import type { Machine, Step, Tick } from '../core/machine.ts';
import type { Fault } from '../core/result.ts';
import { type LinkAddress, makeLinkAddress } from './address.ts';
import type { PortCommand, PortUpdate } from './connect.ts';
import { type BoardUpdate, type LinkState, timeOf } from './connection.ts';
import { identityNews } from './identity-news.ts';

/** Names a board wherever it is plugged in: "dgt-01025". Letters, digits, ".", "-", "_" and "@" only. */
export type BoardId = string;

/** A place where a board may be, as the roster knows it. */
export interface RosterPort {
  readonly key: string;
  readonly link: LinkAddress;
  /** Serial number of the USB device the port belongs to, when it has one. */
  readonly usbSerial?: string;
  /** The USB socket it is plugged into: what is there again after it was unplugged is likely the same device. */
  readonly usbSocket?: string;
  /** Only a board that was seen before may be here; anything else is left alone. */
  readonly knownOnly?: boolean;
  /** The place is one board's on the line of a port: its address there. */
  readonly station?: string;
}

export type RosterEvent =
  /** Somebody begins to connect to a port. */
  | { readonly type: 'port'; readonly atMs: number; readonly port: RosterPort }
  | { readonly type: 'update'; readonly atMs: number; readonly key: string; readonly update: PortUpdate }
  /** The port is not there any more, and nobody connects to it. */
  | { readonly type: 'vanished'; readonly atMs: number; readonly key: string }
  /** The port cannot be connected to on this system, ever. */
  | { readonly type: 'failed'; readonly atMs: number; readonly key: string; readonly fault: Fault }
  /** Somebody tells a board to do something; `id` is the asker's, and comes back in an `answer`. */
  | {
      readonly type: 'command';
      readonly atMs: number;
      readonly board: BoardId;
      readonly id: number;
      readonly command: BoardCommand;
    };

/** A board as it stands. */
export interface BoardStatus {
  readonly board: BoardId;
  readonly definition: BoardDefinition;
  readonly identity: BoardIdentity;
  /** Where it is, or was last. */
  readonly link: LinkAddress;
  /** Its address on that link, when it shares it with other boards. */
  readonly station?: string;
  readonly state: LinkState;
  /** Why it is not up. */
  readonly fault?: Fault;
}

/** A port as it stands. */
export interface PortStatus {
  readonly key: string;
  readonly link: LinkAddress;
  /** `ignored`: what is there is none of the boards that were asked for. */
  readonly state: LinkState | 'ignored' | 'failed';
  readonly fault?: Fault;
  readonly board?: BoardId;
}

export interface FleetStatus {
  readonly boards: readonly BoardStatus[];
  readonly ports: readonly PortStatus[];
}

export interface BoardMessage {
  readonly type: 'board';
  readonly board: BoardId;
  readonly definition: BoardDefinition;
  readonly update: BoardUpdate;
}

export type RosterOutput =
  | BoardMessage
  /** Nobody need connect to this port any longer. */
  | { readonly type: 'close'; readonly key: string }
  /** A command goes to the connection of this port. */
  | { readonly type: 'send'; readonly key: string; readonly command: PortCommand }
  /** What became of a command; without a fault it was obeyed. */
  | { readonly type: 'answer'; readonly board: BoardId; readonly id: number; readonly fault?: Fault }
  | { readonly type: 'status'; readonly status: FleetStatus };

/** Numbers by which a board is known: two boards may share one of a sort, never contradict each other in one. */
const NUMBERS = ['serialNumber', 'longSerialNumber'] as const;

interface Port {
  readonly port: RosterPort;
  state: PortStatus['state'];
  fault: Fault | undefined;
  /** What this connection has said before it was known whose it is. */
  held: PortUpdate[];
  identity: BoardIdentity;
  /** Whose connection it is. */
  board: Board | undefined;
  /** Whose connection it was before this one. */
  before: Board | undefined;
  /** It says it is this board, which is connected elsewhere; and since when it says so. */
  claim: { readonly board: Board; readonly atMs: number } | undefined;
}

interface Board {
  readonly id: BoardId;
  readonly definition: BoardDefinition;
  identity: BoardIdentity;
  readonly usbSerials: Set<string>;
  readonly usbSockets: Set<string>;
  readonly links: Set<string>;
  /** The port it is at, or was last. */
  port: Port;
  up: boolean;
  state: LinkState;
  fault: Fault | undefined;
  lastMs: number;
}

/**
 * Decides which board is at which port, by the numbers the board itself gives, else by the USB device, else by the
 * port. What a connection says is held back until that is known; then it goes on in the stream of its board, so that a
 * board that comes back under another name is the same board. A board is taken over from a port only after the link
 * there is lost: when both are alive they are two boards with one number.
 */
export const createRoster = (): Machine<RosterEvent, RosterOutput> => new Roster();

class Roster implements Machine<RosterEvent, RosterOutput> {
  readonly #ports = new Map<string, Port>();
  readonly #boards: Board[] = [];
  #out: RosterOutput[] = [];
  #changed = false;

  step(event: RosterEvent | Tick): Step<RosterOutput> {
    this.#out = [];
    this.#changed = false;
    switch (event.type) {
      case 'port':
        this.#add(event.port);
        break;
      case 'update': {
        const port = this.#ports.get(event.key);
        if (port !== undefined) this.#take(this.#placeOf(port, event.update.update.station), event.update);
        break;
      }
      case 'vanished':
        for (const { port } of this.#stationsOf(event.key)) this.#vanish(port.key, event.atMs);
        this.#vanish(event.key, event.atMs);
        break;
      case 'command':
        this.#command(event);
        break;
      case 'failed': {
        const port = this.#ports.get(event.key);
        if (port === undefined) break;
        this.#release(port);
        port.state = 'failed';
        port.fault = event.fault;
        this.#changed = true;
        break;
      }
      case 'tick':
        break;
    }
    if (this.#changed) this.#out.push({ type: 'status', status: this.#status() });
    return { outputs: this.#out };
  }

  #add(port: RosterPort): Port {
    const place: Port = {
      port,
      state: 'connecting',
      fault: undefined,
      held: [],
      identity: {},
      board: undefined,
      before: undefined,
      claim: undefined,
    };
    this.#ports.set(port.key, place);
    this.#changed = true;
    return place;
  }

  /** The place an update is about: the port, or one board's place on its line, which is as good as a port of its own. */
  #placeOf({ port }: Port, station: string | undefined): Port {
    const place = station === undefined ? port : placeOnLine(port, station);
    return this.#ports.get(place.key) ?? this.#add(place);
  }

  #stationsOf(key: string): Port[] {
    return [...this.#ports.values()].filter(
      ({ port }) =>
        port.station !== undefined && port.key === placeOnLine({ ...port, key }, port.station).key,
    );
  }

  #command({ board: id, id: number, command, atMs }: Extract<RosterEvent, { type: 'command' }>): void {
    const board = this.#boards.find((known) => known.id === id);
    if (board?.up !== true || board.state !== 'up') {
      const fault = new BoardError('COMMAND_AWAY', { board: id }).toFault();
      this.#out.push({ type: 'answer', board: id, id: number, fault });
      return;
    }
    const { key, station } = board.port.port;
    const line = station === undefined ? key : key.slice(0, -station.length - 1);
    const told = { id: number, command, ...(station !== undefined && { station }) };
    this.#out.push({ type: 'send', key: line, command: told });
    board.lastMs = Math.max(board.lastMs, atMs);
  }

  #take(port: Port, message: PortUpdate): void {
    const { update } = message;
    if (update.type === 'answer') {
      const { id, fault } = update;
      const board = port.board?.id;
      if (board !== undefined) this.#out.push({ type: 'answer', board, id, ...(fault && { fault }) });
      return;
    }
    if (update.type === 'link') this.#follow(port, update);
    if (update.type === 'identity') {
      port.identity = { ...port.identity, ...update.identity };
      const { board } = port;
      // Boards are asked for their number again and again, to see whether they are there.
      if (board !== undefined && identityNews(board.identity, update.identity) !== undefined) {
        board.identity = { ...board.identity, ...update.identity };
        this.#changed = true;
      }
    }

    // What a line says that is about none of its boards will never be anybody's.
    const isLineItself = message.definition.line !== undefined && port.port.station === undefined;
    // Between two connections a port speaks for the board it had, as long as that board is not elsewhere.
    const between = update.type === 'link' && update.link !== 'up';
    const board = port.board ?? (between && port.before?.port === port ? port.before : undefined);
    if (board !== undefined) this.#tell(board, message);
    else if (isLineItself) return;
    else if (update.type !== 'link' || update.link !== 'retrying') port.held.push(message);

    if (update.type === 'rx') this.#hearTwin(port, update.atMs);
    if (update.type === 'session' && update.state === 'ready' && port.board === undefined) {
      this.#identify(port, message.definition, update.atMs);
    }
    if (update.type === 'link' && update.link === 'retrying') this.#release(port);
    // A board of a line is not tried again by itself: its line is, or goes on. This is the last that is told of a loss.
    const isLost = update.type === 'sensor' && update.event.type === 'link' && update.event.link === 'lost';
    if (port.port.station !== undefined && isLost) this.#release(port);
  }

  /** Keeps the state of a port in step with its link. */
  #follow(port: Port, update: Extract<BoardUpdate, { type: 'link' }>): void {
    port.state = update.link;
    port.fault = update.fault;
    this.#changed = true;
    if (update.link !== 'connecting') return;
    port.held = [];
    port.identity = {};
  }

  /** The connection is over: whoever waited for its board may have it. */
  #release(port: Port): void {
    const { board } = port;
    port.claim = undefined;
    port.held = [];
    if (board === undefined) return;
    port.before = board;
    port.board = undefined;
    board.up = false;
    const next = [...this.#ports.values()].find((other) => other.claim?.board === board);
    if (next !== undefined) this.#assign(next, board);
  }

  /** A port that is heard while another claims its board is alive: they are two boards. */
  #hearTwin(port: Port, atMs: number): void {
    for (const other of this.#ports.values()) {
      if (other.claim === undefined || other.claim.board !== port.board || atMs <= other.claim.atMs) continue;
      const { definition } = other.claim.board;
      this.#assign(other, this.#create(other, definition));
    }
  }

  #identify(port: Port, definition: BoardDefinition, atMs: number): void {
    const board = this.#find(port, definition);
    if (board === undefined) {
      if (port.port.knownOnly === true) {
        port.state = 'ignored';
        port.held = [];
        this.#changed = true;
        if (port.port.station === undefined) this.#out.push({ type: 'close', key: port.port.key });
        return;
      }
      this.#assign(port, this.#create(port, definition));
    } else if (board.up && board.port !== port) port.claim = { board, atMs };
    else this.#assign(port, board);
  }

  /** The board that this is, as far as anything known speaks for it and nothing against it. */
  #find({ identity, port }: Port, definition: BoardDefinition): Board | undefined {
    const possible = this.#boards.filter(
      (board) =>
        board.definition === definition &&
        NUMBERS.every(
          (n) =>
            board.identity[n] === undefined || identity[n] === undefined || board.identity[n] === identity[n],
        ),
    );
    return (
      possible.find((board) =>
        NUMBERS.some((n) => identity[n] !== undefined && board.identity[n] === identity[n]),
      ) ??
      // Numbers that are known on one side only: the same cable, or else the same place, speaks for the same board.
      possible.find(
        (board) => port.usbSerial !== undefined && !board.up && board.usbSerials.has(port.usbSerial),
      ) ??
      possible.find(
        (board) =>
          !board.up &&
          !contradicts(board, port) &&
          (port.usbSocket === undefined
            ? board.links.has(placeName(port))
            : board.usbSockets.has(port.usbSocket)),
      )
    );
  }

  #create(port: Port, definition: BoardDefinition): Board {
    const { identity } = port;
    const place = slug(port.port);
    const number = identity.serialNumber ?? identity.longSerialNumber;
    const device = port.port.usbSerial ?? port.port.usbSocket;
    const name = number ?? (device === undefined ? place : `usb-${device}`);
    const wanted = clean(`${definition.id}-${name}`);
    const id = this.#boards.some((board) => board.id === wanted) ? `${wanted}@${place}` : wanted;
    const board: Board = {
      id,
      definition,
      identity: {},
      usbSerials: new Set(),
      usbSockets: new Set(),
      links: new Set(),
      port,
      up: false,
      state: 'connecting',
      fault: undefined,
      lastMs: Number.NEGATIVE_INFINITY,
    };
    this.#boards.push(board);
    return board;
  }

  #assign(port: Port, board: Board): void {
    port.claim = undefined;
    port.board = board;
    board.port = port;
    board.up = true;
    board.identity = { ...board.identity, ...port.identity };
    if (port.port.usbSerial !== undefined) board.usbSerials.add(port.port.usbSerial);
    if (port.port.usbSocket !== undefined) board.usbSockets.add(port.port.usbSocket);
    board.links.add(placeName(port.port));
    this.#changed = true;
    const { held } = port;
    port.held = [];
    for (const message of held) this.#tell(board, message);
  }

  #tell(board: Board, { definition, update }: PortUpdate): void {
    // What was held back may be older than what its board has said elsewhere meanwhile.
    const atMs = Math.max(timeOf(update), board.lastMs);
    board.lastMs = atMs;
    if (update.type === 'link') {
      board.state = update.link;
      board.fault = update.fault;
    }
    this.#out.push({ type: 'board', board: board.id, definition, update: stampedAt(update, atMs) });
  }

  #vanish(key: string, atMs: number): void {
    const port = this.#ports.get(key);
    if (port === undefined) return;
    const { board } = port;
    if (board !== undefined) {
      const fault = new BoardError('LINK_GONE', { device: makeLinkAddress(port.port.link) }).toFault();
      const { definition } = board;
      this.#tell(board, { definition, update: { type: 'link', atMs, link: 'lost', fault } });
      this.#tell(board, {
        definition,
        update: { type: 'sensor', event: { type: 'link', atMs, link: 'lost' } },
      });
    }
    this.#release(port);
    this.#ports.delete(key);
    this.#changed = true;
  }

  #status(): FleetStatus {
    return {
      boards: this.#boards.map(({ id, definition, identity, port, state, fault }) => ({
        board: id,
        definition,
        identity,
        link: port.port.link,
        ...(port.port.station !== undefined && { station: port.port.station }),
        state,
        ...(fault && { fault }),
      })),
      ports: [...this.#ports.values()]
        .filter(({ port }) => port.station === undefined)
        .map(({ port, state, fault, board }) => ({
          key: port.key,
          link: port.link,
          state,
          ...(fault && { fault }),
          ...(board && { board: board.id }),
        })),
    };
  }
}

const stampedAt = (update: BoardUpdate, atMs: number): BoardUpdate => {
  if (timeOf(update) === atMs) return update;
  return update.type === 'sensor'
    ? { type: 'sensor', event: { ...update.event, atMs } }
    : { ...update, atMs };
};

/** Two USB devices with different serial numbers are two, whatever socket they are in. */
const contradicts = ({ usbSerials }: Board, { usbSerial }: RosterPort): boolean =>
  usbSerial !== undefined && usbSerials.size > 0 && !usbSerials.has(usbSerial);

const clean = (text: string): string => text.replace(/[^A-Za-z0-9._@-]+/g, '-');

/** A place as part of a name: "ttyUSB0", "192.168.1.20-4001", on a line "ttyUSB0-1025". */
const slug = (port: RosterPort): string =>
  clean(
    placeName(port)
      .replace(/^[a-z]+:(\/\/)?/, '')
      .replace(/^\/dev\//, ''),
  );

const placeName = ({ link, station }: RosterPort): string =>
  station === undefined ? makeLinkAddress(link) : `${makeLinkAddress(link)}#${station}`;

/** One board's place on the line of a port; the USB device is the line's, and says nothing of a board. */
const placeOnLine = ({ key, link, knownOnly }: RosterPort, station: string): RosterPort => ({
  key: `${key}#${station}`,
  link,
  station,
  ...(knownOnly && { knownOnly }),
});
