/**
 * Where what is decided is looked at and stored. Deriving a sitting takes as long as it takes: it is done beside the
 * recorder, in a thread of its own (`ask-office.ts`), so that no board waits.
 */
import { BoardError } from '../../core/board-error.ts';
import { lineOf } from '../../core/laws/game-line.ts';
import { checkCorrection } from '../correct-record.ts';
import { type Entered, type Foreseen, type GameAtDesk, openDeskBeside } from '../enter.ts';
import type { EntryContent } from '../entry.ts';
import { amendedPlies } from '../paper/amended-plies.ts';
import { rederiveSitting } from '../rederive.ts';
import { openStoreReader } from '../store/store.ts';
import { makeDeskIrregularity } from './game-details.ts';
import { lastEntryOf } from './hall.ts';
import { findCatchUps } from './model/catch-up.ts';
import type { CatchUps, Consequences, Seen, Timeline } from './model/desk-api.ts';
import { readTimeline } from './timeline.ts';

/** What can be asked of the office. */
export type OfficeQuestion =
  | {
      readonly type: 'foresee';
      readonly game: number;
      readonly what: EntryContent | { readonly undoes: number };
    }
  | {
      readonly type: 'enter';
      readonly game: number;
      readonly by: string;
      readonly wallMs: number;
      readonly what: EntryContent;
      readonly seen: Seen;
    }
  | {
      readonly type: 'undo';
      readonly game: number;
      readonly by: string;
      readonly wallMs: number;
      readonly undoes: number;
      readonly seen: Seen;
    }
  | { readonly type: 'timeline'; readonly game: number }
  | { readonly type: 'catch-ups'; readonly game: number }
  /** Plies that were recorded as another move before: a scoresheet marks them. */
  | { readonly type: 'amended'; readonly game: number };

/** What it answers, by the type of the question. */
export interface OfficeAnswers {
  readonly foresee: Consequences;
  readonly enter: Consequences;
  readonly undo: Consequences;
  readonly timeline: Timeline;
  readonly 'catch-ups': CatchUps;
  readonly amended: readonly number[];
}

export interface Office {
  /** Rejects with a `BoardError`: GAME_UNKNOWN, REQUEST_STALE, MOVE_ILLEGAL, DECISION_REFUSED, DECISION_UNKNOWN, STORE_. */
  ask<Q extends OfficeQuestion>(question: Q): Promise<OfficeAnswers[Q['type']]>;
  close(): Promise<void>;
}

/** Answers one question about a database; throws a `BoardError`. */
export function answerQuestion(
  file: string,
  question: OfficeQuestion,
): OfficeAnswers[OfficeQuestion['type']] {
  if (question.type === 'timeline' || question.type === 'catch-ups' || question.type === 'amended')
    return lookUp(file, question);
  const desk = openDeskBeside(file, () => ('wallMs' in question ? question.wallMs : 0));
  try {
    const at = desk.look(question.game);
    switch (question.type) {
      case 'foresee':
        if (!('undoes' in question.what)) checkContent(at, question.what);
        return makeConsequences(at, desk.foresee(at, question.what));
      case 'enter':
        checkSeen(at, question.seen);
        checkContent(at, question.what);
        return makeConsequences(at, desk.enter(at, question.by, question.what));
      case 'undo':
        checkSeen(at, question.seen);
        return makeConsequences(at, desk.undo(at, question.by, question.undoes));
    }
  } finally {
    desk.close();
  }
}

/** What somebody else has entered meanwhile, or another move at the place of a correction, makes a decision stale. */
function checkSeen({ game, entries }: GameAtDesk, { lastEntry, plies }: Seen): void {
  if (lastEntryOf(entries) !== lastEntry) throw new BoardError('REQUEST_STALE');
  const stands = game.record.plies.slice(0, plies?.length).map(({ san }) => san);
  if (plies !== undefined && plies.join(' ') !== stands.join(' ')) throw new BoardError('REQUEST_STALE');
}

/** Plies that are named must be there, and moves legal; MOVE_ILLEGAL, PLY_UNKNOWN. */
function checkContent({ game: { record } }: GameAtDesk, what: EntryContent): void {
  const last = record.plies.length;
  const place = (ply: number): string => {
    const { fullmoves, turn } = lineOf(record.start, record.variant, []).start;
    const half = (fullmoves - 1) * 2 + (turn === 'black' ? 1 : 0) + ply - 1;
    return `${Math.floor(half / 2) + 1}${half % 2 === 0 ? '.' : '...'}`;
  };
  if (what.type === 'correction') {
    if (what.from > last + 1) throw new BoardError('PLY_UNKNOWN', { ply: what.from, plies: last });
    const checked = checkCorrection(record, what.from, what.plies, what.replaces);
    if ('move' in checked)
      throw new BoardError('MOVE_ILLEGAL', { move: checked.move, place: place(checked.ply) });
    return;
  }
  // What is seen of a ply under way has the number of the next.
  if ('ply' in what && what.ply > last + 1)
    throw new BoardError('PLY_UNKNOWN', { ply: what.ply, plies: last });
}

function makeConsequences(at: GameAtDesk, foreseen: Foreseen | Entered): Consequences {
  const { differences, news, falls } = foreseen;
  const wallMsOf = (atMs: number): number => at.game.startedWallMs + (atMs - at.game.record.startedAtMs);
  return {
    ...('id' in foreseen && { id: foreseen.id }),
    ...(falls !== undefined && { falls }),
    differences: differences.map((difference) => JSON.stringify(difference)),
    irregularities: news.flatMap((item) =>
      item.type === 'irregularity' ? [makeDeskIrregularity(item.irregularity, wallMsOf)] : [],
    ),
    proposals: news.flatMap((item) =>
      item.type === 'proposal'
        ? [{ score: item.proposal.score, termination: item.proposal.termination }]
        : [],
    ),
  };
}

function lookUp(
  file: string,
  { type, game: id }: Extract<OfficeQuestion, { type: 'timeline' | 'catch-ups' | 'amended' }>,
): Timeline | CatchUps | readonly number[] {
  const reader = openStoreReader(file);
  try {
    const [game] = reader.games({ id });
    const sitting = reader.sittings().find((known) => known.id === game?.sittingId);
    if (game === undefined || sitting === undefined) throw new BoardError('GAME_UNKNOWN', { game: id, file });
    if (type === 'catch-ups') {
      const { start, variant, plies, placement } = game.record;
      return findCatchUps(lineOf(start, variant, plies).position, placement);
    }
    if (type === 'amended') return amendedPlies(rederiveSitting(reader, sitting)?.events ?? [], game.record);
    const next = reader
      .games({ sittingId: sitting.id })
      .find(({ record }) => record.game === game.record.game + 1);
    return readTimeline(reader, sitting, game, next?.record.startedAtMs);
  } finally {
    reader.close();
  }
}
