import { isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import type { ConsumerMessages, JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Observable } from 'rxjs';
import { BoardError, isBoardError } from '../../core/board-error.ts';
import { NAME } from './relay-message.ts';
import { type Channel, LEASE_MS, type Wire, type WireMessage, type WireSession } from './wire.ts';

export interface JetStreamOptions {
  /** "nats://host:4222", several with commas. */
  readonly server: string;
  /** Name of the event: one stream each. RELAY_NAME for one that cannot be part of a subject. */
  readonly event: string;
  /** Copies of the stream in a cluster of servers, when it is made here; default 1. */
  readonly replicas?: number;
  /** File with the credentials of NATS (`.creds`), read when connecting. */
  readonly credentials?: Uint8Array;
  readonly user?: string;
  readonly password?: string;
  /** Certificates, as files; `{}` for TLS with those of the system. */
  readonly tls?: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string };
  /** Name that the server shows for this connection. */
  readonly name?: string;
}

/** A stream that does not answer within this time is away, ms. */
const TIMEOUT_MS = 5000;
/** A cut network is noticed after two of these without an answer, ms. */
const PING_MS = 2000;

/**
 * The stream of an event on a NATS server with JetStream, made when it is not there. The client does not connect again by
 * itself: each session looks anew whether the stream is still the one it was.
 */
export function createJetStreamWire(options: JetStreamOptions): Wire {
  const { event, server } = options;
  if (!NAME.test(event)) throw new BoardError('RELAY_NAME', { name: event });
  const away = (error: unknown): BoardError =>
    isBoardError(error)
      ? error
      : new BoardError(
          'RELAY_AWAY',
          {
            server: server.replace(/\/\/[^/@]*@/g, '//'),
            detail: error instanceof Error ? error.message : 'closed',
          },
          error,
        );
  return {
    session$: new Observable<WireSession>((subscriber) => {
      let connection: NatsConnection | undefined;
      const open = async (): Promise<void> => {
        const [nats, jet] = await Promise.all([
          import('@nats-io/transport-node'),
          import('@nats-io/jetstream'),
        ]);
        const { credentials, user, password, tls, name = 'jadoube' } = options;
        const opened = await nats.connect({
          servers: server.split(',').map((one) => one.trim()),
          name,
          reconnect: false,
          timeout: TIMEOUT_MS,
          pingInterval: PING_MS,
          maxPingOut: 2,
          ...(user !== undefined && { user }),
          ...(password !== undefined && { pass: password }),
          ...(credentials !== undefined && { authenticator: nats.credsAuthenticator(credentials) }),
          ...((tls !== undefined || /\btls:\/\//.test(server)) && {
            tls: { ...tls, ...identityCheck(server) },
          }),
        });
        if (subscriber.closed) return opened.close();
        connection = opened;
        void opened
          .closed()
          .then((error) => subscriber.error(away(error ?? new Error('closed by the server'))));
        const manager = await jet.jetstreamManager(opened, { timeout: TIMEOUT_MS });
        const stream = await ensureStream(manager, options);
        await ensureLeases(manager, options);
        subscriber.next(createSession(opened, jet, manager, stream, event, away));
      };
      open().catch((error: unknown) => subscriber.error(away(error)));
      return () => {
        connection?.close().catch(() => {});
      };
    }),
  };
}

/**
 * The client tells the system no name for a server that is given by its address: the certificate must then be for one of the addresses
 * that were given.
 */
function identityCheck(server: string): Pick<ConnectionOptions, 'checkServerIdentity'> {
  const addresses = server
    .split(',')
    .map((one) => hostOf(one.trim()))
    .filter((host) => isIP(host) !== 0);
  return {
    checkServerIdentity(host, certificate) {
      const wrong = checkServerIdentity(host, certificate);
      if (host !== 'localhost' || wrong === undefined) return wrong;
      return addresses.some((address) => checkServerIdentity(address, certificate) === undefined)
        ? undefined
        : wrong;
    },
  };
}

/** The host of "nats://host:4222", without the brackets of an address of version 6. */
function hostOf(server: string): string {
  try {
    return new URL(server.includes('://') ? server : `nats://${server}`).hostname.replace(/^\[|\]$/g, '');
  } catch {
    return '';
  }
}

type Jet = typeof import('@nats-io/jetstream');

const streamName = (event: string): string => `JADOUBE_${event}`;

/** Finds the stream of the event, or makes it; gives the name of its life. */
async function ensureStream(
  manager: JetStreamManager,
  { event, replicas = 1 }: JetStreamOptions,
): Promise<string> {
  const name = streamName(event);
  const subjects = ['inputs', 'entries', 'derived'].map((channel) => `jadoube.${event}.${channel}.>`);
  const { created, config } = await manager.streams.info(name).catch(() =>
    manager.streams.add({
      name,
      description: 'raw input of the boards, what is entered about their games, what workers have derived',
      subjects,
      num_replicas: replicas,
      // Raw input is never thrown away; who archives an event deletes its stream.
      max_age: 0,
      max_bytes: -1,
      max_msgs: -1,
    }),
  );
  // One of before there were workers.
  if (config.subjects.length < subjects.length) await manager.streams.update(name, { ...config, subjects });
  return `${name}@${created}`;
}

const leasesName = (event: string): string => `${streamName(event)}_LEASES`;

/** Finds what keeps the leases, or makes it: the last word on each, gone after a while. A server that forgets them has them taken anew. */
async function ensureLeases(
  manager: JetStreamManager,
  { event, replicas = 1 }: JetStreamOptions,
): Promise<void> {
  const { StorageType } = await import('@nats-io/jetstream');
  const name = leasesName(event);
  await manager.streams.info(name).catch(() =>
    manager.streams.add({
      name,
      description: 'which worker derives which boards',
      subjects: [`jadoube.${event}.lease.>`],
      num_replicas: replicas,
      storage: StorageType.Memory,
      max_msgs_per_subject: 1,
      max_age: LEASE_MS * 1e6,
    }),
  );
}

/** Codes of the server: a message is not the next one under its subject; there is no such message. */
const WRONG_LAST = [10071, 10164];
const NO_MESSAGE = 10037;

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

function createSession(
  connection: NatsConnection,
  jet: Jet,
  manager: JetStreamManager,
  stream: string,
  event: string,
  away: (error: unknown) => BoardError,
): WireSession {
  const client: JetStreamClient = jet.jetstream(connection, { timeout: TIMEOUT_MS });
  const root = `jadoube.${event}`;
  const lost$ = new Observable<never>((subscriber) => {
    void connection.closed().then((error) => subscriber.error(away(error ?? new Error('closed'))));
  });
  const beat$ = new Observable<{ edge: string; data: Uint8Array }>((subscriber) => {
    const beats = connection.subscribe(`${root}.beat.*`, {
      callback: (error, message) => {
        if (error !== null) subscriber.error(away(error));
        else subscriber.next({ edge: message.subject.split('.').at(-1)!, data: message.data });
      },
    });
    return () => beats.unsubscribe();
  });
  const putAfter = async (
    subject: string,
    after: number,
    data: Uint8Array,
    into: string,
  ): Promise<number | undefined> => {
    try {
      const { seq } = await client.publish(subject, data, {
        expect: { lastSubjectSequence: after, streamName: into },
      });
      return seq;
    } catch (error) {
      if (WRONG_LAST.includes(codeOf(error) as number)) return undefined;
      throw away(error);
    }
  };
  return {
    stream,
    lost$,
    beats$: beat$,
    beat: (edge, data) => {
      if (!connection.isClosed()) connection.publish(`${root}.beat.${edge}`, data);
    },
    publish: async (channel, subject, id, data) => {
      try {
        await client.publish([root, channel, ...subject].join('.'), data, { msgID: id });
      } catch (error) {
        throw away(error);
      }
    },
    last: async (channel, subject) => {
      try {
        const last = await manager.streams.getMessage(streamName(event), {
          last_by_subj: [root, channel, ...subject].join('.'),
        });
        return last === null ? undefined : { sequence: last.seq, subject, data: last.data };
      } catch (error) {
        if (codeOf(error) === NO_MESSAGE) return undefined;
        throw away(error);
      }
    },
    append: (channel, subject, after, data) =>
      putAfter([root, channel, ...subject].join('.'), after, data, streamName(event)),
    lease: (name, held) => putAfter(`${root}.lease.${name}`, held, new Uint8Array(), leasesName(event)),
    release: async (name, held) => {
      // Whose time is over may be another's by now: only what we have put there is taken away.
      const isOurs =
        (await putAfter(`${root}.lease.${name}`, held, new Uint8Array(), leasesName(event))) ?? 0;
      if (isOurs > 0) await manager.streams.deleteMessage(leasesName(event), isOurs, false).catch(() => {});
    },
    leases: async () => {
      try {
        const filter = `${root}.lease.`;
        const { state } = await manager.streams.info(leasesName(event), { subjects_filter: `${filter}>` });
        return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(filter.length));
      } catch (error) {
        throw away(error);
      }
    },
    messages$: (channel: Channel, after: number, first?: string) =>
      new Observable<WireMessage>((subscriber) => {
        let messages: ConsumerMessages | undefined;
        const run = async (): Promise<void> => {
          const consumer = await client.consumers.get(streamName(event), {
            filter_subjects: [root, channel, ...(first === undefined ? [] : [first])]
              .join('.')
              // A board's input has more parts, what goes to an edge or is derived of a partition has not.
              .concat(first === undefined || channel === 'inputs' ? '.>' : ''),
            deliver_policy: jet.DeliverPolicy.StartSequence,
            opt_start_seq: after + 1,
          });
          messages = await consumer.consume({ max_messages: 500 });
          if (subscriber.closed) return messages.stop();
          for await (const message of messages) {
            const subject = message.subject.slice(root.length + channel.length + 2).split('.');
            subscriber.next({ sequence: message.seq, subject, data: message.data });
            if (subscriber.closed) break;
          }
          // Ends by itself only with its connection.
          subscriber.error(away(new Error('the stream has ended')));
        };
        run().catch((error: unknown) => subscriber.error(away(error)));
        return () => messages?.stop();
      }),
  };
}
