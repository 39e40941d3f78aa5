/** Decisions, irregularities and what the Laws provide, in words for an arbiter. */
import { type GameLine, type Played, playRecorded } from '../../core/laws/game-line.ts';
import type { Irregularity } from '../../core/laws/irregularity.ts';
import type { IrregularityRef } from '../../core/laws/irregularity-kind.ts';
import type { Penalty } from '../../core/laws/penalty-ladder.ts';
import type { Position } from '../../core/position.ts';
import type { Side } from '../../core/square.ts';
import type { LawsNews } from '../derive.ts';
import type { Entry, EntryContent } from '../entry.ts';

const SIDE: Readonly<Record<Side, string>> = { white: 'White', black: 'Black' };

/** A ply as an arbiter names it: "12.Nf3", "12...Nc6"; without its move where the record has none there. */
export function makePlyName(line: GameLine, ply: number): string {
  if (ply < 1) return 'the start';
  const played = line.plies[ply - 1];
  const { fullmoves, turn } = line.start;
  const half = (fullmoves - 1) * 2 + (turn === 'black' ? 1 : 0) + ply - 1;
  const number = `${Math.floor(half / 2) + 1}${half % 2 === 0 ? '.' : '...'}`;
  return `${number}${played?.record.san ?? ''}`;
}

const makeRefText = ({ kind, side, ply }: IrregularityRef, line: GameLine): string =>
  `${kind}${side === undefined ? '' : ` of ${SIDE[side]}`} at ${makePlyName(line, ply)}`;

/** Says what an entry says. */
export function makeEntryText(what: EntryContent, line: GameLine): string {
  switch (what.type) {
    case 'confirm':
      return `${makeRefText(what, line)}: confirmed`;
    case 'dismiss':
      return `${makeRefText(what, line)}: dismissed`;
    case 'enter':
      return `${makeRefText(what, line)}: entered`;
    case 'draw-offer':
      return `draw offer of ${SIDE[what.side]} with ${makePlyName(line, what.ply)}`;
    case 'draw-declined':
      return `draw offer declined at ${makePlyName(line, what.ply)}`;
    case 'flag-registered':
      return `flag of ${SIDE[what.side]} registered`;
    case 'result':
      return `result ${what.score}, ${what.termination}`;
    case 'correction': {
      const all = what.isAll ? ', and nothing after that' : '';
      const plies =
        what.plies.length === 0 ? 'nothing' : makeMoves(what.plies, line.positionBefore(what.from));
      return `from ${makePlyName(line, what.from).replace(/[^.]*$/, '')} on was played ${plies}${all}`;
    }
  }
}

/** Moves as SAN, as far as they can be played from there. */
function makeMoves(plies: readonly string[], from: Position): string {
  let position: Position | undefined = from;
  const words = plies.map((text) => {
    const played: Played | undefined = position && playRecorded(position, text, text);
    const word = played?.move === undefined ? text : position!.san(played.move);
    position = played?.after;
    return word;
  });
  return words.join(' ');
}

/** One line about an entry: its number, when, what, by whom, and whether it was undone. */
export function makeEntryLine(entry: Entry, line: GameLine, isHeard: boolean): string {
  const { id, wallMs, by, what, undone } = entry;
  const end = undone !== undefined ? `; undone by ${undone.by}` : isHeard ? '' : '; without effect';
  return `decision ${id}, ${makeTime(wallMs)}: ${makeEntryText(what, line)} (${by})${end}`;
}

/** A wall clock time, UTC, to the second. */
const makeTime = (wallMs: number): string =>
  `${new Date(wallMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Says of an irregularity what it is, how it stands and what the Laws provide. */
export function makeIrregularityText(irregularity: Irregularity, line: GameLine): string {
  const { article, state, isCompleted, by, penalty } = irregularity;
  const how = isCompleted ? state : `${state}, not completed`;
  const who = by === undefined ? '' : ` by ${by}`;
  const provides = penalty === undefined ? '' : `; ${makePenaltyText(penalty)}`;
  return `${article} ${makeRefText(irregularity, line)}: ${how}${who}${provides}`;
}

/** What 7.5.5 provides. */
export function makePenaltyText(penalty: Penalty): string {
  if (penalty.type === 'time')
    return `${penalty.article} the first: ${penalty.ms / 60_000} min to ${SIDE[penalty.to]}`;
  const open = penalty.verdict === 'undecided' ? ', if the opponent can mate' : '';
  return `${penalty.article} number ${penalty.count}: ${penalty.score}${open}`;
}

/** What the Laws say to a decision, in a line; undefined for what is nobody's business. */
export function makeNewsText(news: LawsNews, line: GameLine): string | undefined {
  switch (news.type) {
    case 'irregularity':
      return makeIrregularityText(news.irregularity, line);
    case 'proposal':
      return `proposed: ${news.proposal.score}, ${news.proposal.termination}`;
    case 'ending':
    case 'moments':
      return undefined;
  }
}
