/**
 * `npm run bench:accuracy`: real games, played by simulated people, seen by simulated sensors, recorded, and compared
 * with what was played; beside the product two simple strategies, so that the gain shows.
 *
 *   --games N        games per cell (default 1000)
 *   --cell PATTERN   sensing/profile/noise, words joined by "+", "*" for any, e.g. identity/blitz+bullet/real
 *   --dumps MS       boards that are asked for a dump every MS and say nothing else (with clocks: blitz, 250, 500, 1000)
 *   --only NAMES     recorders, joined by ","
 *   --game K         only game number K
 *   --show N         print the first N failing games in full (of the product)
 *   --fail KIND      what counts as failing for --show: inexact (default), wrong, alarm, result, illegal
 *   --jobs N         processes (default 2)
 *   --json           one JSON object per cell and recorder
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { HandGame } from '../../boards/hand/people.ts';
import {
  type Cell,
  createRecorder,
  makeCellName,
  parseCells,
  RECORDERS,
  type Recorder,
  seedOf,
  senseGame,
} from './cells.ts';
import { makeFailure } from './failure-text.ts';
import { hasFieldGames, readFieldGames } from './field-games.ts';
import { derive, type GameScore, scoreGame } from './score.ts';

const FAIL_KINDS = ['inexact', 'wrong', 'alarm', 'result', 'illegal'] as const;
type FailKind = (typeof FAIL_KINDS)[number];

interface Job {
  readonly games: readonly { readonly index: number; readonly game: HandGame }[];
  readonly cells: readonly Cell[];
  readonly recorders: readonly Recorder[];
  readonly show: number;
  readonly fail: FailKind;
  readonly dumpsOnlyMs?: number;
}

/** Sums over the games of a cell, for one recorder. */
interface Sums {
  games: number;
  exact: number;
  declared: number;
  plies: number;
  pliesRight: number;
  wrong: number;
  everWrong: number;
  doubts: number;
  alarms: number;
  alarmWords: Record<string, number>;
  illegalTrue: number;
  illegalMissed: number;
  resultsRight: number;
  thrown: number;
  confirmMs: number[];
}

type Message =
  | { readonly type: 'sums'; readonly cell: string; readonly recorder: Recorder; readonly sums: Sums }
  | { readonly type: 'failure'; readonly cell: string; readonly index: number; readonly text: string }
  | { readonly type: 'done' };

const createSums = (): Sums => ({
  games: 0,
  exact: 0,
  declared: 0,
  plies: 0,
  pliesRight: 0,
  wrong: 0,
  everWrong: 0,
  doubts: 0,
  alarms: 0,
  alarmWords: {},
  illegalTrue: 0,
  illegalMissed: 0,
  resultsRight: 0,
  thrown: 0,
  confirmMs: [],
});

function addScore(sums: Sums, score: GameScore): void {
  sums.games += 1;
  sums.exact += score.isExact ? 1 : 0;
  sums.declared += score.isDeclared ? 1 : 0;
  sums.plies += score.plies;
  sums.pliesRight += score.pliesRight;
  sums.wrong += score.wrongConfirmed;
  sums.everWrong += score.everWrong;
  sums.doubts += score.doubts;
  sums.alarms += score.falseAlarms.length;
  for (const flag of score.falseAlarms) {
    const word = flag.code.replace(/\(.*$/, '');
    sums.alarmWords[word] = (sums.alarmWords[word] ?? 0) + 1;
  }
  sums.illegalTrue += score.illegalTrue;
  sums.illegalMissed += score.illegalMissed;
  sums.resultsRight += score.isResultRight ? 1 : 0;
  // Every eighth is enough for a median and a 95th percentile.
  score.confirmMs.forEach((ms, i) => {
    if (i % 8 === 0) sums.confirmMs.push(ms);
  });
}

function addSums(total: Sums, part: Sums): void {
  for (const [word, count] of Object.entries(part.alarmWords)) {
    total.alarmWords[word] = (total.alarmWords[word] ?? 0) + count;
  }
  total.confirmMs.push(...part.confirmMs);
  for (const key of Object.keys(part) as (keyof Sums)[]) {
    const value = part[key];
    if (typeof value === 'number') (total[key] as number) += value;
  }
}

const isFailing = (score: GameScore, kind: FailKind): boolean =>
  score.error !== undefined ||
  (kind === 'inexact' && !score.isExact) ||
  (kind === 'wrong' && (score.wrongConfirmed > 0 || score.everWrong > 0)) ||
  (kind === 'alarm' && score.falseAlarms.length > 0) ||
  (kind === 'result' && !score.isResultRight) ||
  (kind === 'illegal' && score.illegalMissed > 0);

const nothingRight = (plies: number, error: string): GameScore => ({
  plies,
  pliesRight: 0,
  isExact: false,
  isDeclared: false,
  wrongConfirmed: 0,
  everWrong: 0,
  doubts: 0,
  falseAlarms: [],
  illegalTrue: 0,
  illegalMissed: 0,
  isResultRight: false,
  confirmMs: [],
  error,
});

function work(job: Job, send: (message: Message) => void): void {
  for (const cell of job.cells) {
    const sums = new Map(job.recorders.map((recorder) => [recorder, createSums()]));
    let shown = 0;
    for (const { index, game } of job.games) {
      const seed = seedOf(cell, index);
      const sensed = senseGame(cell, game, seed, job.dumpsOnlyMs);
      for (const recorder of job.recorders) {
        let score: GameScore;
        const machine = createRecorder(recorder, cell, sensed.played, job.dumpsOnlyMs);
        try {
          const derived = derive(machine, sensed.scan.events);
          score = scoreGame(sensed.played, sensed.scan.faults, derived);
          if (recorder === 'jadoube' && shown < job.show && isFailing(score, job.fail)) {
            shown += 1;
            const text = makeFailure(
              `${makeCellName(cell)} game ${index} seed ${seed}`,
              sensed,
              derived,
              score,
            );
            send({ type: 'failure', cell: makeCellName(cell), index, text });
          }
        } catch (error) {
          // A recorder that throws loses its game; the bench goes on and says so.
          const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
          score = nothingRight(sensed.played.plies.length, text);
          sums.get(recorder)!.thrown += 1;
          if (recorder === 'jadoube' && shown < job.show) {
            shown += 1;
            const head = `${makeCellName(cell)} game ${index} seed ${seed}`;
            send({ type: 'failure', cell: makeCellName(cell), index, text: `=== ${head}\nTHROWN ${text}` });
          }
        }
        addScore(sums.get(recorder)!, score);
      }
    }
    for (const [recorder, sum] of sums) {
      send({ type: 'sums', cell: makeCellName(cell), recorder, sums: sum });
    }
  }
  send({ type: 'done' });
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(2)}%`;

function quantile(sorted: readonly number[], q: number): string {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  return value === undefined ? '-' : String(Math.round(value));
}

function makeRow(cell: string, recorder: Recorder, sums: Sums): string {
  const sorted = [...sums.confirmMs].sort((a, b) => a - b);
  const perTenThousand = (count: number): string => ((10_000 * count) / Math.max(1, sums.plies)).toFixed(2);
  return [
    cell.padEnd(28),
    recorder.padEnd(12),
    percent(sums.exact, sums.games).padStart(8),
    percent(sums.exact + sums.declared, sums.games).padStart(8),
    percent(sums.pliesRight, sums.plies).padStart(8),
    perTenThousand(sums.wrong).padStart(9),
    perTenThousand(sums.everWrong).padStart(9),
    (sums.doubts / Math.max(1, sums.games)).toFixed(3).padStart(7),
    (sums.alarms / Math.max(1, sums.games)).toFixed(3).padStart(7),
    `${sums.illegalMissed}/${sums.illegalTrue}`.padStart(8),
    percent(sums.resultsRight, sums.games).padStart(8),
    quantile(sorted, 0.5).padStart(7),
    quantile(sorted, 0.95).padStart(7),
    sums.thrown > 0 ? `  thrown ${sums.thrown}` : '',
  ].join(' ');
}

const HEAD = [
  'cell'.padEnd(28),
  'recorder'.padEnd(12),
  'exact'.padStart(8),
  '+declrd'.padStart(8),
  'plies'.padStart(8),
  'wrong/10k'.padStart(9),
  'ever/10k'.padStart(9),
  'doubts'.padStart(7),
  'false'.padStart(7),
  'illegal-'.padStart(8),
  'results'.padStart(8),
  'p50 ms'.padStart(7),
  'p95 ms'.padStart(7),
].join(' ');

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      games: { type: 'string', default: '1000' },
      cell: { type: 'string', default: '*' },
      only: { type: 'string', default: RECORDERS.join(',') },
      game: { type: 'string' },
      show: { type: 'string', default: '0' },
      fail: { type: 'string', default: 'inexact' },
      dumps: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      json: { type: 'boolean', default: false },
    },
  });
  if (!hasFieldGames()) {
    console.error('The field games are not here; set JADOUBE_DATA to the folder that has pgn/.');
    return 2;
  }
  const cells = parseCells(values.cell);
  const recorders = RECORDERS.filter((recorder) => values.only.split(',').includes(recorder));
  const fail = FAIL_KINDS.find((kind) => kind === values.fail);
  if (cells.length === 0 || recorders.length === 0 || fail === undefined) {
    console.error('No such cell, recorder or kind of failure.');
    return 2;
  }
  const only = values.game === undefined ? undefined : Number(values.game);
  const all = readFieldGames(only === undefined ? Number(values.games) : only + 1).map((game, index) => ({
    index,
    game,
  }));
  const games = only === undefined ? all : all.filter((g) => g.index === only);
  const jobs = Math.max(1, Math.min(Number(values.jobs), games.length));
  const totals = new Map<string, Sums>();
  const finished = new Map<string, number>();
  const failures = new Map<string, number>();
  if (!values.json) console.log(`${games.length} games per cell\n${HEAD}`);
  const receive = (message: Message): void => {
    if (message.type === 'failure') {
      const shown = failures.get(message.cell) ?? 0;
      failures.set(message.cell, shown + 1);
      if (shown < Number(values.show)) console.log(message.text);
    } else if (message.type === 'sums') {
      const key = `${message.cell} ${message.recorder}`;
      const total = totals.get(key) ?? createSums();
      addSums(total, message.sums);
      totals.set(key, total);
      finished.set(key, (finished.get(key) ?? 0) + 1);
      if (finished.get(key) !== jobs) return;
      if (values.json) {
        const { confirmMs, ...rest } = total;
        const sorted = confirmMs.sort((a, b) => a - b);
        console.log(
          JSON.stringify({
            cell: message.cell,
            recorder: message.recorder,
            ...rest,
            confirmP50Ms: Number(quantile(sorted, 0.5)),
            confirmP95Ms: Number(quantile(sorted, 0.95)),
          }),
        );
      } else {
        const words = Object.entries(total.alarmWords).sort((a, b) => b[1] - a[1]);
        console.log(makeRow(message.cell, message.recorder, total));
        if (words.length > 0 && message.recorder === 'jadoube') {
          console.log(`    false alarms: ${words.map(([word, count]) => `${word} ${count}`).join(', ')}`);
        }
      }
    }
  };
  const share = (n: number): Job => ({
    games: games.filter((_, i) => i % jobs === n),
    cells,
    recorders,
    show: Number(values.show),
    fail,
    ...(values.dumps === undefined ? {} : { dumpsOnlyMs: Number(values.dumps) }),
  });
  if (jobs === 1) {
    work(share(0), receive);
    return 0;
  }
  await Promise.all(
    Array.from({ length: jobs }, (_, n) => {
      const child = fork(fileURLToPath(import.meta.url), ['--worker'], {
        execArgv: process.execArgv,
        serialization: 'advanced',
      });
      return new Promise<void>((resolve, reject) => {
        child.on('message', (message: Message) => {
          if (message.type !== 'done') return receive(message);
          child.disconnect();
          resolve();
        });
        child.on('exit', (code) =>
          code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`)),
        );
        child.send(share(n));
      });
    }),
  );
  return 0;
}

if (process.argv[2] === '--worker') {
  process.once('message', (job: Job) => work(job, (message) => process.send!(message)));
} else {
  process.exitCode = await main();
}
