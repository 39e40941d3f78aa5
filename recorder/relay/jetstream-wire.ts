import type { ConsumerMessages, JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Observable } from 'rxjs';
import { BoardError, isBoardError } from '../../core/board-error.ts';
import { NAME } from './relay-message.ts';
import type { Channel, Wire, WireMessage, WireSession } from './wire.ts';

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
          ...(tls !== undefined && { tls: { ...tls } }),
        });
        if (subscriber.closed) return opened.close();
        connection = opened;
        void opened
          .closed()
          .then((error) => subscriber.error(away(error ?? new Error('closed by the server'))));
        const manager = await jet.jetstreamManager(opened, { timeout: TIMEOUT_MS });
        const stream = await ensureStream(manager, options);
        subscriber.next(createSession(opened, jet, stream, event, away));
      };
      open().catch((error: unknown) => subscriber.error(away(error)));
      return () => {
        connection?.close().catch(() => {});
      };
    }),
  };
}

type Jet = typeof import('@nats-io/jetstream');

const streamName = (event: string): string => `JADOUBE_${event}`;

/** Finds the stream of the event, or makes it; gives the name of its life. */
async function ensureStream(
  manager: JetStreamManager,
  { event, replicas = 1 }: JetStreamOptions,
): Promise<string> {
  const name = streamName(event);
  const { created } = await manager.streams.info(name).catch(() =>
    manager.streams.add({
      name,
      description: 'raw input of the boards and what is entered about their games',
      subjects: [`jadoube.${event}.inputs.>`, `jadoube.${event}.entries.>`],
      num_replicas: replicas,
      // Raw input is never thrown away; who archives an event deletes its stream.
      max_age: 0,
      max_bytes: -1,
      max_msgs: -1,
    }),
  );
  return `${name}@${created}`;
}

function createSession(
  connection: NatsConnection,
  jet: Jet,
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
    messages$: (channel: Channel, after: number, edge?: string) =>
      new Observable<WireMessage>((subscriber) => {
        let messages: ConsumerMessages | undefined;
        const run = async (): Promise<void> => {
          const consumer = await client.consumers.get(streamName(event), {
            filter_subjects: `${root}.${channel}.${edge ?? '>'}`,
            deliver_policy: jet.DeliverPolicy.StartSequence,
            opt_start_seq: after + 1,
          });
          messages = await consumer.consume({ max_messages: 500 });
          if (subscriber.closed) return messages.stop();
          for await (const message of messages) {
            subscriber.next({ sequence: message.seq, data: message.data });
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
