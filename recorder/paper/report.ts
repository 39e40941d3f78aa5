/** What an arbiter hands in after a round: of each game, what was irregular, added, decided, offered, and what is in doubt. Codes, in no language. */
import type { Flag } from '../../core/flag.ts';
import type { Score, Termination } from '../../core/laws/endings.ts';
import type { Irregularity } from '../../core/laws/irregularity.ts';
import { IRREGULARITIES } from '../../core/laws/irregularity-kind.ts';
import { SIDES, type Side } from '../../core/square.ts';
import { flagWordOf } from '../language/phrases.ts';
import { irregularitiesOf } from './irregularities.ts';
import {
  type DrawOffer,
  type Entered,
  type EnteredCorrection,
  type EnteredDecision,
  offersOf,
  outcomeOf,
  type PaperGame,
  rateOf,
} from './paper-game.ts';

/** Time that somebody added to a clock (7.5.5, 9.5.3, 12.9). */
export interface TimeAdded {
  /** Whose clock; undefined when the flag does not say. */
  readonly side: Side | undefined;
  readonly ms: number;
  readonly ply: number;
  readonly atMs: number;
}

/** A ply of which something is not known. */
export interface PlyInDoubt {
  readonly ply: number;
  readonly san: string;
  readonly type: 'ambiguous' | 'inferred';
  readonly candidates: readonly string[];
}

export interface GameReport {
  readonly game: PaperGame;
  readonly score: Score;
  readonly termination: Termination | undefined;
  readonly isOver: boolean;
  readonly irregularities: readonly Irregularity[];
  readonly timeAdded: readonly TimeAdded[];
  readonly decisions: readonly EnteredDecision[];
  readonly corrections: readonly EnteredCorrection[];
  readonly offers: readonly DrawOffer[];
  /** Flags that put the result in doubt. */
  readonly resultFlags: readonly Flag[];
  /** No end, or an end without a result. */
  readonly open: 'not-ended' | 'ended-without' | undefined;
  readonly pliesInDoubt: readonly PlyInDoubt[];
  /** Warnings and alarms that are about something else. */
  readonly flags: readonly Flag[];
}

export interface ReportOptions {
  /** What people have decided and entered about a game. */
  readonly enteredOf?: (game: PaperGame) => Entered;
}

const OF_RESULTS: readonly string[] = [
  'RESULT_CONFLICT',
  'RESULT_CHANGED',
  'RESULT_UNKNOWN',
  'RESULT_PROPOSED',
  'DRAW_A54',
  'DRAW_TOO_EARLY',
];
/** Told by the list of plies in doubt. */
const OF_PLIES: readonly string[] = ['AMBIGUOUS', 'MISSED_PLIES'];

const wordOf = ({ code }: Flag): string => flagWordOf(code) ?? code;

/** Reports of games, in their order. */
export const makeReport = (games: readonly PaperGame[], options: ReportOptions = {}): GameReport[] =>
  games.map((game) => reportOf(game, options));

function reportOf(game: PaperGame, { enteredOf }: ReportOptions): GameReport {
  const { record, rules } = game;
  const entered = enteredOf?.(game) ?? {};
  const { decisions = [], corrections = [] } = entered;
  const outcome = outcomeOf(record, entered);
  const isOver = record.ended || decisions.some(({ ruling }) => ruling.type === 'result');
  const irregularities = irregularitiesOf(record, {
    decisions,
    rate: rateOf(game),
    regime: rules?.regime,
  });
  const isIrregularity = (flag: Flag): boolean =>
    irregularities.some(({ kind }) => IRREGULARITIES[kind].word === wordOf(flag));
  return {
    game,
    ...outcome,
    isOver,
    irregularities,
    timeAdded: record.flags.filter((flag) => wordOf(flag) === 'TIME_ADDED').map(timeAddedOf),
    decisions,
    corrections,
    offers: offersOf(entered),
    resultFlags: record.flags.filter((flag) => OF_RESULTS.includes(wordOf(flag))),
    open: !isOver ? 'not-ended' : outcome.score === '*' ? 'ended-without' : undefined,
    pliesInDoubt: record.plies.flatMap(({ san, state, inferred, candidates }, index): PlyInDoubt[] => {
      if (state !== 'ambiguous' && inferred !== true) return [];
      const type = state === 'ambiguous' ? 'ambiguous' : 'inferred';
      return [{ ply: index + 1, san, type, candidates: (candidates ?? []).filter((other) => other !== san) }];
    }),
    flags: record.flags.filter(
      (flag) =>
        (flag.severity === 'warning' || flag.severity === 'alarm') &&
        !OF_RESULTS.includes(wordOf(flag)) &&
        !OF_PLIES.includes(wordOf(flag)) &&
        !isIrregularity(flag),
    ),
  };
}

function timeAddedOf({ code, ply, atMs }: Flag): TimeAdded {
  const [, side, seconds = '0'] = /\((\w+),([\d.]+)\)$/.exec(code) ?? [];
  return { side: SIDES.find((s) => s === side), ms: Math.round(Number(seconds) * 1000), ply, atMs };
}

/** Whether a game has nothing that an arbiter would have to tell of. */
export const isUneventful = (report: GameReport): boolean =>
  report.open === undefined &&
  [
    report.irregularities,
    report.timeAdded,
    report.decisions,
    report.corrections,
    report.offers,
    report.resultFlags,
    report.pliesInDoubt,
    report.flags,
  ].every((list) => list.length === 0);
