import {
  concat,
  defer,
  filter,
  from,
  map,
  mergeWith,
  NEVER,
  Observable,
  of,
  Subject,
  throwError,
} from 'rxjs';
import { BoardError } from '../../core/board-error.ts';
import type { Channel, Wire, WireMessage, WireSession } from './wire.ts';

interface Kept extends WireMessage {
  readonly channel: Channel;
}

/** A wire in memory: an edge and a hub in one process; with `cut`, a network that fails. */
export interface MemoryWire extends Wire {
  /** Ends all sessions and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  /** Forgets everything, as a server that was replaced by an empty one. */
  replace(): void;
  /** Ends leases as if their time were over. */
  expire(names: readonly string[]): void;
}

const away = (): BoardError => new BoardError('RELAY_AWAY', { server: 'memory', detail: 'cut' });

/** Creates a stream in memory that keeps everything for as long as it lives. */
export function createMemoryWire(): MemoryWire {
  let life = 1;
  let isCut = false;
  let kept: Kept[] = [];
  let ids = new Set<string>();
  /** Sequence of the last word on each lease; no clock runs here: `expire` ends them. */
  let leases = new Map<string, number>();
  let revision = 0;
  const come$ = new Subject<Kept>();
  const beats$ = new Subject<{ edge: string; data: Uint8Array }>();
  const cut$ = new Subject<void>();
  const lost$ = new Observable<never>((subscriber) => cut$.subscribe(() => subscriber.error(away())));

  const isUnder = (item: Kept, channel: Channel, subject: readonly string[]): boolean =>
    item.channel === channel && item.subject.join('.') === subject.join('.');
  const keep = (channel: Channel, subject: readonly string[], data: Uint8Array): number => {
    const message = { channel, subject, sequence: kept.length + 1, data };
    kept.push(message);
    come$.next(message);
    return message.sequence;
  };
  const unlessCut = async <T>(action: () => T): Promise<T> => {
    if (isCut) throw away();
    return action();
  };

  const createSession = (): WireSession => ({
    stream: `memory-${life}`,
    publish(channel, subject, id, data) {
      if (isCut) return Promise.reject(away());
      if (ids.has(id)) return Promise.resolve();
      ids.add(id);
      keep(channel, subject, data);
      return Promise.resolve();
    },
    last: (channel, subject) => unlessCut(() => kept.findLast((item) => isUnder(item, channel, subject))),
    append: (channel, subject, after, data) =>
      unlessCut(() => {
        const last = kept.findLast((item) => isUnder(item, channel, subject));
        return (last?.sequence ?? 0) === after ? keep(channel, subject, data) : undefined;
      }),
    lease: (name, held) =>
      unlessCut(() => {
        if ((leases.get(name) ?? 0) !== held) return undefined;
        leases.set(name, ++revision);
        return revision;
      }),
    release: (name, held) =>
      unlessCut(() => {
        if (leases.get(name) === held) leases.delete(name);
      }),
    leases: () => unlessCut(() => [...leases.keys()]),
    messages$: (channel, after, first) =>
      defer(() => concat(from([...kept]), NEVER)).pipe(
        mergeWith(come$, lost$),
        filter((item) => item.channel === channel && item.sequence > after),
        filter((item) => first === undefined || item.subject[0] === first),
        map(({ sequence, subject, data }) => ({ sequence, subject, data })),
      ),
    beat: (edge, data) => beats$.next({ edge, data }),
    beats$: beats$.asObservable(),
    lost$,
  });

  return {
    session$: defer(() => (isCut ? throwError(away) : concat(of(createSession()), lost$))),
    cut() {
      isCut = true;
      cut$.next();
    },
    mend() {
      isCut = false;
    },
    replace() {
      life++;
      kept = [];
      ids = new Set();
      leases = new Map();
      cut$.next();
    },
    expire(names) {
      for (const name of names) leases.delete(name);
    },
  };
}
