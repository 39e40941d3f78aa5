import { readFileSync } from 'node:fs';
import { BoardError } from '../../core/board-error.ts';
import { decodeText, type Encoding } from './decode-text.ts';
import type { Imported, ImportKind, ReadOptions } from './imported.ts';
import { isPairingTable, readCsv } from './read-csv.ts';
import { readPairs } from './read-pairs.ts';
import { readPgnPairings } from './read-pgn.ts';
import { readTrf } from './read-trf.ts';
import { readVega } from './read-vega.ts';

/** Files larger than this are no lists of pairings, bytes. */
const MOST_BYTES = 64_000_000;

const READERS: Readonly<Record<ImportKind, (text: string, options: ReadOptions) => Imported>> = {
  pgn: readPgnPairings,
  trf: readTrf,
  vega: readVega,
  pairs: readPairs,
  csv: readCsv,
};

/** Tells the kind of a list by what is in it; undefined when it is none that is read. */
export function kindOf(text: string): ImportKind | undefined {
  const rows = text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/, 400)
    .filter((row) => row.trim() !== '');
  if (rows.some((row) => /^\s*\[\s*[A-Za-z]\w*\s+"/.test(row))) return 'pgn';
  const records = rows.filter((row) => /^(001|0[1-9]2|1[0-9]2|XX[A-Z]|###)[ |]/.test(row));
  if (records.length > 0 && records.length * 2 >= rows.length)
    return records.some((row) => row.startsWith('001') && row.includes('|')) ? 'vega' : 'trf';
  if (isPairingTable(text)) return 'csv';
  if (
    rows.length > 1 &&
    /^\s*\d{1,6}\s*$/.test(rows[0]!) &&
    rows.slice(1).every((row) => /^\s*\d+\s+\d+\s*$/.test(row))
  )
    return 'pairs';
  // Moves without any tag are a game, of which nobody knows who plays.
  return rows.some((row) => /^\s*1\.\s*\S/.test(row)) ? 'pgn' : undefined;
}

/** A file that has been read. */
export interface ReadFile extends Imported {
  readonly file: string;
  readonly encoding: Encoding;
}

/**
 * Reads a list of pairings of any kind that is known, in any common encoding. Throws FILE_UNREADABLE, FILE_TOO_LARGE, IMPORT_KIND, and
 * IMPORT_ROUND for pairs of an engine without `round`; what else is wrong is a warning with its line.
 */
export function readImportFile(
  file: string,
  options: ReadOptions & { readonly encoding?: Encoding; readonly kind?: ImportKind } = {},
): ReadFile {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    throw new BoardError(
      'FILE_UNREADABLE',
      { file, detail: cause instanceof Error ? cause.message : String(cause) },
      cause,
    );
  }
  if (bytes.length > MOST_BYTES) throw new BoardError('FILE_TOO_LARGE', { file });
  return { ...readImport(bytes, file, options), file };
}

/** The same of bytes that came another way; `file` names them in failures. */
export function readImport(
  bytes: Uint8Array,
  file: string,
  options: ReadOptions & { readonly encoding?: Encoding; readonly kind?: ImportKind } = {},
): Omit<ReadFile, 'file'> {
  const { text, encoding } = decodeText(bytes, options.encoding);
  const kind = options.kind ?? kindOf(text);
  if (kind === undefined) throw new BoardError('IMPORT_KIND', { file });
  if (kind === 'pairs' && options.round === undefined) throw new BoardError('IMPORT_ROUND', { file });
  return { ...READERS[kind](text, options), encoding };
}
