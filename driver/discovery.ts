import { realpath } from 'node:fs/promises';
import {
  catchError,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  from,
  map,
  type Observable,
  repeat,
  scan,
} from 'rxjs';
import type { BoardDefinition, UsbIdentity } from '../boards/definition.ts';
import { type BoardAddress, type LinkAddress, makeLinkAddress } from './address.ts';
import type { Clock } from './clock.ts';
import { listLinuxHidDevices, listLinuxPorts } from './linux-ports.ts';
import { comparePorts, type PortInfo, portKey } from './port-info.ts';
import { listBluetoothDevices } from './transports/ble.ts';
import { hasRadio } from './transports/ble-radio.ts';
import { hidAccessFault, listHidDevices } from './transports/hid.ts';
import { accessFault } from './transports/serial.ts';
import { listSerialPorts } from './transports/serial-list.ts';

/**
 * `named`: somebody says that a board is there. `certain`: only a board looks like this. `probe`: may be one, and is
 * asked. `other`: left alone unless it is named.
 */
export const VERDICTS = ['named', 'certain', 'probe', 'other'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A place where a board may be, and why it is thought so. */
export interface Candidate {
  /** Names the place together with the device in it. */
  readonly key: string;
  readonly link: LinkAddress;
  readonly port?: PortInfo;
  readonly verdict: Verdict;
  /** Kinds of board it may be, the likeliest first; empty for `other`. */
  readonly kinds: readonly BoardDefinition[];
  /** What was seen and what follows from it, for people. */
  readonly why: string;
}

/** Judges a place by what the system says of it. */
export function judgePort(port: PortInfo, definitions: readonly BoardDefinition[]): Candidate {
  if (port.type === 'ble') return judgeBluetooth(port, definitions);
  if (port.type === 'hid') {
    const speaks = definitions.filter(
      ({ hid }) =>
        hid !== undefined && (port.usagePages === undefined || port.usagePages.includes(hid.usagePage)),
    );
    return judgeUsb(port, { type: 'hid', device: port.path }, speaks, ({ hid }) => hid?.usb ?? []);
  }
  return judgeSerial(port, definitions);
}

/** A Bluetooth device is what its name says: many makers share one service, and none shares a name. */
function judgeBluetooth(port: PortInfo, definitions: readonly BoardDefinition[]): Candidate {
  const { name = '' } = port;
  const base = { key: portKey(port), link: { type: 'ble', device: port.path } as const, port };
  const kinds = definitions.filter(
    ({ bluetooth }) => bluetooth?.lowEnergy !== undefined && bluetooth.names.some((one) => one.test(name)),
  );
  if (kinds.length === 0)
    return { ...base, verdict: 'other', kinds, why: `the Bluetooth name "${name}" is no known board's` };
  return {
    ...base,
    verdict: 'certain',
    kinds: inSafeOrder(kinds),
    why: `calls itself "${name}" on Bluetooth`,
  };
}

function judgeSerial(port: PortInfo, definitions: readonly BoardDefinition[]): Candidate {
  const base = { key: portKey(port), link: { type: 'serial', path: port.path } as const, port };
  if (port.bluetooth === true) {
    const kinds = inSafeOrder(
      definitions.filter((d) => d.serial !== undefined && d.bluetooth?.classic === true),
    );
    if (kinds.length > 0)
      return { ...base, verdict: 'probe', kinds, why: 'a Bluetooth serial port: it is asked' };
  }
  if (port.usb === undefined) {
    return {
      ...base,
      verdict: 'other',
      kinds: [],
      why: 'a serial port without USB: name it if a board is there',
    };
  }
  return judgeUsb(port, base.link, definitions, ({ usb }) => usb);
}

/** Judges by the USB identity of a device. */
function judgeUsb(
  port: PortInfo,
  link: LinkAddress,
  definitions: readonly BoardDefinition[],
  identitiesOf: (definition: BoardDefinition) => readonly UsbIdentity[],
): Candidate {
  const base = { key: portKey(port), link, port };
  const { usb = { vendorId: '', productId: '' } } = port;
  const id = `USB ${usb.vendorId}:${usb.productId}`;
  const matches = definitions.flatMap((definition) =>
    identitiesOf(definition)
      .filter(
        ({ vendorId, productId, product }) =>
          vendorId.toLowerCase() === usb.vendorId &&
          (productId === undefined || productId.toLowerCase() === usb.productId) &&
          (product === undefined || product.test(('product' in usb && usb.product) || '')),
      )
      .map((identity) => ({ definition, identity })),
  );
  const certain = matches.filter(({ identity }) => identity.certain);
  const used = certain.length > 0 ? certain : matches;
  const first = used[0];
  if (first === undefined)
    return { ...base, verdict: 'other', kinds: [], why: `${id} belongs to no known board` };
  const verdict = certain.length > 0 ? 'certain' : 'probe';
  const kinds = inSafeOrder([...new Set(used.map(({ definition }) => definition))]);
  const why = `${id}: ${first.identity.why}${verdict === 'probe' ? '; it is asked' : ''}`;
  return { ...base, verdict, kinds, why };
}

/** Kinds of board that can be behind a link of its sort, in the order in which it is safe to ask for them. */
const kindsFor = (link: LinkAddress, definitions: readonly BoardDefinition[]): readonly BoardDefinition[] =>
  inSafeOrder(
    definitions.filter(({ serial, hid, bluetooth }) => {
      switch (link.type) {
        case 'serial':
        case 'tcp':
          return serial !== undefined;
        case 'hid':
          return hid !== undefined;
        case 'ble':
          return bluetooth?.lowEnergy !== undefined;
        default:
          return true;
      }
    }),
  );

/** Who only listens comes first: bytes that are meant for one board may disturb another. */
const inSafeOrder = (kinds: readonly BoardDefinition[]): readonly BoardDefinition[] =>
  kinds.toSorted((a, b) => Number(b.serial?.speaksFirst === true) - Number(a.serial?.speaksFirst === true));

/** A place the caller knows of and the system does not list: a pseudo-terminal, a server. All kinds may be there. */
export const judgeExtra = (link: LinkAddress, definitions: readonly BoardDefinition[]): Candidate => ({
  key: makeLinkAddress(link),
  link,
  verdict: 'probe',
  kinds: kindsFor(link, definitions),
  why: 'may hold a board: it is asked',
});

/** A place somebody has named, with the kind of board or without; `port` is what the system knows of it now. */
export const judgeNamed = (
  { kind, link }: BoardAddress,
  definitions: readonly BoardDefinition[],
  port?: PortInfo,
): Candidate => ({
  key: makeLinkAddress(link),
  link,
  ...(port && { port }),
  verdict: 'named',
  kinds: kind === undefined ? kindsFor(link, definitions) : definitions.filter(({ id }) => id === kind),
  why: 'named by you',
});

export interface DiscoveryOptions {
  readonly definitions: readonly BoardDefinition[];
  /** Places where somebody says that a board is; they never vanish, and are listed first. */
  readonly named?: readonly BoardAddress[];
  /** More places to look at, asked for at each look; serial ones only while they exist. */
  readonly extra?: () => readonly LinkAddress[];
  /** Where the ports come from; default: the system. */
  readonly list?: () => Promise<readonly PortInfo[]>;
}

/** Time for every board around to call at least once, ms: what a look that is not repeated has to wait on the air. */
export const LISTEN_MS = 4_000;
/** Asking a system for its HID devices is slow where the kernel does not show them: not more often than this, ms. */
const HID_EVERY_MS = 3_000;

/**
 * Lists serial ports, HID devices and whoever calls on Bluetooth, in order, with what stands in the way of opening them.
 * Needs no other program. The radio is only listened to from the first look on; `listenMs` waits for it.
 */
export async function listPorts(options: { readonly listenMs?: number } = {}): Promise<readonly PortInfo[]> {
  const { listenMs = 0 } = options;
  const linux = process.platform === 'linux';
  const [serial, hid, ble] = await Promise.all([
    linux ? listLinuxPorts() : listSerialPorts(),
    linux ? listLinuxHidDevices() : listHidNowAndThen(),
    listenOnAir(listenMs),
  ]);
  const checked = [...serial, ...hid].map(async (port): Promise<PortInfo> => {
    const error = await (port.type === 'hid' ? hidAccessFault(port.path) : accessFault(port.path));
    return error === undefined ? port : { ...port, fault: error.toFault() };
  });
  return [...(await Promise.all(checked)), ...ble].sort(comparePorts);
}

async function listenOnAir(listenMs: number): Promise<readonly PortInfo[]> {
  const first = await listBluetoothDevices();
  if (listenMs === 0 || !(await hasRadio())) return first;
  await new Promise((resolve) => setTimeout(resolve, listenMs));
  return listBluetoothDevices();
}

let lastHid: { readonly atMs: number; readonly devices: readonly PortInfo[] } | undefined;

async function listHidNowAndThen(): Promise<readonly PortInfo[]> {
  const atMs = performance.now();
  if (lastHid === undefined || atMs - lastHid.atMs > HID_EVERY_MS)
    lastHid = { atMs, devices: await listHidDevices() };
  return lastHid.devices;
}

/**
 * Lists every place where a board may be, with a verdict and why: the named ones, then the ports of the system in
 * order, then the extra ones. A device that can be reached by two names is listed once.
 */
export async function discover(options: DiscoveryOptions): Promise<readonly Candidate[]> {
  const { definitions, named = [], extra = () => [], list = listPorts } = options;
  const ports = [...(await list())].sort(comparePorts);
  const byDevice = new Map(
    await Promise.all(ports.map(async (port) => [await deviceOf(port.path), port] as const)),
  );
  const taken = new Set<string>();
  const candidates: Candidate[] = [];
  for (const address of named) {
    const device = await deviceOfLink(address.link, ports);
    taken.add(device);
    candidates.push(judgeNamed(address, definitions, byDevice.get(device)));
  }
  for (const [device, port] of byDevice) {
    if (taken.has(device)) continue;
    taken.add(device);
    const candidate = judgePort(port, definitions);
    // Keyboards and headphones are nobody's business.
    if (port.type !== undefined && candidate.verdict === 'other') continue;
    candidates.push(candidate);
  }
  for (const link of extra()) {
    const device = await deviceOfLink(link, ports);
    const missing = link.type === 'serial' && !(await exists(link.path));
    if (missing || taken.has(device)) continue;
    taken.add(device);
    candidates.push(judgeExtra(link, definitions));
  }
  return candidates;
}

/** The device a port name leads to (names under /dev/serial are links); the name itself where there is none. */
const deviceOf = (path: string): Promise<string> => realpath(path).catch(() => path);

const deviceOfLink = async (link: LinkAddress, ports: readonly PortInfo[]): Promise<string> => {
  if (link.type === 'serial') return deviceOf(link.path);
  if (link.type !== 'hid' && link.type !== 'ble') return makeLinkAddress(link);
  // The same device by its serial number, its name, or its path.
  const named = ports.find(
    ({ type, path, usb, name }) =>
      type === link.type && [path, usb?.serialNumber, name].includes(link.device),
  );
  return deviceOf(named?.path ?? link.device);
};

/** Whether a port is there. Windows has no files for them: there only opening tells. */
const exists = async (path: string): Promise<boolean> =>
  process.platform === 'win32' ||
  realpath(path).then(
    () => true,
    () => false,
  );

/** What has changed between two looks. */
export interface PortChange {
  readonly candidates: readonly Candidate[];
  readonly appeared: readonly Candidate[];
  /** Keys of candidates that are gone. A device that comes back under another name has another key. */
  readonly vanished: readonly string[];
}

/** Time between two looks at the ports, ms. */
export const WATCH_MS = 1_000;
/** A look that took longer than this may tell how things stood before a board was put back, ms. */
const SLOW_LOOK_MS = 1_500;

interface Watched extends PortChange {
  /** Keys that a slow look did not find: gone when the next does not find them either. */
  readonly missed: ReadonlySet<string>;
}

/**
 * Looks at the ports again and again and emits what has changed; the first look is a change from nothing. Cold; a look
 * that fails is left out, so that a passing fault of the system makes no board vanish, and what a slow look does not find is
 * gone only when the next one does not find it either.
 */
export function watchPorts$(
  options: DiscoveryOptions,
  clock: Clock,
  everyMs = WATCH_MS,
): Observable<PortChange> {
  return defer(() => {
    const fromMs = clock.monotonicMs();
    return from(discover(options)).pipe(
      map((candidates) => ({ candidates, isSlow: clock.monotonicMs() - fromMs > SLOW_LOOK_MS })),
      catchError(() => EMPTY),
    );
  }).pipe(
    repeat({ delay: () => clock.timer$(everyMs) }),
    scan(
      (last: Watched | undefined, { candidates: found, isSlow }): Watched => {
        const now = new Set(found.map(({ key }) => key));
        const lacking = last?.candidates.filter(({ key }) => !now.has(key)) ?? [];
        const kept = isSlow ? lacking.filter(({ key }) => !last!.missed.has(key)) : [];
        const missed = new Set(kept.map(({ key }) => key));
        const before = new Set(last?.candidates.map(({ key }) => key));
        const appeared = found.filter(({ key }) => !before.has(key));
        const vanished = lacking.map(({ key }) => key).filter((key) => !missed.has(key));
        if (last !== undefined && appeared.length + vanished.length === 0) {
          // The same change once more is none; what was missed is remembered all the same.
          return last.missed.size === missed.size && kept.every(({ key }) => last.missed.has(key))
            ? last
            : { ...last, missed, appeared: [], vanished: [] };
        }
        return { candidates: [...found, ...kept], appeared, vanished, missed };
      },
      undefined as Watched | undefined,
    ),
    map((change) => change!),
    distinctUntilChanged(),
    filter(({ appeared, vanished }, index) => index === 0 || appeared.length + vanished.length > 0),
  );
}
