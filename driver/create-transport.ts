import type { SerialOptions } from '../boards/definition.ts';
import type { LinkAddress } from './address.ts';
import type { Clock } from './clock.ts';
import { DEFAULT_SERIAL, type Transport } from './transport.ts';
import { createSerialTransport } from './transports/serial.ts';
import { createTcpTransport } from './transports/tcp.ts';

/**
 * Creates the transport to an address a person or the discovery has given, with the line settings of the kind of
 * board behind it. Nothing is opened. Links in memory and replays are made by whoever holds their other side, and
 * asking for one here is a mistake.
 */
export function createTransport(
  link: LinkAddress,
  serial: SerialOptions | undefined,
  clock: Clock,
): Transport {
  switch (link.type) {
    case 'serial':
      return createSerialTransport(link.path, serial ?? DEFAULT_SERIAL, clock);
    case 'tcp':
      return createTcpTransport(link.host, link.port, clock);
    default:
      throw new TypeError(`a ${link.type} link cannot be opened by its address`);
  }
}
