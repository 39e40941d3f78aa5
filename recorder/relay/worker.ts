import {
  concatMap,
  defer,
  EMPTY,
  filter,
  from,
  ignoreElements,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  of,
  repeat,
  Subject,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { BoardError } from '../../core/board-error.ts';
import type { GameEvent } from '../../core/game-event.ts';
import { MachineDriver } from '../../core/machine.ts';
import { type FailedAttempt, failedAttempt } from '../attempt.ts';
import type { DeriveOutput } from '../derive.ts';
import { createSittingDerivation } from '../derive-sitting.ts';
import type { RawInput } from '../raw-input.ts';
import { encodeInputs } from '../store/packed-inputs.ts';
import { keepSession } from './keep-session.ts';
import { partitionLease, shareOf, workerLease } from './leases.ts';
import { partitionOf } from './partition.ts';
import { type Piece, readPiece } from './piece.ts';
import {
  decodeRelayMessage,
  decodeTaken,
  encodeRelayMessage,
  encodeTaken,
  NAME,
  type SittingPoint,
} from './relay-message.ts';
import { LEASE_MS, type Wire, type WireMessage, type WireSession } from './wire.ts';

export interface WorkerOptions {
  /** Names it among all workers of the event; RELAY_NAME for one that cannot be a part of a subject. */
  readonly worker: string;
  readonly wire: Wire;
  /** Works only while no worker lives. */
  readonly isReserve?: boolean;
  /** Time before a connection is tried again, ms. */
  readonly retryMs?: number;
  /** Time between two looks at the leases, ms: well below the life of one. */
  readonly everyMs?: number;
  /** Ends the work: leases are given back, then it completes. */
  readonly stop$?: Observable<unknown>;
}

/** What a worker tells. */
export type WorkerNews =
  | { readonly type: 'relay'; readonly state: 'up' }
  /** Which partitions it has now. */
  | { readonly type: 'partitions'; readonly partitions: readonly string[] }
  | FailedAttempt;

/** The machine of one sitting and where it stands. */
interface Derivation {
  readonly driver: MachineDriver<RawInput, DeriveOutput>;
  point: SittingPoint;
}

/**
 * Derives the games of the partitions it has a lease of and puts the events back into the stream, one message for each message of input. No
 * database: what a machine has to know stands in the stream. Cold; nothing but our own mistakes ends it before `stop$`.
 *
 * The chain of messages of a partition, each appended only if the one before it is still the last, is what makes it one at a time: the lease says
 * who should, the chain who can. A worker that slept through the loss of its lease finds the chain longer than it knew.
 */
export function work$(options: WorkerOptions): Observable<WorkerNews> {
  return defer(() => {
    const { worker, wire, retryMs, everyMs = LEASE_MS / 3, isReserve = false, stop$ = NEVER } = options;
    if (!NAME.test(worker)) throw new BoardError('RELAY_NAME', { name: worker });
    const offset = Number(partitionOf(worker));
    let release = (): Promise<void> => Promise.resolve();

    const session = (open: WireSession): Observable<WorkerNews> => {
      const held = new Map<string, number>();
      let alive = 0;
      const taken$ = new Subject<string>();
      const lost$ = new Subject<string>();
      const drop = (partition: string): void => {
        held.delete(partition);
        lost$.next(partition);
      };
      release = async () => {
        for (const [partition, lease] of held) await open.release(partitionLease(partition), lease);
        if (alive > 0) await open.release(workerLease(worker), alive);
      };

      /** Renews, gives back and takes; gives what is new. */
      const look = async (): Promise<string[]> => {
        if (!isReserve) alive = (await open.lease(workerLease(worker), alive)) ?? 0;
        for (const [partition, lease] of held) {
          const renewed = await open.lease(partitionLease(partition), lease);
          if (renewed === undefined) drop(partition);
          else held.set(partition, renewed);
        }
        const share = shareOf(await open.leases(), [...held.keys()], { isReserve, offset });
        for (const partition of share.give) {
          const lease = held.get(partition)!;
          // First no more is derived, then another may.
          drop(partition);
          await open.release(partitionLease(partition), lease);
        }
        const taken: string[] = [];
        for (const partition of share.take) {
          if (held.size >= share.most) break;
          const lease = await open.lease(partitionLease(partition), 0);
          if (lease === undefined) continue;
          held.set(partition, lease);
          taken.push(partition);
        }
        return taken;
      };

      let told = '';
      return merge(
        of<WorkerNews>({ type: 'relay', state: 'up' }),
        taken$.pipe(
          mergeMap((partition) =>
            derivePartition(open, worker, partition, () => held.has(partition)).pipe(
              takeUntil(lost$.pipe(filter((lost) => lost === partition))),
            ),
          ),
        ),
        defer(look).pipe(
          mergeMap((taken) => {
            const now = [...held.keys()].sort((a, b) => Number(a) - Number(b));
            const isNew = now.join() !== told;
            told = now.join();
            return merge(
              isNew ? of<WorkerNews>({ type: 'partitions', partitions: now }) : EMPTY,
              from(taken).pipe(
                tap((partition) => taken$.next(partition)),
                ignoreElements(),
              ),
            );
          }),
          repeat({ delay: () => timer(everyMs) }),
        ),
      );
    };
    // Who gives a lease back is not waited for: the next worker has it at once.
    return keepSession(wire, session, retryMs).pipe(
      takeUntil(stop$.pipe(concatMap(() => release().catch(() => {})))),
    );
  });
}

/**
 * Derives one partition from where the last worker has left it, for as long as it is subscribed to. When somebody else appends something, it
 * looks again where the partition stands, if that is still ours.
 */
function derivePartition(
  session: WireSession,
  worker: string,
  partition: string,
  isOurs: () => boolean,
): Observable<WorkerNews> {
  return defer(() => takeOver(session, worker, partition)).pipe(
    concatMap((begun) => {
      if (begun === undefined) return EMPTY;
      const { source } = begun;
      let { last } = begun;
      const sittings = createSittings();
      const outrun$ = new Subject<void>();
      const derive = async (message: WireMessage): Promise<WorkerNews[]> => {
        const derived = sittings.derive(message);
        if (derived instanceof BoardError) return [failedAttempt(derived, true)];
        const appended = await session.append('derived', [partition], last, derived);
        if (appended === undefined) outrun$.next();
        else last = appended;
        return [];
      };
      return session.messages$('inputs', 0, partition).pipe(
        concatMap((message) => {
          if (message.sequence > source) return from(derive(message)).pipe(concatMap((news) => news));
          // Derived by somebody before; needed only if more of the same board comes.
          sittings.remember(message);
          return EMPTY;
        }),
        takeUntil(outrun$),
      );
    }),
    repeat({ delay: () => (isOurs() ? timer(AGAIN_MS) : EMPTY) }),
  );
}

/** Time before a worker that was outrun looks where the partition stands, ms. */
const AGAIN_MS = 100;

/** Puts our name behind what the last worker has written; from there on it can write nothing. Undefined when another was faster. */
async function takeOver(
  session: WireSession,
  worker: string,
  partition: string,
): Promise<{ readonly source: number; readonly last: number } | undefined> {
  const before = await session.last('derived', [partition]);
  const source = before === undefined ? 0 : sourceOf(before.data);
  const last = await session.append(
    'derived',
    [partition],
    before?.sequence ?? 0,
    encodeTaken({ worker, source }),
  );
  return last === undefined ? undefined : { source, last };
}

/** Up to which message of input somebody has derived who has written this. */
function sourceOf(data: Uint8Array): number {
  const taken = decodeTaken(data);
  if (taken !== undefined) return taken.source;
  const read = decodeRelayMessage(data);
  return read.ok ? (read.value.derived?.source ?? 0) : 0;
}

/** The sittings of one partition: machines of those that go on, messages of those that may. */
function createSittings() {
  /** By board: what was derived before, in order. */
  const past = new Map<string, Uint8Array[]>();
  const derivations = new Map<string, Derivation>();

  const begin = ({ arrived, definition }: Piece): Derivation => ({
    driver: new MachineDriver(createSittingDerivation(arrived.options, { definition })),
    point: { position: 0, seenToMs: 0 },
  });

  /** Takes a message; gives the point before, the rows that were new and what came of them. */
  const take = (piece: Piece) => {
    const { origin, rows, seenToMs } = piece.arrived;
    const derivation = derivations.get(origin) ?? begin(piece);
    derivations.set(origin, derivation);
    const { driver, point } = derivation;
    const missing = rows.filter(({ id }) => id > point.position);
    const events: GameEvent[] = [];
    const hear = (outputs: readonly DeriveOutput[]): void => {
      for (const output of outputs) if (output.type === 'event') events.push(output.event);
    };
    if (missing.length > 0 || seenToMs > point.seenToMs) {
      for (const { inputs } of missing) for (const input of inputs) hear(driver.feed(input));
      hear(driver.advance(seenToMs));
    }
    derivation.point = {
      position: missing.at(-1)?.id ?? point.position,
      seenToMs: Math.max(point.seenToMs, seenToMs),
    };
    return { from: point, missing, events };
  };

  return {
    remember({ subject, data }: WireMessage): void {
      const key = subject.join('.');
      const before = past.get(key);
      if (before === undefined) past.set(key, [data]);
      else before.push(data);
    },

    /** What is to be written for a message, or why nothing can be. */
    derive({ sequence, subject, data }: WireMessage): Uint8Array | BoardError {
      const key = subject.join('.');
      for (const earlier of past.get(key) ?? []) {
        const read = readPiece(earlier);
        if (read.ok) take(read.value);
      }
      past.delete(key);
      const read = readPiece(data);
      if (!read.ok) return new BoardError('RELAY_MESSAGE', { detail: read.fault.message });
      const { from, missing, events } = take(read.value);
      return encodeRelayMessage({
        ...read.value.arrived,
        rows: missing.map(({ id, atMs, wallMs, inputs }) => ({
          id,
          atMs,
          wallMs,
          data: encodeInputs(inputs, atMs),
        })),
        derived: { source: sequence, from, events },
      });
    },
  };
}
