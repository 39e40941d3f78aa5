/** Files to be replayed, made for one test, and what `runReplay` says to them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Position, START_FEN } from '../../core/position.ts';
import { runReplay } from '../../recorder/replay/replay.ts';
import { dumpBytes, moveBytes } from './dgt-bytes.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Writes a file of this name and returns its path. */
export function makeFile(name: string, content: string | Uint8Array): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

export interface Replayed {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Replays files and keeps what is printed. */
export async function replay(
  files: readonly string[],
  options: Parameters<typeof runReplay>[1] = { json: true },
): Promise<Replayed> {
  let out = '';
  let err = '';
  const status = await runReplay(
    files,
    options,
    { write: (text) => (out += text) },
    { write: (text) => (err += text) },
  );
  return { status, out, err };
}

/** The shape other tools rely on. */
export interface ReplayLine {
  readonly file: string;
  readonly game: number;
  readonly variant: string;
  readonly start: string;
  readonly moves: readonly string[];
  readonly plies: readonly Readonly<Record<string, unknown>>[];
  readonly flags: readonly Readonly<Record<string, unknown>>[];
  readonly result: string;
  readonly orientation: string;
  readonly placement: string;
  readonly inSync: boolean;
}

export const linesOf = (out: string): ReplayLine[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ReplayLine);

/** What a board sends while these moves are made by careful hands: a picture of all squares, then the changes. */
export function boardBytes(
  sans: readonly string[],
  fen = START_FEN,
  variant: 'standard' | 'chess960' = 'standard',
): Uint8Array[] {
  const start = Position.fromFen(fen, variant);
  if (!start.ok) throw new Error(start.fault.message);
  let position = start.value;
  const messages = [dumpBytes(position.cells)];
  for (const san of sans) {
    const move = position.parseSan(san);
    if (move === undefined) throw new Error(`${san} is not legal`);
    messages.push(...moveBytes(position, move));
    position = position.play(move);
  }
  return messages;
}

export const joinBytes = (parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
