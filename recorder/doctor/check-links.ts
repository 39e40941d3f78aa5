import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BOARDS } from '../../boards/registry.ts';
import { cureOf } from '../../core/board-error.ts';
import { bluetoothFault, hasRadio, hidFault } from '../../driver/link-support.ts';
import { UDEV_RULES_FILE } from '../../driver/udev-rules.ts';
import { type Finding, fine, note } from './finding.ts';

/**
 * Whether boards on USB HID and on Bluetooth Low Energy can be reached. What is missing is a note: boards on a serial port
 * need none of it.
 */
export async function checkLinks(): Promise<readonly Finding[]> {
  return [await checkHid(), ...(await checkRules()), await checkBluetooth()];
}

async function checkHid(): Promise<Finding> {
  const fault = await hidFault();
  if (fault === undefined) return fine('USB HID', 'boards without a serial port can be used');
  return note('USB HID', fault.message, fault.cure);
}

const RULE_FOLDERS = ['/etc/udev/rules.d', '/run/udev/rules.d', '/usr/lib/udev/rules.d', '/lib/udev/rules.d'];

async function checkRules(): Promise<Finding[]> {
  if (process.platform !== 'linux' || process.getuid?.() === 0) return [];
  const wanted = new Set(BOARDS.flatMap(({ hid }) => hid?.usb.map(({ vendorId }) => vendorId) ?? []));
  for (const folder of RULE_FOLDERS) {
    for (const name of await readdir(folder).catch(() => [])) {
      const text = await readFile(join(folder, name), 'utf8').catch(() => '');
      const lines = text.split('\n').filter((line) => line.includes('hidraw'));
      for (const vendorId of wanted)
        if (lines.some((line) => line.includes(vendorId))) wanted.delete(vendorId);
    }
  }
  if (wanted.size === 0) return [fine('udev rules', 'boards on USB HID are yours')];
  const text = `no rule gives boards on USB HID (vendor ${[...wanted].join(', ')}) to you`;
  return [note('udev rules', text, cureOf('LINK_UDEV', { device: UDEV_RULES_FILE }))];
}

async function checkBluetooth(): Promise<Finding> {
  const check = 'Bluetooth';
  if (!(await hasRadio())) return note(check, 'no radio is here: boards on a cable need none');
  const fault = await bluetoothFault();
  return fault === undefined ? fine(check, 'the radio is on') : note(check, fault.message, fault.cure);
}
