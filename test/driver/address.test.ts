import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BoardAddress, makeBoardAddress, parseBoardAddress } from '../../driver/address.ts';

const codeOf = (text: string): string | undefined => {
  const result = parseBoardAddress(text);
  return result.ok ? undefined : result.fault.code;
};

describe('parseBoardAddress', () => {
  it.each<[string, BoardAddress]>([
    ['dgt=serial:/dev/ttyUSB0', { kind: 'dgt', link: { type: 'serial', path: '/dev/ttyUSB0' } }],
    ['serial:COM10', { kind: undefined, link: { type: 'serial', path: 'COM10' } }],
    [
      'dgt=serial:/dev/serial/by-id/usb-FTDI_A=B-if00',
      { kind: 'dgt', link: { type: 'serial', path: '/dev/serial/by-id/usb-FTDI_A=B-if00' } },
    ],
    [
      'dgt=tcp://table-3.local:4001',
      { kind: 'dgt', link: { type: 'tcp', host: 'table-3.local', port: 4001 } },
    ],
    [
      'tcp://192.168.1.20:4001/',
      { kind: undefined, link: { type: 'tcp', host: '192.168.1.20', port: 4001 } },
    ],
    ['  dgt=tcp://[fe80::1%eth0]:7 ', { kind: 'dgt', link: { type: 'tcp', host: 'fe80::1%eth0', port: 7 } }],
    ['chessnut=hid:/dev/hidraw3', { kind: 'chessnut', link: { type: 'hid', device: '/dev/hidraw3' } }],
    ['hid:CN 0017', { kind: undefined, link: { type: 'hid', device: 'CN 0017' } }],
    // Addresses are written either way, and are one.
    ['ble:C0:FF:EE:00:12:34', { kind: undefined, link: { type: 'ble', device: 'c0:ff:ee:00:12:34' } }],
    ['chessnut=ble:Chessnut Air', { kind: 'chessnut', link: { type: 'ble', device: 'Chessnut Air' } }],
  ])('reads %s', (text, address) => {
    expect(parseBoardAddress(text)).toEqual({ ok: true, value: address });
  });

  it.each([
    '',
    'dgt',
    'dgt=',
    '/dev/ttyUSB0',
    'dgt=/dev/ttyUSB0',
    'serial:',
    'serial:/dev/tty USB0',
    'dgt=usb:1',
    'DGT=serial:/dev/ttyUSB0',
    '=serial:/dev/ttyUSB0',
    'tcp://host',
    'tcp://:4001',
    'tcp://host:0',
    'tcp://host:65536',
    'tcp://host:4001/path',
    'tcp://user@host:4001',
    'tcp://fe80::1:4001',
    'tcp:host:4001',
    'hid:',
    'ble: ',
    'ble:Chessnut\u0007',
    'memory:demo',
  ])('refuses "%s" with LINK_ADDRESS', (text) => {
    expect(codeOf(text)).toBe('LINK_ADDRESS');
  });

  it('refuses anything else with a code and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const result = parseBoardAddress(text);
        return result.ok || result.fault.code === 'LINK_ADDRESS';
      }),
    );
  });

  it('reads what makeBoardAddress writes', () => {
    const serial = fc
      .string({ minLength: 1 })
      .filter((path) => !/[\s\0]/.test(path))
      .map((path) => ({ type: 'serial', path }) as const);
    const tcp = fc
      .tuple(fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6()), fc.integer({ min: 1, max: 65535 }))
      .map(([host, port]) => ({ type: 'tcp', host, port }) as const);
    const kind = fc.option(fc.constantFrom('dgt', 'a-1'), { nil: undefined });
    fc.assert(
      fc.property(kind, fc.oneof(serial, tcp), (k, link) => {
        const address: BoardAddress = { kind: k, link };
        expect(parseBoardAddress(makeBoardAddress(address))).toEqual({ ok: true, value: address });
      }),
    );
  });
});
