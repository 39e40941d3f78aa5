import { map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { partitionLease, shareOf, workerLease } from '../../../recorder/relay/leases.ts';
import { createMemoryWire, type MemoryWire } from '../../../recorder/relay/memory-wire.ts';
import { PARTITIONS, partitionOf } from '../../../recorder/relay/partition.ts';
import { decodeRelayMessage, decodeTaken } from '../../../recorder/relay/relay-message.ts';
import type { Wire, WireSession } from '../../../recorder/relay/wire.ts';
import type { WorkerNews } from '../../../recorder/relay/worker.ts';
import { openEntryStore } from '../../../recorder/store/store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openEdge, pgnOf, startForwarding, startHub, startWorker } from './halls.ts';

const GAMES = [
  ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Bxc6', 'dxc6', 'O-O', 'f6', 'd4', 'exd4'],
  ['d4', 'd5', 'c4', 'dxc4', 'e4', 'e5', 'Nf3', 'exd4', 'Bxc4'],
];
const PLIES = GAMES.flat().length;
const ALL = Array.from({ length: PARTITIONS }, (_, i) => String(i));
const BOARD = partitionOf('dgt-1@hall-1');

const pliesOf = (store: Parameters<typeof pgnOf>[0]): number =>
  store.games().reduce((sum, { record }) => sum + record.plies.length, 0);
const hasAll = (store: Parameters<typeof pgnOf>[0]): boolean => pliesOf(store) === PLIES;
const has =
  (count: number) =>
  (news: WorkerNews): boolean =>
    news.type === 'partitions' && news.partitions.length === count;

/** A wire whose sessions are changed on their way. */
const through = (wire: Wire, change: (session: WireSession) => Partial<WireSession>): Wire => ({
  session$: wire.session$.pipe(map((session) => ({ ...session, ...change(session) }))),
});

/** Everything that workers have written, by partition: from which message of input each piece comes, and who has taken it when. */
function writtenTo(wire: MemoryWire): string[] {
  const written: string[] = [];
  wire.session$
    .subscribe((session) => {
      session
        .messages$('derived', 0)
        .subscribe(({ subject, data }) => {
          const taken = decodeTaken(data);
          const read = decodeRelayMessage(data);
          written.push(
            taken === undefined
              ? `${subject[0]} ${read.ok ? read.value.derived?.source : '?'}`
              : `${subject[0]} ${taken.worker}`,
          );
        })
        .unsubscribe();
    })
    .unsubscribe();
  return written;
}

describe('workers of a hub', () => {
  it('derive what the edge derives, each partition by one of them', async () => {
    const folder = temporaryFolder();
    const wire = createMemoryWire();
    const edge = openEdge(folder, GAMES);
    const first = startWorker('first', wire);
    await first.until(has(PARTITIONS));
    const second = startWorker('second', wire);
    await second.until(has(PARTITIONS / 2));
    await first.until(has(PARTITIONS / 2));
    startForwarding(edge, wire, { batchRows: 2 });
    const hub = startHub(folder, wire, 60_000, 'workers');
    await hub.until(hasAll);
    expect(pgnOf(hub.store)).toEqual(pgnOf(edge));
    const pieces = writtenTo(wire).filter((line) => /^\d+ \d+$/.test(line));
    expect(pieces.length).toBeGreaterThan(4);
    expect(new Set(pieces).size).toBe(pieces.length);
  });

  it('are taken over from when they die in the middle of a game, and again', async () => {
    const folder = temporaryFolder();
    const wire = createMemoryWire();
    const edge = openEdge(folder, GAMES);
    const hub = startHub(folder, wire, 60_000, 'workers');
    startForwarding(edge, wire, { batchRows: 1 });
    // Each dies after a few messages: before, while and after what it writes is safe.
    for (const limit of [1, 2, 3, 5]) {
      let count = 0;
      let isReached = (): void => {};
      const reached = new Promise<void>((resolve) => {
        isReached = resolve;
      });
      const worker = startWorker(
        `dies-after-${limit}`,
        through(wire, (session) => ({
          append: async (...message) => {
            if (decodeTaken(message[3]) === undefined && ++count >= limit) {
              if (limit % 2 === 1) await session.append(...message);
              isReached();
              return new Promise(() => {});
            }
            return session.append(...message);
          },
        })),
      );
      await reached;
      await worker.kill();
      wire.expire([...ALL.map(partitionLease), workerLease(`dies-after-${limit}`)]);
    }
    startWorker('lives', wire);
    await hub.until(hasAll);
    expect(pgnOf(hub.store)).toEqual(pgnOf(edge));
    const pieces = writtenTo(wire).filter((line) => /^\d+ \d+$/.test(line));
    expect(new Set(pieces).size).toBe(pieces.length);
  });

  it('write nothing after they have slept while their lease went to another', async () => {
    const folder = temporaryFolder();
    const wire = createMemoryWire();
    const edge = openEdge(folder, GAMES);
    let wake = (): void => {};
    let isAsleep = (): void => {};
    const asleep = new Promise<void>((resolve) => {
      isAsleep = resolve;
    });
    const results: (number | undefined)[] = [];
    let count = 0;
    const sleeper = startWorker(
      'sleeper',
      through(wire, (session) => ({
        append: async (...message) => {
          if (decodeTaken(message[3]) !== undefined || ++count !== 3) return session.append(...message);
          isAsleep();
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          const result = await session.append(...message);
          results.push(result);
          return result;
        },
        lease: async (name, held) => (count >= 3 ? undefined : session.lease(name, held)),
      })),
    );
    startForwarding(edge, wire, { batchRows: 1 });
    await asleep;
    wire.expire([...ALL.map(partitionLease), workerLease('sleeper')]);
    const other = startWorker('other', wire);
    await other.until(has(PARTITIONS));
    const hub = startHub(folder, wire, 60_000, 'workers');
    await hub.until(hasAll);
    wake();
    await sleeper.until((news) => news.type === 'partitions' && news.partitions.length === 0);
    await sleeper.kill();
    expect(results).toEqual([undefined]);
    expect(pgnOf(hub.store)).toEqual(pgnOf(edge));
    const lines = writtenTo(wire).filter((line) => line.startsWith(`${BOARD} `));
    expect(lines.filter((line) => /[a-z]/.test(line))).toEqual([`${BOARD} sleeper`, `${BOARD} other`]);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('are not heard twice by a hub that is started again, nor by one that has derived by itself before', async () => {
    const folder = temporaryFolder();
    const wire = createMemoryWire();
    const edge = openEdge(folder, GAMES);
    startForwarding(edge, wire, { batchRows: 2 });
    const alone = startHub(folder, wire);
    await alone.until((store) => pliesOf(store) > 4);
    await alone.stop();
    startWorker('first', wire);
    const hub = startHub(folder, wire, 60_000, 'workers');
    if (!hasAll(hub.store)) await hub.until(hasAll);
    expect(pgnOf(hub.store)).toEqual(pgnOf(edge));
    await hub.stop();
    const again = startHub(folder, wire, 60_000, 'workers');
    await again.news((news) => news.type === 'relay');
    expect(pgnOf(again.store)).toEqual(pgnOf(edge));
    await again.stop();
    const later = startHub(folder, wire);
    await later.news((news) => news.type === 'relay');
    expect(pgnOf(later.store)).toEqual(pgnOf(edge));
  });

  it('know nothing of what is entered at the hub: its games are derived there from then on', async () => {
    const folder = temporaryFolder();
    const wire = createMemoryWire();
    const edge = openEdge(folder, GAMES);
    startForwarding(edge, wire);
    startWorker('first', wire);
    const hub = startHub(folder, wire, 60_000, 'workers');
    await hub.until(hasAll);
    const desk = openEntryStore(hub.store.file);
    const [game] = desk.games().slice(-1);
    const what = { type: 'result', score: '0-1', termination: 'resignation' } as const;
    desk.enter(game!.sittingId, {
      game: game!.record.game,
      atMs: 10_000_000,
      wallMs: 1,
      by: 'Arbiter',
      what,
    });
    desk.close();
    await hub.until((store) => store.games().at(-1)?.record.result === '0-1');
    expect(pliesOf(hub.store)).toBe(PLIES);
    await hub.stop();
    const again = startHub(folder, wire, 60_000, 'workers');
    await again.news((news) => news.type === 'relay');
    expect(again.store.games().at(-1)?.record.result).toBe('0-1');
  });

  it('are replaced by the reserve of the hub for as long as there is none', async () => {
    const folder = temporaryFolder();
    const wire = createMemoryWire();
    const edge = openEdge(folder, GAMES);
    const reserve = startWorker('reserve', wire, { isReserve: true });
    await reserve.until(has(PARTITIONS));
    startForwarding(edge, wire);
    const hub = startHub(folder, wire, 60_000, 'workers');
    await hub.until(hasAll);
    expect(pgnOf(hub.store)).toEqual(pgnOf(edge));
    const worker = startWorker('worker', wire);
    await worker.until(has(PARTITIONS));
    await reserve.until(has(0));
    await worker.stop();
    let wasIdle = false;
    await reserve.until((news) => {
      wasIdle ||= has(0)(news);
      return wasIdle && has(PARTITIONS)(news);
    });
  });
});

describe('the share of a worker', () => {
  it('is what all can have alike, and no partition is out of every share', () => {
    for (let workers = 1; workers <= PARTITIONS + 2; workers++) {
      const leases = Array.from({ length: workers }, (_, i) => workerLease(`w${i}`));
      const share = shareOf(leases, [], { isReserve: false, offset: 3 });
      expect(share.most * workers).toBeGreaterThanOrEqual(PARTITIONS);
      expect([...share.take].sort()).toEqual([...ALL].sort());
    }
  });

  it('leaves what another has, and gives back what is too much', () => {
    const leases = [workerLease('a'), workerLease('b'), ...ALL.map(partitionLease)];
    expect(shareOf(leases, ALL, { isReserve: false, offset: 0 })).toMatchObject({
      take: [],
      give: ALL.slice(PARTITIONS / 2),
    });
    expect(shareOf(leases, ALL, { isReserve: true, offset: 0 })).toMatchObject({ give: ALL });
  });
});
