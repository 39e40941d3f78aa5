import type { Characteristic, Peripheral } from '@stoprocent/noble';
import { Observable } from 'rxjs';
import type { LowEnergyLink } from '../../boards/definition.ts';
import { BoardError, isBoardError } from '../../core/board-error.ts';
import { makeLinkAddress } from '../address.ts';
import type { Clock } from '../clock.ts';
import { type Claim, claimDevice } from '../exclusive.ts';
import type { PortInfo } from '../port-info.ts';
import type { LinkEvent, Transport } from '../transport.ts';
import { hasRadio, openRadio, type Radio } from './ble-radio.ts';
import { splitWrite } from './split-write.ts';

/** How long a board is waited for that was heard before, or was named, ms. */
const FIND_MS = 10_000;
/** From the connection to the last notification that is listened to, ms: whoever is silent for so long stays so. */
const LISTEN_MS = 15_000;
/** Header of a write or a notification within the link's greatest unit. */
const ATT_HEADER = 3;

// A connection takes a moment to end: whoever opens next waits for it, or it would find the board busy with ourselves.
const closings = new Map<string, Promise<void>>();

/** Says why Bluetooth Low Energy cannot be used on this system; undefined when it can. */
export async function bluetoothFault(): Promise<BoardError | undefined> {
  return openRadio().then(
    () => undefined,
    (error: unknown) => {
      if (isBoardError(error)) return error;
      throw error;
    },
  );
}

/**
 * Lists who calls on the air, with the name it gives itself. The first call only begins to listen: look again. Empty
 * where there is no radio or it may not be used: discovery goes on with what it knows by other ways.
 */
export async function listBluetoothDevices(): Promise<readonly PortInfo[]> {
  if (!(await hasRadio())) return [];
  try {
    const radio = await openRadio();
    return radio.boards().map((peripheral): PortInfo => {
      const name = peripheral.advertisement.localName;
      return { type: 'ble', path: placeOf(peripheral), ...(name && { name }) };
    });
  } catch {
    return [];
  }
}

/** The address, or where the system hides it, its id for the board. */
const placeOf = ({ address, id }: Peripheral): string => (address ? address.toLowerCase() : id);

/** UUIDs as the library writes them. */
const bare = (uuid: string): string => uuid.replaceAll('-', '').toLowerCase();

/**
 * Reaches a board over Bluetooth Low Energy, by its address or name: connects once it calls, listens to all its
 * notifications as one stream, and writes in parts that fit. A link that carries too little to be understood is refused
 * (LINK_UNSUPPORTED).
 */
export function createBleTransport(
  device: string,
  link: LowEnergyLink,
  clock: Clock,
  open: () => Promise<Radio> = openRadio,
): Transport {
  const address = { type: 'ble', device } as const;
  const name = makeLinkAddress(address);
  const gone = (cause: unknown, detail?: string) =>
    new BoardError('LINK_GONE', { device: name, ...(detail && { detail }) }, cause);

  const open$ = (): Observable<LinkEvent> =>
    new Observable<LinkEvent>((subscriber) => {
      const claims: Claim[] = [];
      let radio: Radio | undefined;
      let peripheral: Peripheral | undefined;
      let writing = Promise.resolve();
      let mayWriteAtMs = Number.NEGATIVE_INFINITY;
      const lost = (reason: unknown): void => subscriber.error(gone(reason, `disconnected (${reason})`));
      const end = new AbortController();
      let silence: NodeJS.Timeout | undefined;

      const writePart = async (characteristic: Characteristic, part: Uint8Array): Promise<void> => {
        const waitMs = mayWriteAtMs - clock.monotonicMs();
        if (waitMs > 0) await clock.timer$(waitMs).forEach(() => {});
        if (subscriber.closed) throw gone('closed');
        await characteristic.writeAsync(Buffer.from(part), !link.withResponse).catch((cause: unknown) => {
          throw gone(cause);
        });
        mayWriteAtMs = clock.monotonicMs() + (link.gapMs ?? 0);
      };

      const write = (characteristic: Characteristic, bytes: Uint8Array, most: number): Promise<void> => {
        const mine = writing.then(async () => {
          for (const part of splitWrite(bytes, most)) await writePart(characteristic, part);
        });
        // The queue goes on after a failure; only its own caller hears of it.
        writing = mine.catch(() => {});
        return mine;
      };

      const connect = async (): Promise<void> => {
        await closings.get(device);
        // Two processes would share one connection through the system, and take each other's answers. A board that is
        // connected does not call: who holds it is told before it is listened for.
        claims.push(await claimDevice(`ble:${device.toLowerCase()}`));
        radio = await open();
        if (subscriber.closed) return;
        const found = await radio.find(device, FIND_MS, end.signal);
        if (subscriber.closed) return;
        if (found === undefined) throw gone('silent', 'it does not call: switch it on, and closer');
        const place = placeOf(found);
        if (place !== device.toLowerCase()) claims.push(await claimDevice(`ble:${place}`));
        if (subscriber.closed) return;
        peripheral = found;
        await radio.connect(found, end.signal);
        found.once('disconnect', lost);
        if (subscriber.closed) return;
        silence = setTimeout(
          () => end.abort(gone('silent', 'connected, and then it does not answer')),
          LISTEN_MS,
        );
        const { characteristics } = await answered(
          found.discoverSomeServicesAndCharacteristicsAsync(
            link.services.map(bare),
            [...link.notify, link.write].map(bare),
          ),
          end.signal,
        );
        const named = (uuid: string): Characteristic => {
          const one = characteristics.find((candidate) => candidate.uuid === bare(uuid));
          if (one !== undefined) return one;
          throw new BoardError('LINK_FOREIGN', { device: name, detail: `it has no characteristic ${uuid}` });
        };
        const { mtu } = found;
        const carries = mtu === null ? undefined : mtu - ATT_HEADER;
        if (carries !== undefined && carries < (link.leastNotification ?? 0)) {
          const detail = `the link carries ${carries} bytes at once, the board needs ${link.leastNotification}`;
          throw new BoardError('LINK_UNSUPPORTED', { device: name, detail });
        }
        const writable = named(link.write);
        const most = Math.min(link.greatestWrite, carries ?? link.greatestWrite);
        // What a board says while it is still being listened up comes after "opened".
        const early: LinkEvent[] = [];
        let hear = (event: LinkEvent): void => void early.push(event);
        for (const uuid of link.notify) {
          const characteristic = named(uuid);
          characteristic.on('data', (data: Buffer) =>
            hear({ type: 'bytes', atMs: clock.monotonicMs(), bytes: Uint8Array.from(data) }),
          );
          await answered(characteristic.subscribeAsync(), end.signal);
        }
        clearTimeout(silence);
        if (subscriber.closed) return;
        const atMs = early[0]?.atMs ?? clock.monotonicMs();
        subscriber.next({ type: 'opened', atMs, write: (bytes) => write(writable, bytes, most) });
        hear = (event) => subscriber.next(event);
        for (const event of early) subscriber.next(event);
      };

      const life = connect().catch((cause: unknown) =>
        subscriber.error(isBoardError(cause) ? cause : gone(cause, String(cause))),
      );

      return () => {
        clearTimeout(silence);
        end.abort(gone('closed'));
        const release = async (): Promise<void> => {
          await life;
          if (peripheral !== undefined) {
            peripheral.removeListener('disconnect', lost);
            for (const service of peripheral.services ?? [])
              for (const characteristic of service.characteristics ?? [])
                characteristic.removeAllListeners('data');
            radio?.drop(peripheral);
          }
          for (const claim of claims) await claim.release();
        };
        const closing = release()
          .catch(() => {
            // It is gone, and an error of its end changes nothing for anyone.
          })
          .finally(() => {
            if (closings.get(device) === closing) closings.delete(device);
          });
        closings.set(device, closing);
      };
    });
  return { address, open$ };
}

/** What a question comes to, unless the link ends first: the library waits for ever for a board that has fallen silent. */
function answered<T>(question: Promise<T>, end: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (end.aborted) reject(end.reason);
    end.addEventListener('abort', () => reject(end.reason), { once: true });
    question.then(resolve, reject);
  });
}
