import type {
  BoardIdentity,
  Decoded,
  SessionEvent,
  SessionOutput,
  SessionState,
} from '../boards/definition.ts';
import { BoardError } from '../core/board-error.ts';
import type { Machine, Step, Tick } from '../core/machine.ts';
import type { Fault } from '../core/result.ts';
import type { SensorEvent } from '../core/sensor-event.ts';

export const LINK_STATES = ['connecting', 'up', 'lost', 'retrying'] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** What happens on the way to one board, in order; times are monotonic and never fall. */
export type BoardUpdate =
  /** Bytes from the board as they arrived; emitted before anything they turn out to say. */
  | { readonly type: 'rx'; readonly atMs: number; readonly bytes: Uint8Array }
  /** Bytes handed to the link. */
  | { readonly type: 'tx'; readonly atMs: number; readonly bytes: Uint8Array }
  | { readonly type: 'sensor'; readonly event: SensorEvent }
  | { readonly type: 'identity'; readonly atMs: number; readonly identity: BoardIdentity }
  | {
      readonly type: 'message';
      readonly atMs: number;
      readonly name: string;
      readonly payload: Uint8Array;
    }
  | { readonly type: 'discarded'; readonly atMs: number; readonly bytes: Uint8Array; readonly fault: Fault }
  | { readonly type: 'session'; readonly atMs: number; readonly state: SessionState }
  /**
   * `connecting`: an attempt begins. `up`: the board has spoken; a sensor event of the same name follows. `lost`: a
   * link that was up is gone, likewise. `retrying`: the next attempt begins in `inMs`; `fault` says why the last failed.
   */
  | {
      readonly type: 'link';
      readonly atMs: number;
      readonly link: LinkState;
      readonly inMs?: number;
      readonly fault?: Fault;
    };

/** The time of an update. */
export const timeOf = (update: BoardUpdate): number =>
  update.type === 'sensor' ? update.event.atMs : update.atMs;

/** What a connection does: updates (a `tx` is to be written), or the end of it. */
export type ConnectionOutput =
  | BoardUpdate
  | { readonly type: 'broken'; readonly atMs: number; readonly error: BoardError };

/** The longest time from an open link to the first thing that only this kind of board says, whatever its session thinks. */
export const IDENTIFY_MS = 20_000;

/**
 * One connection, from the opened link to its end: runs the session of a board over it and tells everything that
 * happens in the order in which it happened. Ends with `broken` when the session gives the board up, or when nothing
 * was understood within `IDENTIFY_MS`. Afterwards it is deaf.
 */
export function createConnection(
  session: Machine<SessionEvent, SessionOutput>,
  device: string,
): Machine<SessionEvent, ConnectionOutput> {
  let lastMs = Number.NEGATIVE_INFINITY;
  let identifyByMs: number | undefined;
  let up = false;
  let broken = false;
  let sessionWakeAtMs: number | undefined;

  const goUp = (atMs: number, outputs: ConnectionOutput[]): void => {
    if (up) return;
    up = true;
    identifyByMs = undefined;
    outputs.push({ type: 'link', atMs, link: 'up' });
    outputs.push({ type: 'sensor', event: { type: 'link', atMs, link: 'up' } });
  };

  const breakOff = (atMs: number, fault: Fault | undefined, outputs: ConnectionOutput[]): void => {
    broken = true;
    const code = fault?.code === 'LINK_FOREIGN' ? 'LINK_FOREIGN' : 'LINK_SILENT';
    outputs.push({
      type: 'broken',
      atMs,
      error: new BoardError(code, { device, ...(fault && { detail: fault.message }) }),
    });
  };

  const take = (output: SessionOutput, atMs: number, outputs: ConnectionOutput[]): void => {
    switch (output.type) {
      case 'write':
        outputs.push({ type: 'tx', atMs, bytes: output.bytes });
        break;
      case 'lost':
        breakOff(atMs, output.fault, outputs);
        break;
      case 'state':
        if (output.state === 'ready') goUp(atMs, outputs);
        outputs.push({ type: 'session', atMs, state: output.state });
        break;
      case 'sensor':
        goUp(atMs, outputs);
        outputs.push(output);
        break;
      default:
        outputs.push(stamp(output, atMs));
    }
  };

  return {
    step(event: SessionEvent | Tick): Step<ConnectionOutput> {
      const outputs: ConnectionOutput[] = [];
      if (broken) return { outputs };
      // A link whose clock falls back must not take the whole recording with it.
      const atMs = Math.max(event.atMs, lastMs);
      lastMs = atMs;
      if (event.type === 'opened') identifyByMs = atMs + IDENTIFY_MS;
      if (event.type === 'bytes') outputs.push({ type: 'rx', atMs, bytes: event.bytes });
      if (event.type !== 'tick' || (sessionWakeAtMs !== undefined && sessionWakeAtMs <= atMs)) {
        const step = session.step(event.atMs === atMs ? event : { ...event, atMs });
        sessionWakeAtMs = step.wakeAtMs;
        for (const output of step.outputs) {
          take(output, atMs, outputs);
          if (broken) return { outputs };
        }
      }
      if (identifyByMs !== undefined && identifyByMs <= atMs) {
        breakOff(atMs, undefined, outputs);
        return { outputs };
      }
      const wakeAtMs = Math.min(sessionWakeAtMs ?? Infinity, identifyByMs ?? Infinity);
      return wakeAtMs === Infinity ? { outputs } : { outputs, wakeAtMs };
    },
  };
}

const stamp = (output: Exclude<Decoded, { type: 'sensor' }>, atMs: number): BoardUpdate => ({
  ...output,
  atMs,
});
