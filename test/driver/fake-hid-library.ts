/**
 * Stands in for the library under the HID transport: devices by their paths, which give and take reports. As with the real one a
 * read that is under way fails when the device is pulled, a write to it fails as well, and opening a path without a device fails.
 */
import { EventEmitter } from 'node:events';
import { Subject } from 'rxjs';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Most bytes of a report without its id. */
export const REPORT_LENGTH = 64;

/** A device without numbered reports, from its own side. */
export class FakeHidDevice {
  readonly heard = new Subject<Uint8Array>();
  readonly #handles = new Set<FakeHandle>();
  isPlugged = true;

  open(): FakeHandle {
    if (!this.isPlugged) throw new Error('cannot open device');
    const handle = new FakeHandle(this);
    this.#handles.add(handle);
    return handle;
  }

  forget(handle: FakeHandle): void {
    this.#handles.delete(handle);
  }

  /** In as many reports as it takes. */
  say(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += REPORT_LENGTH)
      for (const handle of this.#handles)
        handle.emit('data', Buffer.from(bytes.subarray(at, at + REPORT_LENGTH)));
  }

  unplug(): void {
    this.isPlugged = false;
    for (const handle of this.#handles) handle.emit('error', new Error('could not read from HID device'));
  }
}

class FakeHandle extends EventEmitter {
  readonly #device: FakeHidDevice;

  constructor(device: FakeHidDevice) {
    super();
    this.#device = device;
  }

  async write(report: readonly number[]): Promise<number> {
    await turn();
    if (!this.#device.isPlugged) throw new Error('cannot write to hid device');
    if (report.length > REPORT_LENGTH + 1) throw new Error('longer than a report');
    this.#device.heard.next(Uint8Array.from(report.slice(1)));
    return report.length;
  }

  async close(): Promise<void> {
    await turn();
    this.#device.forget(this);
  }
}

/** The library of a system with these devices, as the transport takes it. */
export const fakeHidLibrary = (devices: ReadonlyMap<string, FakeHidDevice>): typeof import('node-hid') =>
  ({
    devicesAsync: async () => [],
    HIDAsync: {
      open: async (path: string) => {
        await turn();
        const device = devices.get(path);
        if (device === undefined) throw new Error('cannot open device with path');
        return device.open();
      },
    },
  }) as unknown as typeof import('node-hid');
