import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BOARDS } from '../../boards/registry.ts';
import { cureOf, isFaultCode } from '../../core/board-error.ts';
import { makeLinkAddress } from '../../driver/address.ts';
import { discover, LISTEN_MS, listPorts } from '../../driver/discovery.ts';
import { type Finding, fine, fix, note } from './finding.ts';

/** Groups that own serial ports on the common distributions. */
const SERIAL_GROUPS = ['dialout', 'uucp', 'tty', 'plugdev'];
/** What to load when the kernel has given a USB bridge no port. */
const KERNEL_DRIVERS: Readonly<Record<string, string>> = {
  '0403': 'ftdi_sio',
  '10c4': 'cp210x',
  '067b': 'pl2303',
  '1a86': 'ch341',
};

/** Whether ports are here, may be opened, and have a driver. */
export async function checkBoards(): Promise<readonly Finding[]> {
  const candidates = await discover({
    definitions: BOARDS,
    list: () => listPorts({ listenMs: LISTEN_MS }),
  });
  const findings: Finding[] = [];
  for (const { link, port, verdict, why } of candidates) {
    const name = makeLinkAddress(link);
    const fault = port?.fault;
    if (fault !== undefined) {
      const group = /the group (\S+)/.exec(fault.message)?.[1] ?? SERIAL_GROUPS[0]!;
      const cure = isFaultCode(fault.code) ? cureOf(fault.code, { device: name, group }) : 'See the message.';
      findings.push(fix('port', `${name}: ${fault.message}`, cure));
    } else if (verdict !== 'other') findings.push(fine('port', `${name}: ${why}`));
  }
  const used = new Set(candidates.flatMap(({ port }) => (port?.usb === undefined ? [] : [usbKey(port.usb)])));
  for (const device of await listUsb()) {
    if (used.has(usbKey(device)) || !isBridge(device)) continue;
    const driver = KERNEL_DRIVERS[device.vendorId];
    findings.push(
      fix(
        'driver',
        `the USB device ${usbKey(device)} may be a board and has no serial port`,
        driver === undefined
          ? 'Install the driver of its USB bridge.'
          : `Load the driver of its USB bridge: \`sudo modprobe ${driver}\`; on a virtual machine hand the USB device in first.`,
      ),
    );
  }
  if (findings.length === 0) {
    findings.push(
      note('port', 'no port that may be a board is here', 'Plug a board in, switch it on and look again.'),
    );
  }
  return [...findings, ...(await checkGroup())];
}

interface UsbDevice {
  readonly vendorId: string;
  readonly productId: string;
}

const usbKey = ({ vendorId, productId }: UsbDevice): string => `${vendorId}:${productId}`;

const isBridge = ({ vendorId, productId }: UsbDevice): boolean =>
  BOARDS.some((board) =>
    board.usb.some(
      (usb) =>
        usb.vendorId.toLowerCase() === vendorId &&
        (usb.productId === undefined || usb.productId.toLowerCase() === productId),
    ),
  );

async function listUsb(): Promise<UsbDevice[]> {
  if (process.platform !== 'linux') return [];
  const root = '/sys/bus/usb/devices';
  const devices: UsbDevice[] = [];
  for (const name of await readdir(root).catch(() => [])) {
    const read = (file: string): Promise<string> =>
      readFile(join(root, name, file), 'utf8').then(
        (text) => text.trim().toLowerCase(),
        () => '',
      );
    const [vendorId, productId] = [await read('idVendor'), await read('idProduct')];
    if (vendorId !== '' && productId !== '') devices.push({ vendorId, productId });
  }
  return devices;
}

/** Whether this user may open serial ports at all, told before a board is plugged in. */
async function checkGroup(): Promise<Finding[]> {
  if (process.platform !== 'linux' || process.getuid?.() === 0) return [];
  const groups = (await readFile('/etc/group', 'utf8').catch(() => ''))
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([name]) => name === 'dialout' || name === 'uucp')
    .map(([name = '', , gid]) => ({ name, gid: Number(gid) }))
    // Where both exist, serial ports belong to the first.
    .sort((a, b) => a.name.localeCompare(b.name));
  if (groups.length === 0) return [];
  const mine = new Set(process.getgroups?.() ?? []);
  const joined = groups.find(({ gid }) => mine.has(gid));
  if (joined !== undefined) return [fine('group', `you are in the group ${joined.name}`)];
  const { name } = groups[0]!;
  return [
    fix(
      'group',
      `you are not in the group ${name}, which owns serial ports`,
      cureOf('LINK_PERMISSION', { group: name }),
    ),
  ];
}
