/** Remarks, decisions and draw offers of a game as lines of text. */
import type { Decision, Ruling } from '../../core/laws/decision.ts';
import type { Score, Termination } from '../../core/laws/endings.ts';
import type { Irregularity } from '../../core/laws/irregularity.ts';
import type { IrregularityRef } from '../../core/laws/irregularity-kind.ts';
import type { Penalty } from '../../core/laws/penalty-ladder.ts';
import type { Phrases } from '../language/phrases.ts';
import {
  type DrawOffer,
  type EnteredCorrection,
  type EnteredDecision,
  makePlyName,
  type PaperGame,
  placesOf,
} from './paper-game.ts';
import type { Remark } from './scoresheet.ts';
import { makeTimeOfDay } from './stamp.ts';

/** Joins what is not empty. */
const join = (separator: string, ...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(separator);

const nameOf = (game: PaperGame, ply: number, phrases: Phrases): string =>
  makePlyName(game.record, ply, phrases.move);

const kindOf = ({ kind, side }: IrregularityRef, { catalogue }: Phrases): string =>
  side === undefined
    ? catalogue.irregularities[kind]
    : `${catalogue.irregularities[kind]} (${catalogue.sides[side].name})`;

/** One remark: when, at which ply, what, the article, the squares concerned, and what became of it. */
export function makeRemarkText(
  { ply, atMs, flag, irregularity }: Remark,
  game: PaperGame,
  phrases: Phrases,
): string {
  const told = flag === undefined ? undefined : phrases.flag(flag);
  const what = irregularity === undefined ? told?.tells || (told?.name ?? '') : kindOf(irregularity, phrases);
  const article = irregularity === undefined ? (told?.article ?? '') : phrases.article(irregularity.article);
  const state = irregularity === undefined ? '' : makeStateText(irregularity, phrases);
  return join(
    ' ',
    makeTimeOfDay(game.wallMsOf(atMs)),
    `${ply === 0 ? '' : `${nameOf(game, ply, phrases)}: `}${join(', ', what, article, told?.detail ?? '')}`,
    state === '' ? '' : `— ${state}`,
  );
}

/** What has become of an irregularity, by whom, and what the Laws provide for it while nobody has dismissed it. */
export function makeStateText({ state, by, penalty, side }: Irregularity, phrases: Phrases): string {
  const become = phrases.catalogue.irregularityStates[state];
  const provided = penalty === undefined || side === undefined ? '' : makePenaltyText(penalty, phrases);
  return join('; ', by === undefined ? become : `${become} (${by})`, provided);
}

function makePenaltyText(penalty: Penalty, phrases: Phrases): string {
  if (penalty.type === 'time') {
    const time = phrases.count('minute', penalty.ms / 60_000);
    return phrases.text('report-penalty-time', { side: phrases.side(penalty.to).dative, time });
  }
  const { loser, score, verdict } = penalty;
  if (verdict === 'unwinnable') return phrases.text('report-penalty-draw');
  const side = phrases.side(loser).genitive;
  return phrases.text(verdict === 'winnable' ? 'report-penalty-loss' : 'report-penalty-undecided', {
    side,
    score,
  });
}

/** A result with what brought it about, "1-0 checkmate"; in words when there is none. */
export function makeOutcomeText(
  score: Score,
  termination: Termination | undefined,
  phrases: Phrases,
): string {
  const result = score === '*' ? phrases.text('no-result') : score;
  return termination === undefined
    ? result
    : `${result}, ${phrases.catalogue.terminations[termination].name}`;
}

/** One decision: when, by whom, what. */
export const makeDecisionText = (decision: EnteredDecision, game: PaperGame, phrases: Phrases): string =>
  `${makeSigned(decision, game)}: ${makeRulingText(decision.ruling, game, phrases)}`;

const makeSigned = (entered: EnteredDecision | EnteredCorrection, game: PaperGame): string =>
  `${makeTimeOfDay(entered.enteredWallMs ?? game.wallMsOf(entered.atMs))} ${entered.by}`;

/** One correction of what was played: when, by whom, from which ply on what. */
export function makeCorrectionText(correction: EnteredCorrection, game: PaperGame, phrases: Phrases): string {
  const { from, plies, isAll } = correction;
  const place = placesOf(game.record)(from);
  const ply = `${place.move}${place.side === 'white' ? '.' : '...'}`;
  const moves = plies.map((uci, index) => {
    const played = game.record.plies[from + index - 1];
    return played?.uci === uci || played?.san === uci ? phrases.move(played.san) : uci;
  });
  const text = phrases.text(isAll ? 'correction-all' : 'correction', { ply, moves: moves.join(' ') || '—' });
  return `${makeSigned(correction, game)}: ${text}`;
}

function makeRulingText(ruling: Ruling, game: PaperGame, phrases: Phrases): string {
  const { rulings, terminations } = phrases.catalogue;
  switch (ruling.type) {
    case 'confirm':
    case 'dismiss':
    case 'enter':
      return phrases.fill(rulings[ruling.type], {
        kind: kindOf(ruling, phrases),
        ply: nameOf(game, ruling.ply, phrases),
      });
    case 'draw-offer':
      return phrases.fill(rulings[ruling.type], {
        side: phrases.side(ruling.side).name,
        ply: nameOf(game, ruling.ply, phrases),
      });
    case 'draw-declined':
      return phrases.fill(rulings[ruling.type], { ply: nameOf(game, ruling.ply, phrases) });
    case 'flag-registered':
      return phrases.fill(rulings[ruling.type], { side: phrases.side(ruling.side).genitive });
    case 'result':
      return phrases.fill(rulings[ruling.type], {
        score: ruling.score,
        ending: terminations[ruling.termination].name,
      });
  }
}

/** What players offer and decline among themselves is entered like a decision, and is none. */
export const isOfArbiter = ({ ruling }: Decision): boolean =>
  ruling.type !== 'draw-offer' && ruling.type !== 'draw-declined';

/** One draw offer of which nobody entered when. */
export const makeOfferText = ({ side, ply }: DrawOffer, game: PaperGame, phrases: Phrases): string =>
  phrases.fill(phrases.catalogue.rulings['draw-offer'], {
    side: phrases.side(side).title,
    ply: nameOf(game, ply, phrases),
  });
