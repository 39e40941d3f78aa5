import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Whether this machine has the server. */
export const hasNatsServer = spawnSync('nats-server', ['--version']).status === 0;

/** A real server with JetStream on a folder; `stop` ends it as hard as asked. */
export interface NatsServer {
  readonly url: string;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** A port that nobody holds at present. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a server at an address of this machine; resolves when it is ready. `more`: further words of its command line. */
export async function startNatsServer(
  folder: string,
  port: number,
  host = '127.0.0.1',
  more: readonly string[] = [],
): Promise<NatsServer> {
  const server: ChildProcess = spawn(
    'nats-server',
    ['-a', host, '-p', String(port), '-js', '-sd', folder, ...more],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let text = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr!.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('Server is ready')) resolve();
    });
    server.once('exit', () => reject(new Error(`nats-server did not start: ${text}`)));
  });
  return {
    url: `nats://${host}:${port}`,
    async stop(signal = 'SIGTERM') {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill(signal);
      await once(server, 'exit');
    },
  };
}
