/**
 * Stands in for the library under the Bluetooth transport, where no radio is: boards on the air with one service, as the
 * library's own documentation has them. Everything takes a turn of the event loop, notifications carry at most what the
 * link does, a board that is gone is gone without another word, and a question to a board that is deaf is never answered.
 */
import { EventEmitter } from 'node:events';
import type { Noble } from '@stoprocent/noble';
import { type Observable, Subject } from 'rxjs';
import type { LowEnergyLink } from '../../boards/definition.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const never = <T>(): Promise<T> => new Promise(() => {});

/** What a board does not do any more once it is connected. */
export type Deafness = 'none' | 'connect' | 'discover' | 'subscribe';

class FakeCharacteristic extends EventEmitter {
  readonly uuid: string;
  readonly #board: FakeAirBoard;
  isSubscribed = false;

  constructor(uuid: string, board: FakeAirBoard) {
    super();
    this.uuid = uuid;
    this.#board = board;
  }

  async subscribeAsync(): Promise<void> {
    if (this.#board.deafness === 'subscribe') return never();
    await turn();
    this.isSubscribed = true;
  }

  async writeAsync(data: Buffer): Promise<void> {
    if (this.#board.state !== 'connected') throw new Error('not connected');
    if (data.length > this.#board.mtu - 3) throw new Error('longer than the link carries');
    await turn();
    this.#board.heard.next(Uint8Array.from(data));
  }
}

/** A board on the air, from the library's side; `say`, `unplug` and `heard` are its own. */
export class FakeAirBoard extends EventEmitter {
  readonly id: string;
  readonly address: string;
  readonly rssi = -50;
  readonly advertisement: { readonly localName: string };
  readonly heard = new Subject<Uint8Array>();
  deafness: Deafness = 'none';
  library: FakeRadioLibrary | undefined;
  mtu: number;
  state = 'disconnected';
  services: readonly { readonly characteristics: readonly FakeCharacteristic[] }[] = [];
  readonly #link: LowEnergyLink;

  constructor(address: string, localName: string, link: LowEnergyLink, mtu = 64) {
    super();
    this.id = address.replaceAll(':', '');
    this.address = address;
    this.advertisement = { localName };
    this.mtu = mtu;
    this.#link = link;
  }

  async connectAsync(): Promise<void> {
    this.state = 'connecting';
    if (this.deafness === 'connect') {
      const [error] = await new Promise<unknown[]>((resolve) =>
        this.once('connect', (...args) => resolve(args)),
      );
      throw error;
    }
    await turn();
    this.state = 'connected';
  }

  cancelConnect(): void {
    this.library?.use('cancelConnect');
    if (this.state === 'connecting') this.emit('connect', new Error('connection canceled!'));
  }

  async discoverSomeServicesAndCharacteristicsAsync(_: unknown, uuids: readonly string[]) {
    if (this.deafness === 'discover') return never<never>();
    await turn();
    const known = [...this.#link.notify, this.#link.write].map((uuid) => uuid.replaceAll('-', ''));
    const characteristics = uuids
      .filter((uuid) => known.includes(uuid))
      .map((uuid) => new FakeCharacteristic(uuid, this));
    this.services = [{ characteristics }];
    return { services: this.services, characteristics };
  }

  disconnect(): void {
    this.library?.use('disconnect');
    this.state = 'disconnecting';
    setImmediate(() => this.#hangUp('local'));
  }

  #hangUp(reason: unknown): void {
    this.state = 'disconnected';
    this.services = [];
    this.emit('disconnect', reason);
  }

  /** Notifies whoever listens, in parts that fit. */
  say(bytes: Uint8Array): void {
    const most = this.mtu - 3;
    for (let at = 0; at < bytes.length; at += most)
      for (const { characteristics } of this.services)
        for (const one of characteristics)
          if (one.isSubscribed) one.emit('data', Buffer.from(bytes.subarray(at, at + most)));
  }

  /** Out of reach. */
  unplug(): void {
    this.#hangUp(8);
  }

  get bytes$(): Observable<Uint8Array> {
    return this.heard;
  }
}

/**
 * The library with these boards on the air; each calls whenever a scan begins, and again and again while it goes on. Once it is
 * stopped whoever still uses it is caught: the real one then writes to a file descriptor that is another's.
 */
export class FakeRadioLibrary extends EventEmitter {
  readonly #boards: readonly FakeAirBoard[];
  isStopped = false;
  /** What was asked of it after it was stopped. */
  readonly misuse: string[] = [];

  constructor(boards: readonly FakeAirBoard[]) {
    super();
    this.#boards = boards;
    for (const board of boards) board.library = this;
  }

  use(what: string): void {
    if (this.isStopped) this.misuse.push(what);
  }

  async startScanningAsync(): Promise<void> {
    this.use('startScanning');
    await turn();
    for (const board of this.#boards) if (board.state === 'disconnected') this.emit('discover', board);
  }

  stopScanning(): void {
    this.use('stopScanning');
  }

  stop(): void {
    this.use('stop');
    this.isStopped = true;
  }

  /** Somebody switches Bluetooth off. */
  switchOff(): void {
    for (const board of this.#boards) if (board.state !== 'disconnected') board.unplug();
    this.emit('stateChange', 'poweredOff');
  }

  /** As the transport takes it. */
  asLibrary(): Noble {
    return this as unknown as Noble;
  }
}
