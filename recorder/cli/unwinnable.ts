import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { askWinnability, type WinnabilityAnswer } from '../../core/laws/unwinnable/winnability.ts';
import { Position } from '../../core/position.ts';
import { fail, type Result } from '../../core/result.ts';
import { plainText } from '../view/display-text.ts';
import { makeFaultText } from '../view/fault-text.ts';
import { parseOptions, UNWINNABLE } from './arguments.ts';
import type { Io } from './io.ts';

/** Longer than any FEN. */
const MOST_LETTERS = 200;

/** Reads a FEN with four fields or six. */
function parseFenLine(text: string): Result<Position> {
  if (text.length > MOST_LETTERS) return fail('FEN_SYNTAX', `${text.length} letters are no FEN`);
  const fields = text.split(/\s+/);
  return Position.fromFen(fields.length === 4 ? `${fields.join(' ')} 0 1` : fields.join(' '));
}

/** One line of `unwinnable --json`; lines are UCI, of the sides that can mate. */
const makeJsonLine = (fen: string, white: WinnabilityAnswer, black: WinnabilityAnswer): string =>
  JSON.stringify({
    fen,
    white: white.verdict,
    black: black.verdict,
    lines: {
      ...(white.line !== undefined && { white: white.line }),
      ...(black.line !== undefined && { black: black.line }),
    },
  });

const SAYS = {
  winnable: 'can mate',
  unwinnable: 'cannot mate by any series of legal moves',
  undecided: 'is undecided: the budget is spent',
} as const;

const makeWords = (side: string, { verdict, line }: WinnabilityAnswer): string =>
  `  ${side} ${SAYS[verdict]}${line === undefined ? '' : line.length === 0 ? ': it is mate' : `: ${line.join(' ')}`}\n`;

/**
 * Reads FENs, one a line, and says of each whether White and Black can still mate by any series of legal moves. A line
 * that is no position is reported by its number and cure, and the others go on; then the status is 2.
 */
export async function runUnwinnable(
  options: unknown,
  io: Io,
  input: Readable = process.stdin,
): Promise<number> {
  const { json, budget } = parseOptions(UNWINNABLE, options);
  let status = 0;
  let number = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    const fen = text.trim();
    if (fen === '') continue;
    const position = parseFenLine(fen);
    if (!position.ok) {
      const { code, message } = position.fault;
      io.err.write(makeFaultText({ code, message: `${code}: line ${number}: ${message}` }));
      status = 2;
      continue;
    }
    const white = askWinnability(position.value, 'white', budget);
    const black = askWinnability(position.value, 'black', budget);
    if (json) io.out.write(`${makeJsonLine(fen, white, black)}\n`);
    else io.out.write(`${plainText(fen)}\n${makeWords('White', white)}${makeWords('Black', black)}`);
  }
  return status;
}
