import type { Flag } from '../../core/flag.ts';
import type { ResultReason } from '../../core/game-event.ts';
import { terminationOf } from '../../core/laws/endings.ts';
import type { LiveState } from '../language/catalogue.ts';
import { createPhrases, type Phrases } from '../language/phrases.ts';
import { makeClock } from '../pgn/clock-text.ts';
import { cutStart, cutText, displayWidth, padText, plainText } from './display-text.ts';
import { IN_PLAY, type LiveRow, type LiveView } from './live-view.ts';

/** A column: what it holds, how little and how much room it makes sense in, and how early it is left out. */
interface Column {
  readonly title: (phrases: Phrases) => string;
  readonly text: (row: LiveRow, phrases: Phrases) => string;
  readonly least: number;
  readonly most: number;
  /** Columns with the highest number go first when there is no room; 0 stays. */
  readonly leaveOut: number;
  /** The end of the text is what matters. */
  readonly fromEnd?: boolean;
  /** As wide as it may be, whatever it holds now. */
  readonly steady?: boolean;
}

const clock = (ms: number | undefined, runs: boolean): string =>
  ms === undefined ? '' : `${runs ? '>' : ' '}${makeClock(ms)}`;

const COLUMNS: readonly Column[] = [
  { title: (p) => p.text('live-board'), text: (row) => row.board, least: 9, most: 18, leaveOut: 0 },
  { title: (p) => p.side('white').title, text: (row) => row.white, least: 8, most: 20, leaveOut: 4 },
  { title: (p) => p.side('black').title, text: (row) => row.black, least: 8, most: 20, leaveOut: 4 },
  {
    title: (p) => p.text('live-ply'),
    text: (row) => (row.plies === 0 ? '' : String(row.plies)),
    least: 3,
    most: 3,
    leaveOut: 5,
  },
  {
    title: (p) => p.text('live-moves'),
    text: (row) => row.moves,
    least: 12,
    most: 60,
    leaveOut: 2,
    fromEnd: true,
    steady: true,
  },
  {
    title: (p) => ` ${p.side('white').title}`,
    text: (row) => clock(row.whiteMs, row.running === 'white'),
    least: 8,
    most: 9,
    leaveOut: 3,
  },
  {
    title: (p) => ` ${p.side('black').title}`,
    text: (row) => clock(row.blackMs, row.running === 'black'),
    least: 8,
    most: 9,
    leaveOut: 3,
  },
  {
    title: (p) => p.text('live-state'),
    text: (row, p) => makeStateText(row.state, p),
    least: 9,
    most: 16,
    leaveOut: 0,
    steady: true,
  },
  {
    title: (p) => p.text('live-flag'),
    text: (row, p) => (row.flag === undefined ? '' : p.flag(row.flag).name),
    least: 8,
    most: 18,
    leaveOut: 1,
  },
];

const GAP = 2;
/** A table with explanations is no longer than what can be looked over. */
const MOST_LINES = 60;

/**
 * Draws all boards as lines of at most `width` cells and at most `height` lines: a title, a line a board, then what else
 * is to be said. Columns that have no room are left out, rows that have none are counted.
 */
export function makeLiveTable(
  view: LiveView,
  width: number,
  height = Number.POSITIVE_INFINITY,
  phrases: Phrases = createPhrases('en'),
): string[] {
  const rows = [...view.rows].sort(compareRows);
  const cells = rows.map((row) => COLUMNS.map((column) => plainText(column.text(row, phrases))));
  const titles = COLUMNS.map(({ title }) => title(phrases));
  const widths = fitColumns(titles, cells, width);
  const draw = (texts: readonly string[]): string =>
    COLUMNS.flatMap((column, i) => {
      const room = widths[i]!;
      if (room === 0) return [];
      const text = texts[i] ?? '';
      return [padText(column.fromEnd === true ? cutStart(text, room) : cutText(text, room), room)];
    })
      .join(' '.repeat(GAP))
      .trimEnd();

  const foot = [...[...view.ports].map(([port, why]) => `${port}: ${why}`), ...view.notices].map((line) =>
    cutText(plainText(line), width),
  );
  const playing = rows.filter((row) => IN_PLAY.includes(row.state)).length;
  const plies = rows.reduce((sum, row) => sum + row.plies, 0);
  const summary =
    rows.length === 0
      ? phrases.text('live-no-board')
      : phrases.text('live-summary', {
          boards: phrases.count('board', rows.length),
          playing,
          plies: phrases.count('ply', plies),
        });

  const room = Math.max(1, height - 2 - foot.length);
  const shown = cells.length > room ? cells.slice(0, room - 1) : cells;
  const lines = rows.length === 0 ? [] : [draw(titles), ...shown.map(draw)];
  if (shown.length < cells.length)
    lines.push(cutText(phrases.text('live-more', { more: cells.length - shown.length }), width));
  const drawn = [...lines, cutText(summary, width), ...foot].slice(0, Math.max(1, height));
  // What flags mean is said where there is room for it.
  const explained = rows.flatMap((row) =>
    row.flag === undefined ? [] : [explain(row.board, row.flag, phrases)],
  );
  for (const line of explained)
    if (drawn.length < Math.min(height, MOST_LINES)) drawn.push(cutText(plainText(line), width));
  return drawn;
}

/** A board's flag in a sentence, with its code, its article, and the squares or moves concerned. */
function explain(board: string, flag: Flag, phrases: Phrases): string {
  const { tells, article, detail } = phrases.flag(flag);
  const about = [article, detail].filter((text) => text !== '').join(', ');
  return `${board}: ${flag.code} ${tells}${about === '' ? '' : ` (${about})`}`;
}

/** A state in a language: a word of the table, or a result with what brought it about. */
function makeStateText(state: string, { catalogue }: Phrases): string {
  if (Object.hasOwn(catalogue.liveStates, state)) return catalogue.liveStates[state as LiveState];
  const [result = '', reason] = state.split(' ');
  if (reason === undefined) return result;
  return `${result} ${catalogue.terminations[terminationOf(reason as ResultReason)].short}`.trimEnd();
}

const collator = new Intl.Collator('en', { numeric: true });
const compareRows = (a: LiveRow, b: LiveRow): number => collator.compare(a.board, b.board);

/** Room for each column, 0 for those that are left out; together with the gaps never more than `width`. */
function fitColumns(
  titles: readonly string[],
  cells: readonly (readonly string[])[],
  width: number,
): number[] {
  const wanted = COLUMNS.map((column, i) => {
    const widest = Math.max(displayWidth(titles[i]!), ...cells.map((row) => displayWidth(row[i]!)), 0);
    // Move text grows and states change: their columns keep their place from the first word on.
    return column.steady === true ? column.most : Math.min(column.most, widest);
  });
  // A column in which nothing stands needs no room.
  const empty = COLUMNS.map((column, i) => column.leaveOut > 0 && cells.every((row) => row[i] === ''));
  const kept = new Set(COLUMNS.keys());
  for (const i of COLUMNS.keys()) if (empty[i] === true) kept.delete(i);
  const least = (): number =>
    [...kept].reduce((sum, i) => sum + Math.min(COLUMNS[i]!.least, wanted[i]!), 0) + GAP * (kept.size - 1);
  while (least() > width && kept.size > 1) {
    const next = [...kept].reduce((a, b) => (COLUMNS[b]!.leaveOut >= COLUMNS[a]!.leaveOut ? b : a));
    kept.delete(next);
  }
  const widths = COLUMNS.map((column, i) => (kept.has(i) ? Math.min(column.least, wanted[i]!) : 0));
  let left = width - least();
  // What is left goes round in turn, so that no column takes all of it.
  for (let given = true; given && left > 0; ) {
    given = false;
    for (const i of kept) {
      if (left === 0 || widths[i]! >= wanted[i]!) continue;
      widths[i]!++;
      left--;
      given = true;
    }
  }
  if (kept.size === 1) for (const i of kept) widths[i] = Math.min(widths[i]!, width);
  return widths;
}
