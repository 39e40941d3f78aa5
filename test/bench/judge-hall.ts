/** Whether the games of a board were recorded as they were played, and whether a record that is wrong says so. */
import { type FlagWord, wordOf } from '../../core/flag.ts';
import type { GameRecord } from '../../core/game-record.ts';
import { alignGames } from './align-games.ts';

export type Verdict =
  | 'as played'
  /** Not as played, and the record says that its plies are in doubt. */
  | 'doubted'
  /** Not as played, and nothing of the record says so. */
  | 'wrong'
  /** No record of its own although the pieces were seen to be set up after it: it ran together with a neighbour. */
  | 'run together'
  /** No record of its own, and nothing that reached the recorder could tell that it ended. */
  | 'unseen';

export interface Judged {
  readonly verdict: Verdict;
  /** Index of its record. */
  readonly record: number | undefined;
}

/** Warnings that say nothing of which plies were played: every game here ends without a result. */
const OF_OTHER_THINGS: ReadonlySet<FlagWord> = new Set<FlagWord>([
  'RESULT_UNKNOWN',
  'RESULT_CHANGED',
  'CLOCK_LOST',
  'LINK_LOST',
  'FLAG_FALL',
  'TOUCH_MOVE',
]);

/** Whether a record says that its plies may not be what was played. */
const isInDoubt = ({ plies, flags }: Pick<GameRecord, 'plies' | 'flags'>): boolean =>
  plies.some(({ state }) => state === 'ambiguous' || state === 'provisional') ||
  flags.some(
    ({ code, severity }) =>
      (severity === 'warning' || severity === 'alarm') && !OF_OTHER_THINGS.has(wordOf(code)),
  );

/**
 * Judges the games of one board, each played to its end and the pieces set up after it, by all its records in order. `setUpsSeen`: how
 * often a set-up has reached the recorder.
 */
export function judgeGames(
  played: readonly (readonly string[])[],
  records: readonly Pick<GameRecord, 'plies' | 'flags'>[],
  setUpsSeen: number,
): Judged[] {
  const told = records.map(({ plies }) => plies.map(({ san }) => san));
  let unseen = Math.max(0, played.length - setUpsSeen);
  return alignGames(played, told).map((at, i): Judged => {
    if (at === undefined) return { verdict: unseen-- > 0 ? 'unseen' : 'run together', record: at };
    if (told[at]!.join(' ') === played[i]!.join(' ')) return { verdict: 'as played', record: at };
    return { verdict: isInDoubt(records[at]!) ? 'doubted' : 'wrong', record: at };
  });
}
