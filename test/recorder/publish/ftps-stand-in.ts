/**
 * An FTP server in memory with explicit TLS, by RFC 959, 2228, 2428, 3659 and 4217: it has what a program may ask for that lists,
 * fetches and puts files, refuses what those documents refuse, and knows nothing of who asks.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { posix } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { makeCertificate } from '../../kit/certificate.ts';

export interface FtpsOptions {
  readonly password: string;
  /** Renames over a file that is there, as most do. */
  readonly renamesOver?: boolean;
  /** Knows `AUTH TLS`. */
  readonly hasTls?: boolean;
}

const USER = 'club';
/** What may be asked for before anybody is known (4217, section 4). */
const ANYBODY = new Set('AUTH PBSZ PROT USER PASS FEAT SYST NOOP QUIT OPTS HELP'.split(' '));

export async function startFtps({ password, renamesOver = true, hasTls = true }: FtpsOptions) {
  const { key, certificate } = makeCertificate();
  const secureContext = createSecureContext({ key, cert: certificate });
  const files = new Map<string, Buffer>();
  const folders = new Set(['/', '/home']);
  /** Names under which something was ever visible, in order. */
  const shown: string[] = [];
  /** Commands that came over a line that everybody can read. */
  const inClear: string[] = [];
  const commands: string[] = [];
  const controls = new Set<Socket>();
  /** The next so many uploads fail. */
  const trouble = { left: 0 };

  /** One conversation. */
  const talk = (raw: Socket): void => {
    let control: Socket = raw;
    let user: string | undefined;
    let isKnown = false;
    let isDataSecret = false;
    let here = '/home';
    let isBinary = false;
    let renaming: string | undefined;
    let passive: { server: Server; peer: Promise<Socket> } | undefined;
    let rest = '';
    let turn: Promise<void> = Promise.resolve();
    controls.add(raw);
    raw.on('error', () => {});
    raw.on('close', () => {
      controls.delete(raw);
      passive?.server.close();
    });
    const say = (code: number, text: string): void => void control.write(`${code} ${text}\r\n`);
    const absolute = (path: string): string => posix.resolve(here, path);
    const quoted = (path: string): string => `"${path.replaceAll('"', '""')}"`;

    const listen = async (): Promise<number> => {
      passive?.server.close();
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const peer = once(server, 'connection').then(([socket]) => {
        server.close();
        (socket as Socket).on('error', () => {});
        return socket as Socket;
      });
      peer.catch(() => {});
      passive = { server, peer };
      return (server.address() as AddressInfo).port;
    };
    /** The data connection, with TLS where it was asked for; the reply that opens a transfer goes before it. */
    const openData = async (): Promise<Socket | undefined> => {
      if (hasTls && !isDataSecret) return void say(522, 'data connections need PROT P');
      if (passive === undefined) return void say(425, 'no data connection');
      say(150, 'here it comes');
      const socket = await passive.peer;
      passive = undefined;
      if (!isDataSecret) return socket;
      const secret = new TLSSocket(socket, { isServer: true, secureContext });
      secret.on('error', () => {});
      return secret;
    };
    const send = async (text: string | Buffer): Promise<void> => {
      const data = await openData();
      if (data === undefined) return;
      data.end(text);
      await once(data, 'close');
      say(226, 'done');
    };
    const receive = async (path: string, before: Buffer): Promise<void> => {
      const target = absolute(path);
      if (!folders.has(posix.dirname(target)) || folders.has(target)) return say(553, 'no such place');
      const data = await openData();
      if (data === undefined) return;
      const chunks: Buffer[] = [before];
      files.set(target, Buffer.alloc(0));
      data.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        files.set(target, Buffer.concat(chunks));
        shown.push(target);
      });
      await once(data, 'close');
      if (trouble.left > 0) {
        trouble.left--;
        return say(452, 'no room');
      }
      const whole = Buffer.concat(chunks);
      // The type is ASCII until another is asked for (959, 3.1.1.1): lines then end as the server's do.
      files.set(
        target,
        isBinary ? whole : Buffer.from(whole.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
      );
      shown.push(target);
      say(226, 'stored');
    };
    const listed = (path: string): string[] =>
      [...files.keys(), ...folders].filter((one) => one !== '/' && posix.dirname(one) === absolute(path));

    const obey = async (word: string, argument: string): Promise<void> => {
      if (!isKnown && !ANYBODY.has(word)) return say(530, 'who are you?');
      const target = absolute(argument);
      switch (word) {
        case 'AUTH': {
          if (!hasTls) return say(502, 'not here');
          if (!/^(TLS|TLS-C|SSL)$/i.test(argument)) return say(504, 'no such mechanism');
          say(234, 'go on in secret');
          raw.removeListener('data', hear);
          control = new TLSSocket(raw, { isServer: true, secureContext });
          control.on('data', hear).on('error', () => {});
          return;
        }
        case 'USER':
          if (hasTls && control === raw) return say(530, 'not before AUTH TLS');
          user = argument;
          return say(331, 'and the password?');
        case 'PASS':
          if (user === undefined) return say(503, 'USER first');
          isKnown = user === USER && argument === password;
          return isKnown ? say(230, 'welcome') : say(530, 'no');
        case 'PBSZ':
          return control === raw ? say(503, 'AUTH first') : say(200, 'PBSZ=0');
        case 'PROT':
          if (control === raw) return say(503, 'AUTH first');
          isDataSecret = argument.toUpperCase() === 'P';
          return isDataSecret || argument.toUpperCase() === 'C' ? say(200, 'so be it') : say(504, 'no');
        case 'FEAT':
          control.write(
            `211-Features:\r\n${hasTls ? ' AUTH TLS\r\n PBSZ\r\n PROT\r\n' : ''} EPSV\r\n SIZE\r\n UTF8\r\n211 End\r\n`,
          );
          return;
        case 'OPTS':
          return /^UTF8 ON$/i.test(argument) ? say(200, 'always') : say(501, 'no');
        case 'SYST':
          return say(215, 'UNIX Type: L8');
        case 'NOOP':
          return say(200, 'yes');
        case 'QUIT':
          say(221, 'bye');
          control.end();
          return;
        case 'TYPE':
          if (!/^[AI]/i.test(argument)) return say(504, 'no');
          isBinary = /^I/i.test(argument);
          return say(200, 'so be it');
        case 'MODE':
        case 'STRU':
          return /^[SF]$/i.test(argument) ? say(200, 'always') : say(504, 'no');
        case 'PWD':
          return say(257, quoted(here));
        case 'CWD':
        case 'CDUP': {
          const to = word === 'CDUP' ? posix.dirname(here) : target;
          if (!folders.has(to)) return say(550, 'no such folder');
          here = to;
          return say(250, 'there');
        }
        case 'MKD':
          if (folders.has(target) || files.has(target)) return say(550, 'is there already');
          if (!folders.has(posix.dirname(target))) return say(550, 'no folder for it');
          folders.add(target);
          return say(257, `${quoted(target)} made`);
        case 'EPSV':
          return say(229, `listening (|||${await listen()}|)`);
        case 'PASV': {
          const port = await listen();
          return say(227, `listening (127,0,0,1,${port >> 8},${port & 255})`);
        }
        case 'STOR':
          return receive(argument, Buffer.alloc(0));
        case 'APPE':
          return receive(argument, files.get(target) ?? Buffer.alloc(0));
        case 'RETR': {
          const content = files.get(target);
          return content === undefined ? say(550, 'no such file') : send(content);
        }
        case 'NLST':
          return send(
            listed(argument)
              .map((path) => `${posix.basename(path)}\r\n`)
              .join(''),
          );
        case 'LIST':
          return send(
            listed(argument.replace(/^-\w+\s*/, ''))
              .map((path) => {
                const kind = folders.has(path) ? 'drwxr-xr-x' : '-rw-r--r--';
                return `${kind} 1 club club ${files.get(path)?.length ?? 0} Jan 01 00:00 ${posix.basename(path)}\r\n`;
              })
              .join(''),
          );
        case 'SIZE': {
          const content = files.get(target);
          return content === undefined ? say(550, 'no such file') : say(213, String(content.length));
        }
        case 'DELE':
          return files.delete(target) ? say(250, 'gone') : say(550, 'no such file');
        case 'RNFR':
          if (!files.has(target)) return say(550, 'no such file');
          renaming = target;
          return say(350, 'to what?');
        case 'RNTO': {
          const content = renaming === undefined ? undefined : files.get(renaming);
          if (renaming === undefined || content === undefined) return say(503, 'RNFR first');
          if (files.has(target) && !renamesOver) return say(550, 'is there already');
          files.delete(renaming);
          files.set(target, content);
          shown.push(target);
          renaming = undefined;
          return say(250, 'renamed');
        }
        default:
          return say(502, 'not here');
      }
    };

    function hear(chunk: Buffer): void {
      rest += chunk.toString('utf8');
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        const [, word = '', argument = ''] = /^(\w+) ?(.*)$/.exec(line) ?? [];
        commands.push(word.toUpperCase());
        if (control === raw) inClear.push(line);
        turn = turn.then(() => obey(word.toUpperCase(), argument)).catch(() => void raw.destroy());
      }
    }
    raw.on('data', hear);
    say(220, 'ready');
  };

  const server = createServer(talk).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    certificate,
    files,
    shown,
    inClear,
    commands,
    trouble,
    /** Ends all conversations, as a server does with which nobody has spoken for minutes. */
    drop: () => {
      for (const control of controls) control.destroy();
    },
    close: () => {
      for (const control of controls) control.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
