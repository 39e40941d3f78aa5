import { createHash } from 'node:crypto';
import { BoardError } from '../../core/board-error.ts';
import type { DocumentPlace } from './documents.ts';
import { type Connection, createUploadPlace, type UploadServer } from './upload-place.ts';

export interface SftpServer extends UploadServer {
  /** SHA-256 fingerprint of the server's key, with or without `SHA256:` before it; any key is taken when absent. */
  readonly hostKey?: string;
}

const READY_MS = 15_000;
/** A connection that is used now and then is kept alive through firewalls, ms. */
const ALIVE_MS = 20_000;

const fingerprintOf = (key: Buffer): string =>
  createHash('sha256').update(key).digest('base64').replace(/=+$/, '');

/** A folder on an SFTP server. */
export const createSftpPlace = (server: SftpServer): DocumentPlace =>
  createUploadPlace(server, 'sftp', () => openSftp(server));

async function openSftp({ host, port, user, secrets, hostKey }: SftpServer): Promise<Connection> {
  const { default: Client } = await import('ssh2-sftp-client');
  const client = new Client();
  let found: string | undefined;
  const wanted = hostKey?.replace(/^SHA256:/, '').replace(/=+$/, '');
  // A connection that the server ends is seen at the next thing that is done over it.
  for (const event of ['error', 'end', 'close']) client.on(event, () => {});
  const { password, key } = secrets();
  try {
    await client.connect({
      host,
      port,
      username: user,
      readyTimeout: READY_MS,
      keepaliveInterval: ALIVE_MS,
      ...(password !== undefined && { password }),
      ...(key !== undefined && { privateKey: key }),
      hostVerifier: (shown: Buffer) => {
        found = `SHA256:${fingerprintOf(shown)}`;
        return wanted === undefined || fingerprintOf(shown) === wanted;
      },
    });
  } catch (error) {
    void client.end().catch(() => {});
    if (wanted !== undefined && found !== undefined && found !== `SHA256:${wanted}`)
      throw new BoardError('UPLOAD_HOST_KEY', { url: `sftp://${host}:${port}`, found }, error);
    throw error;
  }
  return {
    makeFolder: async (path) => {
      if ((await client.exists(path)) !== 'd') await client.mkdir(path, true);
    },
    store: async (path, text) => {
      await client.put(Buffer.from(text), path);
    },
    // The extension renames over what is there; servers without it need the old file away first.
    replace: async (from, to) => {
      try {
        await client.posixRename(from, to);
      } catch {
        if ((await client.exists(to)) !== false) await client.delete(to);
        await client.rename(from, to);
      }
    },
    fetch: async (path) =>
      (await client.exists(path)) === false ? undefined : String(await client.get(path)),
    remove: async (path) => {
      await client.delete(path, true);
    },
    close: () => void client.end().catch(() => {}),
  };
}
