import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { boardTargets } from './board-targets.ts';
import { fileTargets } from './file-targets.ts';
import { makeFindingText } from './fuzz-target.ts';
import { runTarget } from './run-target.ts';
import { serverTargets } from './server-targets.ts';

const RUNS = { board: 60, file: 300, server: 60 } as const;
const folder = mkdtempSync(join(tmpdir(), 'jadoube-fuzz-'));
const servers = await serverTargets(folder);
afterAll(async () => {
  await servers.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ['board', boardTargets()],
  ['file', fileTargets()],
  ['server', servers.targets],
] as const)('what comes from outside: %s', (kind, targets) => {
  it.each(targets.map((target) => [target.name, target] as const))(
    '%s answers whatever it is given',
    async (_, target) => {
      const { finding } = await runTarget(target, 1, (runs) => runs >= RUNS[kind]);
      expect(finding === undefined ? '' : makeFindingText(finding)).toBe('');
    },
  );
});
