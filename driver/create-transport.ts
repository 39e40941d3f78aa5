import { throwError } from 'rxjs';
import type { BoardDefinition } from '../boards/definition.ts';
import { BoardError } from '../core/board-error.ts';
import { type LinkAddress, makeLinkAddress } from './address.ts';
import type { Clock } from './clock.ts';
import { DEFAULT_SERIAL, type Transport } from './transport.ts';
import { createBleTransport } from './transports/ble.ts';
import { createHidTransport } from './transports/hid.ts';
import { createSerialTransport } from './transports/serial.ts';
import { createTcpTransport } from './transports/tcp.ts';

/** What a kind of board says of the links it is reached over. */
export type BoardLinks = Pick<BoardDefinition, 'serial' | 'hid' | 'bluetooth'>;

/**
 * Creates the transport to an address a person or the discovery has given, by what the kind of board behind it says of
 * its links. Nothing is opened. A link of a sort that this kind of board does not have ends with LINK_UNSUPPORTED when
 * it is opened. Links in memory and replays are made by whoever holds their other side, and asking for one here is a
 * mistake.
 */
export function createTransport(link: LinkAddress, board: BoardLinks, clock: Clock): Transport {
  switch (link.type) {
    case 'serial':
      return createSerialTransport(link.path, board.serial ?? DEFAULT_SERIAL, clock);
    case 'tcp':
      return createTcpTransport(link.host, link.port, clock);
    case 'hid':
      return board.hid === undefined ? without(link) : createHidTransport(link.device, board.hid, clock);
    case 'ble': {
      const lowEnergy = board.bluetooth?.lowEnergy;
      return lowEnergy === undefined ? without(link) : createBleTransport(link.device, lowEnergy, clock);
    }
    default:
      throw new TypeError(`a ${link.type} link cannot be opened by its address`);
  }
}

const without = (address: LinkAddress): Transport => ({
  address,
  open$: () =>
    throwError(
      () =>
        new BoardError('LINK_UNSUPPORTED', {
          device: makeLinkAddress(address),
          detail: 'this kind of board has no such link',
        }),
    ),
});
