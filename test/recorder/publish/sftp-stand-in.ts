/** An SFTP server in memory, with the few things a program that uploads needs. */
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { posix } from 'node:path';
import ssh2 from 'ssh2';

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;

export interface SftpOptions {
  readonly password: string;
  /** Knows the extension that renames over a file that is there. */
  readonly renamesOver?: boolean;
}

export async function startSftp({ password, renamesOver = true }: SftpOptions) {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const files = new Map<string, Buffer>();
  const folders = new Set(['/', '/home']);
  /** Names under which something was ever visible, in order. */
  const shown: string[] = [];
  const connections = new Set<ssh2.Connection>();
  /** The next so many things that are asked for fail. */
  const trouble = { left: 0 };
  const absolute = (path: string): string => posix.resolve('/home', path);

  const server = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
    connections.add(client);
    client.on('error', () => {});
    client.on('close', () => connections.delete(client));
    client.on('authentication', (asked) => {
      if (asked.method === 'password' && asked.password === password) asked.accept();
      else asked.reject(['password']);
    });
    client.on('session', (accept) => {
      accept().on('sftp', (acceptSftp) => {
        const sftp = acceptSftp();
        const handles = new Map<string, { path: string; content: Buffer }>();
        const ok = (id: number) => sftp.status(id, STATUS_CODE.OK);
        const no = (id: number, code: number = STATUS_CODE.NO_SUCH_FILE) => sftp.status(id, code);
        const attributes = (path: string) => ({
          mode: folders.has(path) ? 0o40755 : 0o100644,
          uid: 0,
          gid: 0,
          size: files.get(path)?.length ?? 0,
          atime: 0,
          mtime: 0,
        });
        const stat = (id: number, path: string): void => {
          const at = absolute(path);
          if (!files.has(at) && !folders.has(at)) no(id);
          else sftp.attrs(id, attributes(at));
        };
        sftp.on('REALPATH', (id, path) =>
          sftp.name(id, [{ filename: absolute(path), longname: path, attrs: attributes('/') }]),
        );
        sftp.on('STAT', stat);
        sftp.on('LSTAT', stat);
        sftp.on('FSETSTAT', (id) => ok(id));
        sftp.on('SETSTAT', (id) => ok(id));
        sftp.on('MKDIR', (id, path) => {
          folders.add(absolute(path));
          ok(id);
        });
        sftp.on('OPEN', (id, path, flags) => {
          const at = absolute(path);
          if (trouble.left-- > 0) return no(id, STATUS_CODE.FAILURE);
          if ((flags & OPEN_MODE.WRITE) === 0 || !folders.has(posix.dirname(at))) return no(id);
          const handle = randomUUID();
          handles.set(handle, { path: at, content: Buffer.alloc(0) });
          files.set(at, Buffer.alloc(0));
          sftp.handle(id, Buffer.from(handle));
        });
        sftp.on('WRITE', (id, handle, offset, data) => {
          const open = handles.get(String(handle));
          if (open === undefined) return no(id, STATUS_CODE.FAILURE);
          const content = Buffer.alloc(Math.max(open.content.length, offset + data.length));
          open.content.copy(content);
          data.copy(content, offset);
          open.content = content;
          files.set(open.path, content);
          shown.push(open.path);
          ok(id);
        });
        sftp.on('CLOSE', (id, handle) => {
          handles.delete(String(handle));
          ok(id);
        });
        sftp.on('REMOVE', (id, path) => (files.delete(absolute(path)) ? ok(id) : no(id)));
        const move = (id: number, from: string, to: string, over: boolean): void => {
          const [source, target] = [absolute(from), absolute(to)];
          const content = files.get(source);
          if (content === undefined || (files.has(target) && !over)) return void no(id, STATUS_CODE.FAILURE);
          files.delete(source);
          files.set(target, content);
          shown.push(target);
          ok(id);
        };
        sftp.on('RENAME', (id, from, to) => move(id, from, to, false));
        sftp.on('EXTENDED', (id, name, data) => {
          if (!renamesOver || name !== 'posix-rename@openssh.com') return no(id, STATUS_CODE.OP_UNSUPPORTED);
          const length = data.readUInt32BE(0);
          const from = data.subarray(4, 4 + length).toString();
          const to = data.subarray(8 + length).toString();
          move(id, from, to, true);
        });
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  const one = Array.isArray(key) ? key[0]! : key;
  return {
    port: (server.address() as AddressInfo).port,
    hostKey: `SHA256:${createHash('sha256').update(one.getPublicSSH()).digest('base64').replace(/=+$/, '')}`,
    files,
    shown,
    trouble,
    /** Ends all connections, as a server that is started anew does. */
    drop: () => {
      for (const connection of connections) connection.end();
    },
    close: () => {
      for (const connection of connections) connection.end();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
