import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  concat,
  defer,
  EMPTY,
  filter,
  firstValueFrom,
  ignoreElements,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  ReplaySubject,
  Subject,
  take,
  tap,
  throwError,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import { BoardError } from '../../../core/board-error.ts';
import { createSystemClock } from '../../../driver/clock.ts';
import { CONFIG } from '../../../recorder/config/config.ts';
import { serve$ } from '../../../recorder/serve/serve.ts';
import {
  type NamedService,
  type ServeUpdate,
  type Service,
  section$,
} from '../../../recorder/serve/service.ts';
import { openStore } from '../../../recorder/store/store.ts';
import { openTournamentDesk } from '../../../recorder/tournament/tournament-desk.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A served folder without boards; what is told is kept. */
function begin(services: readonly NamedService[], configFile?: string, speed = 50) {
  const db = join(temporaryFolder(), 'games.sqlite');
  const store = openStore(db, { wallMs: () => Date.now() });
  const clock = createSystemClock({ originMs: store.originMs(Date.now()), speed });
  const tournament = openTournamentDesk(db, clock);
  const stop = new Subject<void>();
  const reload = new Subject<void>();
  const told = new ReplaySubject<ServeUpdate>();
  const config = CONFIG.parse({ recorder: { pgn: '' }, http: { port: 1 } });
  serve$({
    store,
    tournament,
    clock,
    config,
    configFile,
    given: [],
    reload$: reload,
    stop$: stop.pipe(take(1)),
    services,
    env: {},
    fleet: { search: 'none', list: async () => [] },
  }).subscribe(told);
  return {
    tournament,
    stop: () => stop.next(),
    reload: () => reload.next(),
    next: (is: (update: ServeUpdate) => boolean): Promise<ServeUpdate> =>
      firstValueFrom(told.pipe(filter(is))),
    end: async (): Promise<void> => {
      await firstValueFrom(told.pipe(ignoreElements()), { defaultValue: undefined });
      tournament.close();
      store.close();
    },
  };
}

const notice = (text: string) => ({ type: 'notice', service: 'x', text }) as const;
const isNotice = (text: string) => (update: ServeUpdate) => update.type === 'notice' && update.text === text;

describe('serve', () => {
  it('starts services, and lets each finish when it ends', async () => {
    const finishing: Service = ({ updates$ }) =>
      concat(of(notice('began')), updates$.pipe(ignoreElements()), of(notice('last words')));
    const served = begin([{ name: 'x', service: finishing }]);
    await served.next(isNotice('began'));
    const last = served.next(isNotice('last words'));
    served.stop();
    await last;
    await served.end();
  });

  it('ends a service that does not finish by itself', async () => {
    let open = false;
    const endless: Service = () =>
      defer((): Observable<never> => {
        open = true;
        return NEVER;
      }).pipe(tap({ unsubscribe: () => (open = false) }));
    const served = begin([{ name: 'x', service: endless }], undefined, 2000);
    expect(open).toBe(true);
    served.stop();
    await served.end();
    expect(open).toBe(false);
  });

  it('tells of a service that fails and starts it again, without ending anything else', async () => {
    let starts = 0;
    const failing: Service = () =>
      defer(() =>
        ++starts < 3
          ? throwError(() =>
              starts === 1 ? new BoardError('FILE_UNWRITABLE', { file: 'y' }) : new Error('ours'),
            )
          : of(notice('up again')),
      );
    const served = begin([{ name: 'x', service: failing }]);
    await served.next((update) => update.type === 'fault' && update.fault.code === 'FILE_UNWRITABLE');
    await served.next((update) => update.type === 'fault' && update.fault.code === 'SERVICE_FAILED');
    await served.next(isNotice('up again'));
    served.stop();
    await served.end();
  });

  it('tells services of settings that change, by signal and by file, and keeps those that cannot be used out', async () => {
    const file = join(temporaryFolder(), 'jadoube.toml');
    writeFileSync(file, '[recorder]\npgn = ""\n[http]\nport = 1\n');
    const ports: Service = ({ config$ }) =>
      section$(config$, 'http').pipe(map(({ port }) => notice(`port ${port}`)));
    const served = begin([{ name: 'x', service: ports }], file);
    await served.next(isNotice('port 1'));
    writeFileSync(file, '[recorder]\npgn = ""\n[http]\nport = 22\n');
    await served.next(isNotice('port 22'));
    writeFileSync(file, '[http]\nport = "no"\n');
    served.reload();
    await served.next((update) => update.type === 'fault' && update.fault.code === 'CONFIG_INVALID');
    writeFileSync(file, '[recorder]\npgn = ""\ndb = "other"\n[http]\nport = 333\n');
    served.reload();
    await served.next(isNotice('port 333'));
    await served.next(isNotice('recorder.db counts from the next start on'));
    served.stop();
    await served.end();
  });

  it('tells services of the tournament, whoever changes it', async () => {
    const names: Service = ({ tournament }) =>
      merge(tournament.state$).pipe(map(({ event }) => notice(event.name ?? 'none')));
    const served = begin([{ name: 'x', service: names }]);
    await served.next(isNotice('none'));
    served.tournament.apply([{ type: 'event', facts: { name: 'Open' } }], 'somebody');
    await served.next(isNotice('Open'));
    served.stop();
    await served.end();
  });

  it('runs without any service', async () => {
    const served = begin([{ name: 'x', service: () => EMPTY }]);
    served.stop();
    await served.end();
  });
});
