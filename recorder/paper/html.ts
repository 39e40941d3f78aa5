/** HTML that is safe by construction: everything that is put into a template is text, unless it is a template itself. */
import type { Language } from '../language/language.ts';
import { plainText } from '../view/display-text.ts';

/** A piece of HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[] | undefined;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string): string => plainText(text).replace(/[&<>"']/g, (char) => ENTITIES[char]!);

const makePart = (part: Part): string => {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return part.map(({ text }) => text).join('');
};

/** Writes HTML: values are escaped, lists of HTML are joined, undefined is nothing. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.reduce((text, piece, i) => text + makePart(parts[i - 1]) + piece));

/** Printed on A4 in black and white as well as on a screen; no scripts, nothing from elsewhere. */
const STYLE = new Html(`
@page { size: A4; margin: 12mm 12mm 14mm; }
* { box-sizing: border-box; }
body { font: 10pt/1.3 "Liberation Sans", "DejaVu Sans", Arial, sans-serif; color: #000; background: #fff; margin: 0 auto; max-width: 186mm; padding: 4mm 0; }
h1 { font-size: 15pt; margin: 0 0 3mm; }
h2 { font-size: 11pt; margin: 4mm 0 1mm; border-bottom: 0.3mm solid #000; break-after: avoid; }
h3 { font-size: 10pt; margin: 2.5mm 0 0.5mm; break-after: avoid; }
dl { display: grid; grid-template-columns: max-content 1fr max-content 1fr; gap: 0.6mm 3mm; margin: 0 0 3mm; }
dt { color: #444; }
dd { margin: 0; font-weight: bold; border-bottom: 0.2mm solid #999; min-height: 1.3em; overflow-wrap: anywhere; }
dt.own { grid-column: 1; }
dd.own { grid-column: 2 / -1; }
.blocks { display: flex; gap: 4mm; align-items: flex-start; break-inside: avoid; margin-bottom: 3mm; }
table { border-collapse: collapse; flex: 1 1 0; width: 100%; font-size: 9pt; }
th, td { border: 0.2mm solid #777; padding: 0.35mm 1mm; text-align: left; white-space: nowrap; }
th { background: #eee; font-weight: bold; }
td.n, td.t { text-align: right; font-variant-numeric: tabular-nums; }
td.t { font-size: 8pt; color: #333; }
td.free { background: #f1f1f1; }
td.doubt { font-style: italic; }
ul { margin: 0; padding-left: 5mm; }
li { break-inside: avoid; overflow-wrap: anywhere; }
.result { font-size: 12pt; font-weight: bold; margin: 1mm 0 3mm; }
.small { font-size: 8.5pt; color: #333; }
.small p { margin: 0 0 0.5mm; }
.signatures { display: flex; gap: 8mm; margin-top: 12mm; break-inside: avoid; }
.signatures div { flex: 1; border-top: 0.3mm solid #000; padding-top: 1mm; font-size: 8.5pt; }
section.game { break-inside: avoid-page; }
@media screen { body { padding: 8mm; box-shadow: 0 0 3mm #bbb; } }
`);

/** A whole document that needs nothing besides itself. */
export const makePage = (language: Language, title: string, body: Html): string =>
  `<!doctype html>\n${
    html`<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`.text
  }`;

/** A list of texts under a heading; nothing when there are none. */
export const makeList = (title: string, texts: readonly string[]): Html =>
  texts.length === 0
    ? html``
    : html`<h2>${title}</h2>
<ul>
${texts.map((text) => html`<li>${text}</li>\n`)}</ul>
`;
