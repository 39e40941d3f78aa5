import { makeClock } from '../pgn/clock-text.ts';
import { cutStart, cutText, displayWidth, padText, plainText } from './display-text.ts';
import { IN_PLAY, type LiveRow, type LiveView } from './live-view.ts';

/** A column: what it holds, how little and how much room it makes sense in, and how early it is left out. */
interface Column {
  readonly title: string;
  readonly text: (row: LiveRow) => string;
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
  { title: 'Board', text: (row) => row.board, least: 9, most: 18, leaveOut: 0 },
  { title: 'White', text: (row) => row.white, least: 8, most: 20, leaveOut: 4 },
  { title: 'Black', text: (row) => row.black, least: 8, most: 20, leaveOut: 4 },
  { title: 'Ply', text: (row) => (row.plies === 0 ? '' : String(row.plies)), least: 3, most: 3, leaveOut: 5 },
  { title: 'Moves', text: (row) => row.moves, least: 12, most: 60, leaveOut: 2, fromEnd: true, steady: true },
  {
    title: ' White',
    text: (row) => clock(row.whiteMs, row.running === 'white'),
    least: 8,
    most: 9,
    leaveOut: 3,
  },
  {
    title: ' Black',
    text: (row) => clock(row.blackMs, row.running === 'black'),
    least: 8,
    most: 9,
    leaveOut: 3,
  },
  { title: 'State', text: (row) => row.state, least: 9, most: 16, leaveOut: 0, steady: true },
  { title: 'Flag', text: (row) => row.flag?.code ?? '', least: 8, most: 18, leaveOut: 1 },
];

const GAP = 2;

/**
 * Draws all boards as lines of at most `width` cells and at most `height` lines: a title, a line a board, then what else
 * is to be said. Columns that have no room are left out, rows that have none are counted.
 */
export function makeLiveTable(view: LiveView, width: number, height = Number.POSITIVE_INFINITY): string[] {
  const rows = [...view.rows].sort(compareRows);
  const cells = rows.map((row) => COLUMNS.map((column) => plainText(column.text(row))));
  const widths = fitColumns(cells, width);
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
      ? 'no board yet'
      : `${count(rows.length, 'board', 'boards')}, ${playing} playing, ${count(plies, 'ply', 'plies')}`;

  const room = Math.max(1, height - 2 - foot.length);
  const shown = cells.length > room ? cells.slice(0, room - 1) : cells;
  const lines = rows.length === 0 ? [] : [draw(COLUMNS.map(({ title }) => title)), ...shown.map(draw)];
  if (shown.length < cells.length) lines.push(`... and ${cells.length - shown.length} more`);
  return [...lines, cutText(summary, width), ...foot].slice(0, Math.max(1, height));
}

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

const collator = new Intl.Collator('en', { numeric: true });
const compareRows = (a: LiveRow, b: LiveRow): number => collator.compare(a.board, b.board);

/** Room for each column, 0 for those that are left out; together with the gaps never more than `width`. */
function fitColumns(cells: readonly (readonly string[])[], width: number): number[] {
  const wanted = COLUMNS.map((column, i) => {
    const widest = Math.max(displayWidth(column.title), ...cells.map((row) => displayWidth(row[i]!)), 0);
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
