import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { GameRecord } from '../../core/game-record.ts';
import { makePlacement } from '../../core/placement.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { makePgn } from '../pgn/writer.ts';
import { plainText } from '../view/display-text.ts';
import { makeFaultText } from '../view/fault-text.ts';
import { deriveFile } from './derive-file.ts';

export interface ReplayOptions {
  /** One JSON object per game and line instead of PGN. */
  readonly json?: boolean;
  /** Kind of board, for files that do not say. */
  readonly board?: string;
}

/** One line of `replay --json`; other tools rely on its shape. */
const makeReplayLine = (file: string, game: GameRecord): string =>
  JSON.stringify({
    file,
    game: game.game,
    variant: game.variant,
    start: game.start,
    moves: game.plies.map((ply) => ply.san),
    plies: game.plies.map(({ san, uci, state, madeAtMs, completedAtMs, clockMs, candidates }) => ({
      san,
      uci,
      state,
      madeAtMs,
      completedAtMs: completedAtMs ?? null,
      clockMs: clockMs ?? null,
      ...(candidates === undefined ? {} : { candidates }),
    })),
    flags: game.flags.map(({ code, severity, ply, atMs, detail }) => ({
      code,
      severity,
      ply,
      atMs,
      ...(detail === undefined ? {} : { detail }),
    })),
    result: game.result,
    orientation: game.orientation,
    placement: makePlacement(game.placement),
    inSync: game.inSync,
  });

/** Larger files are not read: a day of forty boards is a tenth of this. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Reads a regular file. Fails with FILE_UNREADABLE (a pipe would never end) and FILE_TOO_LARGE. */
async function readWhole(file: string): Promise<Result<Uint8Array>> {
  try {
    const info = await stat(file);
    if (!info.isFile()) return fail('FILE_UNREADABLE', 'it is no regular file');
    if (info.size > MOST_BYTES) return fail('FILE_TOO_LARGE', `${info.size} bytes; ${MOST_BYTES} are taken`);
    return ok(await readFile(file));
  } catch (error) {
    return fail('FILE_UNREADABLE', error instanceof Error ? error.message : String(error));
  }
}

/**
 * Derives the games of captures, raw bytes and traces, in the order given, and prints them as PGN or JSON lines.
 * Returns the exit status: 0 when every file could be read, else 2, each fault named on `err`.
 */
export async function runReplay(
  files: readonly string[],
  options: ReplayOptions,
  out: { write(text: string): unknown },
  err: { write(text: string): unknown },
): Promise<number> {
  let status = 0;
  for (const file of files) {
    const read = await readWhole(file);
    const derived = read.ok ? deriveFile(file, read.value, options.board) : read;
    if (!derived.ok) {
      const { code, message } = derived.fault;
      err.write(makeFaultText({ code, message: `${code}: ${file}: ${message}` }));
      status = 2;
      continue;
    }
    for (const note of derived.value.notes) err.write(`${plainText(`${file}: ${note}`)}\n`);
    for (const game of derived.value.games) {
      if (options.json === true) out.write(`${makeReplayLine(file, game)}\n`);
      else out.write(`${makePgn(game, { Event: basename(file) }, { all: true })}\n`);
    }
  }
  return status;
}
