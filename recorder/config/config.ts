/**
 * Everything that can be set, as one schema: titles and defaults serve the example file, the flags and the setup page.
 * Names in the file and in flags are written with dashes (`time-control`), here in camel case.
 */
import { z } from 'zod';
import { findBoard } from '../../boards/registry.ts';
import { RATES_OF_PLAY, REGIMES } from '../../core/laws/rate-of-play.ts';
import { parseBoardAddress } from '../../driver/address.ts';
import { SEARCHES } from '../../driver/fleet.ts';
import { MOST_DEFAULT_MINUTES, MOST_DRAW_FROM, parseTimeControls } from '../event-rules.ts';
import { LANGUAGES } from '../language/language.ts';
import { NAME } from '../relay/relay-message.ts';

/** What a process is to the stream of an event. */
export const STREAM_ROLES = ['none', 'edge', 'hub', 'worker'] as const;

/** What a setting holds besides its type; told in the schema's meta data as `kind`. */
export const SETTING_KINDS = ['path', 'secret'] as const;
export type SettingKind = (typeof SETTING_KINDS)[number];

const text = (title: string) => z.string().max(500).meta({ title });
const path = (title: string) =>
  z
    .string()
    .max(4000)
    .refine((value) => !value.includes('\0'), 'is no name of a file')
    .meta({ title, kind: 'path' });
/** The name of a place where a secret is, never the secret. */
const secret = (title: string) =>
  z
    .string()
    .regex(/^(file:.+|env:[A-Za-z_][A-Za-z0-9_]*)$/, 'write file:PATH or env:NAME, never the secret itself')
    .meta({ title, kind: 'secret' });
const port = (title: string) => z.int().min(0).max(65535).meta({ title });
const url = (title: string) => z.url({ protocol: /^https?$/ }).meta({ title });

const BOARD_PLACE = z.string().superRefine((value, context) => {
  const address = parseBoardAddress(value);
  if (!address.ok) context.addIssue({ code: 'custom', message: address.fault.message });
  else if (address.value.kind !== undefined) {
    const kind = findBoard(address.value.kind);
    if (!kind.ok) context.addIssue({ code: 'custom', message: kind.fault.message });
  }
});

const TIME_CONTROL = z.string().superRefine((value, context) => {
  const controls = parseTimeControls(value);
  if (!controls.ok) context.addIssue({ code: 'custom', message: controls.fault.message });
});

const EVENT = z.strictObject({
  name: text('Name of the event, as it stands in the PGN').optional(),
  site: text('Place of the event').optional(),
  section: text('Group or section, where several play in one hall').default(''),
  timeControl: TIME_CONTROL.meta({
    title: "Time control as PGN writes it, in seconds: 5400+30; White's,Black's where they differ",
  }).optional(),
  supervision: z.enum(REGIMES).meta({ title: 'full (competition rules) or limited (A.5)' }).optional(),
  rate: z
    .enum(RATES_OF_PLAY)
    .meta({ title: 'standard, rapid or blitz, where no time control tells it' })
    .optional(),
  drawFrom: z
    .int()
    .min(1)
    .max(MOST_DRAW_FROM)
    .meta({ title: 'No draw by agreement before each player has made so many moves (9.1.1)' })
    .optional(),
  defaultMinutes: z
    .int()
    .min(1)
    .max(MOST_DEFAULT_MINUTES)
    .meta({ title: 'A player who comes later than that after the beginning loses (6.7): the desk is told' })
    .optional(),
});

const RECORDER = z.strictObject({
  db: path('Database of games').min(1).default('jadoube.sqlite'),
  pgn: path('Folder for one PGN file a game, at once and without delay; empty for none').default('games'),
  capture: path('Folder for captures of all that passes over the links; empty for none').default(''),
  log: path('File for a log of links, messages and failures; empty for none').default(''),
  logMegabytes: z
    .int()
    .min(1)
    .max(10_000)
    .meta({ title: 'The log is begun anew when it is larger' })
    .default(20),
  logKeep: z.int().min(0).max(1000).meta({ title: 'Older logs that are kept' }).default(5),
  language: z
    .enum(LANGUAGES)
    .meta({ title: 'Language of messages; that of the system when absent' })
    .optional(),
});

const BOARDS = z.strictObject({
  places: z
    .array(BOARD_PLACE)
    .meta({ title: 'Boards by their links: dgt=serial:/dev/ttyUSB0, dgt=tcp://192.168.1.20:4001' })
    .default([]),
  search: z
    .enum(SEARCHES)
    .meta({
      title:
        'Other ports that are looked at: all, known (boards seen before), none; known when places are named, else all',
    })
    .optional(),
  lights: z
    .boolean()
    .meta({
      title: 'Lights on squares that differ from the record while the board is at rest; not for events',
    })
    .default(false),
});

const DELAY = {
  name: text('Name of this output in messages').optional(),
  enabled: z.boolean().meta({ title: 'Whether it is written' }).default(true),
  delaySeconds: z
    .int()
    .min(0)
    .max(86_400)
    .meta({ title: 'Nothing leaves before it is so old, clock times included' })
    .default(0),
  delayPlies: z.int().min(0).max(500).meta({ title: 'So many of the last plies are held back' }).default(0),
};

const SERVER = {
  host: text('Server').min(1),
  user: text('Account').min(1),
  password: secret('Password: file:PATH or env:NAME').optional(),
  dir: text('Folder on the server').default('.'),
};

/** One place to which games go, each with its own delay. */
export const OUTPUT = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('folder'),
    dir: path('Folder, written as LiveChess does: round-N/game-M.pgn, games.pgn, index.json').min(1),
    ...DELAY,
  }),
  z.strictObject({
    type: z.literal('http'),
    path: z
      .string()
      .regex(/^\/[\w./-]*$/, 'is a path such as /live')
      .meta({ title: 'Path under which PGN and LiveChessCloud JSON are' })
      .default('/live'),
    host: text('Address to listen at: 0.0.0.0 for everybody who can reach this machine').default('127.0.0.1'),
    port: port('Port, another than that of the desk; outputs may share it').default(8091),
    ...DELAY,
  }),
  z.strictObject({
    type: z.literal('lichess'),
    rounds: z
      .record(
        z.string(),
        z.string().regex(/^[A-Za-z0-9]{8}$/, 'is the id of a broadcast round: eight characters'),
      )
      .meta({ title: 'Broadcast round of each round: { 1 = "abcdefgh" }' }),
    token: secret('Token with study:write: file:PATH or env:NAME'),
    url: url('Server').default('https://lichess.org'),
    ...DELAY,
  }),
  z.strictObject({
    type: z.literal('sftp'),
    ...SERVER,
    port: port('Port').default(22),
    key: secret('Private key: file:PATH').optional(),
    hostKey: text('SHA-256 fingerprint of the host key; anything else is refused').optional(),
    ...DELAY,
  }),
  z.strictObject({
    type: z.literal('ftps'),
    ...SERVER,
    port: port('Port').default(21),
    certificate: path('Certificate of the server (PEM), where no known authority has signed it').optional(),
    ...DELAY,
  }),
  z.strictObject({
    type: z.literal('hook'),
    command: z
      .array(z.string())
      .min(1)
      .meta({ title: 'Program and arguments; the PGN comes on its standard input' }),
    ...DELAY,
  }),
]);

const LIVECHESS = z.strictObject({
  enabled: z.boolean().meta({ title: 'Serve programs made for LiveChess' }).default(false),
  host: text('Address to listen at; other machines reach it only at another than this').default('127.0.0.1'),
  port: port('Port').default(1982),
  origins: z
    .array(z.string())
    .meta({ title: 'Web sites whose pages may connect' })
    .default([
      'https://lichess.org',
      'https://www.chess.com',
      'https://chess.com',
      'https://tornelo.com',
      'https://*.tornelo.com',
    ]),
});

const HTTP = z.strictObject({
  enabled: z.boolean().meta({ title: 'Web server: desk and published games' }).default(true),
  host: text('Address to listen at; another than this asks for passwords').default('127.0.0.1'),
  port: port('Port').default(8090),
  origins: z.array(z.string()).meta({ title: 'Other addresses under which the desk is reached' }).default([]),
});

const DESK = z.strictObject({
  enabled: z.boolean().meta({ title: 'The desk at the web server' }).default(true),
  viewer: secret('Password of who may look: file:PATH or env:NAME').optional(),
  operator: secret('Password of who may operate').optional(),
  arbiter: secret('Password of who may decide').optional(),
});

const STREAM = z.strictObject({
  role: z
    .enum(STREAM_ROLES)
    .meta({
      title:
        'none; edge (at the tables, sends what it records), hub (derives, publishes, has the desk) or worker (derives for the hub)',
    })
    .default('none'),
  server: text('NATS server with JetStream; several of a cluster with commas').default(
    'nats://127.0.0.1:4222',
  ),
  event: z
    .string()
    .regex(NAME, 'use letters, digits, "-" and "_"')
    .meta({ title: 'Name of the event in the stream' })
    .default('event'),
  edge: z
    .string()
    .regex(NAME, 'use letters, digits, "-" and "_"')
    .meta({ title: 'Name of this edge: hall-1' })
    .default('hall-1'),
  replicas: z.int().min(1).max(5).meta({ title: 'Copies of the stream in a cluster of servers' }).default(1),
  workers: z
    .boolean()
    .meta({ title: 'The hub leaves the derivation of games to `jadoube worker` processes' })
    .default(false),
  credentials: secret('Credentials of NATS: file:PATH of a .creds file').optional(),
  user: text('Account at the server').optional(),
  password: secret('Password at the server').optional(),
  certificate: path('File with our own certificate, where the server asks for one').optional(),
  key: path('File with the key of our own certificate').optional(),
  ca: path('File with the certificate that signed that of the server; its presence asks for TLS').optional(),
});

/** The whole of the settings; everything has a default or may be absent. */
export const CONFIG = z.strictObject({
  event: EVENT.meta({ title: 'The event' }).prefault({}),
  recorder: RECORDER.meta({ title: 'What is recorded, and where it is kept' }).prefault({}),
  boards: BOARDS.meta({ title: 'Electronic boards' }).prefault({}),
  http: HTTP.meta({ title: 'Web server' }).prefault({}),
  desk: DESK.meta({ title: 'Desk' }).prefault({}),
  livechess: LIVECHESS.meta({ title: 'LiveChess interface' }).prefault({}),
  stream: STREAM.meta({ title: 'Several halls: boards at edges, one hub' }).prefault({}),
  outputs: z.array(OUTPUT).meta({ title: 'Where games go' }).default([]),
});

export type Config = z.output<typeof CONFIG>;
/** One entry of `outputs`. */
export type OutputConfig = z.output<typeof OUTPUT>;

/** A name of the schema as files and flags write it: `timeControl` is `time-control`. */
export const settingName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** The name in the schema for one of a file: `time-control` and `time_control` are `timeControl`. */
export const schemaName = (name: string): string =>
  name.replace(/[-_]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
