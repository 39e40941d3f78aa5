import type { Observable } from 'rxjs';
import type { SerialOptions } from '../boards/definition.ts';
import type { LinkAddress } from './address.ts';

/** What an open link says. Bytes come in any chunking. */
export type LinkEvent =
  /** The link is open; from here on bytes may be written. Always the first event, and only once. */
  | {
      readonly type: 'opened';
      readonly atMs: number;
      /**
       * Hands bytes to the link, in the order of the calls; resolves when the system has taken them. Rejects with a
       * `BoardError` when the link is gone, never throws.
       */
      write(bytes: Uint8Array): Promise<void>;
    }
  /** Bytes from the board; `atMs` is the monotonic time of their arrival. */
  | { readonly type: 'bytes'; readonly atMs: number; readonly bytes: Uint8Array };

/**
 * A way to a board. `open$` is cold: subscribing opens the link, unsubscribing closes it; opening again waits for the
 * close before it. The stream ends with a `BoardError` that says why the link could not be opened or was lost, and
 * completes only when nothing will ever come again (the end of a replay). Opened twice at once, the second is LINK_BUSY
 * where the link is exclusive.
 */
export interface Transport {
  readonly address: LinkAddress;
  open$(): Observable<LinkEvent>;
}

/** Line settings where a kind of board states none. */
export const DEFAULT_SERIAL: SerialOptions = { baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 1 };

/**
 * The far end of a link, held by a simulated board: a pseudo-terminal's master side, one end of a pair in memory, a
 * listening socket.
 */
export interface DeviceEnd {
  /** Where the host finds this end. */
  readonly address: LinkAddress;
  /** Bytes the host has written; completes when this end closes. One subscriber. */
  readonly bytes$: Observable<Uint8Array>;
  /** Sends bytes to the host. What nobody takes is dropped, as on a cable without a reader. */
  write(bytes: Uint8Array): void;
  /** Pulls the cable; resolves when the host can have noticed. */
  close(): Promise<void>;
}
