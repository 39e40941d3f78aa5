import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { firstValueFrom, map, take, toArray } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { UsbIdentity } from '../../boards/definition.ts';
import { dgt } from '../../boards/dgt/definition.ts';
import { BOARDS } from '../../boards/registry.ts';
import { isBoardError } from '../../core/board-error.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { discover, judgePort, listPorts, watchPorts$ } from '../../driver/discovery.ts';
import { listLinuxHidDevices, listLinuxPorts, readUsagePages } from '../../driver/linux-ports.ts';
import { comparePorts, type PortInfo } from '../../driver/port-info.ts';
import { createPseudoTerminal } from '../../driver/pseudo-terminal.ts';

const FTDI: PortInfo = {
  path: '/dev/ttyUSB0',
  usb: { vendorId: '0403', productId: '6001', serialNumber: 'A1' },
};
const ARDUINO: PortInfo = { path: '/dev/ttyACM0', usb: { vendorId: '2341', productId: '0043' } };
const BUILT_IN: PortInfo = { path: '/dev/ttyS0' };

/** Kinds of board for judging only. */
const kindWith = (id: string, ...usb: UsbIdentity[]) => {
  const { bluetooth: _, ...rest } = dgt;
  return { ...rest, id, usb };
};

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'jadoube-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Writes files under a folder, by their relative names; a value that begins with "->" is a link. */
async function lay(root: string, files: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    if (content.startsWith('->')) await symlink(content.slice(2), path);
    else await writeFile(path, `${content}\n`);
  }
}

describe('judgePort', () => {
  it('asks a port whose USB identity a board shares with other devices', () => {
    const { verdict, kinds } = judgePort(FTDI, BOARDS);
    expect(verdict).toBe('probe');
    expect(kinds.map(({ id }) => id)).toEqual(['dgt', 'chesslink', 'millennium-eone']);
  });

  it('leaves a port alone that belongs to no known board, or is no USB port at all', () => {
    expect(judgePort(ARDUINO, BOARDS)).toMatchObject({ verdict: 'other', kinds: [] });
    expect(judgePort(BUILT_IN, BOARDS)).toMatchObject({ verdict: 'other', kinds: [] });
  });

  it('asks a Bluetooth serial port as every kind of board that has Bluetooth', () => {
    const { verdict, kinds } = judgePort({ path: '/dev/rfcomm0', bluetooth: true }, BOARDS);
    expect(verdict).toBe('probe');
    expect(kinds.map(({ id }) => id)).toEqual(
      BOARDS.filter(({ bluetooth }) => bluetooth?.classic).map(({ id }) => id),
    );
    expect(kinds.length).toBeGreaterThan(1);
  });

  it('knows a HID board by its maker and its collection, and which of the maker’s kinds it is by its name', () => {
    const usb = { vendorId: '2d80', productId: '8001', product: 'Chessnut Air' };
    const air: PortInfo = { type: 'hid', path: '/dev/hidraw3', usb, usagePages: [0xff00] };
    expect(judgePort(air, BOARDS)).toMatchObject({
      verdict: 'certain',
      link: { type: 'hid', device: '/dev/hidraw3' },
      kinds: [{ id: 'chessnut' }],
    });
    const move = { ...air, usb: { ...usb, product: 'Chessnut Move' } };
    expect(judgePort(move, BOARDS).kinds).toMatchObject([{ id: 'chessnut-move' }]);
    // Another collection of the same board, and a device without a name.
    expect(judgePort({ ...air, usagePages: [1] }, BOARDS).verdict).toBe('other');
    const { product: _, ...nameless } = usb;
    expect(judgePort({ ...air, usb: nameless }, BOARDS).kinds).toMatchObject([{ id: 'chessnut' }]);
  });

  it('knows a Bluetooth board by its name alone', () => {
    const judged = (name?: string) =>
      judgePort({ type: 'ble', path: 'c0:ff:ee:00:00:01', ...(name && { name }) }, BOARDS);
    expect(judged('Chessnut Air+')).toMatchObject({
      verdict: 'certain',
      link: { type: 'ble', device: 'c0:ff:ee:00:00:01' },
      kinds: [{ id: 'chessnut' }],
    });
    expect(judged('Chessnut Move').kinds).toMatchObject([{ id: 'chessnut-move' }]);
    expect(judged('Headphones').verdict).toBe('other');
    expect(judged().verdict).toBe('other');
  });

  it('listens for kinds that speak first before it asks for others, where anything may be', () => {
    const shy = kindWith('shy', { vendorId: '10c4', productId: 'ea60', certain: false, why: '' });
    const open = {
      ...kindWith('open', { vendorId: '10c4', productId: 'ea60', certain: false, why: '' }),
      serial: { ...dgt.serial!, speaksFirst: true },
    };
    const port = { path: '/dev/ttyUSB0', usb: { vendorId: '10c4', productId: 'ea60' } };
    expect(judgePort(port, [shy, open]).kinds.map(({ id }) => id)).toEqual(['open', 'shy']);
  });

  it('prefers the kind of board that no other device looks like, in any case of the letters', () => {
    const kinds = [
      kindWith('maybe', { vendorId: '2D80', certain: false, why: '' }),
      kindWith('sure', { vendorId: '2D80', productId: '81AB', certain: true, why: '' }),
    ];
    const port = { path: 'COM3', usb: { vendorId: '2d80', productId: '81ab' } };
    expect(judgePort(port, kinds)).toMatchObject({ verdict: 'certain', kinds: [{ id: 'sure' }] });
    const other = { path: 'COM3', usb: { vendorId: '2d80', productId: '0001' } };
    expect(judgePort(other, kinds)).toMatchObject({ verdict: 'probe', kinds: [{ id: 'maybe' }] });
  });

  it('gives a reason for every verdict', () => {
    for (const port of [FTDI, ARDUINO, BUILT_IN]) expect(judgePort(port, BOARDS).why).not.toBe('');
  });
});

describe('comparePorts', () => {
  it('orders ports by their numbers, not by their digits', () => {
    const names = ['COM10', 'COM9', 'COM1', '/dev/ttyUSB10', '/dev/ttyUSB2'];
    const sorted = names.map((path) => ({ path })).sort(comparePorts);
    expect(sorted.map(({ path }) => path)).toEqual([
      '/dev/ttyUSB2',
      '/dev/ttyUSB10',
      'COM1',
      'COM9',
      'COM10',
    ]);
  });
});

describe('listLinuxHidDevices', () => {
  it('reads USB devices with what they are for from the kernel, and leaves out those that are not on USB', async () => {
    const sys = await folder();
    await lay(sys, {
      'devices/usb1/1-1/idVendor': '2D80',
      'devices/usb1/1-1/idProduct': '8100',
      'devices/usb1/1-1/serial': 'CN17',
      'devices/usb1/1-1/product': 'Chessnut Pro',
      'devices/usb1/1-1/1-1:1.0/0003:2D80:8100.0001/hidraw/hidraw0/device': '->../..',
      'class/hidraw/hidraw0': '->../../devices/usb1/1-1/1-1:1.0/0003:2D80:8100.0001/hidraw/hidraw0',
      'devices/virtual/misc/uhid/0005:1234:0001.0002/hidraw/hidraw1/device': '->../..',
      'class/hidraw/hidraw1': '->../../devices/virtual/misc/uhid/0005:1234:0001.0002/hidraw/hidraw1',
    });
    await writeFile(
      join(sys, 'devices/usb1/1-1/1-1:1.0/0003:2D80:8100.0001/report_descriptor'),
      Buffer.from('0600ff0901a101150026ff007508953f09018102c0', 'hex'),
    );
    expect(await listLinuxHidDevices(sys)).toEqual([
      {
        type: 'hid',
        path: '/dev/hidraw0',
        usagePages: [0xff00],
        usb: {
          vendorId: '2d80',
          productId: '8100',
          serialNumber: 'CN17',
          product: 'Chessnut Pro',
          socket: '1-1',
        },
      },
    ]);
  });

  it('gives no list rather than one in which a device that cannot be read has lost its name', async () => {
    const sys = await folder();
    await lay(sys, {
      'devices/usb1/1-1/idVendor': '2D80',
      // Reading a folder fails as it does not for a device that is gone.
      'devices/usb1/1-1/idProduct/x': '',
      'devices/usb1/1-1/1-1:1.0/0003:2D80:8100.0001/hidraw/hidraw0/device': '->../..',
      'class/hidraw/hidraw0': '->../../devices/usb1/1-1/1-1:1.0/0003:2D80:8100.0001/hidraw/hidraw0',
      'devices/usb1/1-1/1-1:1.1/tty/ttyACM0/device': '->../..',
      'class/tty/ttyACM0': '->../../devices/usb1/1-1/1-1:1.1/tty/ttyACM0',
    });
    const codeOf = (error: unknown): unknown => (isBoardError(error) ? error.code : error);
    expect(await listLinuxHidDevices(sys).catch(codeOf)).toBe('LINK_UNSUPPORTED');
    expect(await listLinuxPorts(sys).catch(codeOf)).toBe('LINK_UNSUPPORTED');
  });

  it('gives no list rather than one with a device that is half there', async () => {
    const sys = await folder();
    await lay(sys, {
      'devices/usb1/1-1/idVendor': '045b',
      'devices/usb1/1-1/1-1:1.0/tty/ttyACM0/device': '->../..',
      'class/tty/ttyACM0': '->../../devices/usb1/1-1/1-1:1.0/tty/ttyACM0',
    });
    const codeOf = (error: unknown): unknown => (isBoardError(error) ? error.code : error);
    expect(await listLinuxPorts(sys).catch(codeOf)).toBe('LINK_UNSUPPORTED');
  });

  it('reads the outermost collections of a descriptor, whatever bytes it has', () => {
    // A keyboard's, with a collection inside a collection.
    expect(readUsagePages(Buffer.from('05010906a101050709e0a100c0c0', 'hex'))).toEqual([1]);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        for (const page of readUsagePages(bytes)) expect(page).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('listLinuxPorts', () => {
  it('reads USB, built-in and Bluetooth ports from the kernel, and leaves out terminals without hardware', async () => {
    const sys = await folder();
    await lay(sys, {
      // A USB serial adapter: tty below the interface below the device.
      'devices/usb1/1-2/idVendor': '0403',
      'devices/usb1/1-2/idProduct': '6001',
      'devices/usb1/1-2/serial': 'A50285BI',
      'devices/usb1/1-2/manufacturer': 'FTDI',
      'devices/usb1/1-2/product': 'FT232R USB UART',
      'devices/usb1/1-2/1-2:1.0/ttyUSB0/port_number': '0',
      'class/tty/ttyUSB0': '->../../devices/usb1/1-2/1-2:1.0/ttyUSB0/tty/ttyUSB0',
      'devices/usb1/1-2/1-2:1.0/ttyUSB0/tty/ttyUSB0/device': '->../..',
      // A CDC-ACM device without a serial number: tty below the interface.
      'devices/usb1/1-3/idVendor': '045B',
      'devices/usb1/1-3/idProduct': '8111',
      'devices/usb1/1-3/1-3:1.0/tty/ttyACM0/device': '->../..',
      'class/tty/ttyACM0': '->../../devices/usb1/1-3/1-3:1.0/tty/ttyACM0',
      // Built-in ports: one with hardware, one that is only a place in a table.
      'devices/pnp0/00:00/tty/ttyS0/type': '4',
      'devices/pnp0/00:00/tty/ttyS0/device': '->../..',
      'class/tty/ttyS0': '->../../devices/pnp0/00:00/tty/ttyS0',
      'devices/platform/serial8250/tty/ttyS1/type': '0',
      'devices/platform/serial8250/tty/ttyS1/device': '->../..',
      'class/tty/ttyS1': '->../../devices/platform/serial8250/tty/ttyS1',
      'devices/virtual/tty/tty0/active': 'tty1',
      'class/tty/tty0': '->../../devices/virtual/tty/tty0',
      'devices/virtual/tty/rfcomm0/dev': '216:0',
      'class/tty/rfcomm0': '->../../devices/virtual/tty/rfcomm0',
    });
    const ports = [...(await listLinuxPorts(sys))].sort(comparePorts);
    expect(ports).toEqual([
      { path: '/dev/rfcomm0', bluetooth: true },
      { path: '/dev/ttyACM0', usb: { vendorId: '045b', productId: '8111', socket: '1-3' } },
      { path: '/dev/ttyS0' },
      {
        path: '/dev/ttyUSB0',
        usb: {
          vendorId: '0403',
          productId: '6001',
          serialNumber: 'A50285BI',
          manufacturer: 'FTDI',
          product: 'FT232R USB UART',
          socket: '1-2',
        },
      },
    ]);
  });

  it('finds no ports where the kernel shows nothing', async () => {
    expect(await listLinuxPorts(await folder())).toEqual([]);
  });
});

describe('listPorts', () => {
  it('lists the ports of this system', async () => {
    expect(Array.isArray(await listPorts())).toBe(true);
  });

  it('survives a system without any other program to ask', () => {
    const script = `const { listPorts } = await import('./driver/discovery.ts'); const ports = await listPorts();
      process.on('exit', () => console.log('alive', Array.isArray(ports)));`;
    const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      env: { PATH: '/nonexistent' },
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    expect(run.stdout.trim()).toBe('alive true');
  });
});

describe('discover', () => {
  const list = async () => [
    ARDUINO,
    FTDI,
    { ...FTDI, path: '/dev/ttyUSB10' },
    { ...FTDI, path: '/dev/ttyUSB9' },
  ];

  it('lists named places first, then ports in order, then extra ones', async () => {
    const candidates = await discover({
      definitions: BOARDS,
      list,
      named: [{ kind: 'dgt', link: { type: 'serial', path: 'COM77' } }],
      extra: () => [{ type: 'tcp', host: 'table-1', port: 4001 }],
    });
    expect(
      candidates.map(({ link, verdict }) => [link.type === 'serial' ? link.path : link.type, verdict]),
    ).toEqual([
      ['COM77', 'named'],
      ['/dev/ttyACM0', 'other'],
      ['/dev/ttyUSB0', 'probe'],
      ['/dev/ttyUSB9', 'probe'],
      ['/dev/ttyUSB10', 'probe'],
      ['tcp', 'probe'],
    ]);
  });

  it('lists a device once that is named by another name for it', async () => {
    const root = await folder();
    await lay(root, { ttyUSB0: '', 'by-id/usb-FTDI': '->../ttyUSB0' });
    const port = { ...FTDI, path: join(root, 'ttyUSB0') };
    const candidates = await discover({
      definitions: BOARDS,
      list: async () => [port],
      named: [{ kind: undefined, link: { type: 'serial', path: join(root, 'by-id/usb-FTDI') } }],
      extra: () => [{ type: 'serial', path: join(root, 'ttyUSB0') }],
    });
    expect(candidates).toMatchObject([{ verdict: 'named', port }]);
  });

  it('takes an extra serial port only while it exists', async ({ skip }) => {
    const terminal = await createPseudoTerminal();
    if (terminal === undefined) return skip('this system has no pseudo-terminals');
    const options = { definitions: BOARDS, list: async () => [], extra: () => [terminal.address] };
    expect(await discover(options)).toMatchObject([{ link: terminal.address, verdict: 'probe' }]);
    await terminal.close();
    expect(await discover(options)).toEqual([]);
  });
});

describe('watchPorts$', () => {
  const clock = createSystemClock({ speed: 10 });
  const looksAt = (...looks: (readonly PortInfo[] | Error)[]) => {
    let look = 0;
    return async () => {
      const now = looks[Math.min(look++, looks.length - 1)]!;
      if (now instanceof Error) throw now;
      return now;
    };
  };
  const changes = (list: () => Promise<readonly PortInfo[]>, count: number) =>
    firstValueFrom(
      watchPorts$({ definitions: BOARDS, list }, clock).pipe(
        map(({ appeared, vanished }) => [appeared.map(({ key }) => key), vanished]),
        take(count),
        toArray(),
      ),
    );

  const MOVED = { ...FTDI, path: '/dev/ttyUSB1' };
  const OTHER = { ...FTDI, usb: { ...FTDI.usb!, serialNumber: 'B2' } };
  const KEY = '/dev/ttyUSB0 0403:6001 A1';

  it('tells at first what there is, then only what changes', async () => {
    expect(
      await changes(looksAt([ARDUINO], [ARDUINO], [ARDUINO, FTDI], [ARDUINO, FTDI], [ARDUINO]), 3),
    ).toEqual([
      [['/dev/ttyACM0 2341:0043'], []],
      [[KEY], []],
      [[], [KEY]],
    ]);
  });

  it('tells that there is nothing', async () => {
    expect(await changes(looksAt([]), 1)).toEqual([[[], []]]);
  });

  it('takes a device under another name for one that vanished and one that appeared', async () => {
    expect(await changes(looksAt([FTDI], [MOVED]), 2)).toEqual([
      [[KEY], []],
      [['/dev/ttyUSB1 0403:6001 A1'], [KEY]],
    ]);
  });

  it('notices that another device has taken the name', async () => {
    expect(await changes(looksAt([FTDI], [OTHER]), 2)).toEqual([
      [[KEY], []],
      [['/dev/ttyUSB0 0403:6001 B2'], [KEY]],
    ]);
  });

  describe('when a look takes so long that it may tell of the past', () => {
    /** The second look takes long; the last is repeated. */
    const secondIsSlow = (...looks: (readonly PortInfo[])[]) => {
      const next = looksAt(...looks);
      let look = 0;
      return async () => {
        const now = await next();
        if (++look === 2) await clock.timer$(5_000).forEach(() => {});
        return now;
      };
    };

    it('lets nothing vanish that is there at the next look', async () => {
      expect(await changes(secondIsSlow([FTDI], [], [FTDI], [FTDI, ARDUINO]), 2)).toEqual([
        [[KEY], []],
        [['/dev/ttyACM0 2341:0043'], []],
      ]);
    });

    it('lets vanish what is not there at the next look either, and tells what is new at once', async () => {
      expect(await changes(secondIsSlow([FTDI], [ARDUINO]), 3)).toEqual([
        [[KEY], []],
        [['/dev/ttyACM0 2341:0043'], []],
        [[], [KEY]],
      ]);
    });
  });

  it('lets nothing vanish because one look failed', async () => {
    expect(await changes(looksAt([FTDI], new Error('EMFILE'), [FTDI], [FTDI, ARDUINO]), 2)).toEqual([
      [[KEY], []],
      [['/dev/ttyACM0 2341:0043'], []],
    ]);
  });
});
