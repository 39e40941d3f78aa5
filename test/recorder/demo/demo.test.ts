import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type DemoOut, runDemo } from '../../../recorder/demo/demo.ts';
import { FAMOUS_GAMES } from '../../../recorder/demo/games.ts';
import { openStoreReader } from '../../../recorder/store/store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Listens to a demo. */
function listen() {
  /** How long the game was whenever it was shown; records go on changing. */
  const lengths = new Set<number>();
  const said: string[] = [];
  const out: DemoOut = {
    show: (update) => {
      if (update.type === 'game') lengths.add(update.record.plies.length);
    },
    done: () => said.push('done'),
    say: (text) => said.push(text),
  };
  return { out, lengths, said };
}

/** The seed whose first table plays the shortest game. */
const SHORT = FAMOUS_GAMES.findIndex((game) => game.site === 'Vienna' && game.year === 1910) + 1;

describe('the demo', () => {
  it('finds a board at a real port, records its game as it was played, and keeps it; and once more in the same folder', async () => {
    const dir = temporaryFolder();
    const { out, lengths, said } = listen();
    const options = { dir, boards: 1, seed: SHORT, speed: 24 };
    expect(await runDemo(options, out), said.join('\n')).toBe(0);

    const played = FAMOUS_GAMES[SHORT - 1]!;
    const pgn = readFileSync(join(dir, 'pgn', 'games.pgn'), 'utf8');
    expect(pgn).toContain(`[White "${played.white}"]`);
    expect(pgn).toContain(`[Result "${played.result}"]`);
    const recorded = (): string[] => {
      const reader = openStoreReader(join(dir, 'jadoube.db'));
      const games = reader.games();
      reader.close();
      return games.map(({ record }) => `${record.plies.map((ply) => ply.san).join(' ')} ${record.result}`);
    };
    expect(recorded()).toEqual([`${played.moves} ${played.result}`]);
    // The table shows plies as they come, not the whole game at the end.
    expect(lengths.size).toBeGreaterThan(played.moves.split(' ').length / 2);
    // Text that people read at the end comes after the table is done with.
    const done = said.indexOf('done');
    expect(done).toBeGreaterThan(0);
    expect(said.slice(done).join('\n')).toContain(dir);

    // The game that is in the folder already has ended long ago: it must not end this one.
    const again = listen();
    expect(await runDemo(options, again.out), again.said.join('\n')).toBe(0);
    expect(recorded()).toEqual(Array(2).fill(`${played.moves} ${played.result}`));
  }, 60_000);

  it('leaves with the status of success when it is stopped', async () => {
    const { out, said } = listen();
    expect(await runDemo({ dir: temporaryFolder(), boards: 2, stop$: of(undefined) }, out)).toBe(0);
    expect(said).toContain('done');
  });

  it('fails with a code when its folder cannot be made', async () => {
    const file = join(temporaryFolder(), 'missing', '\0');
    await expect(runDemo({ dir: file, boards: 1 }, listen().out)).rejects.toMatchObject({
      code: 'STORE_DISK',
    });
  });
});
