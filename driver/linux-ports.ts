import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PortInfo } from './port-info.ts';

/**
 * Lists serial ports as the Linux kernel shows them under /sys, which needs no other program: USB serial ports of all
 * drivers, built-in ports that have hardware, Bluetooth serial ports. `sys` is where /sys is mounted.
 */
export async function listLinuxPorts(sys = '/sys'): Promise<readonly PortInfo[]> {
  const folder = join(sys, 'class', 'tty');
  const names = await readdir(folder).catch((): string[] => []);
  const ports = await Promise.all(names.map((name) => readPort(folder, name)));
  return ports.filter((port) => port !== undefined);
}

async function readPort(folder: string, name: string): Promise<PortInfo | undefined> {
  const path = `/dev/${name}`;
  if (name.startsWith('rfcomm')) return { path, bluetooth: true };
  // Terminals without hardware behind them (consoles, pseudo-terminals) have no device.
  const device = await realpath(join(folder, name, 'device')).catch(() => undefined);
  if (device === undefined) return undefined;
  // A built-in port of type 0 is a place in a table, not a port.
  if ((await readText(join(folder, name, 'type'))) === '0') return undefined;
  const usb = await readUsb(device);
  return usb === undefined ? { path } : { path, usb };
}

/** The USB device a folder of /sys lies in: the nearest one above that has a vendor id. */
async function readUsb(device: string): Promise<PortInfo['usb']> {
  for (let at = device; dirname(at) !== at; at = dirname(at)) {
    const vendorId = await readText(join(at, 'idVendor'));
    if (vendorId === undefined) continue;
    const [productId, serialNumber, manufacturer, product] = await Promise.all(
      ['idProduct', 'serial', 'manufacturer', 'product'].map((file) => readText(join(at, file))),
    );
    return {
      vendorId: vendorId.toLowerCase(),
      productId: productId?.toLowerCase() ?? '',
      ...(serialNumber && { serialNumber }),
      ...(manufacturer && { manufacturer }),
      ...(product && { product }),
    };
  }
  return undefined;
}

const readText = async (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
