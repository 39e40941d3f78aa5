/**
 * Publishing as a service of `serve`: what is committed goes to every output of the settings, each with its own delay.
 *
 *   tournament, games of the store ──▶ public source ──▶ publication (one an output) ──▶ documents ──▶ place
 */
import { readFileSync } from 'node:fs';
import {
  concatMap,
  connect,
  defer,
  distinctUntilChanged,
  endWith,
  exhaustMap,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  repeat,
  Subject,
  startWith,
  switchMap,
  take,
  takeUntil,
} from 'rxjs';
import { runMachine } from '../../driver/run-machine.ts';
import type { FailedAttempt } from '../attempt.ts';
import type { OutputConfig } from '../config/config.ts';
import { readSecret } from '../config/secret.ts';
import { createApp } from '../http/create-app.ts';
import { serveApp$ } from '../http/serve-app.ts';
import type { Environment } from '../language/language.ts';
import type { RecorderUpdate } from '../recorder.ts';
import { type Notice, type ServeContext, type Service, section$ } from '../serve/service.ts';
import { type DocumentChange, type DocumentPlace, deliver, type FileWritten } from './documents.ts';
import { createFolderPlace } from './folder-place.ts';
import { createFtpsPlace } from './ftps-place.ts';
import { createHookPlace } from './hook-place.ts';
import { keepList } from './kept-list.ts';
import { pushToLichess, type RoundPushed } from './lichess-push.ts';
import { makeLichessTags } from './lichess-tags.ts';
import { createPublicSource, type PublicSection } from './public-source.ts';
import {
  type DocumentKind,
  FOLDER_DOCUMENTS,
  type PublicationOptions,
  SERVER_DOCUMENTS,
} from './publication.ts';
import { mountSite } from './published-http.ts';
import {
  createSectionedPublication,
  type SectionedEvent,
  type SectionedPublication,
} from './sectioned-publication.ts';
import { createSftpPlace } from './sftp-place.ts';

export const PUBLISH = 'publish';

/** Changes are gathered for so long before outputs look at them, ms. */
const GATHER_MS = 100;
/** Time between two looks at what is withheld, ms. */
const HEED_MS = 500;

type HttpOutput = Extract<OutputConfig, { type: 'http' }>;

/** How an output is called in notices. */
export function nameOfOutput(output: OutputConfig): string {
  if (output.name !== undefined) return output.name;
  switch (output.type) {
    case 'folder':
      return output.dir;
    case 'http':
      return `http port ${output.port} ${output.path}`;
    case 'lichess':
      return 'lichess';
    case 'sftp':
    case 'ftps':
      return `${output.type}://${output.host}`;
    case 'hook':
      return output.command[0]!;
  }
}

/**
 * What outputs hear: everything at once, then what changes, gathered for a moment; the last look comes when the recording has
 * ended. Every subscriber reads for itself.
 */
export const publicEvents$ = (
  { store, tournament, clock }: Pick<ServeContext, 'store' | 'tournament' | 'clock'>,
  updates$: Observable<RecorderUpdate>,
): Observable<SectionedEvent> =>
  defer(() => {
    const source = createPublicSource(store, clock);
    const said = new Map<string, Said>();
    const ended$ = updates$.pipe(ignoreElements(), endWith(0), take(1));
    const stir$ = merge(
      updates$.pipe(
        filter((update) => update.type === 'game' || update.type === 'rederived'),
        map((update) => source.changed(update.type === 'game' ? update.id : update.game.id)),
      ),
      tournament.state$.pipe(takeUntil(ended$)),
      // Others may withhold something: a small question to the database.
      defer(() => of(JSON.stringify(store.holds()))).pipe(
        repeat({ delay: () => clock.timer$(HEED_MS) }),
        distinctUntilChanged(),
        takeUntil(ended$),
      ),
    );
    return merge(
      stir$.pipe(exhaustMap(() => merge(clock.timer$(GATHER_MS), ended$).pipe(take(1)))),
      ended$,
    ).pipe(
      startWith(0),
      concatMap(() => {
        const atMs = clock.monotonicMs();
        const holds = store.holds();
        return [
          { type: 'holds', atMs, holds } as const,
          ...source.sections(tournament.current()).flatMap((one) => newsOf(one, said, atMs)),
        ];
      }),
    );
  });

/** What was told of a section. */
interface Said {
  event: string;
  readonly recorded: Map<string, unknown>;
}

/** What is another of a section since it was last told. */
function newsOf(
  { section, event, recorded }: PublicSection,
  said: Map<string, Said>,
  atMs: number,
): SectionedEvent[] {
  const before = said.get(section) ?? { event: '', recorded: new Map<string, unknown>() };
  said.set(section, before);
  const news: SectionedEvent[] = [];
  // Games first: a pairing is not shown without the game that it has.
  for (const game of recorded) {
    if (before.recorded.get(game.token) === game) continue;
    before.recorded.set(game.token, game);
    news.push({ section, type: 'recorded', atMs, recorded: game });
  }
  // The moment of a result is reckoned anew from the wall clock at each look.
  const text = JSON.stringify(event, (key, value: unknown) => (key === 'resultSinceMs' ? undefined : value));
  if (text !== before.event) {
    before.event = text;
    news.push({ section, type: 'event', atMs, event });
  }
  return news;
}

/** Something of a place that somebody has to know. */
interface PlaceNews {
  readonly type: 'news';
  readonly text: string;
}

/** What an output does with its documents. */
type Told = FileWritten | RoundPushed | FailedAttempt | PlaceNews;

const documentsOf = ({ type }: OutputConfig): readonly DocumentKind[] => {
  if (type === 'http') return SERVER_DOCUMENTS;
  if (type === 'lichess') return ['pgn'];
  if (type === 'hook') return ['round-pgn'];
  return FOLDER_DOCUMENTS;
};

const optionsOf = (output: OutputConfig): PublicationOptions => ({
  delay: { ms: output.delaySeconds * 1000, plies: output.delayPlies },
  documents: documentsOf(output),
  ...(output.type === 'lichess' && { dialect: makeLichessTags, pgn: { points: true } }),
});

function placeOf(output: OutputConfig, env: Environment): DocumentPlace | undefined {
  switch (output.type) {
    case 'folder':
      return createFolderPlace(output.dir);
    case 'hook':
      return createHookPlace(output.command, env);
    case 'sftp': {
      const { host, port, user, dir, password, key, hostKey } = output;
      return createSftpPlace({
        host,
        port,
        user,
        dir,
        // Read when they are needed: a secret may be put right while games go on.
        secrets: () => ({
          ...(password !== undefined && { password: readSecret(password, env) }),
          ...(key !== undefined && { key: readSecret(key, env) }),
        }),
        ...(hostKey !== undefined && { hostKey }),
      });
    }
    case 'ftps': {
      const { host, port, user, dir, password, certificate } = output;
      return createFtpsPlace({
        host,
        port,
        user,
        dir,
        secrets: () => (password === undefined ? {} : { password: readSecret(password, env) }),
        ...(certificate !== undefined && { certificate: () => readFileSync(certificate, 'utf8') }),
      });
    }
    default:
      return undefined;
  }
}

/** Runs one output; completes when what was due at the end has been written. */
function output$(
  output: OutputConfig,
  events$: Observable<SectionedEvent>,
  view: SectionedPublication,
  { clock, env, store, tournament }: ServeContext,
): Observable<Told> {
  const changes$ = events$.pipe(
    runMachine<SectionedEvent, DocumentChange>(() => view, clock, { wake: 'now' }),
  );
  if (output.type === 'lichess') {
    const { rounds, url, token } = output;
    return changes$.pipe(
      pushToLichess({ publication: view, rounds, url, token: () => readSecret(token, env) }),
    );
  }
  const place = placeOf(output, env);
  if (place === undefined) return changes$.pipe(ignoreElements());
  const { read } = place;
  if (read === undefined) return changes$.pipe(deliver(place), finish(place));
  return defer(() => {
    const news = new Subject<PlaceNews>();
    const listed = keepList(
      { ...place, read },
      {
        event: store.token,
        names: view.names,
        isComplete: () => tournament.current().pairings.length > 0,
        tell: (text) => news.next({ type: 'news', text }),
      },
    );
    return merge(
      news,
      changes$.pipe(
        deliver(listed),
        finish(place),
        finalize(() => news.complete()),
      ),
    );
  });
}

/** Lets go of a place when nothing is written there any more. */
const finish =
  (place: DocumentPlace) =>
  <T>(source: Observable<T>): Observable<T> =>
    place.close === undefined ? source : source.pipe(finalize(() => place.close?.()));

/** Servers of published games: outputs with the same address share one. */
function servers$(outputs: readonly (readonly [HttpOutput, SectionedPublication])[]): Observable<Notice> {
  const byAddress = new Map<string, (readonly [HttpOutput, SectionedPublication])[]>();
  for (const output of outputs) {
    const address = `${output[0].host} ${output[0].port}`;
    byAddress.set(address, [...(byAddress.get(address) ?? []), output]);
  }
  return merge(
    ...[...byAddress.values()].map((sites) => {
      const { host, port } = sites[0]![0];
      return serveApp$(
        async () => {
          // What is published is for everybody: no name and no site is refused.
          const app = await createApp({ hosts: 'any' });
          for (const [{ path }, view] of sites) await mountSite(app, { path, text: view.text });
          return app;
        },
        { host, port },
      ).pipe(
        map(({ url }): Notice => {
          const paths = sites.map(([{ path }]) => `${url}${path}`).join(', ');
          return { type: 'notice', service: PUBLISH, text: `games are at ${paths}` };
        }),
      );
    }),
  );
}

const noticeOf = (output: OutputConfig, told: Told): Notice => {
  if (told.type === 'news')
    return { type: 'notice', service: `${PUBLISH} ${nameOfOutput(output)}`, text: told.text };
  if (told.type === 'fault') return { ...told, service: `${PUBLISH} ${nameOfOutput(output)}` };
  const target = told.type === 'written' ? told.path : `${nameOfOutput(output)} round ${told.round}`;
  return { type: 'sent', service: PUBLISH, target };
};

/** Publishes to all outputs of the settings; they begin anew when the settings of outputs change. */
export const publishService: Service = (context) =>
  defer(() => {
    const { updates$ } = context;
    const ended$ = updates$.pipe(ignoreElements(), endWith(0), take(1));
    return section$(context.config$, 'outputs').pipe(
      takeUntil(ended$),
      switchMap((all) => {
        const outputs = all
          .filter(({ enabled }) => enabled)
          .map((output) => [output, createSectionedPublication(optionsOf(output))] as const);
        if (outputs.length === 0) return updates$.pipe(ignoreElements());
        const told$ = publicEvents$(context, updates$).pipe(
          connect((events$) =>
            merge(
              ...outputs.map(([output, view]) =>
                output$(output, events$, view, context).pipe(map((told) => noticeOf(output, told))),
              ),
            ),
          ),
        );
        const sites = outputs.flatMap(([output, view]) =>
          output.type === 'http' ? [[output, view] as const] : [],
        );
        return merge(servers$(sites).pipe(takeUntil(ended$)), told$);
      }),
    );
  });
