/** Remarks, decisions and draw offers of a game as lines of text. */
import type { Decision, Ruling } from '../../core/laws/decision.ts';
import type { Score, Termination } from '../../core/laws/endings.ts';
import { lineOf } from '../../core/laws/game-line.ts';
import type { Phrases } from '../language/phrases.ts';
import { makeEntryText, makeKindText, makeStateText } from '../view/decision-text.ts';
import {
  type DrawOffer,
  type EnteredCorrection,
  type EnteredDecision,
  makePlyName,
  type PaperGame,
} from './paper-game.ts';
import type { Remark } from './scoresheet.ts';
import { makeTimeOfDay } from './stamp.ts';

/** Joins what is not empty. */
const join = (separator: string, ...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(separator);

const nameOf = (game: PaperGame, ply: number, phrases: Phrases): string =>
  makePlyName(game.record, ply, phrases.move);

/** One remark: when, at which ply, what, the article, the squares concerned, and what became of it. */
export function makeRemarkText(
  { ply, atMs, flag, irregularity }: Remark,
  game: PaperGame,
  phrases: Phrases,
): string {
  const told = flag === undefined ? undefined : phrases.flag(flag);
  const what =
    irregularity === undefined ? told?.tells || (told?.name ?? '') : makeKindText(irregularity, phrases);
  const article = irregularity === undefined ? (told?.article ?? '') : phrases.article(irregularity.article);
  const state = irregularity === undefined ? '' : makeStateText(irregularity, phrases);
  return join(
    ' ',
    makeTimeOfDay(game.wallMsOf(atMs)),
    `${ply === 0 ? '' : `${nameOf(game, ply, phrases)}: `}${join(', ', what, article, told?.detail ?? '')}`,
    state === '' ? '' : `— ${state}`,
  );
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

/** One decision or correction: when it was entered, by whom, what it says. */
export function makeDecisionText(
  entered: EnteredDecision | EnteredCorrection,
  game: PaperGame,
  phrases: Phrases,
): string {
  const { start, variant, plies } = game.record;
  const what = entered.type === 'decision' ? entered.ruling : entered;
  const at = makeTimeOfDay(entered.enteredWallMs ?? game.wallMsOf(entered.atMs));
  return `${at} ${entered.by}: ${makeEntryText(what, lineOf(start, variant, plies), phrases)}`;
}

/** What players offer and decline among themselves, and what only the desk needs to know, is entered like a decision and is none. */
const NOT_OF_ARBITER: readonly Ruling['type'][] = [
  'draw-offer',
  'draw-declined',
  'acknowledge',
  'hold',
  'release',
];
export const isOfArbiter = ({ ruling }: Decision): boolean => !NOT_OF_ARBITER.includes(ruling.type);

/** One draw offer of which nobody entered when. */
export const makeOfferText = ({ side, ply }: DrawOffer, game: PaperGame, phrases: Phrases): string =>
  phrases.fill(phrases.catalogue.rulings['draw-offer'], {
    side: phrases.side(side).title,
    ply: nameOf(game, ply, phrases),
  });
