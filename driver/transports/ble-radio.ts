import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { Noble, Peripheral } from '@stoprocent/noble';
import { BoardError } from '../../core/board-error.ts';

/** A board on the air, as it was heard last. */
interface Heard {
  readonly peripheral: Peripheral;
  seenAtMs: number;
}

/** How the radio is reached on Linux: through the system's BlueZ, which needs no rights, or past it, which does. */
export const BLUETOOTH_WAYS = ['dbus', 'hci'] as const;
export type BluetoothWay = (typeof BLUETOOTH_WAYS)[number];

/** A board that has said nothing for so long is not there any more, ms. Boards call several times a second. */
const FORGET_MS = 30_000;
/** The radio is let go when nobody has asked for so many seconds, counted only while this process runs, and no board is connected. */
const LEASE_TICKS = 4;
/** Some radios name everybody once a scan, whatever they are asked for: a scan begins anew every so many seconds. */
const SCAN_TICKS = 4;
/** A radio that is not ready after this time is not going to be, ms. */
const POWER_MS = 8_000;
/** Longest time to come to a connection with a board that was just heard, ms. */
const CONNECT_MS = 15_000;
const CAP_NET_RAW = 13n;

const nowMs = (): number => performance.now();

/** The one radio of this process; made when somebody needs it, and again after it failed. */
let radio: Promise<Radio> | undefined;

/** The radio; rejects with LINK_BLUETOOTH, which says what is missing and how to get it. */
export function openRadio(): Promise<Radio> {
  radio ??= startRadio().catch((cause: unknown) => {
    radio = undefined;
    throw cause instanceof BoardError ? cause : noBluetooth('it does not start', cause);
  });
  return radio;
}

const noBluetooth = (detail: string, cause?: unknown): BoardError =>
  new BoardError('LINK_BLUETOOTH', { detail }, cause);

/** Whether this machine has a Bluetooth radio, as far as that can be told without asking for it. */
export async function hasRadio(): Promise<boolean> {
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return (await readdir('/sys/class/bluetooth').catch(() => [])).some((name) => /^hci\d+$/.test(name));
}

/** Ways to the radio that this process may go, the best first. `JADOUBE_BLUETOOTH` chooses one. */
async function waysToRadio(): Promise<readonly (BluetoothWay | 'default')[]> {
  if (process.platform !== 'linux') return ['default'];
  const wanted = BLUETOOTH_WAYS.find((way) => way === process.env.JADOUBE_BLUETOOTH);
  if (wanted !== undefined) return [wanted];
  const ways: BluetoothWay[] = [];
  if (existsSync('/run/dbus/system_bus_socket')) ways.push('dbus');
  if (await mayUseRawSockets()) ways.push('hci');
  return ways;
}

async function mayUseRawSockets(): Promise<boolean> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const effective = /^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1];
  return effective !== undefined && ((BigInt(`0x${effective}`) >> CAP_NET_RAW) & 1n) === 1n;
}

async function startRadio(): Promise<Radio> {
  if (!(await hasRadio()))
    throw noBluetooth('this machine has no Bluetooth radio that is known to the system');
  const ways = await waysToRadio();
  let last: unknown;
  for (const way of ways) {
    try {
      return await startBy(way);
    } catch (cause) {
      last = cause;
    }
  }
  if (last !== undefined) throw last;
  throw noBluetooth('neither the Bluetooth service (BlueZ) nor the radio itself may be used by this program');
}

async function startBy(way: BluetoothWay | 'default'): Promise<Radio> {
  // Loaded, the library opens the radio at once unless it is told another way; it opens nothing on the bus by itself.
  if (way !== 'default') process.env.NOBLE_BINDINGS ??= 'dbus';
  const loaded = await import('@stoprocent/noble').catch((cause: unknown) => {
    throw noBluetooth('the module @stoprocent/noble does not load', cause);
  });
  const { withBindings } = (loaded.default ?? loaded) as unknown as {
    withBindings(way: string, options: { readonly hciDeviceId?: number }): Noble;
  };
  // Which of several radios, as the library's other ways have it.
  const wanted = Number.parseInt(process.env.NOBLE_HCI_DEVICE_ID ?? '', 10);
  const noble = withBindings(way, Number.isNaN(wanted) ? {} : { hciDeviceId: wanted });
  // It prints its warnings, into whatever else is on the screen.
  noble.removeAllListeners('warning');
  const interrupts = process.listeners('SIGINT');
  try {
    await powered(noble);
  } catch (cause) {
    stopForEver(noble);
    throw cause instanceof BoardError ? cause : noBluetooth(`${way}: ${textOf(cause)}`, cause);
  } finally {
    // Ctrl-C is ours: the library would end the process before the game is written.
    for (const listener of process.listeners('SIGINT'))
      if (!interrupts.includes(listener)) process.off('SIGINT', listener);
  }
  return new Radio(noble);
}

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

// Past BlueZ the library closes its file descriptor when it is stopped, and by its number once more when it is collected or
// used again (bluetooth-hci-socket 2.3): by then the number may be a board's, or the database's. So it is never collected, and
// whoever has stopped it never uses it again.
const stopped: Noble[] = [];

function stopForEver(noble: Noble): void {
  stopped.push(noble);
  try {
    noble.stop();
  } catch {
    // It never ran.
  }
}

/** Waits until the radio is on; rejects when it is off, forbidden or does not come. */
async function powered(noble: Noble): Promise<void> {
  // Asked for its state it starts at once. Started by its first listener it does so later, and what it throws then (a
  // module that is not installed) would end the whole process.
  const { state } = noble;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => done(noBluetooth('the radio does not answer')), POWER_MS);
    const done = (error?: Error): void => {
      clearTimeout(timer);
      noble.removeListener('stateChange', look);
      if (error === undefined) resolve();
      else reject(error);
    };
    const look = (state: string): void => {
      if (state === 'poweredOn') done();
      else if (state === 'poweredOff') done(noBluetooth('Bluetooth is switched off'));
      else if (state === 'unauthorized') done(noBluetooth('this program may not use Bluetooth'));
      else if (state === 'unsupported') done(noBluetooth('the Bluetooth service does not run'));
    };
    noble.on('stateChange', look);
    // A bus that cannot be reached would end the whole process.
    const bus = (noble as unknown as { _bindings?: { _bus?: NodeJS.EventEmitter } })._bindings?._bus;
    bus?.on('error', (cause: unknown) => done(noBluetooth('the system bus cannot be reached', cause)));
    look(state);
  });
}

/** Scans while somebody wants to know, remembers who was heard, and connects one board after the other. */
export class Radio {
  readonly #noble: Noble;
  readonly #heard = new Map<string, Heard>();
  readonly #connected = new Set<string>();
  #idleTicks = 0;
  #isEnded = false;
  #tending: NodeJS.Timeout | undefined;
  #connecting: Promise<unknown> = Promise.resolve();
  #busy = 0;
  #ticks = 0;

  constructor(noble: Noble) {
    this.#noble = noble;
    noble.on('discover', (peripheral: Peripheral) => {
      // What the service only remembers has no strength; it may be anywhere.
      if (peripheral.rssi === 0) return;
      this.#heard.set(peripheral.id, { peripheral, seenAtMs: nowMs() });
    });
    // Switched off it would begin again by itself, with a file descriptor that is closed: another one begins.
    noble.on('stateChange', (state: string) => {
      if (state !== 'poweredOn') this.#end();
    });
  }

  /** Everybody who was heard lately or is connected; scanning goes on for some seconds after each call. */
  boards(): readonly Peripheral[] {
    this.#scan();
    const sinceMs = nowMs() - FORGET_MS;
    for (const [id, { seenAtMs }] of this.#heard)
      if (seenAtMs < sinceMs && !this.#connected.has(id)) this.#heard.delete(id);
    return [...this.#heard.values()].map(({ peripheral }) => peripheral);
  }

  /** The board of this address, id or name once it calls; undefined when it does not in `waitMs`, or `end` comes first. */
  async find(device: string, waitMs: number, end: AbortSignal): Promise<Peripheral | undefined> {
    const fromMs = nowMs();
    while (!end.aborted && !this.#isEnded && nowMs() - fromMs < waitMs) {
      this.#scan();
      // Heard since we listen: whoever called before may be gone, and connecting to nobody takes long.
      for (const { peripheral, seenAtMs } of this.#heard.values())
        if (seenAtMs >= fromMs && isCalled(peripheral, device)) return peripheral;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return undefined;
  }

  /** Connects, unless `end` comes first; only one at a time, because radios can do no more. */
  connect(peripheral: Peripheral, end: AbortSignal): Promise<void> {
    const mine = this.#connecting.then(() => this.#connectNow(peripheral, end));
    this.#connecting = mine.catch(() => {});
    return mine;
  }

  async #connectNow(peripheral: Peripheral, end: AbortSignal): Promise<void> {
    end.throwIfAborted();
    if (this.#isEnded) throw noBluetooth('the radio was switched off');
    this.#busy++;
    let timer: NodeJS.Timeout | undefined;
    try {
      const tooLate = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('no connection in time')), CONNECT_MS);
        end.addEventListener('abort', () => reject(end.reason), { once: true });
      });
      await Promise.race([peripheral.connectAsync(), tooLate]);
      this.#connected.add(peripheral.id);
      peripheral.once('disconnect', () => this.#connected.delete(peripheral.id));
    } catch (cause) {
      if (!this.#isEnded) peripheral.cancelConnect();
      throw cause;
    } finally {
      clearTimeout(timer);
      this.#busy--;
    }
  }

  /** Ends a connection; the radio does not wait for the board to agree. */
  drop(peripheral: Peripheral): void {
    this.#connected.delete(peripheral.id);
    if (!this.#isEnded && peripheral.state !== 'disconnected') peripheral.disconnect();
  }

  #scan(): void {
    this.#idleTicks = 0;
    if (this.#isEnded || this.#tending !== undefined) return;
    this.#tend();
    this.#tending = setInterval(() => this.#tend(), 1_000);
  }

  /**
   * Keeps the radio scanning: a connection stops it, and so does the system at times. When nobody wants anything any more
   * it is let go altogether, or it would keep this process from ending.
   */
  #tend(): void {
    if (this.#idleTicks++ < LEASE_TICKS) {
      if (this.#busy > 0) return;
      if (this.#ticks++ % SCAN_TICKS === SCAN_TICKS - 1) {
        this.#noble.stopScanning();
        return;
      }
      this.#noble.startScanningAsync([], true).catch(() => {
        // It is asked again in a second.
      });
    } else if (this.#busy === 0 && this.#connected.size === 0) this.#end();
  }

  /** Lets go of the radio; whoever still has this one finds nobody any more, and asks for the next. */
  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#tending);
    radio = undefined;
    stopForEver(this.#noble);
  }
}

/** Whether a board is meant by an address, an id of the system, or a name. */
const isCalled = ({ id, address, advertisement }: Peripheral, device: string): boolean =>
  address.toLowerCase() === device.toLowerCase() || id === device || advertisement.localName === device;
