import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBreaches } from './kit/architecture.ts';
import { readSource } from './kit/source-text.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['core', 'boards', 'driver', 'recorder', 'test'];

// It runs before anything else can, with or without a build: no rule of the house fits it.
const LAUNCHER = 'recorder/cli/jadoube.js';

/** All sources of the project but one, by their names from its root. */
async function readProject(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const folder of FOLDERS) {
    for (const entry of await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.[cm]?[jt]sx?$/.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      const file = path
        .slice(ROOT.length + 1)
        .split(sep)
        .join('/');
      if (file !== LAUNCHER) files.set(file, await readFile(path, 'utf8'));
    }
  }
  return files;
}

/** Breaches of one file among others that keep the rules. */
function rulesBrokenBy(file: string, text: string): string[] {
  const files = new Map([
    ['core/square.ts', 'export const a = 1;'],
    ['boards/definition.ts', "import type { A } from '../core/square.ts';"],
    ['boards/registry.ts', "import { b } from './dgt/definition.ts';"],
    ['boards/dgt/definition.ts', "import type { D } from '../definition.ts';"],
    ['boards/hand/hands.ts', ''],
    ['driver/fleet.ts', "import { b } from '../boards/registry.ts';"],
    ['driver/transports/serial.ts', ''],
    ['recorder/recorder.ts', "import { f } from '../driver/fleet.ts';"],
    ['recorder/cli/main.ts', "import { r } from '../recorder.ts';"],
    ['test/kit/hand.ts', ''],
  ]);
  expect(findBreaches(files)).toEqual([]);
  files.set(file, text);
  return findBreaches(files).map((breach) => `${breach.rule} ${breach.file}:${breach.line}`);
}

describe('the project', () => {
  it('keeps the rules of the house', async () => {
    const files = await readProject();
    expect(files.size).toBeGreaterThan(50);
    expect(
      findBreaches(files).map(({ rule, file, line, what }) => `${rule} ${file}:${line} ${what}`),
    ).toEqual([]);
  });
});

describe('the check of the house', () => {
  it.each<[string, string, string[]]>([
    // Layers, one way only.
    ['core/a.ts', "import { b } from '../boards/definition.ts';", ['LAYER core/a.ts:1']],
    ['core/a.ts', "import type { B } from '../boards/definition.ts';", ['LAYER core/a.ts:1']],
    ['core/a.ts', "export { b } from '../driver/fleet.ts';", ['LAYER core/a.ts:1']],
    ['core/a.ts', "\n\nexport * from '../driver/fleet.ts';", ['LAYER core/a.ts:3']],
    ['boards/dgt/a.ts', "import { f } from '../../driver/fleet.ts';", ['LAYER boards/dgt/a.ts:1']],
    ['boards/dgt/a.ts', "import { b } from '../registry.ts';", ['LAYER boards/dgt/a.ts:1']],
    ['boards/other/a.ts', "import { d } from '../dgt/definition.ts';", ['LAYER boards/other/a.ts:1']],
    ['driver/a.ts', "import { d } from '../boards/dgt/definition.ts';", ['LAYER driver/a.ts:1']],
    ['driver/a.ts', "const d = await import('../boards/dgt/definition.ts');", ['LAYER driver/a.ts:1']],
    ['driver/a.ts', "import { r } from '../recorder/recorder.ts';", ['LAYER driver/a.ts:1']],
    ['recorder/a.ts', "import { s } from '../driver/transports/serial.ts';", ['LAYER recorder/a.ts:1']],
    ['recorder/a.ts', "import { m } from './cli/main.ts';", ['LAYER recorder/a.ts:1']],
    ['recorder/a.ts', "import { h } from '../boards/hand/hands.ts';", ['LAYER recorder/a.ts:1']],
    ['recorder/a.ts', "import { h } from '../test/kit/hand.ts';", ['LAYER recorder/a.ts:1']],
    ['recorder/demo/a.ts', "import { h } from '../../boards/hand/hands.ts';", []],
    ['recorder/cli/a.ts', "import { m } from './main.ts';", []],
    ['test/a.ts', "import { d } from '../boards/dgt/definition.ts';", []],
    ['core/a.ts', "import { a } from './gone.ts';", ['MISSING core/a.ts:1']],
    // Packages.
    ['core/a.ts', "import { Chess } from 'chessops';", ['PACKAGE core/a.ts:1']],
    ['core/position.ts', "import { Chess } from 'chessops/chess';", []],
    ['core/position.ts', "import { of } from 'rxjs';", ['PACKAGE core/position.ts:1']],
    ['boards/dgt/a.ts', "import { Buffer } from 'node:buffer';", ['PACKAGE boards/dgt/a.ts:1']],
    ['boards/dgt/a.ts', "import type { Observable } from 'rxjs';", ['PACKAGE boards/dgt/a.ts:1']],
    ['driver/a.ts', "import 'better-sqlite3';", ['PACKAGE driver/a.ts:1']],
    ['driver/a.ts', "import { map } from 'rxjs/operators';", ['PACKAGE driver/a.ts:1']],
    ['driver/a.ts', "const s = await import('serialport');", ['PACKAGE driver/a.ts:1']],
    ['driver/transports/a.ts', "const s = await import('serialport');", []],
    ['driver/transports/a.ts', "import type { SerialPort } from 'serialport';", []],
    ['driver/transports/a.ts', "import { type SerialPort } from 'serialport';", []],
    ['driver/transports/a.ts', "type S = typeof import('serialport');", []],
    ['driver/transports/a.ts', "import { SerialPort } from 'serialport';", ['LAZY driver/transports/a.ts:1']],
    [
      'driver/transports/a.ts',
      "import { type A, SerialPort } from 'serialport';",
      ['LAZY driver/transports/a.ts:1'],
    ],
    ['driver/transports/a.ts', "import 'serialport';", ['LAZY driver/transports/a.ts:1']],
    ['recorder/store/a.ts', "import Database from 'better-sqlite3';", []],
    ['recorder/a.ts', "import Database from 'better-sqlite3';", ['PACKAGE recorder/a.ts:1']],
    ['recorder/doctor/a.ts', "const s = await import('serialport');", []],
    ['recorder/doctor/a.ts', "import { SerialPort } from 'serialport';", ['LAZY recorder/doctor/a.ts:1']],
    ['recorder/pgn/reader.ts', "import { parsePgn } from 'chessops/pgn';", []],
    [
      'recorder/pgn/writer.ts',
      "import { makePgn } from 'chessops/pgn';",
      ['PACKAGE recorder/pgn/writer.ts:1'],
    ],
    ['recorder/http/a.ts', "import fastify from 'fastify';", []],
    ['recorder/http/a.ts', "import { WebSocket } from 'ws';", ['PACKAGE recorder/http/a.ts:1']],
    ['recorder/livechess/a.ts', "import { WebSocketServer } from 'ws';", []],
    ['recorder/publish/a.ts', "import Client from 'ssh2-sftp-client';", []],
    ['recorder/a.ts', "import fastify from 'fastify';", ['PACKAGE recorder/a.ts:1']],
    ['recorder/desk/a.ts', "import cookie from '@fastify/cookie';", []],
    ['recorder/desk/model/a.ts', "import { join } from 'node:path';", ['PACKAGE recorder/desk/model/a.ts:1']],
    ['recorder/desk/page/a.tsx', "import { render } from 'preact';", []],
    ['recorder/desk/page/a.tsx', "import { of } from 'rxjs';", ['PACKAGE recorder/desk/page/a.tsx:1']],
    [
      'recorder/desk/page/a.tsx',
      "import { r } from '../../recorder.ts';",
      ['LAYER recorder/desk/page/a.tsx:1'],
    ],
    // Time, chance and the machine.
    ['core/a.ts', 'const t = Date.now();', ['PURE core/a.ts:1']],
    ['core/a.ts', 'const d = new Date(0);', ['PURE core/a.ts:1']],
    ['boards/dgt/a.ts', '\nsetTimeout(() => {}, 1);', ['PURE boards/dgt/a.ts:2']],
    ['boards/dgt/a.ts', 'const r = Math.random();', ['PURE boards/dgt/a.ts:1']],
    ['core/a.ts', `const r = \`\${Math.random()}\`;`, ['PURE core/a.ts:1']],
    [
      'core/a.ts',
      `// Date.now()\nconst s = "Date.now()"; /* new Date */ const t = \`Date.now() \${s}\`;`,
      [],
    ],
    ['core/a.ts', 'const r = /Date.now/.test("x"); const half = 4 / 2 / 1;', []],
    ['driver/a.ts', 'const t = Date.now();', []],
    // Streams.
    ['driver/a.ts', 'export const bus = new Subject<number>();', ['SUBJECT driver/a.ts:1']],
    ['driver/a.ts', 'export interface A { readonly bus: Subject<number> }', ['SUBJECT driver/a.ts:1']],
    ['driver/a.ts', 'const state = new BehaviorSubject(1);', ['SUBJECT driver/a.ts:1']],
    [
      'driver/a.ts',
      'const inlet = new Subject<number>(); export const send = (n: number) => inlet.next(n);',
      [],
    ],
    ['driver/a.ts', 'source$.subscribe();', ['SUBSCRIBE driver/a.ts:1']],
    ['driver/a.ts', 'source$\n  .subscribe((x) => x);', ['SUBSCRIBE driver/a.ts:2']],
    ['driver/fleet.ts', 'source$.subscribe();', []],
    ['recorder/a.ts', 'source$.subscribe();', []],
  ])('judges %s: %s', (file, text, expected) => {
    expect(rulesBrokenBy(file, text)).toEqual(expected);
  });

  it('finds files that import each other in a ring, also by types', () => {
    const ring = new Map([
      ['core/a.ts', "import { b } from './b.ts';"],
      ['core/b.ts', "import type { C } from './c.ts';"],
      ['core/c.ts', "import { a } from './a.ts';"],
      ['core/d.ts', "import { a } from './a.ts';"],
      ['core/e.ts', "import { e } from './e.ts';"],
    ]);
    expect(findBreaches(ring).map(({ rule, what }) => `${rule} ${what}`)).toEqual([
      'CYCLE core/a.ts -> core/b.ts -> core/c.ts -> core/a.ts',
      'CYCLE core/e.ts -> core/e.ts',
    ]);
  });
});

describe('readSource', () => {
  it('finds imports over several lines and not in comments, strings or templates', () => {
    const text = [
      '#!/usr/bin/env node',
      "import {\n  a,\n  b,\n} from './a.ts';",
      "// import { x } from './comment.ts';",
      'const s = "import { x } from \'./string.ts\'";',
      `const t = \`import('./template.ts') \${await import('./real.ts')} from './after.ts'\`;`,
      "export type { T } from './t.ts';",
      "import * as all from './all.ts';",
    ].join('\n');
    expect(
      readSource(text)
        .imports.map(({ specifier, how }) => `${how} ${specifier}`)
        .sort(),
    ).toEqual(['lazy ./real.ts', 'static ./a.ts', 'static ./all.ts', 'type ./t.ts']);
  });
});
