import { parse } from 'csv-parse/sync';
import { foldName, isNobody } from '../tournament/player-name.ts';
import type { PlayerFacts } from '../tournament/tournament.ts';
import {
  factOf,
  type Imported,
  type ImportedPairing,
  type ImportWarning,
  lineWarning,
  parseListResult,
  parseNumber,
  parseTitle,
  type ReadOptions,
} from './imported.ts';

/** What a column is called, folded; `white` and `black` before a word of a player name whose it is. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  round: ['round', 'rd', 'тур', 'runde', 'ronde', 'ronda', 'runda', 'kolo', 'turno'],
  board: [
    'board',
    'table',
    'bo',
    'bd',
    'доска',
    'стол',
    'стол доска',
    'дошка',
    'brett',
    'tisch',
    'tavolo',
    'mesa',
    'stol',
  ],
  section: ['section', 'group', 'группа', 'група', 'gruppe'],
  white: [
    'white',
    'white name',
    'name white',
    'белые',
    'белыя',
    'weiss',
    'blancs',
    'blancas',
    'bianco',
    'bily',
  ],
  black: [
    'black',
    'black name',
    'name black',
    'черные',
    'чорныя',
    'schwarz',
    'noirs',
    'negras',
    'nero',
    'cerny',
  ],
  result: [
    'result',
    'res',
    'score',
    'результат',
    'вынiк',
    'вынік',
    'ergebnis',
    'resultat',
    'resultado',
    'vysledek',
  ],
};
const PLAYER_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  fideId: ['fideid', 'fide id', 'fide', 'id fide', 'fide code'],
  title: ['title', 'звание'],
  rating: ['elo', 'rating', 'rtg', 'рейтинг', 'rating fide'],
  federation: ['federation', 'fed', 'country', 'федерация'],
  team: ['team', 'club', 'команда'],
  number: ['no', 'number', 'rank', 'snr', 'номер'],
};

const foldHead = (head: string): string =>
  head
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/ё/g, 'е')
    .replace(/ß/g, 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** What a column holds: `white`, `white.fideId`; undefined when nothing that is known. */
function columnOf(head: string): string | undefined {
  const folded = foldHead(head);
  for (const [name, words] of Object.entries(COLUMNS))
    if (words.some((word) => foldHead(word) === folded)) return name;
  for (const side of ['white', 'black'] as const) {
    for (const word of COLUMNS[side]!.map(foldHead)) {
      const own = folded.startsWith(`${word} `)
        ? folded.slice(word.length + 1)
        : folded.endsWith(` ${word}`)
          ? folded.slice(0, -word.length - 1)
          : undefined;
      if (own === undefined) continue;
      for (const [name, names] of Object.entries(PLAYER_COLUMNS))
        if (names.some((one) => foldHead(one) === own)) return `${side}.${name}`;
    }
  }
  return undefined;
}

/** The sign between fields: the one that the first line has most of. */
const delimiterOf = (line: string): string =>
  [';', '\t', ',', '|']
    .map((sign) => [sign, line.split(sign).length] as const)
    .sort(([, a], [, b]) => b - a)[0]![0];

/** Whether a text is a table whose head names both players. */
export function isPairingTable(text: string): boolean {
  const line =
    text
      .replace(/^\ufeff/, '')
      .split(/\r\n|\n|\r/)
      .find((row) => row.trim() !== '') ?? '';
  const heads = line.split(delimiterOf(line)).map((head) => columnOf(head.replace(/^\s*"|"\s*$/g, '')));
  return heads.includes('white') && heads.includes('black');
}

/**
 * Reads pairings from a table with a head (RFC 4180, also with semicolons or tabs). `White` and `Black` have to be there; `Round`, `Board`,
 * `Result`, `Section` and facts of players (`White FIDE ID`, `Black Elo`) may be, in English and some other languages.
 */
export function readCsv(text: string, options: ReadOptions = {}): Imported {
  const warnings: ImportWarning[] = [];
  const players: PlayerFacts[] = [];
  const known = new Map<string, number>();
  const pairings: ImportedPairing[] = [];
  const plain = text.replace(/^\ufeff/, '');
  const first = plain.split(/\r\n|\n|\r/).find((row) => row.trim() !== '') ?? '';
  const rows = parse(plain, {
    delimiter: delimiterOf(first),
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    trim: true,
    on_skip: (error) => {
      if (error !== undefined) warnings.push(lineWarning(Number(error.lines ?? 1), 'the row cannot be read'));
      return undefined;
    },
  }) as unknown as { readonly record: readonly string[]; readonly info: { readonly lines: number } }[];
  const [head, ...body] = rows;
  const columns = (head?.record ?? []).map((name) => columnOf(name));
  for (const [i, name] of (head?.record ?? []).entries())
    if (columns[i] === undefined && name !== '')
      warnings.push(lineWarning(1, `the column "${name}" is not known`));

  for (const { record, info } of body) {
    const line = info.lines;
    const get = (column: string): string => record[columns.indexOf(column)]?.trim() ?? '';
    const section = options.section ?? get('section');
    const player = (side: 'white' | 'black'): number | undefined => {
      const name = get(side);
      if (isNobody(name)) return undefined;
      const fideId = parseNumber(get(`${side}.fideId`));
      const facts: PlayerFacts = {
        section,
        name,
        ...factOf('fideId', fideId),
        ...factOf('title', parseTitle(get(`${side}.title`))),
        ...factOf('rating', parseNumber(get(`${side}.rating`))),
        ...factOf('federation', get(`${side}.federation`)),
        ...factOf('team', get(`${side}.team`)),
        ...factOf('number', parseNumber(get(`${side}.number`))),
      };
      const key = `${section}\n${fideId ?? foldName(name)}`;
      const at = known.get(key);
      if (at !== undefined) {
        players[at] = { ...players[at]!, ...facts };
        return at;
      }
      known.set(key, players.length);
      return players.push(facts) - 1;
    };
    const [white, black] = [player('white'), player('black')];
    if (white === undefined && black === undefined) {
      warnings.push(lineWarning(line, 'the row names no player'));
      continue;
    }
    const said = get('round');
    const round = parseNumber(said) ?? options.round;
    if (said !== '' && parseNumber(said) === undefined)
      warnings.push(lineWarning(line, `"${said}" is no number of a round`));
    const board = parseNumber(get('board'));
    if (get('board') !== '' && board === undefined)
      warnings.push(lineWarning(line, `"${get('board')}" is no number of a table`));
    const result = parseListResult(get('result'));
    if (result === undefined) warnings.push(lineWarning(line, `"${get('result')}" is no result`));
    pairings.push({
      section,
      round: round ?? 1,
      ...(board !== undefined && { board }),
      ...(white !== undefined && { white }),
      ...(black !== undefined && { black }),
      ...(columns.includes('result') && result !== undefined && { result }),
      line,
    });
  }
  return { kind: 'csv', event: {}, dates: [], players, pairings, warnings };
}
