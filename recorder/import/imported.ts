/** What a file of a pairing program says, whatever kind of file it is. */
import { BoardError, type FaultCode } from '../../core/board-error.ts';
import type { Score } from '../../core/laws/endings.ts';
import type { EventFacts, PlayerFacts } from '../tournament/tournament.ts';

/** Kinds of files that are read. */
export const IMPORT_KINDS = ['pgn', 'trf', 'vega', 'pairs', 'csv'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** A result in a list; `*`: not played yet. */
export interface ImportedResult {
  readonly score: Score;
  readonly forfeit: boolean;
}

/** A pairing of a list; players are places in `players`. */
export interface ImportedPairing {
  readonly section: string;
  readonly round: number;
  /** Number of the table; `isDerived` when the file has none and it was concluded. */
  readonly board?: number;
  readonly isDerived?: boolean;
  readonly white?: number;
  readonly black?: number;
  readonly result?: ImportedResult;
  /** 1-based line of the file. */
  readonly line: number;
}

/** Something of a file that was left out or concluded. */
export interface ImportWarning {
  readonly code: FaultCode | string;
  readonly line: number;
  readonly message: string;
}

export interface Imported {
  readonly kind: ImportKind;
  readonly event: EventFacts;
  readonly dates: readonly { readonly round: number; readonly date: string }[];
  readonly players: readonly PlayerFacts[];
  readonly pairings: readonly ImportedPairing[];
  readonly warnings: readonly ImportWarning[];
}

/** What a reader has to be told. */
export interface ReadOptions {
  /** Group or section; the file's own where it names one. */
  readonly section?: string;
  /** The round, for files that name none. */
  readonly round?: number;
}

/** A line that says nothing that is understood. */
export const lineWarning = (line: number, message: string): ImportWarning => ({
  code: 'IMPORT_LINE',
  line,
  message,
});

/** Reads a result as lists spell it: `1-0`, `½-½`, `+:-`, `0-0`; undefined when it is none. */
export function parseListResult(text: string): ImportedResult | undefined {
  const plain = text
    .replace(/[‐-―−]/g, '-')
    .replace(/\s+/g, '')
    .replace(/[:/](?=[01½=+-]|$)/g, (sign, at: number, all: string) =>
      all.slice(at - 1, at + 2) === '1/2' ? sign : '-',
    )
    .replace(/1\/2/g, '½')
    .replace(/0[.,]5/g, '½')
    .toUpperCase();
  const score = SCORES_READ[plain];
  return score === undefined ? undefined : { score: score[0], forfeit: score[1] };
}

const SCORES_READ: Readonly<Record<string, readonly [Score, boolean]>> = {
  '1-0': ['1-0', false],
  '0-1': ['0-1', false],
  '½-½': ['1/2-1/2', false],
  '½': ['1/2-1/2', false],
  '=-=': ['1/2-1/2', false],
  DRAW: ['1/2-1/2', false],
  '0-0': ['0-0', false],
  '½-0': ['1/2-0', false],
  '0-½': ['0-1/2', false],
  '+--': ['1-0', true],
  '+-': ['1-0', true],
  '1-0F': ['1-0', true],
  '1F-0F': ['1-0', true],
  '--+': ['0-1', true],
  '-+': ['0-1', true],
  '0-1F': ['0-1', true],
  '0F-1F': ['0-1', true],
  '---': ['0-0', true],
  '--': ['0-0', true],
  '0F-0F': ['0-0', true],
  '*': ['*', false],
  '': ['*', false],
  '?': ['*', false],
  '-': ['*', false],
};

/** Reads a day as ISO has it from `2026/11/30`, `2026.11.30`, `26/11/30` or `30.11.2026`; undefined when it is none. */
export function parseDay(text: string): string | undefined {
  const plain = text.trim();
  const year = /^(\d{4}|\d{2})[./-](\d{1,2})[./-](\d{1,2})$/.exec(plain);
  if (year !== null) return makeDay(year[1]!.length === 2 ? `20${year[1]}` : year[1]!, year[2]!, year[3]!);
  const day = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(plain);
  return day === null ? undefined : makeDay(day[3]!, day[2]!, day[1]!);
}

function makeDay(year: string, month: string, day: string): string | undefined {
  const [m, d] = [Number(month), Number(day)];
  return m >= 1 && m <= 12 && d >= 1 && d <= 31
    ? `${year}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
    : undefined;
}

/** A whole number of a field; undefined when there is none or it is 0. */
export function parseNumber(text: string | undefined): number | undefined {
  const plain = text?.trim() ?? '';
  return /^\d{1,12}$/.test(plain) && Number(plain) > 0 ? Number(plain) : undefined;
}

const TITLES: Readonly<Record<string, string>> = {
  g: 'GM',
  m: 'IM',
  f: 'FM',
  c: 'CM',
  wg: 'WGM',
  wm: 'WIM',
  wf: 'WFM',
  wc: 'WCM',
};

/** A title in its usual form, from `GM`, `g` or `wf`; undefined for none. */
export function parseTitle(text: string | undefined): string | undefined {
  const plain = text?.trim() ?? '';
  if (plain === '' || plain === '-') return undefined;
  return TITLES[plain.toLowerCase()] ?? plain.toUpperCase();
}

/** A file in which nothing was found that could be imported, or of no kind that is read. */
export const importError = (code: FaultCode, file: string, detail?: string): BoardError =>
  new BoardError(code, { file, ...(detail !== undefined && { detail }) });

/** A fact of a player as a part of all of them; nothing where the file does not say it. */
export const factOf = <Name extends keyof PlayerFacts>(
  name: Name,
  value: PlayerFacts[Name] | undefined,
): Partial<PlayerFacts> => (value === undefined || value === '' ? {} : { [name]: value });
