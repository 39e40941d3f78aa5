import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { cureOf } from '../../core/board-error.ts';
import { ALL_GAMES } from '../publish/pgn-files.ts';
import { isRecorderRunning, lockFileOf } from '../store/recorder-lock.ts';
import { openStoreReader } from '../store/store.ts';
import { type Finding, fine, fix, note } from './finding.ts';

const MEGABYTE = 1_000_000;
/** A day at forty boards, with room for everything else on the disk. */
const ENOUGH = 1000 * MEGABYTE;
const TOO_LITTLE = 100 * MEGABYTE;
/** No machine that runs this program stands earlier. */
const EARLIEST_WALL_MS = Date.UTC(2025, 0, 1);

/** The nearest folder of a path that exists. */
function existingFolder(path: string): string {
  let folder = resolve(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** Whether files can be written where they are to go, and how much room there is. */
export async function checkFolder(check: string, path: string, isFile: boolean): Promise<readonly Finding[]> {
  const folder = existingFolder(isFile ? dirname(resolve(path)) : path);
  if (!(await stat(folder)).isDirectory()) {
    return [fix(check, `${folder} is a file`, 'Name another place, or move the file away.')];
  }
  try {
    await rm(await mkdtemp(join(folder, '.jadoube-')), { recursive: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'cannot be written';
    return [fix(check, `${folder}: ${code}`, cureOf('STORE_READONLY', { file: folder }))];
  }
  const room = await statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
  if (room === undefined) return [fine(check, `${folder} can be written`)];
  const text = `${folder}: ${Math.round(room / MEGABYTE)} MB free`;
  if (room < TOO_LITTLE)
    return [fix(check, text, 'Free some space before the round: a board needs up to 1 MB an hour.')];
  if (room < ENOUGH) return [note(check, text, 'Enough for a round, not for an event: free some space.')];
  return [fine(check, text)];
}

/** Whether the database is whole and of this program's schema. Throws a `BoardError` when it cannot be opened. */
export async function checkDatabase(file: string): Promise<readonly Finding[]> {
  const check = 'database';
  if (!existsSync(file)) return [fine(check, `${file} is not there yet; \`record\` makes it`)];
  const reader = openStoreReader(file);
  const games = reader.games().length;
  reader.close();
  const db = new Sqlite(file, { readonly: true });
  try {
    const verdict = db.pragma('quick_check', { simple: true });
    if (verdict !== 'ok')
      return [fix(check, `${file}: ${String(verdict)}`, cureOf('STORE_CORRUPT', { file }))];
    return [fine(check, `${file}: ${games} games, whole`)];
  } finally {
    db.close();
  }
}

/** Whether the clock of this machine can be right: people read its times, and games are ordered by them. */
export async function checkClock(file: string): Promise<readonly Finding[]> {
  const check = 'clock';
  const nowMs = Date.now();
  const now = new Date(nowMs);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (nowMs < EARLIEST_WALL_MS) {
    return [
      fix(
        check,
        `it says ${now.toISOString()}`,
        'Set date and time of this machine, or connect it to a network.',
      ),
    ];
  }
  if (existsSync(file)) {
    const reader = openStoreReader(file);
    const lastMs = Math.max(0, ...reader.sittings().map(({ lastWallMs }) => lastWallMs));
    reader.close();
    if (lastMs > nowMs) {
      const text = `it says ${now.toISOString()}, but the last game was recorded at ${new Date(lastMs).toISOString()}`;
      return [
        fix(
          check,
          text,
          'Set date and time of this machine: it was set back, or the games were recorded elsewhere.',
        ),
      ];
    }
  }
  return [fine(check, `${now.toString().slice(0, 24)} (${zone})`)];
}

/** What earlier runs and other programs have left behind. */
export async function checkLeftovers(file: string, pgn: string | false): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const running = existsSync(lockFileOf(file)) && isRecorderRunning(file);
  if (existsSync(file)) {
    const reader = openStoreReader(file);
    const runs = reader.runs();
    reader.close();
    const last = runs.at(-1);
    if (running) {
      findings.push(note('recorder', `process ${last?.pid} on ${last?.host} is recording into ${file}`));
    } else if (last !== undefined && last.endedWallMs === undefined) {
      const text = 'the last recorder was ended hard; what it had published is in the database';
      findings.push(note('recorder', text, 'Nothing to do: the next one goes on with its games.'));
    }
  }
  for (const [lock, pid] of await staleLocks()) {
    findings.push(
      fix('locks', `${lock} was left by process ${pid}, which is gone`, `Remove it: \`sudo rm ${lock}\`.`),
    );
  }
  const parts = pgn === false || running ? [] : (await readdir(pgn).catch(() => [])).filter(isPart);
  for (const part of parts) {
    findings.push(note('PGN folder', `${part} was left half written; no reader takes it for a game`));
  }
  if (findings.length === 0) findings.push(fine('leftovers', 'none'));
  return findings;
}

const isPart = (name: string): boolean => /^game-\d+\.pgn\.part$/.test(name) || name === `${ALL_GAMES}.part`;

/** Lock files of serial ports whose owner is gone; they keep other programs out. */
async function staleLocks(): Promise<[path: string, pid: number][]> {
  const stale: [string, number][] = [];
  for (const folder of ['/var/lock', '/run/lock']) {
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.startsWith('LCK..')) continue;
      const path = join(folder, name);
      const pid = Number.parseInt((await readFile(path, 'utf8').catch(() => '')).trim(), 10);
      if (Number.isInteger(pid) && pid > 0 && !isAlive(pid)) stale.push([path, pid]);
    }
  }
  // The one folder is often a link to the other.
  return [...new Map(stale.map(([path, pid]) => [path.replace(/^\/run\/lock/, '/var/lock'), pid]))];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
