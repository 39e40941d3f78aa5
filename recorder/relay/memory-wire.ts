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
  readonly edge: string;
}

/** A wire in memory: an edge and a hub in one process; with `cut`, a network that fails. */
export interface MemoryWire extends Wire {
  /** Ends all sessions and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  /** Forgets everything, as a server that was replaced by an empty one. */
  replace(): void;
}

const away = (): BoardError => new BoardError('RELAY_AWAY', { server: 'memory', detail: 'cut' });

/** Creates a stream in memory that keeps everything for as long as it lives. */
export function createMemoryWire(): MemoryWire {
  let life = 1;
  let isCut = false;
  let kept: Kept[] = [];
  let ids = new Set<string>();
  const come$ = new Subject<Kept>();
  const beats$ = new Subject<{ edge: string; data: Uint8Array }>();
  const cut$ = new Subject<void>();
  const lost$ = new Observable<never>((subscriber) => cut$.subscribe(() => subscriber.error(away())));

  const createSession = (): WireSession => ({
    stream: `memory-${life}`,
    publish(channel, subject, id, data) {
      if (isCut) return Promise.reject(away());
      if (ids.has(id)) return Promise.resolve();
      ids.add(id);
      const message = { channel, edge: subject[0]!, sequence: kept.length + 1, data };
      kept.push(message);
      come$.next(message);
      return Promise.resolve();
    },
    messages$: (channel, after, edge) =>
      defer(() => concat(from([...kept]), NEVER)).pipe(
        mergeWith(come$, lost$),
        filter((item) => item.channel === channel && item.sequence > after),
        filter((item) => edge === undefined || item.edge === edge),
        map(({ sequence, data }) => ({ sequence, data })),
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
      cut$.next();
    },
  };
}
