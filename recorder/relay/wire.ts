import type { Observable } from 'rxjs';

/** How long a lease lasts that nobody renews, ms. */
export const LEASE_MS = 6000;

/**
 * What goes over the wire: input towards the hub, entries towards the edge that records the game, and input with the events that
 * workers have derived from it.
 */
export type Channel = 'inputs' | 'entries' | 'derived';

/** A message of a channel, as it stands in the stream. */
export interface WireMessage {
  /** Place in the stream: rises, not by one. */
  readonly sequence: number;
  /** Parts of its subject after the channel. */
  readonly subject: readonly string[];
  readonly data: Uint8Array;
}

/** An open connection to the stream of an event; gone for good when `lost$` errors. */
export interface WireSession {
  /** Names the stream and its life: one that was emptied or made anew has another name. */
  readonly stream: string;
  /**
   * Puts a message at the end of the stream; resolves when it is safe there. `id`: a message of the same id that came
   * shortly before is not stored twice. `subject`: a partition, an edge and a board; or an edge. Rejects with RELAY_AWAY.
   */
  publish(channel: Channel, subject: readonly string[], id: string, data: Uint8Array): Promise<void>;
  /**
   * All messages of a channel after a sequence number, then those to come, in order; `first`: those whose subject begins with it.
   * Cold; errors with RELAY_AWAY.
   */
  messages$(channel: Channel, after: number, first?: string): Observable<WireMessage>;
  /** The last message under a subject, and its place; undefined when there is none. Rejects with RELAY_AWAY. */
  last(channel: Channel, subject: readonly string[]): Promise<WireMessage | undefined>;
  /**
   * Puts a message at the end of the stream if `after` is still the place of the last one under its subject (0: none is there); gives its
   * place, undefined when another was faster. Rejects with RELAY_AWAY, and then it may be there or not.
   */
  append(
    channel: Channel,
    subject: readonly string[],
    after: number,
    data: Uint8Array,
  ): Promise<number | undefined>;
  /**
   * Takes a lease (`held` 0) or renews it; gives what to renew it with, undefined when it is not ours. Who does not renew it within
   * `LEASE_MS` has lost it. Rejects with RELAY_AWAY.
   */
  lease(name: string, held: number): Promise<number | undefined>;
  /** Gives a lease back. */
  release(name: string, held: number): Promise<void>;
  /** Names of the leases that somebody has. */
  leases(): Promise<readonly string[]>;
  /** Tells everybody who listens at present; nothing is kept. */
  beat(edge: string, data: Uint8Array): void;
  readonly beats$: Observable<{ readonly edge: string; readonly data: Uint8Array }>;
  /** Never emits; errors with RELAY_AWAY when the connection or the stream is gone. */
  readonly lost$: Observable<never>;
}

/**
 * A durable, ordered log between edges and hubs. Subscribing connects, unsubscribing disconnects; one session, then RELAY_AWAY when it
 * is lost. Connecting again is up to the subscriber.
 */
export interface Wire {
  readonly session$: Observable<WireSession>;
}
