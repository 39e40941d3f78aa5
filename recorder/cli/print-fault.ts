import { BoardError, type FaultCode } from '../../core/board-error.ts';
import { plainText } from '../view/display-text.ts';
import { makeErrorText } from '../view/fault-text.ts';
import type { Io } from './io.ts';

/** An argument that cannot be understood: one line, status 2. */
export class ArgumentError extends Error {}

/** Codes of what is said and not of the world. */
const OF_ARGUMENTS: readonly FaultCode[] = [
  'LANGUAGE_UNKNOWN',
  'GAME_UNKNOWN',
  'BOARD_NOT_RECORDED',
  'PLY_UNKNOWN',
  'MOVE_ILLEGAL',
  'IRREGULARITY_UNKNOWN',
  'DECISION_UNKNOWN',
  'DECISION_REFUSED',
  'SIGNATURE_MISSING',
  'TIME_CONTROL_SYNTAX',
];

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
  io.err.write(makeErrorText(error));
  return OF_ARGUMENTS.includes(error.code) ? 2 : 1;
}
