import type {
  BoardIdentity,
  OfStation,
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

/**
 * What happens on the way to one board, in order; times are monotonic and never fall. On the link of a line everything that is
 * about one of its boards names its station; without one it is about the line.
 */
export type BoardUpdate =
  /** Bytes from the board as they arrived; emitted before anything they turn out to say. */
  (
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
    /** What became of a command; without a fault it was obeyed. */
    | { readonly type: 'answer'; readonly atMs: number; readonly id: number; readonly fault?: Fault }
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
      }
  ) &
    OfStation;

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
 *
 * On a line (`isLine`) every board goes up and is lost by itself, what was received is told board by board as the session
 * hands it out, and the line is up with the first of them.
 */
export function createConnection(
  session: Machine<SessionEvent, SessionOutput>,
  device: string,
  isLine = false,
): Machine<SessionEvent, ConnectionOutput> {
  let lastMs = Number.NEGATIVE_INFINITY;
  let identifyByMs: number | undefined;
  const up = new Set<string | undefined>();
  let broken = false;
  let sessionWakeAtMs: number | undefined;

  const goUp = (station: string | undefined, atMs: number, outputs: ConnectionOutput[]): void => {
    identifyByMs = undefined;
    if (up.has(station)) return;
    up.add(station);
    outputs.push(at(station, { type: 'link', atMs, link: 'up' }));
    if (isLine && station === undefined) return;
    outputs.push(at(station, { type: 'sensor', event: { type: 'link', atMs, link: 'up' } }));
  };

  const breakOff = (atMs: number, fault: Fault | undefined, outputs: ConnectionOutput[]): void => {
    broken = true;
    const code = fault?.code === 'LINK_FOREIGN' || fault?.code === 'LINK_SHARED' ? fault.code : 'LINK_SILENT';
    outputs.push({
      type: 'broken',
      atMs,
      error: new BoardError(code, { device, ...(fault && { detail: fault.message }) }),
    });
  };

  /** One board of the line is gone; the line goes on. */
  const lose = (station: string, atMs: number, fault: Fault, outputs: ConnectionOutput[]): void => {
    if (!up.delete(station)) return;
    outputs.push(at(station, { type: 'link', atMs, link: 'lost', fault }));
    outputs.push(at(station, { type: 'sensor', event: { type: 'link', atMs, link: 'lost' } }));
  };

  const take = (output: SessionOutput, atMs: number, outputs: ConnectionOutput[]): void => {
    const { station } = output;
    switch (output.type) {
      case 'write':
        outputs.push(at(station, { type: 'tx', atMs, bytes: output.bytes }));
        break;
      case 'heard':
        outputs.push(at(station, { type: 'rx', atMs, bytes: output.bytes }));
        break;
      case 'lost':
        if (station === undefined) breakOff(atMs, output.fault, outputs);
        else lose(station, atMs, output.fault, outputs);
        break;
      case 'state':
        if (output.state === 'ready') goUp(station, atMs, outputs);
        outputs.push(at(station, { type: 'session', atMs, state: output.state }));
        break;
      case 'sensor':
        goUp(station, atMs, outputs);
        outputs.push(output);
        break;
      default:
        outputs.push({ ...output, atMs });
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
      if (event.type === 'bytes' && !isLine) outputs.push({ type: 'rx', atMs, bytes: event.bytes });
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

const at = (station: string | undefined, update: BoardUpdate): BoardUpdate =>
  station === undefined ? update : { ...update, station };
