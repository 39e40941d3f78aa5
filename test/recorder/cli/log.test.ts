import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLog } from '../../../recorder/cli/log.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('the log', () => {
  it('is begun anew when it is too large, keeps as many old ones as it is told, and loses no line', async () => {
    const file = join(temporaryFolder(), 'deep', 'log.ndjson');
    const log = await openLog(file, { megabytes: 0.001, keep: 2 });
    for (let i = 0; i < 60; i++) log.take({ type: 'notice', service: 'x', text: `line ${i}` });
    await log.close();
    expect(existsSync(`${file}.2`)).toBe(true);
    expect(existsSync(`${file}.3`)).toBe(false);
    const kept = [`${file}.2`, `${file}.1`, file]
      .flatMap((name) => readFileSync(name, 'utf8').trim().split('\n'))
      .filter((line) => line !== '')
      .map((line) => Number(/line (\d+)/.exec(line)![1]));
    expect(kept.at(-1)).toBe(59);
    expect(kept).toEqual(kept.map((_, i) => 59 - kept.length + 1 + i));
  });
});
