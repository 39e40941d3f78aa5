import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createPublicSource } from '../../../recorder/publish/public-source.ts';
import { openStore, openStoreReader } from '../../../recorder/store/store.ts';
import type { Pairing, Tournament } from '../../../recorder/tournament/tournament.ts';
import { temporaryFolder } from '../temporary-folder.ts';

it('takes a result to be as old as it is, whatever the clock of the machine is set to', () => {
  const file = join(temporaryFolder(), 'games.sqlite');
  openStore(file, { wallMs: () => 1_000_000 }).close();
  const store = openStoreReader(file);
  let stepMs = 0;
  let nowMs = 5000;
  const source = createPublicSource(store, {
    wallMs: () => 1_000_000 + nowMs + stepMs,
    monotonicMs: () => nowMs,
  });
  const pairing: Pairing = {
    id: 1,
    token: 'a1',
    section: '',
    round: 1,
    leg: 1,
    place: 1,
    white: { id: 1, name: 'White' },
    black: { id: 2, name: 'Black' },
    withdrawn: false,
    games: [],
    results: [{ source: 'desk', score: '1-0', wallMs: 1_004_000 }],
  } as unknown as Pairing;
  const tournament: Tournament = { revision: 1, event: {}, rounds: [], players: [], pairings: [pairing] };
  const since = (): number | undefined => source.sections(tournament)[0]!.event.games[0]!.resultSinceMs;
  expect(since()).toBe(4000);
  nowMs += 1000;
  for (stepMs of [3_600_000, -3_600_000]) expect(since()).toBe(4000);
  store.close();
});
