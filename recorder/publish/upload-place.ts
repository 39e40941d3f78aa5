/** What SFTP and FTPS have in common: one connection, one thing at a time, files put under another name and renamed. */
import { posix } from 'node:path';
import { BoardError } from '../../core/board-error.ts';
import { hideSecrets } from '../config/secret.ts';
import type { DocumentPlace } from './documents.ts';

/** Account and folder on a server; secrets are asked for at each connection and never told. */
export interface UploadServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly dir: string;
  readonly secrets: () => { readonly password?: string; readonly key?: string };
}

/** An open connection. */
export interface Connection {
  makeFolder(path: string): Promise<void>;
  /** Puts a text under a name that no reader of games looks at. */
  store(path: string, text: string): Promise<void>;
  /** Gives a file another name, in the place of what has it. */
  replace(from: string, to: string): Promise<void>;
  /** The text of a file; undefined when it is not there. */
  fetch(path: string): Promise<string | undefined>;
  /** No failure when it is not there. */
  remove(path: string): Promise<void>;
  close(): void;
}

/** Creates a place behind a connection that is opened when it is needed, and anew after a failure. */
export function createUploadPlace(
  { host, port, dir, secrets }: Pick<UploadServer, 'host' | 'port' | 'dir' | 'secrets'>,
  protocol: 'sftp' | 'ftps',
  connect: () => Promise<Connection>,
): DocumentPlace {
  const known = (): (string | undefined)[] => {
    try {
      return Object.values(secrets());
    } catch {
      return [];
    }
  };
  const url = `${protocol}://${host}:${port}`;
  let connection: Promise<Connection> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const folders = new Set<string>();

  const letGo = (): void => {
    void connection?.then((open) => open.close()).catch(() => {});
    connection = undefined;
    folders.clear();
  };

  /** Does one thing after the other. What fails ends the connection: what is left of it is not known. */
  const inTurn = <T>(action: (open: Connection) => Promise<T>): Promise<T> => {
    const mine = turn.then(async () => {
      try {
        const isUsed = connection !== undefined;
        connection ??= connect();
        try {
          return await action(await connection);
        } catch (error) {
          if (!isUsed) throw error;
          // Servers end what has been idle for minutes, and that is seen now: no fault of anybody.
          letGo();
          connection = connect();
          return await action(await connection);
        }
      } catch (error) {
        letGo();
        if (error instanceof BoardError) throw error;
        const said = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
        const detail = hideSecrets(said, known()).slice(0, 300);
        throw new BoardError('UPLOAD_FAILED', { url, detail });
      }
    });
    turn = mine.catch(() => {});
    return mine;
  };

  return {
    pathOf: (name) => `${url}/${posix.join(dir, name)}`,
    put: (name, text) =>
      inTurn(async (open) => {
        const path = posix.join(dir, name);
        const folder = posix.dirname(path);
        if (!folders.has(folder)) {
          await open.makeFolder(folder);
          folders.add(folder);
        }
        await open.store(`${path}.part`, text);
        await open.replace(`${path}.part`, path);
      }),
    read: (name) => inTurn((open) => open.fetch(posix.join(dir, name))),
    remove: (name) => inTurn((open) => open.remove(posix.join(dir, name))),
    close: () => {
      void turn.then(letGo);
    },
  };
}
