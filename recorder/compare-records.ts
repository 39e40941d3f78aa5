import type { GameRecord } from '../core/game-record.ts';
import { makePlacement } from '../core/placement.ts';

/** One respect in which two derivations of a game differ. */
export interface Difference {
  /** Number of the game at its board. */
  readonly game: number;
  /** What it is about: "ply 12", "flags", "result" ... */
  readonly about: string;
  readonly stored: string;
  readonly derived: string;
}

/** Lists how the games of one sitting, derived again, differ from what is stored; empty when they are the same. */
export function compareRecords(stored: readonly GameRecord[], derived: readonly GameRecord[]): Difference[] {
  const differences: Difference[] = [];
  const numbers = new Set([...stored, ...derived].map((record) => record.game));
  for (const game of [...numbers].sort((a, b) => a - b)) {
    const was = stored.find((record) => record.game === game);
    const is = derived.find((record) => record.game === game);
    if (was !== undefined && is !== undefined) differences.push(...compareGames(game, was, is));
    else {
      const tell = (record: GameRecord | undefined): string =>
        record === undefined ? 'no such game' : `${record.plies.length} plies, ${record.result}`;
      differences.push({ game, about: 'game', stored: tell(was), derived: tell(is) });
    }
  }
  return differences;
}

function compareGames(game: number, stored: GameRecord, derived: GameRecord): Difference[] {
  const differences: Difference[] = [];
  const compare = (about: string, was: unknown, is: unknown): void => {
    const [wasText, isText] = [tellValue(was, is), tellValue(is, was)];
    if (wasText !== isText) differences.push({ game, about, stored: wasText, derived: isText });
  };
  for (const field of [
    'variant',
    'start',
    'startedAtMs',
    'result',
    'reason',
    'score',
    'ended',
    'orientation',
    'inSync',
    'whiteMs',
    'blackMs',
  ] as const) {
    compare(field, stored[field], derived[field]);
  }
  compare('placement', makePlacement(stored.placement), makePlacement(derived.placement));
  const plies = Math.max(stored.plies.length, derived.plies.length);
  for (let i = 0; i < plies; i++) {
    const [was, is] = [stored.plies[i], derived.plies[i]];
    if (was?.san !== is?.san) compare(`ply ${i + 1}`, was?.san, is?.san);
    else compare(`ply ${i + 1}`, was, is);
  }
  const flags = Math.max(stored.flags.length, derived.flags.length);
  for (let i = 0; i < flags; i++) compare(`flag ${i + 1}`, stored.flags[i], derived.flags[i]);
  return differences;
}

/** Text that is equal exactly for equal values, whatever the order of their fields; of two objects only what differs. */
function tellValue(value: unknown, other: unknown): string {
  if (value === undefined) return 'nothing';
  if (!isFields(value)) return String(value);
  return Object.entries(value)
    .filter(
      ([name, field]) => field !== undefined && !(isFields(other) && String(other[name]) === String(field)),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${name} ${String(field)}`)
    .join(', ');
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
