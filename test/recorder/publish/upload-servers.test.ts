/** Uploads to the servers that hosts really run, where this machine has them: ProFTPD, Pure-FTPd, OpenSSH. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { DocumentPlace } from '../../../recorder/publish/documents.ts';
import { createFtpsPlace } from '../../../recorder/publish/ftps-place.ts';
import { createSftpPlace } from '../../../recorder/publish/sftp-place.ts';
import { makeCertificate } from '../../kit/certificate.ts';
import { freePort } from '../relay/nats-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
/** Where a program of this machine is. */
const find = (program: string): string | undefined =>
  FOLDERS.map((folder) => join(folder, program)).find((path) => existsSync(path));
const isRoot = process.getuid?.() === 0;

/** Why a server cannot be tried here; undefined when it can. */
function absent(program: string): string | undefined {
  if (find(program) === undefined)
    return `${program} is not installed (Debian: apt install proftpd-mod-crypto pure-ftpd openssh-server)`;
  return isRoot || program === 'sshd' ? undefined : `${program} has to be started by root`;
}

const running: ChildProcess[] = [];
const closes: (() => void)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) close();
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
});

/** Starts a server and resolves when somebody answers at its port. */
async function start(program: string, args: readonly string[], port: number): Promise<void> {
  const child = spawn(find(program)!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let said = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  const answers = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      }).on('error', () => resolve(false));
    });
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
    await pause(50);
  }
}

interface Home {
  readonly port: number;
  /** Folder on the server, and the same folder on the disk. */
  readonly dir: string;
  readonly disk: string;
  readonly certificate: string;
  readonly pem: string;
  readonly folder: string;
}

async function makeHome(dir = 'live'): Promise<Home> {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const { key, certificate } = makeCertificate();
  const pem = join(folder, 'server.pem');
  writeFileSync(pem, key + certificate, { mode: 0o600 });
  mkdirSync(join(folder, 'home'));
  return { port: await freePort(), dir, disk: join(folder, 'home', dir), certificate, pem, folder };
}

const keep = (place: DocumentPlace): DocumentPlace => {
  closes.push(() => place.close?.());
  return place;
};

const ftps = (home: Home, user: string, password = 'secret'): DocumentPlace =>
  keep(
    createFtpsPlace({
      host: '127.0.0.1',
      port: home.port,
      user,
      dir: home.dir,
      secrets: () => ({ password }),
      certificate: () => home.certificate,
    }),
  );

const put = (place: DocumentPlace, name: string, text: string) => place.put(name, text) as Promise<void>;

/** What any server has to take: texts put, put again, and taken away. */
async function exercise(place: DocumentPlace, disk: string): Promise<void> {
  const text = '[White "Žukauskaitė, Ona"]\r\n\n1. e4 *\n'.repeat(5000);
  await put(place, 'round-1/game-1.pgn', 'old');
  await put(place, 'round-1/game-1.pgn', text);
  await put(place, 'round-1/games.pgn', text);
  await put(place, 'tournament.json', '{"name":"♞"}');
  expect(readFileSync(join(disk, 'round-1', 'game-1.pgn'), 'utf8')).toBe(text);
  expect(readFileSync(join(disk, 'tournament.json'), 'utf8')).toBe('{"name":"♞"}');
  expect(readdirSync(join(disk, 'round-1')).sort()).toEqual(['game-1.pgn', 'games.pgn']);
  expect(await place.read!('round-1/games.pgn')).toBe(text);
  expect(await place.read!('round-7/games.pgn')).toBeUndefined();
  await place.remove('round-1/games.pgn');
  await place.remove('round-1/games.pgn');
  await place.remove('round-7/games.pgn');
  expect(readdirSync(join(disk, 'round-1'))).toEqual(['game-1.pgn']);
}

/** A test that is skipped with its reason where the server is not there. */
const real = (program: string, title: string, run: () => Promise<void>): void =>
  it(`${program} ${title}`, { timeout: 60_000 }, async (context) => {
    const reason = absent(program);
    if (reason !== undefined) return context.skip(reason);
    await run();
  });

describe('a real server', () => {
  real(
    'proftpd',
    'takes uploads, and asks that data connections belong to the same TLS session',
    async () => {
      const home = await makeHome();
      const passwords = join(home.folder, 'passwd');
      const hash = execFileSync('openssl', ['passwd', '-6', 'secret']).toString().trim();
      writeFileSync(passwords, `club:${hash}:65534:65534::${join(home.folder, 'home')}:/bin/sh\n`, {
        mode: 0o600,
      });
      writeFileSync(join(home.folder, 'group'), 'club:x:65534:\n', { mode: 0o600 });
      chmodSync(join(home.folder, 'home'), 0o777);
      const modules = process.env.JADOUBE_PROFTPD_MODULES ?? '/usr/lib/proftpd';
      const config = join(home.folder, 'proftpd.conf');
      writeFileSync(
        config,
        `${[
          `ModulePath ${modules}`,
          'LoadModule mod_tls.c',
          'ServerType standalone',
          'DefaultAddress 127.0.0.1',
          `Port ${home.port}`,
          'UseIPv6 off',
          'User nobody',
          'Group nogroup',
          `PidFile ${join(home.folder, 'pid')}`,
          `ScoreboardFile ${join(home.folder, 'scoreboard')}`,
          `DelayTable none`,
          `AuthOrder mod_auth_file.c`,
          `AuthUserFile ${passwords}`,
          `AuthGroupFile ${join(home.folder, 'group')}`,
          'RequireValidShell off',
          'DefaultRoot ~',
          'AllowOverwrite on',
          'WtmpLog off',
          'TransferLog none',
          'TLSEngine on',
          'TLSRequired on',
          `TLSLog ${join(home.folder, 'tls.log')}`,
          `TLSRSACertificateFile ${home.pem}`,
          `TLSRSACertificateKeyFile ${home.pem}`,
        ].join('\n')}\n`,
      );
      await start('proftpd', ['-n', '-q', '-c', config], home.port);
      await exercise(ftps(home, 'club'), home.disk);
      await expect(put(ftps(home, 'club', 'wrongSecret'), 'a', 'x')).rejects.toMatchObject({
        code: 'UPLOAD_FAILED',
        message: expect.not.stringContaining('wrongSecret'),
      });
    },
  );

  real('pure-ftpd', 'takes uploads', async () => {
    const home = await makeHome();
    chmodSync(join(home.folder, 'home'), 0o777);
    const passwords = join(home.folder, 'passwd');
    const hash = execFileSync('openssl', ['passwd', '-6', 'secret']).toString().trim();
    writeFileSync(passwords, `club:${hash}:65534:65534::${join(home.folder, 'home')}/./::::::::::::\n`);
    const made = spawnSync(find('pure-pw') ?? 'pure-pw', [
      'mkdb',
      join(home.folder, 'list.pdb'),
      '-f',
      passwords,
    ]);
    expect([made.status, String(made.stderr)]).toEqual([0, '']);
    await start(
      'pure-ftpd',
      [
        '-S',
        `127.0.0.1,${home.port}`,
        '-l',
        `puredb:${join(home.folder, 'list.pdb')}`,
        '-Y',
        '3',
        '-J',
        'HIGH',
        '-2',
        home.pem,
        '-E',
        '-4',
        '-u',
        '1',
        '-g',
        join(home.folder, 'pid'),
      ],
      home.port,
    );
    await exercise(ftps(home, 'club'), home.disk);
  });

  real('sshd', 'takes uploads by key, and shows the key of its host', async () => {
    const home = await makeHome();
    for (const name of ['host', 'user'])
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(home.folder, name)]);
    // It refuses to run without the folder that its package makes at the start of the system.
    if (isRoot) mkdirSync('/run/sshd', { recursive: true });
    const config = join(home.folder, 'sshd_config');
    writeFileSync(
      config,
      `${[
        `Port ${home.port}`,
        'ListenAddress 127.0.0.1',
        `HostKey ${join(home.folder, 'host')}`,
        `AuthorizedKeysFile ${join(home.folder, 'user.pub')}`,
        'PasswordAuthentication no',
        'PermitRootLogin prohibit-password',
        'StrictModes no',
        'UsePAM no',
        `PidFile ${join(home.folder, 'pid')}`,
        'Subsystem sftp internal-sftp',
      ].join('\n')}\n`,
    );
    await start('sshd', ['-D', '-e', '-f', config], home.port);
    const shown = execFileSync('ssh-keygen', ['-l', '-f', join(home.folder, 'host.pub')]).toString();
    const hostKey = /SHA256:\S+/.exec(shown)![0];
    const place = (of: string): DocumentPlace =>
      keep(
        createSftpPlace({
          host: '127.0.0.1',
          port: home.port,
          user: userInfo().username,
          dir: home.disk,
          secrets: () => ({ key: readFileSync(join(home.folder, 'user'), 'utf8') }),
          hostKey: of,
        }),
      );
    await exercise(place(hostKey), home.disk);
    await expect(put(place('SHA256:AAAA'), 'a', 'x')).rejects.toMatchObject({
      code: 'UPLOAD_HOST_KEY',
      context: { found: hostKey },
    });
  });
});
