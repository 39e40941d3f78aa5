/** Which record is of which game, where games may be missing, broken or run together: by what was played, not by how many came before. */

/** Length of the longest common subsequence of two lists of plies. */
export function commonPlies(a: readonly string[], b: readonly string[]): number {
  let row = new Uint16Array(b.length + 1);
  for (const san of a) {
    const next = new Uint16Array(b.length + 1);
    for (const [j, other] of b.entries())
      next[j + 1] = san === other ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!);
    row = next;
  }
  return row[b.length]!;
}

/** A record in the right place with no ply in common is still more likely its game's than nobody's. */
const IN_PLACE = 0.5;

/**
 * Finds the record of each game, both in the order of their beginning, so that the most plies are shared and each record is of one game
 * at most. Undefined for a game that has no record of its own: it was lost, or ran together with a neighbour.
 */
export function alignGames(
  played: readonly (readonly string[])[],
  records: readonly (readonly string[])[],
): (number | undefined)[] {
  const shared = played.map((game) => records.map((record) => commonPlies(game, record) + IN_PLACE));
  // best[i][j]: of the games from i and the records from j on.
  const best = Array.from({ length: played.length + 1 }, () => new Float64Array(records.length + 1));
  for (let i = played.length - 1; i >= 0; i--) {
    for (let j = records.length - 1; j >= 0; j--)
      best[i]![j] = Math.max(best[i + 1]![j]!, best[i]![j + 1]!, shared[i]![j]! + best[i + 1]![j + 1]!);
  }
  const found: (number | undefined)[] = [];
  let j = 0;
  for (let i = 0; i < played.length; i++) {
    while (j < records.length && best[i]![j] === best[i]![j + 1]) j++;
    const isOwn = j < records.length && best[i]![j] === shared[i]![j]! + best[i + 1]![j + 1]!;
    found.push(isOwn ? j++ : undefined);
  }
  return found;
}
