import { posix } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { DocumentPlace } from './documents.ts';
import { type Connection, createUploadPlace, type UploadServer } from './upload-place.ts';

export interface FtpsServer extends UploadServer {
  /** Certificate (PEM) that is trusted besides those of known authorities. */
  readonly certificate?: () => string;
}

const TIMEOUT_MS = 15_000;

/** A folder on an FTP server with explicit TLS (`AUTH TLS`); nothing is ever sent without it. */
export const createFtpsPlace = (server: FtpsServer): DocumentPlace =>
  createUploadPlace(server, 'ftps', () => openFtps(server));

async function openFtps({ host, port, user, secrets, certificate }: FtpsServer): Promise<Connection> {
  const { Client, FTPError } = await import('basic-ftp');
  const client = new Client(TIMEOUT_MS);
  try {
    await client.access({
      host,
      port,
      user,
      password: secrets().password ?? '',
      secure: true,
      ...(certificate !== undefined && { secureOptions: { ca: certificate(), host } }),
    });
  } catch (error) {
    client.close();
    throw error;
  }
  const home = await client.pwd();
  const absolute = (path: string): string => posix.resolve(home, path);
  return {
    makeFolder: async (path) => {
      await client.ensureDir(absolute(path));
      await client.cd(home);
    },
    store: async (path, text) => {
      await client.uploadFrom(Readable.from([Buffer.from(text)]), absolute(path));
    },
    // Some servers do not rename over what is there.
    replace: async (from, to) => {
      try {
        await client.rename(absolute(from), absolute(to));
      } catch (error) {
        if (!(error instanceof FTPError)) throw error;
        await client.remove(absolute(to), true);
        await client.rename(absolute(from), absolute(to));
      }
    },
    fetch: async (path) => {
      const chunks: Buffer[] = [];
      const into = new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          chunks.push(chunk);
          done();
        },
      });
      try {
        await client.downloadTo(into, absolute(path));
      } catch (error) {
        if (!(error instanceof FTPError)) throw error;
        return undefined;
      }
      return Buffer.concat(chunks).toString('utf8');
    },
    remove: async (path) => {
      await client.remove(absolute(path), true);
    },
    close: () => client.close(),
  };
}
