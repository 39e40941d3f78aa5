import type { BoardDefinition } from '../boards/definition.ts';
import type { BoardError } from '../core/board-error.ts';
import { type BackoffOptions, backoffMs, RECONNECT_BACKOFF } from './backoff.ts';
import type { BoardUpdate } from './connection.ts';

/** What follows a failed attempt: what is to be told, and the wait before the next one; no wait: it will never heal. */
export interface Failure {
  readonly updates: readonly BoardUpdate[];
  readonly inMs?: number;
}

/**
 * Remembers across the connections to one port what must outlive each of them: whether the link was up, how often it
 * failed since the board last answered, and which kind of board it turned out to be. Kinds are tried in turn until
 * one answers; from then on the port is a board's, and is tried again soon. Pure: knows no clock.
 */
export class Attempts {
  readonly #kinds: readonly BoardDefinition[];
  readonly #backoff: BackoffOptions;
  #turn = 0;
  #known: BoardDefinition | undefined;
  #failures = 0;
  /** Boards of the link that are up; undefined: the link itself, or its only board. */
  readonly #up = new Set<string | undefined>();

  constructor(kinds: readonly BoardDefinition[], backoff: BackoffOptions) {
    this.#kinds = kinds;
    this.#backoff = backoff;
  }

  /** The kind of board the next connection is for. */
  kind(): BoardDefinition {
    return this.#known ?? this.#kinds[this.#turn % this.#kinds.length]!;
  }

  /** Takes note of what a connection says. */
  saw(update: BoardUpdate): void {
    if (update.type === 'link' && update.link === 'up') this.#up.add(update.station);
    if (update.type === 'link' && update.link === 'lost') this.#up.delete(update.station);
    if (update.type === 'session' && update.state === 'ready') {
      this.#known = this.kind();
      this.#failures = 0;
    }
  }

  /** Takes note of the end of a connection. */
  failed(error: BoardError, atMs: number): Failure {
    const fault = error.toFault();
    const updates: BoardUpdate[] = [];
    for (const up of this.#up) {
      const of = up === undefined ? {} : { station: up };
      updates.push({ type: 'link', atMs, link: 'lost', fault, ...of });
      updates.push({ type: 'sensor', event: { type: 'link', atMs, link: 'lost' }, ...of });
    }
    this.#up.clear();
    if (error.code === 'LINK_UNSUPPORTED') return { updates };
    // A port that answers as another kind, or not at all, is asked as the next kind at once; then all wait.
    let inMs = 0;
    const asked = ['LINK_SILENT', 'LINK_FOREIGN', 'LINK_SHARED'].includes(error.code);
    if (asked && this.#known === undefined) this.#turn += 1;
    if (!asked || this.#known !== undefined || this.#turn % this.#kinds.length === 0) {
      this.#failures += 1;
      inMs = backoffMs(this.#failures, this.#known === undefined ? this.#backoff : RECONNECT_BACKOFF);
    }
    updates.push({ type: 'link', atMs, link: 'retrying', inMs, fault });
    return { updates, inMs };
  }
}
