import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJetStreamWire, type JetStreamOptions } from '../../../recorder/relay/jetstream-wire.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openEdge, pgnOf, startForwarding, startHub, startWorker } from './halls.ts';
import { freePort, hasNatsServer, type NatsServer, startNatsServer } from './nats-server.ts';

const GAMES = [['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Bxc6', 'dxc6', 'O-O', 'f6', 'd4', 'exd4']];
const hasAll = (store: Parameters<typeof pgnOf>[0]): boolean => store.games()[0]?.record.plies.length === 12;

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

function openssl(folder: string, ...args: string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`);
}

/** A certificate that signs, and two that it has signed: of the server and of whoever connects. */
function certify(folder: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    folder,
    'req',
    '-x509',
    ...key,
    '-days',
    '2',
    '-subj',
    '/CN=Test CA',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  );
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1\n');
  for (const name of ['server', 'hall']) {
    openssl(folder, 'req', ...key, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
    openssl(
      folder,
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-days', '2', '-extfile', 'names', '-out', `${name}.pem`],
    );
  }
}

// Both come with a system; a machine without them tests the rest.
describe.skipIf(!hasNatsServer || !hasOpenssl)('a stream on a server that asks who one is', () => {
  let server: NatsServer | undefined;
  let folder = '';
  let port = 0;
  const file = (name: string): string => join(folder, name);
  const wire = (more: Partial<JetStreamOptions>) =>
    createJetStreamWire({ server: `nats://127.0.0.1:${port}`, event: 'tls', ...more });
  const who = { user: 'halls', password: 'a secret of a test' };

  beforeAll(async () => {
    // Outlives each single test.
    folder = mkdtempSync(join(tmpdir(), 'jadoube-tls-'));
    port = await freePort();
    certify(folder);
    writeFileSync(
      file('server.conf'),
      `tls { cert_file: "${file('server.pem')}", key_file: "${file('server.key')}", ca_file: "${file('ca.pem')}", verify: true }
authorization { user: "${who.user}", password: "${who.password}" }\n`,
    );
    server = await startNatsServer(file('js'), port, '0.0.0.0', ['-c', file('server.conf')]);
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('brings games to a hub over TLS with certificates and a password, through a worker', async () => {
    const tls = { caFile: file('ca.pem'), certFile: file('hall.pem'), keyFile: file('hall.key') };
    const edge = openEdge(temporaryFolder(), GAMES);
    startForwarding(edge, wire({ tls, ...who }));
    startWorker('worker', wire({ tls, ...who }), { everyMs: 100 });
    const hub = startHub(temporaryFolder(), wire({ tls, ...who }), 60_000, 'workers');
    await hub.until(hasAll);
    expect(pgnOf(hub.store)).toEqual(pgnOf(edge));
  });

  it('is not believed when its certificate is for another address', async () => {
    const tls = { caFile: file('ca.pem'), certFile: file('hall.pem'), keyFile: file('hall.key') };
    const elsewhere = createJetStreamWire({ server: `nats://127.0.0.2:${port}`, event: 'tls', tls, ...who });
    const error = await firstValueFrom(elsewhere.session$).catch((reason: Error) => reason);
    expect(error).toMatchObject({ code: 'RELAY_AWAY' });
    expect(String(error)).toContain('127.0.0.2');
    expect(String(error)).toMatch(/certificate/);
  });

  it('is away, with the reason and without the secret, for whoever cannot say who it is', async () => {
    const own = { certFile: file('hall.pem'), keyFile: file('hall.key') };
    const tries: readonly (readonly [Partial<JetStreamOptions>, RegExp])[] = [
      [{ ...who }, /certificate/],
      [{ ...who, tls: { ...own } }, /certificate/],
      [{ ...who, tls: { caFile: file('ca.pem') } }, /certificate|closed|disconnected|alert|ECONNRESET/i],
      [
        { tls: { ...own, caFile: file('ca.pem') }, user: who.user, password: 'a wrong secret' },
        /authori[sz]ation/i,
      ],
      [{ ...who, tls: { ...own, caFile: file('is-not-there.pem') } }, /is-not-there/],
    ];
    for (const [options, why] of tries) {
      const error = await firstValueFrom(wire(options).session$).then(
        () => undefined,
        (reason: Error & { code?: string }) => reason,
      );
      expect(error?.code).toBe('RELAY_AWAY');
      expect(String(error)).toMatch(why);
      expect(String(error)).not.toContain('secret');
    }
  });
});
