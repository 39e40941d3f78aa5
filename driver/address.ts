import { BoardError } from '../core/board-error.ts';
import { type Fault, ok, type Result } from '../core/result.ts';

/** Where a board is reached. `memory` and `replay` never come from text. */
export type LinkAddress =
  /** A serial port by its name: "/dev/ttyUSB0", "COM10", "/dev/serial/by-id/...". */
  | { readonly type: 'serial'; readonly path: string }
  | { readonly type: 'tcp'; readonly host: string; readonly port: number }
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
 * Reads "serial:/dev/ttyUSB0" or "tcp://host:port" (IPv6 in brackets), optionally after the kind of board and "=":
 * "dgt=serial:COM10". Fails with LINK_ADDRESS; whether the kind exists is not asked here.
 */
export function parseBoardAddress(text: string): Result<BoardAddress> {
  const match = /^(?:([a-z][a-z0-9-]*)=)?(serial:|tcp:\/\/)(.*)$/s.exec(text.trim());
  if (match === null) return bad(text, 'expected [KIND=]serial:PATH or [KIND=]tcp://HOST:PORT');
  const [, kind, scheme, rest = ''] = match;
  if (scheme === 'serial:') {
    if (rest === '' || /\s|\0/.test(rest)) return bad(text, 'the name of the port is missing or has blanks');
    return ok({ kind, link: { type: 'serial', path: rest } });
  }
  const place = /^(?:\[([0-9A-Fa-f:.%a-z]+)\]|([^\s:/?#[\]@]+)):(\d{1,5})\/?$/.exec(rest);
  if (place === null) return bad(text, 'expected tcp://HOST:PORT');
  const port = Number(place[3]);
  if (port < 1 || port > 65535) return bad(text, 'a TCP port is a number from 1 to 65535');
  return ok({ kind, link: { type: 'tcp', host: (place[1] ?? place[2])!, port } });
}

/** Writes a link as `parseBoardAddress` reads it: "serial:/dev/ttyUSB0", "tcp://[::1]:4001". */
export function makeLinkAddress(link: LinkAddress): string {
  switch (link.type) {
    case 'serial':
      return `serial:${link.path}`;
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
