import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHookPlace } from '../../../recorder/publish/hook-place.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const node = (script: string, ...args: string[]) => [process.execPath, '-e', script, ...args];

describe('a hook command', () => {
  it('gets the document on its input, its name in the environment, and arguments as they are', async () => {
    const file = join(temporaryFolder(), 'out');
    const script =
      'require("fs").writeFileSync(process.argv[1], process.env.JADOUBE_DOCUMENT + process.argv[2] + require("fs").readFileSync(0))';
    const place = createHookPlace(node(script, file, '; $HOME "x"'), process.env);
    await place.put('round-1/games.pgn', 'text ♞');
    expect(readFileSync(file, 'utf8')).toBe('round-1/games.pgn; $HOME "x"text ♞');
  });

  it.each([
    ['ends with another status', node('console.error("why"); process.exit(3)')],
    ['is ended by a signal', node('process.kill(process.pid, "SIGKILL")')],
    ['does not exist', ['/no/such/command']],
  ])('has failed when it %s', async (_, command) => {
    const put = createHookPlace(command, process.env).put('round-1/games.pgn', 'x');
    await expect(put).rejects.toMatchObject({ code: 'HOOK_FAILED' });
  });

  it('may read nothing', async () => {
    await createHookPlace(node('0'), process.env).put('round-1/games.pgn', 'x'.repeat(1_000_000));
  });
});
