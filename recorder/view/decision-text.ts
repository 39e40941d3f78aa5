/** Decisions, irregularities and what the Laws provide, in words for an arbiter. */
import type { GameLine } from '../../core/laws/game-line.ts';
import type { Irregularity } from '../../core/laws/irregularity.ts';
import type { IrregularityRef } from '../../core/laws/irregularity-kind.ts';
import type { Penalty } from '../../core/laws/penalty-ladder.ts';
import type { Position } from '../../core/position.ts';
import { type Played, playRecorded } from '../../core/recorded-ply.ts';
import { SIDES } from '../../core/square.ts';
import type { LawsNews } from '../derive.ts';
import type { Entry, EntryContent } from '../entry.ts';
import { makeShortTime } from '../language/short-time.ts';
import type { Wording } from '../language/wording.ts';

/** A ply as an arbiter names it: "12.Nf3", "12...Nc6"; without its move where the record has none there. */
export function makePlyName(line: GameLine, ply: number, wording?: Wording): string {
  if (ply < 1) return wording === undefined ? 'the start' : wording.text('claim-start');
  const san = line.plies[ply - 1]?.record.san ?? '';
  const { fullmoves, turn } = line.start;
  const half = (fullmoves - 1) * 2 + (turn === 'black' ? 1 : 0) + ply - 1;
  const number = `${Math.floor(half / 2) + 1}${half % 2 === 0 ? '.' : '...'}`;
  return `${number}${wording === undefined ? san : wording.move(san)}`;
}

/** What an irregularity is, and whose: "illegal move (White)". */
export const makeKindText = ({ kind, side }: IrregularityRef, { catalogue }: Wording): string =>
  side === undefined
    ? catalogue.irregularities[kind]
    : `${catalogue.irregularities[kind]} (${catalogue.sides[side].name})`;

/** Says what an entry says. */
export function makeEntryText(what: EntryContent, line: GameLine, wording: Wording): string {
  const { rulings, terminations } = wording.catalogue;
  switch (what.type) {
    case 'confirm':
    case 'dismiss':
    case 'enter':
      return wording.fill(rulings[what.type], {
        kind: makeKindText(what, wording),
        ply: makePlyName(line, what.ply, wording),
      });
    case 'draw-offer':
      return wording.fill(rulings[what.type], {
        side: wording.side(what.side).name,
        ply: makePlyName(line, what.ply, wording),
      });
    case 'draw-declined':
      return wording.fill(rulings[what.type], { ply: makePlyName(line, what.ply, wording) });
    case 'flag-registered':
      return wording.fill(rulings[what.type], { side: wording.side(what.side).genitive });
    case 'result':
      return wording.fill(rulings[what.type], {
        score: what.score,
        ending: terminations[what.termination].name,
      });
    case 'acknowledge':
      return wording.fill(rulings[what.type], {
        flag: wording.catalogue.flags[what.word].name,
        ply: makePlyName(line, what.ply, wording),
      });
    case 'penalty':
      return wording.fill(rulings[what.type], {
        side: wording.side(what.side).dative,
        measure: wording.catalogue.penaltyMeasures[what.measure],
      });
    case 'time-given':
      return wording.fill(rulings[what.type], {
        side: wording.side(what.side).dative,
        time: makeShortTime(what.ms),
      });
    case 'clocks-stopped':
    case 'clocks-resumed':
    case 'hold':
    case 'release':
      return rulings[what.type];
    case 'verdict': {
      const told = SIDES.map((side) =>
        wording.text(`verdict-${what[side]}`, { side: wording.side(side).title }),
      );
      return wording.text('verdict', { ply: makePlyName(line, what.ply, wording), told: told.join(', ') });
    }
    case 'correction': {
      const moves = makeMoves(what.plies, line.positionBefore(what.from), wording);
      const ply = makePlyName(line, what.from).replace(/[^.]*$/, '');
      const { plies, replaces } = what;
      if (replaces === undefined) return wording.text('correction-all', { ply, moves });
      if (replaces === plies.length) return wording.text('correction', { ply, moves });
      return wording.text('correction-replaces', { ply, moves, replaced: replaces });
    }
  }
}

/** Moves as SAN, as far as they can be played from there; a dash for none. */
function makeMoves(plies: readonly string[], from: Position, wording: Wording): string {
  let position: Position | undefined = from;
  const words = plies.map((text) => {
    const played: Played | undefined = position && playRecorded(position, text, text);
    const word = played?.move === undefined ? text : position!.san(played.move);
    position = played?.after;
    return wording.move(word);
  });
  return words.length === 0 ? '—' : words.join(' ');
}

/** One line about an entry: its number, when, what, by whom, and whether it was undone. */
export function makeEntryLine(entry: Entry, line: GameLine, isHeard: boolean, wording: Wording): string {
  const { id, wallMs, by, what, undone } = entry;
  const said = wording.text('desk-entry', {
    id,
    time: makeTime(wallMs),
    text: makeEntryText(what, line, wording),
    by,
  });
  if (undone !== undefined) return `${said}; ${wording.text('desk-undone-by', { by: undone.by })}`;
  return isHeard ? said : `${said}; ${wording.text('desk-unheard')}`;
}

/** A wall clock time, UTC, to the second. */
const makeTime = (wallMs: number): string =>
  `${new Date(wallMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Says of an irregularity what it is, how it stands and what the Laws provide. */
export function makeIrregularityText(irregularity: Irregularity, line: GameLine, wording: Wording): string {
  const ply = makePlyName(line, irregularity.ply, wording);
  const what = `${makeKindText(irregularity, wording)}, ${wording.article(irregularity.article)}`;
  return `${ply}: ${what} — ${makeStateText(irregularity, wording)}`;
}

/** What has become of an irregularity, by whom, and what the Laws provide for it while nobody has dismissed it. */
export function makeStateText(
  { state, by, penalty, remedy, isCompleted }: Irregularity,
  wording: Wording,
): string {
  const become = wording.catalogue.irregularityStates[state];
  return [
    by === undefined ? become : `${become} (${by})`,
    ...(isCompleted || state !== 'seen' ? [] : [wording.text('desk-not-completed')]),
    ...(penalty === undefined ? [] : [makePenaltyText(penalty, wording)]),
    ...(remedy === undefined || state === 'dismissed' ? [] : [wording.text(`desk-${remedy}`)]),
  ].join('; ');
}

/** What 7.5.5 provides. */
export function makePenaltyText(penalty: Penalty, wording: Wording): string {
  if (penalty.type === 'time') {
    const time = wording.count('minute', penalty.ms / 60_000);
    return wording.text('report-penalty-time', { side: wording.side(penalty.to).dative, time });
  }
  const { loser, score, verdict } = penalty;
  if (verdict === 'unwinnable') return wording.text('report-penalty-draw');
  const side = wording.side(loser).genitive;
  return wording.text(verdict === 'winnable' ? 'report-penalty-loss' : 'report-penalty-undecided', {
    side,
    score,
  });
}

/** What the Laws say to a decision, in a line; undefined for what is nobody's business. */
export function makeNewsText(news: LawsNews, line: GameLine, wording: Wording): string | undefined {
  switch (news.type) {
    case 'irregularity':
      return makeIrregularityText(news.irregularity, line, wording);
    case 'proposal': {
      const { score, termination } = news.proposal;
      return wording.text('desk-proposed', {
        score,
        ending: wording.catalogue.terminations[termination].name,
      });
    }
    case 'ending':
    case 'moments':
    case 'question':
      return undefined;
  }
}
