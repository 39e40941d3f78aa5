import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BOARDS } from '../../boards/registry.ts';
import { makeUdevRules } from '../../driver/udev-rules.ts';

describe('the udev rules', () => {
  it('that are shipped are those of the boards that exist', () => {
    expect(readFileSync('driver/udev/70-jadoube.rules', 'utf8')).toBe(makeUdevRules(BOARDS));
  });

  it('name every maker of HID boards once, and no bridge chip', () => {
    const vendors = [...makeUdevRules(BOARDS).matchAll(/^KERNEL=="hidraw\*".*idVendor}=="([0-9a-f]{4})"/gm)];
    expect(vendors.map((match) => match[1])).toEqual([
      ...new Set(BOARDS.flatMap(({ hid }) => hid?.usb.map(({ vendorId }) => vendorId) ?? [])),
    ]);
  });
});
