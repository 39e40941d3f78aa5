/** A scoresheet for the printer. */
import { SIDES, type Side } from '../../core/square.ts';
import type { Phrases } from '../language/phrases.ts';
import { makeClock } from '../pgn/clock-text.ts';
import { type Html, html, makeList, makePage } from './html.ts';
import { isOfArbiter, makeDecisionText, makeRemarkText } from './remark-text.ts';
import type { Scoresheet, SheetMove, SheetPly } from './scoresheet.ts';
import { headOf, legendOf, makeMoveCell, makeResultText, notesOf } from './scoresheet-text.ts';
import { makeUsedTime } from './stamp.ts';

/** Moves in one column of moves: a sheet has two beside each other. */
const MOST_ROWS = 40;
const LEAST_ROWS = 20;

/** Writes a scoresheet as one printable page of HTML. */
export function makeScoresheetHtml(sheet: Scoresheet, phrases: Phrases): string {
  const { game } = sheet;
  const { White: white = '', Black: black = '' } = game.tags;
  const heading = `${phrases.text('sheet-title')}. ${phrases.text('sheet-game', { game: game.id })}`;
  const title = white === '' && black === '' ? heading : `${heading}: ${white} – ${black}`;
  const signers = [
    phrases.side('white').genitive,
    phrases.side('black').genitive,
    phrases.text('sheet-arbiter'),
  ];
  return makePage(
    phrases.language,
    title,
    html`<h1>${heading}</h1>
${makeHead(sheet, phrases)}
${blocksOf(sheet.moves).map(
  (pair) => html`<div class="blocks">
${pair.map((moves) => makeTable(moves, sheet, phrases))}</div>
`,
)}<p class="result">${phrases.text('sheet-result')}: ${makeResultText(sheet, phrases)}</p>
${makeLegend(sheet, phrases)}
${makeList(
  phrases.text('sheet-remarks'),
  sheet.remarks.map((remark) => makeRemarkText(remark, game, phrases)),
)}${makeList(phrases.text('sheet-decisions'), [
  ...sheet.decisions.filter(isOfArbiter).map((decision) => makeDecisionText(decision, game, phrases)),
  ...sheet.corrections.map((correction) => makeDecisionText(correction, game, phrases)),
])}<div class="signatures">
${signers.map((who) => html`<div>${phrases.text('sheet-signature', { who })}</div>\n`)}</div>
<p class="small">${phrases.text('sheet-foot')}</p>`,
  );
}

function makeHead(sheet: Scoresheet, phrases: Phrases): Html {
  const players = SIDES.map((side) => phrases.side(side).title);
  const start = phrases.text('sheet-start');
  return html`<dl>
${headOf(sheet, phrases).map(([name, value]) =>
  players.includes(name) || name === start
    ? html`<dt class="own">${name}</dt><dd class="own">${value}</dd>\n`
    : html`<dt>${name}</dt><dd>${value}</dd>\n`,
)}</dl>`;
}

/** Columns of moves, two beside each other; short games fill one. */
function blocksOf(moves: readonly SheetMove[]): SheetMove[][][] {
  const rows = Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.ceil(moves.length / 2)));
  const blocks: SheetMove[][] = [];
  for (let i = 0; i < moves.length; i += rows) blocks.push(moves.slice(i, i + rows));
  const pairs: SheetMove[][][] = [];
  for (let i = 0; i < blocks.length; i += 2) pairs.push(blocks.slice(i, i + 2));
  return pairs;
}

function makeTable(moves: readonly SheetMove[], sheet: Scoresheet, phrases: Phrases): Html {
  const head = (side: Side): Html =>
    html`<th>${phrases.side(side).title}</th><th>${phrases.text('sheet-clock')}</th><th>${phrases.text('sheet-used')}</th>`;
  return html`<table>
<thead><tr><th>${phrases.text('sheet-move')}</th>${head('white')}${head('black')}</tr></thead>
<tbody>
${moves.map(
  (
    move,
  ) => html`<tr><td class="n">${move.move}</td>${SIDES.map((side) => makeCells(move[side], side, sheet, phrases))}</tr>
`,
)}</tbody>
</table>
`;
}

function makeCells(ply: SheetPly | undefined, side: Side, sheet: Scoresheet, phrases: Phrases): Html {
  if (ply === undefined) return html`<td></td><td class="t"></td><td class="t"></td>`;
  const isFree = sheet.isWritingFree === false && isFreeAt(sheet, side, ply.number);
  const isDoubt = ply.marks.some(
    (mark) => mark === 'inferred' || mark === 'ambiguous' || mark === 'provisional',
  );
  const classes = [isFree ? 'free' : '', isDoubt ? 'doubt' : ''].filter((name) => name !== '').join(' ');
  return html`<td class="${classes}">${makeMoveCell(ply, phrases)}</td><td class="t">${
    ply.clockMs === undefined ? '' : makeClock(ply.clockMs)
  }</td><td class="t">${ply.usedMs === undefined ? '' : makeUsedTime(ply.usedMs)}</td>`;
}

/** Whether a side need not write a ply. */
const isFreeAt = ({ free }: Scoresheet, side: Side, ply: number): boolean =>
  free.some((stretch) => stretch.side === side && ply >= stretch.ply && ply <= stretch.lastPly);

function makeLegend(sheet: Scoresheet, phrases: Phrases): Html {
  const legend = legendOf(sheet, phrases);
  const signs = legend.map(([sign, meaning]) => `${sign} ${meaning}`).join('; ');
  return html`<div class="small">
${legend.length === 0 ? undefined : html`<p>${phrases.text('sheet-legend')}: ${signs}.</p>\n`}${notesOf(
  sheet,
  phrases,
).map((note) => html`<p>${note}</p>\n`)}</div>`;
}
