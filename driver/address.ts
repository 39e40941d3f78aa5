import { BoardError } from '../core/board-error.ts';
import { type Fault, ok, type Result } from '../core/result.ts';

/** Where a board is reached. `memory` and `replay` never come from text. */
export type LinkAddress =
  /** A serial port by its name: "/dev/ttyUSB0", "COM10", "/dev/serial/by-id/...". */
  | { readonly type: 'serial'; readonly path: string }
  | { readonly type: 'tcp'; readonly host: string; readonly port: number }
  /** A HID device by its system's path ("/dev/hidraw3") or by the serial number it gives. */
  | { readonly type: 'hid'; readonly device: string }
  /** A Bluetooth Low Energy board by its address ("c0:ff:ee:00:12:34"), the system's id for it, or the name it gives itself. */
  | { readonly type: 'ble'; readonly device: string }
  | { readonly type: 'memory' | 'replay'; readonly name: string };

/** A link and, when it was said, the kind of board behind it ("dgt"). */
export interface BoardAddress {
  readonly kind: string | undefined;
  readonly link: LinkAddress;
}

const bad = (address: string, detail: string): Result<never, Fault> => ({
  ok: false,
  fault: new BoardError('LINK_ADDRESS', { address, detail }).toFault(),
});

/**
 * Reads "serial:/dev/ttyUSB0", "tcp://host:port" (IPv6 in brackets), "hid:PATH-or-serial-number" or
 * "ble:ADDRESS-or-name", optionally after the kind of board and "=":
 * "dgt=serial:COM10". Fails with LINK_ADDRESS; whether the kind exists is not asked here.
 */
export function parseBoardAddress(text: string): Result<BoardAddress> {
  const match = /^(?:([a-z][a-z0-9-]*)=)?(serial:|hid:|ble:|tcp:\/\/)(.*)$/s.exec(text.trim());
  if (match === null)
    return bad(
      text,
      'expected [KIND=]serial:PATH, hid:PATH-or-serial-number, ble:ADDRESS-or-name or tcp://HOST:PORT',
    );
  const [, kind, scheme, rest = ''] = match;
  if (scheme === 'serial:') {
    if (rest === '' || /\s|\0/.test(rest)) return bad(text, 'the name of the port is missing or has blanks');
    return ok({ kind, link: { type: 'serial', path: rest } });
  }
  if (scheme === 'hid:' || scheme === 'ble:') {
    // Names of Bluetooth boards have blanks in them ("Chessnut Air"), at most not at their ends.
    if (rest.trim() === '' || /[\x00-\x1f\x7f]/.test(rest))
      return bad(text, 'the name of the device is missing');
    return scheme === 'hid:'
      ? ok({ kind, link: { type: 'hid', device: rest } })
      : ok({ kind, link: { type: 'ble', device: isBluetoothAddress(rest) ? rest.toLowerCase() : rest } });
  }
  const place = /^(?:\[([0-9A-Fa-f:.%a-z]+)\]|([^\s:/?#[\]@]+)):(\d{1,5})\/?$/.exec(rest);
  if (place === null) return bad(text, 'expected tcp://HOST:PORT');
  const port = Number(place[3]);
  if (port < 1 || port > 65535) return bad(text, 'a TCP port is a number from 1 to 65535');
  return ok({ kind, link: { type: 'tcp', host: (place[1] ?? place[2])!, port } });
}

/** Whether a text is a Bluetooth address, and not a name. */
export const isBluetoothAddress = (text: string): boolean => /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(text);

/** Writes a link as `parseBoardAddress` reads it: "serial:/dev/ttyUSB0", "tcp://[::1]:4001". */
export function makeLinkAddress(link: LinkAddress): string {
  switch (link.type) {
    case 'serial':
      return `serial:${link.path}`;
    case 'hid':
    case 'ble':
      return `${link.type}:${link.device}`;
    case 'tcp':
      return `tcp://${link.host.includes(':') ? `[${link.host}]` : link.host}:${link.port}`;
    case 'memory':
    case 'replay':
      return `${link.type}:${link.name}`;
  }
}

/** Writes a link with the kind of board in front, when it is known. */
export const makeBoardAddress = ({ kind, link }: BoardAddress): string =>
  kind === undefined ? makeLinkAddress(link) : `${kind}=${makeLinkAddress(link)}`;
