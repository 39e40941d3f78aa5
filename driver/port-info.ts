import type { Fault } from '../core/result.ts';

/** What the system knows of a place where a board may be, without opening it. */
export interface PortInfo {
  /** Absent: a serial port. */
  readonly type?: 'hid' | 'ble';
  /** The name it is opened by: "/dev/ttyUSB0", "COM10", "/dev/hidraw3"; a Bluetooth address or the system's id for it. */
  readonly path: string;
  /** The USB device it belongs to; ids are four lower-case hex digits. */
  readonly usb?: {
    readonly vendorId: string;
    readonly productId: string;
    readonly serialNumber?: string;
    readonly manufacturer?: string;
    readonly product?: string;
    /** The socket it is plugged into, by the way through the hubs: "1-1.4". The same after it was unplugged. */
    readonly socket?: string;
  };
  /** Usage pages of a HID device's collections, as far as they are known. */
  readonly usagePages?: readonly number[];
  /** The name a Bluetooth Low Energy device gives itself. */
  readonly name?: string;
  /** A serial port over Bluetooth. */
  readonly bluetooth?: boolean;
  /** Why this user cannot open it, as far as that can be told without trying. */
  readonly fault?: Fault;
}

const collator = new Intl.Collator('en', { numeric: true });

/** Orders ports as people do: COM9 before COM10. */
export const comparePorts = (a: PortInfo, b: PortInfo): number => collator.compare(a.path, b.path);

/** Names a port with the device that is in it now: another device in the same port, or the same in another, differs. */
export const portKey = ({ type, path, usb }: PortInfo): string => {
  const place = type === undefined ? path : `${type}:${path}`;
  return usb === undefined
    ? place
    : `${place} ${usb.vendorId}:${usb.productId} ${usb.serialNumber ?? ''}`.trimEnd();
};
