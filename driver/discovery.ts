import { realpath } from 'node:fs/promises';
import {
  catchError,
  defer,
  distinctUntilChanged,
  EMPTY,
  from,
  map,
  type Observable,
  repeat,
  scan,
} from 'rxjs';
import type { BoardDefinition } from '../boards/definition.ts';
import { type BoardAddress, type LinkAddress, makeLinkAddress } from './address.ts';
import type { Clock } from './clock.ts';
import { listLinuxPorts } from './linux-ports.ts';
import { comparePorts, type PortInfo, portKey } from './port-info.ts';
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

/** Judges a port by what the system says of it. */
export function judgePort(port: PortInfo, definitions: readonly BoardDefinition[]): Candidate {
  const base = { key: portKey(port), link: { type: 'serial', path: port.path } as const, port };
  const { usb } = port;
  if (port.bluetooth === true) {
    const kinds = inSafeOrder(
      definitions.filter((d) => d.serial !== undefined && d.bluetooth?.classic === true),
    );
    if (kinds.length > 0)
      return { ...base, verdict: 'probe', kinds, why: 'a Bluetooth serial port: it is asked' };
  }
  if (usb === undefined) {
    return {
      ...base,
      verdict: 'other',
      kinds: [],
      why: 'a serial port without USB: name it if a board is there',
    };
  }
  const id = `USB ${usb.vendorId}:${usb.productId}`;
  const matches = definitions.flatMap((definition) =>
    definition.usb
      .filter(
        ({ vendorId, productId, product }) =>
          vendorId.toLowerCase() === usb.vendorId &&
          (productId === undefined || productId.toLowerCase() === usb.productId) &&
          (product === undefined || product.test(usb.product ?? '')),
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

/** Lists the serial ports of this system, in order, with what stands in the way of opening them. Needs no other program. */
export async function listPorts(): Promise<readonly PortInfo[]> {
  const ports = process.platform === 'linux' ? await listLinuxPorts() : await listSerialPorts();
  const checked = ports.map(async (port): Promise<PortInfo> => {
    const error = await accessFault(port.path);
    return error === undefined ? port : { ...port, fault: error.toFault() };
  });
  return (await Promise.all(checked)).sort(comparePorts);
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
    const device = await deviceOfLink(address.link);
    taken.add(device);
    candidates.push(judgeNamed(address, definitions, byDevice.get(device)));
  }
  for (const [device, port] of byDevice) {
    if (taken.has(device)) continue;
    taken.add(device);
    candidates.push(judgePort(port, definitions));
  }
  for (const link of extra()) {
    const device = await deviceOfLink(link);
    const missing = link.type === 'serial' && !(await exists(link.path));
    if (missing || taken.has(device)) continue;
    taken.add(device);
    candidates.push(judgeExtra(link, definitions));
  }
  return candidates;
}

/** The device a port name leads to (names under /dev/serial are links); the name itself where there is none. */
const deviceOf = (path: string): Promise<string> => realpath(path).catch(() => path);

const deviceOfLink = async (link: LinkAddress): Promise<string> =>
  link.type === 'serial' ? deviceOf(link.path) : makeLinkAddress(link);

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

/**
 * Looks at the ports again and again and emits what has changed; the first look is a change from nothing. Cold; a look
 * that fails is left out, so that a passing fault of the system makes no board vanish.
 */
export function watchPorts$(
  options: DiscoveryOptions,
  clock: Clock,
  everyMs = WATCH_MS,
): Observable<PortChange> {
  return defer(() => from(discover(options)).pipe(catchError(() => EMPTY))).pipe(
    repeat({ delay: () => clock.timer$(everyMs) }),
    scan(
      (last: PortChange | undefined, candidates): PortChange => {
        const before = new Set(last?.candidates.map(({ key }) => key));
        const now = new Set(candidates.map(({ key }) => key));
        const appeared = candidates.filter(({ key }) => !before.has(key));
        const vanished = [...before].filter((key) => !now.has(key));
        if (last !== undefined && appeared.length + vanished.length === 0) return last;
        return { candidates, appeared, vanished };
      },
      undefined as PortChange | undefined,
    ),
    map((change) => change!),
    distinctUntilChanged(),
  );
}
