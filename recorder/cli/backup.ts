import { z } from 'zod';
import { makeRoundArchive } from '../archive/round-archive.ts';
import { backupDatabase, checkDatabaseCopy } from '../store/backup.ts';
import { plainText } from '../view/display-text.ts';
import { DB, parseOptions } from './arguments.ts';
import type { Io } from './io.ts';

const BACKUP = DB.extend({ check: z.boolean().default(false), json: z.boolean().default(false) });
const ARCHIVE = DB.extend({
  round: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'is no number of a round')
    .transform(Number),
  section: z.string().max(100).optional(),
  capture: z.string().optional(),
  json: z.boolean().default(false),
});

/** Copies the database while it is written to, and checks the copy; with `--check` only looks at a copy. */
export function runBackup(file: string, options: unknown, io: Io): number {
  const { db, check, json } = parseOptions(BACKUP, options);
  const report = check ? checkDatabaseCopy(file) : backupDatabase(db, file);
  if (json) io.out.write(`${JSON.stringify({ file, ...report })}\n`);
  else {
    const { bytes, games, plies, inputs } = report;
    io.out.write(
      `${plainText(`${file}: ${(bytes / 1e6).toFixed(1)} MB, ${games} games, ${plies} plies, ${inputs} pieces of raw input, all read`)}\n`,
    );
  }
  return 0;
}

/** Puts everything of a round into one file. */
export async function runArchive(file: string, options: unknown, io: Io): Promise<number> {
  const { db, round, section, capture, json } = parseOptions(ARCHIVE, options);
  const archive = await makeRoundArchive({
    db,
    out: file,
    round,
    ...(section !== undefined && { section }),
    ...(capture !== undefined && { captureDir: capture }),
  });
  if (json) io.out.write(`${JSON.stringify({ file, ...archive })}\n`);
  else
    io.out.write(
      `${plainText(`${file}: ${archive.tables} tables of round ${round}, ${archive.database.games} games in the database, ${archive.names.length} files`)}\n`,
    );
  return 0;
}
