import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filter, firstValueFrom, lastValueFrom, ReplaySubject, Subject, take, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { dgt } from '../../../boards/dgt/definition.ts';
import { EMPTY, WHITE_PAWN } from '../../../core/placement.ts';
import { makeLinkAddress } from '../../../driver/address.ts';
import { createSystemClock } from '../../../driver/clock.ts';
import { createLoopbackDevice } from '../../../driver/loopback-device.ts';
import { loadConfig } from '../../../recorder/config/load-config.ts';
import { serve$ } from '../../../recorder/serve/serve.ts';
import type { ServeUpdate } from '../../../recorder/serve/service.ts';
import { openStore } from '../../../recorder/store/store.ts';
import { openTournamentDesk } from '../../../recorder/tournament/tournament-desk.ts';
import { createSimulatedBoard } from '../../kit/simulated-board.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('settings that name other boards', () => {
  it('bring a board in and take one out while a third goes on without a break', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'jadoube.toml');
    const clock = createSystemClock();
    const tables = await Promise.all(
      ['11111', '22222', '33333'].map(async (serialNumber) => {
        const board = createSimulatedBoard(dgt, { serialNumber }, clock);
        const device = await createLoopbackDevice();
        board.attach(device);
        return { board, device, place: `dgt=${makeLinkAddress(device.address)}` };
      }),
    );
    const write = (...places: readonly string[]): void =>
      writeFileSync(
        file,
        `[recorder]\npgn = ""\ndb = "games.sqlite"\n[boards]\nsearch = "none"\nplaces = ${JSON.stringify(places)}\n[http]\nenabled = false\n`,
      );
    write(tables[0]!.place, tables[1]!.place);
    const loaded = loadConfig(file);
    if (!loaded.ok) throw loaded.fault[0]!;
    const { config } = loaded.value;
    const store = openStore(config.recorder.db, { wallMs: () => Date.now() });
    const tournament = openTournamentDesk(config.recorder.db, clock);
    const stop = new Subject<void>();
    const reload = new Subject<void>();
    const told = new ReplaySubject<ServeUpdate>();
    const all: ServeUpdate[] = [];
    const ended = lastValueFrom(
      serve$({
        store,
        tournament,
        clock,
        config,
        configFile: file,
        given: [],
        reload$: reload,
        stop$: stop.pipe(take(1)),
        services: [],
        env: {},
        fleet: { watchMs: 20, list: async () => [] },
      }).pipe(
        tap((update) => all.push(update)),
        tap(told),
      ),
      { defaultValue: undefined },
    );
    const next = (is: (update: ServeUpdate) => boolean): Promise<ServeUpdate> =>
      firstValueFrom(told.pipe(filter(is)));
    const isGame = (key: string) => (update: ServeUpdate) => update.type === 'game' && update.board === key;
    await Promise.all([next(isGame('dgt-11111')), next(isGame('dgt-22222'))]);
    write(tables[0]!.place, tables[2]!.place);
    reload.next();
    await next(isGame('dgt-33333'));
    await next(
      (update) =>
        update.type === 'board' &&
        update.board === 'dgt-22222' &&
        update.update.type === 'link' &&
        update.update.link === 'lost',
    );
    tables[0]!.board.square(12, EMPTY);
    tables[0]!.board.square(28, WHITE_PAWN);
    await next(
      (update) => update.type === 'game' && update.board === 'dgt-11111' && update.record.plies.length === 1,
    );
    const lost = all.filter(
      (update) =>
        update.type === 'board' &&
        update.board === 'dgt-11111' &&
        update.update.type === 'link' &&
        update.update.link !== 'up' &&
        update.update.link !== 'connecting',
    );
    expect(lost).toEqual([]);
    stop.next();
    await ended;
    tournament.close();
    store.close();
    for (const { board, device } of tables) {
      board.switchOff();
      await device.close();
    }
  }, 60_000);
});
