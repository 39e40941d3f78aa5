import { posix } from 'node:path';
import { type ImportUse, readSource } from './source-text.ts';

/** One breach of the rules of the house. */
export interface Breach {
  /** Word of the rule, for tests: `LAYER`, `CYCLE`, `PACKAGE`, `LAZY`, `PURE`, `SUBJECT`, `SUBSCRIBE`, `MISSING`. */
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly what: string;
}

/** Packages that are compiled for one system: loaded only where and when they are needed. */
const NATIVE = /^(serialport|@serialport\/.+|node-hid|usb|@stoprocent\/.+|@abandonware\/.+)$/;

/** Who may use whom: the first rule whose `from` fits a file holds; `to` are its own and others' files, by beginning. */
const LAYERS: readonly { readonly from: RegExp; readonly to: (file: string) => readonly string[] }[] = [
  { from: /^core\//, to: () => ['core/'] },
  { from: /^boards\/registry\.ts$/, to: () => ['core/', 'boards/'] },
  { from: /^boards\/definition\.ts$/, to: () => ['core/'] },
  // What makers have in common: the conversation with a board, and the device at its other end.
  {
    from: /^boards\/[^/]+\//,
    to: (file) => [
      'core/',
      'boards/definition.ts',
      'boards/conversation/',
      'boards/device/',
      `${folderOf(file)}/`,
    ],
  },
  { from: /^driver\//, to: () => ['core/', 'boards/registry.ts', 'boards/definition.ts', 'driver/'] },
  // What the page of the desk and its server share, and the page, which runs in a browser.
  {
    from: /^recorder\/desk\/(model|words)\//,
    to: () => [
      'core/',
      'driver/connection.ts',
      'recorder/entry.ts',
      'recorder/correct-record.ts',
      'recorder/language/',
      'recorder/desk/model/',
      'recorder/desk/words/',
    ],
  },
  {
    from: /^recorder\/desk\/page\//,
    to: () => [
      'core/',
      'recorder/correct-record.ts',
      'recorder/entry.ts',
      'recorder/language/',
      'recorder/pgn/clock-text.ts',
      'recorder/view/decision-text.ts',
      'recorder/desk/model/',
      'recorder/desk/words/',
      'recorder/desk/page/',
    ],
  },
  // The demo puts people at simulated boards: the only part of the product that knows how hands move.
  {
    from: /^recorder\/demo\//,
    to: () => ['core/', 'boards/registry.ts', 'boards/definition.ts', 'boards/hand/', 'driver/', 'recorder/'],
  },
  {
    from: /^recorder\//,
    to: () => ['core/', 'boards/registry.ts', 'boards/definition.ts', 'driver/', 'recorder/'],
  },
  { from: /^test\//, to: () => ['core/', 'boards/', 'driver/', 'recorder/', 'test/'] },
];

/** Which packages a file may use, besides those of Node. */
const PACKAGES: readonly { readonly from: RegExp; readonly allow: RegExp; readonly node: boolean }[] = [
  { from: /^core\/position\.ts$/, allow: /^chessops(\/.+)?$/, node: false },
  { from: /^(core|boards)\//, allow: /^$/, node: false },
  { from: /^driver\/transports\//, allow: /^(rxjs|serialport|node-hid|@stoprocent\/noble)$/, node: true },
  { from: /^driver\//, allow: /^rxjs$/, node: true },
  { from: /^recorder\/pgn\/reader\.ts$/, allow: /^(rxjs|zod|pino|chessops(\/.+)?)$/, node: true },
  { from: /^recorder\/store\//, allow: /^(rxjs|zod|pino|better-sqlite3)$/, node: true },
  // Whether they load on this system is what it examines.
  { from: /^recorder\/doctor\//, allow: /^(rxjs|zod|pino|better-sqlite3|serialport)$/, node: true },
  // The web server, who serves on it, and who sends to others.
  { from: /^recorder\/http\//, allow: /^(rxjs|zod|pino|fastify|@fastify\/.+)$/, node: true },
  { from: /^recorder\/livechess\//, allow: /^(rxjs|zod|pino|fastify|ws)$/, node: true },
  {
    from: /^recorder\/publish\//,
    allow: /^(rxjs|zod|pino|fastify|@fastify\/cors|ssh2-sftp-client|basic-ftp)$/,
    node: true,
  },
  { from: /^recorder\/relay\//, allow: /^(rxjs|zod|pino|@nats-io\/.+)$/, node: true },
  { from: /^recorder\/cli\//, allow: /^(rxjs|zod|pino|commander)$/, node: true },
  { from: /^recorder\/archive\//, allow: /^tar$/, node: true },
  { from: /^recorder\/import\//, allow: /^csv-parse\/sync$/, node: true },
  { from: /^recorder\/config\//, allow: /^(zod|smol-toml)$/, node: true },
  // The desk: what it shares with its page and the page know nothing of Node.
  { from: /^recorder\/desk\/(model|words)\//, allow: /^$/, node: false },
  {
    from: /^recorder\/desk\/page\//,
    allow: /^(preact|@preact\/signals|@lichess-org\/chessground)(\/.+)?$/,
    node: false,
  },
  { from: /^recorder\/desk\//, allow: /^(rxjs|zod|pino|fastify|@fastify\/.+|vite)$/, node: true },
  { from: /^recorder\//, allow: /^(rxjs|zod|pino)$/, node: true },
  { from: /^test\//, allow: /./, node: true },
];

/** Words that reach for time, chance or the machine. */
const IMPURE =
  /\b(Date\.now|new\s+Date|Date\s*\(|performance|setTimeout|setInterval|setImmediate|queueMicrotask|Math\.random|crypto|process|globalThis|fetch|console)\b/g;

/** Files that may subscribe: who owns a subscription ends it there. `run-machine.ts` is the one home-made operator. */
const SUBSCRIBERS = /^(driver\/fleet\.ts|driver\/run-machine\.ts|recorder\/.+|test\/.+)$/;

const folderOf = (file: string): string => posix.dirname(file);

/** Checks files, given by their names from the root of the project, against the rules of the house. */
export function findBreaches(files: ReadonlyMap<string, string>): Breach[] {
  const breaches: Breach[] = [];
  const edges = new Map<string, readonly string[]>();
  for (const [file, text] of files) {
    const { code, imports } = readSource(text);
    const targets: string[] = [];
    for (const use of imports) {
      if (use.specifier.startsWith('.')) {
        const target = posix.join(folderOf(file), use.specifier);
        targets.push(target);
        if (!files.has(target)) breaches.push(breach('MISSING', file, use, `no such file: ${use.specifier}`));
        checkLayer(file, target, use, breaches);
      } else checkPackage(file, use, breaches);
    }
    edges.set(file, targets);
    checkWords(file, code, breaches);
  }
  for (const cycle of findCycles(edges)) {
    breaches.push({ rule: 'CYCLE', file: cycle[0]!, line: 1, what: [...cycle, cycle[0]].join(' -> ') });
  }
  return breaches;
}

const breach = (rule: string, file: string, use: ImportUse, what: string): Breach => ({
  rule,
  file,
  line: use.line,
  what,
});

function checkLayer(file: string, target: string, use: ImportUse, breaches: Breach[]): void {
  const allowed = LAYERS.find(({ from }) => from.test(file))?.to(file) ?? [];
  const inside = allowed.some(
    (start) => target === start || (start.endsWith('/') && target.startsWith(start)),
  );
  const secret =
    (file.startsWith('recorder/') && target.startsWith('driver/transports/')) ||
    (/^recorder\/(?!cli\/)/.test(file) && target.startsWith('recorder/cli/')) ||
    (/^recorder\/(?!desk\/page\/)/.test(file) && target.startsWith('recorder/desk/page/'));
  if (!inside || secret) breaches.push(breach('LAYER', file, use, `must not know ${target}`));
}

function checkPackage(file: string, use: ImportUse, breaches: Breach[]): void {
  const { specifier, how } = use;
  const rule = PACKAGES.find(({ from }) => from.test(file));
  const ofNode = specifier.startsWith('node:');
  if (rule === undefined || (ofNode ? !rule.node : !rule.allow.test(specifier))) {
    breaches.push(breach('PACKAGE', file, use, `must not use ${specifier}`));
  }
  if (!file.startsWith('test/') && NATIVE.test(specifier) && how === 'static') {
    breaches.push(breach('LAZY', file, use, `${specifier} is loaded by await import() only`));
  }
}

function checkWords(file: string, code: string, breaches: Breach[]): void {
  const find = (rule: string, words: RegExp, what: (word: string) => string): void => {
    for (const match of code.matchAll(words)) {
      const line = code.slice(0, match.index).split('\n').length;
      breaches.push({ rule, file, line, what: what(match[0].trim()) });
    }
  };
  if (/^(core|boards)\//.test(file)) find('PURE', IMPURE, (word) => `${word} has no place in a pure folder`);
  if (file.startsWith('test/')) return;
  // A subject that is named in a type, or that an exported name begins with, can be spoken into by others.
  const subject =
    /(:\s*(readonly\s+)?|\bexport\s+const\s+\w+\s*=\s*new\s+|\bextends\s+)(Async|Behavior|Replay)?Subject\b/g;
  find('SUBJECT', subject, () => 'a Subject must not leave its file');
  find('SUBJECT', /\bBehaviorSubject\b/g, () => 'state belongs to a machine');
  if (!SUBSCRIBERS.test(file))
    find('SUBSCRIBE', /\.\s*subscribe\s*\(/g, () => 'who subscribes must own the end of it');
}

/** Rings of files that import each other, each once, beginning with its first file in the alphabet. */
function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const walk = (file: string): void => {
    const at = path.indexOf(file);
    if (at >= 0) {
      const ring = path.slice(at);
      const first = ring.indexOf([...ring].sort()[0]!);
      const turned = [...ring.slice(first), ...ring.slice(0, first)];
      if (!cycles.some((known) => known.join() === turned.join())) cycles.push(turned);
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const target of edges.get(file) ?? []) walk(target);
    path.pop();
    done.add(file);
  };
  for (const file of edges.keys()) walk(file);
  return cycles;
}
