import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJetStreamWire } from '../../../recorder/relay/jetstream-wire.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openEdge, pgnOf, startForwarding, startHub } from './halls.ts';
import { freePort, hasNatsServer, type NatsServer, startNatsServer } from './nats-server.ts';

const GAMES = [['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Bxc6', 'dxc6', 'O-O', 'f6', 'd4', 'exd4']];
const hasAll = (store: Parameters<typeof pgnOf>[0]): boolean => store.games()[0]?.record.plies.length === 12;

describe.skipIf(!hasNatsServer)('a stream on a real server', () => {
  let port = 0;
  let folder = '';
  let server: NatsServer | undefined;
  const wire = (event: string) => createJetStreamWire({ server: `nats://127.0.0.1:${port}`, event });

  beforeAll(async () => {
    port = await freePort();
    folder = temporaryFolder();
    server = await startNatsServer(join(folder, 'js'), port);
  });
  afterAll(() => server?.stop());

  it('brings games from an edge to a hub', async () => {
    const edge = openEdge(folder, GAMES, 'edge-1');
    startForwarding(edge, wire('open'));
    const hub = startHub(temporaryFolder(), wire('open'));
    await hub.until(hasAll);
    expect(pgnOf(hub.store)).toEqual(pgnOf(edge));
  });

  it('keeps everything over a server that is killed and comes back', async () => {
    const edge = openEdge(folder, GAMES, 'edge-2');
    const forwarding = startForwarding(edge, wire('killed'), { batchRows: 2 });
    await forwarding.until((news) => news.type === 'relay' && news.state === 'up');
    await server!.stop('SIGKILL');
    await forwarding.until((news) => news.type === 'fault' && news.fault.code === 'RELAY_AWAY');
    const hub = startHub(temporaryFolder(), wire('killed'));
    await hub.news((news) => news.type === 'fault' && news.fault.code === 'RELAY_AWAY');
    server = await startNatsServer(join(folder, 'js'), port);
    await hub.until(hasAll);
    expect(pgnOf(hub.store)).toEqual(pgnOf(edge));
  });

  it('is sent everything again when the server was replaced by an empty one', async () => {
    const edge = openEdge(folder, GAMES, 'edge-3');
    const forwarding = startForwarding(edge, wire('replaced'));
    const hubFolder = temporaryFolder();
    const hub = startHub(hubFolder, wire('replaced'));
    await hub.until(hasAll);
    await server!.stop('SIGKILL');
    await forwarding.until((news) => news.type === 'fault');
    server = await startNatsServer(join(folder, 'empty'), port);
    const other = startHub(temporaryFolder(), wire('replaced'));
    await other.until(hasAll);
    expect(pgnOf(other.store)).toEqual(pgnOf(edge));
    expect(pgnOf(hub.store)).toEqual(pgnOf(edge));
  });

  it('refuses a name that cannot be part of a subject', () => {
    for (const event of ['', 'a.b', 'a b', '*', '>']) {
      expect(() => wire(event)).toThrow(expect.objectContaining({ code: 'RELAY_NAME' }));
    }
  });
});
