/**
 * Writes a game as PGN in the export form of the 1994 standard, with the restrictions that readers of broadcasts add:
 * several of them cut a file at empty lines and brackets without reading what stands between.
 */
import type { GameRecord } from '../../core/game-record.ts';
import { START_FEN } from '../../core/position.ts';
import { makeClock } from './clock-text.ts';
import { writtenPlies } from './written-plies.ts';

/** Tags of one game by name; order and escaping are the writer's business. */
export type PgnHeaders = Readonly<Record<string, string>>;

export interface PgnWriterOptions {
  /** Clock times with one decimal. */
  readonly tenths?: boolean;
  /** The time each move took as well (`%emt`), beside the clock. */
  readonly spent?: boolean;
  /** Points that PGN has no token for (`0-0`) as the Result tag, for readers that take them; the text ends with `*` all the same. */
  readonly points?: boolean;
  /** Provisional and ambiguous plies as well: for the desk and for tests, never for a feed. */
  readonly all?: boolean;
}

/** The tags every game carries, in their order, with the value of an unknown one. */
export const ROSTER = [
  ['Event', '?'],
  ['Site', '?'],
  ['Date', '????.??.??'],
  ['Round', '?'],
  ['White', '?'],
  ['Black', '?'],
  ['Result', '*'],
] as const;

/** Longest line of tags, and longest line of move text: fewer than 80 printing characters. */
const TAG_LINE = 255;
const TEXT_LINE = 79;

/**
 * What a PGN string may hold of a text: on one line, without control characters and turned directions, trimmed, inner white space single.
 * Lone surrogates become U+FFFD, so that the text is the same after UTF-8.
 */
export const cleanText = (text: string): string =>
  text
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .trim();

/**
 * The form in which a tag name may be written: letters only, because widely used readers give up a whole game whose
 * tag name holds a digit or an underscore; undefined when no letter is left.
 */
export function makeTagName(name: string): string | undefined {
  const letters = name.replace(/[^A-Za-z]/g, '');
  return letters === '' ? undefined : letters[0]!.toUpperCase() + letters.slice(1);
}

/** Writes one tag as a line of at most 255 characters; what does not fit is cut, never inside an escape. */
export function makeTag(name: string, value: string): string {
  const head = `[${name} "`;
  let room = TAG_LINE - head.length - 2;
  let text = '';
  for (const char of cleanText(value)) {
    const piece = char === '"' || char === '\\' ? `\\${char}` : char;
    room -= piece.length;
    if (room < 0) break;
    text += piece;
  }
  return `${head}${text.trimEnd()}"]`;
}

/** Writes a date as PGN wants it, from PGN form or ISO 8601; question marks when it is neither. */
export function makeDate(text: string): string {
  const match = /^([\d?]{4})[.\-/]([\d?]{2})[.\-/]([\d?]{2})(?:T.*)?$/.exec(text.trim());
  return match === null ? '????.??.??' : `${match[1]}.${match[2]}.${match[3]}`;
}

/**
 * Writes one game: tags, an empty line, move text that ends with the result and a line feed.
 *
 * Only plies that are certain are written: the text stops before the first provisional or ambiguous one (unless
 * `all`), and before a move that is not legal where it stands, which is told in a comment. So what is in a file was
 * played, and every reader can play it.
 */
export function makePgn(
  record: GameRecord,
  headers: PgnHeaders = {},
  options: PgnWriterOptions = {},
): string {
  const tags = makeTags(record, headers, options);
  return `${tags.join('\n')}\n\n${wrap(makeMoveText(record, options))}\n`;
}

/** Joins games to one file, an empty line between them. */
export const joinPgn = (games: readonly string[]): string => games.join('\n');

function makeTags(record: GameRecord, headers: PgnHeaders, { points }: PgnWriterOptions): string[] {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const key = makeTagName(name);
    if (key !== undefined && cleanText(value) !== '' && !values.has(key)) values.set(key, value);
  }
  for (const owned of ['FEN', 'SetUp', 'Variant']) values.delete(owned);
  values.set('Date', makeDate(values.get('Date') ?? ''));
  values.set('Result', (points === true ? record.score : undefined) ?? record.result);
  if (record.variant === 'chess960') values.set('Variant', 'Chess960');
  if (record.variant === 'chess960' || record.start !== START_FEN) {
    values.set('FEN', record.start);
    values.set('SetUp', '1');
  }
  const lines = ROSTER.map(([name, unknown]) => makeTag(name, values.get(name) ?? unknown));
  const roster = new Set<string>(ROSTER.map(([name]) => name));
  // Plain comparison is the ASCII order the standard asks for.
  const others = [...values.keys()].filter((name) => !roster.has(name)).sort();
  for (const name of others) lines.push(makeTag(name, values.get(name)!));
  return lines;
}

/** The words of the move text, each to be kept on one line. */
function makeMoveText(record: GameRecord, options: PgnWriterOptions): string[] {
  const words: string[] = [];
  const { plies, stop } = writtenPlies(record, options.all);
  let numberIsDue = true;
  for (const { ply, san, side, moveNumber, spentMs } of plies) {
    if (side === 'white') words.push(`${moveNumber}.`);
    else if (numberIsDue) words.push(`${moveNumber}...`);
    words.push(san);
    const times: string[] = [];
    if (ply.clockMs !== undefined && ply.completedAtMs !== undefined)
      times.push(`[%clk ${makeClock(ply.clockMs, options.tenths)}]`);
    if (options.spent === true && spentMs !== undefined)
      times.push(`[%emt ${makeClock(spentMs, options.tenths)}]`);
    numberIsDue = times.length > 0;
    // One word, so that no line begins with a bracket.
    if (numberIsDue) words.push(`{${times.join(' ')}}`);
  }
  if (stop !== undefined) {
    const what = stop.type === 'illegal' ? `illegal move ${stop.squares} stands` : 'move not written';
    words.push(...`{${what}: see the record}`.split(' '));
  }
  words.push(record.result);
  return words;
}

/** Fills lines of move text; no word of it begins with `%` or `[`, so no line does. */
function wrap(words: readonly string[]): string {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > TEXT_LINE) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  lines.push(line);
  return lines.join('\n');
}
