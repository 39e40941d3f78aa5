/** Several halls: what `serve` is to the stream of the event. */
import { hostname } from 'node:os';
import { combineLatest, endWith, ignoreElements, map, merge, mergeMap, type Observable, of } from 'rxjs';
import type { Fleet } from '../../driver/fleet.ts';
import type { Config } from '../config/config.ts';
import { readSecret } from '../config/secret.ts';
import type { Environment } from '../language/language.ts';
import type { Heard } from '../recorder.ts';
import { type ForwardNews, forward$ } from '../relay/forward.ts';
import type { Hub, HubNews } from '../relay/hub.ts';
import { createJetStreamWire } from '../relay/jetstream-wire.ts';
import { PARTITIONS } from '../relay/partition.ts';
import type { Wire } from '../relay/wire.ts';
import { type WorkerNews, type WorkerOptions, work$ } from '../relay/worker.ts';
import type { Store } from '../store/store.ts';
import type { NamedService, Notice } from './service.ts';

/** The wire of the settings; RELAY_NAME, SECRET_UNREADABLE. */
export function createConfiguredWire(config: Config['stream'], env: Environment): Wire {
  const { server, event, edge, replicas, role, credentials, user, password, ca, certificate, key } = config;
  const files = {
    ...(isSet(ca) && { caFile: ca }),
    ...(isSet(certificate) && { certFile: certificate }),
    ...(isSet(key) && { keyFile: key }),
  };
  return createJetStreamWire({
    server,
    event,
    replicas,
    name: `jadoube ${role === 'edge' ? edge : role}`,
    ...(credentials !== undefined && {
      credentials: new TextEncoder().encode(readSecret(credentials, env)),
    }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password: readSecret(password, env) }),
    ...(Object.keys(files).length > 0 && { tls: files }),
  });
}

const isSet = (text: string | undefined): text is string => text !== undefined && text !== '';

/** A name that no other process of the event has. */
export const workerName = (): string =>
  `${hostname()
    .replace(/[^A-Za-z0-9-]/g, '-')
    .slice(0, 40)}-${process.pid}`;

/** A worker as notices: the partitions it has, and what it could not use. */
export const worker$ = (options: WorkerOptions): Observable<Notice> =>
  work$(options).pipe(map((news) => noticeOf('worker', news)));

/** The service of a hub that leaves the derivation to workers: derives for as long as there is none. */
export const reserveService = (wire: Wire): NamedService => ({
  name: 'worker',
  service: ({ updates$ }) =>
    worker$({
      worker: workerName(),
      wire,
      isReserve: true,
      stop$: updates$.pipe(ignoreElements(), endWith(0)),
    }),
});

/** The service of an edge: forwards what its recorder has stored. */
export const edgeService = (store: Store, edge: string, wire: Wire): NamedService => ({
  name: 'edge',
  service: ({ updates$ }) =>
    forward$({ edge, store, wire, ending$: updates$.pipe(ignoreElements(), endWith(0)) }).pipe(
      map((news) => noticeOf('edge', news)),
    ),
});

/** Boards of this machine and of all edges. */
export const hearBoth = (fleet: Fleet, { heard }: Hub): Heard => ({
  updates$: merge(fleet.updates$, heard.updates$),
  status$: combineLatest([fleet.status$, heard.status$]).pipe(
    map(([own, edges]) => ({ boards: own.boards, ports: [...own.ports, ...edges.ports] })),
  ),
});

/** What a hub tells besides games. */
export const hubNotices = ({ news$ }: Hub): Observable<Notice> =>
  news$.pipe(mergeMap((news) => of(noticeOf('hub', news))));

function noticeOf(service: string, news: ForwardNews | HubNews | WorkerNews): Notice {
  switch (news.type) {
    case 'fault':
      return { ...news, service };
    case 'relay': {
      const waiting = 'waiting' in news && news.waiting > 0 ? `; ${news.waiting} rows wait to be sent` : '';
      return { type: 'notice', service, text: `the stream is reached${waiting}` };
    }
    case 'partitions': {
      const { partitions } = news;
      const which = partitions.length === 0 ? 'no boards' : `partitions ${partitions.join(', ')}`;
      return { type: 'notice', service, text: `derives ${which} of ${PARTITIONS}` };
    }
    case 'entered':
      return { type: 'notice', service, text: `entered at the hub: ${news.uid}` };
    case 'edge':
      return {
        type: 'notice',
        service,
        text: news.state === 'up' ? `${news.edge} is heard` : `${news.edge} is silent`,
      };
  }
}
