/**
 * Pages for everybody who follows a round: overview, game, a board to be set into another page, screens for a projector. Documents like
 * any other of an output, made of what it may show: its delay and what is withheld count for them too. While a game goes on a page
 * looks for its newest state by itself: by the one script there is, which keeps what is shown when the way to the server is gone, and
 * without scripts by loading anew.
 */
import { EMPTY, type Placement, roleOfCell, sideOfCell } from '../../core/placement.ts';
import { Position } from '../../core/position.ts';
import type { Side } from '../../core/square.ts';
import { LANGUAGES, type Language } from '../language/language.ts';
import { createPhrases, type Phrases } from '../language/phrases.ts';
import { CATALOGUES } from '../language/wording.ts';
import { Html, html } from '../paper/html.ts';
import { makeClock } from '../pgn/clock-text.ts';
import { type WrittenPly, writtenPlies } from '../pgn/written-plies.ts';
import { isOver } from './release.ts';
import { type ShownGame, shownRecord } from './shown-game.ts';

/** Boards on one screen of a projector. */
export const SCREEN_BOARDS = 12;
/** So many stand in one row. */
const FEW_BOARDS = 4;
/** A page with a game that goes on is loaded again so often, s. */
const AGAIN_S = 15;
/** A screen stands so long before the next one comes, s. */
const SCREEN_S = 12;

/** Which page of a round, by its name in the address; of the event: its newest round. */
export type PublicPage =
  | { readonly type: 'round' }
  | { readonly type: 'game' | 'embed'; readonly board: number }
  | { readonly type: 'screen'; readonly number: number };

const BASES: Readonly<Record<PublicPage['type'], string>> = {
  round: 'index',
  game: 'game',
  embed: 'embed',
  screen: 'screen',
};

/** The file of a page: `index.html`, `game-4.ru.html`; English is the one without a language. */
export function pageFile(page: PublicPage, language: Language = 'en'): string {
  const number = page.type === 'round' ? '' : `-${page.type === 'screen' ? page.number : page.board}`;
  return `${BASES[page.type]}${number}${language === 'en' ? '' : `.${language}`}.html`;
}

/** Reads the name of a file as `pageFile` writes it; undefined when it is none. */
export function parsePageFile(
  file: string,
): { readonly page: PublicPage; readonly language: Language } | undefined {
  const match = /^(index|(?:game|embed|screen)-(\d{1,6}))(?:\.(\w+))?\.html$/.exec(file);
  if (match === null) return undefined;
  const [, base = '', digits, word = 'en'] = match;
  const language = LANGUAGES.find((known) => known === word);
  if (language === undefined || match[3] === 'en') return undefined;
  const number = Number(digits);
  const type = base.split('-')[0];
  if (type === 'game' || type === 'embed') return { page: { type, board: number }, language };
  return { page: type === 'screen' ? { type, number } : { type: 'round' }, language };
}

/** The pages of a round with these boards, in all languages. */
export function pagesOf(boards: readonly number[]): string[] {
  const screens = Math.ceil(boards.length / SCREEN_BOARDS);
  const pages: PublicPage[] = [
    { type: 'round' },
    ...boards.flatMap((board): PublicPage[] => [
      { type: 'game', board },
      { type: 'embed', board },
    ]),
    ...Array.from({ length: screens }, (_, i): PublicPage => ({ type: 'screen', number: i + 1 })),
  ];
  return LANGUAGES.flatMap((language) => pages.map((page) => pageFile(page, language)));
}

interface Words {
  readonly round: string;
  readonly board: string;
  readonly moves: string;
  readonly start: string;
  readonly screen: string;
  readonly pgn: string;
  readonly again: string;
  readonly delayed: string;
  readonly playing: string;
  readonly waiting: string;
  readonly events: string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    round: 'Round',
    board: 'Board',
    moves: 'Moves',
    start: 'No moves yet.',
    screen: 'For a projector',
    pgn: 'Games as PGN',
    again: 'While games go on this page is loaded again by itself.',
    delayed: 'Shown with a delay.',
    playing: 'in play',
    waiting: 'not begun',
    events: 'Tournaments',
  },
  ru: {
    round: 'Тур',
    board: 'Доска',
    moves: 'Ходы',
    start: 'Ходов ещё нет.',
    screen: 'Для проектора',
    pgn: 'Партии в PGN',
    again: 'Пока идут партии, страница обновляется сама.',
    delayed: 'Показывается с задержкой.',
    playing: 'идёт',
    waiting: 'не начата',
    events: 'Турниры',
  },
  be: {
    round: 'Тур',
    board: 'Дошка',
    moves: 'Хады',
    start: 'Хадоў яшчэ няма.',
    screen: 'Для праектара',
    pgn: 'Партыі ў PGN',
    again: 'Пакуль ідуць партыі, старонка абнаўляецца сама.',
    delayed: 'Паказваецца з затрымкай.',
    playing: 'ідзе',
    waiting: 'не пачата',
    events: 'Турніры',
  },
};

/** What a page knows of the event. */
export interface PublicRound {
  readonly name: string;
  readonly round: number;
  /** All rounds that have a page. */
  readonly rounds: readonly number[];
  /** Its games, in the order of the boards. */
  readonly games: readonly ShownGame[];
  readonly isDelayed: boolean;
}

/** Writes a page; undefined when there is no such board or screen. `up`: the way to the folder of the event, `''` or `'../'`. */
export function makePublicPage(
  at: PublicRound,
  page: PublicPage,
  language: Language,
  up: string,
): string | undefined {
  const phrases = createPhrases(language);
  const words = WORDS[language];
  const title = `${at.name} · ${words.round} ${at.round}`;
  const file = (to: PublicPage): string => pageFile(to, language);
  const folder = up === '' ? `round-${at.round}/` : '';
  switch (page.type) {
    case 'round': {
      const body = html`${makeHead(at, page, language, up)}<main>
<h1>${title}</h1>
<ul class="boards">
${at.games.map(
  (shown) =>
    html`<li><a href="${folder}${file({ type: 'game', board: shown.game.board })}">${makeBoard(shown, phrases, words)}</a></li>\n`,
)}</ul>
</main>
<footer>${at.games.length > 0 ? html`<a href="${folder}${file({ type: 'screen', number: 1 })}">${words.screen}</a> · ` : undefined}<a href="${folder}games.pgn">${words.pgn}</a>
${makeNote(at, words)}</footer>`;
      return makeDocument(language, title, body, again(at.games));
    }
    case 'screen': {
      const from = (page.number - 1) * SCREEN_BOARDS;
      const games = at.games.slice(Math.max(0, from), from + SCREEN_BOARDS);
      if (games.length === 0) return undefined;
      const isLast = from + SCREEN_BOARDS >= at.games.length;
      const next = file({ type: 'screen', number: isLast ? 1 : page.number + 1 });
      const body = html`<main class="screen${games.length <= FEW_BOARDS ? ' few' : ''}">
<h1>${title}</h1>
<ul class="boards">
${games.map((shown) => html`<li>${makeBoard(shown, phrases, words)}</li>\n`)}</ul>
</main>`;
      return makeDocument(language, title, body, { seconds: SCREEN_S, to: next });
    }
    default: {
      const shown = at.games.find(({ game }) => game.board === page.board);
      if (shown === undefined) return undefined;
      const { White: white = '?', Black: black = '?' } = shown.game.tags;
      const heading = `${white} – ${black}`;
      const board = html`<div class="one">${makeBoard(shown, phrases, words)}</div>`;
      const moves = html`<section><h2>${words.moves}</h2>
${makeMoves(shown, phrases, words)}</section>`;
      const body =
        page.type === 'embed'
          ? html`<main class="embed">
<h1 class="hidden">${heading}</h1>
${board}
</main>`
          : html`${makeHead(at, page, language, up)}<main>
<h1>${heading}</h1>
<p><a href="${file({ type: 'round' })}">${title}</a></p>
<div class="game">${board}
${moves}</div>
</main>
<footer><a href="game-${page.board}.pgn">PGN</a>
${makeNote(at, words)}</footer>`;
      return makeDocument(language, `${heading} · ${title}`, body, again([shown]));
    }
  }
}

/** The page of several events beside each other, by the folder of each. */
export function makeEventsPage(
  events: readonly { readonly name: string; readonly folder: string }[],
  language: Language,
): string {
  const title = WORDS[language].events;
  const file = pageFile({ type: 'round' }, language);
  return makeDocument(
    language,
    title,
    html`<main><h1>${title}</h1>
<ul>
${events.map(({ name, folder }) => html`<li><a href="${encodeURI(folder)}${file}">${name}</a></li>\n`)}</ul></main>`,
    undefined,
  );
}

const isLive = (shown: ShownGame): boolean => shown.release !== undefined && !isOver(shown.release.record);

/** A round that nobody plays yet is looked at again too. */
const again = (games: readonly ShownGame[]): { readonly seconds: number } | undefined =>
  games.every((shown) => shownRecord(shown).result !== '*' || isOver(shownRecord(shown)))
    ? undefined
    : { seconds: AGAIN_S };

function makeHead({ round, rounds }: PublicRound, page: PublicPage, language: Language, up: string): Html {
  return html`<header><nav>${rounds.map((number) =>
    number === round
      ? html`<a href="${up}round-${number}/${pageFile({ type: 'round' }, language)}" aria-current="true">${WORDS[language].round} ${number}</a> `
      : html`<a href="${up}round-${number}/${pageFile({ type: 'round' }, language)}">${WORDS[language].round} ${number}</a> `,
  )}</nav>
<nav>${LANGUAGES.map((other) =>
    other === language
      ? html`<span lang="${other}">${CATALOGUES[other].endonym}</span> `
      : html`<a lang="${other}" hreflang="${other}" href="${pageFile(page, other)}">${CATALOGUES[other].endonym}</a> `,
  )}</nav></header>
`;
}

const makeNote = ({ games, isDelayed }: PublicRound, words: Words): Html =>
  html`<p>${isDelayed ? `${words.delayed} ` : ''}${again(games) === undefined ? '' : words.again}</p>`;

/** Where a game stands: the position after what may be shown, and the ply that led there. */
function standOf(shown: ShownGame): { readonly cells: Placement; readonly plies: readonly WrittenPly[] } {
  const record = shownRecord(shown);
  const { plies } = writtenPlies(record);
  const start = Position.fromFen(record.start, record.variant);
  let position = start.ok ? start.value : Position.initial();
  for (const { san } of plies) {
    const move = position.parseSan(san);
    if (move === undefined) break;
    position = position.play(move);
  }
  return { cells: position.cells, plies };
}

function resultOf(shown: ShownGame, words: Words): string {
  const record = shownRecord(shown);
  const score = record.score ?? record.result;
  if (score !== '*') return score;
  return isLive(shown) ? words.playing : words.waiting;
}

function makeBoard(shown: ShownGame, phrases: Phrases, words: Words): Html {
  const { cells, plies } = standOf(shown);
  const last = plies.at(-1);
  const lastText = last === undefined ? '' : `${numberOf(last)}${phrases.move(last.san)}`;
  const { White: white = '?', Black: black = '?' } = shown.game.tags;
  const label = `${words.board} ${shown.game.board}: ${white} – ${black}${lastText === '' ? '' : `, ${lastText}`}`;
  return html`<span class="top"><b>${shown.game.board}</b> <span class="result">${resultOf(shown, words)}</span></span>
${makePlayer(shown, 'black', plies)}
${makePicture(cells, last?.ply.uci, label)}
${makePlayer(shown, 'white', plies)}
<span class="last">${lastText}</span>`;
}

const numberOf = ({ moveNumber, side }: WrittenPly): string =>
  `${moveNumber}${side === 'white' ? '.' : '...'} `;

function makePlayer(shown: ShownGame, side: Side, plies: readonly WrittenPly[]): Html {
  const { tags } = shown.game;
  const name = (side === 'white' ? tags.White : tags.Black) ?? '?';
  const title = side === 'white' ? tags.WhiteTitle : tags.BlackTitle;
  const rating = side === 'white' ? tags.WhiteElo : tags.BlackElo;
  const clockMs = plies.findLast(
    ({ side: mover, ply }) => mover === side && ply.completedAtMs !== undefined && ply.clockMs !== undefined,
  )?.ply.clockMs;
  return html`<span class="player"><i class="disc ${side}"></i><span class="name">${title === undefined ? '' : `${title} `}${name}${rating === undefined ? '' : ` (${rating})`}</span>${
    clockMs === undefined ? undefined : html`<span class="clock">${makeClock(clockMs)}</span>`
  }</span>`;
}

const SHAPES = { king: '♚', queen: '♛', rook: '♜', bishop: '♝', knight: '♞', pawn: '♟' } as const;
/** As text, never as a coloured picture. */
const AS_TEXT = '\uFE0E';

/** The board as a drawing, White below. */
function makePicture(cells: Placement, lastUci: string | undefined, label: string): Html {
  const mark = (name: string): Html => {
    const [x, y] = [name.charCodeAt(0) - 97, 8 - Number(name[1])];
    return html`<rect class="last" x="${x}" y="${y}" width="1" height="1"/>`;
  };
  const uci = lastUci?.replace('!', '') ?? '';
  const marks = uci === '' ? [] : [mark(uci.slice(0, 2)), mark(uci.slice(2, 4))];
  const pieces = Array.from(cells).flatMap((cell, square) => {
    const [side, role] = [sideOfCell(cell), roleOfCell(cell)];
    if (cell === EMPTY || side === undefined || role === undefined) return [];
    const [x, y] = [square & 7, 7 - (square >> 3)];
    return [
      html`<text class="${side}" x="${x + 0.5}" y="${(y + 0.82).toFixed(2)}">${SHAPES[role]}${AS_TEXT}</text>`,
    ];
  });
  return html`<svg viewBox="0 0 8 8" role="img" aria-label="${label}"><rect class="light" width="8" height="8"/><path class="dark" d="${DARK}"/>${marks}${pieces}</svg>`;
}

/** The dark squares in one stroke: a1 is dark. */
const DARK = Array.from({ length: 64 }, (_, i) => [i % 8, i >> 3] as const)
  .filter(([x, y]) => (x + y) % 2 === 1)
  .map(([x, y]) => `M${x} ${y}h1v1h-1z`)
  .join('');

function makeMoves(shown: ShownGame, phrases: Phrases, words: Words): Html {
  const { plies } = standOf(shown);
  if (plies.length === 0) return html`<p>${words.start}</p>`;
  const rows: { number: number; white?: WrittenPly; black?: WrittenPly }[] = [];
  for (const ply of plies) {
    const row = rows.at(-1);
    if (ply.side === 'black' && row !== undefined && row.black === undefined) row.black = ply;
    else rows.push({ number: ply.moveNumber, [ply.side]: ply });
  }
  const cell = (ply: WrittenPly | undefined): Html =>
    ply === undefined
      ? html`<td></td><td></td>`
      : html`<td>${phrases.move(ply.san)}</td><td class="time">${
          ply.ply.clockMs === undefined || ply.ply.completedAtMs === undefined
            ? ''
            : makeClock(ply.ply.clockMs)
        }</td>`;
  const score = shownRecord(shown).score ?? shownRecord(shown).result;
  return html`<table>
<thead><tr><th scope="col">№</th><th scope="col" colspan="2">${phrases.side('white').title}</th><th scope="col" colspan="2">${phrases.side('black').title}</th></tr></thead>
<tbody>
${rows.map(({ number, white, black }) => html`<tr><th scope="row">${number}</th>${cell(white)}${cell(black)}</tr>\n`)}</tbody>
</table>
${score === '*' ? undefined : html`<p class="score">${score}</p>`}`;
}

/**
 * The one script of the pages: puts what the server has now in the place of what is shown, where somebody reads on, and goes on
 * trying. Its digest is in the header that allows it.
 */
export const PAGE_SCRIPT = `
addEventListener('DOMContentLoaded', () => {
  let at = location.href;
  const look = async () => {
    const { next = '' } = document.body.dataset;
    let to = new URL(next, at);
    try {
      let reply = await fetch(to, { cache: 'no-cache' });
      if (reply.status === 404 && next !== '') {
        to = new URL(next.replace(/-\\d+/, '-1'), at);
        reply = await fetch(to, { cache: 'no-cache' });
      }
      if (reply.ok) {
        const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
        at = to.href;
        if (page.body.innerHTML !== document.body.innerHTML) {
          const focused = document.activeElement?.getAttribute('href');
          document.title = page.title;
          document.body.replaceChildren(...page.body.childNodes);
          if (focused) [...document.links].find((link) => link.getAttribute('href') === focused)?.focus();
        }
        for (const name of ['again', 'next']) {
          if (page.body.dataset[name] === undefined) delete document.body.dataset[name];
          else document.body.dataset[name] = page.body.dataset[name];
        }
      }
    } catch {}
    wait();
  };
  const wait = () => {
    const { again } = document.body.dataset;
    if (again !== undefined) setTimeout(look, Number(again) * 1000);
  };
  wait();
});
`;

const SCRIPT = new Html(PAGE_SCRIPT);

const STYLE = new Html(`
:root { color-scheme: light dark; --back: #fff; --text: #1a1a1a; --soft: #555; --line: #ccc; --link: #0b5394; }
@media (prefers-color-scheme: dark) { :root { --back: #16181b; --text: #eee; --soft: #b5b5b5; --line: #444; --link: #8ab8ee; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 12px; background: var(--back); color: var(--text); font: 16px/1.4 system-ui, "Liberation Sans", Arial, sans-serif; }
a { color: var(--link); }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 8px; }
nav a, nav span { display: inline-block; padding: 2px 4px; }
a[aria-current] { font-weight: bold; }
h1 { font-size: 1.3rem; margin: 8px 0; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 8px 0; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.boards { list-style: none; margin: 0; padding: 0; display: grid; gap: 14px; grid-template-columns: repeat(auto-fill, minmax(min(210px, 46vw), 1fr)); }
.boards a { color: inherit; text-decoration: none; display: block; }
.boards a:hover svg, .boards a:focus-visible svg { outline: 3px solid var(--link); }
svg { display: block; width: 100%; height: auto; }
.light { fill: #f0d9b5; } .dark { fill: #b58863; } rect.last { fill: #9bc53d; fill-opacity: .65; }
svg text { font-size: .92px; text-anchor: middle; font-family: "DejaVu Sans", "Noto Sans Symbols 2", "Segoe UI Symbol", "Apple Symbols", sans-serif; stroke-linejoin: round; paint-order: stroke; }
svg text.white { fill: #fff; stroke: #222; stroke-width: .07px; } svg text.black { fill: #222; stroke: #eee; stroke-width: .03px; }
.top, .player { display: flex; gap: 6px; align-items: baseline; justify-content: space-between; min-width: 0; }
.name { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.disc { flex: none; width: .7em; height: .7em; border: 1px solid #777; border-radius: 50%; } .disc.white { background: #fff; } .disc.black { background: #222; }
.clock, .time { font-variant-numeric: tabular-nums; } .time, .last, footer { color: var(--soft); } .last { display: block; min-height: 1.4em; }
.game { display: grid; gap: 16px; grid-template-columns: minmax(0, 520px) minmax(240px, 1fr); } @media (max-width: 720px) { .game { grid-template-columns: minmax(0, 1fr); } }
table { border-collapse: collapse; } th, td { text-align: left; padding: 1px 10px 1px 0; font-weight: normal; } thead th { border-bottom: 1px solid var(--line); } tbody th { color: var(--soft); }
.score { font-weight: bold; }
.embed { max-width: 600px; }
.screen h1 { font-size: max(1.3rem, 3.2vh); }
@media (min-width: 721px) { body:has(.screen) { padding: 1vh 1.2vw; overflow: hidden; } .screen .boards { grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 1.6vh 1.2vw; } .screen.few .boards { grid-template-columns: repeat(auto-fit, minmax(0, 1fr)); } .screen li { font-size: max(1rem, 2.1vh); line-height: 1.25; max-width: 62vh; } .screen .top { font-size: 1.15em; font-weight: bold; } .screen .clock { font-weight: bold; } .screen .name { font-weight: 600; } .screen .last { color: var(--text); font-size: 1.1em; } }
`);

/** A whole page; what it loads again, and when. */
const makeDocument = (
  language: Language,
  title: string,
  body: Html,
  next: { readonly seconds: number; readonly to?: string } | undefined,
): string =>
  `<!doctype html>\n${
    html`<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${
  next === undefined
    ? undefined
    : html`<script>${SCRIPT}</script>
<noscript><meta http-equiv="refresh" content="${next.seconds}${next.to === undefined ? '' : `;url=${next.to}`}"></noscript>`
}
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body${next === undefined ? undefined : html` data-again="${next.seconds}"`}${next?.to === undefined ? undefined : html` data-next="${next.to}"`}>
${body}
</body>
</html>
`.text
  }`;
