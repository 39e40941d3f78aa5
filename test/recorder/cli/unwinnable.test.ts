/** `jadoube unwinnable`: positions in, answers out. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runUnwinnable } from '../../../recorder/cli/unwinnable.ts';
import { at, isMatingLine } from '../../core/laws/unwinnable/placements.ts';
import { createTestIo, runCommand } from './test-io.ts';

const ask = async (text: string, options: object = {}) => {
  const test = createTestIo();
  const status = await runUnwinnable(options, test.io, Readable.from([text]));
  return { status, out: test.out, err: test.err };
};

const jsonLines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const WALL = '8/2k5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 b - -';
const PAWN = '6k1/6P1/6K1/6P1/8/8/8/8 w - - 3 70';

describe('unwinnable', () => {
  it('answers a FEN of four fields or six, one a line, whatever ends the lines', async () => {
    const { status, out, err } = await ask(`${WALL}\r\n\n  ${PAWN}`, { json: true });
    expect([status, err]).toEqual([0, '']);
    const [wall, pawn] = jsonLines(out);
    expect(wall).toEqual({ fen: WALL, white: 'unwinnable', black: 'unwinnable', lines: {} });
    expect(pawn).toMatchObject({ fen: PAWN, white: 'winnable', black: 'unwinnable' });
    expect(Object.keys(pawn.lines)).toEqual(['white']);
    expect(isMatingLine(at(PAWN), pawn.lines.white, 'white')).toBe(true);
  });

  it('names a line that is no position, and answers the others', async () => {
    const { status, out, err } = await ask(
      ['e4', WALL, '8/8/8/8/8/8/8/8 w - -', `${WALL} \x1b[2J`, 'x'.repeat(100_000)].join('\n'),
      { json: true },
    );
    expect(status).toBe(2);
    expect(jsonLines(out)).toHaveLength(1);
    expect([...err.matchAll(/^([A-Z_]+): line (\d+): /gm)].map(([, code, line]) => [code, line])).toEqual([
      ['FEN_SYNTAX', '1'],
      ['FEN_ILLEGAL', '3'],
      ['FEN_SYNTAX', '4'],
      ['FEN_SYNTAX', '5'],
    ]);
    expect(err).not.toContain('\x1b');
    expect(err.length).toBeLessThan(2000);
  });

  it('says it in words to people', async () => {
    const { out } = await ask(`${WALL}\n${PAWN}`);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[0]).toBe(WALL);
    expect(lines[4]).toMatch(/White .*: [a-h][1-8]/);
  });

  it('is undecided when the budget is spent', async () => {
    const { out } = await ask('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -', {
      json: true,
      budget: '5',
    });
    expect(jsonLines(out)).toMatchObject([{ white: 'undecided', black: 'undecided', lines: {} }]);
  });

  it.each(['0', '-1', 'much', '1e9', '1.5'])('refuses a budget of %s', async (budget) => {
    const { status, out, err } = await runCommand('unwinnable', `--budget=${budget}`);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(/^ARGUMENT_INVALID: --budget/);
  });

  it('reads the standard input of a process', async () => {
    const child = spawn(process.execPath, ['recorder/cli/jadoube.js', 'unwinnable', '--json'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stdin.end(`${WALL}\n`);
    const [status] = await once(child, 'close');
    expect(status).toBe(0);
    expect(jsonLines(out)).toMatchObject([{ white: 'unwinnable', black: 'unwinnable' }]);
  });
});
