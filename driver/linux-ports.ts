import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BoardError } from '../core/board-error.ts';
import type { PortInfo } from './port-info.ts';

/**
 * Lists serial ports as the Linux kernel shows them under /sys, which needs no other program: USB serial ports of all
 * drivers, built-in ports that have hardware, Bluetooth serial ports. `sys` is where /sys is mounted.
 */
export async function listLinuxPorts(sys = '/sys'): Promise<readonly PortInfo[]> {
  const folder = join(sys, 'class', 'tty');
  const names = (await readdir(folder).catch(absent(folder))) ?? [];
  const ports = await Promise.all(names.map((name) => readPort(folder, name)));
  return ports.filter((port) => port !== undefined);
}

async function readPort(folder: string, name: string): Promise<PortInfo | undefined> {
  const path = `/dev/${name}`;
  if (name.startsWith('rfcomm')) return { path, bluetooth: true };
  // Terminals without hardware behind them (consoles, pseudo-terminals) have no device.
  const link = join(folder, name, 'device');
  const device = await realpath(link).catch(absent(link));
  if (device === undefined) return undefined;
  // A built-in port of type 0 is a place in a table, not a port.
  if ((await readText(join(folder, name, 'type'))) === '0') return undefined;
  const usb = await readUsb(device);
  return usb === undefined ? { path } : { path, usb };
}

/**
 * Lists HID devices that are USB devices, as the Linux kernel shows them under /sys: no other program and no library is
 * needed, and none of the devices is asked anything.
 */
export async function listLinuxHidDevices(sys = '/sys'): Promise<readonly PortInfo[]> {
  const folder = join(sys, 'class', 'hidraw');
  const names = (await readdir(folder).catch(absent(folder))) ?? [];
  const devices = names.map(async (name): Promise<PortInfo | undefined> => {
    const link = join(folder, name, 'device');
    const device = await realpath(link).catch(absent(link));
    const usb = device === undefined ? undefined : await readUsb(device);
    if (device === undefined || usb === undefined) return undefined;
    const about = join(device, 'report_descriptor');
    const descriptor = await readFile(about).catch(absent(about));
    const usagePages = descriptor === undefined ? undefined : readUsagePages(descriptor);
    return { type: 'hid', path: `/dev/${name}`, usb, ...(usagePages && { usagePages }) };
  });
  return (await Promise.all(devices)).filter((device) => device !== undefined);
}

/** The usage pages under which a report descriptor (HID 1.11, 6.2.2) opens its outermost collections. */
export function readUsagePages(descriptor: Uint8Array): readonly number[] {
  const pages = new Set<number>();
  let page = 0;
  let depth = 0;
  for (let at = 0; at < descriptor.length; ) {
    const prefix = descriptor[at]!;
    // A long item: its size follows.
    if (prefix === 0xfe) {
      at += 3 + (descriptor[at + 1] ?? 0);
      continue;
    }
    const size = [0, 1, 2, 4][prefix & 3]!;
    const item = prefix & 0xfc;
    let value = 0;
    for (let i = size; i > 0; i--) value = value * 256 + (descriptor[at + i] ?? 0);
    if (item === 0x04) page = value;
    if (item === 0xa0 && depth++ === 0) pages.add(page);
    if (item === 0xc0) depth--;
    at += 1 + size;
  }
  return [...pages];
}

/** The USB device a folder of /sys lies in: the nearest one above that has a vendor id. */
async function readUsb(device: string): Promise<PortInfo['usb']> {
  for (let at = device; dirname(at) !== at; at = dirname(at)) {
    const vendorId = await readText(join(at, 'idVendor'));
    if (vendorId === undefined) continue;
    const [productId, serialNumber, manufacturer, product] = await Promise.all(
      ['idProduct', 'serial', 'manufacturer', 'product'].map((file) => readText(join(at, file))),
    );
    // Every device has one: this one is being taken away, or just comes. The next look will show it whole or not at all.
    if (productId === undefined) throw inMotion(at);
    return {
      vendorId: vendorId.toLowerCase(),
      productId: productId.toLowerCase(),
      ...(serialNumber && { serialNumber }),
      ...(manufacturer && { manufacturer }),
      ...(product && { product }),
      socket: basename(at),
    };
  }
  return undefined;
}

/** What is said of a file of a device that has no such file, or is being taken away. */
const NOT_THERE = ['ENOENT', 'ENOTDIR', 'ENODEV', 'ENXIO', 'EIO', 'EACCES', 'EPERM'];

/**
 * For what is not there: undefined. Anything else that goes wrong is trouble of this process (no file descriptors, no
 * memory) and thrown (LINK_UNSUPPORTED): a board must not lose its name by it, or it would be taken for another one.
 */
const absent =
  (file: string) =>
  (cause: NodeJS.ErrnoException): undefined => {
    if (NOT_THERE.includes(cause.code ?? '')) return undefined;
    throw new BoardError('LINK_UNSUPPORTED', { device: file, detail: cause.message }, cause);
  };

const inMotion = (device: string): BoardError =>
  new BoardError('LINK_UNSUPPORTED', { device, detail: 'it is just being plugged in or out: look again' });

const readText = async (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').then((text) => text.trim(), absent(file));
