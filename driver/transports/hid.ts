import { access, constants } from 'node:fs/promises';
import { Observable } from 'rxjs';
import type { HidLink } from '../../boards/definition.ts';
import { BoardError, isBoardError } from '../../core/board-error.ts';
import { makeLinkAddress } from '../address.ts';
import type { Clock } from '../clock.ts';
import { type Claim, claimDevice } from '../exclusive.ts';
import type { PortInfo } from '../port-info.ts';
import type { LinkEvent, Transport } from '../transport.ts';
import { splitWrite } from './split-write.ts';

type NodeHid = typeof import('node-hid');
type Device = Awaited<ReturnType<NodeHid['devicesAsync']>>[number];
type Handle = Awaited<ReturnType<NodeHid['HIDAsync']['open']>>;

// Closing takes a moment: whoever opens next waits for it, or it would find the device busy with ourselves.
const closings = new Map<string, Promise<void>>();

/** Loads the library; LINK_UNSUPPORTED where it is not installed or does not run. */
async function loadHid(device: string): Promise<NodeHid> {
  try {
    const module = await import('node-hid');
    return 'default' in module ? (module.default as NodeHid) : module;
  } catch (cause) {
    throw new BoardError('LINK_UNSUPPORTED', { device, detail: 'the module node-hid does not load' }, cause);
  }
}

/** Says why HID devices cannot be used on this system; undefined when they can. */
export async function hidFault(): Promise<BoardError | undefined> {
  try {
    const hid = await loadHid('hid');
    await hid.devicesAsync();
    return undefined;
  } catch (cause) {
    return isBoardError(cause) ? cause : new BoardError('LINK_UNSUPPORTED', { device: 'hid' }, cause);
  }
}

/**
 * Lists the HID devices of this system that the library shows, one a collection. Empty where the library cannot be loaded
 * or fails: discovery goes on with what it knows by other ways. It asks every USB device: not to be called often.
 */
export async function listHidDevices(): Promise<readonly PortInfo[]> {
  try {
    const { devicesAsync } = await loadHid('hid');
    return (await devicesAsync()).flatMap((device) => (device.path === undefined ? [] : [portOf(device)]));
  } catch {
    return [];
  }
}

const hex4 = (value: number): string => value.toString(16).padStart(4, '0');

const portOf = (device: Device): PortInfo => ({
  type: 'hid',
  path: device.path!,
  ...(device.usagePage !== undefined && { usagePages: [device.usagePage] }),
  usb: {
    vendorId: hex4(device.vendorId),
    productId: hex4(device.productId),
    ...(device.serialNumber && { serialNumber: device.serialNumber }),
    ...(device.manufacturer && { manufacturer: device.manufacturer }),
    ...(device.product && { product: device.product }),
  },
});

/**
 * Reaches a board that is a HID device, by the system's path or the serial number of the device. Nothing else may hold the
 * device in a program of ours (LINK_BUSY). A report arrives as one chunk, its report id in front; what is written is cut
 * into reports as `link` says.
 */
export function createHidTransport(
  device: string,
  link: HidLink,
  clock: Clock,
  load: (device: string) => Promise<NodeHid> = loadHid,
): Transport {
  const address = { type: 'hid', device } as const;
  const name = makeLinkAddress(address);
  const gone = (cause: unknown) => new BoardError('LINK_GONE', { device: name }, cause);

  const open$ = (): Observable<LinkEvent> =>
    new Observable<LinkEvent>((subscriber) => {
      const opening = openDevice(device, name, link, load, () => subscriber.closed);
      let writing = Promise.resolve();
      let mayWriteAtMs = Number.NEGATIVE_INFINITY;

      const writeReport = async (handle: Handle, report: Uint8Array): Promise<void> => {
        const waitMs = mayWriteAtMs - clock.monotonicMs();
        if (waitMs > 0) await clock.timer$(waitMs).forEach(() => {});
        if (subscriber.closed) throw gone('closed');
        await handle.write([...report]).catch((cause: unknown) => {
          throw gone(cause);
        });
        mayWriteAtMs = clock.monotonicMs() + (link.gapMs ?? 0);
      };

      const write = (handle: Handle, bytes: Uint8Array): Promise<void> => {
        const mine = writing.then(async () => {
          for (const report of makeReports(bytes, link)) await writeReport(handle, report);
        });
        // The queue goes on after a failure; only its own caller hears of it.
        writing = mine.catch(() => {});
        return mine;
      };

      const life = opening.then(
        (opened) => {
          if (opened === undefined) return;
          const { handle } = opened;
          handle.on('error', (cause: unknown) => subscriber.error(gone(cause)));
          handle.on('data', (data: Buffer) => {
            // Stamped before anything else is done with it.
            const atMs = clock.monotonicMs();
            const unnumbered = link.reportId === 0;
            subscriber.next({
              type: 'bytes',
              atMs,
              bytes: unnumbered ? Uint8Array.of(0, ...data) : Uint8Array.from(data),
            });
          });
          subscriber.next({
            type: 'opened',
            atMs: clock.monotonicMs(),
            write: (bytes) => write(handle, bytes),
          });
        },
        async (cause: unknown) => subscriber.error(await explainOpenFailure(device, name, cause)),
      );

      return () => {
        const closing = life
          .then(() => opening)
          .then(async (opened) => {
            // A report on its way ends first, or the library may write into a device that is closed.
            await writing;
            await opened?.handle.close();
          })
          .catch(() => {
            // It never opened, or it is gone and an error of its close changes nothing for anyone.
          })
          .then(() => opening)
          .then(
            (opened) => opened?.claim.release(),
            () => {},
          )
          .finally(() => {
            if (closings.get(device) === closing) closings.delete(device);
          });
        closings.set(device, closing);
      };
    });
  return { address, open$ };
}

/** The reports that carry what is written, each with its id in front. */
export function makeReports(bytes: Uint8Array, link: HidLink): Uint8Array[] {
  const { reportId, reportLength, padding } = link;
  const [id, payload] = reportId === 'first-byte' ? [bytes[0], bytes.subarray(1)] : [reportId, bytes];
  if (id === undefined) return [];
  return splitWrite(payload, reportLength).map((part) => {
    if (padding === undefined) return Uint8Array.of(id, ...part);
    const report = new Uint8Array(1 + reportLength).fill(padding);
    report[0] = id;
    report.set(part, 1);
    return report;
  });
}

interface Opened {
  readonly handle: Handle;
  readonly claim: Claim;
}

async function openDevice(
  device: string,
  name: string,
  link: HidLink,
  load: (device: string) => Promise<NodeHid>,
  unwanted: () => boolean,
): Promise<Opened | undefined> {
  await closings.get(device);
  const hid = await load(name);
  const path = await pathOf(hid, device, link);
  if (path === undefined) throw new BoardError('LINK_GONE', { device: name });
  if (unwanted()) return undefined;
  // The system gives a HID device to as many as ask: they would take each other's answers.
  const claim = await claimDevice(`hid:${path}`);
  try {
    if (unwanted()) {
      await claim.release();
      return undefined;
    }
    return { handle: await hid.HIDAsync.open(path), claim };
  } catch (cause) {
    await claim.release();
    throw cause;
  }
}

/** The path that a name leads to: itself, or that of the device with this serial number and the right usage page. */
async function pathOf(hid: NodeHid, device: string, link: HidLink): Promise<string | undefined> {
  const isPath = device.startsWith('/') || device.startsWith('\\\\') || device.startsWith('DevSrvsID:');
  if (isPath) return device;
  const devices = (await hid.devicesAsync()).filter(({ serialNumber }) => serialNumber === device);
  const right = devices.find(({ usagePage }) => usagePage === link.usagePage);
  return (right ?? devices[0])?.path;
}

/** Tells why a device could not be opened, as a coded error that names it and the cure. */
async function explainOpenFailure(device: string, name: string, cause: unknown): Promise<BoardError> {
  if (isBoardError(cause)) return cause;
  const fault = await hidAccessFault(device);
  if (fault !== undefined) return fault;
  const text = cause instanceof Error ? cause.message : String(cause);
  if (/exclusive|in use|sharing violation/i.test(text))
    return new BoardError('LINK_BUSY', { device: name }, cause);
  return new BoardError('LINK_GONE', { device: name, detail: text }, cause);
}

/** Tells whether this user may open a HID device by its path; undefined when it may, or when only trying can tell. */
export async function hidAccessFault(path: string): Promise<BoardError | undefined> {
  // Elsewhere a device is no file.
  if (process.platform !== 'linux' || !path.startsWith('/')) return undefined;
  try {
    await access(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') return undefined;
    return new BoardError('LINK_UDEV', { device: path }, cause);
  }
}
