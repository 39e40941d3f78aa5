/** An edge with games that were recorded, and a hub that hears them, over any wire. */
import { join } from 'node:path';
import { filter, firstValueFrom, lastValueFrom, NEVER, ReplaySubject, Subject, takeUntil, tap } from 'rxjs';
import { afterEach } from 'vitest';
import { createSystemClock } from '../../../driver/clock.ts';
import { publishPgn } from '../../../recorder/publish/published-pgn.ts';
import { type RecorderUpdate, record$ } from '../../../recorder/recorder.ts';
import { type ForwardNews, type ForwardOptions, forward$ } from '../../../recorder/relay/forward.ts';
import { createHub, type HubNews, type HubOptions } from '../../../recorder/relay/hub.ts';
import type { Wire } from '../../../recorder/relay/wire.ts';
import { type WorkerNews, type WorkerOptions, work$ } from '../../../recorder/relay/worker.ts';
import { openStore, type Store } from '../../../recorder/store/store.ts';
import { recordGames } from '../recorded-store.ts';

const wallMs = (): number => Date.UTC(2026, 0, 2, 12);
const FAST = { retryMs: 5 };

/** What is still to be closed, the last first: before the folder is gone. */
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Games of a store as PGN, without the tag that names them in the world. */
export const pgnOf = (store: Pick<Store, 'games'>): string[] =>
  store.games().map((game) => publishPgn(game.record, game).replace(/\[GameId .*\n/, ''));

/** Records games into a new file and opens it as an edge does. */
export function openEdge(folder: string, games: readonly (readonly string[])[], name = 'edge'): Store {
  const file = join(folder, `${name}.sqlite`);
  recordGames(file, games);
  const store = openStore(file, { wallMs });
  open.push(async () => store.close());
  return store;
}

/** Forwards until `stop`; `until` waits for news. */
export function startForwarding(store: Store, wire: Wire, more: Partial<ForwardOptions> = {}) {
  const stop$ = new Subject<void>();
  const news$ = new ReplaySubject<ForwardNews>();
  const ended = lastValueFrom(
    forward$({ edge: 'hall-1', store, wire, ...FAST, ...more }).pipe(takeUntil(stop$), tap(news$)),
    { defaultValue: undefined },
  );
  const stop = async (): Promise<void> => {
    stop$.next();
    await ended;
  };
  open.push(stop);
  return {
    until: (is: (news: ForwardNews) => boolean) => firstValueFrom(news$.pipe(filter(is))),
    stop,
  };
}

/** The recorder of an edge, at which no board is on: it sees to what is entered. */
export function startRecorder(store: Store) {
  const clock = createSystemClock({ originMs: store.originMs(wallMs()) });
  const stop$ = new Subject<void>();
  const updates$ = new ReplaySubject<RecorderUpdate>();
  const fleet = { updates$: NEVER, status$: NEVER };
  const ended = lastValueFrom(record$({ fleet, store, clock, stop$ }).pipe(tap(updates$)), {
    defaultValue: undefined,
  });
  open.push(async () => {
    stop$.next();
    await ended;
  });
  return { until: (is: (update: RecorderUpdate) => boolean) => firstValueFrom(updates$.pipe(filter(is))) };
}

/** A worker; `stop` gives its leases back, `kill` does not. */
export function startWorker(worker: string, wire: Wire, more: Partial<WorkerOptions> = {}) {
  const stop$ = new Subject<void>();
  const kill$ = new Subject<void>();
  const news$ = new ReplaySubject<WorkerNews>();
  const ended = lastValueFrom(
    work$({ worker, wire, everyMs: 5, stop$, ...FAST, ...more }).pipe(takeUntil(kill$), tap(news$)),
    { defaultValue: undefined },
  );
  const end = async (signal$: Subject<void>): Promise<void> => {
    signal$.next();
    await ended;
  };
  open.push(() => end(kill$));
  return {
    until: (is: (news: WorkerNews) => boolean) => firstValueFrom(news$.pipe(filter(is))),
    stop: () => end(stop$),
    kill: () => end(kill$),
  };
}

/** A hub at work on a file; `until` waits for an update or for the store to become something. */
export function startHub(
  folder: string,
  wire: Wire,
  silentMs = 60_000,
  derive: HubOptions['derive'] = 'here',
) {
  const store = openStore(join(folder, 'hub.sqlite'), { wallMs });
  const clock = createSystemClock({ originMs: store.originMs(wallMs()) });
  const stop$ = new Subject<void>();
  const updates$ = new ReplaySubject<RecorderUpdate>();
  const news$ = new ReplaySubject<HubNews>();
  const hub = createHub({ store, wire, silentMs, everyMs: 5, derive, ...FAST });
  const told = hub.news$.pipe(takeUntil(stop$)).subscribe(news$);
  const ended = lastValueFrom(record$({ fleet: hub.heard, store, clock, stop$ }).pipe(tap(updates$)), {
    defaultValue: undefined,
  });
  const stop = async (): Promise<void> => {
    stop$.next();
    told.unsubscribe();
    await ended;
    store.close();
  };
  open.push(stop);
  return {
    store,
    until: (is: (store: Store) => boolean) =>
      firstValueFrom(updates$.pipe(filter(() => is(store)))).then(() => store),
    news: (is: (news: HubNews) => boolean) => firstValueFrom(news$.pipe(filter(is))),
    stop,
  };
}
