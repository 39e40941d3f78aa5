/**
 * `tsx test/bench/lost-update.ts`: one of the 131 field updates of a real recorded game is lost, each in turn, and no
 * dump follows; then the same with the dumps a live session asks for. `--show N` prints what the loss of update N did.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createReconstructor } from '../../core/reconstructor.ts';
import { dataFolder } from './field-games.ts';
import { loseEachUpdate } from './lose-updates.ts';
import { readRecordedGame } from './recorded-game.ts';
import { derive, mainRecord } from './score.ts';
import { createFirstLegal, createQuietMatcher } from './simple-strategies.ts';
import { makeTraceLines } from './trace-text.ts';

const { values } = parseArgs({ options: { show: { type: 'string' } } });
const folder = join(dataFolder(), 'dgt-capture');
if (!existsSync(folder)) {
  console.error('The recorded game is not here; set JADOUBE_DATA to the folder that has dgt-capture/.');
  process.exitCode = 2;
} else {
  const { events, moves } = readRecordedGame(folder);
  const profile = { sensing: 'identity', scanMs: 250 } as const;
  if (values.show !== undefined) {
    const updates = events.flatMap((event, index) => (event.type === 'square' ? [index] : []));
    const lost = updates[Number(values.show)]!;
    const derived = derive(
      createReconstructor({ profile }),
      events.filter((_, index) => index !== lost),
    );
    const plies = mainRecord(derived.records)?.plies ?? [];
    console.log(`lost: ${makeTraceLines([events[lost]!]).join(' ')}`);
    for (const [i, move] of moves.entries()) {
      if (plies[i]?.uci !== move) console.log(`ply ${i + 1}: true ${move}, got`, plies[i]);
    }
    const atMs = events[lost]!.atMs;
    console.log(makeTraceLines(events, atMs - 4000, atMs + 12_000).join('\n'));
    for (const record of derived.records) {
      for (const flag of record.flags) console.log(flag);
    }
  } else {
    const plies = `of ${moves.length} plies in each of ${events.filter((e) => e.type === 'square').length} runs`;
    for (const withDump of [false, true]) {
      console.log(withDump ? `with dumps in quiet moments, ${plies}` : `no dump follows, ${plies}`);
      for (const [name, create] of [
        ['jadoube', () => createReconstructor({ profile })],
        ['first-legal', () => createFirstLegal()],
        ['quiet-300', () => createQuietMatcher()],
      ] as const) {
        const { costly, runs, ...counts } = loseEachUpdate(events, moves, create, withDump);
        const share = ((100 * counts.right) / (runs * moves.length)).toFixed(2);
        console.log(`${name.padEnd(12)} right ${share}%`, JSON.stringify(counts));
        if (name === 'jadoube' && costly.length > 0) console.log(`    costly updates: ${costly.join(' ')}`);
      }
    }
  }
}
