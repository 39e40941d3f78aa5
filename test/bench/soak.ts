/**
 * `npm run soak -- --hours N [--boards 20]`: the shipped program records games that people play one after another, while cables are pulled, its
 * process stands still and its database is locked at random. Looks every ten seconds at memory, handles and timers, compares every finished
 * game with what was played at the end, and prints Markdown. Status 1 when something does not hold. Runs are recorded in test/bench/SOAK.md.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { firstValueFrom } from 'rxjs';
import { dgt } from '../../boards/dgt/definition.ts';
import { createRandom, nextRandom } from '../../boards/hand/random.ts';
import { createSystemClock } from '../../driver/clock.ts';
import { openStoreReader } from '../../recorder/store/store.ts';
import { settle } from '../faults/round.ts';
import { layCable } from '../faults/table.ts';
import { reach } from '../faults/wait.ts';
import { judgeGames, type Verdict } from './judge-hall.ts';
import { countSetUpsSeen } from './set-ups-seen.ts';
import { nowMs, type Standing, startShipped } from './shipped.ts';
import { createSimulatedHall } from './simulated-hall.ts';

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '0.5' },
    boards: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});
const DURATION_MS = Number(values.hours) * 3_600_000;
/** Mean time between two faults, and between two looks, ms. */
const FAULT_MS = 8000;
const LOOK_MS = 10_000;
/** Until then everything is compiled and the first games fill what is kept for all of them. */
const WARM = 0.3;

const folder = mkdtempSync(join(tmpdir(), 'jadoube-soak-'));
const clock = createSystemClock();
const state = createRandom(Number(values.seed));
const random = (): number => nextRandom(state);
const lasting = (ms: number): Promise<unknown> => firstValueFrom(clock.timer$(ms));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const hall = await createSimulatedHall({
  boards: Number(values.boards),
  clock,
  maxThinkMs: 2500,
  gamePlies: 40,
  seed: 1000 * Number(values.seed),
});
const cables = await Promise.all(hall.tables.map((table) => layCable(table)));
const place = settle(
  folder,
  cables.map((cable) => cable.place),
);
const up = new Set<string>();
const codes = new Map<string, number>();
const program = startShipped(['serve', '--config', place.config], folder, ({ said }) => {
  if (said.link === 'up') up.add(String(said.board));
  if (said.type === 'fault') codes.set(String(said.code), (codes.get(String(said.code)) ?? 0) + 1);
});
await reach(() => up.size === hall.tables.length, 'all boards', 600_000);
say(
  `${hall.tables.length} boards, ${values.hours} h, ${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)} at the beginning.\n`,
);

const endMs = nowMs() + DURATION_MS;
const playing = hall.play();
const done = { cut: 0, stopped: 0, locked: 0 };

/** Something goes wrong; it is over when this resolves. */
async function harm(): Promise<void> {
  const kind = random();
  if (kind < 0.8) {
    if (cables[Math.floor(random() * cables.length)]!.cut()) done.cut++;
  } else if (kind < 0.9) {
    done.stopped++;
    process.kill(program.pid, 'SIGSTOP');
    await lasting(500 + 2500 * random());
    process.kill(program.pid, 'SIGCONT');
  } else {
    const other = new Sqlite(place.db, { timeout: 5000 });
    try {
      other.exec('BEGIN IMMEDIATE');
      done.locked++;
      await lasting(500 + 1500 * random());
      other.exec('COMMIT');
    } finally {
      other.close();
    }
  }
}

interface Look extends Standing {
  readonly atMs: number;
  readonly handles: number;
}
const looks: Look[] = [];
const harming = (async () => {
  while (nowMs() < endMs) {
    await lasting(2 * FAULT_MS * random());
    await harm();
  }
})();
while (nowMs() < endMs) {
  await lasting(LOOK_MS);
  const standing = program.standing();
  const handles = program.handles();
  if (standing === undefined || handles === undefined) throw new Error('the program is not there any more');
  looks.push({ ...standing, atMs: nowMs(), handles });
}
await harming;
hall.stop('finish');
await playing;
await lasting(5000);
const status = await program.end();

// ---------------------------------------------------------------- what must hold

const store = openStoreReader(place.db);
const wrong: string[] = [];
const counts: Record<Verdict, number> = {
  'as played': 0,
  doubted: 0,
  wrong: 0,
  'run together': 0,
  unseen: 0,
};
let [finished, plies] = [0, 0];
for (const { board, games, finished: over, plies: made } of hall.tables) {
  const records = store.games({ board }).map(({ record }) => record);
  plies += made;
  finished += over;
  const played = games.slice(0, over);
  for (const [i, { verdict, record }] of judgeGames(
    played,
    records,
    countSetUpsSeen(store, board, dgt),
  ).entries()) {
    counts[verdict]++;
    if (verdict !== 'wrong' && verdict !== 'run together') continue;
    const told = record === undefined ? 'no record of its own' : records[record]!.plies.map(({ san }) => san);
    wrong.push(
      `${board}, game ${i + 1}, ${verdict}:\n  ${played[i]!.join(' ')}\n  ${[told].flat().join(' ')}`,
    );
  }
}
store.close();
const warm = looks.slice(Math.floor(looks.length * WARM));
/** Growth an hour, by least squares. */
function slope(of: (look: Look) => number): number {
  const hours = warm.map(({ atMs }) => atMs / 3_600_000);
  const mean = (all: readonly number[]): number => all.reduce((sum, value) => sum + value, 0) / all.length;
  const [mx, my] = [mean(hours), mean(warm.map(of))];
  const [up_, down] = warm.reduce(
    ([a, b], look, i) => [a + (hours[i]! - mx) * (of(look) - my), b + (hours[i]! - mx) ** 2],
    [0, 0],
  );
  return up_ / down;
}
const row = (what: string, of: (look: Look) => number): string => {
  const all = warm.map(of);
  return `| ${what} | ${Math.round(all[0] ?? Number.NaN)} | ${Math.round(Math.max(...all))} | ${Math.round(all.at(-1) ?? Number.NaN)} | ${slope(of).toFixed(1)} |`;
};
say('| | after warming up | most | at the end | growth an hour |');
say('| --- | ---: | ---: | ---: | ---: |');
say(row('memory, MB', ({ rss }) => rss / 2 ** 20));
say(row('heap, MB', ({ heapUsed }) => heapUsed / 2 ** 20));
say(row('open files and sockets', ({ handles }) => handles));
say(row('timers', ({ timers }) => timers));
say(row('handles and requests of the event loop', ({ resources }) => resources));
say('');
say(`Faults: ${done.cut} cables pulled, ${done.stopped} times stopped, ${done.locked} times locked.`);
say(`Told: ${[...codes].map(([code, count]) => `${code} ${count}`).join(', ') || 'nothing'}.`);
say(
  `${plies} plies, ${finished} games finished: ${counts['as played']} as played, ${counts.doubted} with a doubt that is said, ${counts.wrong} wrong without one, ${counts['run together']} run together with a neighbour, ${counts.unseen} whose end did not reach the recorder. Database ${(statSync(place.db).size / 2 ** 20).toFixed(1)} MB. Status at the end ${status}.`,
);
for (const one of wrong) say(one);
/** A handle or a timer a board more than at the beginning is a leak. */
const leaks = (['handles', 'timers', 'resources'] as const).filter(
  (what) => (warm.at(-1)?.[what] ?? 0) - (warm[0]?.[what] ?? 0) > hall.tables.length,
);
if (leaks.length > 0) say(`Leaks: ${leaks.join(', ')}.`);
await Promise.all(cables.map((cable) => cable.close()));
await hall.close();
if (wrong.length === 0) rmSync(folder, { recursive: true, force: true });
else say(`The database is kept in ${folder}.`);
process.exit(wrong.length === 0 && leaks.length === 0 && status === 0 ? 0 : 1);
