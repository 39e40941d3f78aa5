import { performance } from 'node:perf_hooks';
import type { Finding, FuzzTarget } from './fuzz-target.ts';
import { createChance, mutate } from './mutate.ts';

/** Whoever needs longer than this for an input of at most 64 kB can be held up by it, ms: a hundred times what any valid one takes. */
const SLOW_MS = 5000;

/** Gives a target one input, known by its seed. */
export async function tryOnce(target: FuzzTarget, seed: number): Promise<Finding | undefined> {
  const chance = createChance(seed);
  const makes = target.generate !== undefined && chance.below(3) === 0;
  const input = makes ? target.generate!(chance) : mutate(target.seeds, chance);
  const beganMs = performance.now();
  try {
    await target.feed(input, chance);
  } catch (error) {
    return { target: target.name, seed, input, error };
  }
  const tookMs = performance.now() - beganMs;
  if (tookMs < SLOW_MS) return undefined;
  return { target: target.name, seed, input, error: new Error(`took ${Math.round(tookMs)} ms`) };
}

/** Gives a target inputs with rising seeds until `isOver`; ends with the first finding. */
export async function runTarget(
  target: FuzzTarget,
  fromSeed: number,
  isOver: (runs: number) => boolean,
): Promise<{ readonly runs: number; readonly finding: Finding | undefined }> {
  let runs = 0;
  for (; !isOver(runs); runs++) {
    const finding = await tryOnce(target, fromSeed + runs);
    if (finding !== undefined) return { runs: runs + 1, finding };
  }
  return { runs, finding: undefined };
}
