import type { Observable } from 'rxjs';

/** What goes over the wire: input towards the hub, entries towards the edge that records the game. */
export type Channel = 'inputs' | 'entries';

/** A message of a channel, as it stands in the stream. */
export interface WireMessage {
  /** Place in the stream: rises, not by one. */
  readonly sequence: number;
  readonly data: Uint8Array;
}

/** An open connection to the stream of an event; gone for good when `lost$` errors. */
export interface WireSession {
  /** Names the stream and its life: one that was emptied or made anew has another name. */
  readonly stream: string;
  /**
   * Puts a message at the end of the stream; resolves when it is safe there. `id`: a message of the same id that came
   * shortly before is not stored twice. `subject`: an edge and a board, or an edge. Rejects with RELAY_AWAY.
   */
  publish(channel: Channel, subject: readonly string[], id: string, data: Uint8Array): Promise<void>;
  /**
   * All messages of a channel after a sequence number, then those to come, in order; for `entries` those of one edge.
   * Cold; errors with RELAY_AWAY.
   */
  messages$(channel: Channel, after: number, edge?: string): Observable<WireMessage>;
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
