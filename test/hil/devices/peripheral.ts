/** Boards on the air: GATT servers on emulated Bluetooth controllers (`hci_vhci`). */
import type { Bleno, ConnectionHandle } from '@stoprocent/bleno';
import { Subject } from 'rxjs';
import type { LowEnergyLink } from '../../../boards/definition.ts';
import type { DeviceEnd } from '../../../driver/transport.ts';
import type { Cable } from './cable.ts';

interface Library {
  withBindings(kind: 'hci', options: { deviceId: number }): Bleno;
}

/** Which characteristic of a board says which message, by the first byte. */
export type Route = (message: Uint8Array) => number;

/**
 * A board that calls under a name on controller `hci`, with a service for each one named. The first characteristic of
 * `notify` belongs to the first service, and so on; where there are fewer services the last one has the rest, and the
 * writable one stands in the second service, or the only one.
 */
export async function createAirCable(
  hci: number,
  name: string,
  link: LowEnergyLink,
  route: Route = () => 0,
): Promise<Cable> {
  const library = (await import('@stoprocent/bleno')) as unknown as { default: Library };
  const bleno = library.default.withBindings('hci', { deviceId: hci });
  await bleno.waitForPoweredOnAsync(60_000);
  const { Characteristic, PrimaryService } = bleno;
  const bare = (uuid: string): string => uuid.replaceAll('-', '');
  const heard = new Subject<Uint8Array>();
  const say: ((data: Buffer) => void)[] = [];
  const notify = link.notify.map(
    (uuid, index) =>
      new Characteristic({
        uuid: bare(uuid),
        properties: ['notify'],
        onSubscribe: (_: ConnectionHandle, __: number, update) => {
          say[index] = (data) => update(data);
        },
        onUnsubscribe: () => {
          delete say[index];
        },
      }),
  );
  const write = new Characteristic({
    uuid: bare(link.write),
    properties: ['write', 'writeWithoutResponse'],
    onWriteRequest: (_handle, data, _offset, _withoutResponse, done) => {
      heard.next(Uint8Array.from(data));
      done(Characteristic.RESULT_SUCCESS);
    },
  });
  const services = link.services.map((uuid, index) => {
    const last = index === link.services.length - 1;
    const mine = last ? notify.slice(index) : notify.slice(index, index + 1);
    const writable = index === Math.min(1, link.services.length - 1);
    return new PrimaryService({
      uuid: bare(uuid),
      characteristics: writable ? [...mine, write] : mine,
    });
  });
  await bleno.setServicesAsync(services);
  return {
    plug: async () => {
      await bleno.startAdvertisingAsync(name, [bare(link.services[0]!)]);
      const device: DeviceEnd = {
        address: { type: 'memory', name },
        bytes$: heard,
        write: (bytes) => say[route(bytes)]?.(Buffer.from(bytes)),
        close: async () => {},
      };
      return device;
    },
    unplug: async () => {
      say.length = 0;
      await bleno.stopAdvertisingAsync();
      bleno.disconnect();
    },
  };
}
