/** USB devices of this machine's own kernel: gadgets on an emulated bus (`dummy_hcd`, configfs). */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cable } from './cable.ts';
import { openCharacterDevice } from './character-device.ts';
import { until } from './until.ts';

const ROOT = '/sys/kernel/config/usb_gadget';

export interface GadgetFacts {
  readonly vendorId: string;
  readonly productId: string;
  readonly product: string;
  readonly serialNumber?: string;
  /** The emulated controller it is plugged into: dummy_udc.N. */
  readonly controller: number;
}

/** Makes a device with one function; the files are the function's attributes. */
function createGadget(
  name: string,
  facts: GadgetFacts,
  kind: string,
  attributes: Readonly<Record<string, string | Buffer>>,
): { plug(): void; unplug(): void } {
  const folder = join(ROOT, name);
  const [strings, config, part] = [
    join(folder, 'strings/0x409'),
    join(folder, 'configs/c.1'),
    join(folder, 'functions', kind),
  ];
  for (const path of [folder, strings, config, part]) mkdirSync(path, { recursive: true });
  const say = (file: string, text: string | Buffer): void => writeFileSync(file, text);
  say(join(folder, 'idVendor'), `0x${facts.vendorId}`);
  say(join(folder, 'idProduct'), `0x${facts.productId}`);
  say(join(strings, 'product'), facts.product);
  if (facts.serialNumber !== undefined) say(join(strings, 'serialnumber'), facts.serialNumber);
  for (const [file, text] of Object.entries(attributes)) say(join(part, file), text);
  symlinkSync(part, join(config, kind));
  const controller = join(folder, 'UDC');
  return {
    plug: () => say(controller, `dummy_udc.${facts.controller}\n`),
    unplug: () => say(controller, '\n'),
  };
}

/** A HID device with numbered reports on a vendor's page; every report has 63 bytes after its id. */
export function createHidCable(
  facts: GadgetFacts,
  inputs: readonly number[],
  outputs: readonly number[],
): Cable {
  const report = (id: number, main: number): number[] => [0x85, id, 0x95, 0x3f, 0x09, 0x01, main, 0x02];
  const descriptor = Buffer.from([
    ...[0x06, 0x00, 0xff, 0x09, 0x01, 0xa1, 0x01, 0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08],
    ...inputs.flatMap((id) => report(id, 0x81)),
    ...outputs.flatMap((id) => report(id, 0x91)),
    0xc0,
  ]);
  const gadget = createGadget(`hid${facts.controller}`, facts, 'hid.usb0', {
    protocol: '0',
    subclass: '0',
    report_length: '64',
    report_desc: descriptor,
  });
  let device: ReturnType<typeof openCharacterDevice> | undefined;
  return {
    plug: async () => {
      gadget.plug();
      await until(() => existsSync('/dev/hidg0'));
      device = openCharacterDevice('/dev/hidg0');
      return device;
    },
    unplug: async () => {
      await device?.close();
      gadget.unplug();
    },
  };
}

/**
 * A serial port (CDC-ACM). Unplugged, its old port on the host is kept busy by somebody else, so that it comes back as
 * the next one, as it does where a program clings to the old name.
 */
export function createSerialCable(facts: GadgetFacts): Cable {
  const gadget = createGadget(`acm${facts.controller}`, facts, 'acm.usb0', {});
  let device: ReturnType<typeof openCharacterDevice> | undefined;
  let plugged = 0;
  return {
    plug: async () => {
      // The terminal stands there before the cable does: made raw later, it would echo what the host says first.
      await until(() => existsSync('/dev/ttyGS0'));
      execFileSync('stty', ['-F', '/dev/ttyGS0', 'raw', '-echo']);
      device = openCharacterDevice('/dev/ttyGS0');
      gadget.plug();
      return device;
    },
    unplug: async () => {
      const port = `/dev/ttyACM${plugged++}`;
      // Only held: nothing is read from it.
      if (existsSync(port)) openCharacterDevice(port);
      gadget.unplug();
      await device?.close();
    },
  };
}
