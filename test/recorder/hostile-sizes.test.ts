import { describe, expect, it } from 'vitest';
import { isBoardError } from '../../core/board-error.ts';
import { parseConfig } from '../../recorder/config/load-config.ts';
import { readImport } from '../../recorder/import/read-file.ts';
import { parsePgn } from '../../recorder/pgn/reader.ts';
import { decodeRelayEntry, decodeRelayMessage } from '../../recorder/relay/relay-message.ts';
import { parseCapture } from '../../recorder/replay/capture.ts';
import { deriveFile } from '../../recorder/replay/derive-file.ts';

const DEEP = 200_000;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const nested = `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`;
const objects = `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`;
const GAME =
  '[Event "x"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n';
const HEAD = '{"jadoube":1,"board":"dgt","startedAt":"x"}';

/** The code with which something is refused; undefined when it is taken. */
function codeOf(action: () => unknown): string | undefined {
  try {
    const result = action() as { ok?: boolean; fault?: { code: string } | { code: string }[] };
    return result.ok === false ? [result.fault!].flat()[0]!.code : undefined;
  } catch (error) {
    if (isBoardError(error)) return error.code;
    throw error;
  }
}

describe('files and messages of hostile sizes', () => {
  it('that are nested without end are refused with a code', () => {
    for (const deep of [nested, objects]) {
      expect(codeOf(() => parseCapture(`${HEAD}\n${deep}\n{"t":0,"link":"up"}\n`))).toBe('CAPTURE_SYNTAX');
      expect(codeOf(() => parseCapture(`${deep}\n`))).toBe('CAPTURE_SYNTAX');
      expect(codeOf(() => decodeRelayMessage(bytes(deep)))).toBe('RELAY_MESSAGE');
      const entry = `{"v":1,"uid":"u","origin":"o","entry":{"game":1,"atMs":1,"wallMs":1,"by":"x","what":${deep}}}`;
      expect(codeOf(() => decodeRelayEntry(bytes(entry)))).toBe('RELAY_MESSAGE');
    }
    // The reader of TOML itself takes more than linear time of what is nested: thousands are enough to break what recurses.
    for (const text of [
      `a = ${'['.repeat(2000)}${']'.repeat(2000)}`,
      `a = ${'{b='.repeat(2000)}1${'}'.repeat(2000)}`,
      `[${'a.'.repeat(5000)}a]\n`,
    ])
      expect(codeOf(() => parseConfig(text, 'x.toml'))).toMatch(/^CONFIG_/);
  });

  it('a capture with something nested in a field that nobody reads is read', () => {
    const capture = parseCapture(
      `${HEAD}\n{"t":0,"rx":"8e0005","more":${nested.slice(DEEP - 500, DEEP + 500)}}\n`,
    );
    expect(capture.ok && capture.value.entries).toHaveLength(1);
  });

  it('variations and comments without end stand in no way of the game behind', () => {
    for (const middle of [
      '('.repeat(DEEP),
      ')'.repeat(DEEP),
      `1. e4 ${'(1. d4 '.repeat(20_000)}`,
      `{${'x'.repeat(5_000_000)}`,
      'e4 '.repeat(DEEP),
    ]) {
      const games = parsePgn(`${GAME}[Event "evil"]\n\n${middle}\n\n${GAME}`);
      for (const game of [games[0]!, games.at(-1)!])
        expect(game.plies.map(({ san }) => san).at(-1)).toBe('Qxf7#');
    }
  });

  it('many games, many tags, a tag of megabytes', () => {
    expect(parsePgn(GAME.repeat(3000))).toHaveLength(3000);
    const tags = Array.from({ length: 50_000 }, (_, i) => `[T${'abcdefghij'[i % 10]}${i} "v"]`).join('\n');
    const games = parsePgn(
      `[Event "a"]\n${tags}\n\n1. e4 *\n\n${GAME}[Event "${'x'.repeat(3_000_000)}"]\n\n1. d4 *\n`,
    );
    expect(games.map(({ plies }) => plies[0]?.san)).toEqual(['e4', 'e4', 'd4']);
  });

  it('lists with a line of megabytes, or a column without end: what stands around it is read', () => {
    const list = (middle: string): string =>
      `Round,Board,White,Black\n1,1,Anna,Ben\n${middle}\n1,3,Carl,Dora\n`;
    for (const middle of [
      `1,2,${'x'.repeat(2_000_000)},y`,
      `1,2${',z'.repeat(500_000)}`,
      'q'.repeat(3_000_000),
    ]) {
      const { players } = readImport(bytes(list(middle)), 'x.csv');
      expect(players.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['Anna', 'Ben', 'Carl', 'Dora']),
      );
    }
  });

  it('a trace of thousands of words, and one word of megabytes', () => {
    expect(
      codeOf(() => deriveFile('x.trace', bytes(`ev: ${'-e2 +e2=P '.repeat(1500)}\n`), undefined)),
    ).toBeUndefined();
    expect(codeOf(() => deriveFile('x.trace', bytes(`ev: ${'-'.repeat(3_000_000)}\n`), undefined))).toBe(
      'TRACE_SYNTAX',
    );
  });
});
