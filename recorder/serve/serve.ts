/**
 * Everything that runs all day: the recorder of all boards, and services beside it.
 *
 *   settings ──▶ fleet ──▶ recorder ──▶ updates, shared ──▶ services ──▶ notices
 *      └────────────────────────────────────────────────────▲
 */
import {
  connect,
  defer,
  EMPTY,
  finalize,
  merge,
  mergeMap,
  type Observable,
  Subject,
  startWith,
  takeUntil,
  tap,
} from 'rxjs';
import { BOARDS } from '../../boards/registry.ts';
import { parseBoardAddress } from '../../driver/address.ts';
import type { Clock } from '../../driver/clock.ts';
import { createFleet, type FleetOptions } from '../../driver/fleet.ts';
import { failedAttempt } from '../attempt.ts';
import { readBoardSettings } from '../board-settings.ts';
import { type Config, settingName } from '../config/config.ts';
import type { GivenSetting } from '../config/load-config.ts';
import { type EventRules, readRules } from '../event-rules.ts';
import type { Environment } from '../language/language.ts';
import { record$ } from '../recorder.ts';
import { refuseHubStore } from '../relay/forward.ts';
import { createHub } from '../relay/hub.ts';
import type { Wire } from '../relay/wire.ts';
import { boardsAway } from '../sitting.ts';
import type { Store } from '../store/store.ts';
import type { TournamentDesk } from '../tournament/tournament-desk.ts';
import { runServices } from './run-services.ts';
import type { NamedService, Notice, ServeUpdate } from './service.ts';
import { createConfiguredWire, edgeService, hearBoth, hubNotices, reserveService } from './stream.ts';
import { watchConfig$ } from './watch-config.ts';

export interface ServeOptions {
  readonly store: Store;
  readonly tournament: TournamentDesk;
  readonly clock: Clock;
  /** The settings at the beginning. */
  readonly config: Config;
  readonly configFile: string | undefined;
  readonly given: readonly GivenSetting[];
  /** Asks that the settings be read again. */
  readonly reload$: Observable<unknown>;
  /** Ends everything: what is under way is committed, published, and closed. */
  readonly stop$: Observable<unknown>;
  readonly services: readonly NamedService[];
  readonly env: Environment;
  /** For tests and the demo: where boards come from. */
  readonly fleet?: Partial<FleetOptions>;
  /** For tests: the way to the stream of the event; that of the settings when absent. */
  readonly wireOf?: (config: Config['stream'], env: Environment) => Wire;
}

/** Settings that count from the next start on only. */
const FIXED: readonly (readonly [section: keyof Config, names: readonly string[]])[] = [
  ['recorder', ['db', 'pgn', 'capture', 'log', 'logMegabytes', 'logKeep']],
  ['boards', ['search']],
  ['event', ['timeControl', 'supervision', 'rate', 'drawFrom', 'defaultMinutes']],
  [
    'stream',
    [
      'role',
      'server',
      'event',
      'edge',
      'replicas',
      'workers',
      'credentials',
      'user',
      'password',
      'certificate',
      'key',
      'ca',
    ],
  ],
];

/** Names of settings that are others and count later. */
function fixedChanges(before: Config, after: Config): string[] {
  const settingOf = (config: Config, section: keyof Config, name: string): string | undefined =>
    JSON.stringify((config[section] as Readonly<Record<string, unknown>>)[name]);
  return FIXED.flatMap(([section, names]) =>
    names
      .filter((name) => settingOf(before, section, name) !== settingOf(after, section, name))
      .map((name) => `${section}.${settingName(name)}`),
  );
}

/** What the settings prescribe for games; a time control was checked with the settings. */
function rulesOf(event: Config['event']): EventRules | undefined {
  const rules = readRules(event);
  return rules.ok ? rules.value : undefined;
}

/** What the settings say of the event is what is known of it. */
function tellEvent(tournament: TournamentDesk, { event: { name, site, timeControl } }: Config): void {
  const known = tournament.current().event;
  const facts = {
    ...(name !== undefined && name !== known.name && { name }),
    ...(site !== undefined && site !== known.site && { site }),
    ...(timeControl !== undefined && timeControl !== known.timeControl && { timeControl }),
  };
  if (Object.keys(facts).length > 0) tournament.apply([{ type: 'event', facts }], 'settings');
}

/** Runs until `stop$`; cold. Errors are failures of the store that cannot heal. */
export function serve$(options: ServeOptions): Observable<ServeUpdate> {
  return defer(() => {
    const { store, tournament, clock, services, stop$, env } = options;
    if (options.config.stream.role === 'edge') refuseHubStore(store);
    let current = options.config;
    const configs = new Subject<Config>();
    const config$ = defer(() => configs.pipe(startWith(current)));
    tellEvent(tournament, options.config);
    const ended = new Subject<void>();
    const notices = new Subject<Notice>();
    const notices$ = notices.asObservable();
    const places = (): NonNullable<FleetOptions['named']> =>
      current.boards.places.flatMap((text) => {
        const address = parseBoardAddress(text);
        return address.ok ? [address.value] : [];
      });
    const fleet = createFleet({
      definitions: BOARDS,
      clock,
      settings: readBoardSettings(BOARDS, env),
      away: boardsAway(store, clock.monotonicMs(), clock.wallMs()),
      ...(options.config.boards.search !== undefined && { search: options.config.boards.search }),
      ...options.fleet,
      // Asked for at every look at the ports: a place that comes or goes touches no other.
      get named() {
        return places();
      },
    });

    const reloaded$ = watchConfig$({
      file: options.configFile,
      given: options.given,
      clock,
      reload$: options.reload$,
    }).pipe(
      mergeMap((loaded): Notice[] => {
        if (!loaded.ok)
          return loaded.fault.map((fault) => ({ ...failedAttempt(fault, true), service: 'settings' }));
        const { config } = loaded.value;
        const later = fixedChanges(options.config, config);
        tellEvent(tournament, config);
        current = config;
        configs.next(config);
        return [
          { type: 'notice', service: 'settings', text: 'read again' },
          ...later.map(
            (name): Notice => ({
              type: 'notice',
              service: 'settings',
              text: `${name} counts from the next start on`,
            }),
          ),
        ];
      }),
    );

    const { pgn, capture } = options.config.recorder;
    const rules = rulesOf(options.config.event);
    const { stream } = options.config;
    const wireOf = options.wireOf ?? createConfiguredWire;
    const derive = stream.workers ? 'workers' : 'here';
    const hub = stream.role === 'hub' ? createHub({ store, wire: wireOf(stream, env), derive }) : undefined;
    const more: readonly NamedService[] =
      stream.role === 'edge'
        ? [edgeService(store, stream.edge, wireOf(stream, env))]
        : hub !== undefined && stream.workers
          ? [reserveService(wireOf(stream, env))]
          : [];
    const all = [...services, ...more];
    const recording$ = record$({
      fleet: hub === undefined ? fleet : hearBoth(fleet, hub),
      store,
      clock,
      stop$,
      sitting: { ...(rules !== undefined && { rules }) },
      ...(pgn !== '' && { pgnDir: pgn }),
      ...(capture !== '' && { captureDir: capture }),
    });

    return merge(
      recording$.pipe(
        connect((updates$) =>
          merge(
            runServices(all, { store, updates$, notices$, config$, tournament, fleet, clock, env }).pipe(
              tap((notice) => notices.next(notice)),
            ),
            updates$,
          ),
        ),
        finalize(() => {
          notices.complete();
          ended.next();
        }),
      ),
      reloaded$.pipe(takeUntil(ended)),
      hub === undefined ? EMPTY : hubNotices(hub).pipe(takeUntil(ended)),
    );
  });
}
