import { firstValueFrom, map, ReplaySubject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { HidLink } from '../../boards/definition.ts';
import { isBoardError } from '../../core/board-error.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { createTransport } from '../../driver/create-transport.ts';
import { claimDevice } from '../../driver/exclusive.ts';
import type { Transport } from '../../driver/transport.ts';
import { createHidTransport, makeReports } from '../../driver/transports/hid.ts';
import { FakeHidDevice, fakeHidLibrary, REPORT_LENGTH } from './fake-hid-library.ts';
import { GO, gathered, testTransport } from './transport-contract.ts';

const codeOf = (error: unknown): unknown => (isBoardError(error) ? error.code : error);

const LINK: HidLink = {
  usb: [],
  usagePage: 0xff00,
  reportId: 'first-byte',
  reportLength: 4,
};
const reports = (bytes: number[], more: Partial<HidLink> = {}): number[][] =>
  makeReports(Uint8Array.from(bytes), { ...LINK, ...more }).map((report) => [...report]);

describe('reports', () => {
  it('carry the id that was written first', () => {
    expect(reports([0x21, 1, 0])).toEqual([[0x21, 1, 0]]);
    expect(reports([0x21, 1, 2, 3, 4, 5])).toEqual([
      [0x21, 1, 2, 3, 4],
      [0x21, 5],
    ]);
    expect(reports([])).toEqual([]);
  });

  it('carry the one id there is, 0 where there is none', () => {
    expect(reports([7], { reportId: 0 })).toEqual([[0, 7]]);
    expect(reports([1, 2, 3, 4, 5], { reportId: 6 })).toEqual([
      [6, 1, 2, 3, 4],
      [6, 5],
    ]);
  });

  it('are filled up where the board wants them whole', () => {
    expect(reports([0x21, 1], { padding: 0xee })).toEqual([[0x21, 1, 0xee, 0xee, 0xee]]);
  });
});

const STREAM: HidLink = { usb: [], usagePage: 0xff00, reportId: 0, reportLength: REPORT_LENGTH };
let devices = 0;

/** Reports without ids as a stream of bytes: what the transport puts in front of each is taken away again. */
const asStream = (transport: Transport): Transport => ({
  address: transport.address,
  open$: () =>
    transport
      .open$()
      .pipe(map((event) => (event.type === 'bytes' ? { ...event, bytes: event.bytes.subarray(1) } : event))),
});

testTransport(
  'HID, over a stand-in for the library',
  (script) => {
    const clock = createSystemClock();
    const path = `/dev/hidraw-stand-in-${++devices}`;
    const device = new FakeHidDevice();
    const library = fakeHidLibrary(new Map([[path, device]]));
    const open = () => asStream(createHidTransport(path, STREAM, clock, async () => library));
    const received = new ReplaySubject<Uint8Array>();
    let begun = false;
    const listening = gathered(device.heard).subscribe((all) => {
      received.next(all);
      if (all[0] !== GO[0]) return;
      if (!begun) for (const chunk of script.sends ?? []) device.say(chunk);
      begun = true;
      if (script.unplugs === true && all.length > 1) device.unplug();
    });
    return { transport: open(), rival: open(), received$: received, dispose: () => listening.unsubscribe() };
  },
  () =>
    createHidTransport('/dev/hidraw-none', STREAM, createSystemClock(), async () =>
      fakeHidLibrary(new Map()),
    ),
);

describe('a HID link', () => {
  const clock = createSystemClock();
  it('is LINK_GONE where no such device is', async () => {
    const open = (device: string) =>
      firstValueFrom(createTransport({ type: 'hid', device }, { hid: LINK }, clock).open$()).catch(codeOf);
    expect(await open('/dev/hidraw-none')).toBe('LINK_GONE');
    expect(await open('no such serial number')).toBe('LINK_GONE');
  });

  it('is LINK_UNSUPPORTED for a kind of board that has none', async () => {
    const links = [{ type: 'hid', device: 'x' } as const, { type: 'ble', device: 'x' } as const];
    for (const link of links)
      expect(await firstValueFrom(createTransport(link, {}, clock).open$()).catch(codeOf)).toBe(
        'LINK_UNSUPPORTED',
      );
  });
});

describe('claims', () => {
  it('keep a device from everybody else until they are let go', async () => {
    const mine = await claimDevice('hid:test');
    expect(await claimDevice('hid:test').catch(codeOf)).toBe('LINK_BUSY');
    const other = await claimDevice('hid:other');
    await other.release();
    await mine.release();
    await (await claimDevice('hid:test')).release();
  });
});
