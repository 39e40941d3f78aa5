/** Everything that is read from files, arguments and the wire as text or as packed bytes. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBoardError } from '../../core/board-error.ts';
import { parseTimeControl } from '../../core/laws/time-control.ts';
import { Position } from '../../core/position.ts';
import type { Result } from '../../core/result.ts';
import { makeBoardAddress, parseBoardAddress } from '../../driver/address.ts';
import { makeExampleConfig } from '../../recorder/config/example.ts';
import { parseConfig } from '../../recorder/config/load-config.ts';
import { FAMOUS_GAMES } from '../../recorder/demo/games.ts';
import { readImport } from '../../recorder/import/read-file.ts';
import { createPgnReader, type PgnGame, parsePgn } from '../../recorder/pgn/reader.ts';
import {
  decodeRelayEntry,
  decodeRelayMessage,
  encodeRelayEntry,
  encodeRelayMessage,
} from '../../recorder/relay/relay-message.ts';
import { makeCaptureEntry, makeCaptureHeader } from '../../recorder/replay/capture.ts';
import { deriveFile } from '../../recorder/replay/derive-file.ts';
import { decodeInputs, encodeInputs } from '../../recorder/store/packed-inputs.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import type { Chance } from './mutate.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function checkResult<T, F>(result: Result<T, F>): void {
  if (result.ok) return;
  for (const fault of [result.fault].flat() as { readonly code?: string; readonly message?: string }[]) {
    assert.match(fault.code ?? '', /^[A-Z][A-Z0-9_]+$/);
    assert.notEqual(fault.message ?? '', '');
  }
}

/** A failure with a code is an answer; any other is none. */
function answered<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (isBoardError(error)) return undefined;
    throw error;
  }
}

const CASES = new URL('../../../shared/cases/', import.meta.url);
const traces = (): Uint8Array[] => {
  const shared = existsSync(CASES)
    ? readdirSync(CASES)
        .filter((name) => name.endsWith('.trace'))
        .slice(0, 12)
        .map((name) => new Uint8Array(readFileSync(new URL(name, CASES))))
    : [];
  return [bytesOf('ev: -e2 +e4:P -e7 +e5:p -g1 +f3:N\n'), ...shared];
};

/** The words of the notation of traces, in any order. */
function generateTrace(chance: Chance): Uint8Array {
  const square = (): string => 'abcdefgh'[chance.below(8)]! + (1 + chance.below(8));
  const words = Array.from({ length: chance.below(60) }, () =>
    chance.one([
      () => `-${square()}`,
      () => `+${square()}:${chance.one([...'PNBRQKpnbrqk'])}`,
      () => `~${chance.below(5000)}`,
      () => chance.one(['W', 'B', '!', 'dump', '(', ')', '#', '--', '++', '']),
    ])(),
  );
  return bytesOf(`ev: ${words.join(' ')}\n`);
}

const CAPTURE = bytesOf(
  makeCaptureHeader({ board: 'dgt', startedAt: '2026-01-01T00:00:00Z' }) +
    [
      { type: 'link', atMs: 0, link: 'up' } as const,
      { type: 'tx', atMs: 1.5, bytes: Uint8Array.of(0x42) } as const,
      { type: 'rx', atMs: 10, bytes: Uint8Array.of(0x8e, 0, 5, 52, 0, 0x8e, 0, 5, 36, 1) } as const,
      { type: 'link', atMs: 5000, link: 'lost' } as const,
    ]
      .map(makeCaptureEntry)
      .join(''),
);

const pgnOf = (
  { moves, result }: { readonly moves: string; readonly result?: string },
  event: string,
): string => {
  const numbered = moves
    .split(' ')
    .map((move, i) => (i % 2 === 0 ? `${i / 2 + 1}. ${move} {[%clk 0:59:${10 + (i % 50)}]}` : move));
  return `[Event "${event}"]\n[White "Müller, Ä."]\n[Black "O'Neil"]\n[Result "${result ?? '*'}"]\n\n${numbered.join(' ')} ${result ?? '*'}\n\n`;
};
const GAMES = FAMOUS_GAMES.slice(0, 4).map((game) => pgnOf(game, game.name));

function generatePgn(chance: Chance): Uint8Array {
  const token = (depth: number): string =>
    chance.one([
      () =>
        chance.one([
          'e4',
          'e5',
          'Nf3',
          'O-O',
          'O-O-O',
          'exd8=Q+',
          '--',
          'Z0',
          '!e1g1',
          '0-0',
          'a9',
          '1.',
          '1...',
          '999999.',
        ]),
      () => `{${chance.one(['', 'x', '[%clk 1:2:3]', '[%clk', '[%clk 99999999999:0:0]', '}', '{'])}`,
      () => `$${chance.below(400)}`,
      () => (depth > 60 ? '' : `(${token(depth + 1)} ${token(depth + 2)}`),
      () => chance.one([')', '*', '1-0', '1/2-1/2', '%', ';', '\n', '\r', '<', '>']),
    ])();
  const tag = (): string =>
    `[${chance.one(['White', 'FEN', 'SetUp', 'Variant', 'Result', '', '__proto__'])} "${chance.one(['', '\\"', '"', '8/8/8/8/8/8/8/8 w - - 0 1', 'chess960', '\u0000'])}"]\n`;
  return bytesOf(
    Array.from({ length: chance.below(4) }, tag).join('') +
      Array.from({ length: chance.below(80) }, () => token(0)).join(' '),
  );
}

const factsOf = ({ tags, plies, result }: PgnGame): unknown => [
  [...tags],
  plies.map(({ san }) => san),
  result,
];

const CSV =
  'Round,Board,White,Black,White ELO\n1,1,"Anand, Vera",Bird Olga,2400\n1,2,Carl,Dora,\n1,3,Eva,Fred,1800\n';
const TRF = [
  '012 City Open',
  '042 2026/01/01',
  '001    1 m GM Anand, Vera                       2400 IND     5000001 1980/01/01  1.0    1     2 w 1  ',
  '001    2 f    Bird, Olga                        2100 GER     5000002 1990/01/01  0.0    2     1 b 0  ',
  '',
].join('\n');

const RELAY = encodeRelayMessage({
  edge: 'hall-1',
  origin: 'abc 1',
  board: 'dgt-1',
  kind: 'dgt',
  options: { variant: 'standard', rotated: false },
  startedMs: 1,
  startedWallMs: 1_700_000_000_000,
  rows: [
    {
      id: 1,
      atMs: 10,
      wallMs: 1_700_000_000_010,
      data: encodeInputs([{ type: 'rx', atMs: 12, bytes: Uint8Array.of(1, 2, 3) }], 10),
    },
  ],
  entries: [
    {
      uid: 'u1',
      entry: {
        game: 1,
        atMs: 5,
        wallMs: 1_700_000_000_005,
        by: 'Anna',
        what: { type: 'drawOffer', ply: 1, side: 'white' },
      },
    },
  ] as never,
  seenToMs: 20,
});
const RELAY_ENTRY = encodeRelayEntry({
  uid: 'u1',
  origin: 'abc 1',
  rules: { rules: { regime: 'full' }, wallMs: 1, by: 'Anna' },
} as never);

export const fileTargets = (): FuzzTarget[] => [
  {
    name: 'trace',
    seeds: traces(),
    generate: generateTrace,
    feed: (input) => checkResult(deriveFile('x.trace', input, undefined)),
  },
  {
    name: 'capture',
    seeds: [CAPTURE],
    feed: (input) => checkResult(deriveFile('x.ndjson', input, undefined)),
  },
  {
    name: 'raw bytes',
    seeds: [CAPTURE],
    feed: (input) => checkResult(deriveFile('x.bin', input, undefined)),
  },
  {
    name: 'PGN',
    seeds: GAMES.map(bytesOf),
    generate: generatePgn,
    feed(input, chance) {
      const [before, after] = [parsePgn(GAMES[0]!)[0]!, parsePgn(GAMES[1]!)[0]!];
      const file = Buffer.concat([bytesOf(GAMES[0]!), input, bytesOf(`\n\n${GAMES[1]}`)]);
      const games = parsePgn(file);
      assert.deepEqual(factsOf(games[0]!), factsOf(before), 'the game before is not read');
      // Tags without moves before it may be its own; whoever has cut them off cannot be told apart.
      const last = games.at(-1)!;
      const tags = new Map([...last.tags].filter(([name]) => after.tags.has(name)));
      assert.deepEqual(factsOf({ ...last, tags }), factsOf(after), 'the game behind is not read');
      for (const { faults } of games) for (const { code } of faults) assert.match(code, /^[A-Z_]+$/);
      const reader = createPgnReader();
      const pieces: PgnGame[] = [];
      for (let at = 0; at < file.length; ) {
        const to = at + 1 + chance.below(200);
        pieces.push(...reader.push(file.subarray(at, to)));
        at = to;
      }
      pieces.push(...reader.end());
      assert.deepEqual(pieces.map(factsOf), games.map(factsOf), 'other pieces say something else');
    },
  },
  {
    name: 'pairings',
    seeds: [CSV, TRF, '2\n1 2\n3 0\n', GAMES.join('')].map(bytesOf),
    feed(input) {
      const read = answered(() => readImport(input, 'x', { round: 1 }));
      for (const { code, line } of read?.warnings ?? []) assert.ok(/^[A-Z_]+$/.test(code) && line >= 0, code);
    },
  },
  {
    name: 'settings',
    seeds: [
      bytesOf(makeExampleConfig()),
      bytesOf('[boards]\nplaces = ["dgt=tcp://10.0.0.1:1"]\n[[outputs]]\ntype = "folder"\ndir = "out"\n'),
    ],
    feed: (input) => checkResult(parseConfig(textOf(input), '/tmp/jadoube.toml')),
  },
  {
    name: 'relay message',
    seeds: [RELAY, RELAY_ENTRY],
    feed(input) {
      checkResult(decodeRelayMessage(input));
      checkResult(decodeRelayEntry(input));
    },
  },
  {
    name: 'packed inputs',
    seeds: [
      encodeInputs(
        [
          { type: 'link', atMs: 3, link: 'up' },
          { type: 'rx', atMs: 300, bytes: new Uint8Array(200) },
          { type: 'tx', atMs: 90_000, bytes: Uint8Array.of(1) },
        ],
        0,
      ),
    ],
    feed(input) {
      const inputs = decodeInputs(input, 0);
      const bytes = (inputs ?? []).reduce(
        (sum, one) => sum + (one.type === 'link' ? 0 : one.bytes.length),
        0,
      );
      assert.ok(bytes <= input.length);
    },
  },
  {
    name: 'words',
    seeds: [
      'dgt=tcp://[::1]:80',
      'dgt=serial:/dev/ttyUSB0',
      'chessnut=ble:c0:ff:ee:00:12:34',
      '40/7200+30:1800+30',
      '300,180',
      'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
      'bnrqkbnr/pppppppp/8/8/8/8/PPPPPPPP/BNRQKBNR w KQkq e3 99 1',
    ].map(bytesOf),
    feed(input) {
      const text = textOf(input);
      const address = parseBoardAddress(text);
      checkResult(address);
      if (address.ok) assert.deepEqual(parseBoardAddress(makeBoardAddress(address.value)), address);
      checkResult(parseTimeControl(text));
      for (const variant of ['standard', 'chess960'] as const) checkResult(Position.fromFen(text, variant));
    },
  },
];
