/**
 * Chance as state: the same seed gives the same people, whatever machine they play on.
 */
export interface Random {
  /** The whole state of the generator, an unsigned 32-bit number; may be stored and put back. */
  state: number;
}

/** Begins a sequence of chance; every seed gives its own. */
export const createRandom = (seed: number): Random => ({ state: (seed ^ 0x9e3779b9) >>> 0 });

/** The next number of a sequence, at least 0 and below 1 (mulberry32). */
export function nextRandom(random: Random): number {
  random.state = (random.state + 0x6d2b79f5) >>> 0;
  let t = random.state;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

/** Whether something of this probability happens now; always consumes one number. */
export const isChance = (random: Random, probability: number): boolean => nextRandom(random) < probability;

/** A whole number from `low` to `high`, both possible. */
export const between = (random: Random, low: number, high: number): number =>
  low + Math.floor(nextRandom(random) * (high - low + 1));

/** One of the choices; undefined when there are none. */
export const pick = <T>(random: Random, choices: readonly T[]): T | undefined =>
  choices[Math.floor(nextRandom(random) * choices.length)];

/** One of the words of a table of weights (they need not sum to 1). */
export function pickWeighted<K extends string>(random: Random, weights: Readonly<Record<K, number>>): K {
  const words = Object.keys(weights) as K[];
  let rest = nextRandom(random) * words.reduce((sum, word) => sum + weights[word], 0);
  for (const word of words) {
    rest -= weights[word];
    if (rest < 0) return word;
  }
  return words[words.length - 1]!;
}

/** A time around a median with the long tail human times have: log-normal, spread `sigma`. */
export function around(random: Random, median: number, sigma: number): number {
  const gauss =
    (nextRandom(random) + nextRandom(random) + nextRandom(random) + nextRandom(random) - 2) * Math.sqrt(3);
  return Math.round(median * Math.exp(sigma * gauss));
}

/** The same things in an order of chance. */
export function shuffled<T>(random: Random, things: readonly T[]): T[] {
  const result = [...things];
  for (let i = result.length - 1; i > 0; i--) {
    const j = between(random, 0, i);
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}
