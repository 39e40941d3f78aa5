import { BoardError, cureOf, FAULTS, isFaultCode } from '../../core/board-error.ts';
import type { Fault } from '../../core/result.ts';
import { plainText } from '../view/display-text.ts';
import type { Io } from './io.ts';

/** Prints a coded failure: the code with what it concerns, and the cure on a line of its own. */
export function printError(io: Pick<Io, 'err'>, error: BoardError): void {
  io.err.write(`${plainText(error.message)}\n  ${plainText(error.cure)}\n`);
}

/** Prints a failure that is known by its code only; a cure that needs its context is in the message already. */
export function printFault(io: Pick<Io, 'err'>, { code, message }: Fault): void {
  const text = message.startsWith(code) ? message : `${code}: ${message}`;
  io.err.write(
    `${plainText(text)}\n${isFaultCode(code) && !FAULTS[code].cure.includes('{') ? `  ${plainText(cureOf(code))}\n` : ''}`,
  );
}

/** An argument that cannot be understood: one line, status 2. */
export class ArgumentError extends Error {}

/** Prints what ended a command and returns the exit status: 2 for arguments, 1 for the world. Mistakes of ours go on. */
export function statusOf(io: Pick<Io, 'err'>, error: unknown): number {
  if (error instanceof ArgumentError) {
    io.err.write(`ARGUMENT_INVALID: ${plainText(error.message)}; see \`jadoube help\`\n`);
    return 2;
  }
  if (!(error instanceof BoardError)) throw error;
  if (error.code === 'BOARD_UNKNOWN' || error.code === 'LINK_ADDRESS') {
    io.err.write(`${plainText(error.message)}\n`);
    return 2;
  }
  printError(io, error);
  return 1;
}
