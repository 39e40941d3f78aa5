/** A report as sections of text, of which both the terminal and the printer make theirs. */
import type { Ruling } from '../../core/laws/decision.ts';
import type { Phrases } from '../language/phrases.ts';
import { makeShortTime } from '../language/short-time.ts';
import { plainText } from '../view/display-text.ts';
import { type Html, html, makePage } from './html.ts';
import { type DrawOffer, makePlyName, type PaperGame } from './paper-game.ts';
import {
  isOfArbiter,
  makeDecisionText,
  makeOfferText,
  makeOutcomeText,
  makeRemarkText,
} from './remark-text.ts';
import { type GameReport, isUneventful } from './report.ts';
import { makeRemarks } from './scoresheet.ts';
import { makeDay, makeTimeOfDay } from './stamp.ts';

interface Section {
  readonly title: string;
  readonly texts: readonly string[];
}

interface GameSections {
  readonly title: string;
  readonly sections: readonly Section[];
}

interface Pages {
  readonly title: string;
  /** How many games, from when to when. */
  readonly range: string;
  readonly games: readonly GameSections[];
  /** How many games had nothing to tell of; empty when none. */
  readonly rest: string;
}

const titleOf = ({ game, score, termination, isOver }: GameReport, phrases: Phrases): string => {
  const { tags } = game;
  const round =
    tags.Round === undefined || tags.Round === '?' ? '' : `${phrases.text('sheet-round')} ${tags.Round}, `;
  const outcome = isOver ? makeOutcomeText(score, termination, phrases) : phrases.text('sheet-ongoing');
  const place = `${phrases.text('sheet-game', { game: game.id })} (${round}${game.board})`;
  return `${place}: ${tags.White ?? '?'} – ${tags.Black ?? '?'}, ${outcome}`;
};

function pagesOf(reports: readonly GameReport[], phrases: Phrases): Pages {
  const uneventful = reports.filter(isUneventful).length;
  return {
    title: phrases.text('report-title'),
    range: rangeOf(reports, phrases),
    games: reports
      .filter((report) => !isUneventful(report))
      .map((report) => ({ title: titleOf(report, phrases), sections: sectionsOf(report, phrases) })),
    rest: uneventful === 0 ? '' : phrases.count('nothing-to-report', uneventful),
  };
}

function rangeOf(reports: readonly GameReport[], phrases: Phrases): string {
  if (reports.length === 0) return phrases.text('report-none');
  const began = reports.map(({ game }) => game.startedWallMs);
  const games = phrases.count('game', reports.length);
  const from = makeDay(Math.min(...began), phrases.language);
  const to = makeDay(Math.max(...began), phrases.language);
  return from === to
    ? phrases.text('report-day', { games, day: from })
    : phrases.text('report-range', { games, from, to });
}

function sectionsOf(report: GameReport, phrases: Phrases): Section[] {
  const { game } = report;
  const name = (ply: number): string => makePlyName(game.record, ply, phrases.move);
  const irregular = makeRemarks(game.record, report.irregularities).filter(
    ({ irregularity }) => irregularity !== undefined,
  );
  const flagTexts = (flags: GameReport['flags']): string[] =>
    flags.map((flag) =>
      makeRemarkText({ ply: flag.ply, atMs: flag.atMs, flag, irregularity: undefined }, game, phrases),
    );
  const sections: Section[] = [
    {
      title: phrases.text('report-irregularities'),
      texts: irregular.map((remark) => makeRemarkText(remark, game, phrases)),
    },
    {
      title: phrases.text('report-time'),
      texts: report.timeAdded.map(({ side, ms, ply, atMs }) => {
        const who = side === undefined ? '' : `${phrases.side(side).title} `;
        return `${makeTimeOfDay(game.wallMsOf(atMs))} ${name(ply)}: ${who}+${makeShortTime(ms)}`;
      }),
    },
    {
      title: phrases.text('report-decisions'),
      texts: [
        ...report.decisions.filter(isOfArbiter).map((decision) => makeDecisionText(decision, game, phrases)),
        ...report.corrections.map((correction) => makeDecisionText(correction, game, phrases)),
      ],
    },
    {
      title: phrases.text('report-offers'),
      texts: [
        ...report.decisions
          .filter((decision) => !isOfArbiter(decision))
          .map((decision) => makeDecisionText(decision, game, phrases)),
        ...report.offers
          .filter((offer) => !report.decisions.some(({ ruling }) => isSameOffer(ruling, offer)))
          .map((offer) => makeOfferText(offer, game, phrases)),
      ],
    },
    {
      title: phrases.text('report-results'),
      texts: [
        ...(report.open === undefined ? [] : [phrases.text(`report-${report.open}`)]),
        ...flagTexts(report.resultFlags),
      ],
    },
    {
      title: phrases.text('report-ambiguous'),
      texts: report.pliesInDoubt.map((ply) => doubtOf(ply, game, phrases)),
    },
    { title: phrases.text('report-flags'), texts: flagTexts(report.flags) },
  ];
  return sections.filter(({ texts }) => texts.length > 0);
}

const isSameOffer = (ruling: Ruling, { side, ply }: DrawOffer): boolean =>
  ruling.type === 'draw-offer' && ruling.side === side && ruling.ply === ply;

function doubtOf(
  { ply, type, candidates }: GameReport['pliesInDoubt'][number],
  game: PaperGame,
  phrases: Phrases,
): string {
  const move = makePlyName(game.record, ply, phrases.move);
  if (candidates.length > 0)
    return phrases.text('sheet-candidates', {
      move,
      candidates: candidates.map((san) => phrases.move(san)).join(', '),
    });
  return type === 'inferred' ? `${move}: ${phrases.text('report-inferred')}` : move;
}

/** Writes a report as lines of text, without anything that could move a cursor. */
export function makeReportText(reports: readonly GameReport[], phrases: Phrases): string[] {
  const { title, range, games, rest } = pagesOf(reports, phrases);
  const lines = [`${title}: ${range}`];
  for (const game of games) {
    lines.push('', game.title);
    for (const section of game.sections)
      lines.push(`  ${section.title}:`, ...section.texts.map((text) => `    ${text}`));
  }
  if (rest !== '') lines.push('', rest);
  return lines.map((line) => `${/^ */.exec(line)![0]}${plainText(line.trimStart())}`);
}

/** Writes a report as one printable page of HTML. */
export function makeReportHtml(reports: readonly GameReport[], phrases: Phrases): string {
  const { title, range, games, rest } = pagesOf(reports, phrases);
  const makeGame = (game: GameSections): Html => html`<section class="game">
<h2>${game.title}</h2>
${game.sections.map(
  (section) => html`<h3>${section.title}</h3>
<ul>
${section.texts.map((text) => html`<li>${text}</li>\n`)}</ul>
`,
)}</section>
`;
  return makePage(
    phrases.language,
    title,
    html`<h1>${title}</h1>
<p>${range}</p>
${games.map(makeGame)}${rest === '' ? undefined : html`<p>${rest}</p>\n`}<div class="signatures">
<div>${phrases.text('sheet-signature', { who: phrases.text('sheet-arbiter') })}</div>
</div>`,
  );
}
