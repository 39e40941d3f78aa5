import { join } from 'node:path';
import { filter, firstValueFrom, lastValueFrom, ReplaySubject, Subject, take, tap } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { dgt } from '../../../boards/dgt/definition.ts';
import { createDgtSimulator } from '../../../boards/dgt/simulator.ts';
import { EMPTY, parseCell } from '../../../core/placement.ts';
import { parseSquare } from '../../../core/square.ts';
import { makeLinkAddress } from '../../../driver/address.ts';
import { createSystemClock } from '../../../driver/clock.ts';
import { createLoopbackDevice } from '../../../driver/loopback-device.ts';
import { CONFIG } from '../../../recorder/config/config.ts';
import { lightsService } from '../../../recorder/lights/lights-service.ts';
import { serve$ } from '../../../recorder/serve/serve.ts';
import type { ServeUpdate } from '../../../recorder/serve/service.ts';
import { openStore } from '../../../recorder/store/store.ts';
import { openTournamentDesk } from '../../../recorder/tournament/tournament-desk.ts';
import { createSimulatedBoard } from '../../kit/simulated-board.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const A8 = parseSquare('a8')!;
const E5 = parseSquare('e5')!;

describe('the lights of a board that is being recorded', () => {
  it('show which squares differ from the record, and go out when they agree', async () => {
    const clock = createSystemClock();
    const seen = createDgtSimulator({ preset: 'revelation-2' });
    const board = createSimulatedBoard({ ...dgt, createSimulator: () => seen }, {}, clock);
    const device = await createLoopbackDevice();
    board.attach(device);
    const db = join(temporaryFolder(), 'games.sqlite');
    const store = openStore(db, { wallMs: () => Date.now() });
    const tournament = openTournamentDesk(db, clock);
    const stop = new Subject<void>();
    const told = new ReplaySubject<ServeUpdate>();
    const places = [`dgt=${makeLinkAddress(device.address)}`];
    const ended = lastValueFrom(
      serve$({
        store,
        tournament,
        clock,
        config: CONFIG.parse({ recorder: { db, pgn: '' }, boards: { places, search: 'none', lights: true } }),
        configFile: undefined,
        given: [],
        reload$: new Subject(),
        stop$: stop.pipe(take(1)),
        services: [{ name: 'lights', service: lightsService }],
        env: {},
        fleet: { watchMs: 20, list: async () => [] },
      }).pipe(tap(told)),
      { defaultValue: undefined },
    );
    await firstValueFrom(told.pipe(filter(({ type }) => type === 'game')));
    board.square(A8, EMPTY);
    board.square(E5, parseCell('r')!);
    await vi.waitFor(() => expect(seen.lit).toEqual([E5, A8]), { timeout: 20_000 });
    board.square(E5, EMPTY);
    board.square(A8, parseCell('r')!);
    await vi.waitFor(() => expect(seen.lit).toEqual([]), { timeout: 20_000 });
    stop.next();
    await ended;
    board.switchOff();
    await device.close();
    tournament.close();
    store.close();
  });
});
