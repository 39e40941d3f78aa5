import type { Fault } from '../core/result.ts';

/** What the system knows of a serial port without opening it. */
export interface PortInfo {
  /** The name it is opened by: "/dev/ttyUSB0", "COM10". */
  readonly path: string;
  /** The USB device it belongs to; ids are four lower-case hex digits. */
  readonly usb?: {
    readonly vendorId: string;
    readonly productId: string;
    readonly serialNumber?: string;
    readonly manufacturer?: string;
    readonly product?: string;
  };
  /** A serial port over Bluetooth. */
  readonly bluetooth?: boolean;
  /** Why this user cannot open it, as far as that can be told without trying. */
  readonly fault?: Fault;
}

const collator = new Intl.Collator('en', { numeric: true });

/** Orders ports as people do: COM9 before COM10. */
export const comparePorts = (a: PortInfo, b: PortInfo): number => collator.compare(a.path, b.path);

/** Names a port with the device that is in it now: another device in the same port, or the same in another, differs. */
export const portKey = ({ path, usb }: PortInfo): string =>
  usb === undefined ? path : `${path} ${usb.vendorId}:${usb.productId} ${usb.serialNumber ?? ''}`.trimEnd();
