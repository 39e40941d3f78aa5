import type { Irregularity } from '../../core/laws/irregularity.ts';
import { makePlacement } from '../../core/placement.ts';
import { type Entry, eventOf, inOrder } from '../entry.ts';
import { type EventRules, lawsOptionsOf } from '../event-rules.ts';
import { irregularitiesOf } from '../paper/irregularities.ts';
import { type GameInHall, lastEntryOf } from './hall.ts';
import { attentionOf } from './model/attention.ts';
import type { DeskEntry, DeskIrregularity, GameDetails } from './model/desk-api.ts';

export interface DetailSource extends GameInHall {
  readonly startedWallMs: number;
  readonly isLinkUp: boolean;
  readonly rules: EventRules;
  readonly wallMsOf: (atMs: number) => number;
}

/** Everything that is known of a game, as the page shows it. */
export function makeGameDetails(source: DetailSource): GameDetails {
  const { id, board, tags, record, entries, revision, startedWallMs, rules, wallMsOf } = source;
  const { regime, rate } = lawsOptionsOf(rules);
  const decisions = inOrder(entries)
    .map(eventOf)
    .filter((event) => event.type === 'decision');
  return {
    game: id,
    board,
    revision,
    lastEntry: lastEntryOf(entries),
    tags,
    start: record.start,
    variant: record.variant,
    startedAtMs: startedWallMs,
    plies: record.plies.map(({ madeAtMs, completedAtMs, ...ply }) => ({
      ...ply,
      madeAtMs: wallMsOf(madeAtMs),
      ...(completedAtMs !== undefined && { completedAtMs: wallMsOf(completedAtMs) }),
    })),
    flags: record.flags.map((flag) => ({ ...flag, atMs: wallMsOf(flag.atMs) })),
    entries: entries.map(makeDeskEntry),
    irregularities: irregularitiesOf(record, { decisions, regime, rate }).map((irregularity) =>
      makeDeskIrregularity(irregularity, wallMsOf),
    ),
    attention: attentionOf(source),
    result: record.result,
    ...(record.score !== undefined && { score: record.score }),
    ...(record.reason !== undefined && { reason: record.reason }),
    ended: record.ended,
    inSync: record.inSync,
    orientation: record.orientation,
    sensed: makePlacement(record.placement),
    ...(record.whiteMs !== undefined && { whiteMs: record.whiteMs }),
    ...(record.blackMs !== undefined && { blackMs: record.blackMs }),
  };
}

const makeDeskEntry = ({ id, wallMs, by, what, undone }: Entry): DeskEntry => ({
  id,
  atMs: wallMs,
  by,
  what,
  ...(undone !== undefined && { undone: { by: undone.by, atMs: undone.wallMs } }),
});

/** An irregularity as JSON has it. */
export const makeDeskIrregularity = (
  { kind, side, ply, article, atMs, isCompleted, state, by, penalty, before, clocks }: Irregularity,
  wallMsOf: (atMs: number) => number,
): DeskIrregularity => ({
  kind,
  ...(side !== undefined && { side }),
  ply,
  article,
  atMs: wallMsOf(atMs),
  isCompleted,
  state,
  ...(by !== undefined && { by }),
  ...(penalty !== undefined && { penalty }),
  before: before.fen(),
  ...(clocks !== undefined && { clocks }),
});
