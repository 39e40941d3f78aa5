/**
 * `npm run fuzz -- [--minutes 10] [--only NAME] [--seed N]`: gives everything that takes something from outside inputs that nobody means
 * well with, in turn, until the time is over. A finding is printed with its seed and bytes and its target rests; `--seed` with `--only` of a
 * finding plays it again. Status 1 when there was one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { boardTargets } from './board-targets.ts';
import { fileTargets } from './file-targets.ts';
import { makeFindingText } from './fuzz-target.ts';
import { runTarget } from './run-target.ts';
import { serverTargets } from './server-targets.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    seed: { type: 'string' },
  },
});
/** A target has its turn for so long, ms. */
const TURN_MS = 2000;
const folder = mkdtempSync(join(tmpdir(), 'jadoube-fuzz-'));
const servers = await serverTargets(folder);
const targets = [...boardTargets(), ...fileTargets(), ...servers.targets].filter(({ name }) =>
  name.includes(values.only),
);
const seeds = new Map(
  targets.map(({ name }) => [name, Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))]),
);
const endMs = performance.now() + Number(values.minutes) * 60_000;
const found = new Set<string>();
const runs = new Map<string, number>();
while (performance.now() < endMs && found.size < targets.length) {
  for (const target of targets) {
    if (found.has(target.name) || performance.now() >= endMs) continue;
    const turnMs = Math.min(endMs, performance.now() + TURN_MS);
    const from = seeds.get(target.name)!;
    const done = await runTarget(target, from, () => performance.now() >= turnMs);
    seeds.set(target.name, from + done.runs);
    runs.set(target.name, (runs.get(target.name) ?? 0) + done.runs);
    if (done.finding === undefined) continue;
    found.add(target.name);
    process.stdout.write(`${makeFindingText(done.finding)}\n`);
  }
}
for (const { name } of targets)
  process.stdout.write(`${name}: ${runs.get(name) ?? 0} inputs${found.has(name) ? ', FOUND' : ''}\n`);
await servers.close();
rmSync(folder, { recursive: true, force: true });
process.exit(found.size === 0 ? 0 : 1);
