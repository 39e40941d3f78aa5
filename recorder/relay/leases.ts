/** Which partitions a worker should have, so that all are had by exactly one and none by two. */
import { PARTITIONS } from './partition.ts';

const WORKER = 'worker-';
const PARTITION = 'partition-';

/** Names of the lease of a worker, which says that it lives, and of a partition. */
export const workerLease = (worker: string): string => `${WORKER}${worker}`;
export const partitionLease = (partition: string): string => `${PARTITION}${partition}`;

/** What a worker is to give back and to take. */
export interface Share {
  readonly give: readonly string[];
  /** To be tried in this order until it has enough. */
  readonly take: readonly string[];
  /** How many it may have. */
  readonly most: number;
}

/**
 * The fair share of a worker, by the leases that are out. A reserve takes everything that nobody has while no worker lives, and
 * nothing else. `offset`: where the worker begins to look, so that not all ask for the same.
 */
export function shareOf(
  leases: readonly string[],
  mine: readonly string[],
  { isReserve, offset }: { readonly isReserve: boolean; readonly offset: number },
): Share {
  const workers = leases.filter((name) => name.startsWith(WORKER)).length;
  const most = isReserve ? (workers === 0 ? PARTITIONS : 0) : Math.ceil(PARTITIONS / Math.max(1, workers));
  const out = new Set(leases);
  const all = Array.from({ length: PARTITIONS }, (_, i) => String((i + offset) % PARTITIONS));
  return {
    give: mine.slice(most),
    take: all.filter((partition) => !out.has(partitionLease(partition)) && !mine.includes(partition)),
    most,
  };
}
