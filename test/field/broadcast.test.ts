import { describe, expect, it } from 'vitest';
import { BroadcastRound, startBroadcast } from '../recorder/publish/broadcast-stand-in.ts';
import { pushSimulatedRound } from '../recorder/publish/push-event.ts';

const ROUNDS = 9;
const BOARDS = 40;
const TOKEN = 'token';

describe('a whole event pushed to a broadcast', () => {
  it('has no game refused and no chapter doubled', { timeout: 1_800_000 }, async () => {
    const ids = Array.from({ length: ROUNDS }, (_, i) => `round${i + 1}xx`);
    const rounds = new Map(ids.map((id) => [id, new BroadcastRound()]));
    const server = await startBroadcast(TOKEN, rounds);
    const counts = { pushes: 0, withdrawn: 0, amended: 0, illegal: 0, kings: 0 };
    for (let round = 1; round <= ROUNDS; round++) {
      const told = await pushSimulatedRound(
        round,
        BOARDS,
        400,
        server.url,
        TOKEN,
        rounds.get(`round${round}xx`)!,
      );
      expect(told.faults, `round ${round}`).toEqual([]);
      for (const key of Object.keys(counts) as (keyof typeof counts)[]) counts[key] += told[key];
    }
    await server.close();
    console.log(`${ROUNDS} rounds of ${BOARDS} boards: ${JSON.stringify(counts)}`);
    for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(9);
  });
});
