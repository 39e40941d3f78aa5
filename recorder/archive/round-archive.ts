import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { create, list } from 'tar';
import { BoardError } from '../../core/board-error.ts';
import { joinPgn } from '../pgn/writer.ts';
import { type BackupReport, backupDatabase } from '../store/backup.ts';
import { openStoreReader } from '../store/store.ts';
import { openTournamentStore } from '../store/tournament-store.ts';
import { makeRoundPgn } from '../tournament/round-pgn.ts';

export interface RoundArchiveOptions {
  readonly db: string;
  readonly out: string;
  readonly round: number;
  readonly section?: string;
  /** Folder of captures; they go in when it is there. */
  readonly captureDir?: string;
}

export interface RoundArchive {
  readonly database: BackupReport;
  readonly tables: number;
  /** Names in the archive. */
  readonly names: readonly string[];
}

/**
 * Puts everything of a round into one file (tar, gzip), also while a recorder is running: a checked copy of the database, the PGN of the
 * round, the tournament as JSON, captures. It is read back before it takes its name. Rejects with FILE_UNWRITABLE or a STORE_ code.
 */
export async function makeRoundArchive(options: RoundArchiveOptions): Promise<RoundArchive> {
  const { db, out, round, section, captureDir } = options;
  const folder = dirname(resolve(out));
  let work: string;
  try {
    mkdirSync(folder, { recursive: true });
    // Beside the file: the same disk, whose room is what counts.
    work = mkdtempSync(join(folder, '.jadoube-archive-'));
  } catch (cause) {
    throw new BoardError(
      'FILE_UNWRITABLE',
      { file: out, detail: cause instanceof Error ? cause.message : String(cause) },
      cause,
    );
  }
  try {
    const copy = join(work, 'jadoube.sqlite');
    const database = backupDatabase(db, copy);
    const store = openTournamentStore(copy);
    const tournament = store.read();
    store.close();
    const reader = openStoreReader(copy);
    const games = makeRoundPgn(reader, tournament, round, section);
    reader.close();
    const place = join(work, `round-${round}`);
    mkdirSync(place);
    writeFileSync(join(place, 'games.pgn'), joinPgn(games.map(({ pgn }) => pgn)));
    writeFileSync(join(work, 'tournament.json'), `${JSON.stringify(tournament, null, 1)}\n`);
    const names = ['jadoube.sqlite', 'tournament.json', `round-${round}`];
    if (captureDir !== undefined && captureDir !== '' && existsSync(captureDir)) {
      cpSync(captureDir, join(work, 'captures'), { recursive: true });
      names.push('captures');
    }
    const part = join(work, basename(out));
    await create({ gzip: true, file: part, cwd: work, portable: true }, names);
    const found: string[] = [];
    await list({ file: part, strict: true, onReadEntry: ({ path }) => found.push(path) });
    if (!found.includes('jadoube.sqlite') || statSync(part).size === 0)
      throw new BoardError('FILE_UNWRITABLE', { file: out, detail: 'what was written cannot be read back' });
    renameSync(part, out);
    return { database, tables: games.length, names: found };
  } catch (cause) {
    if (cause instanceof BoardError) throw cause;
    throw new BoardError(
      'FILE_UNWRITABLE',
      { file: out, detail: cause instanceof Error ? cause.message : String(cause) },
      cause,
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
