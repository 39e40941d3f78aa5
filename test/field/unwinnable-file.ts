/** Positions of the field of which is known, or not, who can still mate. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Position } from '../../core/position.ts';
import type { Side } from '../../core/square.ts';

const folder = join(process.env.JADOUBE_DATA ?? '../shared/data', 'unwinnable');

export const hasUnwinnableFiles = existsSync(folder);
if (!hasUnwinnableFiles)
  console.warn(`no field data in ${folder}: who can still mate was not compared with it`);

export interface KnownPosition {
  readonly position: Position;
  readonly fen: string;
  /** Who can mate, where that is known. */
  readonly canMate?: Readonly<Record<Side, boolean>>;
}

const linesOf = (file: string): string[] =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

const read = (fen: string): Position => {
  const position = Position.fromFen(fen);
  if (!position.ok) throw new Error(position.fault.message);
  return position.value;
};

/** Positions with who can mate: `WB FEN`, `W- FEN`, `-B FEN`, `-- FEN`, the FEN with four fields. */
export const readLabelled = (): KnownPosition[] =>
  linesOf('labelled-odd.txt').map((line) => {
    const fen = line.slice(3);
    return { fen, position: read(`${fen} 0 1`), canMate: { white: line[0] === 'W', black: line[1] === 'B' } };
  });

/** Positions in which a flag fell. */
export const readTimeouts = (): KnownPosition[] =>
  linesOf('timeouts-15000.txt').map((line) => {
    const fen = line.split(' ').slice(0, 6).join(' ');
    return { fen, position: read(fen) };
  });
